// Finds the handlers of a crew (crew.hpp) that run longer than was predicted, and measures what the crew adapts to.
//
// A thread that ticks while handlers run. At each tick it looks at the members without the crew's mutex, and takes that
// only where it saw something to look at closely, so that a tick without a suspect makes no handler wait:
//   1. A handler that outlives a tick is suspect. It is late once it has computed for half a tick more, or has outlived
//      several ticks and is blocked. One that was merely preempted is not late: it gains nothing from another thread
//      that wants the same processor. The crew counts a late handler as long, so that its member no longer leads.
//   2. While long handlers run, or due work waits for a place, it counts how many of them compute (crew_size.hpp).
//   3. At the end of each window of some ticks it measures how many handlers the crew got through (crew_leaders.hpp).
// Members that are known to be in long handlers are no suspects: somebody leads beside them already, unless nobody
// polls because that brought nothing.
//
// Ticks get rarer while no handler is newly found to be late, and stop when nothing has run for a while. The next
// handler that starts wakes the watchdog; each other handler pays one test of a flag for that.
//
// The crew supplies
//   without the mutex:
//     for_each_member(f)            calls f(member) for each, the caller of the loop included
//     uint64 runs()                 handlers started so far
//     bool someone_polls()          a member polls
//     bool short_of_places()        a hint: due work waits for a place, or did
//     bool adapts_places()          the number of places is found by measuring
//     bool adapts_leaders()         several members may lead
//   with it:
//     bool idle()                   no handler runs
//     void settle()                 nothing has run for a while: places and leaders go back to the least
//     void count_as_heavy(Member&)  the member's handler counts as long from now on
//     void get_help()               if no member leads, gets one to search or to poll
//     unsigned heavy()              members in long handlers
//     bool lacks_leader()           nobody polls and nobody leads
//     bool place_is_wanted()        due work waits for a place
//     bool wants_count(bool wanted) it is time to count how many long handlers compute
//     void counted(unsigned heavy, unsigned runnable, bool wanted)  the result of that count
//     void measured(Window)         what the crew did in a window in which no long handler ran, or an empty one
//     Leaders leaders()             how many members are to lead, and whether that is being tried
//     void call_missing_leaders()   gets more members to lead if fewer do than leaders() says
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "scheduler/crew/crew_leaders.hpp"
#include "scheduler/crew/crew_member.hpp"
#include "scheduler/crew/crew_options.hpp"

namespace heddle::scheduler {

template <class Sync, class Crew>
class CrewWatchdog {
 public:
  using Mutex = typename Sync::Mutex;
  using Lock = typename Sync::Lock;

  // `mutex` is the crew's, which has at most `most_hired` members beside the caller.
  CrewWatchdog(Crew& crew, Mutex& mutex, const CrewOptions& options, std::size_t most_hired)
      : crew_(crew), mutex_(mutex), options_(options), looks_(1 + most_hired) {}

  // Starts the watchdog's thread. Needs the mutex; `start_thread(f)` starts a thread that calls f().
  template <class StartThread>
  void start(StartThread start_thread) {
    thread_ = start_thread([this] { watch(); });
  }

  // To be called with the mutex when a handler starts.
  void wake() {
    if (!asleep_) return;
    asleep_ = false;
    wake_.notify_one();
  }

  // Ends the thread and joins it. To be called without the mutex.
  void shut_down() {
    {
      const Lock lock(mutex_);
      shutting_down_ = true;
      wake_.notify_one();
    }
    {
      const Lock lock(tick_mutex_);
      stop_ = true;
      tick_.notify_one();
    }
    thread_.join();
  }

 private:
  using Member = CrewMember<Sync>;

