#include "elyze/marks/casts.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <set>
#include <unordered_map>

#include "elyze/ir/addresses.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/marks/views.hpp"

namespace heddle::elyze {
namespace {

// The value names the types that the function is cast to; without one, to any.
constexpr const char* kCastMark = "elyze-cast";
constexpr char kBetween = ';';
constexpr const char* kAnyType = "";
constexpr int kDeepestType = 8;  // steps from a value, or within a type, until the type is taken to be unknown

// A text that is the same for types that a caller can't tell apart. Structures are compared by name.
std::string key_of(const llvm::DIType* type, int depth = 0) {
  const llvm::DIType* bare = strip_qualifiers(type);
  if (bare == nullptr) return "void";
  if (llvm::isa<llvm::DISubroutineType>(bare)) return "function";
  if (is_structure(type)) return structure_name(type);
  const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(bare);
  if (derived != nullptr && derived->getTag() == llvm::dwarf::DW_TAG_pointer_type && depth < kDeepestType)
    return "*" + key_of(derived->getBaseType(), depth + 1);
  return std::to_string(byte_size(bare));
}

std::string key_of(const llvm::DISubroutineType& type) {
  std::string key;
  for (const llvm::DIType* part : type.getTypeArray()) key += key_of(part) + ",";
  return key;
}

// The key of a function pointer's type; empty for any other type.
std::string function_key(const llvm::DIType* type) {
  const auto* function = llvm::dyn_cast_or_null<llvm::DISubroutineType>(strip_qualifiers(pointee(type)));
  return function == nullptr ? "" : key_of(*function);
}

bool fits_key(const Signature::Type& expected, llvm::StringRef part) {
  using Kind = Signature::Type::Kind;
  unsigned bytes = 0;
  const bool number = !part.getAsInteger(10, bytes);
  if (expected.kind == Kind::kVoid) return part == "void";
  if (expected.kind == Kind::kNumber) return number && (expected.bits == 0 || bytes == (expected.bits + 7) / 8);
  if (number) return bytes == sizeof(void*);  // a reference of C++
  if (!part.consume_front("*")) return false;
  const bool named =
      !part.empty() && !part.starts_with("*") && part != "void" && part != "function" && part.getAsInteger(10, bytes);
  return !named || expected.structure.empty() || part == expected.structure;
}

// Does the type of a callback fit a function type of this key? Where the key cannot be taken apart, yes.
bool fits_key(const Signature& type, llvm::StringRef key) {
  if (key.contains('<')) return true;  // names of templates have commas in them
  llvm::SmallVector<llvm::StringRef> parts;
  key.split(parts, ',');
  if (parts.size() != type.parameters.size() + 2) return false;  // there is a comma behind the last
  if (!fits_key(type.result, parts[0])) return false;
  for (std::size_t i = 0; i < type.parameters.size(); ++i)
    if (!fits_key(type.parameters[i], parts[i + 1])) return false;
  return true;
}

std::string own_key(const llvm::Function& function) {
  const llvm::DISubprogram* program = function.getSubprogram();
  return program == nullptr || program->getType() == nullptr ? "" : key_of(*program->getType());
}

// The declared type of the result (index 0) or of a parameter (from index 1 on). Null where the parameters of the
// function do not correspond to the declared ones, as when a structure is passed by value.
const llvm::DIType* part_of(const llvm::Function& function, unsigned index) {
  const llvm::DISubprogram* program = function.getSubprogram();
  if (program == nullptr || program->getType() == nullptr) return nullptr;
  const llvm::DITypeRefArray types = program->getType()->getTypeArray();
  return index < types.size() && types.size() == function.arg_size() + 1 ? types[index] : nullptr;
}

struct Place {
  const llvm::DIType* type = nullptr;
  std::int64_t offset = 0;
};

// The member that holds these bytes; null where there is none.
const llvm::DIDerivedType* member_around(const llvm::DICompositeType& structure, std::int64_t offset,
                                         std::int64_t bytes) {
  for (const llvm::DINode* node : structure.getElements()) {
    const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (member == nullptr || member->isStaticMember()) continue;
    const auto start = static_cast<std::int64_t>(member->getOffsetInBits() / 8);
    const auto end = start + static_cast<std::int64_t>(member->getSizeInBits() / 8);
    if (start <= offset && offset + bytes <= end) return member;
  }
  return nullptr;
}

// The structure of that size which begins there; null if none does.
const llvm::DIType* structure_at(Place place, std::int64_t bytes) {
  for (int depth = 0; depth < kDeepestType; ++depth) {
    const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(strip_qualifiers(place.type));
    if (composite == nullptr) return nullptr;
    if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
      const std::int64_t stride = byte_size(composite->getBaseType());
      if (stride <= 0) return nullptr;
      place = {composite->getBaseType(), place.offset % stride};
      continue;
    }
    if (place.offset == 0 && byte_size(composite) == bytes) return place.type;
    const llvm::DIDerivedType* inside = member_around(*composite, place.offset, bytes);
    if (inside == nullptr) return nullptr;
    place = {inside->getBaseType(), place.offset - static_cast<std::int64_t>(inside->getOffsetInBits() / 8)};
  }
  return nullptr;
}

// The type of the pointer-sized member that stands there; null where there is none, and in unions.
const llvm::DIType* leaf(Place place) {
  for (int depth = 0; depth < kDeepestType; ++depth) {
    const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(strip_qualifiers(place.type));
    if (composite == nullptr) return place.offset == 0 ? place.type : nullptr;
    if (composite->getTag() == llvm::dwarf::DW_TAG_union_type) return nullptr;
    if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
      const std::int64_t stride = byte_size(composite->getBaseType());
      if (stride <= 0) return nullptr;
      place = {composite->getBaseType(), place.offset % stride};
      continue;
    }
    const llvm::DIDerivedType* inside = member_around(*composite, place.offset, kPointerBytes);
    if (inside == nullptr) return nullptr;
    place = {inside->getBaseType(), place.offset - static_cast<std::int64_t>(inside->getOffsetInBits() / 8)};
  }
  return nullptr;
}

