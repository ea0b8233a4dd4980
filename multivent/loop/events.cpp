// What becomes of an event when it is added, deleted, activated, finalised. The rules are libevent 2.1.12's.
#include <algorithm>
#include <chrono>
#include <climits>
#include <utility>

#include "base/assert.hpp"
#include "multivent/calls/watcher_call.hpp"
#include "multivent/loop/base.hpp"
#include "multivent/loop/debug_mode.hpp"
#include "multivent/loop/library.hpp"

using namespace heddle::multivent;

// --- Queues and counts ---

void event_base::enter_active(event_callback& callback, Task* task) {
  if (!(callback.evcb_flags & EVLIST_INTERNAL) && task == nullptr) events.up();
  if (task == nullptr) {
    active_events.up();
    task = &tasks.take();
    task->base = this;
    task->callback = &callback;
    set_task(callback, task);
  }
  set_flags(callback.evcb_flags, EVLIST_ACTIVE);
  if (callback.evcb_pri >= active.size())
    library::fatal(library::kAbort, "%s",
                   "event.c:3392: Assertion evcb->evcb_pri < base->nactivequeues failed in event_queue_insert_active");
  task->priority = task->queue = callback.evcb_pri;
  task->found_by_poll = looks_next ? polls : 0;
  if (callback.evcb_closure == kWatcher) {
    task->round = --first_round;
    active[callback.evcb_pri].push_front(*task);
  } else {
    active[callback.evcb_pri].push_back(*task);
  }
  driver.due(*task);
}

// Finds out which handler the call goes to, for constraints and figures: for event_base_once(), the program's function.
void event_base::identify(Task& task, const event_callback& callback) {
  const void* function = reinterpret_cast<const void*>(callback.evcb_cb_union.evcb_callback);
  const void* argument = callback.evcb_arg;
  task.function = callback.evcb_cb_union;
  task.argument = callback.evcb_arg;
  const bool is_once = callback.evcb_cb_union.evcb_callback == once_callback;
  if (is_once) {
    const auto* once = static_cast<const OnceEvent*>(argument);
    function = reinterpret_cast<const void*>(once->function);
    argument = once->argument;
  }
  task.called = &callees.find(function);
  // Deferred callbacks and finalisers are the library's business, of which the constraints know nothing. So is giving a
  // once event back to an allocator of the program's.
  const bool is_watcher = callback.evcb_closure == kWatcher;
  const bool is_handler = is_watcher || (callback.evcb_closure <= kEventPersist && !(is_once && program_allocates()));
  task.klass = is_handler ? task.called->klass : heddle::scheduler::kUnknownClass;
  task.pinned = !is_handler || task.called->pinned;
  task.session = is_handler ? task.called->session_of(argument) : 0;
  task.strand = 0;
  task.maker = 0;
  task.for_owner = false;
  if (registry != nullptr && !is_watcher && !(is_handler && task.called->known())) identify_for_owner(task, callback);
  // Which route of a server is called shows later (goes_on_to()).
  const bool served = task.for_owner && duty_.served && (duty_.only_served || !duty_.callbacks.empty());
  task.handler = served ? callees.find(Owners::connection_of_server()).index() : task.called->index();
  task.stands_for = 1;
  recorder.due(task);
}

