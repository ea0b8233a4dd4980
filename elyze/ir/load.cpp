#include "elyze/ir/load.hpp"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <unordered_set>

#include "elyze/ir/arrays.hpp"
#include "elyze/ir/damage.hpp"
#include "elyze/ir/error.hpp"
#include "elyze/ir/kept_accesses.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/ir/segments.hpp"
#include "elyze/ir/symbols.hpp"
#include "elyze/ir/values.hpp"
#include "elyze/plugin/late_points.hpp"

namespace heddle::elyze {
namespace {

// Keeps LLVM's first complaint instead of printing it, so that it can become part of our one line.
struct KeepFirstError : llvm::DiagnosticHandler {
  explicit KeepFirstError(std::string& where) : text(where) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error && text.empty()) {
      llvm::raw_string_ostream stream(text);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }
  std::string& text;
};

// Fills a function without a body with a call of another one, which gets the same arguments.
void call_with_the_same(llvm::Function& function, llvm::IRBuilder<>& builder, llvm::Value* called) {
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
  llvm::CallInst* result = builder.CreateCall(function.getFunctionType(), called, arguments);
  const llvm::AttributeList attributes = function.getAttributes();
  result->setAttributes(attributes.removeFnAttributes(function.getContext()));
  if (function.getReturnType()->isVoidTy()) {
    builder.CreateRetVoid();
  } else {
    builder.CreateRet(result);
  }
}

// Replaces each ifunc, whose target a resolver chooses when the program is loaded, by a function that calls the
// resolver and then the function that the resolver returned. Variable arguments can't be passed on: a variadic ifunc
// becomes a function without bitcode.
void write_out_choices(llvm::Module& module) {
  for (llvm::GlobalIFunc& choice : llvm::make_early_inc_range(module.ifuncs())) {
    auto* type = llvm::cast<llvm::FunctionType>(choice.getValueType());
    llvm::Function* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "", module);
    function->takeName(&choice);
    if (!type->isVarArg() && choice.getResolverFunction() != nullptr) {
      function->setLinkage(choice.getLinkage());
      llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", function));
      llvm::Function* resolver = choice.getResolverFunction();
      resolver->addFnAttr(kRunByTheLoader);
      llvm::Value* chosen = builder.CreateCall(resolver->getFunctionType(), resolver, {});
      call_with_the_same(*function, builder, chosen);
    }
    choice.replaceAllUsesWith(function);
    choice.eraseFromParent();
  }
}

bool is_compared_with_null(const llvm::User& user) {
  return llvm::isa<llvm::ICmpInst>(user) && std::any_of(user.op_begin(), user.op_end(), [](const llvm::Use& operand) {
           return llvm::isa<llvm::ConstantPointerNull>(operand.get());
         });
}

// A library's function whose address is taken is called where others have the address: as a callback, a thread's start
// routine, a handler. There, only bodies are followed. So its address becomes that of a function that calls it.
// Variable arguments can't be passed on: a variadic function stays as it is, and is unknown code to whoever calls it
// back.
void give_bodies_to_addresses(llvm::Module& module) {
  std::vector<llvm::Function*> taken;
  for (llvm::Function& function : module) {
    const bool passable = function.isDeclaration() && !function.isIntrinsic() && !function.isVarArg();
    if (passable && is_taken(function)) taken.push_back(&function);
  }
  for (llvm::Function* function : taken) {
    llvm::Function* caller = llvm::Function::Create(function->getFunctionType(), llvm::GlobalValue::LinkOnceODRLinkage,
                                                    kCallerOf + function->getName(), module);
    caller->setAttributes(function->getAttributes().removeFnAttributes(module.getContext()));
    function->replaceUsesWithIf(caller, [](llvm::Use& use) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      const bool called = call != nullptr && call->isCallee(&use);
      return !called && !llvm::isa<llvm::Function>(use.getUser()) && !is_compared_with_null(*use.getUser());
    });
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", caller));
    call_with_the_same(*caller, builder, function);
  }
}

