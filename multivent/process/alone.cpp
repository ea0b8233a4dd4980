#include "multivent/process/alone.hpp"

#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <mutex>
#include <utility>

#include "base/on_exit.hpp"
#include "multivent/loop/base.hpp"
#include "multivent/process/runtime.hpp"

namespace heddle::multivent {

namespace {

constexpr timespec kPause{0, 1'000'000};
constexpr int kTries = 1000;

// Held by the one that is alone. Never destroyed: whoever ends the process keeps it.
std::mutex& turn = *new std::mutex;

// Held by a thread in no handler that wants to be, or is, alone. Taken before `turn`. In a child it is a new one.
std::mutex* outside_turn = new std::mutex;

// What this thread has begun: nothing, because no crew ran a loop; or on which side it is.
enum class Side : std::uint8_t { kNone, kInHandler, kOutside };
[[gnu::tls_model("initial-exec")]] constinit thread_local Side side = Side::kNone;

// How often this thread has begun.
[[gnu::tls_model("initial-exec")]] constinit thread_local int begun = 0;

// Between after_fork_in_child() and end(), in the child. By its only thread.
bool in_child = false;

// The process whose memory this is; it differs from getpid() in a child of vfork(). Written before main and in children
// of fork(), while there is one thread.
pid_t process = getpid();

bool others_may_run() {
  for (const Task* task = current_task(); task != nullptr; task = task->outer)
    if (task->base->driver.polls_beside_calls()) return true;
  return false;
}

// The mutex of a base. A signal handler that ends the process may have interrupted whoever holds it, on this very
// thread: so it is tried for a while only.
event_base::Lock locked(event_base& base) {
  if (base.is_locked_by_this_thread()) return {};
  event_base::Lock lock(base.mutex, std::try_to_lock);
  for (int tries = 0; !lock.owns_lock() && tries < kTries; ++tries) {
    nanosleep(&kPause, nullptr);
    static_cast<void>(lock.try_lock());
  }
  return lock;
}

template <class Function>
void for_each_call(Function function) {
  for (Task* task = current_task(); task != nullptr; task = task->outer) {
    event_base::Lock lock = locked(*task->base);
    function(lock, *task->base, *task);
  }
}

event_base::Patience patience_for(Alone::For purpose) {
  if (purpose == Alone::For::kEnd) return {200, 6000, 6000, 6000};
  if (purpose == Alone::For::kDeath) return {200, 200, 1000, 1000};
  return event_base::kPatience;
}

// --- A thread in no handler ---

// Calls function(lock, base) for each base, with its mutex.
template <class Function>
void for_each_base(Function function) {
  const Runtime::Lock all = Runtime::get().lock_unless_interrupted();
  if (!all.owns_lock()) return;
  for (event_base* each : Runtime::get().bases()) {
    event_base::Lock lock = locked(*each);
    if (lock.owns_lock()) function(lock, *each);
  }
}

// How it stands with the bases that were paused.
struct Look {
  bool any = false;
  bool several_run = false;
  bool blocked = true;
};

Look look_at_paused() {
  Look look;
  for_each_base([&look](event_base::Lock& lock, event_base& each) {
    if (!each.paused_from_outside) return;
    look.any = true;
    if (each.running.size() <= 1) return;
    look.several_run = true;
    look.blocked = look.blocked && each.what_others_wait_for(lock) <= base::Wait::kForOthers;
  });
  return look;
}

// No memory is taken: this may be a signal handler that ends the process.
void begin_outside() {
  constexpr timespec kLook{0, 5'000'000};
  constexpr int kLooks = 1000;
  constexpr int kBlockedLooks = 200;
  outside_turn->lock();
  side = Side::kOutside;
  for_each_base([](auto& /*lock*/, event_base& each) {
    if (!each.driver.runs()) return;
    each.paused_from_outside = true;
    each.driver.pause();
  });
  Look look = look_at_paused();
  if (!look.any) {
    side = Side::kNone;
    outside_turn->unlock();
    return;
  }
  for (int looks = 0, blocked = 0; look.several_run && looks < kLooks && blocked < kBlockedLooks; ++looks) {
    nanosleep(&kLook, nullptr);
    look = look_at_paused();
    blocked = look.blocked ? blocked + 1 : 0;
  }
  turn.lock();
}

void end_outside() {
  for_each_base([](auto& /*lock*/, event_base& each) {
    if (std::exchange(each.paused_from_outside, false)) each.driver.resume(!in_child);
  });
  turn.unlock();
  outside_turn->unlock();
}

}  // namespace

void Alone::begin(For purpose) {
  if (++begun > 1) return;
  const base::OnExit keep([error = errno] { errno = error; });
  if (base::QuickMutex::is_any_mine()) return;  // a signal's function, which has interrupted the loop: nobody can end
  if (!others_may_run()) {
    if (Runtime::get().crew_may_run()) begin_outside();
    return;
  }
  side = Side::kInHandler;
  for_each_call([](auto& /*lock*/, event_base& base, Task& task) {
    task.stands_alone = true;
    base.driver.pause();
  });
  turn.lock();
  for_each_call([purpose](auto& lock, event_base& base, const Task& task) {
    base.await_others(lock, &task, patience_for(purpose));
  });
}

void Alone::end() {
  if (begun == 0) return;
  if (--begun > 0) return;
  const base::OnExit keep([error = errno] { errno = error; });
  const Side was = std::exchange(side, Side::kNone);
  if (was == Side::kOutside) end_outside();
  if (was != Side::kInHandler) {
    in_child = false;
    return;
  }
  // A child has one thread until it runs the loop again: most replace themselves or end before.
  for_each_call([](auto& /*lock*/, event_base& base, Task& task) {
    task.stands_alone = false;
    base.driver.resume(!in_child);
  });
  in_child = false;
  turn.unlock();
}

bool Alone::begin_unless_copied(For purpose) {
  if (getpid() != process) return false;
  begin(purpose);
  return true;
}

void Alone::for_good_in_handler() {
  if (others_may_run()) for_good();
}

void Alone::after_fork_in_child() {
  process = getpid();
  in_child = begun > 0;
  if (side != Side::kOutside) outside_turn = new std::mutex;  // who had it, if anybody, does not exist
}

}  // namespace heddle::multivent
