#include "scheduler/admission/constraints.hpp"

#include <limits>
#include <utility>

#include "base/assert.hpp"

namespace heddle::scheduler {

Constraints::Constraints() { add_class("unknown handler"); }

void Constraints::Rows::set(ClassId other, Verdict verdict) {
  always.clear(other);
  session.clear(other);
  if (verdict == Verdict::kAlways) always.set(other);
  if (verdict == Verdict::kSession) session.set(other);
}

ClassId Constraints::add_class(std::string name) {
  HEDDLE_ASSERT(classes_.size() <= std::numeric_limits<ClassId>::max());
  const auto added = static_cast<ClassId>(classes_.size());
  classes_.emplace_back();
  classes_.back().name = std::move(name);
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const auto other = static_cast<ClassId>(i);
    for (Rows Class::* rows : {&Class::verdicts, &Class::blocked_by, &Class::blocks}) {
      (classes_[added].*rows).set(other, Verdict::kAlways);
      (classes_[other].*rows).set(added, Verdict::kAlways);
    }
  }
  return added;
}

void Constraints::set(ClassId a, ClassId b, Verdict verdict) {
  HEDDLE_ASSERT(a != kUnknownClass && b != kUnknownClass);
  classes_[a].verdicts.set(b, verdict);
  classes_[b].verdicts.set(a, verdict);
  set_starts(a, b, verdict);
  set_starts(b, a, verdict);
}

void Constraints::set_starts(ClassId a, ClassId b, Verdict verdict) {
  HEDDLE_ASSERT(a != kUnknownClass && b != kUnknownClass && verdict <= this->verdict(a, b));
  classes_[a].blocked_by.set(b, verdict);
  classes_[b].blocks.set(a, verdict);
  classes_[a].waits_late = classes_[a].verdicts != classes_[a].blocked_by;
}

Verdict Constraints::verdict(ClassId a, ClassId b) const { return classes_[a].verdicts.at(b); }

Verdict Constraints::starts(ClassId a, ClassId b) const { return classes_[a].blocked_by.at(b); }

}  // namespace heddle::scheduler
