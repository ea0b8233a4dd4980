// How each value of one function was derived (effects/root.hpp), by iteration to a fixed point.
//
// A load from a local variable yields what was stored there, and that may in turn depend on such loads. At first they
// have no derivation; collect(), which knows the stores, adds the derivations with learn() and calls run() again.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Dominators.h>

#include "elyze/effects/analysis.hpp"

namespace llvm {
class LoadInst;
class PHINode;
}  // namespace llvm

namespace heddle::elyze {

class Derivations {
 public:
  Derivations(Analysis& analysis, const llvm::Function& function)
      : analysis_(analysis), function_(function), dominators_(const_cast<llvm::Function&>(function)) {}

  void run();

  Derivation of(const llvm::Value* value) const;
  Derivation of(const Actual& actual) const;
  // Translates a root, or a derivation, of a callee into terms of the function that calls it at `site`.
  Derivation substitute(RootId root, const CallSite& site) const;
  Derivation moved(const Derivation& from, const CallSite& site) const;

  // Joins `loaded` into the derivation of a load from a local variable; true if that changes it.
  bool learn(const llvm::LoadInst& load, const Derivation& loaded);
  // A local variable without a known store was filled in a way that the analysis does not follow, so loads from it may
  // yield anything. True if that changes a derivation.
  bool give_up_on_empty_locals();

 private:
  Derivation transfer(const llvm::Instruction& instruction) const;
  Derivation external_result(const llvm::CallBase& call, const Spec& spec, const Result& given) const;
  Derivation assembly_result(const llvm::CallBase& call) const;
  Derivation call_result(const llvm::CallBase& call) const;
  bool stale(const Derivation& value, const llvm::PHINode& phi) const;

  Analysis& analysis_;
  const llvm::Function& function_;
  llvm::DominatorTree dominators_;
  llvm::DenseMap<const llvm::Value*, Derivation> derived_;
  llvm::DenseMap<const llvm::Value*, Derivation> local_loads_;
};

}  // namespace heddle::elyze