// A call of one of libevent's own functions gets the constraints of the handlers that it may go on to, if the
// constraints document knows all of them and says for at least one what libevent does beside it.
void event_base::identify_for_owner(Task& task, const event_callback& callback) {
  if (!Owners::get().find(callback, duty_)) return;
  if (duty_.only_served) {
    task.for_owner = true;
    return;
  }
  if (!duty_.one_of.empty()) {
    const Owners::Callback* chosen = nullptr;
    bool free = false;
    for (const Owners::Callback& each : duty_.one_of) {
      const Callee& callee = callees.find(each.function);
      if (!callee.known() || !callee.handler->on_behalf || free) continue;
      free = !callee.exclusive && !callee.conflicts_with_itself && !callee.pinned;
      if (chosen == nullptr || free) chosen = &each;
    }
    if (chosen == nullptr) return;
    duty_.callbacks.push_back(*chosen);
  }
  if (duty_.callbacks.empty()) {
    // A call that still runs is making the owner; when that call has ended, the owner shows what it is for.
    task.for_owner = duty_.maker_base == this && running.contains(duty_.maker);
    task.maker = task.for_owner ? duty_.maker : 0;
    return;
  }
  Callee& first = callees.find(duty_.callbacks.front().function);
  std::vector<heddle::scheduler::ClassId> classes;
  std::uintptr_t session = 0;
  bool mixed = false;
  bool on_behalf = false;
  bool pinned = false;
  for (const Owners::Callback& each : duty_.callbacks) {
    const Callee& callee = callees.find(each.function);
    if (!callee.known()) return;
    classes.push_back(callee.klass);
    on_behalf = on_behalf || callee.handler->on_behalf;
    pinned = pinned || callee.pinned;
    const std::uintptr_t its = callee.session_of(each.argument);
    mixed = mixed || (session != 0 && its != 0 && its != session);
    if (its != 0) session = its;
  }
  const bool several = mixed || std::any_of(classes.begin(), classes.end(), [&](auto c) { return c != first.klass; });
  Callee* const called = several ? callees.find_any_of(first, std::move(classes), mixed, pinned) : &first;
  if (!on_behalf || called == nullptr) return;
  task.for_owner = true;
  task.called = called;
  task.klass = called->klass;
  task.pinned = pinned;
  task.session = mixed ? 0 : session;
  task.strand = duty_.strand;
  task.maker = duty_.maker_base == this ? duty_.maker : 0;
}

// The call for a connection is, from here on, one of this function of the program.
void event_base::goes_on_to(Task& task, const void* function) {
  if (task.stands_for == 0) return;
  recorder.dropped(task);
  task.handler = callees.find(function).index();
  recorder.due(task);
}

void event_base::forget_figures(Task& task) {
  if (std::exchange(task.stands_for, 0) != 0) recorder.dropped(task);
}

bool event_base::identify_again(Task& task, bool begins) {
  const Callee* const called = task.called;
  const std::uintptr_t session = task.session;
  const std::uintptr_t strand = task.strand;
  forget_figures(task);
  identify(task, *task.callback);
  const bool changed = task.called != called || task.session != session || task.strand != strand;
  if (begins && !changed && task.for_owner) Owners::get().begins(*task.callback);
  return changed;
}

// Takes the call out of its queue, because it is about to be made or will not be made. The caller disposes of its Task.
void event_base::leave_active(event_callback& callback) {
  Task& task = *task_of(callback);
  if (!(callback.evcb_flags & EVLIST_INTERNAL)) events.down();
  active_events.down();
  if (callback.evcb_flags & EVLIST_ACTIVE) {
    active[task.queue].remove(task);
  } else {
    later.remove(task);
  }
  clear_flags(callback.evcb_flags, kActiveFlags);
}

void event_base::make_later_events_active() {
  while (Task* task = later.first()) {
    later.remove(*task);
    event_callback& callback = *task->callback;
    clear_flags(callback.evcb_flags, EVLIST_ACTIVE_LATER);
    enter_active(callback, task);
    deferred_in_pass += callback.evcb_closure == kSelf;
  }
}

void event_base::insert_timer(event& ev) {
  if (!(flags_of(ev) & EVLIST_INTERNAL)) events.up();
  set_flags(flags_of(ev), EVLIST_TIMEOUT);
  timers.insert(ev);
}

void event_base::take_timer(event& ev) {
  if (!(flags_of(ev) & EVLIST_INTERNAL)) events.down();
  clear_flags(flags_of(ev), EVLIST_TIMEOUT);
  timers.remove(ev);
}

