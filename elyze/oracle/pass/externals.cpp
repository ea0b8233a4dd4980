#include "elyze/oracle/pass/externals.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace heddle::oracle {

using elyze::Effect;
using llvm::Value;

namespace {

constexpr std::array<std::string_view, 6> kLoops = {"event_base_dispatch", "event_base_loop", "event_dispatch",
                                                    "event_loop",          "ev_run",          "ev_loop"};

}  // namespace

bool Externals::is_loop(const llvm::Function& function) {
  return std::find(kLoops.begin(), kLoops.end(), std::string_view(function.getName())) != kLoops.end();
}

// One call of an external function, with builders for instructions before and after it.
class Externals::Around {
 public:
  Around(llvm::Module& module, llvm::CallBase& call, llvm::Constant* site, bool lock)
      : module_(module), call_(call), site_(site), lock_(lock), before_(&call) {}

  llvm::CallBase& call() { return call_; }
  // It takes a lock, or gives it back.
  bool lock() const { return lock_; }
  llvm::Constant* site() { return site_; }

  // Does the call name a number with which the condition holds? Where it names none, nothing is told.
  bool sure(const elyze::NumberCondition& condition) {
    if (condition.arg == elyze::kNoArgument) return true;
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(argument(condition.arg));
    return number != nullptr && condition.allows(number->getSExtValue());
  }
  // The argument as a pointer, a descriptor or a size; null if the call has none like that.
  Value* argument(int index) {
    // The place of the result is a hidden first one.
    if (index >= 0 && !call_.arg_empty() && call_.paramHasAttr(0, llvm::Attribute::StructRet)) ++index;
    return index >= 0 && static_cast<unsigned>(index) < call_.arg_size() ? call_.getArgOperand(index) : nullptr;
  }
  Value* pointer(int index) {
    Value* value = argument(index);
    return value != nullptr && value->getType()->isPointerTy() ? value : nullptr;
  }
  Value* number(llvm::IRBuilder<>& build, int index, unsigned bits, bool is_signed) {
    Value* value = argument(index);
    if (value == nullptr || !value->getType()->isIntegerTy()) return nullptr;
    return build.CreateIntCast(value, build.getIntNTy(bits), is_signed);
  }

  llvm::IRBuilder<>& before() { return before_; }
  // Null where no instruction can follow the call.
  llvm::IRBuilder<>* after() {
    if (!after_) {
      llvm::Instruction* next = call_.getNextNode();
      if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call_)) {
        if (invoke->getNormalDest()->getSinglePredecessor() == nullptr) return nullptr;
        next = &*invoke->getNormalDest()->getFirstInsertionPt();
      }
      if (next == nullptr || call_.isMustTailCall()) return nullptr;
      after_.emplace(next);
      after_->SetCurrentDebugLocation(call_.getDebugLoc());
    }
    return &*after_;
  }
  // A builder behind the call that runs only if the call has done what the effect says.
  llvm::IRBuilder<>* after_done(const Effect& effect) { return effect.undone ? after_success() : after(); }

  // A builder behind the call that runs only if it returned 0, where it returns an int.
  llvm::IRBuilder<>* after_success() {
    llvm::IRBuilder<>* plain = after();
    if (plain == nullptr || !call_.getType()->isIntegerTy(32)) return plain;
    if (!success_) {
      Value* good = plain->CreateICmpEQ(&call_, plain->getInt32(0));
      llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(good, &*plain->GetInsertPoint(), false);
      success_.emplace(then);
      success_->SetCurrentDebugLocation(call_.getDebugLoc());
    }
    return &*success_;
  }

  void tell(llvm::IRBuilder<>& build, const char* what, std::initializer_list<Value*> values) {
    std::vector<llvm::Type*> types;
    for (Value* value : values) types.push_back(value->getType());
    auto* type = llvm::FunctionType::get(build.getVoidTy(), types, false);
    build.CreateCall(module_.getOrInsertFunction(what, type), std::vector<Value*>(values));
  }

 private:
  llvm::Module& module_;
  llvm::CallBase& call_;
  llvm::Constant* site_;
  const bool lock_;
  llvm::IRBuilder<> before_;
  std::optional<llvm::IRBuilder<>> after_;
  std::optional<llvm::IRBuilder<>> success_;
};

namespace {

// Whether the spec says that the call writes these four bytes. Other places of a descriptor stand for what the library
// keeps elsewhere, and may lie behind the object.
bool writes_there(const elyze::Spec& spec, const Effect& stored) {
  return std::any_of(spec.effects.begin(), spec.effects.end(), [&](const Effect& effect) {
    return effect.op == Effect::Op::kWrite && effect.arg == stored.arg && effect.path.empty() &&
           effect.bytes >= stored.offset + 4;
  });
}

}  // namespace

