// Which functions each handler can reach by calls. Explanations ask this to say whom a place in the program concerns.
#pragma once

#include <set>
#include <vector>

#include "elyze/handlers/world.hpp"

namespace heddle::elyze {

class Reached {
 public:
  Reached(const Analysis& analysis, const World& world);
  // The handlers that can reach a function.
  std::vector<std::size_t> handlers_of(const llvm::Function& function) const;
  bool in_handlers(const llvm::Function& function) const { return by_any_.contains(&function); }

 private:
  std::vector<std::set<const llvm::Function*>> by_handler_;
  std::set<const llvm::Function*> by_any_;
};

}  // namespace heddle::elyze
