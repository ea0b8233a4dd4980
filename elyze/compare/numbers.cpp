#include "elyze/compare/numbers.hpp"

#include <llvm/ADT/SmallPtrSet.h>

#include <algorithm>
#include <tuple>

#include "elyze/ir/arrays.hpp"
#include "elyze/ir/values.hpp"

namespace heddle::elyze {
namespace {

// Does the value go only into comparisons, indices of arrays and narrow memory? Then no derivation that is used depends
// on its distance from what it was made of.
bool only_decides(const llvm::Value& value, llvm::SmallPtrSetImpl<const llvm::Value*>& seen) {
  if (!seen.insert(&value).second) return true;
  return std::all_of(value.use_begin(), value.use_end(), [&](const llvm::Use& use) {
    const llvm::User* user = use.getUser();
    if (llvm::isa<llvm::ICmpInst, llvm::SwitchInst, llvm::SIToFPInst, llvm::UIToFPInst>(user)) return true;
    if (llvm::isa<llvm::GetElementPtrInst>(user)) return use.getOperandNo() != 0;
    if (llvm::isa<llvm::StoreInst>(user)) return use.getOperandNo() == 0 && !carries(value.getType());
    if (llvm::isa<llvm::BinaryOperator, llvm::TruncInst, llvm::ZExtInst, llvm::SExtInst, llvm::PHINode,
                  llvm::SelectInst, llvm::FreezeInst>(user)) {
      return only_decides(*user, seen);
    }
    return false;
  });
}

bool in_arithmetic(const llvm::BinaryOperator& at, const llvm::ConstantInt& before, const llvm::ConstantInt& now) {
  const bool wide = at.getType()->isIntegerTy(64);
  switch (at.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub: {
      if (wide) return false;  // it may move a pointer
      llvm::SmallPtrSet<const llvm::Value*, 8> seen;
      return only_decides(at, seen);
    }
    case llvm::Instruction::And:
      return !wide || (before.getValue().ult(kSmallMask) == now.getValue().ult(kSmallMask) &&
                       before.getValue().ult(kMarks) == now.getValue().ult(kMarks));
    default:
      return true;
  }
}

}  // namespace

bool may_differ_as_compiled(const llvm::Instruction& at) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&at)) return !call->isInlineAsm();
  return llvm::isa<llvm::StoreInst, llvm::ICmpInst, llvm::SwitchInst, llvm::ReturnInst, llvm::PHINode, llvm::SelectInst,
                   llvm::BinaryOperator, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(at);
}

bool may_differ_prepared(const llvm::Instruction& at, unsigned index, const llvm::ConstantInt& before,
                         const llvm::ConstantInt& now, const NumbersRead& read) {
  if (llvm::isa<llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(at)) return true;
  // same_to_branches() judges the comparison as a whole.
  if (llvm::isa<llvm::ICmpInst>(at)) return index == 1;
  // In all that a result of fork() may come through, 0 stands for the child. One that is not negative may be the number
  // of an open file.
  if (llvm::isa<llvm::ReturnInst, llvm::PHINode, llvm::SwitchInst, llvm::SelectInst>(at)) {
    const bool condition = index == 0 && llvm::isa<llvm::SwitchInst, llvm::SelectInst>(at);
    return !condition && before.isZero() == now.isZero() && before.isNegative() == now.isNegative();
  }
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&at)) return in_arithmetic(*operation, before, now);
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
  if (call == nullptr || call->isInlineAsm() || is_array_mark(*call) || index >= call->arg_size()) return false;
  return !read.may_read(*call, index);
}

bool same_to_branches(const llvm::ICmpInst& before, const llvm::ICmpInst& now) {
  const auto* one = llvm::dyn_cast<llvm::ConstantInt>(before.getOperand(1));
  const auto* other = llvm::dyn_cast<llvm::ConstantInt>(now.getOperand(1));
  // Which of two addresses is the lower one may tell how deep the stack is.
  if (one == nullptr && before.isRelational() != now.isRelational()) return false;
  if (!llvm::isa<llvm::CallBase, llvm::PHINode, llvm::SelectInst>(before.getOperand(0))) return true;
  if (one == nullptr || other == nullptr) return one == other;
  const auto answers = [](const llvm::ICmpInst& test, const llvm::ConstantInt& number) {
    const bool of_success = test.isEquality() && number.isZero();
    const bool in_child =
        llvm::ICmpInst::compare(llvm::APInt::getZero(number.getBitWidth()), number.getValue(), test.getPredicate());
    return std::make_tuple(of_success, in_child);
  };
  return answers(before, *one) == answers(now, *other);
}

}  // namespace heddle::elyze