  // Each tick is a wake-up of 20 to 40 us on virtual machines. After kCalmTicks ticks without a late handler the
  // watchdog ticks half as often, after twice as many a third as often, and so on down to the slowest.
  static constexpr unsigned kCalmTicks = 64;
  static constexpr unsigned kSlowestTick = 4;
  // A suspect that has not computed for this many more ticks is late, unless it waits for a processor.
  static constexpr unsigned kBlockedAfter = 4;
  static constexpr unsigned kWindowTicks = 4;

  // What the watchdog remembers of a member.
  struct Look {
    std::uint64_t run_at_last_tick = 0;
    std::uint64_t suspect = 0;  // the handler that outlived a tick
    unsigned ticks_suspected = 0;
    std::chrono::nanoseconds cpu_when_suspected{0};
  };

  // What one tick shows without the mutex: whether a handler runs or has run since the last tick (`running`), and
  // whether one has outlived a tick that does not count as long (`unknown`) or does (`known`).
  struct Glance {
    bool running = false;
    bool unknown = false;
    bool known = false;
  };

  void watch() {
    for (;;) {
      if (idle_ticks_ >= options_.patience_ticks) sleep();
      if (!wait_for_tick()) return;
      tick();
    }
  }

  void sleep() {
    Lock lock(mutex_);
    // Checks once more, now under the mutex, that no handler runs: the ticks read each value on its own and perhaps too
    // early, and a handler that started before asleep_ is set does not wake this thread.
    asleep_ = crew_.idle() && crew_.runs() == runs_at_last_tick_;
    if (asleep_) crew_.settle();
    while (asleep_ && !shutting_down_) wake_.wait(lock);
    idle_ticks_ = 0;
    window_ = {};
    several_lead_ = trying_leaders_ = false;
  }

  // False if the watchdog shuts down.
  bool wait_for_tick() {
    Lock lock(tick_mutex_);
    const unsigned slowness = in_a_hurry_ ? 1 : std::min(1 + calm_ticks_ / kCalmTicks, kSlowestTick);
    if (!stop_) Sync::wait_for(tick_, lock, options_.tick * slowness);
    return !stop_;
  }

  void tick() {
    const std::uint64_t runs = crew_.runs();
    Glance seen;
    seen.running = runs != std::exchange(runs_at_last_tick_, runs);
    crew_.for_each_member([&](Member& member) { glance(member, seen); });
    idle_ticks_ = seen.running ? 0 : idle_ticks_ + 1;
    const bool late = (seen.unknown || (seen.known && !crew_.someone_polls())) && look_closely();
    calm_ticks_ = late ? 0 : calm_ticks_ + 1;
    if (crew_.adapts_places() && (seen.unknown || seen.known || crew_.short_of_places())) count_those_that_compute();
    if (crew_.adapts_leaders() && seen.running) measure(runs);
    in_a_hurry_ = seen.unknown || late || trying_leaders_;
  }

  void glance(const Member& member, Glance& seen) {
    const std::uint64_t run = member.run.load(std::memory_order_relaxed);
    seen.running = seen.running || run != 0;
    if (run != std::exchange(look_at(member).run_at_last_tick, run) || run == 0) return;
    (member.heavy.load(std::memory_order_relaxed) ? seen.known : seen.unknown) = true;
  }

  // 1. Gets help if a handler is late and others could run beside it. True if the next look should come soon: a handler
  // was newly found to be late, or long handlers run and nobody leads or polls beside them.
  bool look_closely() {
    const Lock lock(mutex_);
    const unsigned known = crew_.heavy();
    bool others_could = false;
    crew_.for_each_member([&](Member& member) {
      if (is_late(member)) others_could = others_could || !member.exclusive;
    });
    if (others_could) crew_.get_help();
    return crew_.heavy() > known || (crew_.heavy() > 0 && crew_.lacks_leader());
  }

