// What a handler does only behind a late point.
//
// A program that was built with `heddle build --late` has a call wherever a rarely taken path is entered (elyze/late).
// Under the runtime, whoever gets there waits until each invocation that started before it, and that it conflicts with,
// has ended. So what it does behind a late point keeps nobody from running beside what it does before: a handler that
// meets another one only there may start while that one runs. docs/internals/elyze.md has the argument.
//
// Behind means: on every way from the start of its function, or of a function that is only called from there.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <cstdint>
#include <vector>

#include "elyze/points_to/program.hpp"

namespace heddle::elyze {

struct LatePoint {
  const llvm::CallBase* call = nullptr;
  std::uint64_t number = 0;
};

class LatePoints {
 public:
  LatePoints(const llvm::Module& module, const Specs& specs, const CallGraph& calls);

  bool any() const { return !points_.empty(); }
  // Not before a late point of its own function, whoever calls that.
  bool behind(const llvm::Instruction& at) const;
  // The points of its function that lie on ways to `at`.
  std::vector<LatePoint> before(const llvm::Instruction& at) const;
  // Before its own late points the function does what may make others wait for it until it goes on: it takes a lock
  // that no access shows, by an atomic operation for one, or it runs an event loop. Whoever does so must not wait
  // itself.
  bool may_hold(const llvm::Function& function) const { return holders_.contains(&function); }

 private:
  void note_function(const llvm::Function& function);
  static bool may_lock(const llvm::Instruction& at);
  bool is_point(const llvm::Instruction& at) const;

  const Specs& specs_;
  const CallGraph& calls_;
  llvm::DenseMap<const llvm::Function*, std::vector<LatePoint>> points_;
  // Of functions with points: blocks that are entered before any point, with the first point in them, if there is one.
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::Instruction*> front_;
  llvm::DenseSet<const llvm::Function*> holders_;
};

}  // namespace heddle::elyze
