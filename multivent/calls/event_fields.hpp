// Names for what the public `struct event` and `struct event_callback` of libevent 2.1 hold, and what we keep in them.
//
// Programs embed these structures, so their layout is part of the ABI; what the link fields mean is ours to say:
//   evcb_active_next.tqe_next    while EVLIST_ACTIVE or EVLIST_ACTIVE_LATER is set: its Task, which stands in a queue
//   ev_io_next, ev_signal_next   while EVLIST_INSERTED is set: neighbours on the same descriptor or signal
//   ev_timeout_pos               while EVLIST_TIMEOUT is set: index in the heap, or neighbours in a common-timeout list
// An event may be touched only while one of these flags is set, or in a call of a function that was given it: the
// program may free any other event without telling us.
//
// All fields are guarded by the mutex of the event's base, except those that event_assign() fills. One flag of these,
// EVLIST_INIT, stands in a word with others that change: event_initialized() reads the word without the mutex.
#pragma once

#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/util.h>

#include <cstddef>

namespace heddle::multivent {

struct Task;

enum Closure : ev_uint8_t {
  kEvent = 0,
  kEventSignal = 1,
  kEventPersist = 2,
  kSelf = 3,               // a deferred callback: function(event_callback *, argument)
  kCallbackFinalize = 4,   // the same, once no other call of it is to come
  kEventFinalize = 5,      // function(event *, argument)
  kEventFinalizeFree = 6,  // and the event is freed afterwards
  kWatcher = 7,            // of libev (watcher_call.hpp): function(ev_loop *, watcher, int)
};

inline constexpr short kIoEvents = EV_READ | EV_WRITE | EV_CLOSED;
inline constexpr short kActiveFlags = EVLIST_ACTIVE | EVLIST_ACTIVE_LATER;

inline short& flags_of(event& ev) { return ev.ev_evcallback.evcb_flags; }
inline short flags_of(const event& ev) { return ev.ev_evcallback.evcb_flags; }
inline ev_uint8_t& priority_of(event& ev) { return ev.ev_evcallback.evcb_pri; }
inline ev_uint8_t& closure_of(event& ev) { return ev.ev_evcallback.evcb_closure; }
inline ev_uint8_t closure_of(const event& ev) { return ev.ev_evcallback.evcb_closure; }
inline event_callback_fn& function_of(event& ev) { return ev.ev_evcallback.evcb_cb_union.evcb_callback; }
inline void*& argument_of(event& ev) { return ev.ev_evcallback.evcb_arg; }
inline timeval& interval_of(event& ev) { return ev.ev_.ev_io.ev_timeout; }
inline short& calls_of(event& ev) { return ev.ev_.ev_signal.ev_ncalls; }
inline short*& calls_left_of(event& ev) { return ev.ev_.ev_signal.ev_pncalls; }

// Flags are bits of a short; these keep the arithmetic out of int. The mutex is held; the relaxed stores' partner is
// the load in is_assigned(), which asks for a bit that they leave as it is.
inline void set_flags(short& word, int bits) {
  __atomic_store_n(&word, static_cast<short>(word | bits), __ATOMIC_RELAXED);
}
inline void clear_flags(short& word, int bits) {
  __atomic_store_n(&word, static_cast<short>(word & ~bits), __ATOMIC_RELAXED);
}

// Without the mutex: libevent's filters and TLS ask this of events that may become due on another thread meanwhile.
inline bool is_assigned(const event& ev) {
  return (__atomic_load_n(&ev.ev_evcallback.evcb_flags, __ATOMIC_RELAXED) & EVLIST_INIT) != 0;
}

inline bool is_event(const event_callback& callback) { return (callback.evcb_flags & EVLIST_INIT) != 0; }
inline event& event_of(event_callback& callback) {
  static_assert(offsetof(event, ev_evcallback) == 0);
  return reinterpret_cast<event&>(callback);
}

inline Task* task_of(const event_callback& callback) {
  return reinterpret_cast<Task*>(callback.evcb_active_next.tqe_next);
}
inline void set_task(event_callback& callback, Task* task) {
  callback.evcb_active_next.tqe_next = reinterpret_cast<event_callback*>(task);
}

// Lists of events whose link fields are LIST_ENTRYs of the ABI. It types the link back as a pointer to a pointer; in
// our lists this is the event before, null for the first.
inline auto& io_links(event& ev) { return ev.ev_.ev_io.ev_io_next; }
inline auto& signal_links(event& ev) { return ev.ev_.ev_signal.ev_signal_next; }

template <auto links>
event* before_in_list(event& ev) {
  return reinterpret_cast<event*>(links(ev).le_prev);
}

template <auto links>
void push_front(event*& first, event& ev) {
  links(ev).le_next = first;
  links(ev).le_prev = nullptr;
  if (first != nullptr) links(*first).le_prev = reinterpret_cast<event**>(&ev);
  first = &ev;
}

template <auto links>
void remove_from_list(event*& first, event& ev) {
  event* const previous = before_in_list<links>(ev);
  event* const following = links(ev).le_next;
  (previous != nullptr ? links(*previous).le_next : first) = following;
  if (following != nullptr) links(*following).le_prev = reinterpret_cast<event**>(previous);
}

}  // namespace heddle::multivent
