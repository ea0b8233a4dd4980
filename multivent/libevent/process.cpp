// What libevent sets up once for all bases.
#include "multivent/libevent/abi.hpp"
#include "multivent/libevent/next.hpp"

using namespace heddle::multivent;

extern "C" {
[[gnu::weak]] int evutil_global_setup_locks_(int enable);
[[gnu::weak]] int evutil_secure_rng_global_setup_locks_(int enable);
[[gnu::weak]] void evutil_free_globals_();
[[gnu::weak]] void evthreadimpl_disable_lock_debugging_();
}

void event_set_log_callback(event_log_cb function) {
  library::program_logs.store(function != nullptr, std::memory_order_relaxed);
  HEDDLE_NEXT(event_set_log_callback)(function);
}

void event_enable_debug_mode() { debug_mode::enable(); }
void event_disable_debug_mode() { debug_mode::disable(); }

// Called when the program gives libevent locks. Ours are always there; libevent's other parts need to be told.
int event_global_setup_locks_(int enable) {
  if (evutil_global_setup_locks_ != nullptr && evutil_global_setup_locks_(enable) < 0) return -1;
  if (evutil_secure_rng_global_setup_locks_ != nullptr && evutil_secure_rng_global_setup_locks_(enable) < 0) return -1;
  return 0;
}

void libevent_global_shutdown() {
  debug_mode::disable();
  if (evthreadimpl_disable_lock_debugging_ != nullptr) evthreadimpl_disable_lock_debugging_();
  if (evutil_free_globals_ != nullptr) evutil_free_globals_();
}
