#include "elyze/scratch/flow.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "elyze/ir/arrays.hpp"
#include "elyze/scratch/texts.hpp"

namespace heddle::elyze {
namespace {

bool passes_by_value(const llvm::CallBase& call, unsigned argument) {
  for (const auto kind : {llvm::Attribute::ByVal, llvm::Attribute::StructRet, llvm::Attribute::InAlloca,
                          llvm::Attribute::Preallocated, llvm::Attribute::SwiftError})
    if (call.paramHasAttr(argument, kind)) return true;
  return false;
}

// The number of bytes that the effect names at this call.
std::optional<std::int64_t> bytes_of(const PointsTo& points_to, const llvm::CallBase& call, const Effect& effect) {
  if (effect.bytes > 0) return effect.bytes;
  if (effect.bytes_arg < 0 || static_cast<unsigned>(effect.bytes_arg) >= call.arg_size()) return std::nullopt;
  const llvm::ConstantInt* number = points_to.number(call, call.getArgOperand(static_cast<unsigned>(effect.bytes_arg)));
  if (number == nullptr || number->getValue().getActiveBits() > 40) return std::nullopt;
  return static_cast<std::int64_t>(number->getZExtValue());
}

}  // namespace

ScratchFlow::ScratchFlow(const Analysis& analysis, const std::vector<const llvm::GlobalVariable*>& objects)
    : analysis_(analysis) {
  for (const llvm::GlobalVariable* object : objects) follow(object);
  do {
    changed_ = false;
    for (std::size_t i = 0; i < followed_.size(); ++i) scan(followed_[i]);
  } while (changed_);
}

void ScratchFlow::follow(Followed one) {
  if (!known_.insert(one).second) return;
  followed_.push_back(one);
  changed_ = true;
}

const llvm::Function* ScratchFlow::body(const llvm::CallBase& call) const {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || callee->isDeclaration() || callee->getFunctionType() != call.getFunctionType())
    return nullptr;
  const std::vector<CallSite>& sites = analysis_.calls.at(call);
  const bool alone = sites.size() == 1 && sites[0].callback == nullptr && sites[0].externals.empty() &&
                     !sites[0].outside && sites[0].bodies.size() == 1 && sites[0].bodies[0] == callee;
  return alone ? callee : nullptr;
}

const llvm::Function* ScratchFlow::external(const llvm::CallBase& call) const {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration() || callee->isIntrinsic()) return nullptr;
  for (const CallSite& site : analysis_.calls.at(call)) {
    const bool itself =
        site.bodies.empty() && !site.outside && site.externals.size() == 1 && site.externals[0] == callee;
    if (site.callback == nullptr && !itself) return nullptr;
  }
  return analysis_.points_to.specs.find(*callee) != nullptr ? callee : nullptr;
}

bool ScratchFlow::calls_back(const llvm::CallBase& call) const {
  const std::vector<CallSite>& sites = analysis_.calls.at(call);
  return std::any_of(sites.begin(), sites.end(), [](const CallSite& site) {
    return site.callback != nullptr && (site.outside || !site.bodies.empty() || !site.externals.empty());
  });
}

bool ScratchFlow::called_by_name_only(const llvm::Function& function) const {
  return function.hasLocalLinkage() && std::all_of(function.use_begin(), function.use_end(), [&](const llvm::Use& use) {
           const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
           return call != nullptr && call->isCallee(&use) && body(*call) == &function;
         });
}

// ---- where a pointer may point ----

FollowedPlaces ScratchFlow::places(const llvm::Value* pointer) const {
  FollowedPlaces found;
  const auto known = derived_.find(pointer);
  if (known == derived_.end()) {
    found.other = true;
    return found;
  }
  if (const auto exact = place_of(pointer); exact && known->second.size() == 1) {
    found.list.push_back(*exact);
    return found;
  }
  for (const Followed one : known->second) found.list.push_back({one, 0, false});
  found.other = true;
  return found;
}