Externals::Externals(llvm::Module& module, const elyze::Specs& specs, Sites& sites)
    : module_(module), specs_(specs), sites_(sites) {}

void Externals::instrument(llvm::CallBase& call) {
  const auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  if (callee == nullptr || !callee->isDeclaration() || call.isMustTailCall()) return;
  const elyze::Spec* spec = specs_.find(*callee);
  if (spec == nullptr) return;
  const Value* named = nullptr;
  for (const Effect& effect : spec->effects) {
    const bool is_memory = effect.op == Effect::Op::kRead || effect.op == Effect::Op::kWrite ||
                           effect.op == Effect::Op::kFree || effect.op == Effect::Op::kReach;
    if (named == nullptr && is_memory && effect.path.empty() && effect.arg >= 0 &&
        static_cast<unsigned>(effect.arg) < call.arg_size())
      named = call.getArgOperand(effect.arg);
  }
  using Kind = elyze::ThreadCondition::Kind;
  const bool lock = spec->thread_if.kind == Kind::kTakes || spec->thread_if.kind == Kind::kGives;
  Around around(module_, call, sites_.site(call, named), lock);
  const auto returns = [&](elyze::Result::Kind kind) {
    return std::any_of(spec->results.begin(), spec->results.end(),
                       [&](const elyze::Result& result) { return result.kind == kind; });
  };
  if (returns(elyze::Result::Kind::kFresh)) around.tell(around.before(), "heddle_oracle_allocates", {around.site()});
  callbacks(*spec, around);
  for (const Effect& effect : spec->effects)
    if (around.sure(effect.condition)) before(effect, around);
  if (is_loop(*callee)) {
    Value* base = around.pointer(0);
    if (base == nullptr) base = llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(module_.getContext()));
    around.tell(around.before(), "heddle_oracle_loop", {base});
    if (llvm::IRBuilder<>* build = around.after()) around.tell(*build, "heddle_oracle_loop_end", {});
  }
  if (returns(elyze::Result::Kind::kDescriptor) && call.getType()->isIntegerTy(32)) {
    if (llvm::IRBuilder<>* build = around.after()) around.tell(*build, "heddle_oracle_opened", {&call, around.site()});
  }
  // A function whose number is an argument again (dup) returns a descriptor of the same open file.
  for (const elyze::Result& result : spec->results) {
    if (result.kind != elyze::Result::Kind::kArgument || !call.getType()->isIntegerTy(32)) continue;
    llvm::IRBuilder<>* build = around.after();
    Value* from = build == nullptr ? nullptr : around.number(*build, result.arg, 32, true);
    if (from != nullptr) around.tell(*build, "heddle_oracle_same_file", {from, &call});
  }
  for (const Effect& effect : spec->effects)
    if (effect.op != Effect::Op::kStoreFresh || writes_there(*spec, effect)) after(effect, around);
}

// Tells the runtime which parameters the library makes anew for each call of a handler.
void Externals::callbacks(const elyze::Spec& spec, Around& around) {
  for (const elyze::Callback& callback : spec.callbacks) {
    if (callback.stored || callback.when != elyze::Callback::When::kLoop) continue;
    Value* function = around.pointer(callback.function);
    if (function == nullptr) continue;
    for (std::size_t index = 0; index < callback.parameters.size(); ++index) {
      if (callback.parameters[index].kind != elyze::Parameter::Kind::kFresh) continue;
      llvm::IRBuilder<>& build = around.before();
      around.tell(build, "heddle_oracle_fresh_parameter", {function, build.getInt32(static_cast<unsigned>(index))});
    }
  }
}

void Externals::touch(const Effect& effect, Around& around) {
  Value* at = around.pointer(effect.arg);
  if (at == nullptr) return;
  llvm::IRBuilder<>& build = around.before();
  Value* bytes = nullptr;
  if (effect.bytes_arg >= 0) bytes = around.number(build, effect.bytes_arg, 64, false);
  if (bytes == nullptr) bytes = build.getInt64(effect.bytes > 0 ? effect.bytes : 1);
  const bool writes = effect.op == Effect::Op::kWrite || effect.op == Effect::Op::kReach;
  if (writes && around.lock()) {  // those who wait for a lock do no harm to each other
    around.tell(build, "heddle_oracle_atomic", {at, bytes, build.getInt32(1), around.site()});
    return;
  }
  around.tell(build, writes ? "heddle_oracle_write" : "heddle_oracle_read", {at, bytes, around.site()});
}

