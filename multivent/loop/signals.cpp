#include "multivent/loop/signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "multivent/loop/base.hpp"
#include "multivent/loop/library.hpp"

namespace heddle::multivent {

namespace {

// The base that receives signals. Guarded by receiver_mutex. The signal handler reads the descriptor without it:
// relaxed, since any value that was current a moment ago will do, and it reads nothing else of the base.
std::mutex& receiver_mutex = *new std::mutex;
event_base* receiver = nullptr;
int receiver_signals = 0;
std::atomic<int> receiver_fd{-1};

void forward(int signal) {
  const int error = errno;
  const int fd = receiver_fd.load(std::memory_order_relaxed);
  if (fd < 0) {
    library::warn_x("received signal %d, but have no base configured", signal);
    errno = error;
    return;
  }
  const auto number = static_cast<unsigned char>(signal);
  // A full pipe already holds enough to wake the loop.
  [[maybe_unused]] const ssize_t written = write(fd, &number, 1);
  errno = error;
}

}  // namespace

Signals::~Signals() { shut(); }

void Signals::shut() {
  for (int& fd : pipe_) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
}

bool Signals::open() {
  if (pipe2(pipe_, O_NONBLOCK | O_CLOEXEC) != 0) return false;
  const std::lock_guard guard(receiver_mutex);
  if (receiver == &base_) receiver_fd.store(pipe_[1], std::memory_order_relaxed);
  return true;
}

void Signals::claim() {
  if (added_ == 0) return;
  const std::lock_guard guard(receiver_mutex);
  receiver = &base_;
  receiver_signals = added_;
  receiver_fd.store(pipe_[1], std::memory_order_relaxed);
}

int Signals::add(event& ev) {
  const int signal = ev.ev_fd;
  if (signal < 0 || signal >= NSIG) return -1;
  event*& head = heads_[static_cast<std::size_t>(signal)];
  if (head == nullptr && !catch_signal(signal)) return -1;
  push_front<signal_links>(head, ev);
  return 1;
}

int Signals::remove(event& ev) {
  const int signal = ev.ev_fd;
  if (signal < 0 || signal >= NSIG) return -1;
  event*& head = heads_[static_cast<std::size_t>(signal)];
  remove_from_list<signal_links>(head, ev);
  if (head != nullptr) return 1;
  {
    const std::lock_guard guard(receiver_mutex);
    --receiver_signals;
    --added_;
  }
  return restore(signal) ? 1 : -1;
}

event* Signals::first(int signal) const {
  return signal < 0 || signal >= NSIG ? nullptr : heads_[static_cast<std::size_t>(signal)];
}

bool Signals::catch_signal(int signal) {
  {
    const std::lock_guard guard(receiver_mutex);
    if (receiver != &base_ && receiver_signals != 0)
      library::warn_x_later(
          "Added a signal to event base %p with signals already added to event_base %p.  Only one can have signals at "
          "a "
          "time with the %s backend.  The base with the most recently added signal or the most recent "
          "event_base_loop() "
          "call gets preference; do not rely on this behavior in future Libevent versions.",
          static_cast<void*>(&base_), static_cast<void*>(receiver), base_.method.name);
    receiver = &base_;
    receiver_signals = ++added_;
    receiver_fd.store(pipe_[1], std::memory_order_relaxed);
  }
  struct sigaction action{};
  action.sa_handler = forward;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  auto old = std::make_unique<struct sigaction>();
  if (sigaction(signal, &action, old.get()) == 0) {
    saved_[static_cast<std::size_t>(signal)] = std::move(old);
    return true;
  }
  library::warn_later("sigaction");
  const std::lock_guard guard(receiver_mutex);
  --receiver_signals;
  --added_;
  return false;
}

bool Signals::restore(int signal) {
  const auto old = std::move(saved_[static_cast<std::size_t>(signal)]);
  if (old == nullptr || sigaction(signal, old.get(), nullptr) == 0) return true;
  library::warn_later("sigaction");
  return false;
}

bool Signals::read_pipe(std::array<int, NSIG>& times) {
  bool any = false;
  unsigned char numbers[1024];
  for (;;) {
    const ssize_t got = read(pipe_[0], numbers, sizeof numbers);
    if (got <= 0) break;
    for (ssize_t i = 0; i < got; ++i)
      if (numbers[i] < NSIG) ++times[numbers[i]];
    any = true;
  }
  return any;
}

void Signals::close() {
  for (int signal = 0; signal < NSIG; ++signal)
    if (saved_[static_cast<std::size_t>(signal)] != nullptr) restore(signal);
  {
    const std::lock_guard guard(receiver_mutex);
    if (receiver == &base_) {
      receiver = nullptr;
      receiver_signals = 0;
      receiver_fd.store(-1, std::memory_order_relaxed);
    }
  }
  shut();
}

}  // namespace heddle::multivent
