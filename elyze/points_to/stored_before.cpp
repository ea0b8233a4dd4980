#include "elyze/points_to/stored_before.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "elyze/ir/addresses.hpp"
#include "elyze/ir/values.hpp"

namespace heddle::elyze {
namespace {

using StoreOp = Effect::Op;

constexpr std::size_t kMostBlocksBefore = 256;

const Spec* spec_of(const llvm::CallBase& call, const Specs& specs) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee == nullptr || !callee->isDeclaration() ? nullptr : specs.find(*callee);
}

// The argument's number as the source has them; negative for the place of the result.
int index_of(const llvm::CallBase& call, unsigned operand) {
  return static_cast<int>(operand) - (returns_by_address(call) ? 1 : 0);
}

bool only_marks(const llvm::User& user) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
  return intrinsic != nullptr && (intrinsic->isLifetimeStartOrEnd() || llvm::isa<llvm::DbgInfoIntrinsic>(intrinsic));
}

// Does the function forget the address that it is given as this argument?
bool forgets(const Spec& spec, int index, const llvm::CallBase& call) {
  const auto passes = [&](const Effect::Actual& actual) { return actual.arg == index; };
  const bool kept = std::any_of(spec.effects.begin(), spec.effects.end(), [&](const Effect& effect) {
    const bool stores = effect.op == StoreOp::kStore || effect.op == StoreOp::kKeep;
    return (stores && effect.other == index && effect.value_path.empty()) ||
           ((effect.op == StoreOp::kPublish || effect.op == StoreOp::kPublishOwner || effect.op == StoreOp::kCall ||
             effect.op == StoreOp::kCallReachable) &&
            effect.arg == index) ||
           std::any_of(effect.actuals.begin(), effect.actuals.end(), passes);
  });
  const bool returned =
      !call.use_empty() && std::any_of(spec.results.begin(), spec.results.end(), [&](const Result& result) {
        return (result.kind == Result::Kind::kArgument || result.kind == Result::Kind::kInside) && result.arg == index;
      });
  const bool handed = std::any_of(spec.callbacks.begin(), spec.callbacks.end(), [&](const Callback& callback) {
    return callback.event == index ||
           std::any_of(callback.parameters.begin(), callback.parameters.end(), [&](const Parameter& parameter) {
             return parameter.kind == Parameter::Kind::kArgument && parameter.arg == index;
           });
  });
  return !kept && !returned && !handed;
}

class LastStores {
 public:
  LastStores(const llvm::AllocaInst& variable, std::int64_t at, PointsTo& points_to)
      : variable_(variable), at_(at), points_to_(points_to), layout_(variable.getModule()->getDataLayout()) {}

  std::optional<std::vector<const llvm::Value*>> before(const llvm::CallBase& call) {
    if (call.getFunction()->callsFunctionThatReturnsTwice() || !known_here_alone()) return std::nullopt;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
    std::vector<std::pair<const llvm::BasicBlock*, const llvm::Instruction*>> work{{call.getParent(), &call}};
    while (!work.empty()) {
      const auto [block, end] = work.back();
      work.pop_back();
      const llvm::Instruction* at = end == nullptr ? &block->back() : end->getPrevNode();
      Step step = Step::kOn;
      for (; at != nullptr && step == Step::kOn; at = at->getPrevNode()) step = look(*at);
      if (step == Step::kStored) continue;
      if (step == Step::kUnknown || llvm::pred_empty(block) || seen.size() > kMostBlocksBefore) return std::nullopt;
      for (const llvm::BasicBlock* before : llvm::predecessors(block))
        if (seen.insert(before).second) work.emplace_back(before, nullptr);
    }
    return std::move(found_);
  }

 private:
  enum class Step : std::uint8_t { kOn, kStored, kUnknown };

