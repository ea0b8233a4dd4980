// What an instruction has to do with the thread that executes it.
//
// A list of what is known to be harmless: arithmetic on integers, memory, calls of the program's own functions, and
// calls of external functions whose spec says so ("on any thread" in elyze/specs/README.md). Whatever is not on the
// list may ask for the thread or keep something for it.
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "elyze/points_to/program.hpp"

namespace heddle::elyze {

struct InstructionsUse {
  std::string name;  // the function, the variable, or what the instruction does
  ThreadUse use = ThreadUse::kNothing;
  ThreadUse ties = ThreadUse::kNothing;  // the state that it may change; kItself: any
};

class ThreadUses {
 public:
  ThreadUses(PointsTo& points_to, const CallGraph& calls);

  // Empty for nearly all instructions.
  std::vector<InstructionsUse> of(const llvm::Instruction& at);
  // A handler may jump to a place that was left for it: longjmp() is no matter of one invocation.
  void jumps_leave_invocations() { jumps_stay_ = false; }
  // If the call takes a lock that an invocation, or whoever runs the loop (`loop_may_run` in the middle of it), may
  // leave with its owner, all who take that lock are on the owner's thread: there a recursive lock is theirs as well.
  void note_locks(const llvm::CallBase& call, bool loop_may_run);
  // The state of its thread that the call may change. A lock that its function gives back is of no thread afterwards.
  ThreadUse tied_by(const llvm::CallBase& call, const Spec& spec);
  // The call notes where to jump to, in memory that may outlive its function.
  bool notes_place_elsewhere(const llvm::CallBase& call) const;

 private:
  void add_external(const llvm::CallBase& call, const llvm::Function& callee, std::vector<InstructionsUse>& found);
  bool holds(const llvm::CallBase& call, const ThreadCondition& condition);
  bool balanced(const llvm::CallBase& call, const llvm::Value& lock);
  bool may_be_left(const llvm::Value& lock) const;
  bool may_leave(const llvm::CallBase& call) const;

  PointsTo& points_to_;
  const CallGraph& calls_;
  bool jumps_stay_ = true;
  std::unordered_set<const llvm::Value*> left_;  // the variables of such locks; null: any lock may be one
  bool jumps_ = false;                           // the program calls longjmp()
  bool throws_ = false;                          // or throws exceptions
  std::unordered_map<const llvm::Function*, std::unordered_map<const llvm::Value*, bool>> balanced_;
};

}  // namespace heddle::elyze
