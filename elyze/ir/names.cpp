#include "elyze/ir/names.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::elyze {

std::string relative_file(const llvm::DIFile* file) {
  if (file == nullptr) return "?";
  std::string name = file->getFilename().str();
  const std::string directory = file->getDirectory().str() + "/";
  if (directory.size() > 1 && name.starts_with(directory)) name = name.substr(directory.size());
  if (name.starts_with("./")) name = name.substr(2);
  return name;
}

std::string source_name(const llvm::Function& function) {
  if (const llvm::DISubprogram* program = function.getSubprogram()) {
    const llvm::StringRef linkage = program->getLinkageName();
    return (linkage.empty() ? program->getName() : linkage).str();
  }
  llvm::StringRef name = function.getName();
  name.consume_front(kCallerOf);
  return name.str();
}

bool only_calls_a_library(const llvm::Function& function) { return function.getName().starts_with(kCallerOf); }

SourcePlace place_of(const llvm::Function& function) {
  const llvm::DISubprogram* program = function.getSubprogram();
  if (program == nullptr) return {"?", 0};
  return {relative_file(program->getFile()), program->getLine()};
}

SourcePlace place_of(const llvm::DIType& type) {
  const llvm::DIType* bare = strip_qualifiers(&type);
  if (bare == nullptr || bare->getFile() == nullptr) return {};
  return {relative_file(bare->getFile()), bare->getLine()};
}

SourcePlace place_of(const llvm::Instruction& instruction) {
  for (const llvm::Instruction* at = &instruction; at != nullptr; at = at->getPrevNode()) {
    const llvm::DebugLoc& where = at->getDebugLoc();
    if (where && where.getLine() != 0) {
      const auto* scope = llvm::cast<llvm::DIScope>(where.getScope());
      return {relative_file(scope->getFile()), where.getLine()};
    }
  }
  return place_of(*instruction.getFunction());
}

// The compiler throws the names of values away, unless it was itself built for debugging.
std::string local_name(const llvm::AllocaInst& local) {
  auto* const value = const_cast<llvm::AllocaInst*>(&local);
  for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(value))
    if (!record->getVariable()->getName().empty()) return "local " + record->getVariable()->getName().str();
  for (const llvm::DbgDeclareInst* record : llvm::findDbgDeclares(value))
    if (!record->getVariable()->getName().empty()) return "local " + record->getVariable()->getName().str();
  if (local.hasName()) return "local " + local.getName().str();
  return "local variable of " + source_name(*local.getFunction());
}

GlobalName source_name(const llvm::GlobalVariable& global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> debug;
  global.getDebugInfo(debug);
  GlobalName result{global.getName().str(), nullptr, {"?", 0}};
  if (debug.empty()) return result;
  const llvm::DIGlobalVariable* variable = debug.front()->getVariable();
  result.name = variable->getName().str();
  if (const auto* function = llvm::dyn_cast_or_null<llvm::DILocalScope>(variable->getScope())) {
    result.name = function->getSubprogram()->getName().str() + "." + result.name;
  }
  if (result.name.empty()) result.name = global.getName().str();
  result.type = variable->getType();
  result.place = {relative_file(variable->getFile()), variable->getLine()};
  return result;
}

const llvm::DIType* strip_qualifiers(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_typedef:
      case llvm::dwarf::DW_TAG_const_type:
      case llvm::dwarf::DW_TAG_volatile_type:
      case llvm::dwarf::DW_TAG_restrict_type:
      case llvm::dwarf::DW_TAG_atomic_type:
        type = derived->getBaseType();
        break;
      default:
        return type;
    }
  }
  return type;
}

const llvm::DIType* pointee(const llvm::DIType* type) {
  const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(strip_qualifiers(type));
  if (derived == nullptr || derived->getTag() != llvm::dwarf::DW_TAG_pointer_type) return nullptr;
  // The typedef is kept: it names an anonymous structure.
  return derived->getBaseType();
}