void Externals::before(const Effect& effect, Around& around) {
  // Memory that the library reaches through pointers inside an argument is not logged.
  if (!effect.path.empty() || effect.steps > 0) return;
  const bool member = effect.beside.find("::") != std::string::npos;  // of a class, whose names are mangled
  if (!effect.beside.empty() && !member && module_.getNamedValue(effect.beside) == nullptr) return;
  llvm::IRBuilder<>& build = around.before();
  const auto flag = [&](bool set) { return build.getInt32(set ? 1 : 0); };
  switch (effect.op) {
    case Effect::Op::kRead:
    case Effect::Op::kWrite:
    case Effect::Op::kReach:
    case Effect::Op::kReachRead:
      if (effect.arg == elyze::kHiddenObject) {
        around.tell(build, "heddle_oracle_hidden",
                    {sites_.text(effect.name), flag(effect.op == Effect::Op::kReach), around.site()});
        break;
      }
      touch(effect, around);
      break;
    case Effect::Op::kReadFrom:
    case Effect::Op::kWriteFrom:
      for (unsigned index = static_cast<unsigned>(std::max(effect.arg, 0)); index < around.call().arg_size(); ++index) {
        Effect one;
        one.op = effect.op == Effect::Op::kReadFrom ? Effect::Op::kRead : Effect::Op::kWrite;
        one.arg = static_cast<int>(index);
        touch(one, around);
      }
      break;
    case Effect::Op::kFree:
      if (Value* at = around.pointer(effect.arg)) around.tell(build, "heddle_oracle_block_write", {at, around.site()});
      break;
    case Effect::Op::kHiddenWrite:
    case Effect::Op::kHiddenRead:
      if (effect.part || (effect.if_named && !specs_.names_variable(module_, effect.name))) break;
      if (effect.name == elyze::kVariables) break;  // what this file declares, another one of the program may define
      around.tell(build, "heddle_oracle_hidden",
                  {sites_.text(effect.name), flag(effect.op == Effect::Op::kHiddenWrite), around.site()});
      break;
    case Effect::Op::kDescriptorRead:
    case Effect::Op::kDescriptorWrite:
      if (Value* descriptor = around.number(build, effect.arg, 32, true))
        around.tell(build, "heddle_oracle_descriptor",
                    {descriptor, flag(effect.op == Effect::Op::kDescriptorWrite), around.site()});
      break;
    case Effect::Op::kCopy:
      // What the bytes that are sent point to can be received by others.
      if (Value* at = around.pointer(effect.other);
          at != nullptr && effect.arg == elyze::kHiddenObject && effect.path.empty()) {
        Value* bytes = around.number(build, effect.bytes_arg, 64, false);
        if (bytes == nullptr) bytes = build.getInt64(effect.bytes);
        around.tell(build, "heddle_oracle_publish_bytes", {at, bytes});
      }
      break;
    default:
      break;
  }
}

void Externals::after(const Effect& effect, Around& around) {
  switch (effect.op) {
    case Effect::Op::kPublish:
      if (Value* at = around.pointer(effect.arg))
        if (llvm::IRBuilder<>* build = around.after_done(effect)) around.tell(*build, "heddle_oracle_publish", {at});
      break;
    case Effect::Op::kPublishOwner:
      if (Value* at = around.pointer(effect.arg))
        if (llvm::IRBuilder<>* build = around.after_done(effect))
          around.tell(*build, "heddle_oracle_publish_owner", {at, build->getInt64(effect.offset)});
      break;
    case Effect::Op::kStore: {
      Value* value = around.pointer(effect.other);
      if (value == nullptr || effect.arg == elyze::kReturnedObject) break;
      if (effect.arg == elyze::kHiddenObject) {
        if (llvm::IRBuilder<>* build = around.after()) around.tell(*build, "heddle_oracle_publish", {value});
      } else if (Value* at = around.pointer(effect.arg)) {
        if (llvm::IRBuilder<>* build = around.after()) around.tell(*build, "heddle_oracle_stored", {at, value});
      }
      break;
    }
    case Effect::Op::kStoreFresh: {
      Value* at = around.pointer(effect.arg);
      if (at == nullptr || effect.other != 1) break;
      if (llvm::IRBuilder<>* build = around.after_success()) {
        Value* where = build->CreateConstGEP1_64(build->getInt8Ty(), at, effect.offset);
        around.tell(*build, "heddle_oracle_opened_at", {where, around.site()});
      }
      break;
    }
    case Effect::Op::kSame: {
      llvm::IRBuilder<>* build = around.after();
      if (build == nullptr) break;
      Value* a = around.number(*build, effect.arg, 32, true);
      Value* b = around.number(*build, effect.other, 32, true);
      if (a != nullptr && b != nullptr) around.tell(*build, "heddle_oracle_same_file", {a, b});
      break;
    }
    default:
      break;
  }
}

}  // namespace heddle::oracle