void event_base::take_inserted(event& ev) {
  if (!(flags_of(ev) & EVLIST_INTERNAL)) events.down();
  clear_flags(flags_of(ev), EVLIST_INSERTED);
}

// --- Adding and deleting ---

int event_base::add(event& ev, const timeval* timeout, bool absolute) {
  if (flags_of(ev) & EVLIST_FINALIZING) return -1;

  // What is due for its descriptor or signal waits for it already; what is due for its timeout alone does so no more,
  // and in libevent it does not begin anew either.
  bool inserts = (ev.ev_events & (kIoEvents | EV_SIGNAL)) && !(flags_of(ev) & (EVLIST_INSERTED | kActiveFlags));
  // A timeout that is due but was not yet acted on is taken back by setting a new one.
  if (timeout != nullptr && (flags_of(ev) & EVLIST_ACTIVE) && (ev.ev_res & EV_TIMEOUT)) {
    if (ev.ev_events & EV_SIGNAL)
      if (Task* task = running.find(ev.ev_evcallback)) task->calls = 0;
    // One thread would not have found the end of the timeout yet: it still waits for its descriptor, too.
    if (driver.polls_beside_calls() && !task_of(ev.ev_evcallback)->found_between_calls)
      inserts = (ev.ev_events & (kIoEvents | EV_SIGNAL)) && !(flags_of(ev) & EVLIST_INSERTED);
    cancel(ev.ev_evcallback, /*even_if_finalizing=*/true);
  }

  int result = 0;
  bool wake = false;
  if (inserts) {
    result = (ev.ev_events & kIoEvents) ? io.add(ev) : signals.add(ev);
    if (result != -1) {
      if (!(flags_of(ev) & EVLIST_INTERNAL)) events.up();
      set_flags(flags_of(ev), EVLIST_INSERTED);
      if (ev.ev_events & EV_SIGNAL) bring_missed_signals(ev);
      result = 0;
    }
  }

  if (result != -1 && timeout != nullptr) {
    if (closure_of(ev) == kEventPersist && !absolute) interval_of(ev) = *timeout;
    if (flags_of(ev) & EVLIST_TIMEOUT) take_timer(ev);
    if (absolute) {
      ev.ev_timeout = *timeout;
    } else if (timers.is_common(*timeout)) {
      ev.ev_timeout = plus(now(), without_magic(*timeout));
      ev.ev_timeout.tv_usec |= timeout->tv_usec & ~kMicrosecondsMask;
    } else {
      ev.ev_timeout = plus(now(), *timeout);
    }
    insert_timer(ev);
    wake = timers.is_next(ev);
  }
  debug_mode::note_added(ev);
  if (wake) wake_loop();
  return result;
}

// A poll beside the call that adds the event has found the signal already; one thread would find it behind the call.
void event_base::bring_missed_signals(const event& added) {
  if (driver.has_missed(added) == 0) return;
  const bool looked = std::exchange(looks_next, true);
  // All of the signal that were not called yet, the newest first.
  for (event* ev = signals.first(added.ev_fd); ev != nullptr; ev = Signals::next(*ev)) {
    const short times = driver.has_missed(*ev);
    if ((flags_of(*ev) & EVLIST_ACTIVE) && task_of(ev->ev_evcallback)->is_found_signal) withdraw(ev->ev_evcallback);
    if (times != 0 && !(flags_of(*ev) & kActiveFlags)) activate(*ev, EV_SIGNAL, times);
  }
  looks_next = looked;
  wake_loop();
}

int event_base::remove(event& ev, bool even_if_finalizing) {
  if (!even_if_finalizing && (flags_of(ev) & EVLIST_FINALIZING)) return 0;
  // Calls for further deliveries of the signal are not made.
  if (ev.ev_events & EV_SIGNAL)
    if (Task* task = running.find(ev.ev_evcallback)) task->calls = 0;
  if (flags_of(ev) & EVLIST_TIMEOUT) take_timer(ev);
  const bool was_active = (flags_of(ev) & kActiveFlags) != 0;
  int result = 0;
  bool wake = was_active;
  if (flags_of(ev) & EVLIST_INSERTED) {
    take_inserted(ev);
    result = (ev.ev_events & kIoEvents) ? io.remove(ev) : signals.remove(ev);
    if (result == 1) result = 0;
    wake = wake || (!has_events() && active_events.now == 0);
  }
  if (was_active) withdraw(ev.ev_evcallback);
  debug_mode::note_deleted(ev);
  if (wake) wake_loop();
  return result;
}

