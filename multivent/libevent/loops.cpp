// Running a base's loop, leaving it, and its time.
#include <sys/time.h>

#include "multivent/libevent/abi.hpp"
#include "multivent/libevent/entered_loops.hpp"
#include "multivent/process/runtime.hpp"
#include "multivent/program/own_functions.hpp"

using namespace heddle::multivent;

int event_base_loop(event_base* base, int flags) {
  Runtime::get().runs_loop();
  const EnteredLoop entered(*base);
  return base->loop(flags);
}
int event_base_dispatch(event_base* base) { return event_base_loop(base, 0); }
int event_loop(int flags) { return event_base_loop(event_global_current_base_, flags); }
int event_dispatch() { return event_base_loop(event_global_current_base_, 0); }

namespace {

void exit_loop(evutil_socket_t, short, void* argument) {
  auto* base = static_cast<event_base*>(argument);
  {
    const BaseLock lock(*base);
    base->exit_requested = base->driver.may_exit();
    if (base->exit_requested) {
      base->driver.keep_for_next_loop();
      return;
    }
    base->exit_wanted = true;
  }
  const timeval next_poll{0, 1};
  event_base_once(base, -1, EV_TIMEOUT, exit_loop, base, &next_poll);
}

const OwnFunction exit_loop_name(reinterpret_cast<const void*>(exit_loop), "event_base_loopexit");

}  // namespace

int event_base_loopexit(event_base* base, const timeval* after) {
  if (base == nullptr) return -1;
  // From a handler, without a delay: before the exit's own call is due, so that a poll beside this handler finds
  // nothing in between that would count as found before the exit was asked for.
  bool at_once = after == nullptr || !is_set(*after);
  bool wanted = false;
  bool queued = false;
  if (at_once) {
    const BaseLock lock(*base);
    at_once = base->own_call() != nullptr;
    wanted = base->exit_wanted;
    queued = base->exit_queued;
    if (at_once) base->exit_wanted = base->exit_queued = true;
  }
  const int result = event_base_once(base, -1, EV_TIMEOUT, exit_loop, base, after);
  if (result != 0 && at_once) {
    const BaseLock lock(*base);
    base->exit_wanted = wanted;
    base->exit_queued = queued;
  } else if (at_once) {
    // No poll comes between this handler and the exit.
    const BaseLock lock(*base);
    if (base->own_call()->queue == base->active.size() / 2) base->driver.keep_for_next_loop();
  }
  return result;
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
  const Task* const own = base->own_call();
  if (own == nullptr) return nullptr;
  event_callback* const callback = own->callback != nullptr || !own->assigned_anew ? own->callback : own->self;
  return callback != nullptr && is_event(*callback) ? &event_of(*callback) : nullptr;
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
  const BaseLock lock(*base);
  *time = to_timeval(base->ask_clock());
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
    library::warn_x_later(
        "event_base_init_common_timeout: Too many common timeouts already in use; we only support 256 per event_base");
  return marked;
}
