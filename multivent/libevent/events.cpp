// Making, adding, deleting and activating events.
#include <new>

#include "multivent/libevent/abi.hpp"
#include "multivent/libevent/resolvers.hpp"

using namespace heddle::multivent;

namespace {

// Its address is what event_self_cbarg() returns.
char self_argument;

void assign(event& ev, event_base* base, evutil_socket_t fd, short what, event_callback_fn function, void* argument,
            Closure closure) {
  ev.ev_base = base;
  function_of(ev) = function;
  argument_of(ev) = argument;
  ev.ev_fd = fd;
  ev.ev_events = what;
  ev.ev_res = 0;
  flags_of(ev) = EVLIST_INIT;
  calls_of(ev) = 0;
  calls_left_of(ev) = nullptr;
  closure_of(ev) = closure;
  if (closure == kEventPersist) interval_of(ev) = {0, 0};
  ev.ev_timeout_pos.min_heap_idx = -1;
}

int delete_event(event* ev, Wait wait) {
  if (!has_base(ev, "event_del_")) return -1;
  BaseLock lock(*ev->ev_base);
  event_base& base = *ev->ev_base;
  const int result = base.remove(*ev);
  base.await_callback(lock.lock(), *ev, wait);
  return result;
}

int finalize_event(event* ev, event_finalize_callback_fn function, bool and_free) {
  if (!has_base(ev, "event_finalize_")) return -1;
  const BaseLock lock(*ev->ev_base);
  ev->ev_base->finalize(*ev, function, and_free);
  return 0;
}

}  // namespace

// --- Making ---

void* event_self_cbarg() { return &self_argument; }

int event_assign(event* ev, event_base* base, evutil_socket_t fd, short what, event_callback_fn function,
                 void* argument) {
  base = base_or_current(base);
  if (argument == &self_argument) argument = ev;
  if (!(what & EV_SIGNAL)) debug_mode::assert_nonblocking(fd);
  debug_mode::assert_not_added(*ev);
  debug_mode::too_late();
  const Closure closure = (what & EV_SIGNAL) ? kEventSignal : (what & EV_PERSIST) ? kEventPersist : kEvent;
  if (base == nullptr) {
    assign(*ev, base, fd, what, function, argument, closure);
  } else {
    // A callback may assign its own event anew, or another one in the same memory: the call that still runs is not a
    // call of the new event.
    const BaseLock lock(*base);
    for (Task* call : base->running)
      if (call->callback == &ev->ev_evcallback) call->assigned_anew = true;
    base->forget_callback(ev->ev_evcallback);
    assign(*ev, base, fd, what, function, argument, closure);
    priority_of(*ev) = static_cast<ev_uint8_t>(base->active.size() / 2);
  }
  if (closure == kEventSignal && (what & kIoEvents)) {
    library::warn_x("event_assign: EV_SIGNAL is not compatible with EV_READ, EV_WRITE or EV_CLOSED");
    return -1;
  }
  debug_mode::note_set_up(*ev);
  resolvers::assigned(reinterpret_cast<const void*>(function), argument);
  return 0;
}

void event_set(event* ev, evutil_socket_t fd, short what, event_callback_fn function, void* argument) {
  if (event_assign(ev, event_global_current_base_, fd, what, function, argument) != 0)
    library::fatal(library::kAbort, "%s", "event.c:2184: Assertion r == 0 failed in event_set");
}

int event_base_set(event_base* base, event* ev) {
  if (flags_of(*ev) != EVLIST_INIT) return -1;
  debug_mode::assert_is_set_up(*ev);
  const BaseLock lock(*base);
  ev->ev_base = base;
  priority_of(*ev) = static_cast<ev_uint8_t>(base->active.size() / 2);
  return 0;
}

event* event_new(event_base* base, evutil_socket_t fd, short what, event_callback_fn function, void* argument) {
  auto* ev = static_cast<event*>(event_mm_malloc_(sizeof(event)));
  if (ev == nullptr) return nullptr;
  if (event_assign(ev, base, fd, what, function, argument) < 0) {
    event_mm_free_(ev);
    return nullptr;
  }
  return ev;
}