// Back over moves by known distances, and functions that return what they were given.
std::optional<FollowedPlace> ScratchFlow::place_of(const llvm::Value* pointer, unsigned depth) const {
  constexpr unsigned kMostSteps = 64;
  if (depth > kMostSteps) return std::nullopt;
  if (known_.contains(pointer)) return FollowedPlace{pointer, 0, true};
  const auto moved = [](std::optional<FollowedPlace> place, std::int64_t distance) {
    if (place) place->offset += distance;
    return place;
  };
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    const llvm::DataLayout& layout = analysis_.points_to.module.getDataLayout();
    llvm::APInt distance(layout.getIndexTypeSizeInBits(step->getType()), 0);
    if (!step->accumulateConstantOffset(layout, distance)) return std::nullopt;
    return moved(place_of(step->getPointerOperand(), depth + 1), distance.getSExtValue());
  }
  if (const auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(pointer)) return place_of(frozen->getOperand(0), depth + 1);
  const auto* call = llvm::dyn_cast<llvm::CallBase>(pointer);
  if (call != nullptr && is_array_mark(*call)) return place_of(call->getArgOperand(0), depth + 1);
  const llvm::Function* callee = call == nullptr ? nullptr : body(*call);
  if (callee == nullptr) return std::nullopt;
  const llvm::Value* returned = nullptr;
  for (const llvm::BasicBlock& block : *callee) {
    const auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (end == nullptr) continue;
    if (returned != nullptr && returned != end->getReturnValue()) return std::nullopt;
    returned = end->getReturnValue();
  }
  const auto place = returned == nullptr ? std::nullopt : place_of(returned, depth + 1);
  if (!place) return std::nullopt;
  const auto* formal = llvm::dyn_cast<llvm::Argument>(place->of);
  if (formal == nullptr) return place;
  if (formal->getParent() != callee) return std::nullopt;
  return moved(place_of(call->getArgOperand(formal->getArgNo()), depth + 1), place->offset);
}

// ---- what is done with an address ----

// Looks at everything that is made of the address, in all functions in which it has the same name.
void ScratchFlow::scan(Followed one) {
  llvm::SmallPtrSet<const llvm::Value*, 16> seen{one};
  std::vector<const llvm::Value*> work{one};
  while (!work.empty() && !kept_.contains(one)) {
    const llvm::Value* value = work.back();
    work.pop_back();
    auto& derived = derived_[value];
    if (std::find(derived.begin(), derived.end(), one) == derived.end()) {
      derived.push_back(one);
      changed_ = true;
    }
    std::vector<const llvm::Value*> next;
    for (const llvm::Use& use : value->uses()) scan_use(one, use, next);
    for (const llvm::Value* further : next)
      if (seen.insert(further).second) work.push_back(further);
  }
}

void ScratchFlow::scan_use(Followed one, const llvm::Use& use, std::vector<const llvm::Value*>& work) {
  const llvm::User* user = use.getUser();
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(user)) {
    if (step->getType()->isPointerTy() && use.getOperandNo() == 0) {
      work.push_back(user);
    } else {
      keep(one);
    }
  } else if (llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(user)) {
    work.push_back(user);
  } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
    if (load->isAtomic()) keep(one);
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
    if (store->isAtomic() || use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex()) keep(one);
  } else if (llvm::isa<llvm::PtrToIntOperator>(user)) {
    if (!is_difference(*user)) keep(one);
  } else if (llvm::isa<llvm::ICmpInst>(user)) {
    return;
  } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user); call != nullptr && call->isArgOperand(&use)) {
    scan_call(one, *call, call->getArgOperandNo(&use), work);
  } else if (const auto* end = llvm::dyn_cast<llvm::ReturnInst>(user)) {
    scan_return(one, *end->getFunction(), work);
  } else {
    keep(one);
  }
}

// Is the number only ever taken from another address of the same object?
bool ScratchFlow::is_difference(const llvm::Value& number) const {
  const auto only = [&](const llvm::Value* value) -> Followed {
    const auto* made = llvm::dyn_cast<llvm::PtrToIntOperator>(value);
    if (made == nullptr) return nullptr;
    const FollowedPlaces from = places(made->getPointerOperand());
    return from.list.size() == 1 && !from.other ? from.list[0].of : nullptr;
  };
  return std::all_of(number.user_begin(), number.user_end(), [&](const llvm::User* user) {
    const auto* difference = llvm::dyn_cast<llvm::BinaryOperator>(user);
    if (difference == nullptr || difference->getOpcode() != llvm::Instruction::Sub) return false;
    const Followed from = only(difference->getOperand(0));
    return from != nullptr && from == only(difference->getOperand(1));
  });
}

