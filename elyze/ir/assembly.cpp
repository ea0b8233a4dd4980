#include "elyze/ir/assembly.hpp"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace heddle::elyze {
namespace {

bool may_carry(const llvm::Type* type) {
  if (type == nullptr || type->isPointerTy() || type->isAggregateType() || type->isVectorTy()) return true;
  return type->isIntegerTy() && (type->getIntegerBitWidth() == 32 || type->getIntegerBitWidth() >= 64);
}

}  // namespace

std::optional<std::vector<AssemblyOperand>> assembly_operands(const llvm::CallBase& call) {
  const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  const llvm::InlineAsm::ConstraintInfoVector constraints = assembly->ParseConstraints();
  if (constraints.empty() && !assembly->getConstraintString().empty()) return std::nullopt;
  const bool nothing = assembly->getAsmString().empty();
  const llvm::DataLayout& layout = call.getModule()->getDataLayout();
  std::vector<AssemblyOperand> operands;
  unsigned next = 0;
  for (const llvm::InlineAsm::ConstraintInfo& constraint : constraints) {
    if (constraint.Type == llvm::InlineAsm::isClobber) {
      const bool memory =
          std::find(constraint.Codes.begin(), constraint.Codes.end(), "{memory}") != constraint.Codes.end();
      if (memory && !nothing) return std::nullopt;
      continue;
    }
    if (!constraint.hasArg()) continue;
    if (next >= call.arg_size()) return std::nullopt;
    const unsigned index = next++;
    const llvm::Value* value = call.getArgOperand(index);
    if (!constraint.isIndirect) {
      operands.push_back({value, false, false, 0, may_carry(value->getType())});
      continue;
    }
    llvm::Type* type = call.getParamElementType(index);
    const auto bytes = type == nullptr || !type->isSized() ? 0 : layout.getTypeStoreSize(type).getKnownMinValue();
    operands.push_back(
        {value, true, constraint.Type == llvm::InlineAsm::isOutput, static_cast<std::int64_t>(bytes), may_carry(type)});
  }
  if (next != call.arg_size()) return std::nullopt;
  return operands;
}

}  // namespace heddle::elyze
