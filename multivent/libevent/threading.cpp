// The locks of libevent's other parts, in a run with several threads.
//
// A program of one thread gives libevent none. Run in parallel, its handlers share what libevent locks if it can: the
// resolver's base, groups of rate limits, parts of files that several buffers send, the random numbers. So a parallel
// run gives libevent pthread's locks when the first base is made, unless the program has given it locks of its own.
#include <pthread.h>

#include <atomic>

#include "multivent/libevent/abi.hpp"
#include "multivent/libevent/next.hpp"

using namespace heddle::multivent;

namespace {

// Whoever set locks last: the program, or give_libevent_locks(). Programs do that before they start threads.
std::atomic<bool> programs_own{false};
std::atomic<bool> ours{false};

void* make_lock(unsigned type) {
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

int evthread_set_lock_callbacks(const evthread_lock_callbacks* given) {
  // Too late for locks of the program: libevent would keep those that it has, and complain.
  if (given != nullptr && ours.load(std::memory_order_relaxed)) return 0;
  programs_own.store(given != nullptr, std::memory_order_relaxed);
  return HEDDLE_NEXT(evthread_set_lock_callbacks)(given);
}
