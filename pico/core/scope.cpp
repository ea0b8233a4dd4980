#include "pico/core/scope.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

#include "pico/core/cancelled.hpp"
#include "pico/core/runtime.hpp"
#include "pico/core/worker.hpp"

namespace heddle::pico {
namespace {

// Guards failed_ of all scopes, and what has become of the exceptions of the tasks in them: a handle may go, or its
// scope, and neither knows of the other. Taken before the mutexes of runtimes and scopes, and only if a task has
// failed.
std::mutex failures;

}  // namespace

Scope::~Scope() {
  std::unique_lock lock(mutex_);
  if (alive_ > 0) {
    lock.unlock();
    if (Worker::of_this_thread() == nullptr) {
      std::fputs("pico: a Scope has outlived pico::run(), and its threads have not ended: join() it before\n", stderr);
      std::abort();
    }
    cancel();
    const Shield shield;
    wait_for_all();
    lock.lock();
  }
  const bool has_failed = has_failed_ || error_;
  lock.unlock();
  if (has_failed) leave_failures();
}

// All of its tasks have ended; of some there are handles.
void Scope::leave_failures() {
  Worker* const worker = Worker::of_this_thread();
  {
    const std::scoped_lock lock(failures);
    while (failed_ != nullptr) {
      Task& task = *failed_;
      take_out(failed_, task);
      task.scope_ = nullptr;
      if (worker != nullptr) worker->runtime().adopt(task);
    }
  }
  if (!error_ || worker == nullptr) return;
  // Where the thread is cancelled, that is the exception by which the scope is left, and says less than this one.
  if (std::uncaught_exceptions() == uncaught_ || worker->running().cancelled_.load(std::memory_order_relaxed))
    worker->runtime().fail(error_);
}

void Scope::put_in(Task*& list, Task& task) {
  task.younger_ = nullptr;
  task.elder_ = list;
  if (list != nullptr) list->younger_ = &task;
  list = &task;
}

void Scope::take_out(Task*& list, Task& task) {
  (task.younger_ != nullptr ? task.younger_->elder_ : list) = task.elder_;
  if (task.elder_ != nullptr) task.elder_->younger_ = task.younger_;
}

void Scope::enlist(Task& task) {
  task.scope_ = this;
  const std::scoped_lock lock(mutex_);
  put_in(youngest_, task);
  ++alive_;
  if (cancelled_) task.cancelled_.store(true, std::memory_order_relaxed);  // it was not handed over yet
}

void Scope::add(Task& task) {
  Worker& worker = Worker::current();
  if (!options_.spread || worker.runtime().workers() == 1) {
    worker.make_room();
    enlist(task);
    worker.make_ready(task);
    return;
  }
  enlist(task);
  try {
    worker.offer(task);
  } catch (...) {
    remove(task, nullptr, false);
    throw;
  }
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
  if (error) task.error = error;
  // Acquire and release: see Task::unwatch().
  const bool asked_for = task.watched_.exchange(false, std::memory_order_acq_rel);
  if (error && !asked_for) task.error = nullptr;
  task.drop(!asked_for);
  task.completion.end();
  scope.remove(task, std::move(error), asked_for);
}

void Scope::remove(Task& task, std::exception_ptr error, bool asked_for) {
  std::unique_lock<std::mutex> of_failures;
  bool left_to_handle = false;
  bool left_to_scope = static_cast<bool>(error);
  if (error && asked_for) {
    of_failures = std::unique_lock(failures);
    left_to_handle = task.fate_ == Task::Fate::kOpen;
    left_to_scope = task.fate_ == Task::Fate::kAbandoned;
  }
  const std::scoped_lock lock(mutex_);
  take_out(youngest_, task);
  --alive_;
  if (left_to_handle) {
    task.fate_ = Task::Fate::kListed;
    put_in(failed_, task);
    has_failed_ = true;
  }
  if (left_to_scope) fail_with(error);
  // Under the mutex: the scope, and the one that waits, are there as long as this thread has it.
  if (alive_ == 0 && waiter_ != nullptr) Worker::unpark(*waiter_);
}

void Scope::settle(Task& task) {
  const std::scoped_lock lock(failures);
  if (task.fate_ == Task::Fate::kListed && task.scope_ != nullptr) task.scope_->take_out(task.scope_->failed_, task);
  task.fate_ = Task::Fate::kTaken;
}

void Scope::abandon(Task& task) {
  std::exception_ptr error;  // destroyed behind the lock
  const std::scoped_lock lock(failures);
  error = std::exchange(task.error, nullptr);
  const bool listed = task.fate_ == Task::Fate::kListed;
  task.fate_ = Task::Fate::kAbandoned;            // if it is about to be listed, remove() sees that
  if (!listed || task.scope_ == nullptr) return;  // without a scope: run() has thrown it
  task.scope_->take_out(task.scope_->failed_, task);
  task.scope_->fail(error);
}

// Under the mutex of failures.
void Scope::adopt(Task& failed) {
  failed.scope_ = this;
  put_in(failed_, failed);
  const std::scoped_lock lock(mutex_);
  has_failed_ = true;
}

void Scope::fail(std::exception_ptr error) {
  const std::scoped_lock lock(mutex_);
  fail_with(error);
}

// Under the mutex. What it does not take is destroyed by the caller, behind that: a destructor may wait.
void Scope::fail_with(std::exception_ptr& error) {
  if (error_) return;
  error_ = std::move(error);
  cancel_all();
}

// Under the mutex.
void Scope::cancel_all() {
  cancelled_ = true;
  for (Task* task = youngest_; task != nullptr; task = task->elder_) task->cancel();
}

void Scope::cancel() {
  const std::scoped_lock lock(mutex_);
  cancel_all();
}

std::size_t Scope::alive() const {
  const std::scoped_lock lock(mutex_);
  return alive_;
}

void Scope::wait_for_all() {
  Task& me = TaskBlocker::self();
  if (me.scope_ == this) throw std::system_error(EDEADLK, std::generic_category(), "a thread joins its own scope");
  std::unique_lock lock(mutex_);
  if (waiter_ != nullptr && waiter_ != &me) throw std::logic_error("two threads join one scope");
  waiter_ = &me;
  while (alive_ > 0) {
    const bool give_up = me.cancelled();
    if (give_up) cancel_all();
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
    cancelled_ = false;
  }
  if (error) std::rethrow_exception(error);
  check_cancelled();
}

Scope& Scope::current() { return *TaskBlocker::self().scope_; }

}  // namespace heddle::pico
