// The passes that make code readable for the analysis take accesses away that mean nothing in a program of one thread:
// `n = n`, `n++; n--`, a structure that is copied onto itself, the second of two looks at a variable, a pure function
// that is asked again. The program that runs may have them, and with two threads they do mean something: an update is
// lost, two looks differ. So accesses that another invocation may see stay as they were written.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/ModRef.h>

#include <utility>
#include <vector>

namespace heddle::elyze {

// __builtin_object_size() is answered by what the compiler knows at that time. Without optimisation it knows nothing of
// what a variable points to, and the program takes the way for objects of unknown size, which the passes here would
// take out. So they are not asked.
class KeptAnswers {
 public:
  // Puts a function that LLVM does not know in the place of the intrinsic, where the module is not optimised.
  explicit KeptAnswers(llvm::Module& module);
  void restore();

 private:
  std::vector<std::pair<llvm::Function*, llvm::Function*>> kept_;  // the intrinsic, and what stands for it
};

class KeptAccesses {
 public:
  // Makes each access volatile that is not to a local variable, to a constant, or to a new block that nobody knows, so
  // that no pass may remove, join or foresee it; and takes from calls what would let a pass do so: that a function only
  // reads, and that it is a function that LLVM knows, of the C library or behind a new expression (LLVM Language
  // Reference, "Volatile Memory Accesses", "Function Attributes").
  explicit KeptAccesses(llvm::Module& module);
  // Says again what functions read, and that no access is volatile: the analysis does not tell them apart.
  void restore();

 private:
  llvm::Module& module_;
  std::vector<std::pair<llvm::Function*, llvm::MemoryEffects>> readers_;
};

}  // namespace heddle::elyze
