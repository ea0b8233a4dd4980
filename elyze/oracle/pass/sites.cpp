#include "elyze/oracle/pass/sites.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "elyze/ir/names.hpp"

namespace heddle::oracle {

Sites::Sites(llvm::Module& module) : module_(module) {
  llvm::LLVMContext& context = module.getContext();
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* number = llvm::Type::getInt32Ty(context);
  site_type_ = llvm::StructType::get(context, {pointer, pointer, pointer, number, number});
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  for (const llvm::DIType* type : finder.types()) {
    const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type);
    if (composite != nullptr && !composite->isForwardDecl() && !composite->getName().empty())
      structures_.try_emplace(composite->getName().str(), composite);
  }
}

llvm::GlobalVariable* Sites::variable(llvm::Constant* value, bool constant) {
  const std::string name = "heddle.oracle." + std::to_string(variables_++);
  auto* made = llvm::cast<llvm::GlobalVariable>(module_.getOrInsertGlobal(name, value->getType()));
  made->setInitializer(value);
  made->setConstant(constant);
  made->setLinkage(llvm::GlobalValue::PrivateLinkage);
  return made;
}

llvm::Constant* Sites::text(const std::string& text) {
  llvm::Constant*& known = texts_[text];
  if (known == nullptr) {
    llvm::Constant* bytes = llvm::ConstantDataArray::getString(module_.getContext(), text);
    known = variable(bytes, true);
  }
  return known;
}

llvm::Constant* Sites::make(const std::string& function, const std::string& file, const std::string& object,
                            unsigned line) {
  llvm::Constant*& known = sites_[{function, file, object, line}];
  if (known == nullptr) {
    auto* number = llvm::Type::getInt32Ty(module_.getContext());
    llvm::Constant* record = llvm::ConstantStruct::get(
        site_type_, {text(function), text(file), text(object), llvm::ConstantInt::get(number, line),
                     llvm::ConstantInt::get(number, 0)});
    known = variable(record, false);
  }
  return known;
}

llvm::Constant* Sites::site(const llvm::Instruction& instruction, const llvm::Value* pointer) {
  const elyze::SourcePlace place = elyze::place_of(instruction);
  return make(elyze::source_name(*instruction.getFunction()), place.file,
              pointer == nullptr ? "" : object_name(*pointer), place.line);
}

llvm::Constant* Sites::site(const llvm::Function& handler) {
  const elyze::SourcePlace place = elyze::place_of(handler);
  return make(elyze::source_name(handler), place.file, "", place.line);
}

std::string Sites::object_name(const llvm::Value& pointer) const {
  const llvm::DataLayout& layout = module_.getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  const llvm::Value* base = pointer.stripAndAccumulateConstantOffsets(layout, offset, true);
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base)) {
    const elyze::GlobalName name = elyze::source_name(*global);
    const std::string field = name.type == nullptr ? "" : elyze::field_path(name.type, offset.getSExtValue(), 1);
    return field.empty() ? name.name : name.name + "." + field;
  }
  return field_name(pointer);
}

// `client->state` for an address inside %struct.client.
std::string Sites::field_name(const llvm::Value& pointer) const {
  const auto* step = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  if (step == nullptr) return "";
  const auto* type = llvm::dyn_cast<llvm::StructType>(step->getSourceElementType());
  if (type == nullptr || !type->hasName()) return "";
  llvm::StringRef name = type->getName();
  for (const char* prefix : {"struct.", "union.", "class."}) name.consume_front(prefix);
  // LLVM tells types of one name apart by a number behind it.
  const auto [stem, number] = name.rsplit('.');
  if (!number.empty() && number.find_first_not_of("0123456789") == llvm::StringRef::npos) name = stem;
  const auto known = structures_.find(name.str());
  llvm::APInt offset(64, 0);
  if (known == structures_.end() || !step->accumulateConstantOffset(module_.getDataLayout(), offset)) return "";
  const std::string field = elyze::field_path(known->second, offset.getSExtValue(), 1);
  return field.empty() ? name.str() : name.str() + "->" + field;
}

void Sites::register_globals() {
  llvm::LLVMContext& context = module_.getContext();
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* number = llvm::Type::getInt64Ty(context);
  auto* type = llvm::StructType::get(context, {pointer, number, pointer, pointer, number});
  std::vector<llvm::Constant*> records;
  std::vector<llvm::GlobalVariable*> globals;
  for (llvm::GlobalVariable& global : module_.globals()) globals.push_back(&global);
  for (llvm::GlobalVariable* global : globals) {
    if (!global->hasInitializer() || global->isConstant() || global->isThreadLocal() || global->hasPrivateLinkage() ||
        global->hasAvailableExternallyLinkage() || global->getName().starts_with("llvm."))
      continue;
    const elyze::GlobalName name = elyze::source_name(*global);
    const std::uint64_t bytes = module_.getDataLayout().getTypeAllocSize(global->getValueType());
    records.push_back(
        llvm::ConstantStruct::get(type, {global, llvm::ConstantInt::get(number, bytes), text(name.name),
                                         text(name.place.file), llvm::ConstantInt::get(number, name.place.line)}));
  }
  if (records.empty()) return;
  auto* table_type = llvm::ArrayType::get(type, records.size());
  llvm::Constant* table = variable(llvm::ConstantArray::get(table_type, records), true);
  auto* nothing = llvm::Type::getVoidTy(context);
  // Private: no symbol, for it is no function of the program.
  auto* constructor = llvm::Function::Create(llvm::FunctionType::get(nothing, false), llvm::GlobalValue::PrivateLinkage,
                                             "heddle.oracle.unit", module_);
  llvm::IRBuilder<> build(llvm::BasicBlock::Create(context, "", constructor));
  build.CreateCall(module_.getOrInsertFunction("heddle_oracle_unit", nothing, pointer, number),
                   {table, llvm::ConstantInt::get(number, records.size())});
  build.CreateRetVoid();
  llvm::appendToGlobalCtors(module_, constructor, 0);
}

}  // namespace heddle::oracle
