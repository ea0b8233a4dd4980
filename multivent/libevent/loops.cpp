// Running a base's loop, leaving it, and its time.
#include <sys/time.h>

#include "multivent/libevent/abi.hpp"

using namespace heddle::multivent;

int event_base_loop(event_base* base, int flags) { return base->loop(flags); }
int event_base_dispatch(event_base* base) { return base->loop(0); }
int event_loop(int flags) { return event_global_current_base_->loop(flags); }
int event_dispatch() { return event_global_current_base_->loop(0); }

namespace {

void exit_loop(evutil_socket_t, short, void* argument) {
  auto* base = static_cast<event_base*>(argument);
  const BaseLock lock(*base);
  base->exit_requested = true;
}

}  // namespace

int event_base_loopexit(event_base* base, const timeval* after) {
  return event_base_once(base, -1, EV_TIMEOUT, exit_loop, base, after);
}
int event_loopexit(const timeval* after) { return event_base_loopexit(event_global_current_base_, after); }

int event_base_loopbreak(event_base* base) {
  if (base == nullptr) return -1;
  base->loop_break();
  return 0;
}
int event_loopbreak() { return event_base_loopbreak(event_global_current_base_); }

int event_base_loopcontinue(event_base* base) {
  if (base == nullptr) return -1;
  const BaseLock lock(*base);
  base->loop_continue();
  return 0;
}

int event_base_got_break(event_base* base) { return base->break_requested.load(std::memory_order_relaxed) ? 1 : 0; }

int event_base_got_exit(event_base* base) {
  const BaseLock lock(*base);
  return base->exit_requested ? 1 : 0;
}

event* event_base_get_running_event(event_base* base) {
  const BaseLock lock(*base);
  if (!base->calling() || current_task()->callback == nullptr || !is_event(*current_task()->callback)) return nullptr;
  return &event_of(*current_task()->callback);
}

// --- Time ---

int event_base_gettimeofday_cached(event_base* base, timeval* time) {
  base = base_or_current(base);
  if (base == nullptr) return gettimeofday(time, nullptr);
  const BaseLock lock(*base);
  const timeval cached = base->time_of_this_call();
  if (cached.tv_sec == 0) return gettimeofday(time, nullptr);
  *time = base->wall_clock(cached);
  return 0;
}

int event_base_update_cache_time(event_base* base) {
  base = base_or_current(base);
  if (base == nullptr) return -1;
  const BaseLock lock(*base);
  if (base->in_loop.load(std::memory_order_relaxed)) base->update_time();
  return 0;
}

int event_gettime_monotonic(event_base* base, timeval* time) {
  if (base == nullptr || time == nullptr) return -1;
  *time = to_timeval(heddle::base::monotonic_ns());
  return 0;
}

const timeval* event_base_init_common_timeout(event_base* base, const timeval* duration) {
  const BaseLock lock(*base);
  timeval plain = *duration;
  if (plain.tv_usec > kMicrosecondsPerSecond) {
    if (base->timers.is_common(plain)) plain = without_magic(plain);
    plain.tv_sec += plain.tv_usec / kMicrosecondsPerSecond;
    plain.tv_usec %= kMicrosecondsPerSecond;
  }
  const timeval* marked = base->timers.common(plain);
  if (marked == nullptr)
    library::warn_x("event_base_init_common_timeout: Too many common timeouts already in use; only 256 per event_base");
  return marked;
}
