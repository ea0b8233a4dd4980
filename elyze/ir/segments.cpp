#include "elyze/ir/segments.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "elyze/ir/symbols.hpp"

namespace heddle::elyze {
namespace {

// Words of assembly that mean a segment of the thread or its base (Intel, "Software Developer's Manual", volume 2).
constexpr std::array<llvm::StringLiteral, 11> kInAssembly = {
    "fs", "gs", "lfs", "lgs", "swapgs", "rdfsbase", "rdgsbase", "wrfsbase", "wrgsbase", "fsbase", "gsbase"};

bool elsewhere(const llvm::Type* type) {
  type = type->getScalarType();
  return type->isPointerTy() && type->getPointerAddressSpace() != 0;
}

bool elsewhere(const llvm::Value* value) { return elsewhere(value->getType()); }

bool names_segment(llvm::StringRef assembly) {
  const std::vector<std::string> words = words_of(assembly.lower());
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    llvm::StringRef bare = word;
    if (llvm::is_contained(kInAssembly, bare)) return true;
    return !bare.empty() && llvm::StringRef("lq").contains(bare.back()) &&  // a suffix for the size
           llvm::is_contained(kInAssembly, bare.drop_back());
  });
}

bool by_intrinsic(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::thread_pointer:
    case llvm::Intrinsic::x86_rdfsbase_32:
    case llvm::Intrinsic::x86_rdfsbase_64:
    case llvm::Intrinsic::x86_rdgsbase_32:
    case llvm::Intrinsic::x86_rdgsbase_64:
    case llvm::Intrinsic::x86_wrfsbase_32:
    case llvm::Intrinsic::x86_wrfsbase_64:
    case llvm::Intrinsic::x86_wrgsbase_32:
    case llvm::Intrinsic::x86_wrgsbase_64:
      return true;
    default:
      return false;
  }
}

// A call of a function of the program only passes the pointer on.
bool by_call(const llvm::CallBase& call) {
  if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return names_segment(assembly->getAsmString()) ||
           llvm::any_of(call.args(), [](const llvm::Use& use) { return elsewhere(use.get()); });
  if (llvm::isa<llvm::DbgInfoIntrinsic>(call)) return false;
  const auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  if (callee == nullptr || !callee->isDeclaration()) return false;
  return by_intrinsic(callee->getIntrinsicID()) ||
         llvm::any_of(call.args(), [](const llvm::Use& use) { return elsewhere(use.get()); });
}

bool is_access(const llvm::Instruction& at) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&at)) return by_call(*call);
  switch (at.getOpcode()) {
    case llvm::Instruction::Load:
    case llvm::Instruction::VAArg:
    case llvm::Instruction::AtomicCmpXchg:
    case llvm::Instruction::AtomicRMW:
      return elsewhere(at.getOperand(0));
    case llvm::Instruction::Store:
      return elsewhere(at.getOperand(1));
    case llvm::Instruction::AddrSpaceCast:
      return true;
    default:
      return false;
  }
}

// One function per type, with a number behind its name: a call of another type is one through a pointer.
llvm::FunctionCallee unknown_function(llvm::Module& module, llvm::FunctionType* type) {
  std::string name = kSegmentMemory.str();
  for (unsigned number = 1;; ++number) {
    const llvm::Function* other = module.getFunction(name);
    if (other == nullptr || other->getFunctionType() == type) return module.getOrInsertFunction(name, type);
    name = (kSegmentMemory + llvm::Twine(".") + llvm::Twine(number)).str();
  }
}

void replace(llvm::Module& module, llvm::Instruction& at) {
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&at)) {
    call->setAttributes({});  // what is said of the effects is said of another function
    call->setCalledFunction(unknown_function(module, call->getFunctionType()));
    return;
  }
  std::vector<llvm::Type*> types;
  for (const llvm::Use& operand : at.operands()) types.push_back(operand->getType());
  const llvm::FunctionCallee function = unknown_function(module, llvm::FunctionType::get(at.getType(), types, false));
  const std::vector<llvm::Value*> operands(at.op_begin(), at.op_end());
  auto* call = llvm::CallInst::Create(function, operands, "", at.getIterator());
  call->setDebugLoc(at.getDebugLoc());
  call->takeName(&at);
  at.replaceAllUsesWith(call);
  at.eraseFromParent();
}

}  // namespace

void replace_segments(llvm::Module& module) {
  std::vector<llvm::Instruction*> accesses;
  for (llvm::Function& function : module)
    for (llvm::Instruction& at : llvm::instructions(function))
      if (is_access(at)) accesses.push_back(&at);
  for (llvm::Instruction* at : accesses) replace(module, *at);
}

bool uses_segments(const llvm::Module& program) {
  return llvm::any_of(program,
                      [](const llvm::Function& function) { return function.getName().starts_with(kSegmentMemory); });
}

}  // namespace heddle::elyze
