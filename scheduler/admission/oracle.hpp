// A second opinion on every start: do two handlers overlap that must not?
//
// The oracle keeps a list of its own of what runs, and asks the verdict matrix about each pair. It shares no code with
// Admission, so a mistake in masks, tables or parking cannot hide itself. A violation ends the process, because the
// user's data would be at stake. It costs one look-up per running invocation and start; on in debug builds and with
// HEDDLE_ORACLE=1.
//
// Not thread-safe: calls are made under the mutex of the event base, like those of Admission.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scheduler/admission/constraints.hpp"

namespace heddle::scheduler {

class Oracle {
 public:
  // `constraints` must outlive this object.
  explicit Oracle(const Constraints& constraints) : constraints_(constraints) {}

  // Aborts with both names if what starts may not start beside one that runs. `who` identifies it until finished().
  void started(const void* who, ClassId klass, std::uintptr_t session, std::uintptr_t strand = 0);
  void finished(const void* who);
  // `who` goes on behind a late point. Aborts if another one still runs that started before it and may not overlap with
  // it by the whole verdict. Those for which `counts(other)` is false are left out: they wait for `who` itself and do
  // nothing meanwhile.
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
