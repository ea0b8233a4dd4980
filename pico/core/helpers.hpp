// Calls that would stop a worker run elsewhere: on a kernel thread beside the workers, or on a larger stack.
//
//   const std::string text = pico::on_helper([&] { return read_whole_file(path); });
//   const int result = pico::on_big_stack([&] { return parse(text); });
//
// on_helper() is for calls that wait in the kernel and know nothing of pico: getaddrinfo(), files, fsync(), a library
// that reads from a socket. on_big_stack() is for calls that compute but need more than the 64 KB of a pico thread:
// parsers that recurse, a handshake, SQLite. The worker runs nothing else meanwhile.
//
// In both the function may use what stands on the stack of the thread, for that waits until it returns, cancelled or
// not. It must not wait by pico: no lock(), no read() of a Socket.
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/assert.hpp"
#include "base/sync.hpp"
#include "pico/core/cancelled.hpp"
#include "scheduler/workers/pool.hpp"

namespace heddle::pico {

// Kernel threads that make such calls. They are hired when all that there are have something to do.
class Helpers {
 public:
  static constexpr std::size_t kMost = 32;

  Helpers() : pool_(mutex_, kMost) {}
  ~Helpers() { HEDDLE_ASSERT(waiting_.empty()); }

  // Calls job() on a kernel thread; behind it nothing of this is touched. std::system_error if there can be none.
  void call(std::function<void()> job);

 private:
  struct Helper : workers::Worker<base::StdSync> {
    using workers::Worker<base::StdSync>::Worker;
  };
  using Lock = base::StdSync::Lock;

  void serve(Lock& lock);
  void ensure_progress();

  std::mutex mutex_;  // guards what follows
  std::deque<std::function<void()>> waiting_;
  workers::Pool<base::StdSync, Helper> pool_;
};

namespace detail {

// Calls run() there; returns when it has returned. It must not throw.
void on_helper(const std::function<void()>& run);
void on_big_stack(void (*run)(void*), void* data);

// What a call elsewhere has left.
template <class Result>
struct Outcome {
  template <class Function>
  void fill(Function& function) {
    try {
      result.emplace(function());
    } catch (...) {
      error = std::current_exception();
    }
  }
  Result take() {
    if (!result) std::rethrow_exception(error);
    return std::move(*result);
  }
  std::optional<Result> result;
  std::exception_ptr error;
};
template <>
struct Outcome<void> {
  template <class Function>
  void fill(Function& function) {
    try {
      function();
    } catch (...) {
      error = std::current_exception();
    }
  }
  void take() const {
    if (error) std::rethrow_exception(error);
  }
  std::exception_ptr error;
};

}  // namespace detail

// Throws what the function throws; Cancelled before it is called.
template <class Function>
auto on_helper(Function function) {
  check_cancelled();
  detail::Outcome<std::invoke_result_t<Function&>> outcome;
  detail::on_helper([&] { outcome.fill(function); });
  return outcome.take();
}

// Throws what the function throws.
template <class Function>
auto on_big_stack(Function function) {
  struct Call {
    Function& function;
    detail::Outcome<std::invoke_result_t<Function&>> outcome{};
  } call{function};
  detail::on_big_stack(
      [](void* data) {
        auto& given = *static_cast<Call*>(data);
        given.outcome.fill(given.function);
      },
      &call);
  return call.outcome.take();
}

}  // namespace heddle::pico
