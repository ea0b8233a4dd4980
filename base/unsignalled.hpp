// While it exists, writing sends this thread no signal.
//
// A write to a pipe that nobody reads, or beyond the largest file that the process may have (RLIMIT_FSIZE), sends
// SIGPIPE or SIGXFSZ, which ends the process or calls a function of the program. That is for the program's own writes.
// Who writes something for us, in the program's process, has these signals blocked meanwhile, and takes them back if
// they come: the write fails with EPIPE or EFBIG, and that is all.
#pragma once

#include <pthread.h>

#include <cerrno>
#include <csignal>
#include <ctime>

namespace heddle::base {

class Unsignalled {
 public:
  Unsignalled() {
    sigset_t pending;
    sigpending(&pending);
    sigemptyset(&taken_back_);
    for (const int number : {SIGPIPE, SIGXFSZ})
      if (sigismember(&pending, number) == 0) sigaddset(&taken_back_, number);
    pthread_sigmask(SIG_BLOCK, &taken_back_, &before_);
  }

  ~Unsignalled() {
    const int error = errno;
    constexpr timespec kNow{0, 0};
    while (sigtimedwait(&taken_back_, nullptr, &kNow) > 0 || errno == EINTR) continue;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }

  Unsignalled(const Unsignalled&) = delete;
  Unsignalled& operator=(const Unsignalled&) = delete;

 private:
  sigset_t before_{};
  sigset_t taken_back_{};  // those that did not wait for somebody already
};

}  // namespace heddle::base
