#include "elyze/effects/thread_use.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <optional>

#include "elyze/effects/locks.hpp"
#include "elyze/ir/arrays.hpp"
#include "elyze/ir/assembly.hpp"
#include "elyze/ir/generated_calls.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/ir/symbols.hpp"

namespace heddle::elyze {
namespace {

constexpr ThreadUse kItself = ThreadUse::kItself;
constexpr const char* kReals = "arithmetic with real numbers";

bool real(const llvm::Type* type) { return type->isFPOrFPVectorTy(); }

bool any_real(const llvm::Instruction& at) {
  return real(at.getType()) ||
         std::any_of(at.op_begin(), at.op_end(), [](const llvm::Use& use) { return real(use->getType()); });
}

// Real numbers that are only carried about need no rounding mode.
bool computes_reals(const llvm::Instruction& at) {
  switch (at.getOpcode()) {
    case llvm::Instruction::Load:
    case llvm::Instruction::Store:
    case llvm::Instruction::PHI:
    case llvm::Instruction::Select:
    case llvm::Instruction::Call:
    case llvm::Instruction::Invoke:
    case llvm::Instruction::CallBr:
    case llvm::Instruction::Ret:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::FNeg:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::ExtractElement:
    case llvm::Instruction::InsertElement:
    case llvm::Instruction::ShuffleVector:
    case llvm::Instruction::ExtractValue:
    case llvm::Instruction::InsertValue:
      return false;
    default:
      return any_real(at);
  }
}

// Of the intrinsics that have no spec, because they touch no memory.
ThreadUse use_of_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  using namespace llvm;
  switch (id) {
    case Intrinsic::abs:
    case Intrinsic::bitreverse:
    case Intrinsic::bswap:
    case Intrinsic::ctlz:
    case Intrinsic::ctpop:
    case Intrinsic::cttz:
    case Intrinsic::expect:
    case Intrinsic::expect_with_probability:
    case Intrinsic::fshl:
    case Intrinsic::fshr:
    case Intrinsic::is_constant:
    case Intrinsic::is_fpclass:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::objectsize:
    case Intrinsic::ptr_annotation:
    case Intrinsic::sadd_sat:
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::smul_with_overflow:
    case Intrinsic::sshl_sat:
    case Intrinsic::ssub_sat:
    case Intrinsic::ssub_with_overflow:
    case Intrinsic::strip_invariant_group:
    case Intrinsic::threadlocal_address:  // the variable that it is the address of counts by itself
    case Intrinsic::uadd_sat:
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::ucmp:
    case Intrinsic::scmp:
    case Intrinsic::umax:
    case Intrinsic::umin:
    case Intrinsic::umul_with_overflow:
    case Intrinsic::ushl_sat:
    case Intrinsic::usub_sat:
    case Intrinsic::usub_with_overflow:
    case Intrinsic::vastart:
    case Intrinsic::vector_reduce_add:
    case Intrinsic::vector_reduce_and:
    case Intrinsic::vector_reduce_mul:
    case Intrinsic::vector_reduce_or:
    case Intrinsic::vector_reduce_smax:
    case Intrinsic::vector_reduce_smin:
    case Intrinsic::vector_reduce_umax:
    case Intrinsic::vector_reduce_umin:
    case Intrinsic::vector_reduce_xor:
      return ThreadUse::kNothing;
    case Intrinsic::copysign:
    case Intrinsic::fabs:
      return ThreadUse::kNothing;
    case Intrinsic::ceil:
    case Intrinsic::cos:
    case Intrinsic::exp:
    case Intrinsic::exp2:
    case Intrinsic::floor:
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
    case Intrinsic::fptosi_sat:
    case Intrinsic::fptoui_sat:
    case Intrinsic::ldexp:
    case Intrinsic::llrint:
    case Intrinsic::llround:
    case Intrinsic::log:
    case Intrinsic::log10:
    case Intrinsic::log2:
    case Intrinsic::lrint:
    case Intrinsic::lround:
    case Intrinsic::maximum:
    case Intrinsic::maxnum:
    case Intrinsic::minimum:
    case Intrinsic::minnum:
    case Intrinsic::nearbyint:
    case Intrinsic::pow:
    case Intrinsic::powi:
    case Intrinsic::rint:
    case Intrinsic::round:
    case Intrinsic::roundeven:
    case Intrinsic::sin:
    case Intrinsic::sqrt:
    case Intrinsic::trunc:
      return ThreadUse::kMode;
    default:
      return call.getCalledFunction()->isTargetIntrinsic() && any_real(call) && !call.mayReadOrWriteMemory()
                 ? ThreadUse::kMode
                 : kItself;
  }
}

// A thread-local variable that the value is, or is the address of a place in.
const llvm::GlobalValue* thread_local_of(const llvm::Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
  if (constant == nullptr) return nullptr;
  if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(constant)) {
    if (!global->isThreadLocal()) return nullptr;
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global);
    return variable != nullptr && variable->isConstant() ? nullptr : global;
  }
  for (const llvm::Use& operand : constant->operands())
    if (const llvm::GlobalValue* found = thread_local_of(*operand.get())) return found;
  return nullptr;
}

