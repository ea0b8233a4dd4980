#include "pico/core/scope.hpp"

#include "pico/core/cancelled.hpp"
#include "pico/core/runtime.hpp"
#include "pico/core/worker.hpp"

namespace heddle::pico {

Scope::~Scope() {
  if (alive() == 0) return;
  cancel();
  const Shield shield;
  wait_for_all();
}

void Scope::enlist(Task& task) {
  task.scope_ = this;
  const std::scoped_lock lock(mutex_);
  task.elder_ = youngest_;
  if (youngest_ != nullptr) youngest_->younger_ = &task;
  youngest_ = &task;
  ++alive_;
  if (cancelled_) task.cancelled_.store(true, std::memory_order_relaxed);  // it was not handed over yet
}

void Scope::add(Task& task) {
  enlist(task);
  Worker& worker = Worker::current();
  if (options_.spread && worker.runtime().workers() > 1)
    worker.offer(task);
  else
    worker.make_ready(task);
}

void Scope::run(Task& task) {
  std::exception_ptr error;
  try {
    task.stopped_ = task.cancelled();
    if (!task.stopped_) task.body();
  } catch (const Cancelled&) {
    task.stopped_ = task.cancelled_.load(std::memory_order_relaxed);
    if (!task.stopped_) error = std::current_exception();
  } catch (...) {
    error = std::current_exception();
  }
  Scope& scope = *task.scope_;
  task.error = error;
  // Acquire and release: see Task::unwatch().
  const bool asked_for = task.watched_.exchange(false, std::memory_order_acq_rel);
  task.drop(task.references_.load(std::memory_order_acquire) == 1);
  task.completion.end();
  scope.remove(task, asked_for ? nullptr : error);
}

void Scope::remove(Task& task, std::exception_ptr error) {
  const std::scoped_lock lock(mutex_);
  (task.younger_ != nullptr ? task.younger_->elder_ : youngest_) = task.elder_;
  if (task.elder_ != nullptr) task.elder_->younger_ = task.younger_;
  --alive_;
  if (error && !error_) {
    error_ = std::move(error);
    cancelled_ = true;
    for (Task* other = youngest_; other != nullptr; other = other->elder_) other->cancel();
  }
  // Under the mutex: the scope, and the one that waits, are there as long as this thread has it.
  if (alive_ == 0 && waiter_ != nullptr) Worker::unpark(*waiter_);
}

void Scope::cancel() {
  const std::scoped_lock lock(mutex_);
  cancelled_ = true;
  for (Task* task = youngest_; task != nullptr; task = task->elder_) task->cancel();
}

std::size_t Scope::alive() const {
  const std::scoped_lock lock(mutex_);
  return alive_;
}

void Scope::wait_for_all() {
  Task& me = TaskBlocker::self();
  std::unique_lock lock(mutex_);
  waiter_ = &me;
  while (alive_ > 0) {
    const bool give_up = me.cancelled();
    if (give_up) {
      cancelled_ = true;
      for (Task* task = youngest_; task != nullptr; task = task->elder_) task->cancel();
    }
    lock.unlock();
    if (give_up) {
      const Shield shield;
      wait_for_all();
    } else {
      TaskBlocker::park();
    }
    lock.lock();
  }
  waiter_ = nullptr;
}

void Scope::join() {
  wait_for_all();
  std::exception_ptr error;
  {
    const std::scoped_lock lock(mutex_);
    error = std::exchange(error_, nullptr);
  }
  if (error) std::rethrow_exception(error);
  check_cancelled();
}

Scope& Scope::current() { return *TaskBlocker::self().scope_; }

}  // namespace heddle::pico
