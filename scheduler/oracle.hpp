// A second opinion on every start: do two handlers overlap that must not?
//
// It keeps its own list of what runs and asks the verdict matrix about each pair, sharing no code with Admission, so a
// mistake in masks, tables or parking cannot hide itself. A violation ends the process: the user's data would be at
// stake. Costs one look-up per running invocation and start; on in debug builds and with HEDDLE_ORACLE=1.
//
// Not thread-safe: calls are made under the event base's mutex, like those of Admission.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scheduler/constraints.hpp"

namespace heddle::scheduler {

class Oracle {
 public:
  // `constraints` must outlive this object.
  explicit Oracle(const Constraints& constraints) : constraints_(constraints) {}

  // Aborts with both names if what starts may not start beside one of the running. `who` identifies it until
  // finished().
  void started(const void* who, ClassId klass, std::uintptr_t session, std::uintptr_t strand = 0);
  void finished(const void* who);
  // `who` goes on behind a late point. Aborts if one still runs that started before it and may not overlap with it by
  // the whole verdict; `counts(other)`: unless that one waits for `who` itself, and does nothing meanwhile.
  template <class Counts>
  void passed_late_point(const void* who, Counts counts) const {
    const auto me = find(who);
    for (auto other = running_.begin(); other != me; ++other)
      if (!may_overlap(*me, *other, constraints_.verdict(me->klass, other->klass)) && counts(other->who))
        report(*other, *me, "behind a late point");
  }

 private:
  struct Running {
    const void* who;
    ClassId klass;
    std::uintptr_t session;
    std::uintptr_t strand;
  };

  std::vector<Running>::const_iterator find(const void* who) const;
  static bool may_overlap(const Running& a, const Running& b, Verdict verdict);
  [[noreturn]] void report(const Running& a, const Running& b, const char* why) const;

  const Constraints& constraints_;
  std::vector<Running> running_;  // in the order in which they started
};

}  // namespace heddle::scheduler
