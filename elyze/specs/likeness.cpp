#include "elyze/specs/likeness.hpp"

#include "elyze/ir/error.hpp"

namespace heddle::elyze {
namespace {

// May these effects have a path from `arg`?
bool has_path(const Effect& effect) {
  using Op = Effect::Op;
  switch (effect.op) {
    case Op::kRead:
    case Op::kWrite:
    case Op::kFree:
    case Op::kStoreFresh:
    case Op::kKeep:
    case Op::kDescriptorRead:
      return !effect.all;  // the array is an argument
    case Op::kDescriptorWrite:
    case Op::kContents:
    case Op::kCall:
      return true;
    default:
      return false;
  }
}

class Moved {
 public:
  explicit Moved(const Likeness& likeness) : likeness_(likeness) {}

  Effect operator()(Effect effect) const {
    using Op = Effect::Op;
    require(effect.bytes_arg < 0);
    effect.condition = moved(effect.condition, !effect.beside.empty());
    effect.own = moved(effect.own, false);
    if (effect.op == Op::kHiddenRead || effect.op == Op::kHiddenWrite) return effect;
    move(effect.arg, effect.path, has_path(effect));
    if (effect.op == Op::kStore || effect.op == Op::kKeep) {
      move(effect.other, effect.value_path, true);
    } else {
      require(effect.other == 0 || effect.other == kNoArgument || effect.op == Op::kStoreFresh);
    }
    for (Effect::Actual& actual : effect.actuals) move(actual.arg, actual.path, !actual.inside);
    if (effect.result) move(effect.result->arg, effect.result->path, true);
    return effect;
  }

 private:
  void require(bool holds) const {
    if (!holds) throw InputError("the effects of '" + likeness_.name + "' can't be said of what a path leads to");
  }
  void move(int& arg, std::vector<std::int64_t>& path, bool can_have_path) const {
    if (arg == kHiddenObject || arg == kNoArgument) return;
    require(arg == 0 && (can_have_path || likeness_.path.empty()));
    arg = likeness_.arg;
    path.insert(path.begin(), likeness_.path.begin(), likeness_.path.end());
  }
  // What is said of argument 0 holds in any case here, unless it is said of the argument of yet another function.
  NumberCondition moved(const NumberCondition& condition, bool of_another) const {
    if (of_another || condition.arg == kNoArgument) return condition;
    require(condition.arg == 0);
    return {};
  }
  const Likeness& likeness_;
};

}  // namespace

std::vector<Effect> effects_of(const Spec& other, const Likeness& likeness) {
  if (other.forks || other.resumes || !other.alone.empty() || other.ends >= 0 || other.processor_time || other.sleeps)
    throw InputError("'" + likeness.name + "' does more than its effects say");
  const Moved moved(likeness);
  std::vector<Effect> effects;
  for (const Effect& effect : other.effects)
    if (effect.name != kVariables) effects.push_back(moved(effect));  // the caller has that effect of its own
  return effects;
}

}  // namespace heddle::elyze
