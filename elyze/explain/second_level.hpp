// Where a handler goes on through a function that its session keeps: `peer->dispatchcb(imsg, peer->arg)`.
//
// Many servers register one trampoline for everything and keep the real handler in the object that it is called for. A
// reader wants to see these functions, each with the argument that is stored beside it. The search follows the
// handler's session pointer into callees that get it unchanged; it is for people, and no verdict rests on it.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "elyze/handlers/world.hpp"

namespace heddle::elyze {

struct SecondLevel {
  const llvm::Function* function = nullptr;
  std::string argument;  // `peer->arg`; `peer`, where the session itself is passed; empty for anything else
};

class SecondLevels {
 public:
  explicit SecondLevels(const Analysis& analysis) : analysis_(analysis) {}
  std::vector<SecondLevel> of(const Handler& handler) const;

 private:
  using Seen = std::set<std::pair<const llvm::Function*, unsigned>>;

  void follow(const llvm::Function& function, unsigned parameter, int depth, Seen& seen,
              std::vector<SecondLevel>& found) const;
  const Analysis& analysis_;
};

}  // namespace heddle::elyze
