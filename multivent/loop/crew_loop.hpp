// A loop run by a crew of threads: the crew's host (scheduler/crew/crew.hpp).
//
// Admission says which due calls may start, the crew says which thread looks for one; this joins them to the base and
// keeps libevent's rules about passes and about leaving the loop:
//   - A pass begins with a poll. Within it, calls of a lower priority than the last one started wait for another look
//     at the descriptors, so that a higher priority that became ready meanwhile goes first.
//   - What a call makes due belongs to the round of that call. Where they conflict, it goes before what a poll beside
//     the call finds: one thread would not have polled yet.
//   - A break starts nothing more and keeps what is queued. An exit makes the calls that are due, then leaves.
//   - EVLOOP_ONCE and EVLOOP_NONBLOCK poll only while nothing is due or running, so that what one poll found is done
//     when they return.
//   - The loop ends for lack of events only when no call is running that could add some.
// A loop that is entered from within a callback of any base is run by its caller alone: its handlers are part of an
// invocation that was admitted as one.
// A call that is pinned is made by the thread that entered the loop, wherever the call became due (the crew's owner).
// So is one that the constraints do not know.
//
// Every function needs the base's mutex, except reach_late_point(); for what due() to after_fork_in_child() mean see
// driver.hpp.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/quick_mutex.hpp"
#include "multivent/loop/loop_options.hpp"
#include "multivent/loop/loop_view.hpp"
#include "multivent/loop/turns.hpp"
#include "scheduler/admission/admission.hpp"
#include "scheduler/admission/oracle.hpp"
#include "scheduler/crew/crew.hpp"

namespace heddle::multivent {

class CrewLoop {
 public:
  using Invocation = scheduler::Invocation;
  using Lock = LoopView::Lock;

  // `options.crew` is set. `turns`: null if the crew runs the loop for good.
  CrewLoop(LoopView base, const LoopOptions& options, Turns* turns);
  ~CrewLoop();

  int run(Lock& lock, int flags);

  void due(Task& task);
  void withdrawn(Task& task);
  void starts(Task& task) const {
    if (!base_.caches_time()) {
      task.time_ns = 0;
    } else if (task.time_ns == 0) {
      const bool was_due = due_time_ns_ != 0 && task.round == round_between_calls_;
      task.time_ns = was_due ? due_time_ns_ : task.start_ns;
    } else {
      task.time_ns = std::max({task.time_ns, base_.updated_ns(), due_time_ns_});
    }
  }
  void made(Task& task);
  void reach_late_point(Task& task);
  void pause() { ++paused_; }
  void resume(bool with_others);
  std::size_t probe_others(std::size_t& from, std::span<base::ThreadProbe> probes) {
    return crew_.probe_others(from, probes);
  }
  void let_go(Lock& lock);
  bool would_find_later(event& timer);
  void keep_for_next_loop();
  bool polled_between_calls() const { return polled_between_calls_; }
  void found_signal(int signal, int times);
  short has_missed(const event& ev) const;
  void forget_event(const event_callback& callback);
  std::uint64_t hirer() const { return hirer_; }
  bool runs() const { return crew_.session_is_open(); }
  bool polls() const { return crew_.someone_polls(); }
  void wake();
  Task* timed_call() const { return base_.own_call(); }
  void after_fork_in_child();

  // What the crew asks of its host; see scheduler/crew/crew.hpp.
  Invocation* take(bool allow_heavy, bool allow_pinned);
  [[gnu::always_inline]] inline void run(Lock& lock, Invocation& invocation);
  void poll(Lock& lock);
  bool may_poll() const;
  bool poll_outdated() const;
  void kick() { base_.kick(); }
  bool has_work(bool allow_heavy) const { return paused_ == 0 && admission_.has_ready(allow_heavy); }
  bool has_pinned_work(bool allow_heavy) const {
    return paused_ == 0 &&
           admission_.has_pinned_ready(allow_heavy, only_due_ ? worst_priority_that_runs() : pass_priority_);
  }
  bool exclusive(const Invocation& invocation) const {
    return invocation.klass == scheduler::kUnknownClass || static_cast<const Task&>(invocation).called->exclusive;
  }
  bool finished();
  void resized(unsigned places) { base_.recorder().resized(places); }
  void goes_idle() { clock_is_fresh_ = false; }
  template <class Thread, class Function>
  Thread start_thread(unsigned number, Function function);

 private:
  using Crew = scheduler::Crew<base::QuickSync, CrewLoop>;

