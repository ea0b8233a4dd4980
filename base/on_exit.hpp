// Does something when a scope is left, in whatever way: at its end, by return, because an exception passes through, or
// because the thread ends (pthread_exit).
#pragma once

#include <utility>

namespace heddle::base {

template <class Function>
class [[nodiscard]] OnExit {
 public:
  explicit OnExit(Function function) : function_(std::move(function)) {}
  [[gnu::always_inline]] ~OnExit() { function_(); }

  OnExit(const OnExit&) = delete;
  OnExit& operator=(const OnExit&) = delete;

 private:
  Function function_;
};

}  // namespace heddle::base
