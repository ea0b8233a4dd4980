// Checks of what must hold inside our own code.
//
// A runtime that went on after one of its invariants broke would run two conflicting handlers at once and lose the
// user's data quietly, so a failed check ends the process with a message. HEDDLE_ASSERT stays in every build.
// HEDDLE_DCHECK is for checks on the hot path and is compiled in where HEDDLE_CHECKS is on (every preset but release).
#pragma once

#include <cstdio>
#include <cstdlib>

namespace heddle::base {

[[noreturn]] inline void fail_assertion(const char* what, const char* file, int line) {
  std::fprintf(stderr, "heddle: internal error: %s does not hold (%s:%d)\n", what, file, line);
  std::abort();
}

}  // namespace heddle::base

#define HEDDLE_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::heddle::base::fail_assertion(#condition, __FILE__, __LINE__))

#ifdef HEDDLE_CHECKS
#define HEDDLE_DCHECK(condition) HEDDLE_ASSERT(condition)
#else
#define HEDDLE_DCHECK(condition) static_cast<void>(0)
#endif