void ScratchFlow::scan_call(Followed one, const llvm::CallBase& call, unsigned argument,
                            std::vector<const llvm::Value*>& work) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    const bool harmless = llvm::isa<llvm::MemIntrinsic, llvm::DbgInfoIntrinsic>(intrinsic) ||
                          intrinsic->getIntrinsicID() == llvm::Intrinsic::lifetime_start ||
                          intrinsic->getIntrinsicID() == llvm::Intrinsic::lifetime_end;
    if (!harmless) keep(one);
    return;
  }
  if (is_array_mark(call)) {
    work.push_back(&call);
    return;
  }
  if (const llvm::Function* callee = body(call)) {
    if (argument >= callee->arg_size() || passes_by_value(call, argument)) {
      keep(one);
      return;
    }
    const llvm::Argument* formal = callee->getArg(argument);
    follow(formal);
    if (kept_.contains(formal)) keep(one);
    if (returned_.contains(formal)) work.push_back(&call);
    return;
  }
  if (external(call) == nullptr || passes_by_value(call, argument) || use(call, argument).keeps) {
    keep(one);
    return;
  }
  const auto& results = analysis_.points_to.specs.find(*call.getCalledFunction())->results;
  if (std::any_of(results.begin(), results.end(), [&](const Result& result) {
        return (result.kind == Result::Kind::kArgument || result.kind == Result::Kind::kInside) &&
               result.arg == static_cast<int>(argument);
      }))
    work.push_back(&call);
}

void ScratchFlow::scan_return(Followed one, const llvm::Function& function, std::vector<const llvm::Value*>& work) {
  if (const auto* formal = llvm::dyn_cast<llvm::Argument>(one); formal != nullptr && formal->getParent() == &function) {
    changed_ |= returned_.insert(formal).second;
    return;
  }
  for (const llvm::Use& use : function.uses()) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (call == nullptr || !call->isCallee(&use) || body(*call) != &function) {
      keep(one);
      return;
    }
    work.push_back(call);
  }
}

ArgumentUse ScratchFlow::use(const llvm::CallBase& call, unsigned argument) const {
  ArgumentUse found;
  const Spec& spec = *analysis_.points_to.specs.find(*call.getCalledFunction());
  const int number = static_cast<int>(argument);
  const auto reads = [&](std::optional<std::int64_t> bytes) {
    if (found.reads && (!found.bytes || !bytes || *found.bytes < *bytes)) found.bytes = bytes;
    if (!found.reads) found.bytes = bytes;
    found.reads = true;
  };
  using Op = Effect::Op;
  for (const Effect& effect : spec.effects) {
    const bool direct = effect.path.empty() && effect.offset == 0;
    const bool here = effect.arg == number;
    switch (effect.op) {
      case Op::kHiddenRead:
      case Op::kHiddenWrite:
        break;  // have no argument
      case Op::kDescriptorRead:
      case Op::kDescriptorWrite:
      case Op::kContents:
      case Op::kFlush:
      case Op::kWaits:
      case Op::kBinds:
        found.keeps |= here;  // a pointer is none of these
        break;
      case Op::kRead:
        if (here) reads(direct ? bytes_of(analysis_.points_to, call, effect) : std::nullopt);
        break;
      case Op::kWrite:
        if (here && effect.path.empty()) found.writes = true;
        if (here && !effect.path.empty()) reads(std::nullopt);
        break;
      case Op::kReadFrom:
        if (number > effect.arg && !is_text_of_format(call, static_cast<unsigned>(effect.arg), argument))
          found.keeps = true;
        if (number > effect.arg) found.text = true;
        if (number >= effect.arg) reads(std::nullopt);
        break;
      case Op::kWriteFrom:
        found.keeps |= number >= effect.arg;
        break;
      case Op::kAppend:
        found.keeps |= here;
        if (effect.other == number && effect.text != Effect::Text::kUnknown) reads(std::nullopt);
        break;
      case Op::kFile:
      case Op::kOpened:
      case Op::kName:
        if (here || effect.other == number) reads(std::nullopt);
        break;
      case Op::kCopy:
        if (here) found.writes = true;
        if (effect.other == number) reads(bytes_of(analysis_.points_to, call, effect));
        break;
      case Op::kStore:
      case Op::kKeep:
      case Op::kSame:
        found.keeps |= here || effect.other == number;
        break;
      case Op::kFree:
      case Op::kReach:
      case Op::kReachRead:
      case Op::kReadVariadic:
      case Op::kStoreFresh:
      case Op::kCall:
      case Op::kCallReachable:
      case Op::kPublish:
      case Op::kPublishOwner:
        found.keeps |= here || std::any_of(effect.actuals.begin(), effect.actuals.end(),
                                           [&](const Effect::Actual& actual) { return actual.arg == number; });
        break;
    }
  }
  for (const Result& result : spec.results)
    if (result.kind == Result::Kind::kLoaded && result.arg == number) found.keeps = true;
  found.keeps |= !spec.callbacks.empty() || spec.exchanges == number || spec.dispatch.has_value();
  found.text |= reads_text(call.getCalledFunction()->getName(), argument);
  return found;
}

}  // namespace heddle::elyze
