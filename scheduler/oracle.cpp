#include "scheduler/oracle.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/assert.hpp"

namespace heddle::scheduler {

void Oracle::started(const void* who, ClassId klass, std::uintptr_t session, std::uintptr_t strand) {
  const Running starting{who, klass, session, strand};
  for (const Running& other : running_) {
    if (!may_overlap(starting, other)) report(other, starting);
  }
  running_.push_back(starting);
}

void Oracle::finished(const void* who) {
  const auto found =
      std::find_if(running_.begin(), running_.end(), [who](const Running& running) { return running.who == who; });
  HEDDLE_ASSERT(found != running_.end());
  running_.erase(found);
}

bool Oracle::may_overlap(const Running& a, const Running& b) const {
  if (a.strand != 0 && a.strand == b.strand) return false;
  switch (constraints_.verdict(a.klass, b.klass)) {
    case Verdict::kNever:
      return true;
    case Verdict::kSession:
      return a.session == 0 || a.session != b.session;
    case Verdict::kAlways:
      return false;
  }
  return false;
}

void Oracle::report(const Running& a, const Running& b) const {
  const char* why = constraints_.verdict(a.klass, b.klass) == Verdict::kAlways ? "always" : "session";
  if (a.strand != 0 && a.strand == b.strand) why = "strand";
  std::fprintf(stderr, "heddle: conflict oracle: %s and %s run at once (%s)\n", constraints_.name(a.klass).c_str(),
               constraints_.name(b.klass).c_str(), why);
  std::abort();
}

}  // namespace heddle::scheduler