void event_free(event* ev) {
  event_del(ev);
  if (ev->ev_base != nullptr) {
    const BaseLock lock(*ev->ev_base);
    ev->ev_base->forget_callback(ev->ev_evcallback);
  }
  debug_mode::note_torn_down(*ev);
  event_mm_free_(ev);
}

void event_debug_unassign(event* ev) {
  debug_mode::assert_not_added(*ev);
  debug_mode::note_torn_down(*ev);
  clear_flags(flags_of(*ev), EVLIST_INIT);
}

int event_priority_set(event* ev, int priority) {
  debug_mode::assert_is_set_up(*ev);
  const BaseLock lock(*ev->ev_base);
  ev->ev_base->unfind(*ev);
  if (flags_of(*ev) & EVLIST_ACTIVE) return -1;
  if (priority < 0 || priority >= static_cast<int>(ev->ev_base->active.size())) return -1;
  priority_of(*ev) = static_cast<ev_uint8_t>(priority);
  return 0;
}

// --- Adding, deleting, activating ---

int event_add(event* ev, const timeval* timeout) {
  if (!has_base(ev, "event_add")) return -1;
  debug_mode::assert_is_set_up(*ev);
  BaseLock lock(*ev->ev_base);
  ev->ev_base->await_signals_call(lock.lock(), *ev);
  return ev->ev_base->add(*ev, timeout, /*absolute=*/false);
}

int event_remove_timer(event* ev) {
  if (!has_base(ev, "event_remove_timer")) return -1;
  debug_mode::assert_is_set_up(*ev);
  const BaseLock lock(*ev->ev_base);
  ev->ev_base->remove_timer(*ev);
  return 0;
}

int event_del(event* ev) { return delete_event(ev, Wait::kUnlessFinalizable); }
int event_del_block(event* ev) { return delete_event(ev, Wait::kAlways); }
int event_del_noblock(event* ev) { return delete_event(ev, Wait::kNever); }

void event_active(event* ev, int what, short calls) {
  if (!has_base(ev, "event_active")) return;
  debug_mode::assert_is_set_up(*ev);
  BaseLock lock(*ev->ev_base);
  if (!(flags_of(*ev) & (EVLIST_ACTIVE | EVLIST_ACTIVE_LATER | EVLIST_FINALIZING)))
    ev->ev_base->await_signals_call(lock.lock(), *ev);
  ev->ev_base->activate(*ev, what, calls);
}

void event_active_later_(event* ev, int what) {
  const BaseLock lock(*ev->ev_base);
  ev->ev_base->activate_later(*ev, what);
}

int event_finalize(unsigned, event* ev, event_finalize_callback_fn function) {
  return finalize_event(ev, function, /*and_free=*/false);
}

int event_free_finalize(unsigned, event* ev, event_finalize_callback_fn function) {
  return finalize_event(ev, function, /*and_free=*/true);
}

// --- Once ---

int event_base_once(event_base* base, evutil_socket_t fd, short what, event_callback_fn function, void* argument,
                    const timeval* timeout) {
  if (base == nullptr || (what & (EV_SIGNAL | EV_PERSIST))) return -1;
  const bool timer = (what & (EV_TIMEOUT | kIoEvents)) == EV_TIMEOUT;
  if (!timer && !(what & kIoEvents)) return -1;
  OnceEvent* const once = make_once_event();
  if (once == nullptr) return -1;
  once->function = function;
  once->argument = argument;
  const auto io = static_cast<short>(what & kIoEvents);
  event_assign(&once->ev, base, timer ? -1 : fd, timer ? short{0} : io, once_callback, once);

  const BaseLock lock(*base);
  if (timer && (timeout == nullptr || !is_set(*timeout))) {
    // Due at once, in the order of such calls: no detour through the timers.
    base->activate(once->ev, EV_TIMEOUT, 1);
  } else if (base->add(once->ev, timeout, /*absolute=*/false) != 0) {
    debug_mode::note_torn_down(once->ev);
    event_mm_free_(once);
    return -1;
  }
  once->next = base->once_events;
  if (once->next != nullptr) once->next->previous = once;
  base->once_events = once;
  return 0;
}

int event_once(evutil_socket_t fd, short what, event_callback_fn function, void* argument, const timeval* timeout) {
  return event_base_once(event_global_current_base_, fd, what, function, argument, timeout);
}