bool is_structure(const llvm::DIType* type) {
  const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(strip_qualifiers(type));
  return composite != nullptr && composite->getTag() != llvm::dwarf::DW_TAG_array_type &&
         composite->getTag() != llvm::dwarf::DW_TAG_enumeration_type;
}

std::string structure_name(const llvm::DIType* type) {
  if (!is_structure(type)) return "";
  const llvm::DIType* bare = strip_qualifiers(type);
  if (!bare->getName().empty()) return bare->getName().str();
  for (const llvm::DIType* at = type; at != bare && at != nullptr;) {
    if (!at->getName().empty()) return at->getName().str();
    at = llvm::cast<llvm::DIDerivedType>(at)->getBaseType();
  }
  return "";
}

std::int64_t byte_size(const llvm::DIType* type) {
  const llvm::DIType* bare = strip_qualifiers(type);
  return bare == nullptr ? 0 : static_cast<std::int64_t>(bare->getSizeInBits() / 8);
}

// All of a union is none of its members: pthread_mutex_t, not its first variant.
static bool is_whole_union(const llvm::DICompositeType& type, std::int64_t offset, std::int64_t size) {
  return type.getTag() == llvm::dwarf::DW_TAG_union_type && offset == 0 && size == byte_size(&type);
}

std::string field_path(const llvm::DIType* type, std::int64_t offset, std::int64_t size) {
  const llvm::DIType* bare = strip_qualifiers(type);
  const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(bare);
  if (composite == nullptr) return "";
  if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
    const llvm::DIType* element = composite->getBaseType();
    const std::int64_t stride = byte_size(element);
    if (!is_structure(element) || stride <= 0) return "";
    const std::string inner = field_path(element, offset % stride, size);
    return inner.empty() ? "" : "[]." + inner;
  }
  if (is_whole_union(*composite, offset, size)) return "";
  for (const llvm::DINode* node : composite->getElements()) {
    const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (member == nullptr || member->getTag() != llvm::dwarf::DW_TAG_member) continue;
    const auto start = static_cast<std::int64_t>(member->getOffsetInBits() / 8);
    const auto bytes = static_cast<std::int64_t>((member->getSizeInBits() + 7) / 8);
    const bool flexible = bytes == 0 && offset >= start;
    if (offset < start || (!flexible && offset + size > start + bytes)) continue;
    std::string inner = field_path(member->getBaseType(), offset - start, size);
    std::string name = member->getName().str();
    if (name.empty()) return inner;
    if (!inner.empty()) name.append(inner.starts_with("[") ? "" : ".").append(inner);
    return name;
  }
  return "";
}

Member member_at(const llvm::DIType* type, std::int64_t offset, std::int64_t size) {
  Member found;
  for (;;) {
    const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(strip_qualifiers(type));
    if (composite == nullptr) return found;
    if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
      type = composite->getBaseType();
      const std::int64_t stride = byte_size(type);
      if (!is_structure(type) || stride <= 0) return found;
      offset %= stride;
      continue;
    }
    if (is_whole_union(*composite, offset, size)) return found;
    const llvm::DIDerivedType* inside = nullptr;
    for (const llvm::DINode* node : composite->getElements()) {
      const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
      if (member == nullptr || member->getTag() != llvm::dwarf::DW_TAG_member) continue;
      const auto start = static_cast<std::int64_t>(member->getOffsetInBits() / 8);
      const auto end = static_cast<std::int64_t>((member->getOffsetInBits() + member->getSizeInBits() + 7) / 8);
      if (start <= offset && offset + size <= end) inside = member;
      if (inside != nullptr) break;
    }
    if (inside == nullptr) return found;
    offset -= static_cast<std::int64_t>(inside->getOffsetInBits() / 8);
    type = inside->getBaseType();
    found = {type, {relative_file(inside->getFile()), inside->getLine()}};
  }
}

}  // namespace heddle::elyze
