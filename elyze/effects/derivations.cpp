#include "elyze/effects/derivations.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "elyze/ir/arrays.hpp"
#include "elyze/ir/assembly.hpp"
#include "elyze/ir/values.hpp"
#include "elyze/points_to/operations.hpp"

namespace heddle::elyze {
Derivation Derivations::of(const llvm::Value* value) const {
  if (value == nullptr) return {};
  if (const auto* formal = llvm::dyn_cast<llvm::Argument>(value)) {
    return {analysis_.roots.param(formal->getArgNo()), 0, true};
  }
  if (llvm::isa<llvm::Instruction>(value)) {
    const auto place = derived_.find(value);
    return place == derived_.end() ? Derivation{} : place->second;
  }
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
      variable != nullptr && has_no_identity(*variable)) {
    return {};
  }
  if (llvm::isa<llvm::GlobalValue>(value)) return kFromGlobal;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    if (is_fixed_address(*constant)) return kFromGlobal;
    for (const llvm::Use& operand : constant->operands()) {
      if (of(operand.get()).base != kNoRoot) return kFromGlobal;
    }
    // Null, or a number that stands for none.
    return {};
  }
  return kAnywhere;
}

Derivation Derivations::of(const Actual& actual) const {
  if (actual.hidden != nullptr) return {analysis_.roots.load(kFromGlobal), 0, true};
  Derivation found = of(actual.value);
  if (actual.inside) found = {found.base, 0, false};
  for (const std::int64_t offset : actual.path) found = {analysis_.roots.load(shifted(found, offset)), 0, true};
  return found;
}

Derivation Derivations::substitute(RootId id, const CallSite& site) const {
  const Root root = analysis_.roots[id];
  switch (root.kind) {
    case Root::Kind::kParam:
      return root.index < site.actuals.size() ? of(site.actuals[root.index]) : kAnywhere;
    case Root::Kind::kLoad: {
      const Derivation parent = substitute(root.parent, site);
      return {analysis_.roots.load(shifted(parent, root.offset)), 0, true};
    }
    case Root::Kind::kFresh:
      return {analysis_.roots.fresh(site.call), 0, true};
    case Root::Kind::kVariadic:
      return kAnywhere;
    default:
      return {id, 0, true};
  }
}

Derivation Derivations::moved(const Derivation& from, const CallSite& site) const {
  const Derivation to = substitute(from.base, site);
  if (to.base == kNoRoot) return to;
  return shifted_like(to, from);
}

Derivation Derivations::external_result(const llvm::CallBase& call, const Spec& spec, const Result& given) const {
  switch (given.kind) {
    case Result::Kind::kNothing:
      break;
    case Result::Kind::kFresh:
      if (!analysis_.points_to.allocators(spec).empty()) return kAnywhere;
      return {analysis_.roots.fresh(&call), 0, true};
    case Result::Kind::kDescriptor:
      return {analysis_.roots.fresh(&call), 0, true};
    case Result::Kind::kArgument:
      return of(argument(call, given.arg));
    case Result::Kind::kInside:
      return of({argument(call, given.arg), true});
    case Result::Kind::kHidden:
      return kFromGlobal;
    case Result::Kind::kLoaded: {
      const bool hidden = given.arg == kHiddenObject;
      const Derivation holder = hidden ? kFromGlobal : of(argument(call, given.arg));
      return {analysis_.roots.load(shifted(holder, given.offset)), 0, true};
    }
  }
  return {};
}

// A compiler barrier, which has no text, returns its one operand. The result of any other statement may point anywhere
// into the objects that its operands point to.
Derivation Derivations::assembly_result(const llvm::CallBase& call) const {
  const auto operands = assembly_operands(call);
  if (!operands) return kAnywhere;
  Derivation all;
  for (const AssemblyOperand& operand : *operands) {
    if (operand.memory && operand.carries) return kAnywhere;
    if (!operand.memory) all = Roots::join(all, of(operand.value));
  }
  if (all.base == kNoRoot) return call.getType()->isPointerTy() ? kAnywhere : all;
  const bool same =
      llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString().empty() && operands->size() == 1;
  return same ? all : Derivation{all.base, 0, false};
}

Derivation Derivations::call_result(const llvm::CallBase& call) const {
  if (is_array_mark(call)) return of(call.getArgOperand(0));
  if (call.isInlineAsm()) return assembly_result(call);
  if (analysis_.points_to.specs.dispatched(call) != nullptr) return kAnywhere;
  Derivation result;
  const llvm::Function* direct = call.getCalledFunction();
  if (direct != nullptr && model_of_intrinsic(direct->getIntrinsicID()) == Model::kMove) {
    for (const llvm::Use& operand : call.args()) result = Roots::join(result, of(operand.get()));
    return result;
  }
  for (const CallSite& site : analysis_.calls.at(call)) {
    if (site.callback != nullptr) continue;
    for (const llvm::Function* body : site.bodies) {
      const auto known = analysis_.summaries.find(body);
      if (known == analysis_.summaries.end()) continue;  // a member of this component that a later round adds
      const Derivation returned = known->second.returned;
      result = Roots::join(result, moved(returned, site));
    }
    for (const llvm::Function* external : site.externals) {
      const Spec* spec = analysis_.points_to.specs.find(*external);
      if (spec == nullptr) {
        result = Roots::join(result, call.getType()->isPointerTy() ? kAnywhere : Derivation{});
      } else {
        if (spec->results.empty() && carries(call.getType()) && !call.getType()->isIntegerTy()) result = kAnywhere;
        for (const Result& given : spec->results) {
          if (analysis_.points_to.holds(call, given.condition, given.beside))
            result = Roots::join(result, external_result(call, *spec, given));
        }
      }
    }
  }
  return result;
}

