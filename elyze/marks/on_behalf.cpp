#include "elyze/marks/on_behalf.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <string>
#include <vector>

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

bool fits_any(const std::vector<const Signature*>& types, const llvm::Function& function) {
  for (const Signature* type : types)
    if (type->fits(function)) return true;
  return false;
}

void add_calls(llvm::Module& module, llvm::Function& function, const std::string& work) {
  llvm::FunctionType* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), {}, true);
  const llvm::FunctionCallee callee = module.getOrInsertFunction(work, type);
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
  std::vector<llvm::ReturnInst*> returns;
  for (llvm::BasicBlock& block : function)
    if (auto* back = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) returns.push_back(back);
  llvm::DISubprogram* program = function.getSubprogram();
  for (llvm::ReturnInst* back : returns) {
    llvm::IRBuilder<> builder(back);
    std::vector<llvm::Value*> given = arguments;
    if (llvm::Value* result = back->getReturnValue()) given.push_back(result);
    llvm::CallInst* call = builder.CreateCall(callee, given);
    call->setMetadata(kOnBehalfMark, llvm::MDNode::get(module.getContext(), {}));
    call->setDebugLoc(llvm::DILocation::get(module.getContext(), program->getLine(), 0, program));
  }
}

}  // namespace

void add_work_on_behalf(llvm::Module& module, const Specs& specs) {
  for (const auto& [work, types] : known_work(module, specs)) {
    std::vector<llvm::Function*> callbacks;
    for (llvm::Function& function : module) {
      if (!function.isDeclaration() && function.hasAddressTaken() && function.getSubprogram() != nullptr &&
          !function.hasFnAttribute(kOnBehalfMark) && fits_any(types, function))
        callbacks.push_back(&function);
    }
    for (llvm::Function* function : callbacks) {
      add_calls(module, *function, work);
      function->addFnAttr(kOnBehalfMark);
    }
  }
}

bool is_work_on_behalf(const llvm::Instruction& call) { return call.hasMetadata(kOnBehalfMark); }

bool has_work_on_behalf(const llvm::Function& function) { return function.hasFnAttribute(kOnBehalfMark); }

}  // namespace heddle::elyze
