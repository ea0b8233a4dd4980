// Locks that the program takes and gives back (`takes`, `gives` in elyze/specs/README.md), and for how long.
//
// A lock is no memory that conflicts: what it protects is. Two handlers may wait for one lock at the same time, as
// threads do, if whoever has it goes on by itself. That is so where the function that takes the lock gives it back on
// every path (it is balanced), and between the two does nothing but compute and call functions that do no more: no
// second lock, no call that may wait for another handler, no atomic operation by which it might. Such a lock is brief.
// By induction each of its holders gets to the end of its section, so a handler that waits for it gets it, whatever
// else that handler holds. Every other use of a lock counts as a write to it, so that it keeps handlers apart.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/InstrTypes.h>

#include <optional>
#include <unordered_set>

#include "elyze/points_to/program.hpp"

namespace heddle::elyze {

struct LockCall {
  const llvm::Value* lock = nullptr;
  bool takes = false;  // or gives it back
};
std::optional<LockCall> lock_call(const llvm::Instruction& at, const Specs& specs);

// On every path the function takes the lock first and gives it back before it returns, and `holds` is true of each
// instruction in between. A lock that it reaches by another pointer is another one here, and then neither is balanced.
bool balanced(const llvm::Function& function, const llvm::Value& lock, const Specs& specs,
              llvm::function_ref<bool(const llvm::Instruction&)> holds);

class BriefLocks {
 public:
  BriefLocks(const llvm::Module& module, const Specs& specs, const CallGraph& calls);
  // The call takes a lock that its function has briefly, or gives it back.
  bool contains(const llvm::CallBase& call) const { return calls_.contains(&call); }

 private:
  std::unordered_set<const llvm::CallBase*> calls_;
};

}  // namespace heddle::elyze
