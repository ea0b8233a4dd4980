#include "elyze/ir/addresses.hpp"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Operator.h>

#include "elyze/ir/arrays.hpp"

namespace heddle::elyze {

Address address_of(const llvm::Value* pointer, const llvm::DataLayout& layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(base)) {
    return {address_of(step->getPointerOperand(), layout).base, std::nullopt};
  }
  if (is_array_mark(*base)) {
    const Address array = address_of(llvm::cast<llvm::CallBase>(base)->getArgOperand(0), layout);
    if (!array.offset) return array;
    return {array.base, *array.offset + offset.getSExtValue()};
  }
  return {base, offset.getSExtValue()};
}

}  // namespace heddle::elyze
