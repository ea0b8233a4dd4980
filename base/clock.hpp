// The one clock that all figures use, and timers but for those of one thread (event_base::ask_clock): CLOCK_MONOTONIC
// in nanoseconds.
//
// Reading it takes about 25 ns through the vDSO, which is much beside a handler of half a microsecond. So code that
// only keeps figures, and reads the clock several times in a row, uses QuickClock, which takes 10 ns.
#pragma once

#ifdef __x86_64__
#include <cpuid.h>
#include <x86intrin.h>
#endif

#include <algorithm>
#include <cstdint>
#include <ctime>

namespace heddle::base {

using Nanoseconds = std::int64_t;

inline Nanoseconds clock_now_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return Nanoseconds{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

inline Nanoseconds monotonic_ns() { return clock_now_ns(CLOCK_MONOTONIC); }

// Processor time of the calling thread. A system call (about 0.6 us), so only where a trace was asked for.
inline Nanoseconds thread_cpu_ns() { return clock_now_ns(CLOCK_THREAD_CPUTIME_ID); }

// The same clock for a caller that reads it often. A reading within 20 us of one that came from the kernel adds what
// the processor's time stamp counter (Intel SDM, volume 3B, "Invariant TSC") has counted since, in less than half the
// time; the counter's rate is measured against the clock. After those 20 us the kernel is asked again, so a counter
// that jumps, differs between cores or changes its rate makes a reading wrong by less than that. No reading is smaller
// than the one before.
//
// No timer may depend on this: where the program has replaced the clock by one of its own, readings differ from that by
// up to those 20 us, too.
//
// Not thread-safe: guarded by whatever guards its owner.
class QuickClock {
 public:
  Nanoseconds now() {
#ifdef __x86_64__
    const std::uint64_t passed = __rdtsc() - ticks_;
    if (passed < reach_) [[likely]]
      return last_ = std::max(last_, ns_ + static_cast<Nanoseconds>(passed * scale_ >> 32));
#endif
    return ask();
  }

 private:
  static constexpr Nanoseconds kReach_ns = 20'000;
  static constexpr Nanoseconds kMeasure_ns = 10'000'000;
  static constexpr Nanoseconds kMostMeasured_ns = 1'000'000'000;
  static constexpr std::uint64_t kMostBetween = 20'000;  // counts, some 5 us; the two readings take some hundred

  [[gnu::noinline]] Nanoseconds ask() {
    // The counter first: where the thread is preempted between the two, the reach has passed already, and the next
    // reading asks again. The other way round that one would be late by all of the preemption.
#ifdef __x86_64__
    ticks_ = __rdtsc();
#endif
    ns_ = monotonic_ns();
#ifdef __x86_64__
    measure();
#endif
    return last_ = std::max(last_, ns_);
  }

#ifdef __x86_64__
  static bool steady() {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & 1U << 8) != 0;  // "invariant TSC"
  }

  void measure() {
    static const bool usable = steady();
    const Nanoseconds length = ns_ - since_ns_;
    if (!usable || (since_ns_ != 0 && length < kMeasure_ns)) return;
    if (__rdtsc() - ticks_ > kMostBetween) return;  // preempted between the two readings: the rate would be wrong
    const std::uint64_t counted = ticks_ - since_ticks_;
    if (since_ns_ != 0 && length < kMostMeasured_ns && counted > static_cast<std::uint64_t>(length) / 16) {
      scale_ = (static_cast<std::uint64_t>(length) << 32) / counted;
      reach_ = (static_cast<std::uint64_t>(kReach_ns) << 32) / scale_;
    }
    since_ns_ = ns_;
    since_ticks_ = ticks_;
  }
#endif

  Nanoseconds ns_ = 0;  // the last answer of the kernel, and the counter then
  std::uint64_t ticks_ = 0;
  std::uint64_t scale_ = 0;  // nanoseconds for 2^32 counts; 0 until it has been measured
  std::uint64_t reach_ = 0;  // counts
  Nanoseconds last_ = 0;
  Nanoseconds since_ns_ = 0;  // when the rate's measurement began
  std::uint64_t since_ticks_ = 0;
};

}  // namespace heddle::base
