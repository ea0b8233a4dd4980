// The locks of libevent's other parts, in a run with several threads.
//
// A program of one thread gives libevent none. Run in parallel, its handlers share what libevent locks if it can: the
// resolver's base, groups of rate limits, parts of files that several buffers send, the random numbers. So a parallel
// run gives libevent pthread's locks when the first base is made, or what has a lock without a base, unless the program
// has given it locks of its own. Those of a program of one thread may lock nothing: so beside each of them is a mutex.
#include <dlfcn.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
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

// --- Beside the program's locks ---

// By the program's lock, a mutex that locks. It is taken after the program's and released before it: who has the
// program's by a call of its own waits for none of ours then.
class Beside {
 public:
  std::recursive_mutex& of(const void* lock) {
    Part& part = part_of(lock);
    const std::lock_guard held(part.mutex);
    std::unique_ptr<std::recursive_mutex>& found = part.all[lock];
    if (!found) found = std::make_unique<std::recursive_mutex>();
    return *found;
  }
  void forget(const void* lock) {
    Part& part = part_of(lock);
    const std::lock_guard held(part.mutex);
    part.all.erase(lock);
  }

 private:
  struct Part {
    std::mutex mutex;  // guards `all`
    std::unordered_map<const void*, std::unique_ptr<std::recursive_mutex>> all;
  };
  Part& part_of(const void* lock) { return parts_[reinterpret_cast<std::uintptr_t>(lock) / 64 % parts_.size()]; }
  std::array<Part, 64> parts_;
};

// Never destroyed: libevent locks at exit, too.
Beside& beside() {
  static auto& all = *new Beside;
  return all;
}

// What the program has given. Written before libevent is told, and so before it calls one of these.
evthread_lock_callbacks of_program{};

void* make_programs(unsigned type) { return of_program.alloc(type); }

void free_programs(void* lock, unsigned type) {
  beside().forget(lock);
  of_program.free(lock, type);
}

int take_programs(unsigned mode, void* lock) {
  if (const int result = of_program.lock(mode, lock); result != 0) return result;
  std::recursive_mutex& mutex = beside().of(lock);
  if (!(mode & EVTHREAD_TRY)) {
    mutex.lock();
    return 0;
  }
  if (mutex.try_lock()) return 0;
  of_program.unlock(mode & ~unsigned{EVTHREAD_TRY}, lock);
  return EBUSY;
}

int release_programs(unsigned mode, void* lock) {
  beside().of(lock).unlock();
  return of_program.unlock(mode, lock);
}

bool is_libevents(const evthread_lock_callbacks& given) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(given.lock), &info) == 0 || info.dli_fname == nullptr) return false;
  const std::string_view path(info.dli_fname);
  return path.substr(path.rfind('/') + 1).starts_with("libevent_pthreads");
}

bool is_same(const evthread_lock_callbacks& a, const evthread_lock_callbacks& b) {
  return a.lock_api_version == b.lock_api_version && a.supported_locktypes == b.supported_locktypes &&
         a.alloc == b.alloc && a.free == b.free && a.lock == b.lock && a.unlock == b.unlock;
}

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
  const bool had_some = programs_own.exchange(given != nullptr, std::memory_order_relaxed);
  const bool complete = given != nullptr && given->alloc != nullptr && given->free != nullptr &&
                        given->lock != nullptr && given->unlock != nullptr;
  // libevent refuses what is not complete, and others than those that it has.
  if (!complete || is_libevents(*given) || (had_some && !is_same(*given, of_program)))
    return HEDDLE_NEXT(evthread_set_lock_callbacks)(given);
  of_program = *given;
  const evthread_lock_callbacks with_ours{given->lock_api_version, given->supported_locktypes,
                                          make_programs,           free_programs,
                                          take_programs,           release_programs};
  return HEDDLE_NEXT(evthread_set_lock_callbacks)(&with_ours);
}

// libevent takes every lock for one of those that it watches from now on. Those that it has from us are none, and of
// the program's there is none that it could watch.
void evthread_enable_lock_debugging() {
  given_some.store(true, std::memory_order_relaxed);
  if (!ours.load(std::memory_order_relaxed)) HEDDLE_NEXT(evthread_enable_lock_debugging)();
}
