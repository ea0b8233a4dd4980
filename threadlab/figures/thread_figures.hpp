// What each thread of a run has cost, by the kernel's own account.
//
// A thread is known from the first part that it runs. Its figures are read from outside, so a thread that waits in the
// kernel need not be woken for them; one that is about to end is read by leave().
#pragma once

#include <cstdint>
#include <ctime>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.hpp"

namespace heddle::threadlab {

struct ThreadFigures {
  unsigned id = 0;
  std::string name;
  base::Nanoseconds cpu = 0;
  base::Nanoseconds run_queue = 0;  // ready, and waiting for a processor
  std::uint64_t switches_voluntary = 0;
  std::uint64_t switches_involuntary = 0;
  std::uint64_t migrations = 0;
  std::uint64_t faults = 0;
};

class FiguresOfThreads {
 public:
  FiguresOfThreads();

  // The number of the calling thread, from 0.
  unsigned this_thread();
  // The calling thread ends.
  void leave();
  // All others that are known still live. Reads them; afterwards nobody may call this_thread().
  std::vector<ThreadFigures> finish();

 private:
  struct Entry {
    ThreadFigures start;  // counts then; when the thread has left, what it has cost
    int tid = 0;
    clockid_t clock{};
    bool left = false;
  };

  static ThreadFigures read(const Entry& entry);
  static void settle(Entry& entry);

  const std::uint64_t number_;  // of this object, among all that ever were
  std::mutex mutex_;            // guards entries_
  std::vector<Entry> entries_;
};

// Of the whole machine since it started, in seconds of one processor.
struct ProcessorTimes {
  double busy = 0;
  double all = 0;
};
ProcessorTimes processor_times();

}  // namespace heddle::threadlab
