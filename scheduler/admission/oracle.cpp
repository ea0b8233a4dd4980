#include "scheduler/admission/oracle.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/assert.hpp"

namespace heddle::scheduler {

void Oracle::started(const void* who, ClassId klass, std::uintptr_t session, std::uintptr_t strand) {
  const Running starting{who, klass, session, strand};
  for (const Running& other : running_) {
    const Verdict verdict = constraints_.starts(klass, other.klass);
    if (strand != 0 && strand == other.strand) report(other, starting, "strand");
    if (!may_overlap(starting, other, verdict))
      report(other, starting, verdict == Verdict::kAlways ? "always" : "session");
  }
  running_.push_back(starting);
}

std::vector<Oracle::Running>::const_iterator Oracle::find(const void* who) const {
  const auto found =
      std::find_if(running_.begin(), running_.end(), [who](const Running& running) { return running.who == who; });
  HEDDLE_ASSERT(found != running_.end());
  return found;
}

void Oracle::finished(const void* who) { running_.erase(find(who)); }

bool Oracle::may_overlap(const Running& a, const Running& b, Verdict verdict) {
  switch (verdict) {
    case Verdict::kNever:
      return true;
    case Verdict::kSession:
      return a.session == 0 || a.session != b.session;
    case Verdict::kAlways:
      return false;
  }
  return false;
}

void Oracle::report(const Running& a, const Running& b, const char* why) const {
  std::fprintf(stderr, "heddle: conflict oracle: %s and %s run at once (%s)\n", constraints_.name(a.klass).c_str(),
               constraints_.name(b.klass).c_str(), why);
  std::abort();
}

}  // namespace heddle::scheduler
