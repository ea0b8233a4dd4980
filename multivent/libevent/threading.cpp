// The locks of libevent's other parts, in a run with several threads.
//
// A program of one thread gives libevent none. Run in parallel, its handlers share what libevent locks if it can: the
// resolver's base, groups of rate limits, parts of files that several buffers send, the random numbers. So a parallel
// run gives libevent pthread's locks when the first base is made, or what has a lock without a base, unless the program
// has given it locks of its own.
#include <pthread.h>

#include <atomic>
#include <utility>

#include "multivent/libevent/abi.hpp"
#include "multivent/libevent/next.hpp"

using namespace heddle::multivent;

namespace {

// Whoever set locks last: the program, or give_libevent_locks(). Programs do that before they start threads.
std::atomic<bool> programs_own{false};
std::atomic<bool> ours{false};
// The program has given locks, be it too late, or wants libevent to watch over them.
std::atomic<bool> given_some{false};
// On this thread libevent finds no locks (AsWithoutOurLocks).
[[gnu::tls_model("initial-exec")]] constinit thread_local bool finds_none = false;

void* make_lock(unsigned type) {
  if (finds_none) return nullptr;
  auto* const mutex = new pthread_mutex_t;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if (type & EVTHREAD_LOCKTYPE_RECURSIVE) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  return mutex;
}

void free_lock(void* lock, unsigned) {
  pthread_mutex_destroy(static_cast<pthread_mutex_t*>(lock));
  delete static_cast<pthread_mutex_t*>(lock);
}

int take_lock(unsigned mode, void* lock) {
  auto* const mutex = static_cast<pthread_mutex_t*>(lock);
  return mode & EVTHREAD_TRY ? pthread_mutex_trylock(mutex) : pthread_mutex_lock(mutex);
}

int release_lock(unsigned, void* lock) { return pthread_mutex_unlock(static_cast<pthread_mutex_t*>(lock)); }

}  // namespace

void heddle::multivent::give_libevent_locks() {
  if (!library::present() || programs_own.load(std::memory_order_relaxed)) return;
  if (ours.exchange(true, std::memory_order_relaxed)) return;
  static const evthread_lock_callbacks locks{
      EVTHREAD_LOCK_API_VERSION, EVTHREAD_LOCKTYPE_RECURSIVE, make_lock, free_lock, take_lock, release_lock};
  if (HEDDLE_NEXT(evthread_set_lock_callbacks)(&locks) != 0)
    library::warn_x("heddle: libevent did not take locks for a run with several threads");
}

heddle::multivent::AsWithoutOurLocks::AsWithoutOurLocks(bool asks_for_one)
    : outer_(std::exchange(finds_none, asks_for_one && ours.load(std::memory_order_relaxed) &&
                                           !given_some.load(std::memory_order_relaxed))) {}

heddle::multivent::AsWithoutOurLocks::~AsWithoutOurLocks() { finds_none = outer_; }

int evthread_set_lock_callbacks(const evthread_lock_callbacks* given) {
  if (given != nullptr) given_some.store(true, std::memory_order_relaxed);
  // Too late for locks of the program: libevent would keep those that it has, and complain. And the program can take
  // none away where it has given none: libevent would go on to use them, without the functions.
  if (ours.load(std::memory_order_relaxed)) return 0;
  programs_own.store(given != nullptr, std::memory_order_relaxed);
  return HEDDLE_NEXT(evthread_set_lock_callbacks)(given);
}

// libevent takes every lock for one of those that it watches from now on. Those that it has from us are none, and of
// the program's there is none that it could watch.
void evthread_enable_lock_debugging() {
  given_some.store(true, std::memory_order_relaxed);
  if (!ours.load(std::memory_order_relaxed)) HEDDLE_NEXT(evthread_enable_lock_debugging)();
}