void event_base::remove_timer(event& ev) {
  if (!(flags_of(ev) & EVLIST_TIMEOUT)) return;
  take_timer(ev);
  interval_of(ev) = {0, 0};
}

void event_base::await_callback(Lock& lock, event& ev, Wait wait) {
  if (wait == Wait::kNever || (wait == Wait::kUnlessFinalizable && (ev.ev_events & EV_FINALIZE))) return;
  const Task* task = running.find(ev.ev_evcallback);
  if (task == nullptr) return;
  Task* const own = own_call();
  // A call that waits for ours, directly or through others, does not return before ours does: two callbacks that delete
  // each other's event would wait for ever.
  if (own != nullptr && waits_for(*task, *own)) return;
  const std::uint64_t run_id = task->run_id;
  if (own != nullptr) own->awaits = const_cast<Task*>(task);
  await_end(lock, run_id);
  if (own != nullptr) own->awaits = nullptr;
}

void event_base::await_signals_call(Lock& lock, event& ev) {
  if ((ev.ev_events & EV_SIGNAL) && lock.owns_lock() && own_call() == nullptr)
    await_callback(lock, ev, heddle::multivent::Wait::kAlways);
}

void event_base::await_end(Lock& lock, std::uint64_t run_id) {
  if (!lock.owns_lock()) return;  // event_base_foreach_event(), or a signal: the call could not end
  ++waiters;
  for (const Task* task; (task = running.find(run_id)) != nullptr && !task->is_left;) call_ended.wait(lock);
  --waiters;
}

void event_base::call_is_left(Task& task) {
  task.callback = nullptr;
  task.is_left = task.stands_alone = true;
  for (Task* other : running)
    if (other->awaits == &task) other->awaits = nullptr;
  call_ended.notify_all();
}

heddle::base::Wait event_base::what_others_wait_for(Lock& lock) {
  std::array<heddle::base::ThreadProbe, 16> probes;
  heddle::base::Wait best{};
  std::size_t from = 0;
  for (std::size_t found = probes.size(); found == probes.size();) {
    found = driver.probe_others(from, probes);
    lock.unlock();
    for (std::size_t i = 0; i < found; ++i) best = std::max(best, probes[i].waits());
    lock.lock();
  }
  return best;
}

void event_base::await_others(Lock& lock, const Task* own, const Patience& patience) {
  if (!lock.owns_lock()) return;  // event_base_foreach_event() has the mutex, so no call could end
  constexpr std::chrono::milliseconds kLook{5};
  const auto any = [&] {
    return std::any_of(running.begin(), running.end(), [&](const Task* other) {
      return other != own && !other->stands_alone && (own == nullptr || !waits_for(*other, *own));
    });
  };
  ++waiters;
  // Looks again and again: nobody tells when another call begins to wait for `own`.
  Patience looks{};
  for (bool gives_up = false; any() && !gives_up;) {
    call_ended.wait_for(lock, kLook);
    const auto now = static_cast<std::size_t>(what_others_wait_for(lock));
    for (std::size_t i = 0; i < looks.size(); ++i) {
      looks[i] = now <= i ? looks[i] + 1 : 0;
      gives_up = gives_up || looks[i] >= patience[i];
    }
  }
  --waiters;
}

void event_base::forget_callback(const event_callback& callback) {
  while (Task* task = running.find(callback)) task->callback = nullptr;
  driver.forget_event(callback);
}

// --- Activating ---

