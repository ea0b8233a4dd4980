#include "elyze/plugin/scratch.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/xxhash.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <map>
#include <string>
#include <vector>

#include "elyze/plugin/scratch_mark.hpp"
#include "schemas/agreements.hpp"

namespace heddle::plugin {
namespace {

constexpr std::uint64_t kLargest = 1U << 20;  // bytes; each thread has its own
constexpr std::uint64_t kMostAlignment = 4096;

// Is each use of the constant in the end one by an instruction of a function that stands in this object?
bool only_in_functions(const llvm::Constant& constant) {
  return llvm::all_of(constant.users(), [](const llvm::User* user) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
      const llvm::Function& function = *instruction->getFunction();
      const bool access = instruction->isVolatile() || instruction->isAtomic();
      return !access && !function.hasFnAttribute(llvm::Attribute::Naked) && !function.hasAvailableExternallyLinkage();
    }
    return llvm::isa<llvm::ConstantExpr>(user) && only_in_functions(*llvm::cast<llvm::Constant>(user));
  });
}

bool can_be_moved(const llvm::GlobalVariable& variable) {
  if (!variable.hasLocalLinkage() || !variable.hasInitializer() || variable.isConstant() || variable.isThreadLocal() ||
      variable.hasSection() || variable.getName().starts_with("llvm.") || variable.use_empty())
    return false;
  const llvm::DataLayout& layout = variable.getParent()->getDataLayout();
  const std::uint64_t bytes = layout.getTypeAllocSize(variable.getValueType()).getFixedValue();
  return bytes != 0 && bytes <= kLargest && variable.getAlign().valueOrOne().value() <= kMostAlignment &&
         only_in_functions(variable);
}

std::vector<llvm::GlobalVariable*> marked_variables(llvm::Module& module) {
  std::vector<llvm::GlobalVariable*> found;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.hasAttribute(kScratchMark)) found.push_back(&variable);
  return found;
}

class Mover {
 public:
  explicit Mover(llvm::Module& module)
      : module_(module),
        pointer_(llvm::PointerType::getUnqual(module.getContext())),
        number_(llvm::Type::getInt64Ty(module.getContext())) {}

  void move(llvm::GlobalVariable& variable) {
    llvm::convertUsersOfConstantsToInstructions({&variable});
    std::map<llvm::Function*, std::vector<llvm::Use*>> uses;
    for (llvm::Use& use : variable.uses())
      if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser()))
        uses[instruction->getFunction()].push_back(&use);
    llvm::GlobalVariable* own = add("heddle.own." + variable.getName().str(), pointer_, &variable);
    own->setThreadLocal(true);
    for (const auto& [function, here] : uses) {
      llvm::BasicBlock& entry = function->getEntryBlock();
      llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
      llvm::Value* place = builder.CreateLoad(pointer_, builder.CreateThreadLocalAddress(own), "own");
      for (llvm::Use* use : here) use->set(place);
    }
    record(variable, *own);
  }

 private:
  // multivent/program/scratch.hpp has the layout.
  void record(llvm::GlobalVariable& variable, llvm::GlobalVariable& own) {
    llvm::LLVMContext& context = module_.getContext();
    auto* type = llvm::FunctionType::get(pointer_, false);
    auto* where =
        llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "heddle.where." + variable.getName(), module_);
    where->addFnAttr(llvm::Attribute::NoInline);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", where));
    builder.CreateRet(builder.CreateThreadLocalAddress(&own));
    std::uint64_t id = 0;
    variable.getAttribute(kScratchMark).getValueAsString().getAsInteger(16, id);
    const llvm::DataLayout& layout = module_.getDataLayout();
    const std::uint64_t bytes = layout.getTypeAllocSize(variable.getValueType()).getFixedValue();
    const std::uint64_t alignment = layout.getPreferredAlign(&variable).value();
    const auto number = [&](std::uint64_t value) { return llvm::ConstantInt::get(number_, value); };
    auto* type_of_record = llvm::StructType::get(context, {number_, number_, number_, pointer_, pointer_});
    auto* value =
        llvm::ConstantStruct::get(type_of_record, {number(id), number(bytes), number(alignment), where, &variable});
    llvm::GlobalVariable* record = add("heddle.record." + variable.getName().str(), type_of_record, value);
    record->setSection(schemas::scratch::kSection);
    record->setAlignment(llvm::Align(8));
    llvm::appendToUsed(module_, {record});
  }

  llvm::GlobalVariable* add(const std::string& name, llvm::Type* type, llvm::Constant* value) {
    auto* variable = llvm::cast<llvm::GlobalVariable>(module_.getOrInsertGlobal(name, type));
    variable->setInitializer(value);
    variable->setLinkage(llvm::GlobalValue::InternalLinkage);
    return variable;
  }

  llvm::Module& module_;
  llvm::PointerType* pointer_;
  llvm::IntegerType* number_;
};

}  // namespace

void mark_scratch(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (!can_be_moved(variable)) continue;
    const std::string where = module.getSourceFileName() + '\n' + variable.getName().str();
    variable.addAttribute(kScratchMark, llvm::utohexstr(llvm::xxh3_64bits(where), true, 16));
  }
}

void make_scratch_movable(llvm::Module& module) {
  Mover mover(module);
  for (llvm::GlobalVariable* variable : marked_variables(module)) mover.move(*variable);
}

}  // namespace heddle::plugin
