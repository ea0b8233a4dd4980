#include "elyze/plugin/cold.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ProfDataUtils.h>

#include <algorithm>
#include <vector>

namespace heddle::late {
namespace {

constexpr std::uint64_t kRare = 8;  // a side is rare if the profile's weights say: at most one time in so many

bool never_returns_or_is_cold(const llvm::BasicBlock& block) {
  if (llvm::isa<llvm::UnreachableInst>(block.getTerminator())) return true;
  return std::any_of(block.begin(), block.end(), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call != nullptr && (call->hasFnAttr(llvm::Attribute::Cold) || call->doesNotReturn());
  });
}

// Does the block store a negative number in a local variable and go straight to the block that returns?
bool returns_failure(const llvm::BasicBlock& block) {
  const llvm::BasicBlock* next = block.getSingleSuccessor();
  if (next == nullptr || !llvm::isa<llvm::ReturnInst>(next->getTerminator())) return false;
  return std::any_of(block.begin(), block.end(), [](const llvm::Instruction& instruction) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (store == nullptr || !llvm::isa<llvm::AllocaInst>(store->getPointerOperand())) return false;
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
    return number != nullptr && number->getBitWidth() > 8 && number->isNegative();
  });
}

bool returns(const llvm::BasicBlock& block) { return llvm::isa<llvm::ReturnInst>(block.getTerminator()); }

}  // namespace

ColdPaths::ColdPaths(llvm::Function& function, bool everywhere)
    : everywhere_(everywhere), dominators_(function), loops_(dominators_) {
  find_common(function);
}

void ColdPaths::find_common(llvm::Function& function) {
  const auto walk = [&](Blocks& seen, bool all) {
    std::vector<const llvm::BasicBlock*> work{&function.getEntryBlock()};
    seen.insert(work.back());
    while (!work.empty()) {
      const llvm::Instruction& end = *work.back()->getTerminator();
      work.pop_back();
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&end);
      const int rare = all || branch == nullptr ? -1 : rare_side(*branch);
      for (unsigned i = 0; i < end.getNumSuccessors(); ++i)
        if (static_cast<int>(i) != rare && seen.insert(end.getSuccessor(i)).second) work.push_back(end.getSuccessor(i));
    }
  };
  walk(reachable_, true);
  walk(common_, false);
}

int ColdPaths::rare_side(const llvm::BranchInst& branch) const {
  if (!branch.isConditional() || branch.getSuccessor(0) == branch.getSuccessor(1)) return -1;
  if (everywhere_) return 0;
  std::uint64_t taken = 0;
  std::uint64_t other = 0;
  if (llvm::extractBranchWeights(branch, taken, other)) {
    if (taken <= (taken + other) / kRare) return 0;
    return other <= (taken + other) / kRare ? 1 : -1;
  }
  const bool dead[] = {never_returns_or_is_cold(*branch.getSuccessor(0)),
                       never_returns_or_is_cold(*branch.getSuccessor(1))};
  if (dead[0] != dead[1]) return dead[0] ? 0 : 1;
  const bool failed[] = {returns_failure(*branch.getSuccessor(0)), returns_failure(*branch.getSuccessor(1))};
  if (failed[0] != failed[1]) return failed[0] ? 0 : 1;
  const int failing = failing_side(branch);
  if (failing >= 0 && !ends_loop(*branch.getParent(), *branch.getSuccessor(static_cast<unsigned>(failing))))
    return failing;
  const int guard = false_side(branch);
  if (guard < 0) return -1;
  const llvm::BasicBlock& to = *branch.getSuccessor(static_cast<unsigned>(guard));
  return leaves_at_once(to, *branch.getSuccessor(static_cast<unsigned>(1 - guard))) ? guard : -1;
}

// The side on which a pointer is null or equals another one, or a number is negative; -1 for any other test.
int ColdPaths::failing_side(const llvm::BranchInst& branch) const {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch.getCondition());
  if (compare == nullptr) return -1;
  using llvm::CmpInst;
  const CmpInst::Predicate predicate = compare->getPredicate();
  if (compare->getOperand(0)->getType()->isPointerTy())
    return predicate == CmpInst::ICMP_EQ ? 0 : predicate == CmpInst::ICMP_NE ? 1 : -1;
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1));
  if (number == nullptr) return -1;
  const llvm::APInt& value = number->getValue();
  switch (predicate) {
    case CmpInst::ICMP_EQ:
      return value.isNegative() && value.getBitWidth() > 1 ? 0 : -1;
    case CmpInst::ICMP_NE:
      return value.isNegative() && value.getBitWidth() > 1 ? 1 : -1;
    case CmpInst::ICMP_SLT:
      return value.isZero() ? 0 : -1;
    case CmpInst::ICMP_SLE:
      return value.isAllOnes() ? 0 : -1;
    case CmpInst::ICMP_SGE:
      return value.isZero() ? 1 : -1;
    case CmpInst::ICMP_SGT:
      return value.isAllOnes() ? 1 : -1;
    default:
      return -1;
  }
}

// The side on which a condition is false or a number is 0; -1 for any other test.
int ColdPaths::false_side(const llvm::BranchInst& branch) const {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch.getCondition());
  if (compare == nullptr) return llvm::isa<llvm::TruncInst, llvm::CallInst>(branch.getCondition()) ? 1 : -1;
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1));
  if (number == nullptr || !number->isZero() || !compare->isEquality()) return -1;
  return compare->getPredicate() == llvm::CmpInst::ICMP_EQ ? 0 : 1;
}

std::size_t ColdPaths::size_behind(const llvm::BasicBlock& block) const {
  std::size_t size = 0;
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks;
  dominators_.getDescendants(const_cast<llvm::BasicBlock*>(&block), blocks);
  for (const llvm::BasicBlock* each : blocks) size += each->size();
  return size;
}

// A guard clause: every path from `block` returns, and the code that it dominates is at most half as large as the code
// that `other` dominates.
bool ColdPaths::leaves_at_once(const llvm::BasicBlock& block, const llvm::BasicBlock& other) const {
  if (returns(block) || returns(other)) return false;
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks;
  dominators_.getDescendants(const_cast<llvm::BasicBlock*>(&block), blocks);
  for (const llvm::BasicBlock* inside : blocks) {
    for (const llvm::BasicBlock* next : llvm::successors(inside)) {
      if (dominators_.dominates(&block, next) && next != &block) continue;
      if (!returns(*next)) return false;
    }
  }
  return 2 * size_behind(block) <= size_behind(other);
}

// Is the edge the only exit of a loop? Every run of the loop ends there, so the edge is not rare.
bool ColdPaths::ends_loop(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
  const llvm::Loop* loop = loops_.getLoopFor(&from);
  if (loop == nullptr || loop->contains(&to)) return false;
  llvm::SmallVector<llvm::Loop::Edge, 4> exits;
  loop->getExitEdges(exits);
  return exits.size() == 1;
}

bool ColdPaths::in_loop(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
  const llvm::Loop* loop = loops_.getLoopFor(&from);
  return loop != nullptr && loop->contains(&to);
}

}  // namespace heddle::late