// The function without a spec that static chains are given to. Its type has no argument, for it takes any.
constexpr const char* kStaticChain = "__builtin_call_with_static_chain";

bool takes_chain(const llvm::Function* callee, unsigned index) {
  return callee != nullptr && callee->hasParamAttribute(index, llvm::Attribute::Nest);
}

// The same call without this argument.
void call_without(llvm::CallBase& call, unsigned index) {
  llvm::LLVMContext& context = call.getContext();
  std::vector<llvm::Value*> arguments;
  std::vector<llvm::AttributeSet> attributes;
  std::vector<llvm::Type*> types;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (i == index) continue;
    arguments.push_back(call.getArgOperand(i));
    attributes.push_back(call.getAttributes().getParamAttrs(i));
    if (i < call.getFunctionType()->getNumParams()) types.push_back(call.getFunctionType()->getParamType(i));
  }
  auto* type = llvm::FunctionType::get(call.getType(), types, call.getFunctionType()->isVarArg());
  llvm::CallBase* other = nullptr;
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    other = llvm::InvokeInst::Create(type, call.getCalledOperand(), invoke->getNormalDest(), invoke->getUnwindDest(),
                                     arguments, "", call.getIterator());
  } else {
    other = llvm::CallInst::Create(type, call.getCalledOperand(), arguments, "", call.getIterator());
  }
  other->setAttributes(llvm::AttributeList::get(context, call.getAttributes().getFnAttrs(),
                                                call.getAttributes().getRetAttrs(), attributes));
  other->setCallingConv(call.getCallingConv());
  other->copyMetadata(call);
  other->takeName(&call);
  call.replaceAllUsesWith(other);
  call.eraseFromParent();
}

// A static chain (`nest` in LLVM's Language Reference) is passed beside the arguments, in a register that no function
// of C or C++ looks at by itself. It would be counted as one of them, and each of the others as the next one. Unknown
// code gets it, for what the callee does with that register is not known.
void give_static_chains_away(llvm::Module& module) {
  std::vector<std::pair<llvm::CallBase*, unsigned>> found;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& at : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
      if (call == nullptr || llvm::isa<llvm::CallBrInst, llvm::IntrinsicInst>(call)) continue;
      const auto* callee = llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCastsAndAliases());
      for (unsigned i = 0; i < call->arg_size(); ++i) {
        if (!call->paramHasAttr(i, llvm::Attribute::Nest) || takes_chain(callee, i)) continue;
        found.emplace_back(call, i);
        break;  // a call has one
      }
    }
  }
  for (const auto& [call, index] : found) {
    llvm::Value* chain = call->getArgOperand(index);
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), {}, true);
    auto* given =
        llvm::CallInst::Create(module.getOrInsertFunction(kStaticChain, type), {chain}, "", call->getIterator());
    given->setDebugLoc(call->getDebugLoc());
    call_without(*call, index);
  }
}

// What returns a second time: a jump leads back behind the call, or a child has come back with its parent's stack.
// Clang says so of those that it knows as the library's: not with -fno-builtin, nor by another name (`asm("setjmp")`).
void mark_those_that_return_twice(llvm::Module& module) {
  for (const char* name : {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "savectx", "getcontext", "vfork"}) {
    if (llvm::Function* function = module.getFunction(name)) function->addFnAttr(llvm::Attribute::ReturnsTwice);
  }
}

