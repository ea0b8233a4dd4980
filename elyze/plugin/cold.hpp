// Which blocks of a function lie on rarely taken paths.
//
// A profile or `__builtin_expect` says so, or else the source does: paths that end in a call of a cold or noreturn
// function or return a negative number; the side of a branch on which a pointer is null or a number negative (Ball and
// Larus, Branch prediction for free, PLDI 1993: pointer and opcode heuristics); and guard clauses, which leave the
// function because something is false while the other side goes on. A wrong guess costs time, never correctness: what
// is proven of a late point does not depend on how often it is reached.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace heddle::late {

class ColdPaths {
 public:
  // `everywhere`, for tests: the first side of each branch counts as rare.
  ColdPaths(llvm::Function& function, bool everywhere);

  // True if every path to the block takes the rare side of some branch.
  bool cold(const llvm::BasicBlock& block) const { return reachable_.contains(&block) && !common_.contains(&block); }
  // Does the edge from `from` to `to` stay inside a loop?
  bool in_loop(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;

 private:
  using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 32>;

  // The index of the branch's successor that is rarely taken; -1 if neither is.
  int rare_side(const llvm::BranchInst& branch) const;
  int failing_side(const llvm::BranchInst& branch) const;
  int false_side(const llvm::BranchInst& branch) const;
  bool leaves_at_once(const llvm::BasicBlock& block, const llvm::BasicBlock& other) const;
  bool ends_loop(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
  std::size_t size_behind(const llvm::BasicBlock& block) const;
  void find_common(llvm::Function& function);

  const bool everywhere_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  Blocks reachable_;  // by any path from the function's start
  Blocks common_;     // by paths that take no rare side
};

}  // namespace heddle::late
