#include "multivent/libevent/entered_loops.hpp"

#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <ctime>
#include <mutex>
#include <utility>

#include "base/on_exit.hpp"
#include "multivent/loop/base.hpp"

namespace heddle::multivent {

namespace {

// Not on the stack: what leaves a loop unseen (setcontext(), __builtin_longjmp()) leaves its entry behind. Such entries
// are dropped as soon as the stack has obviously been left up to them.
struct Entry {
  event_base* base;
  const char* frame;
  Entry* outer;
};

// The entry with the lowest frame, which is the innermost one. A signal handler may jump at any time, so the list is
// whole at any time.
[[gnu::tls_model("initial-exec")]] constinit thread_local Entry* innermost = nullptr;
[[gnu::tls_model("initial-exec")]] constinit thread_local Entry* spare = nullptr;

// When the thread ends. Loops that it enters even later find empty lists.
struct Memory {
  bool is_used = false;

  ~Memory() {
    for (Entry** const list : {&innermost, &spare})
      for (Entry* entry = std::exchange(*list, nullptr); entry != nullptr;) delete std::exchange(entry, entry->outer);
  }
};
thread_local Memory memory;

// The thread's own stack; asked for once, when the thread enters a loop: that of the main thread is looked up in a
// file.
struct Stack {
  const char* lowest = nullptr;
  const char* end = nullptr;

  bool holds(const void* frame) const { return frame >= lowest && frame < end; }

  void find() {
    const int error = errno;
    const base::OnExit put_back([&] { errno = error; });
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* found = nullptr;
    std::size_t size = 0;
    if (pthread_attr_getstack(&attributes, &found, &size) == 0) {
      lowest = static_cast<const char*>(found);
      end = lowest + size;
    }
    pthread_attr_destroy(&attributes);
  }
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Stack stack;

void drop(Entry*& at) {
  Entry* const entry = at;
  at = entry->outer;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  entry->outer = spare;
  spare = entry;
}

void drop_below(const char* frame) {
  while (innermost != nullptr && innermost->frame < frame) drop(innermost);
}

// The mutex of a base, unless this thread has it already: in event_base_foreach_event(), or because a signal has
// interrupted one of our functions. So it is tried for a while only.
event_base::Lock mutex_of(event_base& base) {
  constexpr timespec kPause{0, 1'000'000};
  constexpr int kTries = 1000;
  if (base.is_locked_by_this_thread()) return {};
  event_base::Lock lock(base.mutex, std::try_to_lock);
  for (int tries = 0; !lock.owns_lock() && tries < kTries; ++tries) {
    nanosleep(&kPause, nullptr);
    static_cast<void>(lock.try_lock());
  }
  return lock;
}

// This thread may be in a call of the loop, or a signal may have interrupted it in the loop itself, beside calls.
void leave_loop(event_base& base) {
  Task* const call = current_task();
  const bool in_call = call != nullptr && call->base == &base;
  if (!in_call && !base.driver.polls_beside_calls()) return;
  event_base::Lock lock = mutex_of(base);
  base.driver.pause();
  for (Task* left = call; left != nullptr && left->base == &base; left = left->outer) {
    set_current_task(left->outer);
    base.call_is_left(*left);
  }
  base.await_others(lock, nullptr);
}

}  // namespace

EnteredLoop::EnteredLoop(event_base& base) {
  const auto* const frame = reinterpret_cast<const char*>(this);
  if (stack.end == nullptr) stack.find();
  if (!stack.holds(frame)) return;
  drop_below(frame + 1);
  Entry* entry = spare;
  if (entry != nullptr) {
    spare = entry->outer;
  } else {
    memory.is_used = true;
    entry = new Entry;
  }
  *entry = {&base, frame, innermost};
  std::atomic_signal_fence(std::memory_order_seq_cst);
  innermost = entry;
}

// Does not run where a jump leaves the loop.
EnteredLoop::~EnteredLoop() {
  for (Entry** at = &innermost; *at != nullptr; at = &(*at)->outer) {
    if ((*at)->frame != reinterpret_cast<const char*>(this)) continue;
    drop(*at);
    return;
  }
}

void EnteredLoop::leave_below(const void* frame) {
  if (innermost == nullptr || innermost->frame >= frame || !stack.holds(frame)) return;
  // Where this is the stack of a coroutine, or of a signal handler, it does not say which loops were left before.
  const auto* const here = static_cast<const char*>(__builtin_frame_address(0));
  if (stack.holds(here)) drop_below(here);
  while (innermost != nullptr && innermost->frame < frame) {
    event_base& base = *innermost->base;
    drop(innermost);
    leave_loop(base);
  }
}

void EnteredLoop::forget(const event_base& base) {
  for (Entry** at = &innermost; *at != nullptr;) {
    if ((*at)->base == &base) {
      drop(*at);
    } else {
      at = &(*at)->outer;
    }
  }
}

}  // namespace heddle::multivent
