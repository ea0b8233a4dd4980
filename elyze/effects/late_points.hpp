// Which instructions a handler executes only behind a late point.
//
// A program that was built with `heddle build --late` has a call wherever a rarely taken path is entered
// (elyze/plugin). Under the runtime, an invocation that gets there waits until every invocation that started earlier,
// and that it conflicts with, has ended. So a handler that meets another one only behind its late points may start
// while the other one runs. docs/internals/elyze.md has the argument.
//
// An instruction is behind a late point if every way to it from the start of its function passes one, or if its
// function is only called from such places.
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
  // Does every way to `at` pass a late point of its own function? Says nothing of callers.
  bool behind(const llvm::Instruction& at) const;
  // The points of its function that lie on ways to `at`.
  std::vector<LatePoint> before(const llvm::Instruction& at) const;
  // Before its late points the function may do what makes others wait until it goes on: take a lock that no access
  // shows (by an atomic operation, for example), or run an event loop. Whoever does so must not be made to wait.
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