// Is this byte of a value of this type, or a byte behind it in the same structure, the time of access of a file? As
// <bits/struct_stat.h> and <bits/types/struct_statx.h> count the fields.
bool is_access_time(llvm::Type* type, std::uint64_t byte, const llvm::DataLayout& layout) {
  while (true) {
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      type = array->getElementType();
      if (const std::uint64_t size = layout.getTypeAllocSize(type); size != 0) byte %= size;
      continue;
    }
    auto* structure = llvm::dyn_cast<llvm::StructType>(type);
    if (structure == nullptr || !structure->isSized() || byte >= layout.getTypeAllocSize(structure)) return false;
    const llvm::StructLayout* fields = layout.getStructLayout(structure);
    const unsigned field = fields->getElementContainingOffset(byte);
    const llvm::StringRef name = structure->isLiteral() ? "" : structure->getName();
    if (name.starts_with("struct.stat") && field == (name.starts_with("struct.statx") ? 12U : 11U)) return true;
    byte -= fields->getElementOffset(field);
    type = structure->getElementType(field);
  }
}

// Does an address lead to such a field, by its name or by its distance from what is known to be of such a type?
bool leads_to_access_time(const llvm::Value& address, const llvm::DataLayout& layout) {
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(&address); step != nullptr && step->getNumIndices() > 1) {
    std::vector<llvm::Value*> indices(step->idx_begin(), step->idx_end());
    for (llvm::Value*& index : indices) {  // which element of an array it is does not matter
      // Of a vector of addresses, each index may be a vector; that of a field is the same number in each lane.
      const auto* lanes = llvm::dyn_cast<llvm::Constant>(index);
      if (index->getType()->isVectorTy() && lanes != nullptr && lanes->getSplatValue() != nullptr)
        index = lanes->getSplatValue();
      if (!llvm::isa<llvm::ConstantInt>(index)) index = llvm::ConstantInt::get(index->getType()->getScalarType(), 0);
    }
    indices.front() = llvm::ConstantInt::get(indices.front()->getType(), 0);
    const std::int64_t byte = layout.getIndexedOffsetInType(step->getSourceElementType(), indices);
    if (byte >= 0 && is_access_time(step->getSourceElementType(), static_cast<std::uint64_t>(byte), layout))
      return true;
  }
  if (!address.getType()->isPointerTy()) return false;
  llvm::APInt distance(64, 0);
  const llvm::Value* base = address.stripAndAccumulateConstantOffsets(layout, distance, true);
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(base);
  const auto* local = llvm::dyn_cast<llvm::AllocaInst>(base);
  llvm::Type* type = variable != nullptr ? variable->getValueType()
                     : local != nullptr  ? local->getAllocatedType()
                                         : nullptr;
  return type != nullptr && base != &address && !distance.isNegative() &&
         is_access_time(type, distance.getZExtValue(), layout);
}

// stat(2), statx(2): st_atim, stx_atime. The passes of Preparation turn names of fields into numbers of bytes. Who
// copies the whole structure to where no field is named, or counts bytes from a parameter, is not seen.
bool names_access_times(const llvm::Module& program) {
  const llvm::DataLayout& layout = program.getDataLayout();
  for (const llvm::Function& function : program) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (leads_to_access_time(instruction, layout)) return true;
      for (const llvm::Use& use : instruction.operands())
        if (llvm::isa<llvm::ConstantExpr>(use.get()) && leads_to_access_time(*use.get(), layout)) return true;
    }
  }
  return std::any_of(program.global_begin(), program.global_end(), [&](const llvm::GlobalVariable& variable) {
    if (!variable.hasInitializer()) return false;
    std::vector<const llvm::Constant*> work{variable.getInitializer()};
    std::unordered_set<const llvm::Constant*> seen;
    while (!work.empty()) {
      const llvm::Constant* one = work.back();
      work.pop_back();
      if (llvm::isa<llvm::ConstantExpr>(one) && leads_to_access_time(*one, layout)) return true;
      for (const llvm::Use& use : one->operands()) {
        const auto* part = llvm::dyn_cast<llvm::Constant>(use.get());
        if (part != nullptr && !llvm::isa<llvm::GlobalValue>(part) && seen.insert(part).second) work.push_back(part);
      }
    }
    return false;
  });
}

}  // namespace

