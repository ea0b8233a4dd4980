// Making the calls that are due: what happens under the mutex before one, the call itself, and what happens after.
#include <algorithm>
#include <atomic>
#include <new>

#include "base/assert.hpp"
#include "multivent/calls/watcher_call.hpp"
#include "multivent/loop/base.hpp"
#include "multivent/loop/debug_mode.hpp"

using namespace heddle::multivent;

namespace heddle::multivent {

std::uint64_t thread_number() {
  static std::atomic<std::uint64_t> last{0};  // relaxed: nothing else is handed over with it
  [[gnu::tls_model("initial-exec")]] static thread_local std::uint64_t number = 0;
  if (number == 0) number = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return number;
}

OnceEvent* make_once_event() {
  void* const memory = event_mm_malloc_(sizeof(OnceEvent));
  return memory != nullptr ? new (memory) OnceEvent{} : nullptr;
}

void once_callback(evutil_socket_t fd, short what, void* argument) {
  auto* once = static_cast<OnceEvent*>(argument);
  once->function(fd, what, once->argument);
  event_base& base = *once->ev.ev_base;
  {
    const BaseLock lock(base);
    (once->previous != nullptr ? once->previous->next : base.once_events) = once->next;
    if (once->next != nullptr) once->next->previous = once->previous;
    base.forget_callback(once->ev.ev_evcallback);
  }
  debug_mode::note_torn_down(once->ev);
  event_mm_free_(once);
}

}  // namespace heddle::multivent

Task* event_base::own_call() const {
  Task* task = current_task();
  while (task != nullptr && task->base != this) task = task->outer;
  return task;
}

void event_base::begin(Task& task) {
  looks_next = true;
  task.passed_late = task.stands_alone = task.is_left = false;
  task.waited_late_ns = 0;
  event_callback& callback = *task.callback;
  leave_active(callback);
  running.add(task);
  driver.starts(task);
  if (task.stands_for != 0 && recorder.on()) {
    if (recorder.traces()) task.cpu_before_ns = heddle::base::thread_cpu_ns();
    recorder.started(running.size());
  }
  task.closure = static_cast<Closure>(callback.evcb_closure);
  task.function = callback.evcb_cb_union;
  task.argument = callback.evcb_arg;
  task.internal = (callback.evcb_flags & EVLIST_INTERNAL) != 0;
  task.fd = -1;
  if (is_event(callback)) {
    event& ev = event_of(callback);
    task.fd = ev.ev_fd;
    task.what = ev.ev_res;
    task.calls = calls_of(ev);
    if (!(ev.ev_events & EV_PERSIST) && !(flags_of(ev) & EVLIST_FINALIZING)) {
      const short calls = task.calls;
      remove(ev);
      task.calls = calls;  // that was no deletion by the program
    }
    if (task.closure == kEventPersist) restart_interval(ev);
    task.target = &ev;
  }
  task.self = &callback;
  task.assigned_anew = false;
  if (task.closure == kWatcher) {
    WatcherCall& call = watcher_call_of(callback);
    task.loop = call.loop;
    task.revents = call.revents;
    task.argument = call.watcher;
    task.callback = task.self = nullptr;
    call.give_back();
    looks_next = false;
    return;
  }
  // A finaliser is the end of its event: nobody deletes it, or waits for it, any more.
  if (task.closure >= kCallbackFinalize) task.callback = nullptr;
  looks_next = false;
  if (heddle::multivent::library::kept != nullptr) [[unlikely]]
    say_in_turn();
}

// A persistent event with a timeout starts a new interval: from when the old one should have ended if it has, else from
// now. If calls were missed, they are not made up for.
void event_base::restart_interval(event& ev) {
  if (!is_set(interval_of(ev))) return;
  const bool common = timers.is_common(interval_of(ev));
  const timeval interval = common ? without_magic(interval_of(ev)) : interval_of(ev);
  const timeval current = now();
  const timeval previous = common ? without_magic(ev.ev_timeout) : ev.ev_timeout;
  timeval end = plus((ev.ev_res & EV_TIMEOUT) ? previous : current, interval);
  if (less(end, current)) end = plus(current, interval);
  if (common) end.tv_usec |= interval_of(ev).tv_usec & ~kMicrosecondsMask;
  add(ev, &end, /*absolute=*/true);
}

// Whether the event of a signal is called once more. libevent looks at the event before each of its calls, and counts
// down in it: so it calls what the event says by then, and an activation from within one of the calls is counted down
// with them.
bool event_base::next_signal_call(Task& task, bool first) {
  const BaseLock lock(*this);
  if (task.calls == 0) return false;
  --task.calls;
  if (first || (task.callback == nullptr && !task.assigned_anew)) return true;
  event& ev = event_of(*task.self);
  task.function = ev.ev_evcallback.evcb_cb_union;
  task.argument = argument_of(ev);
  task.fd = ev.ev_fd;
  task.what = ev.ev_res;
  if ((ev.ev_events & EV_SIGNAL) && (flags_of(ev) & EVLIST_ACTIVE)) {
    // Signals that a poll beside the call has found are not counted down: one thread would find them behind it.
    const Task& again = *task_of(ev.ev_evcallback);
    if (again.found_by_poll == 0 && !again.is_found_signal) calls_of(ev) = task.calls;
  }
  return true;
}

// Makes the less frequent kinds of calls: events for signals, deferred callbacks, finalisers.
void event_base::call_rare(Task& task) {
  switch (task.closure) {
    case kEvent:
    case kEventPersist:
      break;  // make() calls these itself
    case kEventSignal:
      for (bool first = true; next_signal_call(task, first); first = false) {
        task.function.evcb_callback(task.fd, task.what, task.argument);
        if (break_requested.load(std::memory_order_relaxed)) break;
      }
      break;
    case kWatcher: {
      auto* const watcher = static_cast<ev_watcher*>(task.argument);
      watcher->cb(task.loop, watcher, task.revents);
      break;
    }
    case kSelf:
      task.function.evcb_selfcb(task.self, task.argument);
      break;
    case kCallbackFinalize:
      if (registry != nullptr) Owners::get().forget(task.argument);
      task.function.evcb_cbfinalize(task.self, task.argument);
      break;
    case kEventFinalize:
    case kEventFinalizeFree:
      debug_mode::note_torn_down(*task.target);
      task.function.evcb_evfinalize(task.target, task.argument);
      if (task.closure == kEventFinalizeFree) event_mm_free_(task.target);
      break;
  }
}

void event_base::make_all_due(Lock& lock) {
  if (active_events.now == 0) return;
  in_loop.store(true, std::memory_order_relaxed);
  const heddle::base::OnExit over([this] { in_loop.store(false, std::memory_order_relaxed); });
  driver.run(lock, kOnlyWhatIsDue);
}

void event_base::end(Task& task, unsigned thread) {
  running.remove(task);
  if (waiters > 0) {
    for (Task* other : running)
      if (other->awaits == &task) other->awaits = nullptr;
    call_ended.notify_all();
  }
  driver.made(task);
  if (task.stands_for != 0 && recorder.on()) {
    const auto used_ns = recorder.traces() ? heddle::base::thread_cpu_ns() - task.cpu_before_ns : 0;
    recorder.finished(task, last_clock_ns, used_ns, thread);
  }
  tasks.give_back(task);
}
