#include "elyze/ir/arrays.hpp"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <vector>

namespace heddle::elyze {
namespace {

constexpr const char* kArrayMark = "elyze.array";

// The size of an array in bytes; 0 for a flexible array member, which older code also writes as `data[1]` or `data[0]`.
// One structure is an array of its own (jmp_buf, va_list), unless it is the last member of another one.
std::uint64_t known_size(const llvm::DataLayout& layout, const llvm::ArrayType& array, bool last) {
  if (array.getNumElements() <= 1 && (last || !array.getElementType()->isAggregateType())) return 0;
  return layout.getTypeAllocSize(const_cast<llvm::ArrayType*>(&array)).getFixedValue();
}

// The array type that the first step of `gep` goes into, if it indexes an array object: `gep [N x T], p, 0, i`.
const llvm::ArrayType* indexed_array(const llvm::GetElementPtrInst& gep) {
  if (gep.getNumIndices() < 2) return nullptr;
  const auto* first = llvm::dyn_cast<llvm::ConstantInt>(gep.getOperand(1));
  if (first == nullptr || !first->isZero()) return nullptr;
  return llvm::dyn_cast<llvm::ArrayType>(gep.getSourceElementType());
}

// Does the pointer lead to the last member of a structure?
bool leads_to_last_member(const llvm::Value& pointer) {
  const auto* step = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  if (step == nullptr || step->getNumIndices() < 2) return false;
  std::vector<llvm::Value*> before(step->idx_begin(), std::prev(step->idx_end()));
  const auto* holder = llvm::dyn_cast_or_null<llvm::StructType>(
      llvm::GetElementPtrInst::getIndexedType(step->getSourceElementType(), before));
  const auto* member = llvm::dyn_cast<llvm::ConstantInt>(std::prev(step->idx_end())->get());
  return holder != nullptr && member != nullptr && member->getZExtValue() + 1 == holder->getNumElements();
}

// The type of the array member of a variable that the constant is the address of. Where the member is the first one,
// its address is the variable's, and nothing shows that it is meant.
const llvm::ArrayType* constant_array(const llvm::Value& value) {
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&value);
  const auto* gep = expression == nullptr ? nullptr : llvm::dyn_cast<llvm::GEPOperator>(expression);
  return gep == nullptr ? nullptr : llvm::dyn_cast<llvm::ArrayType>(gep->getResultElementType());
}

}  // namespace

void mark_arrays(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::getUnqual(context);
  llvm::Type* bytes = llvm::Type::getInt64Ty(context);
  llvm::FunctionCallee mark =
      module.getOrInsertFunction(kArrayMark, llvm::FunctionType::get(pointer, {pointer, bytes}, false));
  auto* declaration = llvm::cast<llvm::Function>(mark.getCallee());
  declaration->setMemoryEffects(llvm::MemoryEffects::none());
  declaration->setDoesNotThrow();
  declaration->setWillReturn();
  declaration->addFnAttr(llvm::Attribute::Speculatable);

  std::vector<llvm::GetElementPtrInst*> found;
  std::vector<llvm::Use*> constants;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (gep != nullptr && gep->getType()->isPointerTy() && indexed_array(*gep) != nullptr) {
        found.push_back(gep);
        continue;
      }
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call != nullptr && (call->isInlineAsm() || llvm::isa<llvm::DbgInfoIntrinsic>(call))) continue;
      if (llvm::isa<llvm::PHINode>(instruction)) continue;
      for (llvm::Use& operand : instruction.operands())
        if (constant_array(*operand.get()) != nullptr) constants.push_back(&operand);
    }
  }
  const auto marked = [&](llvm::Instruction& before, llvm::Value* array, const llvm::ArrayType& type) {
    const std::uint64_t size = known_size(module.getDataLayout(), type, leads_to_last_member(*array));
    return llvm::IRBuilder<>(&before).CreateCall(mark, {array, llvm::ConstantInt::get(bytes, size)});
  };
  for (llvm::GetElementPtrInst* gep : found)
    gep->setOperand(0, marked(*gep, gep->getPointerOperand(), *indexed_array(*gep)));
  for (llvm::Use* use : constants) {
    auto* user = llvm::cast<llvm::Instruction>(use->getUser());
    use->set(marked(*user, use->get(), *constant_array(*use->get())));
  }
}

bool is_array_mark(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&value);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->getName() == kArrayMark;
}

}  // namespace heddle::elyze