// Whether what makes the event of a signal due once more asks for calls of its own. Several polls beside one handler
// find signals that one thread would have found in one poll; and what the program activates one thread would have
// called before the poll that finds the signal.
bool event_base::adds_calls(event& ev) {
  Task& task = *task_of(ev.ev_evcallback);
  const bool by_program = task.found_by_poll == 0;
  const bool stays = (ev.ev_events & EV_PERSIST) != 0;
  if (looks_next) return stays || !by_program;
  if (!stays || !task.is_found_signal || by_program) return false;
  task.found_by_poll = 0;
  return true;
}

void event_base::activate(event& ev, int what, short calls) {
  if (flags_of(ev) & EVLIST_FINALIZING) return;
  if (!looks_next) unfind(ev);
  if (flags_of(ev) & kActiveFlags) {
    set_flags(ev.ev_res, what);
    if (flags_of(ev) & EVLIST_ACTIVE) {
      if ((ev.ev_events & EV_SIGNAL) && driver.polls_beside_calls() && adds_calls(ev))
        calls_of(ev) = static_cast<short>(std::min(calls_of(ev) + calls, SHRT_MAX));
      return;
    }
  } else {
    ev.ev_res = static_cast<short>(what);
  }
  if (priority_of(ev) < priority_that_runs()) continue_requested = true;
  if (ev.ev_events & EV_SIGNAL) {
    calls_of(ev) = calls;
    calls_left_of(ev) = nullptr;
  }
  activate(ev.ev_evcallback);
}

// Of the call that makes something due; -1 for what a poll finds. Where several calls run, each goes by its own.
int event_base::priority_that_runs() const {
  if (!driver.polls_beside_calls()) return running_priority;
  const Task* const own = looks_next ? nullptr : own_call();
  return own != nullptr ? own->queue : -1;
}

void event_base::activate_later(event& ev, int what) {
  if (flags_of(ev) & kActiveFlags) {
    set_flags(ev.ev_res, what);
    return;
  }
  ev.ev_res = static_cast<short>(what);
  activate_later(ev.ev_evcallback);
}

bool event_base::activate(event_callback& callback) {
  if (callback.evcb_flags & (EVLIST_FINALIZING | EVLIST_ACTIVE)) return false;
  const bool was_later = (callback.evcb_flags & EVLIST_ACTIVE_LATER) != 0;
  if (was_later) withdraw(callback);
  enter_active(callback, nullptr);
  wake_loop();
  return !was_later;
}

bool event_base::activate_later(event_callback& callback) {
  if (callback.evcb_flags & kActiveFlags) return false;
  if (!(callback.evcb_flags & EVLIST_INTERNAL)) events.up();
  active_events.up();
  set_flags(callback.evcb_flags, EVLIST_ACTIVE_LATER);
  Task& task = tasks.take();
  task.base = this;
  task.callback = &callback;
  set_task(callback, &task);
  later.push_back(task);
  wake_loop();
  return true;
}

void event_base::cancel(event_callback& callback, bool even_if_finalizing) {
  if ((callback.evcb_flags & EVLIST_FINALIZING) && !even_if_finalizing) return;
  if (!(callback.evcb_flags & kActiveFlags)) return;
  withdraw(callback);
  wake_loop();
}

// Withdraws a queued call that will not be made.
void event_base::withdraw(event_callback& callback) {
  Task& task = *task_of(callback);
  const bool was_queued = (callback.evcb_flags & EVLIST_ACTIVE) != 0;
  leave_active(callback);
  if (was_queued) {
    forget_figures(task);
    driver.withdrawn(task);
  }
  tasks.give_back(task);
  if (!is_event(callback)) return;
  release_suppressed(event_of(callback).ev_fd);
  if (flags_of(event_of(callback)) & EVLIST_INSERTED) io.renew(event_of(callback).ev_fd);
}

