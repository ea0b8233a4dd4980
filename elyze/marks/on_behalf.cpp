#include "elyze/marks/on_behalf.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "elyze/marks/casts.hpp"

namespace heddle::elyze {
namespace {

constexpr const char* kOnBehalfMark = "elyze.on-behalf";

// For each `on-behalf` entry, the types of the callbacks that it serves and that the program can register.
std::map<std::string, std::vector<const Signature*>> known_work(const llvm::Module& module, const Specs& specs) {
  std::map<std::string, std::vector<const Signature*>> found;
  for (const llvm::Function& external : module) {
    const Spec* spec = external.isDeclaration() ? specs.find(external) : nullptr;
    if (spec == nullptr) continue;
    for (const Callback& callback : spec->callbacks)
      if (callback.type && !callback.on_behalf.empty()) found[callback.on_behalf].push_back(&*callback.type);
  }
  return found;
}

// Does the function find the callback's arguments in its parameters, though its type is another one: it has fewer or
// more of them, takes numbers of other sizes or other structures, or returns something?
bool finds_arguments(const Signature& type, const llvm::Function& function) {
  using Kind = Signature::Type::Kind;
  if (function.arg_empty()) return false;
  for (const llvm::Argument& formal : function.args()) {
    if (formal.getArgNo() >= type.parameters.size()) break;
    const Kind expected = type.parameters[formal.getArgNo()].kind;
    if (expected == Kind::kPointer ? !formal.getType()->isPointerTy() : !formal.getType()->isIntegerTy()) return false;
  }
  return true;
}

// The functions that the program names where it registers a callback of this work.
std::set<const llvm::Function*> named_for(const llvm::Module& module, const Specs& specs, const std::string& work) {
  std::set<const llvm::Function*> found;
  for (const llvm::Function& external : module) {
    const Spec* spec = external.isDeclaration() ? specs.find(external) : nullptr;
    if (spec == nullptr) continue;
    for (const llvm::User* user : external.users()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call == nullptr || call->getCalledOperand() != &external) continue;
      for (const Callback& callback : spec->callbacks) {
        if (callback.on_behalf != work || callback.stored || callback.function < 0 ||
            static_cast<unsigned>(callback.function) >= call->arg_size())
          continue;
        const llvm::Value* given = call->getArgOperand(static_cast<unsigned>(callback.function));
        if (const auto* function = llvm::dyn_cast<llvm::Function>(given->stripPointerCastsAndAliases()))
          found.insert(function);
      }
    }
  }
  return found;
}

// The type by which the library may call the function; null where there is none.
const Signature* called_by(const std::vector<const Signature*>& types, const llvm::Function& function, bool named) {
  for (const Signature* type : types)
    if (type->fits(function)) return type;
  for (const Signature* type : types)
    if ((named || may_be_called_by(*type, function)) && finds_arguments(*type, function)) return type;
  return nullptr;
}

// Where the function is left; its beginning if it never is.
std::vector<llvm::Instruction*> places_in(llvm::Function& function) {
  std::vector<llvm::Instruction*> found;
  for (llvm::BasicBlock& block : function)
    if (auto* back = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) found.push_back(back);
  if (found.empty()) found.push_back(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return found;
}

void add_calls(llvm::Module& module, llvm::Function& function, const std::string& work, const Signature& by) {
  llvm::FunctionType* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), {}, true);
  const llvm::FunctionCallee callee = module.getOrInsertFunction(work, type);
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
  // The result stands behind the arguments that the library gives.
  llvm::PointerType* pointer = llvm::PointerType::getUnqual(module.getContext());
  arguments.resize(by.parameters.size(), llvm::ConstantPointerNull::get(pointer));
  llvm::DISubprogram* program = function.getSubprogram();
  for (llvm::Instruction* place : places_in(function)) {
    llvm::IRBuilder<> builder(place);
    std::vector<llvm::Value*> given = arguments;
    const auto* back = llvm::dyn_cast<llvm::ReturnInst>(place);
    if (back != nullptr && back->getReturnValue() != nullptr) given.push_back(back->getReturnValue());
    llvm::CallInst* call = builder.CreateCall(callee, given);
    call->setMetadata(kOnBehalfMark, llvm::MDNode::get(module.getContext(), {}));
    call->setDebugLoc(llvm::DILocation::get(module.getContext(), program->getLine(), 0, program));
  }
}

}  // namespace

void add_work_on_behalf(llvm::Module& module, const Specs& specs) {
  for (const auto& [work, types] : known_work(module, specs)) {
    const std::set<const llvm::Function*> named = named_for(module, specs, work);
    std::vector<std::pair<llvm::Function*, const Signature*>> callbacks;
    for (llvm::Function& function : module) {
      if (function.isDeclaration() || !function.hasAddressTaken() || function.getSubprogram() == nullptr) continue;
      const Signature* by = called_by(types, function, named.contains(&function));
      if (by != nullptr) callbacks.emplace_back(&function, by);
    }
    for (const auto& [function, by] : callbacks) {
      add_calls(module, *function, work, *by);
      function->addFnAttr(kOnBehalfMark);
    }
  }
}

bool is_work_on_behalf(const llvm::Instruction& call) { return call.hasMetadata(kOnBehalfMark); }

bool has_work_on_behalf(const llvm::Function& function) { return function.hasFnAttribute(kOnBehalfMark); }

}  // namespace heddle::elyze
