#include "elyze/marks/casts.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "elyze/ir/addresses.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/ir/values.hpp"
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

using Keys = std::set<std::string>;

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

// Nobody declares the functions that call a library's function: each has a type of its own, so that every place that it
// goes to is a cast.
std::string own_key(const llvm::Function& function) {
  if (only_calls_a_library(function)) return function.getName().str();
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
  const llvm::DIType* around = nullptr;  // the union that the type was found in
  std::int64_t within = 0;               // where in that union the place is

  Place plus(std::int64_t bytes) const { return {type, offset + bytes, around, within + bytes}; }
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

// By which types may what is stored there be called? Members of a union are read as each other (C11 6.5.2.3, footnote
// 95), so by the types of all function pointers in those bytes; by any where a member may be read as a number or as a
// pointer that functions are kept in (`void *`). A pointer to a structure is none: neither C (6.3.2.3p8) nor POSIX lets
// it hold a function. Empty where nothing is declared there.
class KeysInUnion {
 public:
  static Keys of(Place place) {
    KeysInUnion found;
    found.look(place, 0);
    if (found.any_ || found.keys_.empty()) return {kAnyType};
    return found.keys_;
  }
  // Is any pointer but that to a structure declared there?
  static bool has_pointer(Place place) {
    KeysInUnion found;
    found.look(place, 0);
    return !found.keys_.empty();
  }

 private:
  // The bytes of numbers among the eight that begin at the place, which may begin before the type does.
  std::int64_t look(Place place, int depth) {
    const std::int64_t size = byte_size(place.type);
    const llvm::DIType* bare = strip_qualifiers(place.type);
    if (bare == nullptr || size <= 0 || depth > kDeepestType) {
      any_ = true;
      return 0;
    }
    if (place.offset >= size || place.offset + kPointerBytes <= 0) return 0;
    const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(bare);
    if (composite != nullptr && composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
      const std::int64_t stride = byte_size(composite->getBaseType());
      if (stride < kPointerBytes || place.offset < 0) return take(place, size);
      return look({composite->getBaseType(), place.offset % stride}, depth + 1);
    }
    if (composite != nullptr && composite->getTag() != llvm::dwarf::DW_TAG_enumeration_type)
      return look_inside(*composite, place.offset, depth);
    const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(bare);
    if (derived == nullptr || derived->getTag() != llvm::dwarf::DW_TAG_pointer_type) return take(place, size);
    const std::string key = function_key(place.type);
    if (key.empty() && is_structure(derived->getBaseType())) return 0;
    any_ |= key.empty() || place.offset != 0;
    keys_.insert(key);
    return 0;
  }

  std::int64_t look_inside(const llvm::DICompositeType& type, std::int64_t offset, int depth) {
    const bool one_of_them = type.getTag() == llvm::dwarf::DW_TAG_union_type;
    std::int64_t numbers = 0;
    for (const llvm::DINode* node : type.getElements()) {
      const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
      if (member == nullptr || member->isStaticMember()) continue;
      if (member->getTag() != llvm::dwarf::DW_TAG_member && member->getTag() != llvm::dwarf::DW_TAG_inheritance)
        continue;
      const auto start = static_cast<std::int64_t>(member->getOffsetInBits() / 8);
      const std::int64_t here = look({member->getBaseType(), offset - start}, depth + 1);
      numbers = one_of_them ? std::max(numbers, here) : numbers + here;
    }
    any_ |= numbers >= kPointerBytes;
    return numbers;
  }

  std::int64_t take(Place place, std::int64_t size) {
    const std::int64_t numbers = std::min(size, place.offset + kPointerBytes) - std::max<std::int64_t>(0, place.offset);
    any_ |= numbers >= kPointerBytes;
    return numbers;
  }

  Keys keys_;
  bool any_ = false;
};

// The union that these bytes are in, if they are in one; where a structure of that size is asked for, one around it.
Place union_around(Place place, std::int64_t bytes, bool structure) {
  if (place.around != nullptr) return {place.around, place.within};
  for (int depth = 0; depth < kDeepestType; ++depth) {
    const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(strip_qualifiers(place.type));
    if (composite == nullptr) return {};
    if (composite->getTag() == llvm::dwarf::DW_TAG_union_type) return {place.type, place.offset};
    if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
      const std::int64_t stride = byte_size(composite->getBaseType());
      if (stride <= 0) return {};
      place = {composite->getBaseType(), place.offset % stride};
      continue;
    }
    if (structure && place.offset == 0 && byte_size(composite) == bytes) return {};
    const llvm::DIDerivedType* inside = member_around(*composite, place.offset, bytes);
    if (inside == nullptr) return {};
    place = {inside->getBaseType(), place.offset - static_cast<std::int64_t>(inside->getOffsetInBits() / 8)};
  }
  return {};
}