class CastFinder {
 public:
  CastFinder(const Modules& modules, const Specs& specs)
      : modules_(modules), specs_(specs), layout_(modules.front()->getDataLayout()) {
    llvm::DebugInfoFinder types;
    for (const auto& module : modules) types.processModule(*module);
    for (llvm::DIType* type : types.types()) {
      if (is_structure(type) && !type->isForwardDecl()) structures_.try_emplace(structure_name(type), type);
    }
    for (const auto& module : modules) {
      for (const llvm::GlobalValue& value : module->global_values()) {
        if (value.isDeclaration() || value.hasLocalLinkage()) continue;
        const llvm::GlobalValue*& known = definitions_[value.getName()];
        if (known == nullptr || strength(value) > strength(*known)) known = &value;
      }
      for (llvm::Function& function : *module) {
        for (llvm::Instruction& instruction : llvm::instructions(function)) note_variables(instruction);
      }
    }
  }

  void run() {
    for (const auto& module : modules_) {
      for (const llvm::GlobalVariable& variable : module->globals()) {
        // Virtual functions are called by their declared types, so the tables that hold them cast nothing.
        if (variable.hasInitializer() && !variable.getName().starts_with("_ZTV"))
          initialise(*variable.getInitializer(), {source_name(variable).type, 0});
      }
      for (const llvm::Function& function : *module) {
        for (const llvm::Instruction& instruction : llvm::instructions(function)) {
          visit(instruction);
          view(instruction);
        }
      }
    }
    for (const auto& [one, other] : views_.pairs()) {
      compare_members(one, one, other, 0);
      compare_members(other, other, one, 0);
    }
    for (const auto& module : modules_) {
      for (llvm::Function& function : *module) {
        const llvm::Function& meant = *defined(&function);
        const std::set<std::string> types = called_as(meant);
        if (types.empty()) continue;
        std::string all;
        for (const std::string& type : types) all += type + kBetween;
        function.addFnAttr(kCastMark, types.contains(kAnyType) ? "" : all);
      }
    }
  }

