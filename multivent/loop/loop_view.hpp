// What a loop sees of its base: the calls that are due, those that are being made, and the means to find more.
//
// The rest of the base (events, descriptors, timers, signals) is none of a loop's business. Every function needs the
// base's mutex unless it says otherwise.
#pragma once

#include "multivent/loop/base.hpp"

namespace heddle::multivent {

class LoopView {
 public:
  using Lock = event_base::Lock;

  explicit LoopView(event_base& base) : base_(base) {}

  base::QuickMutex& mutex() const { return base_.mutex; }
  const scheduler::Constraints& constraints() const { return base_.callees.constraints(); }

  // --- What was asked of the loop ---
  bool break_requested() const { return base_.break_requested.load(std::memory_order_relaxed); }
  bool exit_requested() const { return base_.exit_requested; }
  bool exit_wanted() const { return base_.exit_wanted; }
  bool exit_queued() const { return base_.exit_queued; }
  bool continue_requested() const { return base_.continue_requested; }

  // --- Calls that are due ---
  // A list per priority, the best first.
  const std::vector<TaskList>& due() const { return base_.active; }
  // Due now or in the next pass.
  bool any_due() const { return base_.active_events.now != 0; }
  bool any_for_next_pass() const { return base_.later.first() != nullptr; }
  // Without one the loop has nothing to wait for.
  bool has_events() const { return base_.has_events(); }

  // Finds out which handler a call goes to; again: true if that has changed since.
  void identify(Task& task) const { base_.identify(task, *task.callback); }
  bool identify_again(Task& task, bool begins) const { return base_.identify_again(task, begins); }

  // See Task::finding.
  bool is_level_of_descriptor(const event_callback& callback) const { return base_.is_level_of_descriptor(callback); }
  bool is_still_ready(event_callback& callback) const { return base_.is_still_ready(event_of(callback)); }
  void unfind(event_callback& callback) const { base_.unfind(event_of(callback)); }

  // --- Calls that are being made ---
  const Running& running() const { return base_.running; }
  // The call that this thread is making; null if it makes none of this base.
  Task* own_call() const { return base_.own_call(); }
  // True while this thread works for the loop itself, and will look for what to do next.
  bool looks_next() const { return base_.looks_next; }
  void begin(Task& task) const { base_.begin(task); }
  // See event_base::make().
  [[gnu::always_inline]] void make(Lock& lock, Task& task, unsigned thread) const { base_.make(lock, task, thread); }
  void end(Task& task, unsigned thread) const { base_.end(task, thread); }
  // Blocks until the call is over.
  void await_end(Lock& lock, std::uint64_t run_id) const { base_.await_end(lock, run_id); }
  // The descriptor may be reported again, now that a call for it has ended.
  void call_ended(int fd) const {
    base_.io.call_ended(fd);
    base_.release_suppressed(fd);
  }
  // True if this thread has the mutex already: it shows the base's events to a function of the program, or a signal has
  // interrupted it. Needs no mutex.
  bool is_locked_by_this_thread() const { return base_.is_locked_by_this_thread(); }
  Recorder& recorder() const { return base_.recorder; }

  // Serial loops: a call that becomes due with a better priority than this ends the turn of this one.
  void set_running_priority(int priority) const { base_.running_priority = priority; }

  // --- A pass ---
  void begin_pass() const {
    base_.continue_requested = false;
    base_.deferred_in_pass = 0;
  }
  void make_later_events_active() const { base_.make_later_events_active(); }
  // Timers that would_find_later() come into question again.
  void bring_timers_back() const {
    if (base_.timers.any_aside()) base_.bring_timers_back();
  }
  // A call that nobody knows of, to find out what one would be like.
  Task& borrow(event_callback& callback) const {
    Task& task = base_.tasks.take();
    task.base = &base_;
    task.callback = &callback;
    base_.identify(task, callback);
    return task;
  }
  void give_back(Task& task) const {
    base_.forget_figures(task);
    base_.tasks.give_back(task);
  }
  bool has_common_timeout(const event& ev) const { return base_.timers.is_common(ev.ev_timeout); }
  const event* next_timer() const { return base_.timers.first(); }
  std::optional<timeval> timers_due() const { return base_.timers.next(); }
  void forget_time() const { base_.forget_time(); }
  // A timer ends polls where somebody looks.
  bool has_look_timer() const { return base_.look_fd >= 0; }
  int wait(Lock& lock, base::Nanoseconds timeout_ns) const { return base_.wait(lock, timeout_ns); }
  bool gather(int reports) const { return base_.gather(reports); }
  // Makes due what signals have come, without a poll.
  void gather_signals() const { base_.gather_signals(); }
  void kick() const { base_.kick(); }
  // The same, unless the loop has not yet noticed the last kick.
  void kick_once() const {
    if (!std::exchange(base_.kicked, true)) base_.kick();
  }
  // In a child of fork(), whose loop was another thread's.
  void loop_has_gone() const { base_.in_loop.store(false, std::memory_order_relaxed); }

  // --- Time ---
  bool caches_time() const { return !(base_.flags & EVENT_BASE_FLAG_NO_CACHE_TIME); }
  base::Nanoseconds updated_ns() const { return base_.updated_ns; }
  base::Nanoseconds& last_clock_ns() const { return base_.last_clock_ns; }
  timeval now() const { return base_.now(); }
  void update_time() const { base_.update_time(); }

 private:
  event_base& base_;
};

}  // namespace heddle::multivent
