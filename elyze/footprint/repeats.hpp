// Whether one invocation may pass several places of a given set, or one of them several times.
//
// An atomic store, or a record added to a stream, is one step that others see done or not done. Two such steps are not:
// another invocation's may come between them. All paths are followed, through calls as well: a loop, a recursion and a
// function that a library calls back count as several times.
#pragma once

#include <set>
#include <unordered_map>

#include "elyze/effects/analysis.hpp"

namespace heddle::elyze {

class Repeats {
 public:
  using Places = std::set<const llvm::Instruction*>;
  Repeats(const Analysis& analysis, const Places& places);
  static constexpr unsigned kSeveral = 2;
  // How often a call of the function passes one of the places at most: 0, 1, or kSeveral.
  unsigned most(const llvm::Function& function) const;

 private:
  unsigned count(const llvm::Function& function) const;
  unsigned calls(const llvm::CallBase& call) const;

  const Analysis& analysis_;
  std::unordered_map<const llvm::Function*, std::vector<const llvm::Instruction*>> places_;
  std::unordered_map<const llvm::Function*, unsigned> most_;  // of functions that reach a place
};

}  // namespace heddle::elyze