 private:
  // The types that the function may be called by, beside its own. A pointer of one type that goes to a place of another
  // takes along whatever was cast to the first.
  std::set<std::string> called_as(const llvm::Function& function) const {
    const std::string own = own_key(function);
    if (own.empty()) return {kAnyType};
    std::set<std::string> found;
    std::vector<std::string> work;
    const auto add = [&](const std::set<std::string>& types) {
      for (const std::string& type : types)
        if (found.insert(type).second) work.push_back(type);
    };
    if (const auto here = casts_.find(&function); here != casts_.end()) add(here->second);
    for (work.push_back(own); !work.empty();) {
      const auto next = type_casts_.find(work.back());
      work.pop_back();
      if (next != type_casts_.end()) add(next->second);
    }
    return found;
  }

  // Of several definitions of one name the linker takes the first of those with the greatest strength.
  static int strength(const llvm::GlobalValue& value) {
    return value.hasAvailableExternallyLinkage() ? 0 : value.isWeakForLinker() ? 1 : 2;
  }
  // What the linker resolves the symbol to: its definition, if another module has one.
  template <class Value>
  const Value* defined(const Value* value) const {
    if (value->hasLocalLinkage()) return value;
    const auto place = definitions_.find(value->getName());
    const auto* there =
        place == definitions_.end() ? nullptr : llvm::dyn_cast<Value>(place->second->stripPointerCastsAndAliases());
    return there == nullptr ? value : there;
  }
  // The function that the value names directly; null for anything else.
  const llvm::Function* function_of(const llvm::Value& value) const {
    const auto* function = llvm::dyn_cast<llvm::Function>(value.stripPointerCasts());
    return function == nullptr ? nullptr : defined(function);
  }

