// A base's loop run by a crew of threads: the crew's host.
//
// Admission says which due calls may start, the crew says which thread looks for one; this joins them to the base and
// keeps libevent's rules about passes and about leaving the loop:
//   - A pass begins with a poll. Within it, calls of a lower priority than the last one started wait for another look
//   at
//     the descriptors, so that a higher priority that became ready meanwhile goes first.
//   - What a call makes due belongs to the round of that call, so that it goes before what a poll beside it finds, if
//   they
//     conflict: one thread would not have polled yet.
//   - A break starts nothing more and keeps what is queued. An exit makes the calls that are due, then leaves.
//   - EVLOOP_ONCE and EVLOOP_NONBLOCK poll only while nothing is due or running, so that what one poll found is done
//     when they return.
//   - The loop ends for lack of events only when no call is outstanding that could add some.
// A loop that is entered from within a callback of any base is run by its caller alone: its handlers are part of an
// invocation that was admitted as one.
//
// Every function needs the base's mutex.
#pragma once

#include <optional>

#include "base/sync.hpp"
#include "multivent/core/base.hpp"
#include "multivent/core/runtime.hpp"
#include "scheduler/admission.hpp"
#include "scheduler/crew.hpp"
#include "scheduler/oracle.hpp"

namespace heddle::multivent {

class Parallel {
 public:
  using Invocation = scheduler::Invocation;
  using Lock = event_base::Lock;

  Parallel(event_base& base, const Runtime& runtime);

  // One event_base_loop(); its return value.
  int run(Lock& lock, int loop_flags);

  // A queued call, whose constraints are set, shall be made; it shall not after all; it is over.
  void enqueue(Task& task);
  void withdraw(Task& task);
  void completed(Task& task);

  // At late points: the first of those that a call which has reached one must wait for, of those that count; that it is
  // about to wait; that it goes on.
  template <class Counts>
  Task* late_blocker(const Task& task, Counts counts) const {
    return static_cast<Task*>(admission_.late_blocker(
        task, [&](const Invocation& other) { return counts(static_cast<const Task&>(other)); }));
  }
  template <class Counts>
  void passed_late_point(const Task& task, Counts counts) const {
    if (oracle_)
      oracle_->passed_late_point(&task, [&](const void* other) { return counts(*static_cast<const Task*>(other)); });
  }
  void handler_waits();

  void work_came_up();
  // The time; read again only if that was not done since this thread has the mutex.
  base::Nanoseconds clock();
  void polls_until(std::optional<timeval> due) { polls_until_ = due; }
  void poll_returned() { ++round_; }

  void after_fork_in_child();

  // What the crew asks of its host; see scheduler/crew.hpp.
  Invocation* take(bool allow_heavy);
  [[gnu::always_inline]] inline void run(Lock& lock, Invocation& invocation);
  void poll(Lock& lock);
  bool may_poll() const;
  bool poll_outdated() const;
  void kick();
  bool has_work(bool allow_heavy) const { return admission_.has_ready(allow_heavy); }
  bool exclusive(const Invocation& invocation) const {
    return invocation.klass == scheduler::kUnknownClass || static_cast<const Task&>(invocation).called->exclusive;
  }
  bool finished();
  void resized(unsigned places);
  void falls_asleep() { clock_is_fresh_ = false; }
  template <class Thread, class Function>
  Thread start_thread(unsigned number, Function function);

 private:
  using Crew = scheduler::Crew<base::StdSync, Parallel>;

  static constexpr std::uint16_t kAnyPriority = 0xffff;

  void expect_long(const Callee& called);
  Invocation* admit(bool allow_heavy, base::Nanoseconds now, std::uint16_t max_priority);

  bool step_by_step() const { return (loop_flags_ & (EVLOOP_ONCE | EVLOOP_NONBLOCK)) != 0; }
  bool queued_below(std::uint16_t priority) const;
  bool is_over();
  event_base& base_;
  scheduler::Admission admission_;
  std::optional<scheduler::Oracle> oracle_;

  // Of the session, that is, of one event_base_loop().
  int loop_flags_ = 0;
  int result_ = 0;
  bool over_ = false;
  bool failed_ = false;
  bool polled_ = false;
  bool exiting_ = false;
  int made_since_poll_ = 0;  // calls that count, as EVLOOP_ONCE sees it

  std::uint64_t round_ = 0;  // polls that returned

  std::uint16_t pass_priority_ = kAnyPriority;  // calls below it wait for the next poll
  bool poll_quickly_ = false;                   // because of that
  sigset_t signal_mask_{};                      // of the thread that called the loop; read when one is hired
  std::optional<timeval> polls_until_;          // the timer a blocked poll waits for
  bool clock_is_fresh_ = false;                 // last_clock_ns was read under this hold of the mutex

  Crew crew_;
};

}  // namespace heddle::multivent
