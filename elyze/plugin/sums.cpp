#include "elyze/plugin/sums.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>
#include <vector>

namespace heddle::plugin {
namespace {

// `*place += by`, or `-=`.
struct Sum {
  llvm::LoadInst* load = nullptr;
  llvm::BinaryOperator* sum = nullptr;
  llvm::StoreInst* store = nullptr;
  llvm::Value* by = nullptr;
};

bool is_call(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction);
}

// A variable of the function, or of the thread, is nobody else's.
bool may_be_shared(const llvm::Value& pointer) {
  const llvm::Value* base = llvm::getUnderlyingObject(&pointer);
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(base)) return !variable->isThreadLocal();
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(base))
    return call->getIntrinsicID() != llvm::Intrinsic::threadlocal_address;
  return !llvm::isa<llvm::AllocaInst>(base);
}

// The processor adds to 1, 2, 4 or 8 bytes that lie as such numbers do.
bool can_be_one_step(const llvm::StoreInst& store) {
  const auto* type = llvm::dyn_cast<llvm::IntegerType>(store.getValueOperand()->getType());
  if (type == nullptr || !store.isSimple()) return false;
  const unsigned bits = type->getBitWidth();
  const bool whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  return whole && store.getAlign().value() * 8 >= bits;
}

// Between the two nothing may touch memory: it could be the same place.
bool nothing_between(const llvm::LoadInst& load, const llvm::StoreInst& store) {
  if (load.getParent() != store.getParent()) return false;
  for (const llvm::Instruction* at = load.getNextNode(); at != &store; at = at->getNextNode()) {
    if (at == nullptr || at->mayReadOrWriteMemory() || at->mayHaveSideEffects()) return false;
  }
  return true;
}

// The number that is made wider to be added, if nothing else looks at it so.
llvm::Value* before_widening(llvm::Value* value) {
  if (!value->hasOneUse() || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(value)) return value;
  return llvm::cast<llvm::CastInst>(value)->getOperand(0);
}

// Numbers narrower than `int` are added as `int`; what is kept of the sum does not depend on that.
std::optional<Sum> sum_of(llvm::StoreInst& store) {
  if (!can_be_one_step(store) || !may_be_shared(*store.getPointerOperand())) return std::nullopt;
  Sum found{.store = &store};
  llvm::Value* kept = store.getValueOperand();
  if (auto* narrowed = llvm::dyn_cast<llvm::TruncInst>(kept); narrowed != nullptr && narrowed->hasOneUse())
    kept = narrowed->getOperand(0);
  found.sum = llvm::dyn_cast<llvm::BinaryOperator>(kept);
  if (found.sum == nullptr || !found.sum->hasOneUse()) return std::nullopt;
  const bool adds = found.sum->getOpcode() == llvm::Instruction::Add;
  if (!adds && found.sum->getOpcode() != llvm::Instruction::Sub) return std::nullopt;
  for (unsigned side = 0; side < (adds ? 2U : 1U); ++side) {
    found.load = llvm::dyn_cast<llvm::LoadInst>(before_widening(found.sum->getOperand(side)));
    found.by = found.sum->getOperand(1 - side);
    if (found.load == nullptr || !found.load->hasOneUse() || !found.load->isSimple()) continue;
    if (found.load->getPointerOperand() != store.getPointerOperand()) continue;
    if (found.load->getType() != store.getValueOperand()->getType()) continue;
    if (nothing_between(*found.load, store)) return found;
  }
  return std::nullopt;
}

// A loop that only computes adds in a register; a step for each turn would cost it far more than it saves others.
bool calls_nothing(const llvm::Loop& loop) {
  return llvm::none_of(loop.blocks(), [](const llvm::BasicBlock* block) { return llvm::any_of(*block, is_call); });
}

void make_atomic(const Sum& found) {
  llvm::IRBuilder<> builder(found.store);
  const auto operation =
      found.sum->getOpcode() == llvm::Instruction::Add ? llvm::AtomicRMWInst::Add : llvm::AtomicRMWInst::Sub;
  llvm::Value* by = builder.CreateTrunc(found.by, found.store->getValueOperand()->getType());
  builder.CreateAtomicRMW(operation, found.store->getPointerOperand(), by, found.store->getAlign(),
                          llvm::AtomicOrdering::Monotonic);
  llvm::Value* kept = found.store->getValueOperand();
  found.store->eraseFromParent();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(kept);
}

}  // namespace

void make_sums_atomic(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.hasAvailableExternallyLinkage()) continue;
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    std::vector<Sum> found;
    for (llvm::BasicBlock& block : function) {
      const llvm::Loop* loop = loops.getLoopFor(&block);
      if (loop != nullptr && calls_nothing(*loop)) continue;
      for (llvm::Instruction& instruction : block)
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
          if (const auto sum = sum_of(*store)) found.push_back(*sum);
    }
    for (const Sum& sum : found) make_atomic(sum);
  }
}

}  // namespace heddle::plugin