bool event_base::is_level_of_descriptor(const event_callback& callback) const {
  if (!is_event(callback)) return false;
  const event& ev = event_of(const_cast<event_callback&>(callback));
  return (ev.ev_events & kIoEvents) && !(ev.ev_res & EV_TIMEOUT) && ev.ev_fd >= 0 && !io.edge_triggered(ev.ev_fd);
}

bool event_base::is_still_ready(event& ev) {
  const auto ready = static_cast<short>(io.ready(ev.ev_fd, ev.ev_events) & ev.ev_events);
  if (ready != 0) ev.ev_res = static_cast<short>(ready | (ev.ev_res & EV_ET));
  return ready != 0;
}

void event_base::unfind(event& ev) {
  if (!(flags_of(ev) & EVLIST_ACTIVE)) return;
  const Task& task = *task_of(ev.ev_evcallback);
  const bool ends_later = task.comes_after_exit && !(ev.ev_events & EV_SIGNAL);  // signals do not come again
  if (task.finding == 0 && !ends_later) return;
  const bool by_timeout = (ev.ev_res & EV_TIMEOUT) != 0;
  withdraw(ev.ev_evcallback);
  if (!by_timeout) return;
  const timeval end = ev.ev_timeout;
  add(ev, &end, /*absolute=*/true);
}

// --- Finalising ---

void event_base::finalize(event& ev, event_finalize_callback_fn function, bool and_free) {
  remove(ev);
  closure_of(ev) = and_free ? kEventFinalizeFree : kEventFinalize;
  ev.ev_evcallback.evcb_cb_union.evcb_evfinalize = function;
  activate(ev, EV_FINALIZE, 1);
  set_flags(flags_of(ev), EVLIST_FINALIZING);
}

void event_base::finalize(event_callback& callback, void (*function)(event_callback*, void*)) {
  if (is_event(callback)) {
    remove(event_of(callback));
  } else {
    cancel(callback, /*even_if_finalizing=*/false);
  }
  callback.evcb_closure = kCallbackFinalize;
  callback.evcb_cb_union.evcb_cbfinalize = function;
  activate(callback);
  set_flags(callback.evcb_flags, EVLIST_FINALIZING);
}

// --- Looking ---

bool event_base::set_priorities(int count) {
  if (active_events.now != 0 || running.size() > (own_call() != nullptr ? 1U : 0U) || count < 1 ||
      count >= EVENT_MAX_PRIORITIES)
    return false;
  active.resize(static_cast<std::size_t>(count));
  return true;
}

int event_base::visit_events(event_base_foreach_event_cb fn, void* argument) {
  const auto show = [&](event& ev) { return fn(this, &ev, argument); };
  if (int r = io.visit(show)) return r;
  if (int r = signals.visit(show)) return r;
  if (int r = timers.visit([&](event& ev) { return (flags_of(ev) & EVLIST_INSERTED) ? 0 : show(ev); })) return r;
  for (const TaskList& list : active)
    for (const Task* task = list.first(); task != nullptr; task = task->next) {
      constexpr int kSeen = EVLIST_INIT | EVLIST_INSERTED | EVLIST_TIMEOUT;
      if ((task->callback->evcb_flags & kSeen) != EVLIST_INIT) continue;
      if (int r = show(event_of(*task->callback))) return r;
    }
  return 0;
}

void event_base::check() {
  io.check();
  timers.check();
  int count = 0;
  for (std::size_t priority = 0; priority < active.size(); ++priority)
    for (const Task* task = active[priority].first(); task != nullptr; task = task->next, ++count) {
      HEDDLE_ASSERT((task->callback->evcb_flags & kActiveFlags) == EVLIST_ACTIVE);
      HEDDLE_ASSERT(task->callback->evcb_pri == priority && task_of(*task->callback) == task);
    }
  for (const Task* task = later.first(); task != nullptr; task = task->next, ++count)
    HEDDLE_ASSERT((task->callback->evcb_flags & kActiveFlags) == EVLIST_ACTIVE_LATER);
  HEDDLE_ASSERT(count == active_events.now);
}
