// The end of a thread from outside.
//
// A cancelled thread is not stopped where it is: the call in which it waits, and every later one that could wait,
// throws Cancelled, so that its objects are destroyed as by any exception. It need not be caught.
#pragma once

#include <exception>

namespace heddle::pico {

class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "the thread was cancelled"; }
};

// While it lives, the calling thread may wait as if it were not cancelled: to say goodbye to a peer, say.
class [[nodiscard]] Shield {
 public:
  Shield();
  ~Shield();
  Shield(const Shield&) = delete;
  Shield& operator=(const Shield&) = delete;
};

// Throws Cancelled if the calling thread was cancelled. For loops that compute for long and never wait.
void check_cancelled();

namespace detail {
// The same, for calls that may wait and often need not: no pico thread may be running, on a helper for example.
void check_cancelled_if_any();
}  // namespace detail

}  // namespace heddle::pico
