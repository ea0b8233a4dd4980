#include "elyze/compare/types.hpp"

#include <algorithm>
#include <string>

namespace heddle::elyze {
namespace {

// The attributes as text, without `dereferenceable` and the like: LLVM derives them from numbers, and no part of the
// analysis reads them.
std::string read_of(const llvm::AttributeSet& attributes) {
  std::string all;
  for (const llvm::Attribute attribute : attributes) {
    const bool derived = attribute.hasAttribute(llvm::Attribute::Dereferenceable) ||
                         attribute.hasAttribute(llvm::Attribute::DereferenceableOrNull);
    if (!derived) all += attribute.getAsString() + " ";
  }
  return all;
}

}  // namespace

bool TypePairs::same(const llvm::Type* before, const llvm::Type* now) {
  // A pair that is being compared counts as the same, so that structures which contain themselves end; any difference
  // shows elsewhere in the pair.
  const auto [place, fresh] = types_.try_emplace({before, now}, true);
  if (!fresh) return place->second;
  const bool found = alike(before, now);
  types_[{before, now}] = found;
  return found;
}

bool TypePairs::alike(const llvm::Type* before, const llvm::Type* now) {
  if (before->getTypeID() != now->getTypeID() || before->isTargetExtTy()) return false;
  if (before->getNumContainedTypes() != now->getNumContainedTypes()) return false;
  if (before->isIntegerTy() && before->getIntegerBitWidth() != now->getIntegerBitWidth()) return false;
  if (before->isPointerTy() && before->getPointerAddressSpace() != now->getPointerAddressSpace()) return false;
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(before)) {
    const auto* other = llvm::cast<llvm::StructType>(now);
    if (structure->isLiteral() != other->isLiteral() || structure->isPacked() != other->isPacked() ||
        structure->isOpaque() != other->isOpaque()) {
      return false;
    }
    if (!structure->isLiteral() && structure->getName() != other->getName()) return false;
  } else if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(before)) {
    if (array->getNumElements() != llvm::cast<llvm::ArrayType>(now)->getNumElements()) return false;
  } else if (const auto* vector = llvm::dyn_cast<llvm::VectorType>(before)) {
    if (vector->getElementCount() != llvm::cast<llvm::VectorType>(now)->getElementCount()) return false;
  } else if (const auto* function = llvm::dyn_cast<llvm::FunctionType>(before)) {
    if (function->isVarArg() != llvm::cast<llvm::FunctionType>(now)->isVarArg()) return false;
  }
  for (unsigned i = 0; i < before->getNumContainedTypes(); ++i) {
    if (!same(before->getContainedType(i), now->getContainedType(i))) return false;
  }
  return true;
}

bool TypePairs::same(const llvm::AttributeList& before, const llvm::AttributeList& now) {
  const auto [place, fresh] = attributes_.try_emplace({before.getRawPointer(), now.getRawPointer()}, false);
  if (!fresh) return place->second;
  const unsigned parameters = std::max(before.getNumAttrSets(), now.getNumAttrSets());
  if (read_of(before.getFnAttrs()) != read_of(now.getFnAttrs())) return false;
  if (read_of(before.getRetAttrs()) != read_of(now.getRetAttrs())) return false;
  for (unsigned i = 0; i < parameters; ++i) {
    if (read_of(before.getParamAttrs(i)) != read_of(now.getParamAttrs(i))) return false;
  }
  attributes_[{before.getRawPointer(), now.getRawPointer()}] = true;
  return true;
}

}  // namespace heddle::elyze
