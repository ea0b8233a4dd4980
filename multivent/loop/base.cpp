#include "multivent/loop/base.hpp"

#include <unistd.h>

#include "base/assert.hpp"
#include "multivent/loop/debug_mode.hpp"
#include "multivent/loop/library.hpp"

using namespace heddle::multivent;

event_base* event_global_current_base_ = nullptr;

event_base::event_base(const event_config& config, const LoopOptions& options)
    : flags(config.flags),
      signals(*this),
      active(1),
      registry(options.registry),
      callees(registry),
      recorder(options.statistics, options.trace_file),
      driver(*this, config, options) {
  // The mutex is held for a fraction of a microsecond at a time, so spinning for it beats sleeping for it.
  if (options.crew) mutex.spin_among_others();
  timers.follow_libevent(!driver.polls_beside_calls());
}

event_base::~event_base() {
  driver.stop();  // its threads use all the rest
  if (kick_fd >= 0) close(kick_fd);
  if (look_fd >= 0) close(look_fd);
}

// Takes out all that is still there. Finalisers run; they may queue further ones.
void event_base::empty(bool run_finalizers) {
  const auto take_all = [this](auto&& next) {
    for (event* ev = next(); ev != nullptr; ev = next()) {
      const BaseLock lock(*this);
      remove(*ev, /*even_if_finalizing=*/true);
    }
  };
  take_all([this, from = std::size_t{0}]() mutable { return io.any_event(from); });
  for (int signal = 0; signal < NSIG; ++signal) take_all([&] { return signals.first(signal); });
  {
    const BaseLock lock(*this);
    timers.bring_back();
    timers.follow_libevent(false);
  }
  take_all([this] { return timers.first(); });
  for (bool any = true; any;) {
    any = false;
    for (TaskList& list : active)
      while (Task* task = list.first()) {
        discard(*task->callback, run_finalizers);
        any = true;
      }
    while (Task* task = later.first()) {
      discard(*task->callback, run_finalizers);
      any = true;
    }
  }
  while (OnceEvent* once = once_events) {
    once_events = once->next;
    event_mm_free_(once);
  }
  signals.close();
}

void event_base::discard(event_callback& callback, bool run_finalizers) {
  {
    const BaseLock lock(*this);
    if (is_event(callback)) {
      remove(event_of(callback), /*even_if_finalizing=*/true);
    } else {
      cancel(callback, /*even_if_finalizing=*/true);
    }
  }
  if (!run_finalizers || !(callback.evcb_flags & EVLIST_FINALIZING)) return;
  if (callback.evcb_closure == kCallbackFinalize) {
    if (registry != nullptr) Owners::get().forget(callback.evcb_arg);
    callback.evcb_cb_union.evcb_cbfinalize(&callback, callback.evcb_arg);
  } else if (callback.evcb_closure == kEventFinalize || callback.evcb_closure == kEventFinalizeFree) {
    event& ev = event_of(callback);
    const bool and_free = callback.evcb_closure == kEventFinalizeFree;
    callback.evcb_cb_union.evcb_evfinalize(&ev, callback.evcb_arg);
    if (and_free) event_mm_free_(&ev);
  }
}

void event_base::after_fork_in_child() {
  driver.after_fork_in_child();
  recorder.end_trace();
  waiters = 0;
  paused_from_outside = false;
}