  static constexpr std::uint16_t kAnyPriority = 0xffff;
  // Within a round, what a poll finds comes by kind, and what its calls make due comes last.
  static constexpr std::uint64_t kRanks = 256;
  static constexpr std::uint64_t kLastRank = kRanks - 1;

  // The time; read again only if this thread has not done so since it took the mutex.
  base::Nanoseconds clock();
  void expect_long(const Callee& called);
  Invocation* admit(bool allow_heavy, base::Nanoseconds now, std::uint16_t max_priority, bool allow_pinned);
  void let_strangers_go(Lock& lock);
  void place(Task& task);
  static bool is_signal(const Task& task);
  void forget_signal(Task& task);
  void stay_in_pass(Task& task);
  void set_time_of_due();
  void begin_round();
  std::uint64_t rank_of(const Task& task) const;
  template <class Function>
  void for_each_found_beside(Function function);
  void find_all_again();
  void signals_call_starts(const Task& task);
  void look_again(std::uint64_t found_before);
  void ask_again(const Task& ended);
  bool step_by_step() const { return (loop_flags_ & (EVLOOP_ONCE | EVLOOP_NONBLOCK)) != 0; }
  bool queued_below(std::uint16_t priority) const;
  std::uint16_t worst_priority_that_runs() const;
  bool turn_is_over();
  bool any_due_in_pass() const;
  bool is_over();

  int paused_ = 0;  // by so many calls that want to run alone: nothing starts
  // In a child of fork(): the call that forked it. Nothing starts before it returns in the child, which it may never
  // do.
  const Task* forked_by_ = nullptr;

  LoopView base_;
  Turns* const turns_;
  const bool signals_are_tied_;
  scheduler::Admission admission_;
  std::optional<scheduler::Oracle> oracle_;

  // Of one event_base_loop().
  int loop_flags_ = 0;
  bool only_due_ = false;  // kOnlyWhatIsDue
  int result_ = 0;
  bool over_ = false;
  bool failed_ = false;
  bool polled_ = false;
  bool polled_between_calls_ = false;  // the last time
  bool looks_between_calls_ = false;   // a poll, which does not block, is being made between calls that are due
  bool exiting_ = false;
  bool others_turn_ = false;  // the crew is to leave the loop to its thread, now that nothing runs
  int made_since_poll_ = 0;   // calls that count, as EVLOOP_ONCE sees it
  int signals_found_ = 0;     // calls for signals that are due, and that a poll beside other calls has found

  // What polls beside calls have found and what had to wait for a call, by that call.
  struct Finding {
    Task* task;
    std::uint64_t number;  // no longer the task's if that was called or taken back
    base::Nanoseconds found_ns;
  };
  std::unordered_map<const Task*, std::vector<Finding>> found_beside_;
  std::uint64_t last_finding_ = 0;

  // Signals that polls beside calls have taken out of the pipe, and that one thread would find there behind those
  // calls: an event that one of these adds meanwhile is due for them, unless it has been called for them already.
  struct FoundSignal {
    int signal;
    int times;
    std::uint64_t round;  // of the poll; calls of earlier rounds began before
  };
  std::vector<FoundSignal> found_signals_;                    // since the last poll between calls
  std::unordered_map<const event*, std::size_t> called_for_;  // how many of these, from the first on

  const Task* ended_ = nullptr;  // the call that has ended, while signals are gathered behind it

  std::uint64_t round_ = 0;  // polls that returned, by kRanks
  // Of the last poll between calls. What a call makes due goes behind all that was found before the call began.
  std::uint64_t round_between_calls_ = 0;
  // When that poll was made in this session: one thread, too, would have read the clock, for all that was due. 0: not
  // yet.
  base::Nanoseconds due_time_ns_ = 0;
  bool any_found_beside_ = false;  // something due may have been found by polls beside calls only

  std::uint16_t pass_priority_ = kAnyPriority;  // calls below it wait for the next poll
  bool poll_quickly_ = false;                   // the next poll must not block, because such calls wait for it
  // The thread that entered the loop, and its mask: those of the crew are started by it, and with that mask.
  pthread_t entered_{};
  std::uint64_t hirer_ = 0;
  sigset_t signal_mask_{};
  std::optional<timeval> polls_until_;  // when the timer is due that a blocked poll waits for
  bool clock_is_fresh_ = false;         // the base's last clock was read since this thread took the mutex

  Crew crew_;  // destroyed first: its threads use the rest
};

}  // namespace heddle::multivent
