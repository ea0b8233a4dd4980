// What the functions of the C face have in common: their declarations, and the base that a null argument stands for.
//
// exports.map hides everything else in libmultivent.so, so that the program and its libevent find exactly the symbols
// of libevent's event, evmap, epoll and signal parts in us, functions of the other parts that we look at on their way
// (next.hpp), and the rest in libevent.
#pragma once

#include <event2/event.h>
#include <event2/event_compat.h>
#include <event2/thread.h>

#include "multivent/loop/base.hpp"
#include "multivent/loop/debug_mode.hpp"
#include "multivent/loop/library.hpp"

// What libevent's other parts import from its core beside the public functions. They have no installed header.
extern "C" {
using deferred_cb_fn = void (*)(event_callback*, void*);

extern int event_debug_mode_on_;
extern int event_debug_created_threadable_ctx_;

void event_deferred_cb_init_(event_callback* callback, ev_uint8_t priority, deferred_cb_fn function, void* argument);
void event_deferred_cb_set_priority_(event_callback* callback, ev_uint8_t priority);
void event_deferred_cb_cancel_(event_base* base, event_callback* callback);
int event_deferred_cb_schedule_(event_base* base, event_callback* callback);
int event_callback_activate_(event_base* base, event_callback* callback);
int event_callback_cancel_(event_base* base, event_callback* callback);
void event_callback_init_(event_base* base, event_callback* callback);
void event_callback_finalize_(event_base* base, unsigned flags, event_callback* callback, deferred_cb_fn function);
int event_callback_finalize_many_(event_base* base, int count, event_callback** callbacks, deferred_cb_fn function);
void event_active_later_(event* ev, int what);
void event_base_add_virtual_(event_base* base);
void event_base_del_virtual_(event_base* base);
void event_base_assert_ok_(event_base* base);
int event_base_start_iocp_(event_base* base, int cpus);
void event_base_stop_iocp_(event_base* base);
int event_global_setup_locks_(int enable);
void event_disable_debug_mode(void);

void* event_mm_malloc_(std::size_t size);
void* event_mm_calloc_(std::size_t count, std::size_t size);
char* event_mm_strdup_(const char* text);
void* event_mm_realloc_(void* memory, std::size_t size);
void event_mm_free_(void* memory);
}

namespace heddle::multivent {

inline event_base* base_or_current(event_base* base) { return base != nullptr ? base : event_global_current_base_; }

// To be called before the first base of a parallel run is made, or what libevent locks without one (threading.cpp).
void give_libevent_locks();

// While the program asks libevent for something with a lock: it gets none unless it has given libevent locks itself.
class AsWithoutOurLocks {
 public:
  explicit AsWithoutOurLocks(bool asks_for_one);
  ~AsWithoutOurLocks();
  AsWithoutOurLocks(const AsWithoutOurLocks&) = delete;
  AsWithoutOurLocks& operator=(const AsWithoutOurLocks&) = delete;

 private:
  const bool outer_;
};

// False, and a warning, for an event that was never given a base.
inline bool has_base(const event* ev, const char* caller) {
  if (ev->ev_base != nullptr) return true;
  library::warn_x("%s: event has no event_base set.", caller);
  return false;
}

}  // namespace heddle::multivent
