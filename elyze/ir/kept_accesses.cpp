#include "elyze/ir/kept_accesses.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::elyze {
namespace {

// Can nobody else write there, or see what is written?
bool is_private(const llvm::Value& address) {
  const llvm::Value* object = llvm::getUnderlyingObject(&address, 0);
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
  return llvm::isa<llvm::AllocaInst>(object) || (variable != nullptr && variable->isConstant());
}

void set_volatile(llvm::Instruction& instruction, bool kept) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!kept || !is_private(*load->getPointerOperand())) load->setVolatile(kept);
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (!kept || !is_private(*store->getPointerOperand())) store->setVolatile(kept);
  } else if (auto* bytes = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(bytes);
    const bool shared = !is_private(*bytes->getRawDest()) || (copy != nullptr && !is_private(*copy->getRawSource()));
    if (!kept || shared) bytes->setVolatile(llvm::ConstantInt::getBool(bytes->getContext(), kept));
  }
}

}  // namespace

KeptAccesses::KeptAccesses(llvm::Module& module) : module_(module) {
  for (llvm::Function& function : module) {
    const llvm::MemoryEffects effects = function.getMemoryEffects();
    if (effects.onlyReadsMemory() && !effects.doesNotAccessMemory()) {
      readers_.emplace_back(&function, effects);
      function.setMemoryEffects(llvm::MemoryEffects::unknown());
    }
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      set_volatile(instruction, true);
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call)) continue;
      const llvm::MemoryEffects said = call->getAttributes().getMemoryEffects();
      if (said.onlyReadsMemory() && !said.doesNotAccessMemory()) call->removeFnAttr(llvm::Attribute::Memory);
      if (!call->hasFnAttr(llvm::Attribute::Builtin)) call->addFnAttr(llvm::Attribute::NoBuiltin);
    }
  }
}

void KeptAccesses::restore() {
  for (const auto& [function, effects] : readers_) function->setMemoryEffects(effects);
  for (llvm::Function& function : module_)
    for (llvm::Instruction& instruction : llvm::instructions(function)) set_volatile(instruction, false);
}

}  // namespace heddle::elyze