  // True too if the member's handler already counts as long.
  bool is_late(Member& member) {
    const std::uint64_t run = member.current_run();
    Look& look = look_at(member);
    if (run == 0 || run != look.run_at_last_tick) return false;
    if (member.in_long_handler()) return true;
    const std::chrono::nanoseconds cpu = member.probe().cpu_time();
    if (std::exchange(look.suspect, run) != run) {
      look.ticks_suspected = 0;
      look.cpu_when_suspected = cpu;
      return false;
    }
    if (cpu - look.cpu_when_suspected < options_.tick / 2) {
      if (++look.ticks_suspected < kBlockedAfter) return false;
      look.ticks_suspected = 0;
      if (!member.probe().blocked().value_or(true)) return false;  // it waits for a processor
    }
    crew_.count_as_heavy(member);
    return true;
  }

  // 2. The threads are looked at without the mutex, because that takes a system call for each.
  void count_those_that_compute() {
    bool wanted = false;
    in_long_handlers_.clear();
    {
      const Lock lock(mutex_);
      wanted = crew_.place_is_wanted();
      if (!crew_.wants_count(wanted)) return;
      crew_.for_each_member([this](Member& member) {
        if (member.in_long_handler()) in_long_handlers_.push_back({&member, member.current_run(), member.probe()});
      });
    }
    unsigned runnable = 0;
    for (const auto& [member, run, probe] : in_long_handlers_)
      if (!probe.blocked().value_or(false) || member->run.load(std::memory_order_relaxed) != run) ++runnable;
    const Lock lock(mutex_);
    crew_.counted(static_cast<unsigned>(in_long_handlers_.size()), runnable, wanted);
  }

  // 3. At the end of a window passes on what the crew did in it; at every tick wakes the leaders that are missing.
  void measure(std::uint64_t runs) {
    const std::chrono::nanoseconds now = Sync::now();
    const bool over = now - window_.at >= options_.tick * kWindowTicks;
    if (!over && !several_lead_) return;
    const Lock lock(mutex_);
    if (over) {
      // Beside long handlers several threads run anyway: such a window says nothing about leaders, and counts as empty.
      const bool lone = crew_.heavy() == 0;
      std::chrono::nanoseconds computed{};
      if (lone) crew_.for_each_member([&](Member& member) { computed += member.probe().cpu_time(); });
      const auto began = std::exchange(window_, {now, lone ? runs : 0, computed});
      if (!lone) {
        crew_.measured({.handlers = 0, .length = now - began.at, .computed = {}});
      } else if (began.runs != 0) {  // otherwise the window only begins
        crew_.measured(
            {.handlers = runs - began.runs, .length = now - began.at, .computed = computed - began.computed});
      }
      several_lead_ = crew_.leaders().now() > 1;
      trying_leaders_ = crew_.leaders().trying();
    }
    crew_.call_missing_leaders();
  }

  Look& look_at(const Member& member) { return looks_[member.number()]; }

  Crew& crew_;
  Mutex& mutex_;  // the crew's; guards the next group
  typename Sync::Condition wake_;
  bool asleep_ = false;
  bool shutting_down_ = false;

  Mutex tick_mutex_;  // guards the next group; of its own, so that no handler meets it on the crew's at each tick
  typename Sync::Condition tick_;
  bool stop_ = false;

  // All that follows is used by its thread only.
  const CrewOptions options_;
  std::vector<Look> looks_;  // by the members' numbers
  unsigned idle_ticks_ = 0;
  unsigned calm_ticks_ = 0;  // in a row in which nobody was late
  bool in_a_hurry_ = false;
  std::uint64_t runs_at_last_tick_ = 0;
  struct {
    std::chrono::nanoseconds at{};
    std::uint64_t runs = 0;
    std::chrono::nanoseconds computed{};
  } window_;  // how things were when it began
  bool several_lead_ = false;
  bool trying_leaders_ = false;
  struct InLongHandler {
    Member* member;
    std::uint64_t run;
    typename Sync::ThreadProbe probe;
  };
  std::vector<InLongHandler> in_long_handlers_;  // of the last count

  typename Sync::Thread thread_;
};

}  // namespace heddle::scheduler
