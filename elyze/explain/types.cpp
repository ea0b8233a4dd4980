#include "elyze/explain/types.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include "elyze/ir/names.hpp"
#include "schemas/documents.hpp"

namespace heddle::elyze {

std::string type_text(const llvm::DIType* type) {
  if (type == nullptr) return "void";
  if (const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
    if (derived->getTag() == llvm::dwarf::DW_TAG_typedef) return derived->getName().str();
    std::string inner = type_text(derived->getBaseType());
    if (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type) inner += inner.ends_with("*") ? "*" : " *";
    return inner;
  }
  const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type);
  if (composite == nullptr) return llvm::isa<llvm::DISubroutineType>(type) ? "function" : type->getName().str();
  if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
    const std::int64_t stride = byte_size(composite->getBaseType());
    const std::string count = stride > 0 ? std::to_string(byte_size(composite) / stride) : "";
    return type_text(composite->getBaseType()) + "[" + count + "]";
  }
  const bool choice = composite->getTag() == llvm::dwarf::DW_TAG_enumeration_type;
  const std::string name = composite->getName().str();
  return std::string(choice ? "enum" : "struct") + (name.empty() ? "" : " " + name);
}

std::string type_kind(const llvm::DIType* type) {
  namespace value_kind = schemas::value_kind;
  const llvm::DIType* bare = strip_qualifiers(type);
  if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(bare)) {
    return std::string(basic->getEncoding() == llvm::dwarf::DW_ATE_float ? value_kind::kFloat : value_kind::kInteger);
  }
  if (llvm::isa<llvm::DIDerivedType>(bare)) return std::string(value_kind::kPointer);
  if (is_structure(bare)) return std::string(value_kind::kStructure);
  const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(bare);
  return std::string(composite != nullptr && composite->getTag() == llvm::dwarf::DW_TAG_array_type
                         ? value_kind::kArray
                         : value_kind::kInteger);
}

}  // namespace heddle::elyze