// By which types what stands there may be called: by any, where it is no function pointer or not known.
Keys keys_of(Place place) {
  const Place around = union_around(place, kPointerBytes, false);
  return around.type == nullptr ? Keys{function_key(leaf(place))} : KeysInUnion::of(around);
}

// What runs at some time, as far as names tell: main, what variables hold, and what these name.
class Reached {
 public:
  explicit Reached(const Modules& modules) : modules_(modules) {
    all_ = true;
    for (const auto& module : modules) {
      const llvm::Function* main = module->getFunction("main");
      if (main != nullptr && !main->isDeclaration()) all_ = false;
    }
    for (const auto& module : modules) {
      // What is looked up by name, or named by assembly, may be any.
      for (const char* name : {"dlsym", "dlvsym", "dlopen", "dlmopen"}) all_ |= module->getFunction(name) != nullptr;
      all_ |= !module->getModuleInlineAsm().empty() || !module->ifunc_empty();
    }
    if (all_) return;
    name("main");
    for (const auto& module : modules) {
      for (const llvm::GlobalVariable& variable : module->globals())
        if (variable.hasInitializer()) note(*variable.getInitializer());
      for (const llvm::GlobalAlias& alias : module->aliases()) note(*alias.getAliasee());
    }
    while (!work_.empty()) {
      const llvm::Function& function = *work_.back();
      work_.pop_back();
      for (const llvm::Use& operand : function.operands()) note(*operand.get());
      for (const llvm::Instruction& at : llvm::instructions(function))
        for (const llvm::Use& operand : at.operands()) note(*operand.get());
    }
  }

  bool contains(const llvm::Function& function) const { return all_ || functions_.contains(&function); }

 private:
  void note(const llvm::Value& value) {
    if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(&value)) {
      // It may name any function, as an operand or in its text.
      for (const auto& module : modules_)
        for (const llvm::Function& function : *module)
          if (assembly->getAsmString().find(function.getName()) != std::string::npos) add(function);
      return;
    }
    const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
    if (constant == nullptr || llvm::isa<llvm::ConstantData>(constant) || !seen_.insert(constant).second) return;
    if (const auto* function = llvm::dyn_cast<llvm::Function>(constant)) {
      function->hasLocalLinkage() ? add(*function) : name(function->getName());
    } else if (!llvm::isa<llvm::GlobalVariable>(constant)) {
      for (const llvm::Use& operand : constant->operands()) note(*operand.get());
    }
  }

  // Which of several definitions is meant is the linker's choice, and so is `--wrap`.
  void name(llvm::StringRef symbol) {
    if (!names_.insert(symbol).second) return;
    for (const auto& module : modules_)
      if (const llvm::Function* function = module->getFunction(symbol)) add(*function);
    if (symbol.starts_with("__real_")) name(symbol.substr(sizeof("__real_") - 1));
    const std::string wrapped = ("__wrap_" + symbol).str();
    for (const auto& module : modules_)
      if (const llvm::Function* function = module->getFunction(wrapped)) add(*function);
  }

  void add(const llvm::Function& function) {
    if (!function.isDeclaration() && functions_.insert(&function).second) work_.push_back(&function);
  }

  const Modules& modules_;
  bool all_ = true;
  std::unordered_set<const llvm::Function*> functions_;
  std::unordered_set<const llvm::Constant*> seen_;
  llvm::StringSet<> names_;
  std::vector<const llvm::Function*> work_;
};

