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

bool gives_segment(const llvm::CallBase& call) {
  return llvm::any_of(call.args(), [](const llvm::Use& use) { return of_segment(*use->getType()); });
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

bool by_call(const llvm::CallBase& call) {
  if (llvm::isa<llvm::CallBrInst, llvm::DbgInfoIntrinsic>(call)) return false;
  if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return names_segment(assembly->getAsmString()) || gives_segment(call);
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  return intrinsic != nullptr && (by_intrinsic(intrinsic->getIntrinsicID()) || gives_segment(call));
}

bool is_access(const llvm::Instruction& at) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&at)) return by_call(*call);
  switch (at.getOpcode()) {
    case llvm::Instruction::Load:
    case llvm::Instruction::VAArg:
    case llvm::Instruction::AtomicCmpXchg:
    case llvm::Instruction::AtomicRMW:
      return of_segment(*at.getOperand(0)->getType());
    case llvm::Instruction::Store:
      return of_segment(*at.getOperand(1)->getType());
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

template <class Such>
void replace_all(llvm::Module& module, const Such& such) {
  std::vector<llvm::Instruction*> found;
  for (llvm::Function& function : module)
    for (llvm::Instruction& at : llvm::instructions(function))
      if (such(at)) found.push_back(&at);
  for (llvm::Instruction* at : found) replace(module, *at);
}

}  // namespace

bool of_segment(const llvm::Type& type) {
  const llvm::Type& one = *type.getScalarType();
  return one.isPointerTy() && one.getPointerAddressSpace() != 0;
}

bool names_segment(llvm::StringRef assembly) {
  const std::vector<std::string> words = words_of(assembly.lower());
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    const llvm::StringRef name = word;
    const bool sized = name.ends_with("l") || name.ends_with("q");  // an instruction's suffix for the size
    return llvm::is_contained(kInAssembly, name) || (sized && llvm::is_contained(kInAssembly, name.drop_back()));
  });
}

void replace_segments(llvm::Module& module) { replace_all(module, is_access); }

void replace_segments_given_away(llvm::Module& program) {
  replace_all(program, [](const llvm::Instruction& at) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
    if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call) || !gives_segment(*call)) return false;
    const auto* callee = llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
    return callee != nullptr && callee->isDeclaration();
  });
}

bool uses_segments(const llvm::Module& program) {
  return llvm::any_of(program,
                      [](const llvm::Function& function) { return function.getName().starts_with(kSegmentMemory); });
}

}  // namespace heddle::elyze
