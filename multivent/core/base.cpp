#include "multivent/core/base.hpp"

#include <pthread.h>
#include <unistd.h>

#include "base/assert.hpp"
#include "multivent/core/debug_mode.hpp"
#include "multivent/core/library.hpp"
#include "multivent/core/parallel.hpp"
#include "multivent/core/runtime.hpp"

using namespace heddle::multivent;

event_base* event_global_current_base_ = nullptr;

event_base::event_base(const event_config& config)
    : flags(config.flags),
      max_dispatch_time(config.max_dispatch_interval),
      max_dispatch_callbacks(config.max_dispatch_callbacks),
      limit_callbacks_after_priority(config.max_dispatch_callbacks == INT_MAX &&
                                             config.max_dispatch_interval.tv_sec == -1
                                         ? INT_MAX
                                         : config.limit_callbacks_after_priority),
      signals(*this),
      active(1),
      registry(Runtime::get().registry()),
      callees(registry) {
  Runtime& runtime = Runtime::get();
  if (runtime.parallel()) {
    // The mutex is held for a fraction of a microsecond at a time, so spinning for it beats sleeping for it. The usual
    // kind costs less in a process of one thread.
    pthread_mutexattr_t adaptive;
    pthread_mutexattr_init(&adaptive);
    pthread_mutexattr_settype(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(mutex.native_handle(), &adaptive);
    pthread_mutexattr_destroy(&adaptive);
  }
  if (runtime.settings().statistics) recorder.statistics = std::make_unique<stats::LoopStatistics>();
  if (runtime.trace_file() != nullptr) recorder.trace = std::make_unique<stats::TraceBuffer>(*runtime.trace_file());
  if (runtime.parallel()) parallel = std::make_unique<Parallel>(*this, runtime);
  runtime.add(*this);
}

event_base::~event_base() {
  parallel.reset();  // joins its threads, which use all the rest
  Runtime::get().remove(*this);
  if (kick_fd >= 0) close(kick_fd);
}

// Takes out all that is still there. Finalisers run; they may queue further ones.
void event_base::empty(bool run_finalizers) {
  const auto take_all = [this](auto&& next) {
    for (event* ev = next(); ev != nullptr; ev = next()) {
      const BaseLock lock(*this);
      remove(*ev, /*even_if_finalizing=*/true);
    }
  };
  take_all([this] { return io.any_event(); });
  for (int signal = 0; signal < NSIG; ++signal) take_all([&] { return signals.first(signal); });
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
    delete once;
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
  if (parallel != nullptr) {
    parallel->after_fork_in_child();
    if (!calling()) in_loop.store(false, std::memory_order_relaxed);
  }
  // The parent's records are the parent's to write.
  [[maybe_unused]] const auto* const theirs = recorder.trace.release();
  waiters = 0;
}
