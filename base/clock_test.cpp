#include "base/clock.hpp"

#include <gtest/gtest.h>

namespace heddle::base {
namespace {

constexpr Nanoseconds kMostWrong_ns = 20'000;

TEST(QuickClock, IsTheMonotonicClockBetweenTwoLooksAtIt) {
  QuickClock clock;
  const Nanoseconds until = monotonic_ns() + 100'000'000;
  for (Nanoseconds before = monotonic_ns(); before < until; before = monotonic_ns()) {
    const Nanoseconds said = clock.now();
    const Nanoseconds after = monotonic_ns();
    ASSERT_GE(said, before - kMostWrong_ns);
    ASSERT_LE(said, after + kMostWrong_ns);
  }
}

TEST(QuickClock, NeverGoesBack) {
  QuickClock clock;
  const Nanoseconds until = monotonic_ns() + 100'000'000;
  for (Nanoseconds before = clock.now(); before < until;) {
    for (int i = 0; i < 1000; ++i) {
      const Nanoseconds said = clock.now();
      ASSERT_GE(said, before);
      before = said;
    }
  }
}

}  // namespace
}  // namespace heddle::base
