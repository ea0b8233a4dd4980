// What only the child of fork() does.
//
// fork() returns 0 in a process that has a copy of memory, and of the tables that the system keeps for each process.
// Code that runs only where the result is 0 writes nothing that a handler of the parent can see, apart from what both
// processes share: open files, and memory that was mapped as shared. Its reads still count: an object that another
// invocation was changing when the copy was made stays half changed in the copy. See "The child of fork()" in
// docs/internals/elyze.md for the argument.
//
// A child that gets back into an event loop runs all handlers, on that same copy. A handler that may fork such a child
// must be alone when it forks, so it conflicts with every handler.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include "elyze/points_to/program.hpp"

namespace heddle::elyze {

class Children {
 public:
  Children(const llvm::Module& module, const Specs& specs, const CallGraph& calls);

  // Is the instruction executed in the child only?
  bool executes(const llvm::Instruction& at) const { return blocks_.contains(at.getParent()); }
  // The call in `function` behind which a child may return from it, or run an event loop; null if there is none.
  const llvm::CallBase* goes_on(const llvm::Function& function) const;

 private:
  using Values = llvm::SmallPtrSet<const llvm::Value*, 8>;

  bool external(const llvm::CallBase& call, bool Spec::* what) const;
  bool forks(const llvm::CallBase& call) const;
  bool tells(const llvm::Value* value, Values& seen, const llvm::CallBase* of) const;
  bool tells(const llvm::Value* value) const;
  const llvm::BasicBlock* zero_side(const llvm::Instruction& branch, const llvm::CallBase* of) const;
  void note_wrapper(const llvm::Function& function);
  void note_blocks(const llvm::Function& function);
  bool note_function(const llvm::Function& function);
  bool follow(const llvm::CallBase& fork, bool& loops) const;
  bool runs_loop(const llvm::CallBase& call) const;

  const Specs& specs_;
  const CallGraph& calls_;
  llvm::DenseSet<const llvm::Function*> wrappers_;  // return what fork() returned
  llvm::DenseSet<const llvm::Function*> loops_;     // run an event loop
  llvm::DenseSet<const llvm::BasicBlock*> blocks_;
  llvm::DenseMap<const llvm::Function*, const llvm::CallBase*> returns_;  // the call whose child may return from it
  llvm::DenseMap<const llvm::Function*, const llvm::CallBase*> nested_;   // the call whose child may run a loop in it
};

}  // namespace heddle::elyze