// A jmp_buf is an array, so the address of a variable comes by way of a mark.
bool is_local_variable(const llvm::Value* value) {
  value = llvm::getUnderlyingObject(value, 0);
  while (is_array_mark(*value))
    value = llvm::getUnderlyingObject(llvm::cast<llvm::CallBase>(value)->getArgOperand(0), 0);
  return llvm::isa<llvm::AllocaInst>(value);
}

// The global variable that the lock is, or is in; null: it may be any.
const llvm::Value* variable_behind(const llvm::Value& lock) {
  const llvm::Value* value = llvm::getUnderlyingObject(&lock, 0);
  while (is_array_mark(*value))
    value = llvm::getUnderlyingObject(llvm::cast<llvm::CallBase>(value)->getArgOperand(0), 0);
  return llvm::isa<llvm::GlobalVariable>(value) ? value : nullptr;
}

// Functions that take a lock in another way: pthread_mutex_trylock().
bool named_for_locks(llvm::StringRef name) {
  return name.starts_with("pthread_mutex_") || name.starts_with("pthread_rwlock_");
}

std::string name_of(const llvm::GlobalValue& global) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global.getAliaseeObject());
  return variable != nullptr ? source_name(*variable).name : global.getName().str();
}

}  // namespace

ThreadUses::ThreadUses(PointsTo& points_to, const CallGraph& calls) : points_to_(points_to), calls_(calls) {
  for (const llvm::Function& function : points_to.module) {
    const Spec* spec = function.isDeclaration() ? points_to.specs.find(function) : nullptr;
    if (spec == nullptr) continue;
    jumps_ |= spec->thread_if.kind == ThreadCondition::Kind::kWithin;
    throws_ |= spec->library == "libstdcxx" && (spec->resumes || function.doesNotReturn());
  }
}

void ThreadUses::add_external(const llvm::CallBase& call, const llvm::Function& callee,
                              std::vector<InstructionsUse>& found) {
  const Spec* spec = points_to_.specs.find(callee);
  InstructionsUse use{source_name(callee)};
  if (spec != nullptr) {
    use.use = holds(call, spec->thread_if) ? spec->thread : kItself;
    use.ties = tied_by(call, *spec);
  } else if (callee.isIntrinsic()) {
    use.use = use_of_intrinsic(call, callee.getIntrinsicID());
    if (use.use == kItself) use.ties = kItself;
    if (use.use == ThreadUse::kMode) use.name = kReals;
  } else {
    use.use = use.ties = kItself;
    use.name = unnumbered(use.name);
  }
  if (use.use != ThreadUse::kNothing) found.push_back(std::move(use));
}

ThreadUse ThreadUses::tied_by(const llvm::CallBase& call, const Spec& spec) {
  using Kind = ThreadCondition::Kind;
  const bool lock = spec.thread_if.kind == Kind::kTakes || spec.thread_if.kind == Kind::kGives;
  return lock && holds(call, spec.thread_if) ? ThreadUse::kNothing : spec.ties;
}

bool ThreadUses::holds(const llvm::CallBase& call, const ThreadCondition& condition) {
  using Kind = ThreadCondition::Kind;
  if (condition.kind == Kind::kNone) return true;
  if (condition.kind == Kind::kWithin) return jumps_stay_;
  const auto index = static_cast<unsigned>(condition.arg);
  if (index >= call.arg_size()) return false;
  const llvm::Value* value = call.getArgOperand(index);
  if (condition.kind == Kind::kLocal) return is_local_variable(value);
  if (condition.kind == Kind::kNumber) {
    const llvm::ConstantInt* number = points_to_.number(call, value);
    return number != nullptr && condition.numbers.contains(number->getSExtValue());
  }
  const llvm::Value& lock = *value->stripPointerCasts();
  return balanced(call, lock) && !may_be_left(lock);
}

