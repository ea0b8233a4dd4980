#include "pico/core/task.hpp"

#include "pico/core/cancelled.hpp"
#include "pico/core/scope.hpp"
#include "pico/core/worker.hpp"

namespace heddle::pico {

Task& TaskBlocker::self() { return Worker::current().running(); }
void TaskBlocker::park() { Worker::current().park(); }
void TaskBlocker::unpark(Task& task) { Worker::unpark(task); }
void TaskBlocker::relax() { Worker::current().yield(); }
int TaskBlocker::looks() { return Worker::current().looks(); }

// Acquire and release, on both sides: what the task left is read by the handle, or the other way round.
bool Task::unwatch() {
  if (watched_.exchange(false, std::memory_order_acq_rel)) return false;
  if (error) Scope::abandon(*this);
  return true;
}

void Task::cancel() {
  // Release: with cancelled(); whoever cancels has written what the task will look for.
  cancelled_.store(true, std::memory_order_release);
  Worker::unpark(*this);
}

Shield::Shield() { ++TaskBlocker::self().shields_; }
Shield::~Shield() { --TaskBlocker::self().shields_; }

void check_cancelled() {
  if (TaskBlocker::self().cancelled()) throw Cancelled();
}

void detail::check_cancelled_if_any() {
  const Worker* const worker = Worker::of_this_thread();
  if (worker != nullptr && worker->runs_cancelled()) throw Cancelled();
}

}  // namespace heddle::pico
