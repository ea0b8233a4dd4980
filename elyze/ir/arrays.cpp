#include "elyze/ir/arrays.hpp"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace heddle::elyze {
namespace {

constexpr const char* kArrayMark = "elyze.array";

// The size of an array in bytes; 0 for a flexible array member, which older code also writes as `data[1]` or `data[0]`.
std::uint64_t known_size(const llvm::DataLayout& layout, const llvm::ArrayType& array) {
  if (array.getNumElements() <= 1 && !array.getElementType()->isAggregateType()) return 0;
  return layout.getTypeAllocSize(const_cast<llvm::ArrayType*>(&array)).getFixedValue();
}

// The array type that the first step of `gep` goes into, if it indexes an array object: `gep [N x T], p, 0, i`.
const llvm::ArrayType* indexed_array(const llvm::GetElementPtrInst& gep) {
  if (gep.getNumIndices() < 2) return nullptr;
  const auto* first = llvm::dyn_cast<llvm::ConstantInt>(gep.getOperand(1));
  if (first == nullptr || !first->isZero()) return nullptr;
  return llvm::dyn_cast<llvm::ArrayType>(gep.getSourceElementType());
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
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (gep != nullptr && gep->getType()->isPointerTy() && indexed_array(*gep) != nullptr) found.push_back(gep);
    }
  }
  for (llvm::GetElementPtrInst* gep : found) {
    const std::uint64_t size = known_size(module.getDataLayout(), *indexed_array(*gep));
    llvm::IRBuilder<> builder(gep);
    llvm::CallInst* marked = builder.CreateCall(mark, {gep->getPointerOperand(), llvm::ConstantInt::get(bytes, size)});
    gep->setOperand(0, marked);
  }
}

bool is_array_mark(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&value);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->getName() == kArrayMark;
}

}  // namespace heddle::elyze
