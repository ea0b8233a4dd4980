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

  // Aborts with both names if what starts may not run beside one of the running. `who` identifies it until finished().
  void started(const void* who, ClassId klass, std::uintptr_t session, std::uintptr_t strand = 0);
  void finished(const void* who);

 private:
  struct Running {
    const void* who;
    ClassId klass;
    std::uintptr_t session;
    std::uintptr_t strand;
  };

  bool may_overlap(const Running& a, const Running& b) const;
  [[noreturn]] void report(const Running& a, const Running& b) const;

  const Constraints& constraints_;
  std::vector<Running> running_;
};

}  // namespace heddle::scheduler
