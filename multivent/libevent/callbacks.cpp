// What libevent's bufferevents, listeners, resolver and HTTP server use of the core beside events: bare callbacks.
#include <cstring>

#include "multivent/libevent/abi.hpp"

using namespace heddle::multivent;

namespace {

// More deferred callbacks than this in one pass wait for the next, so that two that schedule each other cannot keep the
// loop from polling.
constexpr int kMostDeferredInPass = 32;

}  // namespace

void event_deferred_cb_init_(event_callback* callback, ev_uint8_t priority, deferred_cb_fn function, void* argument) {
  std::memset(callback, 0, sizeof *callback);
  callback->evcb_cb_union.evcb_selfcb = function;
  callback->evcb_arg = argument;
  callback->evcb_pri = priority;
  callback->evcb_closure = kSelf;
}

void event_deferred_cb_set_priority_(event_callback* callback, ev_uint8_t priority) { callback->evcb_pri = priority; }

void event_deferred_cb_cancel_(event_base* base, event_callback* callback) {
  event_callback_cancel_(base_or_current(base), callback);
}

int event_deferred_cb_schedule_(event_base* base, event_callback* callback) {
  base = base_or_current(base);
  const BaseLock lock(*base);
  if (base->deferred_in_pass > kMostDeferredInPass) return base->activate_later(*callback) ? 1 : 0;
  if (!base->activate(*callback)) return 0;
  ++base->deferred_in_pass;
  return 1;
}

void event_callback_init_(event_base* base, event_callback* callback) {
  std::memset(callback, 0, sizeof *callback);
  callback->evcb_pri = static_cast<ev_uint8_t>(base->active.size() - 1);
}

int event_callback_activate_(event_base* base, event_callback* callback) {
  const BaseLock lock(*base);
  return base->activate(*callback) ? 1 : 0;
}

int event_callback_cancel_(event_base* base, event_callback* callback) {
  const BaseLock lock(*base);
  if (is_event(*callback)) return base->remove(event_of(*callback));
  base->cancel(*callback, /*even_if_finalizing=*/false);
  return 0;
}

void event_callback_finalize_(event_base* base, unsigned, event_callback* callback, deferred_cb_fn function) {
  const BaseLock lock(*base);
  base->finalize(*callback, function);
}

// All of them are cancelled; the function is called once, after the one that is running now if there is one.
int event_callback_finalize_many_(event_base* base, int count, event_callback** callbacks, deferred_cb_fn function) {
  base = base_or_current(base);
  const BaseLock lock(*base);
  int last = 0;
  for (int i = 0; i < count; ++i)
    if (base->running.find(*callbacks[i]) != nullptr) last = i;
  for (int i = 0; i < count; ++i) {
    if (i == last) continue;
    if (is_event(*callbacks[i])) {
      base->remove(event_of(*callbacks[i]));
    } else {
      base->cancel(*callbacks[i], /*even_if_finalizing=*/false);
    }
  }
  base->finalize(*callbacks[last], function);
  return 0;
}

void event_base_add_virtual_(event_base* base) {
  const BaseLock lock(*base);
  base->virtual_events.up();
}

void event_base_del_virtual_(event_base* base) {
  const BaseLock lock(*base);
  base->virtual_events.down();
  if (base->virtual_events.now == 0) base->wake_loop();
}