  void note_variables(llvm::Instruction& instruction) {
    for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      if (record.isDbgDeclare() && record.getAddress() != nullptr)
        variables_[record.getAddress()] = record.getVariable()->getType();
    }
    if (const auto* declare = llvm::dyn_cast<llvm::DbgDeclareInst>(&instruction);
        declare != nullptr && declare->getAddress() != nullptr) {
      variables_[declare->getAddress()] = declare->getVariable()->getType();
    }
  }

  void visit(const llvm::Instruction& instruction) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      moves(*store->getValueOperand(), [&] { return function_key(leaf(place_of(store->getPointerOperand()))); });
    } else if (const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
      if (leave->getReturnValue() == nullptr) return;
      moves(*leave->getReturnValue(), [&] { return function_key(part_of(*instruction.getFunction(), 0)); });
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      for (unsigned i = 0; i < call->arg_size(); ++i) pass(*call, i);
    } else if (!llvm::isa<llvm::ICmpInst, llvm::PHINode, llvm::SelectInst, llvm::LoadInst>(instruction)) {
      for (const llvm::Use& operand : instruction.operands()) moves(*operand.get(), [] { return std::string(); });
    }
  }

  void pass(const llvm::CallBase& call, unsigned index) {
    const llvm::Value& value = *call.getArgOperand(index);
    const llvm::Function* callee = function_of(*call.getCalledOperand());
    if (callee != nullptr && callee->isDeclaration()) {
      // A library calls a callback by the type in its header, which a spec may give.
      const Spec* spec = specs_.find(*callee);
      if (spec == nullptr) return;
      for (const Callback& callback : spec->callbacks) {
        if (!callback.type || callback.stored || callback.function != static_cast<int>(index)) continue;
        const llvm::DIType* type = type_of(value, kDeepestType);
        const auto* function = llvm::dyn_cast_or_null<llvm::DISubroutineType>(strip_qualifiers(pointee(type)));
        if (function != nullptr && !callback.type->fits(*function)) type_casts_[key_of(*function)].insert(kAnyType);
      }
      return;
    }
    moves(value, [&]() -> std::string {
      if (callee != nullptr) return function_key(part_of(*callee, index + 1));
      const llvm::DIType* pointer = type_of(*call.getCalledOperand(), kDeepestType);
      const auto* type = llvm::dyn_cast_or_null<llvm::DISubroutineType>(strip_qualifiers(pointee(pointer)));
      if (type == nullptr || type->getTypeArray().size() != call.arg_size() + 1) return "";
      return function_key(type->getTypeArray()[index + 1]);
    });
  }

  // A value goes to a place that is declared as a pointer to functions of the type `to()`.
  template <class Key>
  void moves(const llvm::Value& value, const Key& to) {
    const llvm::Value* bare = value.stripPointerCastsAndAliases();
    if (!bare->getType()->isPointerTy()) {
      if (const auto* constant = llvm::dyn_cast<llvm::Constant>(bare)) initialise(*constant, {});
      return;
    }
    if (const llvm::Function* function = function_of(*bare)) {
      if (const std::string type = to(); type != own_key(*function)) casts_[function].insert(type);
    } else if (llvm::isa<llvm::PHINode, llvm::SelectInst>(bare)) {
      if (!chosen_.insert(bare).second) return;
      for (const llvm::Use& operand : llvm::cast<llvm::User>(bare)->operands()) {
        if (operand->getType()->isPointerTy()) moves(*operand.get(), to);
      }
      chosen_.erase(bare);
    } else if (!llvm::isa<llvm::Constant>(bare)) {
      const std::string from = function_key(type_of(*bare, kDeepestType));
      if (from.empty()) return;
      if (const std::string type = to(); type != from) type_casts_[from].insert(type);
    } else if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(bare)) {
      initialise(*expression, {});
    }
  }

  void initialise(const llvm::Constant& value, Place place) {
    const llvm::Value* bare = value.stripPointerCastsAndAliases();
    if (const llvm::Function* function = function_of(*bare)) {
      if (const std::string type = function_key(leaf(place)); type != own_key(*function)) casts_[function].insert(type);
      return;
    }
    if (llvm::isa<llvm::GlobalValue, llvm::BlockAddress>(bare)) return;
    if (const auto* structure = llvm::dyn_cast<llvm::ConstantStruct>(&value)) {
      const llvm::StructLayout* members = layout_.getStructLayout(structure->getType());
      for (unsigned i = 0; i < structure->getNumOperands(); ++i) {
        const auto offset = static_cast<std::int64_t>(members->getElementOffset(i).getFixedValue());
        initialise(*structure->getOperand(i), {place.type, place.offset + offset});
      }
    } else if (const auto* array = llvm::dyn_cast<llvm::ConstantArray>(&value)) {
      const auto stride = static_cast<std::int64_t>(layout_.getTypeAllocSize(array->getType()->getElementType()));
      for (unsigned i = 0; i < array->getNumOperands(); ++i)
        initialise(*array->getOperand(i), {place.type, place.offset + stride * i});
    } else {
      for (const llvm::Use& operand : value.operands()) initialise(*llvm::cast<llvm::Constant>(operand.get()), {});
    }
  }

  // ---- structures that are used as others ----

  // The one description that stands for all structures of this name, since each module brings its own; null if the type
  // is no structure.
  const llvm::DIType* structure_of(const llvm::DIType* type) const {
    if (!is_structure(type)) return nullptr;
    const auto known = structures_.find(structure_name(type));
    return known == structures_.end() ? nullptr : known->second;
  }

  // The structure that the pointer is declared to point to; if its type does not say, the place that it comes from.
  Views::End end_of(const llvm::Value& value) {
    if (!value.getType()->isPointerTy() || llvm::isa<llvm::Constant>(value)) return {};
    if (const llvm::DIType* structure = structure_of(pointee(type_of(value, kDeepestType))))
      return {structure, nullptr};
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value))
      return {nullptr, memory_of(load->getPointerOperand())};
    if (llvm::isa<llvm::Argument>(value)) return {nullptr, &value};
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&value);
    if (call == nullptr) return {};
    const llvm::Function* callee = function_of(*call->getCalledOperand());
    return {nullptr, callee == nullptr || callee->isDeclaration() ? nullptr : callee};
  }

  Views::Place memory_of(const llvm::Value* pointer) const {
    return variables_.count(pointer) != 0 ? pointer : nullptr;
  }

  void view(const llvm::Instruction& instruction) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (!store->getValueOperand()->getType()->isPointerTy()) return;
      const llvm::DIType* structure = structure_of(pointee(leaf(place_of(store->getPointerOperand()))));
      views_.flow(end_of(*store->getValueOperand()),
                  {structure, structure == nullptr ? memory_of(store->getPointerOperand()) : nullptr});
    } else if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      auto* structure = llvm::dyn_cast<llvm::StructType>(gep->getSourceElementType());
      if (structure == nullptr || !structure->isSized() || !structure->hasName()) return;
      const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(structure));
      if (structure_at(place_of(gep->getPointerOperand()), bytes) != nullptr) return;
      views_.flow(end_of(*gep->getPointerOperand()), {structure_of(place_of(gep).type), nullptr});
    } else if (const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
      const llvm::Value* value = leave->getReturnValue();
      if (value == nullptr || !value->getType()->isPointerTy()) return;
      const llvm::DIType* structure = structure_of(pointee(part_of(*instruction.getFunction(), 0)));
      views_.flow(end_of(*value), {structure, structure == nullptr ? instruction.getFunction() : nullptr});
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      const llvm::Function* callee = function_of(*call->getCalledOperand());
      for (unsigned i = 0; i < call->arg_size(); ++i) {
        const llvm::Value& value = *call->getArgOperand(i);
        const bool body = callee != nullptr && !callee->isDeclaration() && i < callee->arg_size();
        if (body) views_.flow(end_of(value), end_of(*callee->getArg(i)));
      }
      if (callee != nullptr && callee->isDeclaration()) view_registration(*call, *callee);
    }
  }

  // The arguments of a registration flow to the parameters of the handler that it names.
  void view_registration(const llvm::CallBase& call, const llvm::Function& callee) {
    const Spec* spec = specs_.find(callee);
    if (spec == nullptr) return;
    for (const Callback& callback : spec->callbacks) {
      const auto at = static_cast<unsigned>(callback.function);
      if (callback.stored || callback.function < 0 || at >= call.arg_size()) continue;
      const llvm::Function* handler = function_of(*call.getArgOperand(at));
      if (handler == nullptr || handler->isDeclaration()) continue;
      for (unsigned i = 0; i < callback.parameters.size() && i < handler->arg_size(); ++i) {
        const Parameter& given = callback.parameters[i];
        if (given.kind == Parameter::Kind::kArgument && static_cast<unsigned>(given.arg) < call.arg_size())
          views_.flow(end_of(*call.getArgOperand(static_cast<unsigned>(given.arg))), end_of(*handler->getArg(i)));
      }
    }
  }

  // Memory of the structure `seen` is also used as the structure `as`. So a function pointer in `seen` may be called by
  // the type that `as` declares at the same offset; if the two types differ, functions of its type count as cast.
  void compare_members(const llvm::DIType* type, const llvm::DIType* seen, const llvm::DIType* as, std::int64_t at) {
    const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(strip_qualifiers(type));
    if (composite == nullptr || composite->getTag() == llvm::dwarf::DW_TAG_array_type) return;
    for (const llvm::DINode* node : composite->getElements()) {
      const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
      if (member == nullptr || member->isStaticMember() || member->getTag() != llvm::dwarf::DW_TAG_member) continue;
      const std::int64_t offset = at + static_cast<std::int64_t>(member->getOffsetInBits() / 8);
      const std::string key = function_key(member->getBaseType());
      if (key.empty()) {
        compare_members(member->getBaseType(), seen, as, offset);
        continue;
      }
      const llvm::DIType* other = leaf({as, offset});
      if (other == nullptr || byte_size(other) != kPointerBytes) continue;
      if (const std::string called = function_key(other); called != key) type_casts_[key].insert(called);
    }
  }

  // ---- declared types ----

  // The type and offset that the pointer points to, by its declaration.
  Place place_of(const llvm::Value* pointer, int depth = kDeepestType) {
    if (depth == 0) return {};
    if (const auto known = variables_.find(pointer); known != variables_.end()) return {known->second, 0};
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer))
      return {source_name(*defined(variable)).type, 0};
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(pointer)) return place_of(*gep, depth);
    return {pointee(type_of(*pointer, depth - 1)), 0};
  }

  Place place_of(const llvm::GEPOperator& gep, int depth) {
    Place base = place_of(gep.getPointerOperand(), depth - 1);
    auto* structure = llvm::dyn_cast<llvm::StructType>(gep.getSourceElementType());
    if (structure != nullptr && structure->isSized()) {
      const auto bytes = static_cast<std::int64_t>(layout_.getTypeAllocSize(structure));
      base = {structure_at(base, bytes), 0};
      // "struct.client.17": a cast in the source shows here. Linking may have given structures of one layout one name,
      // so what is declared comes first.
      if (base.type == nullptr && structure->hasName()) {
        llvm::StringRef name = structure->getName();
        name = name.substr(name.find('.') + 1);
        const auto known = structures_.find(name.substr(0, name.find('.')).str());
        if (known != structures_.end() && byte_size(known->second) == bytes) base.type = known->second;
      }
    }
    llvm::MapVector<llvm::Value*, llvm::APInt> variable;
    llvm::APInt constant(64, 0);
    if (!gep.collectOffset(layout_, 64, variable, constant)) return {};
    return {base.type, base.offset + constant.getSExtValue()};
  }

  // The declared type of a pointer; null where it is not known.
  const llvm::DIType* type_of(const llvm::Value& value, int depth) {
    if (depth <= 0) return nullptr;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value))
      return leaf(place_of(load->getPointerOperand(), depth - 1));
    if (const auto* formal = llvm::dyn_cast<llvm::Argument>(&value))
      return part_of(*formal->getParent(), formal->getArgNo() + 1);
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&value)) {
      if (const llvm::Function* callee = function_of(*call->getCalledOperand())) return part_of(*callee, 0);
      const auto* type = llvm::dyn_cast_or_null<llvm::DISubroutineType>(
          strip_qualifiers(pointee(type_of(*call->getCalledOperand(), depth - 1))));
      return type == nullptr || type->getTypeArray().size() == 0 ? nullptr : type->getTypeArray()[0];
    }
    return nullptr;
  }

  const Modules& modules_;
  const Specs& specs_;
  const llvm::DataLayout& layout_;
  llvm::StringMap<const llvm::GlobalValue*> definitions_;  // by name, of what modules can see of each other
  std::map<std::string, const llvm::DIType*> structures_;
  std::unordered_map<const llvm::Value*, const llvm::DIType*> variables_;
  std::map<const llvm::Function*, std::set<std::string>> casts_;  // to which types
  std::map<std::string, std::set<std::string>> type_casts_;       // of pointers of a type, to which others
  Views views_;
  std::set<const llvm::Value*> chosen_;  // phis and selects that moves() is visiting, so that it ends on cycles
};

}  // namespace

void mark_casts(const Modules& program, const Specs& specs) { CastFinder(program, specs).run(); }

bool is_cast(const llvm::Function& function) { return function.hasFnAttribute(kCastMark); }

bool may_be_called_by(const Signature& type, const llvm::Function& function) {
  if (type.fits(function)) return true;
  if (!is_cast(function)) return false;
  llvm::StringRef types = function.getFnAttribute(kCastMark).getValueAsString();
  if (types.empty()) return true;
  for (; !types.empty(); types = types.split(kBetween).second)
    if (fits_key(type, types.split(kBetween).first)) return true;
  return false;
}

bool may_hold(const llvm::DIType* pointer, const llvm::Function& function) {
  const std::string key = function_key(pointer);
  return key.empty() || is_cast(function) || own_key(function) == key;
}

}  // namespace heddle::elyze
