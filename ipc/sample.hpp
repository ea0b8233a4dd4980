// Takes the processor time of some calls, so that the rest can be told from them.
//
// CLOCK_THREAD_CPUTIME_ID costs as much as a short message, so only the first calls of a kind are all timed, and later
// ones by chance; each counts for as many calls as its chance was small (Horvitz and Thompson 1952). What looking at
// the clock costs is taken off.
#pragma once

#include "ipc/raw.hpp"
#include "ipc/recording.hpp"

namespace heddle::ipc {

inline constexpr std::uint64_t kAllOfFirst = 64;
inline constexpr std::uint32_t kOneIn = 16;  // a power of two

// What this thread is doing. A signal handler may change it at any time, which makes a sample wrong, and nothing else.
struct Thread {
  std::uint64_t turn = 0;    // of sending, other than any other thread's; 0: not begun
  std::uint32_t random = 0;  // xorshift (Marsaglia 2003)
  // A poll that found something, until a channel is used.
  bool polled = false;
  std::uint32_t poll_weight = 0;
  std::uint64_t poll_ns = 0;
  bool poll_blocked = false;
};
inline constinit thread_local Thread thread;

inline std::uint64_t turn() {
  static constinit std::atomic<std::uint64_t> threads{0};
  if (thread.turn == 0) thread.turn = (threads.fetch_add(1, std::memory_order_relaxed) + 1) << 40U;
  return thread.turn;
}
inline void next_turn() { thread.turn = turn() + 1; }

class Sample {
 public:
  static Sample none() { return Sample(); }

  // `before`: how many calls of the kind there were.
  explicit Sample(std::uint64_t before) {
    if (before >= kAllOfFirst) {
      std::uint32_t random =
          thread.random != 0 ? thread.random : static_cast<std::uint32_t>(turn() >> 38U) + 2463534242U;
      random ^= random << 13U;
      random ^= random >> 17U;
      random ^= random << 5U;
      thread.random = random;
      if (random % kOneIn != 0) return;
      weight_ = kOneIn;
    } else {
      weight_ = 1;
    }
    sleeps_ = sleeps();
    began_ = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  }

  void end() {
    if (weight_ == 0) return;
    const std::uint64_t ended = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    ns_ = ended - began_ > costs.clock_ns ? ended - began_ - costs.clock_ns : 0;
    blocked_ = sleeps() != sleeps_;
  }

  std::uint32_t weight() const { return weight_; }  // 0: not taken
  std::uint64_t ns() const { return ns_; }
  bool blocked() const { return blocked_; }

 private:
  Sample() = default;

  std::uint32_t weight_ = 0;
  bool blocked_ = false;
  std::uint64_t sleeps_ = 0;
  std::uint64_t began_ = 0;
  std::uint64_t ns_ = 0;
};

inline void count(IpcMeter& meter, std::uint64_t calls, std::uint64_t bytes) {
  add(meter.calls, calls);
  if (bytes != 0) add(meter.bytes, bytes);
}

// A call that is told of by several messages takes the time of one of them.
inline void time(IpcMeter& meter, std::uint32_t weight, std::uint64_t ns, bool blocked) {
  if (weight == 0) return;
  add(meter.samples, 1);
  add(meter.weight, weight);
  add(meter.time_ns, weight * ns);
  add(meter.square, weight * (ns * ns / 1024));
  if (blocked) add(meter.blocked, weight);
}

inline void time(IpcMeter& meter, const Sample& sample) { time(meter, sample.weight(), sample.ns(), sample.blocked()); }

}  // namespace heddle::ipc
