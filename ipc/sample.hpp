// Finds out what calls cost, without changing it much.
//
// To ask for a thread's processor time is a system call, which takes as long as a short message; a receiver that is
// about to sleep does so meanwhile, and has to be woken, which makes the message dearer than it was. So all calls are
// timed by the clock on the wall, which costs little, and a call that is too short to have slept in, or to have lost
// the processor, has used it all the time. Of the others the first of a kind are all asked for, and later ones by
// chance; each counts for as many as its chance was small (Horvitz and Thompson 1952). What looking at clocks costs is
// taken off.
#pragma once

#include "ipc/raw.hpp"
#include "ipc/recording.hpp"

namespace heddle::ipc {

inline constexpr std::uint64_t kAllOfFirst = 64;
inline constexpr std::uint32_t kOneIn = 16;       // a power of two
inline constexpr std::uint32_t kOneInShort = 64;  // where few are long
inline constexpr std::uint64_t kShort_ns = 2'000;
inline constexpr std::uint64_t kSleep_ns = 2'000;  // a thread that sleeps is away for longer

// What this thread is doing. A signal handler may change it at any time, which makes a sample wrong, and nothing else.
struct Thread {
  std::uint64_t turn = 0;    // of sending, other than any other thread's; 0: not begun
  std::uint32_t random = 0;  // xorshift (Marsaglia 2003)
  // A poll that found something, until a channel is used.
  bool polled = false;
  IpcMeter poll = {};
};
inline constinit thread_local Thread thread;

inline std::uint64_t turn() {
  static constinit std::atomic<std::uint64_t> threads{0};
  if (thread.turn == 0) thread.turn = (threads.fetch_add(1, std::memory_order_relaxed) + 1) << 40U;
  return thread.turn;
}
inline void next_turn() { thread.turn = turn() + 1; }

// How long a call took, and of some calls how much of that was processor time.
class Sample {
 public:
  static Sample none() { return Sample(); }
  explicit Sample(IpcMeter& meter) : Sample(get(meter.calls), get(meter.short_calls)) {}

  // Of `before` calls of the kind `before_short` were short.
  Sample(std::uint64_t before, std::uint64_t before_short) {
    if (before < kAllOfFirst) {
      weight_ = 1;
    } else {
      const std::uint32_t one_in = before - before_short < before / kOneIn ? kOneInShort : kOneIn;
      std::uint32_t random =
          thread.random != 0 ? thread.random : static_cast<std::uint32_t>(turn() >> 38U) + 2463534242U;
      random ^= random << 13U;
      random ^= random >> 17U;
      random ^= random << 5U;
      thread.random = random;
      if (random % one_in == 0) weight_ = one_in;
    }
    if (weight_ != 0) cpu_ns_ = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    began_ns_ = now_ns();
  }

  void end() {
    ended_ns_ = now_ns();
    ns_ = less(ended_ns_ - began_ns_, costs.now_ns);
    if (weight_ == 0) return;
    // Both readings of the inner clock lie between those of the outer one.
    cpu_ns_ = less(clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns_, costs.clock_ns + 2 * costs.now_ns);
    slept_ = ns_ > cpu_ns_ + kSleep_ns;
  }

  bool is_short() const { return ns_ < kShort_ns; }
  std::uint64_t ns() const { return ns_; }
  std::uint64_t began_ns() const { return began_ns_; }
  std::uint64_t ended_ns() const { return ended_ns_; }
  std::uint32_t weight() const { return weight_; }  // 0: processor time was not taken
  std::uint64_t cpu_ns() const { return cpu_ns_; }
  bool slept() const { return slept_; }

 private:
  Sample() = default;

  static std::uint64_t less(std::uint64_t from, std::uint64_t cost) { return from > cost ? from - cost : 0; }

  std::uint32_t weight_ = 0;
  bool slept_ = false;
  std::uint64_t began_ns_ = 0;
  std::uint64_t ended_ns_ = 0;
  std::uint64_t ns_ = 0;
  std::uint64_t cpu_ns_ = 0;
};

inline void count(IpcMeter& meter, std::uint64_t calls, std::uint64_t bytes) {
  add(meter.calls, calls);
  if (bytes != 0) add(meter.bytes, bytes);
}

inline void time(IpcMeter& meter, const Sample& sample) {
  if (sample.is_short()) {
    add(meter.short_calls, 1);
    add(meter.short_ns, sample.ns());
    return;
  }
  if (sample.weight() == 0) return;
  add(meter.samples, 1);
  add(meter.weight, sample.weight());
  add(meter.time_ns, sample.weight() * sample.cpu_ns());
  add(meter.square, sample.weight() * (sample.cpu_ns() * sample.cpu_ns() / 1024));
  if (sample.slept()) add(meter.blocked, sample.weight());
}

}  // namespace heddle::ipc