class CastFinder {
 public:
  CastFinder(const Modules& modules, const Specs& specs)
      : modules_(modules), specs_(specs), layout_(modules.front()->getDataLayout()), reached_(modules) {
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
        if (!reached_.contains(function)) continue;
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
        const Keys types = called_as(meant);
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
  Keys called_as(const llvm::Function& function) const {
    const std::string own = own_key(function);
    if (own.empty()) return {kAnyType};
    Keys found;
    std::vector<std::string> work;
    const auto add = [&](const Keys& types) {
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
      moves(*store->getValueOperand(), [&] { return keys_of(place_of(store->getPointerOperand())); });
    } else if (const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
      if (leave->getReturnValue() == nullptr) return;
      moves(*leave->getReturnValue(), [&] { return Keys{function_key(part_of(*instruction.getFunction(), 0))}; });
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      for (unsigned i = 0; i < call->arg_size(); ++i) pass(*call, i);
    } else if (!llvm::isa<llvm::ICmpInst, llvm::PHINode, llvm::SelectInst, llvm::LoadInst>(instruction)) {
      for (const llvm::Use& operand : instruction.operands()) moves(*operand.get(), [] { return Keys{kAnyType}; });
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
        register_as(value, *callback.type);
      }
      return;
    }
    moves(value, [&]() -> Keys {
      if (callee != nullptr) return {function_key(part_of(*callee, index + 1))};
      const llvm::DIType* pointer = type_of(*call.getCalledOperand(), kDeepestType);
      const auto* type = llvm::dyn_cast_or_null<llvm::DISubroutineType>(strip_qualifiers(pointee(pointer)));
      if (type == nullptr || type->getTypeArray().size() != call.arg_size() + 1) return {kAnyType};
      return {function_key(type->getTypeArray()[index + 1])};
    });
  }

  // A function that is named there needs no mark, one of several does.
  void register_as(const llvm::Value& value, const Signature& type) {
    const llvm::Value* bare = value.stripPointerCastsAndAliases();
    if (llvm::isa<llvm::PHINode, llvm::SelectInst>(bare)) {
      if (!chosen_.insert(bare).second) return;
      for (const llvm::Use& operand : llvm::cast<llvm::User>(bare)->operands()) {
        const llvm::Function* function = operand->getType()->isPointerTy() ? function_of(*operand.get()) : nullptr;
        if (function != nullptr && !type.fits(*function)) casts_[function].insert(kAnyType);
        if (function == nullptr && operand->getType()->isPointerTy()) register_as(*operand.get(), type);
      }
      chosen_.erase(bare);
      return;
    }
    const llvm::DIType* declared = type_of(value, kDeepestType);
    const auto* function = llvm::dyn_cast_or_null<llvm::DISubroutineType>(strip_qualifiers(pointee(declared)));
    if (function != nullptr && !type.fits(*function)) type_casts_[key_of(*function)].insert(kAnyType);
  }

  static void note_others(Keys& casts, const Keys& types, const std::string& own) {
    for (const std::string& type : types)
      if (type != own) casts.insert(type);
  }

