#include "multivent/process/alone.hpp"

#include <unistd.h>

#include <mutex>

#include "multivent/loop/base.hpp"

namespace heddle::multivent {

namespace {

// Held by the one that is alone. Never destroyed: whoever ends the process keeps it.
std::mutex& turn = *new std::mutex;

// How often this thread has begun.
[[gnu::tls_model("initial-exec")]] constinit thread_local int begun = 0;

// The process whose memory this is; it differs from getpid() in a child of vfork(). Written before main and in children
// of fork(), while there is one thread.
pid_t process = getpid();

template <class Function>
void for_each_call(Function function) {
  for (Task* task = current_task(); task != nullptr; task = task->outer) function(*task->base, *task);
}

}  // namespace

void Alone::begin() {
  if (current_task() == nullptr || ++begun > 1) return;
  for_each_call([](event_base& base, Task& task) {
    const BaseLock lock(base);
    task.stands_alone = true;
    base.driver.pause();
  });
  turn.lock();
  for_each_call([](event_base& base, const Task& task) {
    BaseLock lock(base);
    base.await_others(lock.lock(), task);
  });
}

void Alone::end() {
  if (current_task() == nullptr || --begun > 0) return;
  for_each_call([](event_base& base, Task& task) {
    const BaseLock lock(base);
    task.stands_alone = false;
    base.driver.resume();
  });
  turn.unlock();
}

bool Alone::begin_unless_copied() {
  if (current_task() == nullptr || getpid() != process) return false;
  begin();
  return true;
}

void Alone::after_fork_in_child() { process = getpid(); }

}  // namespace heddle::multivent
