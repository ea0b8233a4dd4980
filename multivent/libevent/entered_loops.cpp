#include "multivent/libevent/entered_loops.hpp"

#include <ctime>
#include <mutex>

#include "multivent/loop/base.hpp"

namespace heddle::multivent {

namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local EnteredLoop* innermost = nullptr;

// The mutex of a base, unless this thread has it already: in event_base_foreach_event(), or because a signal has
// interrupted one of our functions. So it is tried for a while only.
event_base::Lock mutex_of(event_base& base) {
  constexpr timespec kPause{0, 1'000'000};
  constexpr int kTries = 1000;
  if (base.inspector.load(std::memory_order_relaxed) == this_thread()) return {};
  event_base::Lock lock(base.mutex, std::try_to_lock);
  for (int tries = 0; !lock.owns_lock() && tries < kTries; ++tries) {
    nanosleep(&kPause, nullptr);
    static_cast<void>(lock.try_lock());
  }
  return lock;
}

}  // namespace

// A destructor does not run where a jump leaves the loop: leave_below() has taken it out by then.
EnteredLoop::EnteredLoop(event_base& base) : base_(base), frame_(this), outer_(innermost) { innermost = this; }

EnteredLoop::~EnteredLoop() { innermost = outer_; }

bool EnteredLoop::any_below(const void* frame) { return innermost != nullptr && innermost->frame_ < frame; }

void EnteredLoop::leave_below(const void* frame) {
  for (; any_below(frame); innermost = innermost->outer_) {
    event_base& base = innermost->base_;
    for (Task* call = current_task(); call != nullptr && call->base == &base; call = call->outer) {
      set_current_task(call->outer);
      event_base::Lock lock = mutex_of(base);
      base.driver.pause();
      call->stands_alone = true;
      base.await_others(lock, *call);
    }
  }
}

}  // namespace heddle::multivent
