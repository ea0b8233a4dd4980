#include "objectbase/transport/waiting.hpp"

#include <algorithm>

namespace heddle::objectbase {

int Waiting::wait(int epoll, std::span<epoll_event> events, int timeout_ms) {
  const auto look = [&](int timeout) {
    return epoll_wait(epoll, events.data(), static_cast<int>(events.size()), timeout);
  };
  if (timeout_ms == 0) return look(0);
  if (skip_ != 0) {
    --skip_;
    return look(timeout_ms);
  }
  ++spins_;
  const auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    const int count = look(0);
    if (count == 0) continue;
    vain_ = 0;
    return count;
  } while (std::chrono::steady_clock::now() < end);
  vain_ = std::min(vain_ + 1, kMostVain);
  skip_ = (1U << vain_) - 1;
  return look(timeout_ms);
}

}  // namespace heddle::objectbase
