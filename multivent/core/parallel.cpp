#include "multivent/core/parallel.hpp"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>

#include "base/assert.hpp"

namespace heddle::multivent {

Parallel::Parallel(event_base& base, const Runtime& runtime)
    : base_(base),
      admission_(base.callees.constraints()),
      crew_(base.mutex, *this,
            {.handlers_at_once = runtime.settings().threads.least,
             .most_handlers_at_once = runtime.settings().threads.most,
             .promotion = runtime.settings().promotion}) {
  if (runtime.settings().oracle) oracle_.emplace(base.callees.constraints());
}

int Parallel::run(Lock& lock, int loop_flags) {
  loop_flags_ = loop_flags;
  result_ = made_since_poll_ = 0;
  over_ = failed_ = polled_ = exiting_ = poll_quickly_ = clock_is_fresh_ = false;
  pass_priority_ = kAnyPriority;
  pthread_sigmask(SIG_SETMASK, nullptr, &signal_mask_);
  crew_.run(lock, /*alone=*/current_task() != nullptr);
  return result_;
}

// --- Queueing ---

void Parallel::enqueue(Task& task) {
  task.heavy = task.called->heavy();
  task.round = base_.calling() && !base_.looks_next ? current_task()->round : round_;
  // One event is never in two calls at once, whatever its constraints allow. Where they forbid it, admission keeps the
  // order; elsewhere the new call waits behind the running one.
  const bool ordered = task.klass == scheduler::kUnknownClass || task.called->conflicts_with_itself ||
                       (task.called->conflicts_within_its_session && task.session != 0) || task.strand != 0;
  // Whoever makes a bufferevent still works on it after it let the loop have it, in the same function of libevent.
  Task* before = task.maker != 0 ? base_.running.find(task.maker) : nullptr;
  if (before == nullptr && !ordered) before = base_.running.find(*task.callback);
  if (before != nullptr) {
    task.next_held = std::exchange(before->held, &task);
    task.is_held = true;
    return;
  }
  admission_.enqueue(task, base_.last_clock_ns);
}

void Parallel::withdraw(Task& task) {
  if (!task.is_held) {
    admission_.cancel(task);
    return;
  }
  task.is_held = false;
  for (Task* before : base_.running)
    for (Task** at = &before->held; *at != nullptr; at = &(*at)->next_held) {
      if (*at != &task) continue;
      *at = task.next_held;
      return;
    }
}

void Parallel::completed(Task& task) {
  base_.last_clock_ns = base::monotonic_ns();
  clock_is_fresh_ = true;
  const bool was_heavy = task.called->heavy();
  task.called->ran_for(base_.last_clock_ns - task.start_ns);
  if (task.called->heavy() && !was_heavy) expect_long(*task.called);
  if (oracle_) oracle_->finished(&task);
  admission_.complete(task, base_.last_clock_ns);
  // The latest stands first; they are queued in the order in which they became due.
  Task* oldest = nullptr;
  for (Task* held = std::exchange(task.held, nullptr); held != nullptr;) {
    Task* const behind = std::exchange(held->next_held, oldest);
    oldest = std::exchange(held, behind);
  }
  for (; oldest != nullptr; oldest = oldest->next_held) {
    oldest->is_held = false;
    if (oldest->for_owner && base_.identify_again(*oldest)) oldest->heavy = oldest->called->heavy();
    admission_.enqueue(*oldest, base_.last_clock_ns);
  }
}

// What was queued before its handler was known to run long waits for a place like any other.
void Parallel::expect_long(const Callee& called) {
  for (TaskList& queued : base_.active)
    for (Task* task = queued.first(); task != nullptr; task = task->next) {
      if (task->called != &called) continue;
      if (task->is_held) {
        task->heavy = true;
      } else {
        admission_.expect_long(*task);
      }
    }
}

void Parallel::handler_waits() { crew_.handler_waits(); }

void Parallel::work_came_up() { crew_.work_came_up(); }

// --- Host of the crew ---

base::Nanoseconds Parallel::clock() {
  if (!std::exchange(clock_is_fresh_, false)) base_.last_clock_ns = base::monotonic_ns();
  return base_.last_clock_ns;
}

bool Parallel::queued_below(std::uint16_t priority) const {
  for (std::size_t p = std::size_t{priority} + 1; p < base_.active.size(); ++p)
    if (!base_.active[p].empty()) return true;
  return false;
}

// What a call of libevent may go on to can have changed since it was queued. Then it was queued under constraints that
// are not its own, and stands in line anew.
Parallel::Invocation* Parallel::admit(bool allow_heavy, base::Nanoseconds now, std::uint16_t max_priority) {
  for (;;) {
    Invocation* const next = admission_.take(allow_heavy, now, max_priority);
    if (next == nullptr) return nullptr;
    Task& task = static_cast<Task&>(*next);
    const scheduler::ClassId admitted_as = task.klass;
    if (!task.for_owner || !base_.identify_again(task)) return next;
    const scheduler::ClassId klass = std::exchange(task.klass, admitted_as);
    admission_.complete(task, now);
    task.klass = klass;
    task.heavy = task.called->heavy();
    admission_.enqueue(task, now);
  }
}

Parallel::Invocation* Parallel::take(bool allow_heavy) {
  if (step_by_step() && !polled_) return nullptr;
  const base::Nanoseconds now = clock();
  Invocation* next = admit(allow_heavy, now, pass_priority_);
  if (next == nullptr && pass_priority_ != kAnyPriority && !exiting_ && queued_below(pass_priority_)) {
    if (crew_.someone_polls() || step_by_step()) {
      pass_priority_ = kAnyPriority;
      next = admit(allow_heavy, now, kAnyPriority);
    } else {
      poll_quickly_ = true;
    }
  }
  if (next != nullptr && base_.active.size() > 1 && !exiting_ &&
      (pass_priority_ == kAnyPriority || next->priority > pass_priority_))
    pass_priority_ = next->priority;
  return next;
}

void Parallel::run(Lock& lock, Invocation& invocation) {
  Task& task = static_cast<Task&>(invocation);
  if (oracle_) oracle_->started(&task, task.klass, task.session, task.strand);
  base_.begin(task);
  made_since_poll_ += task.internal ? 0 : 1;
  base_.make(lock, task, crew_.this_member());
}

void Parallel::poll(Lock& lock) {
  base_.deferred_in_pass = 0;
  const bool had_later = base_.later.first() != nullptr;
  base_.make_later_events_active();
  const bool block = !had_later && !poll_quickly_ && !(loop_flags_ & EVLOOP_NONBLOCK) &&
                     !(step_by_step() && base_.active_events.now != 0);
  poll_quickly_ = false;
  made_since_poll_ = 0;
  base_.continue_requested = false;
  if (base_.poll(lock, block) != 0) failed_ = true;
  polled_ = true;
  clock_is_fresh_ = !(base_.flags & EVENT_BASE_FLAG_NO_CACHE_TIME);
  pass_priority_ = kAnyPriority;
}

bool Parallel::may_poll() const {
  if (over_ || base_.exit_requested) return false;
  if (step_by_step())
    return base_.running.size() == 0 && (!polled_ || base_.active_events.now == 0 || base_.later.first() != nullptr);
  return poll_quickly_ || base_.has_events() || base_.later.first() != nullptr ||
         (loop_flags_ & EVLOOP_NO_EXIT_ON_EMPTY);
}

bool Parallel::poll_outdated() const {
  if (base_.later.first() != nullptr) return true;
  const event* first = base_.timers.first();
  return first != nullptr && (!polls_until_ || less(without_magic(first->ev_timeout), *polls_until_));
}

void Parallel::kick() { base_.kick(); }

void Parallel::resized(unsigned places) { base_.recorder.resized(places); }

bool Parallel::finished() {
  if (!over_) over_ = is_over();
  return over_;
}

bool Parallel::is_over() {
  if (failed_) {
    result_ = -1;
    return true;
  }
  if (base_.break_requested.load(std::memory_order_relaxed)) return true;
  const bool idle = base_.running.size() == 0;
  if (base_.exit_requested) {
    exiting_ = true;
    if (!idle) return false;
    const std::size_t last = std::min<std::size_t>(pass_priority_, base_.active.size() - 1);
    for (std::size_t p = 0; p <= last; ++p)
      if (!base_.active[p].empty()) return false;
    return true;
  }
  if (!idle || base_.active_events.now != 0) return false;
  if (!(loop_flags_ & EVLOOP_NO_EXIT_ON_EMPTY) && !base_.has_events()) {
    // As in one thread, a pass that did something and leaves nothing behind ends an EVLOOP_ONCE with 0.
    result_ = (loop_flags_ & EVLOOP_ONCE) && made_since_poll_ != 0 ? 0 : 1;
    return true;
  }
  if (!polled_) return false;
  return made_since_poll_ == 0 ? (loop_flags_ & EVLOOP_NONBLOCK) != 0 : (loop_flags_ & EVLOOP_ONCE) != 0;
}

template <class Thread, class Function>
Thread Parallel::start_thread(unsigned number, Function function) {
  // A handler finds the mask that it would find on the thread that called the loop: it may raise a signal, or wait for
  // one, and what it forks inherits the mask. The watchdog is none of the program's business.
  sigset_t mask = signal_mask_;
  sigset_t before;
  if (number == 0) sigfillset(&mask);
  pthread_sigmask(SIG_SETMASK, &mask, &before);
  Thread thread(std::move(function));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  const std::string name = number == 0 ? "heddle-watchdog" : "heddle-" + std::to_string(number);
  pthread_setname_np(thread.native_handle(), name.c_str());
  return thread;
}

void Parallel::after_fork_in_child() {
  // The handlers that other threads were in have gone with them.
  Task* const own = base_.calling() ? current_task() : nullptr;
  std::vector<Task*> lost;
  for (Task* task : base_.running)
    if (task != own) lost.push_back(task);
  for (Task* task : lost) base_.end(*task, 0);
  crew_.after_fork_in_child(own != nullptr);
}

}  // namespace heddle::multivent
