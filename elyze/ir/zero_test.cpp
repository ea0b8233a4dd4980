#include "elyze/ir/zero_test.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "elyze/ir/addresses.hpp"

namespace heddle::elyze {
namespace {

// Evaluates a condition under the assumption that the variable it is loaded from is zero, and sets `source` to that
// variable.
std::optional<std::uint64_t> when_zero(const llvm::Value* value, Address& source, const llvm::DataLayout& layout,
                                       int depth = 0) {
  constexpr int kSteps = 6;
  constexpr unsigned kWidest = 64;
  const unsigned bits = value->getType()->isPointerTy() ? kWidest : value->getType()->getScalarSizeInBits();
  if (depth > kSteps || bits == 0 || bits > kWidest) return std::nullopt;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value)) return number->getZExtValue();
  if (llvm::isa<llvm::ConstantPointerNull>(value)) return 0;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
    source = address_of(load->getPointerOperand(), layout);
    if (!llvm::isa<llvm::GlobalVariable>(source.base) || !source.offset) return std::nullopt;
    return 0;
  }
  if (!llvm::isa<llvm::CastInst, llvm::BinaryOperator, llvm::ICmpInst>(value)) return std::nullopt;
  const auto* instruction = llvm::cast<llvm::Instruction>(value);
  const auto first = when_zero(instruction->getOperand(0), source, layout, depth + 1);
  if (!first) return std::nullopt;
  if (llvm::isa<llvm::TruncInst, llvm::ZExtInst>(instruction))
    return bits == kWidest ? *first : *first & ((std::uint64_t{1} << bits) - 1);
  if (instruction->getNumOperands() != 2) return std::nullopt;
  const auto second = when_zero(instruction->getOperand(1), source, layout, depth + 1);
  if (!second) return std::nullopt;
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(instruction)) {
    if (!compare->isEquality()) return std::nullopt;
    return (*first == *second) == (compare->getPredicate() == llvm::ICmpInst::ICMP_EQ) ? 1 : 0;
  }
  switch (instruction->getOpcode()) {
    case llvm::Instruction::And:
      return *first & *second;
    case llvm::Instruction::Or:
      return *first | *second;
    case llvm::Instruction::Xor:
      return *first ^ *second;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<ZeroTest> zero_test(const llvm::BranchInst& branch) {
  if (!branch.isConditional()) return std::nullopt;
  Address source;
  const auto taken = when_zero(branch.getCondition(), source, branch.getModule()->getDataLayout());
  if (!taken || source.base == nullptr) return std::nullopt;
  return ZeroTest{llvm::cast<llvm::GlobalVariable>(source.base), *source.offset, *taken != 0};
}

}  // namespace heddle::elyze