bool ThreadUses::notes_place_elsewhere(const llvm::CallBase& call) const {
  for (const CallSite& site : calls_.at(call)) {
    for (const llvm::Function* external : site.externals) {
      const Spec* spec = points_to_.specs.find(*external);
      if (spec == nullptr || spec->thread_if.kind != ThreadCondition::Kind::kLocal) continue;
      const auto index = static_cast<unsigned>(spec->thread_if.arg);
      if (index >= call.arg_size() || !is_local_variable(call.getArgOperand(index))) return true;
    }
  }
  return false;
}

// A lock that may be left with its owner may be this one, unless both are variables of their own.
bool ThreadUses::may_be_left(const llvm::Value& lock) const {
  const llvm::Value* mine = variable_behind(lock);
  return std::any_of(left_.begin(), left_.end(),
                     [&](const llvm::Value* left) { return left == nullptr || mine == nullptr || left == mine; });
}

void ThreadUses::note_locks(const llvm::CallBase& call, bool loop_may_run) {
  for (const CallSite& site : calls_.at(call)) {
    for (const llvm::Function* external : site.externals) {
      const Spec* spec = points_to_.specs.find(*external);
      const bool pairs = spec != nullptr && (spec->thread_if.kind == ThreadCondition::Kind::kTakes ||
                                             spec->thread_if.kind == ThreadCondition::Kind::kGives);
      const bool others = (spec == nullptr || spec->thread == kItself) && named_for_locks(external->getName());
      if (!pairs && !others) continue;
      const auto direct = lock_call(call, points_to_.specs);
      if (direct && !loop_may_run && balanced(call, *direct->lock)) continue;
      const llvm::Value* lock = direct ? direct->lock : others && !call.arg_empty() ? call.getArgOperand(0) : nullptr;
      left_.insert(lock == nullptr ? nullptr : variable_behind(*lock));
    }
  }
}

bool ThreadUses::balanced(const llvm::CallBase& call, const llvm::Value& lock) {
  auto& known = balanced_[call.getFunction()];
  const auto [place, fresh] = known.try_emplace(&lock, false);
  const auto stays = [this](const llvm::Instruction& at) {
    const auto* other = llvm::dyn_cast<llvm::CallBase>(&at);
    return other == nullptr || !may_leave(*other);
  };
  if (fresh) place->second = elyze::balanced(*call.getFunction(), lock, points_to_.specs, stays);
  return place->second;
}

// May control leave the function at the call, and not with the process? Only a jump or an exception leads there.
bool ThreadUses::may_leave(const llvm::CallBase& call) const {
  if (call.isInlineAsm() || llvm::isa<llvm::DbgInfoIntrinsic>(call)) return false;
  const bool throws = throws_ && !llvm::isa<llvm::InvokeInst>(call) && !call.doesNotThrow();
  if (!jumps_ && !throws) return false;
  for (const CallSite& site : calls_.at(call)) {
    if (!site.bodies.empty() || site.outside) return true;
    for (const llvm::Function* external : site.externals) {
      const Spec* spec = points_to_.specs.find(*external);
      if (external->isIntrinsic() || (spec != nullptr && spec->ends >= 0)) continue;
      if (spec == nullptr || spec->resumes || call.doesNotReturn() || spec->library == "libstdcxx") return true;
    }
  }
  return false;
}

std::vector<InstructionsUse> ThreadUses::of(const llvm::Instruction& at) {
  std::vector<InstructionsUse> found;
  for (const llvm::Use& operand : at.operands())
    if (const llvm::GlobalValue* variable = thread_local_of(*operand.get()))
      found.push_back({name_of(*variable), kItself});
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
  const bool entry = &at == &at.getFunction()->getEntryBlock().front();
  for (const llvm::AttributeList& attributes : {entry ? at.getFunction()->getAttributes() : llvm::AttributeList(),
                                                call != nullptr ? call->getAttributes() : llvm::AttributeList()}) {
    const std::string unknown = unknown_attribute(attributes.getFnAttrs(), points_to_.module);
    if (!unknown.empty()) found.push_back({"attribute " + unknown, kItself, kItself});
  }
  if (computes_reals(at)) found.push_back({kReals, ThreadUse::kMode});
  if (call == nullptr || is_array_mark(*call) || llvm::isa<llvm::DbgInfoIntrinsic>(call)) return found;
  if (call->isInlineAsm()) {
    const auto* assembly = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
    if (!free_of_its_thread(*assembly)) found.push_back({"inline assembly", kItself, kItself});
    return found;
  }
  for (const CallSite& site : calls_.at(*call)) {
    if (site.outside) found.push_back({"function that unknown code gave", kItself, kItself});
    for (const llvm::Function* external : site.externals) add_external(*call, *external, found);
  }
  return found;
}

}  // namespace heddle::elyze
