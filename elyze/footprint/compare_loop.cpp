#include "elyze/footprint/compare_loop.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace heddle::elyze {
namespace {

using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 8>;

constexpr int kMostBlocks = 8;  // from a failed attempt back to the next one

// What the exchange found (0), or whether it succeeded (1).
bool is_part(const llvm::Value* value, const llvm::AtomicCmpXchgInst& exchange, unsigned index) {
  const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(value);
  return part != nullptr && part->getAggregateOperand() == &exchange && *part->idx_begin() == index;
}

// A yes or no that nobody remembers behind the loop.
bool decides_inside(const llvm::PHINode& choice, const Blocks& loop) {
  return choice.getType()->isIntegerTy(1) && std::all_of(choice.user_begin(), choice.user_end(), [&](const auto* user) {
           return loop.contains(llvm::cast<llvm::Instruction>(user)->getParent()) && llvm::isa<llvm::BranchInst>(user);
         });
}

template <class Next>
Blocks reached(const llvm::BasicBlock& from, Next next) {
  Blocks seen;
  std::vector<const llvm::BasicBlock*> work{&from};
  while (!work.empty()) {
    const llvm::BasicBlock* at = work.back();
    work.pop_back();
    for (const llvm::BasicBlock* block : next(at))
      if (seen.insert(block).second) work.push_back(block);
  }
  return seen;
}

// The blocks through which a way leads from the exchange back to itself.
Blocks loop_of(const llvm::AtomicCmpXchgInst& exchange) {
  const Blocks behind = reached(*exchange.getParent(), [](const auto* block) { return llvm::successors(block); });
  const Blocks before = reached(*exchange.getParent(), [](const auto* block) { return llvm::predecessors(block); });
  Blocks both;
  for (const llvm::BasicBlock* block : behind)
    if (before.contains(block)) both.insert(block);
  return both;
}

// What the condition is after a failed attempt, if `previous` was passed before `block`.
std::optional<bool> after_failure(const llvm::Value* value, const llvm::AtomicCmpXchgInst& exchange,
                                  const llvm::BasicBlock* previous, const llvm::BasicBlock* block) {
  if (is_part(value, exchange, 1)) return false;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value)) return number->isOne();
  if (const auto* choice = llvm::dyn_cast<llvm::PHINode>(value)) {
    if (choice->getParent() != block || previous == nullptr || choice->getBasicBlockIndex(previous) < 0)
      return std::nullopt;
    return after_failure(choice->getIncomingValueForBlock(previous), exchange, nullptr, nullptr);
  }
  const auto* opposite = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (opposite == nullptr || opposite->getOpcode() != llvm::Instruction::Xor) return std::nullopt;
  const auto* one = llvm::dyn_cast<llvm::ConstantInt>(opposite->getOperand(1));
  if (one == nullptr || !one->isOne()) return std::nullopt;
  const auto inner = after_failure(opposite->getOperand(0), exchange, previous, block);
  return inner ? std::optional(!*inner) : std::nullopt;
}

// Does a failed attempt lead to `next`, and nowhere else?
bool tries_again(const llvm::AtomicCmpXchgInst& exchange, const llvm::BasicBlock& next) {
  const llvm::BasicBlock* previous = nullptr;
  const llvm::BasicBlock* block = exchange.getParent();
  for (int i = 0; i < kMostBlocks; ++i) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (branch == nullptr) return false;
    unsigned way = 0;
    if (branch->isConditional()) {
      const auto condition = after_failure(branch->getCondition(), exchange, previous, block);
      if (!condition) return false;
      way = *condition ? 0 : 1;
    }
    previous = block;
    block = branch->getSuccessor(way);
    if (block == &next) return true;
  }
  return false;
}

}  // namespace

const llvm::LoadInst* load_before_loop(const llvm::AtomicCmpXchgInst& exchange) {
  const auto* compared = llvm::dyn_cast<llvm::PHINode>(exchange.getCompareOperand());
  if (compared == nullptr) return nullptr;
  const Blocks loop = loop_of(exchange);
  if (!loop.contains(compared->getParent())) return nullptr;
  // What the compared value may be.
  const llvm::LoadInst* load = nullptr;
  llvm::SmallPtrSet<const llvm::PHINode*, 4> choices{compared};
  std::vector<const llvm::PHINode*> work{compared};
  while (!work.empty()) {
    const llvm::PHINode* choice = work.back();
    work.pop_back();
    for (const llvm::Value* value : choice->incoming_values()) {
      if (is_part(value, exchange, 0)) continue;
      const auto* other = llvm::dyn_cast<llvm::PHINode>(value);
      if (other != nullptr && loop.contains(other->getParent())) {
        if (choices.insert(other).second) work.push_back(other);
        continue;
      }
      const auto* loaded = llvm::dyn_cast<llvm::LoadInst>(value);
      if (loaded == nullptr || load != nullptr) return nullptr;
      load = loaded;
    }
  }
  if (load == nullptr || !load->isAtomic() || !load->hasOneUse() || loop.contains(load->getParent()) ||
      load->getPointerOperand() != exchange.getPointerOperand())
    return nullptr;
  for (const llvm::BasicBlock* block : loop) {
    for (const llvm::Instruction& at : *block) {
      if (&at == &exchange || llvm::isa<llvm::DbgInfoIntrinsic>(at)) continue;
      if (at.mayWriteToMemory() || at.mayReadFromMemory() || llvm::isa<llvm::CallBase>(at)) return nullptr;
      const auto* choice = llvm::dyn_cast<llvm::PHINode>(&at);
      if (choice != nullptr && !choices.contains(choice) && !decides_inside(*choice, loop)) return nullptr;
    }
  }
  return tries_again(exchange, *compared->getParent()) ? load : nullptr;
}

}  // namespace heddle::elyze
