#include "elyze/effects/streams.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace heddle::elyze {
namespace {

constexpr int kMostCallers = 4;  // that a parameter is followed through

// A test for null, or a call that cannot do anything with null.
bool relies_on(const llvm::User& user) {
  if (const auto* test = llvm::dyn_cast<llvm::ICmpInst>(&user))
    return test->isEquality() && llvm::isa<llvm::ConstantPointerNull>(test->getOperand(1));
  const auto* use = llvm::dyn_cast<llvm::CallBase>(&user);
  const llvm::Function* callee = use == nullptr ? nullptr : use->getCalledFunction();
  return callee != nullptr && callee->isDeclaration() && !callee->isIntrinsic() &&
         !callee->getName().starts_with("fflush");
}

bool is_relied_on(const llvm::Value& value, const llvm::CallBase& call, const llvm::DominatorTree& before) {
  return std::any_of(value.user_begin(), value.user_end(), [&](const llvm::User* user) {
    return user != &call && relies_on(*user) && before.dominates(llvm::cast<llvm::Instruction>(user), &call);
  });
}

// A variable of one file that gets nothing but what the C library opens, which the program uses as a stream elsewhere.
bool always_opened(const llvm::GlobalVariable& variable) {
  bool opened = false;
  bool used = false;
  for (const llvm::User* user : variable.users()) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
        store != nullptr && store->getPointerOperand() == &variable) {
      const auto* opening = llvm::dyn_cast<llvm::CallBase>(store->getValueOperand());
      const llvm::Function* callee = opening == nullptr ? nullptr : opening->getCalledFunction();
      if (callee == nullptr || !callee->isDeclaration()) return false;
      opened = true;
    } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      used |= std::any_of(load->user_begin(), load->user_end(), [](const llvm::User* one) { return relies_on(*one); });
    } else {
      return false;
    }
  }
  return opened && used && variable.hasLocalLinkage();
}

bool is_known(const llvm::CallBase& call, const llvm::Value& stream, int depth) {
  if (llvm::isKnownNonZero(&stream, llvm::SimplifyQuery(call.getModule()->getDataLayout()))) return true;
  const llvm::DominatorTree before(const_cast<llvm::Function&>(*call.getFunction()));
  if (is_relied_on(stream, call, before)) return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&stream)) {
    const llvm::Value* place = load->getPointerOperand();
    const llvm::StringRef name = place->getName();
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(place);
    if (variable != nullptr && variable->isDeclaration() && (name == "stdout" || name == "stderr" || name == "stdin"))
      return true;
    if (variable != nullptr && always_opened(*variable)) return true;
    // Other looks at the same place: handlers do not run in the middle of this one.
    return std::any_of(place->user_begin(), place->user_end(), [&](const llvm::User* user) {
      const auto* look = llvm::dyn_cast<llvm::LoadInst>(user);
      return look != nullptr && look->getFunction() == call.getFunction() && is_relied_on(*look, call, before);
    });
  }
  const auto* formal = llvm::dyn_cast<llvm::Argument>(&stream);
  if (formal == nullptr || depth >= kMostCallers || !formal->getParent()->hasLocalLinkage()) return false;
  const llvm::Function& function = *formal->getParent();
  return std::all_of(function.use_begin(), function.use_end(), [&](const llvm::Use& use) {
    const auto* outer = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return outer != nullptr && outer->isCallee(&use) && formal->getArgNo() < outer->arg_size() &&
           is_known(*outer, *outer->getArgOperand(formal->getArgNo()), depth + 1);
  });
}

}  // namespace

bool surely_a_stream(const llvm::CallBase& call, const llvm::Value& stream) {
  const llvm::Function* callee = call.getCalledFunction();
  const bool takes_null = callee == nullptr || callee->getName().starts_with("fflush");
  return !takes_null || is_known(call, stream, 0);
}

}  // namespace heddle::elyze
