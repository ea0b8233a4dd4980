#include "elyze/ir/kept_accesses.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace heddle::elyze {
namespace {

constexpr int kMostSteps = 200;  // instructions that are looked at before an access

// They keep what they are given, and show it to nobody until another call does (event_add(), bufferevent_enable()).
bool keeps_to_itself(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  const llvm::StringRef name = callee == nullptr ? "" : callee->getName();
  return callee != nullptr && callee->isDeclaration() &&
         (name == "event_new" || name == "event_assign" || name == "event_set" || name == "bufferevent_setcb");
}

// Is the block new at this place, and known to nobody? Straight back from there to where it was made, nothing stores a
// pointer to it or passes it on, but to what keeps it to itself; and no other call comes behind such a one.
bool is_new(const llvm::CallBase& made, const llvm::Instruction& place) {
  bool called = false;
  const llvm::Instruction* at = &place;
  for (int step = 0; step < kMostSteps; ++step) {
    if (at->getPrevNode() != nullptr) {
      at = at->getPrevNode();
    } else {
      const llvm::BasicBlock* before = at->getParent()->getSinglePredecessor();
      if (before == nullptr) return false;
      at = before->getTerminator();
    }
    if (at == &made) return true;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(at);
    const bool silent = llvm::isa<llvm::IntrinsicInst, llvm::CmpInst, llvm::LoadInst, llvm::GetElementPtrInst>(at);
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(at);
    const bool given = std::any_of(at->op_begin(), at->op_end(), [&](const llvm::Use& use) {
      const bool stored_to = store != nullptr && use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
      return !silent && !stored_to && use->getType()->isPointerTy() && llvm::getUnderlyingObject(use.get(), 0) == &made;
    });
    if (given && (call == nullptr || !keeps_to_itself(*call) || called)) return false;
    called |= call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call) && !keeps_to_itself(*call);
  }
  return false;
}

// Can nobody else write there, or see what is written?
bool is_private(const llvm::Value& address, const llvm::Instruction& place) {
  const llvm::Value* object = llvm::getUnderlyingObject(&address, 0);
  if (const auto* made = llvm::dyn_cast<llvm::CallBase>(object))
    return made->hasRetAttr(llvm::Attribute::NoAlias) && made->getFunction() == place.getFunction() &&
           is_new(*made, place);
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
  return llvm::isa<llvm::AllocaInst>(object) || (variable != nullptr && variable->isConstant());
}

void set_volatile(llvm::Instruction& instruction, bool kept) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!kept || !is_private(*load->getPointerOperand(), *load)) load->setVolatile(kept);
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (!kept || !is_private(*store->getPointerOperand(), *store)) store->setVolatile(kept);
  } else if (auto* bytes = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(bytes);
    const bool shared =
        !is_private(*bytes->getRawDest(), *bytes) || (copy != nullptr && !is_private(*copy->getRawSource(), *bytes));
    if (!kept || shared) bytes->setVolatile(llvm::ConstantInt::getBool(bytes->getContext(), kept));
  }
}

}  // namespace

KeptAnswers::KeptAnswers(llvm::Module& module) {
  // Only a compilation that optimises says where variables begin to live.
  if (module.getFunction("llvm.lifetime.start.p0") != nullptr) return;
  for (llvm::Function& asked : module)
    if (asked.getIntrinsicID() == llvm::Intrinsic::objectsize) kept_.emplace_back(&asked, nullptr);
  for (auto& [asked, plain] : kept_) {
    plain = llvm::Function::Create(asked->getFunctionType(), llvm::GlobalValue::ExternalLinkage,
                                   "elyze.asked." + asked->getName(), module);
    plain->setMemoryEffects(llvm::MemoryEffects::none());
    plain->setDoesNotThrow();
    plain->setWillReturn();
    asked->replaceAllUsesWith(plain);
  }
}

void KeptAnswers::restore() {
  for (const auto& [asked, plain] : kept_) {
    plain->replaceAllUsesWith(asked);
    plain->eraseFromParent();
  }
}

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
      call->removeFnAttr(llvm::Attribute::Builtin);  // a new expression, whose function may be the program's own
      call->addFnAttr(llvm::Attribute::NoBuiltin);
    }
  }
}

void KeptAccesses::restore() {
  for (const auto& [function, effects] : readers_) function->setMemoryEffects(effects);
  for (llvm::Function& function : module_)
    for (llvm::Instruction& instruction : llvm::instructions(function)) set_volatile(instruction, false);
}

}  // namespace heddle::elyze
