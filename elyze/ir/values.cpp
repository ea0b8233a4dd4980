#include "elyze/ir/values.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace heddle::elyze {
namespace {

bool holds_addresses(const llvm::Constant& value) {
  if (llvm::isa<llvm::GlobalValue>(value)) return true;
  if (llvm::isa<llvm::BlockAddress>(value)) return false;  // a label
  return std::any_of(value.op_begin(), value.op_end(), [](const llvm::Use& operand) {
    return holds_addresses(*llvm::cast<llvm::Constant>(operand.get()));
  });
}

}  // namespace

bool carries(const llvm::Type* type) {
  if (type->isPointerTy() || type->isIntegerTy(32) || type->isIntegerTy(64)) return true;
  if (type->isIntegerTy() && type->getIntegerBitWidth() > 64) return true;
  if (type->isVectorTy()) return carries(type->getScalarType());
  if (type->isStructTy() || type->isArrayTy()) {
    return std::any_of(type->subtype_begin(), type->subtype_end(),
                       [](const llvm::Type* part) { return carries(part); });
  }
  return false;
}

bool is_fixed_address(const llvm::Constant& address) {
  constexpr std::uint64_t kPage = 4096;  // Linux maps nothing into the first one, and user memory ends before the last
  const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(&address);
  if (cast == nullptr || cast->getOpcode() != llvm::Instruction::IntToPtr) return false;
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(cast->getOperand(0));
  if (number == nullptr) return false;
  const std::uint64_t at = number->getValue().zextOrTrunc(64).getZExtValue();
  return at >= kPage && at < ~kPage + 1;
}

bool returns_by_address(const llvm::CallBase& call) {
  return !call.arg_empty() && call.paramHasAttr(0, llvm::Attribute::StructRet);
}

const llvm::Value* argument(const llvm::CallBase& call, int index) {
  if (index >= 0 && returns_by_address(call)) ++index;
  return index >= 0 && static_cast<unsigned>(index) < call.arg_size() ? call.getArgOperand(static_cast<unsigned>(index))
                                                                      : nullptr;
}

namespace {

// Does the text have a conversion with this letter, behind flags, widths and sizes?
bool has_conversion(const llvm::GlobalVariable& text, const char* letter) {
  const auto* data = text.hasInitializer() ? llvm::dyn_cast<llvm::ConstantDataArray>(text.getInitializer()) : nullptr;
  if (data == nullptr || !data->isString()) return false;
  llvm::StringRef rest = data->getAsString();
  for (auto at = rest.find('%'); at != llvm::StringRef::npos; at = rest.find('%')) {
    rest = rest.substr(at + 1).ltrim("0123456789.*-+ #'$hlqjztLI");
    if (rest.consume_front(letter)) return true;
    rest = rest.drop_front(rest.starts_with("%") ? 1 : 0);
  }
  return false;
}

}  // namespace

bool is_taken(const llvm::Function& function) {
  return function.hasAddressTaken(nullptr, true) &&
         std::any_of(function.use_begin(), function.use_end(), [](const llvm::Use& use) {
           const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
           return !llvm::isa<llvm::Function>(use.getUser()) && (call == nullptr || !call->isCallee(&use));
         });
}

bool has_write_conversion(const llvm::GlobalVariable& text) { return has_conversion(text, "n"); }

bool has_block_conversion(const llvm::GlobalVariable& text) { return has_conversion(text, "m"); }

bool has_no_identity(const llvm::GlobalVariable& variable) {
  return variable.isConstant() && variable.hasInitializer() && !variable.isInterposable() &&
         !holds_addresses(*variable.getInitializer());
}

}  // namespace heddle::elyze
