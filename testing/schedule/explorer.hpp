// Runs a concurrent program under many schedules, each of which follows from a seed and can be replayed.
//
// Tests with threads mostly see the few interleavings that the operating system happens to produce. Here every thread
// is a real thread, but only the one that holds the token runs. At every operation of ModelSync (model_sync.hpp) it
// leaves to the explorer the choice of who goes on. Half of the seeds walk at random; the other half let a thread go on
// until it blocks, but for a few preemptions at random places: most bugs need only one or two (Musuvathi and Qadeer,
// Iterative Context Bounding, PLDI 2007). A timed wait may end at any choice, as if its time were up; an untimed one
// may end spuriously a few times.
//
// What a load of an atomic may return is a choice as well, where its memory order does not make it the last value, and
// accesses to plain data that nothing orders are reported as races (memory.hpp, which also says what is left out). Data
// that is neither atomic nor declared as Sync::Plain is not looked at: ThreadSanitizer is for that.
//
// A schedule fails if nobody can go on before all threads have ended (a deadlock; with condition variables usually a
// lost wake-up), if it takes more steps than any sensible one, if there is a race, or if the program calls fail(). The
// threads of a failed schedule can be neither continued nor unwound, so they stay blocked until the process ends. For
// that reason the program must keep all that they share alive: on the stack of its body or in shared pointers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace heddle::schedule {

struct Limits {
  unsigned steps = 20'000;
  unsigned spurious_wakeups = 2;
  unsigned preemptions = 3;
};

// Runs `body`, and the threads that it starts, under the schedule of `seed`. Empty if all of them ended; else what went
// wrong and the last steps before it.
std::string run_schedule(std::uint64_t seed, const std::function<void()>& body, const Limits& limits = {});

// Runs the schedules of seeds 0 to count - 1, or only the one that HEDDLE_SCHEDULE_SEED names. Empty if none failed;
// else the failure with its seed.
std::string explore(std::uint64_t count, const std::function<void()>& body, const Limits& limits = {});

// For the body and its threads: a choice among 0 .. limit - 1 that belongs to the schedule.
std::uint64_t choose(std::uint64_t limit);

// For the body and its threads: the program did something that it must not.
[[noreturn]] void fail(const std::string& what);

}  // namespace heddle::schedule
