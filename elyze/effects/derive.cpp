// Roots of the values of one function, by iteration to a fixed point (see root.hpp for the order).
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "elyze/effects/collect.hpp"
#include "elyze/ir/assembly.hpp"

namespace heddle::elyze {
namespace {

constexpr Derivation kOther{kOtherRoot, 0, true};
constexpr Derivation kGlobal{kGlobalRoot, 0, true};

}  // namespace

Derivation Collector::derivation(const llvm::Value* value) const {
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
  if (llvm::isa<llvm::GlobalValue>(value)) return kGlobal;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    for (const llvm::Use& operand : constant->operands()) {
      if (derivation(operand.get()).base != kNoRoot) return kGlobal;
    }
    // A number given as an address stands for nothing the program allocated.
    return {};
  }
  return kOther;
}

Derivation Collector::shifted(Derivation where, std::int64_t by) const {
  if (where.exact) where.distance += by;
  return where;
}

Derivation Collector::of(const Actual& actual) const {
  if (actual.hidden != nullptr) return {analysis_.roots.load(kGlobal), 0, true};
  Derivation found = derivation(actual.value);
  if (actual.inside) found = {found.base, 0, false};
  if (actual.loaded) found = {analysis_.roots.load(shifted(found, actual.offset)), 0, true};
  return found;
}

Derivation Collector::substitute(RootId id, const CallSite& site) const {
  const Root root = analysis_.roots[id];
  switch (root.kind) {
    case Root::Kind::kParam:
      return root.index < site.actuals.size() ? of(site.actuals[root.index]) : kOther;
    case Root::Kind::kLoad: {
      const Derivation parent = substitute(root.parent, site);
      return {analysis_.roots.load(shifted(parent, root.offset)), 0, true};
    }
    case Root::Kind::kFresh:
      return {analysis_.roots.fresh(site.call), 0, true};
    case Root::Kind::kVariadic:
      return kOther;
    default:
      return {id, 0, true};
  }
}

Derivation Collector::external_result(const llvm::CallBase& call, const Result& given) const {
  switch (given.kind) {
    case Result::Kind::kNothing:
      break;
    case Result::Kind::kFresh:
    case Result::Kind::kDescriptor:
      return {analysis_.roots.fresh(&call), 0, true};
    case Result::Kind::kArgument:
      return derivation(argument(call, given.arg));
    case Result::Kind::kInside:
      return of({argument(call, given.arg), true});
    case Result::Kind::kHidden:
      return kGlobal;
    case Result::Kind::kLoaded: {
      const bool hidden = given.arg == kHiddenObject;
      const Derivation holder = hidden ? kGlobal : derivation(argument(call, given.arg));
      return {analysis_.roots.load(shifted(holder, given.offset)), 0, true};
    }
  }
  return {};
}

// A barrier without text hands its one operand through; otherwise the result may be any place in what the operands
// point to.
Derivation Collector::assembly_result(const llvm::CallBase& call) const {
  const auto operands = assembly_operands(call);
  if (!operands) return kOther;
  Derivation all;
  for (const AssemblyOperand& operand : *operands) {
    if (operand.memory && operand.carries) return kOther;
    if (!operand.memory) all = Roots::join(all, derivation(operand.value));
  }
  if (all.base == kNoRoot) return call.getType()->isPointerTy() ? kOther : all;
  const bool same =
      llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString().empty() && operands->size() == 1;
  return same ? all : Derivation{all.base, 0, false};
}

Derivation Collector::call_result(const llvm::CallBase& call) const {
  if (is_array_mark(call)) return derivation(call.getArgOperand(0));
  if (call.isInlineAsm()) return assembly_result(call);
  if (analysis_.points_to.specs.dispatched(call) != nullptr) return kOther;
  Derivation result;
  for (const CallSite& site : analysis_.calls.at(call)) {
    if (site.callback != nullptr) continue;
    for (const llvm::Function* body : site.bodies) {
      const auto known = analysis_.summaries.find(body);
      if (known == analysis_.summaries.end()) continue;  // in this component, not yet seen: contributes later
      const Derivation returned = known->second.returned;
      Derivation here = substitute(returned.base, site);
      if (here.base != kNoRoot) {
        here = returned.exact ? shifted(here, returned.distance) : Derivation{here.base, 0, false};
      }
      result = Roots::join(result, here);
    }
    for (const llvm::Function* external : site.externals) {
      const Spec* spec = analysis_.points_to.specs.find(*external);
      if (spec == nullptr) {
        result = Roots::join(result, call.getType()->isPointerTy() ? kOther : Derivation{});
      } else {
        for (const Result& given : spec->results) result = Roots::join(result, external_result(call, given));
      }
    }
  }
  return result;
}

// May the block have been made in an earlier round of a loop, so that the allocation has made another one since? A
// value that stands before the allocation on every way to it can only have come round.
bool Collector::stale(const Derivation& value, const llvm::PHINode& phi) const {
  const Root origin = analysis_.roots[analysis_.roots.origin(value.base)];
  if (origin.kind != Root::Kind::kFresh) return false;
  const auto* made = llvm::dyn_cast_or_null<llvm::Instruction>(origin.site);
  return made != nullptr && !llvm::isa<llvm::AllocaInst>(made) && made->getFunction() == &function_ &&
         dominators_.dominates(&phi, made);
}

Derivation Collector::transfer(const llvm::Instruction& instruction) const {
  if (llvm::isa<llvm::AllocaInst>(instruction)) return {analysis_.roots.fresh(&instruction), 0, true};
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&instruction)) {
    const Derivation base = derivation(gep->getPointerOperand());
    if (base.base == kNoRoot) return base;
    llvm::APInt offset(64, 0);
    if (!gep->accumulateConstantOffset(analysis_.points_to.module.getDataLayout(), offset))
      return {base.base, 0, false};
    return shifted(base, offset.getSExtValue());
  }
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!carries(load->getType())) return {};
    if (!load->getType()->isPointerTy() && !load->getType()->isIntegerTy()) return kOther;
    // Optimistic at first: nothing, until learn_locals() has seen what is stored there.
    const Derivation from = derivation(load->getPointerOperand());
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
    for (const llvm::Use& value : phi->incoming_values()) all = Roots::join(all, derivation(value.get()));
    return stale(all, *phi) ? kOther : all;
  }
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    return Roots::join(derivation(choice->getTrueValue()), derivation(choice->getFalseValue()));
  }
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    const Derivation left = derivation(operation->getOperand(0));
    const Derivation right = derivation(operation->getOperand(1));
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
    for (const llvm::Use& operand : instruction.operands()) all = Roots::join(all, derivation(operand.get()));
    return all;
  }
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::VAArgInst>(instruction)) return kOther;
  return {};
}

void Collector::derive() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (instruction.getType()->isVoidTy()) continue;
      const Derivation old = derivation(&instruction);
      const Derivation next = Roots::join(old, transfer(instruction));
      if (next == old) continue;
      derived_[&instruction] = next;
      changed = true;
    }
  }
}

}  // namespace heddle::elyze
