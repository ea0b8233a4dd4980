#include "elyze/effects/collect.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "elyze/effects/finish.hpp"

namespace heddle::elyze {
namespace {

// Derives the results of loads from local variables, now that all stores are known. True if a derivation changed.
bool learn_locals(const Analysis& analysis, const llvm::Function& function, Derivations& derivations,
                  const LocalMemory& local) {
  bool changed = false;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load == nullptr || !load->getType()->isPointerTy()) continue;
    const Derivation from = derivations.of(load->getPointerOperand());
    const Root root = analysis.roots[from.base];
    if (root.kind != Root::Kind::kFresh || !llvm::isa<llvm::AllocaInst>(root.site)) continue;
    const Derivation now = from.exact ? local.forwarded(from.base, from.distance, instruction, 0, true) : kAnywhere;
    changed |= derivations.learn(*load, now.base == kUniqueRoot ? kAnywhere : now);
  }
  return changed;
}

}  // namespace

Collected collect(Analysis& analysis, Unit& unit, Cells& cells, const llvm::Function& function,
                  const std::vector<bool>& visible, const std::shared_ptr<Escapes::Set>& escapes) {
  Derivations derivations(analysis, function);
  for (;;) {
    derivations.run();
    Gathered gathered = Gatherer(analysis, unit, cells, function, derivations).run();
    const Publication publication(analysis, cells, function, derivations, gathered);
    const LocalMemory local(analysis, unit, cells, function, gathered, publication);
    analysis.steps += gathered.accesses.size() + gathered.stores.size() + gathered.pooled_calls.size();
    if (learn_locals(analysis, function, derivations, local) || derivations.give_up_on_empty_locals()) continue;
    Finisher finisher(analysis, unit, cells, function, visible, derivations, publication, local, gathered, escapes);
    return {finisher.run(), publication.nodes()};
  }
}

}  // namespace heddle::elyze