  // The keys of the function pointer's type: several where it is loaded from a union, none where it is not known.
  Keys declared(const llvm::Value& value) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
    Keys found = load != nullptr ? keys_of(place_of(load->getPointerOperand(), kDeepestType - 1))
                                 : Keys{function_key(type_of(value, kDeepestType))};
    found.erase(kAnyType);
    return found;
  }

  // A value goes to a place that is declared as a pointer to functions of one of the types `to()`.
  template <class Declared>
  void moves(const llvm::Value& value, const Declared& to) {
    const llvm::Value* bare = value.stripPointerCastsAndAliases();
    if (!bare->getType()->isPointerTy()) {
      if (const auto* constant = llvm::dyn_cast<llvm::Constant>(bare)) initialise(*constant, {});
      return;
    }
    if (const llvm::Function* function = function_of(*bare)) {
      note_others(casts_[function], to(), own_key(*function));
    } else if (llvm::isa<llvm::PHINode, llvm::SelectInst>(bare)) {
      if (!chosen_.insert(bare).second) return;
      for (const llvm::Use& operand : llvm::cast<llvm::User>(bare)->operands()) {
        if (operand->getType()->isPointerTy()) moves(*operand.get(), to);
      }
      chosen_.erase(bare);
    } else if (!llvm::isa<llvm::Constant>(bare)) {
      for (const std::string& from : declared(*bare)) note_others(type_casts_[from], to(), from);
    } else if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(bare)) {
      initialise(*expression, {});
    }
  }

  void initialise(const llvm::Constant& value, Place place) {
    const llvm::Value* bare = value.stripPointerCastsAndAliases();
    if (const llvm::Function* function = function_of(*bare)) {
      note_others(casts_[function], keys_of(place), own_key(*function));
      return;
    }
    if (llvm::isa<llvm::GlobalValue, llvm::BlockAddress>(bare)) return;
    if (const auto* structure = llvm::dyn_cast<llvm::ConstantStruct>(&value)) {
      const llvm::StructLayout* members = layout_.getStructLayout(structure->getType());
      for (unsigned i = 0; i < structure->getNumOperands(); ++i) {
        const auto offset = static_cast<std::int64_t>(members->getElementOffset(i).getFixedValue());
        initialise(*structure->getOperand(i), place.plus(offset));
      }
    } else if (const auto* array = llvm::dyn_cast<llvm::ConstantArray>(&value)) {
      const auto stride = static_cast<std::int64_t>(layout_.getTypeAllocSize(array->getType()->getElementType()));
      for (unsigned i = 0; i < array->getNumOperands(); ++i) initialise(*array->getOperand(i), place.plus(stride * i));
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
      const llvm::Value* given_function = callback.stored ? nullptr : argument(call, callback.function);
      if (given_function == nullptr) continue;
      const llvm::Function* handler = function_of(*given_function);
      if (handler == nullptr || handler->isDeclaration()) continue;
      for (unsigned i = 0; i < callback.parameters.size() && i < handler->arg_size(); ++i) {
        const Parameter& given = callback.parameters[i];
        const llvm::Value* value = given.kind == Parameter::Kind::kArgument ? argument(call, given.arg) : nullptr;
        if (value != nullptr) views_.flow(end_of(*value), end_of(*handler->getArg(i)));
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
      const Place in_union = union_around({as, offset}, kPointerBytes, false);
      const llvm::DIType* other = in_union.type == nullptr ? leaf({as, offset}) : nullptr;
      if (in_union.type == nullptr ? other == nullptr || byte_size(other) != kPointerBytes
                                   : !KeysInUnion::has_pointer(in_union))
        continue;
      note_others(type_casts_[key], keys_of({as, offset}), key);
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
      const Place around = union_around(base, bytes, true);
      base = {structure_at(base, bytes), 0, around.type, around.offset};
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
    if (base.around != nullptr && !variable.empty()) return {};  // which of the union's bytes is not known
    return base.plus(constant.getSExtValue());
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
  const Reached reached_;
  std::map<const llvm::Function*, Keys> casts_;  // to which types
  std::map<std::string, Keys> type_casts_;       // of pointers of a type, to which others
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
  if (key.empty() || own_key(function) == key) return true;
  if (!is_cast(function)) return false;
  llvm::StringRef types = function.getFnAttribute(kCastMark).getValueAsString();
  if (types.empty()) return true;
  for (; !types.empty(); types = types.split(kBetween).second)
    if (types.split(kBetween).first == key) return true;
  return false;
}

}  // namespace heddle::elyze
