#include "base/clock.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::base {
namespace {

constexpr Nanoseconds kMostWrong_ns = 20'000;

enum Preemption { kNone, kBeforeTheAnswer, kAfterTheAnswer };
Preemption preemption = kNone;  // of who asks the kernel, each fourth time
unsigned asked = 0;

Nanoseconds kernels_answer(clockid_t clock, timespec* now) {
  syscall(SYS_clock_gettime, clock, now);
  return Nanoseconds{now->tv_sec} * 1'000'000'000 + now->tv_nsec;
}

void lose_the_processor() {
  timespec now{};
  const Nanoseconds until = kernels_answer(CLOCK_MONOTONIC, &now) + 1'000'000;
  while (kernels_answer(CLOCK_MONOTONIC, &now) < until) {
  }
}

}  // namespace

// In place of the C library's.
extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const bool preempted = preemption != kNone && ++asked % 4 == 0;
  if (preempted && preemption == kBeforeTheAnswer) lose_the_processor();
  kernels_answer(clock, now);
  if (preempted && preemption == kAfterTheAnswer) lose_the_processor();
  return 0;
}

namespace {

void expect_the_monotonic_clock(Preemption where) {
  QuickClock clock;
  const Nanoseconds until = monotonic_ns() + 100'000'000;
  for (Nanoseconds before = monotonic_ns(); before < until; before = monotonic_ns()) {
    preemption = where;
    const Nanoseconds said = clock.now();
    preemption = kNone;
    const Nanoseconds after = monotonic_ns();
    ASSERT_GE(said, before - kMostWrong_ns);
    ASSERT_LE(said, after + kMostWrong_ns);
  }
}

TEST(QuickClock, IsTheMonotonicClockBetweenTwoLooksAtIt) { expect_the_monotonic_clock(kNone); }

TEST(QuickClock, IsTheMonotonicClockWhereItsThreadIsPreemptedWhileItAsks) {
  expect_the_monotonic_clock(kBeforeTheAnswer);
  expect_the_monotonic_clock(kAfterTheAnswer);
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
