// A thread with a stack as large as that of the program's first one may get.
//
// The C library gives a thread what RLIMIT_STACK was when the program was started, and 2 MB where that was unlimited;
// the stack of the first thread grows to what RLIMIT_STACK is now (setrlimit(2), pthread_create(3)). Otherwise this is
// std::thread.
#pragma once

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <system_error>
#include <utility>

#include "base/assert.hpp"

namespace heddle::base {

class Thread {
 public:
  Thread() = default;

  // std::system_error if there can be none.
  template <class Function>
  explicit Thread(Function function) {
    auto body = std::make_unique<Function>(std::move(function));
    const auto run = [](void* given) -> void* {
      const std::unique_ptr<Function> own(static_cast<Function*>(given));
      (*own)();
      return nullptr;
    };
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_size());
    int error = pthread_create(&thread_, &attributes, run, body.get());
    pthread_attr_destroy(&attributes);
    if (error != 0) error = pthread_create(&thread_, nullptr, run, body.get());  // there may be room for less
    if (error != 0) throw std::system_error(error, std::generic_category(), "pthread_create");
    static_cast<void>(body.release());
    joinable_ = true;
  }

  ~Thread() { HEDDLE_ASSERT(!joinable_); }
  Thread(Thread&& other) noexcept : thread_(other.thread_), joinable_(std::exchange(other.joinable_, false)) {}
  Thread& operator=(Thread&& other) noexcept {
    HEDDLE_ASSERT(!joinable_);
    thread_ = other.thread_;
    joinable_ = std::exchange(other.joinable_, false);
    return *this;
  }

  void join() {
    pthread_join(thread_, nullptr);
    joinable_ = false;
  }

  pthread_t native_handle() const { return thread_; }

 private:
  static std::size_t stack_size() {
    constexpr std::size_t kLeast = std::size_t{8} << 20;
    constexpr std::size_t kMost = std::size_t{256} << 20;
    rlimit limit{};
    if (getrlimit(RLIMIT_STACK, &limit) != 0) return kLeast;
    return limit.rlim_cur == RLIM_INFINITY ? kMost : std::clamp<std::size_t>(limit.rlim_cur, kLeast, kMost);
  }

  pthread_t thread_{};
  bool joinable_ = false;
};

}  // namespace heddle::base
