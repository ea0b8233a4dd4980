// How a side waits for the other one: what comes at once is not slept for.
//
// To put a side to sleep and to wake it up costs both, several microseconds, or tens of them in a virtual machine whose
// processor halts meanwhile; an answer may be there sooner. So a side that has a processor to itself looks again for a
// while before it sleeps (Karlin et al., "Empirical studies of competitive spinning for a shared-memory
// multiprocessor", SOSP 1991). Where that was in vain, as for everything that comes at the pace of people, or where
// both sides have the same processor, it is tried less and less often, and costs next to nothing.
#pragma once

#include <sys/epoll.h>

#include <chrono>
#include <cstdint>
#include <span>

namespace heddle::objectbase {

class Waiting {
 public:
  // As epoll_wait(2): the number of events, 0 if none came in time, -1 with errno.
  int wait(int epoll, std::span<epoll_event> events, int timeout_ms);

  std::uint64_t spins() const { return spins_; }  // so often it has not slept at once

 private:
  static constexpr std::chrono::microseconds kSpin{30};
  static constexpr unsigned kMostVain = 6;  // at least every 64th time it is tried

  std::uint64_t spins_ = 0;
  unsigned vain_ = 0;  // spins in a row
  unsigned skip_ = 0;  // so many times it sleeps at once
};

}  // namespace heddle::objectbase