  // Is the variable's address nowhere but in this function?
  bool known_here_alone() const {
    std::vector<const llvm::Value*> work{&variable_};
    while (!work.empty()) {
      const llvm::Value* address = work.back();
      work.pop_back();
      for (const llvm::Use& use : address->uses()) {
        const llvm::User* user = use.getUser();
        if (llvm::isa<llvm::GetElementPtrInst>(user)) {
          work.push_back(user);
        } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
          if (store->getValueOperand() == address) return false;
        } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
          if (only_marks(*call) || llvm::isa<llvm::MemIntrinsic>(call)) continue;
          const Spec* spec = spec_of(*call, points_to_.specs);
          if (spec == nullptr || !call->isArgOperand(&use)) return false;
          if (!forgets(*spec, index_of(*call, call->getArgOperandNo(&use)), *call)) return false;
        } else if (!llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user)) {
          return false;
        }
      }
    }
    return true;
  }

  // How far from the variable's start the address is; none if it is not in the variable. kFar: somewhere in it.
  std::optional<std::int64_t> distance(const llvm::Value* address) const {
    llvm::APInt offset(64, 0);
    if (address->stripAndAccumulateConstantOffsets(layout_, offset, true) == &variable_) return offset.getSExtValue();
    if (address->getType()->isPointerTy() && llvm::getUnderlyingObject(address, 0) == &variable_) return kSomewhere;
    return std::nullopt;
  }

  bool apart(std::int64_t from, std::int64_t bytes) const {
    return from != kSomewhere && (from >= at_ + kPointerBytes || (bytes >= 0 && from + bytes <= at_));
  }

  Step look(const llvm::Instruction& at) {
    if (&at == &variable_) return Step::kUnknown;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&at)) return look_at_store(*store);
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
    if (call == nullptr) return Step::kOn;
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call); intrinsic && only_marks(*intrinsic))
      return intrinsic->isLifetimeStartOrEnd() && distance(intrinsic->getArgOperand(1)) ? Step::kUnknown : Step::kOn;
    if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(call)) return look_at_memory(*memory);
    for (unsigned i = 0; i < call->arg_size(); ++i) {
      const auto from = distance(call->getArgOperand(i));
      if (from && changes(*call, index_of(*call, i), *from)) return Step::kUnknown;
    }
    return Step::kOn;
  }

  Step look_at_store(const llvm::StoreInst& store) {
    const auto from = distance(store.getPointerOperand());
    if (!from) return Step::kOn;
    const auto bytes =
        static_cast<std::int64_t>(layout_.getTypeStoreSize(store.getValueOperand()->getType()).getKnownMinValue());
    if (apart(*from, bytes)) return Step::kOn;
    if (*from != at_ || !store.getValueOperand()->getType()->isPointerTy()) return Step::kUnknown;
    found_.push_back(store.getValueOperand());
    return Step::kStored;
  }

  Step look_at_memory(const llvm::MemIntrinsic& memory) {
    const auto from = distance(memory.getDest());
    if (!from) return Step::kOn;
    const llvm::ConstantInt* length = points_to_.number(memory, memory.getLength());
    const std::int64_t bytes = length == nullptr ? -1 : length->getSExtValue();
    if (apart(*from, bytes)) return Step::kOn;
    if (*from == kSomewhere || *from > at_ || *from + bytes < at_ + kPointerBytes) return Step::kUnknown;
    llvm::Type* pointer = llvm::PointerType::getUnqual(memory.getContext());
    if (const auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&memory)) {
      const llvm::ConstantInt* value = points_to_.number(memory, fill->getValue());
      if (value == nullptr || !value->isZero()) return Step::kUnknown;
      found_.push_back(llvm::Constant::getNullValue(pointer));
      return Step::kStored;
    }
    llvm::APInt offset(64, 0);
    const auto* source = llvm::dyn_cast<llvm::GlobalVariable>(
        llvm::cast<llvm::MemTransferInst>(memory).getSource()->stripAndAccumulateConstantOffsets(layout_, offset,
                                                                                                 true));
    if (source == nullptr || !source->isConstant() || !source->hasDefinitiveInitializer()) return Step::kUnknown;
    const llvm::APInt there = offset + static_cast<std::uint64_t>(at_ - *from);
    const llvm::Constant* value = llvm::ConstantFoldLoadFromConst(const_cast<llvm::Constant*>(source->getInitializer()),
                                                                  pointer, there, layout_);  // NOLINT
    if (value == nullptr) return Step::kUnknown;
    found_.push_back(value);
    return Step::kStored;
  }

  // May the function write to the place, if this argument points there?
  bool changes(const llvm::CallBase& call, int index, std::int64_t from) const {
    const Spec* spec = spec_of(call, points_to_.specs);
    if (spec == nullptr || index < 0) return true;
    return std::any_of(spec->effects.begin(), spec->effects.end(), [&](const Effect& effect) {
      if (effect.op == StoreOp::kWriteFrom) return effect.arg <= index;
      if (effect.op == StoreOp::kReadFrom) return effect.arg <= index && from <= at_;  // %n
      if (effect.arg != index) return false;
      if (effect.op == StoreOp::kWrite) return !apart(from, effect.bytes > 0 ? effect.bytes : -1);
      return effect.op != StoreOp::kRead && effect.op != StoreOp::kReachRead;
    });
  }

  static constexpr std::int64_t kSomewhere = std::int64_t{1} << 40;

  const llvm::AllocaInst& variable_;
  std::int64_t at_;
  PointsTo& points_to_;
  const llvm::DataLayout& layout_;
  std::vector<const llvm::Value*> found_;
};

}  // namespace

std::optional<std::vector<const llvm::Value*>> stored_before(const llvm::CallBase& call, const llvm::Value* address,
                                                             std::int64_t offset, PointsTo& points_to) {
  if (address == nullptr || !address->getType()->isPointerTy()) return std::nullopt;
  const llvm::DataLayout& layout = call.getModule()->getDataLayout();
  llvm::APInt distance(64, static_cast<std::uint64_t>(offset), true);
  const auto* variable =
      llvm::dyn_cast<llvm::AllocaInst>(address->stripAndAccumulateConstantOffsets(layout, distance, true));
  if (variable == nullptr || variable->getFunction() != call.getFunction()) return std::nullopt;
  return LastStores(*variable, distance.getSExtValue(), points_to).before(call);
}

}  // namespace heddle::elyze
