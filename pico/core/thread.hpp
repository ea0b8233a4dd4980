// pico::spawn() and the handle of a thread.
#pragma once

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "pico/core/cancelled.hpp"
#include "pico/core/task.hpp"
#include "pico/record/site.hpp"

namespace heddle::pico {

namespace detail {

// What a thread leaves for its handle.
template <class Result>
struct ResultOf : Task {
  std::optional<Result> result;
};
template <>
struct ResultOf<void> : Task {};

template <class Function, class Result>
struct Body final : ResultOf<Result> {
  explicit Body(Function given) : function(std::move(given)) {}

  void body() override {
    // What the function has captured goes before anybody learns that the thread has ended.
    Function own = std::move(*function);
    function.reset();
    if constexpr (std::is_void_v<Result>)
      own();
    else
      this->result.emplace(own());
  }

  void drop(bool result_too) override {
    function.reset();
    if constexpr (!std::is_void_v<Result>)
      if (result_too) this->result.reset();
  }

  const Site& site() const override { return SiteOf<Function>::site(); }

  std::optional<Function> function;  // until it runs
};

void add_to_scope(Scope* scope, Task& task);
void join(Task& task);

}  // namespace detail

// A thread that was spawned, for whoever wants to wait for it, or for its result. A handle that goes without join()
// leaves the thread to its scope, and the exception by which it has ended or will end. For one kernel thread at a time;
// may be moved, and may outlive run(): then all that it waits for is there.
template <class Result>
class Thread {
 public:
  Thread() = default;
  explicit Thread(detail::ResultOf<Result>& task) : task_(&task) {}
  ~Thread() { drop(); }
  Thread(Thread&& other) noexcept : task_(std::exchange(other.task_, nullptr)) {}
  Thread& operator=(Thread&& other) noexcept {
    if (this != &other) {
      drop();
      task_ = std::exchange(other.task_, nullptr);
    }
    return *this;
  }

  bool joinable() const { return task_ != nullptr; }

  // Waits until the thread has ended, and returns what its function has returned. Throws the exception that the
  // function has thrown, or Cancelled: the thread was cancelled, or the calling one, which then may join it again.
  // Afterwards it is not joinable(). std::logic_error if it is not now, or if another thread waits in join();
  // std::system_error, EDEADLK, if a thread would wait for itself.
  Result join() {
    if (task_ == nullptr) throw std::logic_error("join() of a thread that was joined, or of none");
    detail::join(*task_);
    const auto release = [](detail::ResultOf<Result>* task) { task->release(); };
    const std::unique_ptr<detail::ResultOf<Result>, decltype(release)> task(std::exchange(task_, nullptr));
    if (task->error) std::rethrow_exception(std::exchange(task->error, nullptr));
    if constexpr (std::is_void_v<Result>) {
      if (task->stopped()) throw Cancelled();
    } else {
      if (!task->result) throw Cancelled();
      Result result = std::move(*task->result);
      task->result.reset();  // here, where its destructor may wait
      return result;
    }
  }

  // The thread ends its wait by Cancelled, this one and those that follow. Needs joinable(). By a pico thread of the
  // same run(), or one of its helpers: another kernel thread could come when run() has ended, unless it holds what
  // keeps it.
  void cancel() { task_->cancel(); }

 private:
  void drop() {
    if (task_ == nullptr) return;
    [[maybe_unused]] const bool has_ended = task_->unwatch();
    if constexpr (!std::is_void_v<Result>)
      if (has_ended) task_->result.reset();
    task_->release();
  }

  detail::ResultOf<Result>* task_ = nullptr;
};

namespace detail {

template <class Function>
auto spawn_in(Scope* scope, Function function) {
  using Result = std::invoke_result_t<Function&>;
  auto* const task = new Body<Function, Result>(std::move(function));
  task->retain();
  task->watch();
  Thread<Result> handle(*task);
  try {
    add_to_scope(scope, *task);
  } catch (...) {
    task->release();  // nobody will run it
    throw;
  }
  return handle;
}

}  // namespace detail

// A new thread, of the scope that the calling thread belongs to. It runs when the calling thread waits. The function is
// moved into the thread. std::bad_alloc, and then there is no thread.
template <std::invocable Function>
auto spawn(Function function) {
  return detail::spawn_in(nullptr, std::move(function));
}

// The calling thread lets all others of its worker run that are ready.
void yield();

}  // namespace heddle::pico
