#include "multivent/process/alone.hpp"

#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <mutex>

#include "base/on_exit.hpp"
#include "multivent/loop/base.hpp"

namespace heddle::multivent {

namespace {

// Held by the one that is alone. Never destroyed: whoever ends the process keeps it.
std::mutex& turn = *new std::mutex;

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
std::unique_lock<std::mutex> locked(event_base& base) {
  constexpr int kTries = 1000;
  constexpr timespec kPause{0, 1'000'000};
  if (base.inspector.load(std::memory_order_relaxed) == this_thread()) return {};
  std::unique_lock lock(base.mutex, std::try_to_lock);
  for (int tries = 0; !lock.owns_lock() && tries < kTries; ++tries) {
    nanosleep(&kPause, nullptr);
    static_cast<void>(lock.try_lock());
  }
  return lock;
}

template <class Function>
void for_each_call(Function function) {
  for (Task* task = current_task(); task != nullptr; task = task->outer) {
    std::unique_lock<std::mutex> lock = locked(*task->base);
    function(lock, *task->base, *task);
  }
}

}  // namespace

void Alone::begin() {
  if (!others_may_run() || ++begun > 1) return;
  const base::OnExit keep([error = errno] { errno = error; });
  for_each_call([](auto& /*lock*/, event_base& base, Task& task) {
    task.stands_alone = true;
    base.driver.pause();
  });
  turn.lock();
  for_each_call([](auto& lock, event_base& base, const Task& task) { base.await_others(lock, task); });
}

void Alone::end() {
  if (begun == 0) return;
  if (--begun > 0) return;
  const base::OnExit keep([error = errno] { errno = error; });
  // A child has one thread until it runs the loop again: most replace themselves or end before.
  for_each_call([](auto& /*lock*/, event_base& base, Task& task) {
    task.stands_alone = false;
    base.driver.resume(!in_child);
  });
  in_child = false;
  turn.unlock();
}

bool Alone::begin_unless_copied() {
  if (current_task() == nullptr || getpid() != process) return false;
  begin();
  return true;
}

void Alone::after_fork_in_child() {
  process = getpid();
  in_child = begun > 0;
}

}  // namespace heddle::multivent
