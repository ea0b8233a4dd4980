// What the programs of this folder have in common: each measures one kind of lightweight thread, as its command line
// says.
//
//   switch LIVE      nanoseconds per switch, while LIVE threads take turns
//   create COUNT     nanoseconds to create a thread that ends at once, and to join it, one after the other
//   blocked COUNT    seconds until COUNT threads have started and wait, and resident bytes of each
//
// All times are processor time. A program that cannot do one prints nothing.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

namespace figures {

inline constexpr std::size_t kStackBytes = std::size_t{64} << 10;  // where a thread has a stack

// Of processor time, by all kernel threads of the process: what others do on the machine meanwhile counts less.
inline double seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

inline double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// How often each of `live` threads is switched to: so that a run takes a second or so, but each at least twice.
inline std::size_t turns(std::size_t live) { return std::max<std::size_t>(8'000'000 / live, 4); }

inline void print_switched(std::size_t live, double start) {
  std::printf("%.2f\n", (seconds() - start) * 1e9 / static_cast<double>(turns(live) * live));
}

// From when all threads have started until all have had their turns. Some kinds of threads are not served in the order
// in which they came, so no single one tells how far the others are.
class Laps {
 public:
  explicit Laps(std::size_t live) : live_(live) {}

  // By a thread, before its turns: it calls yield() until this is true.
  void started() { ++started_; }
  bool all_started() {
    if (started_ < live_) return false;
    if (start_ == 0) start_ = seconds();
    return true;
  }
  // By a thread, after its turns.
  void ended() {
    if (++ended_ == live_) print_switched(live_, start_);
  }

 private:
  std::size_t live_;
  std::size_t started_ = 0;
  std::size_t ended_ = 0;
  double start_ = 0;
};

inline void print_created(std::size_t count, double start) {
  std::printf("%.2f\n", (seconds() - start) * 1e9 / static_cast<double>(count));
}

// All of them wait now.
class Blocked {
 public:
  explicit Blocked(std::size_t count) : count_(static_cast<double>(count)) {}
  void print() const { std::printf("%.4f %.0f\n", seconds() - start_, (resident_bytes() - before_) / count_); }

 private:
  double count_;
  double before_ = resident_bytes();
  double start_ = seconds();
};

// Calls the function of `Threads` that the first argument names, with the second.
template <class Threads>
int main_of(int count, char** words) {
  if (count != 3) return 2;
  const std::string what = words[1];
  const std::size_t number = std::strtoull(words[2], nullptr, 10);
  if (what == "switch") Threads::take_turns(number);
  if constexpr (requires { Threads::create_and_join(number); })
    if (what == "create") Threads::create_and_join(number);
  if constexpr (requires { Threads::block(number); })
    if (what == "blocked") Threads::block(number);
  return 0;
}

}  // namespace figures
