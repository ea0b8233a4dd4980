#include "multivent/loop/turns.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace heddle::multivent {

namespace {

constexpr base::Nanoseconds kAccounts_ns = 10'000'000;
constexpr base::Nanoseconds kLooks_ns = 1'000'000'000;

// How long this thread was ready to run and did not, for another had the processor (Linux, sched-stats.rst: the second
// number). 0 where the kernel does not tell.
base::Nanoseconds waited_for_processor() {
  const int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[64];
  const ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  if (size <= 0) return 0;
  text[size] = 0;
  char* rest = nullptr;
  std::strtoll(text, &rest, 10);
  return std::strtoll(rest, nullptr, 10);
}

// A call that was preempted takes long, too, and gains nothing from other threads that want the same processor.
void leave_out(base::Nanoseconds& part, base::Nanoseconds waited_ns) {
  part -= std::clamp<base::Nanoseconds>(waited_ns, 0, part);
}

}  // namespace

void Turns::account(base::Nanoseconds now) {
  if (accounted_ns_ == 0) accounted_ns_ = now;
  if (now - accounted_ns_ < kAccounts_ns) return;
  recorder_.ran(/*alone=*/!by_crew_, now - std::exchange(accounted_ns_, now));
}

bool Turns::crew_next(base::Nanoseconds now) {
  if (in_turn_) return by_crew_ = !by_crew_;
  account(now);
  if (now >= looks_ns_) {
    look_is_due_ = true;
    looks_ns_ = now + kLooks_ns;
  }
  if (began_ns_ != 0 && now - began_ns_ < choice_.slice_ns()) return by_crew_;
  if (began_ns_ != 0) {
    slice_.length_ns = now - began_ns_;
    if (!by_crew_) {
      const base::Nanoseconds waited_ns = waited_for_processor() - waited_ns_;
      leave_out(slice_.in_calls_ns, waited_ns);
      leave_out(slice_.in_long_ns, waited_ns);
    }
    const std::uint64_t trials = choice_.trials();
    const std::uint64_t gained = choice_.gained();
    choice_.over(slice_);
    if (choice_.trials() != trials) recorder_.tried(choice_.gained() != gained);
    slice_ = {};
    by_crew_ = choice_.by_crew();
  }
  began_ns_ = now;
  if (!by_crew_) begins_alone();
  return by_crew_;
}

void Turns::begins_alone() { waited_ns_ = waited_for_processor(); }

}  // namespace heddle::multivent
