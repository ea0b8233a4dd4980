#include "scheduler/constraints.hpp"

#include <limits>
#include <utility>

#include "base/assert.hpp"

namespace heddle::scheduler {

Constraints::Constraints() { add_class("unknown handler"); }

ClassId Constraints::add_class(std::string name) {
  HEDDLE_ASSERT(classes_.size() <= std::numeric_limits<ClassId>::max());
  const auto added = static_cast<ClassId>(classes_.size());
  classes_.push_back({.name = std::move(name), .always = {}, .session = {}});
  for (std::size_t other = 0; other < classes_.size(); ++other) {
    classes_[added].always.set(other);
    classes_[other].always.set(added);
  }
  return added;
}

void Constraints::set(ClassId a, ClassId b, Verdict verdict) {
  HEDDLE_ASSERT(a != kUnknownClass && b != kUnknownClass);
  set_one_way(a, b, verdict);
  set_one_way(b, a, verdict);
}

void Constraints::set_one_way(ClassId a, ClassId b, Verdict verdict) {
  Class& row = classes_[a];
  row.always.clear(b);
  row.session.clear(b);
  if (verdict == Verdict::kAlways) row.always.set(b);
  if (verdict == Verdict::kSession) row.session.set(b);
}

Verdict Constraints::verdict(ClassId a, ClassId b) const {
  if (classes_[a].always.test(b)) return Verdict::kAlways;
  return classes_[a].session.test(b) ? Verdict::kSession : Verdict::kNever;
}

}  // namespace heddle::scheduler