// May the phi's value be a block from an earlier iteration of a loop, since which the allocation has made another one?
// A phi that dominates the allocation can only have got the block from an earlier iteration.
bool Derivations::stale(const Derivation& value, const llvm::PHINode& phi) const {
  const Root origin = analysis_.roots[analysis_.roots.origin(value.base)];
  if (origin.kind != Root::Kind::kFresh) return false;
  const auto* made = llvm::dyn_cast_or_null<llvm::Instruction>(origin.site);
  return made != nullptr && !llvm::isa<llvm::AllocaInst>(made) && made->getFunction() == &function_ &&
         dominators_.dominates(&phi, made);
}

Derivation Derivations::transfer(const llvm::Instruction& instruction) const {
  const AddressNumbers* numbers = analysis_.points_to.addresses;
  if (numbers != nullptr && numbers->made(instruction)) return kAnywhere;
  if (llvm::isa<llvm::AllocaInst>(instruction)) return {analysis_.roots.fresh(&instruction), 0, true};
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&instruction)) {
    const Derivation base = of(gep->getPointerOperand());
    if (base.base == kNoRoot) return base;
    llvm::APInt offset(64, 0);
    if (!gep->accumulateConstantOffset(analysis_.points_to.module.getDataLayout(), offset))
      return {base.base, 0, false};
    return shifted(base, offset.getSExtValue());
  }
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!carries(load->getType())) return {};
    if (!load->getType()->isPointerTy() && !load->getType()->isIntegerTy()) return kAnywhere;
    // Optimistic: a load from a local variable has no derivation until learn_locals() adds those of the stores.
    const Derivation from = of(load->getPointerOperand());
    const Root root = analysis_.roots[from.base];
    if (load->getType()->isPointerTy() && root.kind == Root::Kind::kFresh && llvm::isa<llvm::AllocaInst>(root.site)) {
      const auto known = local_loads_.find(load);
      return known == local_loads_.end() ? Derivation{} : known->second;
    }
    return {analysis_.roots.load(from), 0, true};
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return call_result(*call);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    Derivation all;
    for (const llvm::Use& value : phi->incoming_values()) all = Roots::join(all, of(value.get()));
    return stale(all, *phi) ? kAnywhere : all;
  }
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    return Roots::join(of(choice->getTrueValue()), of(choice->getFalseValue()));
  }
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    const Derivation left = of(operation->getOperand(0));
    const Derivation right = of(operation->getOperand(1));
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1));
    if (number != nullptr && number->getBitWidth() <= 64 && left.base != kNoRoot) {
      if (operation->getOpcode() == llvm::Instruction::Add) return shifted(left, number->getSExtValue());
      if (operation->getOpcode() == llvm::Instruction::Sub) return shifted(left, -number->getSExtValue());
    }
    const Derivation both = Roots::join(left, right);
    return both.base == kNoRoot ? both : Derivation{both.base, 0, false};
  }
  if (llvm::isa<llvm::CastInst, llvm::FreezeInst, llvm::InsertValueInst, llvm::ExtractValueInst,
                llvm::InsertElementInst, llvm::ExtractElementInst, llvm::ShuffleVectorInst>(instruction)) {
    if (instruction.getType()->isFPOrFPVectorTy()) return {};
    Derivation all;
    for (const llvm::Use& operand : instruction.operands()) all = Roots::join(all, of(operand.get()));
    return all;
  }
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::VAArgInst>(instruction)) return kAnywhere;
  return {};
}

void Derivations::run() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (instruction.getType()->isVoidTy()) continue;
      const Derivation old = of(&instruction);
      const Derivation next = Roots::join(old, transfer(instruction));
      if (next == old) continue;
      derived_[&instruction] = next;
      changed = true;
    }
  }
}

bool Derivations::learn(const llvm::LoadInst& load, const Derivation& loaded) {
  Derivation& known = local_loads_[&load];
  const Derivation next = Roots::join(known, loaded);
  const bool changed = !(next == known);
  known = next;
  return changed;
}

bool Derivations::give_up_on_empty_locals() {
  bool changed = false;
  for (auto& [load, known] : local_loads_) {
    if (known.base != kNoRoot) continue;
    known = kAnywhere;
    changed = true;
  }
  return changed;
}

}  // namespace heddle::elyze
