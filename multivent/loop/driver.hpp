// Who runs a base's loop: its caller alone (SerialLoop) or a crew of threads (CrewLoop).
//
// A base keeps events, descriptors, timers, signals and queues, whoever runs it; where the two differ it asks its
// driver. Only the driver tests which of them it is: a test that mostly goes the same way costs less than a virtual
// function, and half a dozen of them stand on the way of each call.
//
// Which of them it is is decided when the base is made, or found out while the loop runs (turns.hpp). A program that
// limits what is done between two looks at the descriptors (event_config_set_max_dispatch_interval) gets a serial loop:
// between which calls one thread would have looked depends on how many it has made. Where it is found out, they change
// only where nothing runs and nothing is due, in the thread that entered the loop. The crew's threads exist only during
// its turn: a process of one thread has the shorter system calls.
//
// Every function needs the base's mutex unless it says otherwise.
#pragma once

#include <memory>
#include <span>

#include "base/quick_mutex.hpp"
#include "base/thread_probe.hpp"
#include "multivent/loop/loop_options.hpp"

struct event;
struct event_base;
struct event_callback;
struct event_config;

namespace heddle::multivent {

// A flag of run(), beside those of event_base_loop(): see event_base::make_all_due().
inline constexpr int kOnlyWhatIsDue = 0x1000;

class CrewLoop;
class SerialLoop;
class Turns;
struct Task;

class Driver {
 public:
  Driver(event_base& base, const event_config& config, const LoopOptions& options);
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  // Ends the threads of a crew, if there is one. Not while the loop runs; without the mutex.
  void stop();
  // The same for those that this thread has hired, when it ends: nobody can use them any more. Not if they are in the
  // loop. Gives up the mutex meanwhile; the base may be gone when it returns.
  bool has_hired() const;
  void let_go(base::QuickSync::Lock& lock);
  // A crew is in the loop.
  bool runs() const;

  // What run() of a loop returns, beside what event_base_loop() may, when it is the other's turn.
  static constexpr int kOthersTurn = -2;

  // Runs the loop for one event_base_loop(); returns what that returns.
  int run(base::QuickSync::Lock& lock, int flags);

  // A call's life: it becomes due; either it is taken back, or it starts and has been made.
  void due(Task& task);
  void withdrawn(Task& task);
  void starts(Task& task);
  void made(Task& task);

  // The call has got to a late point: blocks until no other call runs for which it must wait there
  // (scheduler/admission/admission.hpp). Without the mutex.
  void reach_late_point(Task& task);

  // Starts no call until as many resume(), which wakes and starts other threads if it may: not in a child of fork().
  // probe_others(): see Crew.
  void pause();
  void resume(bool with_others);
  std::size_t probe_others(std::size_t& from, std::span<base::ThreadProbe> probes);
  // The thread of the loop looks once a second whether somebody wants figures.
  bool looks() const { return options_.looks != nullptr && turns_ != nullptr; }
  // A thread of the crew waits for descriptors.
  bool polls() const;

  // Whether a loopexit() that is due now ends the loop. One thread would have found its timer in a poll between two
  // calls, together with all else that was due then. Where the last poll was made beside calls, what these made due
  // would be lost; then the time comes once more, in a poll between calls.
  bool may_exit() const;

  // The loop will not poll again before it is left: what only polls beside calls have found is for the next loop, whose
  // first poll one thread would find it with.
  void keep_for_next_loop();

  // Whether the last poll is one that one thread would have made, too, with the same calls due.
  bool polls_as_one_thread() const;

  // A poll has found a signal so many times. An event that is added for it may have missed some of them: it is how
  // many.
  void found_signal(int signal, int times);
  short has_missed(const event& ev) const;
  // The event's memory may belong to another one from here on.
  void forget_event(const event_callback& callback);

  // This thread has given a loop that runs something to do that a sleeping one would not notice.
  void wake();

  // One thread would not have found this timer, which is over, yet: a call that it has to wait for began before. It may
  // be set anew until that has ended, and then comes with all else that is found.
  bool would_find_later(event& timer) const;

  // A poll may run beside calls. Then reports for busy events are suppressed, so that they do not come again and again,
  // and a one-shot registration saves a call of the kernel (io_map.hpp).
  bool polls_beside_calls() const { return by_crew_; }
  // The call of this thread if calls have a time of their own, null if they share the base's cached time.
  Task* timed_call() const;

  // In the child of fork(), in which only the forking thread exists.
  void after_fork_in_child();

 private:
  template <class Function>
  decltype(auto) with_loop(Function function) const;

  void change(base::QuickSync::Lock& lock);
  void look_for_good(base::QuickSync::Lock& lock);

  event_base& base_;
  const LoopOptions options_;           // as given, but for what the program's own limits exclude
  std::unique_ptr<Turns> turns_;        // null: it is decided for good
  std::unique_ptr<SerialLoop> serial_;  // null if it has no turn
  std::unique_ptr<CrewLoop> crew_;      // null unless it is its turn
  bool by_crew_ = false;                // whose turn it is
};

}  // namespace heddle::multivent