std::unique_ptr<llvm::Module> read_module(llvm::LLVMContext& context, const std::string& file) {
  if (!llvm::sys::fs::exists(file)) throw InputError(file + ": no such file: give the program's LLVM bitcode");
  const DamageGuard guard(file);
  llvm::SMDiagnostic problem;
  std::string complaint;
  context.setDiagnosticHandler(std::make_unique<KeepFirstError>(complaint));
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file, problem, context);
  context.setDiagnosticHandler(nullptr);
  if (!module) {
    throw InputError(file + ": not LLVM 19 bitcode (" + problem.getMessage().str() +
                     "): make it with clang-19 -g -O0 -Xclang -disable-O0-optnone -emit-llvm -c");
  }
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*module, &stream)) {
    throw InputError(file + ": malformed bitcode (" + broken.substr(0, broken.find('\n')) + "): build it again");
  }
  write_out_choices(*module);
  give_static_chains_away(*module);
  give_bodies_to_addresses(*module);
  join_labelled_names(*module);
  mark_those_that_return_twice(*module);
  return module;
}

Modules read_program(llvm::LLVMContext& context, const std::vector<std::string>& files) {
  if (files.empty()) throw InputError("no bitcode given: name the files that make up the program");
  Modules modules;
  modules.reserve(files.size());
  bool described = false;
  for (const std::string& file : files) {
    modules.push_back(read_module(context, file));
    const llvm::NamedMDNode* units = modules.back()->getNamedMetadata("llvm.dbg.cu");
    // The body of a late point calls the runtime, which is no effect of the program.
    if (llvm::Function* point = modules.back()->getFunction(late::kLatePoint); point != nullptr) {
      point->deleteBody();
      point->setComdat(nullptr);
    }
    described |= units != nullptr && units->getNumOperands() != 0;
  }
  if (!described) throw InputError(files.front() + ": no debug information in the bitcode: compile with -g");
  if (modules.front()->getDataLayout().getPointerSizeInBits() != 64) {
    throw InputError(files.front() + ": not a 64-bit program: only 64-bit targets are supported");
  }
  return modules;
}

std::unique_ptr<llvm::Module> link(Modules modules, const std::vector<std::string>& files) {
  std::string first_error;
  llvm::LLVMContext& context = modules.front()->getContext();
  context.setDiagnosticHandler(std::make_unique<KeepFirstError>(first_error));
  std::unique_ptr<llvm::Module> program = std::move(modules.front());
  llvm::Linker linker(*program);  // one for all files: making it walks the whole program
  for (std::size_t i = 1; i < modules.size(); ++i) {
    const DamageGuard guard(files[i]);
    if (linker.linkInModule(std::move(modules[i]))) {
      throw InputError(files[i] + ": does not link with the other files (" + first_error +
                       "): give each file of one program once");
    }
  }
  context.setDiagnosticHandler(nullptr);
  mark_defined_by_assembly(*program);
  mark_run_by_the_loader(*program);
  replace_segments_given_away(*program);
  return program;
}

Preparation::Preparation() {
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules_);
  builder.registerCGSCCAnalyses(sccs_);
  builder.registerFunctionAnalyses(functions_);
  builder.registerLoopAnalyses(loops_);
  builder.crossRegisterProxies(loops_, functions_, sccs_, modules_);
  llvm::cantFail(builder.parsePassPipeline(values_, "function(sroa)"));
  llvm::cantFail(builder.parsePassPipeline(passes_, "function(early-cse,simplifycfg,instcombine<no-verify-fixpoint>)"));
}

void Preparation::run(llvm::Module& module) {
  if (names_access_times(module)) module.getOrInsertNamedMetadata(kNamesAccessTimes);
  replace_segments(module);
  mark_arrays(module);
  KeptAnswers answers(module);
  values_.run(module, modules_);
  KeptAccesses kept(module);
  modules_.clear();
  passes_.run(module, modules_);
  kept.restore();
  answers.restore();
  modules_.clear();
}

}  // namespace heddle::elyze
