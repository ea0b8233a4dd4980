// Signals as events: a process-wide signal handler writes the signal's number into a pipe that the loop watches.
//
// As in libevent one base at a time receives signals: the one that added a signal last, or entered its loop last. The
// dispositions that were in place before are restored when a signal's last event is removed. The workers of a crew have
// the signal mask of the thread that entered the loop, so they receive signals as that thread does; the crew's watchdog
// blocks all signals.
//
// Every function needs the base's mutex, except the signal handler itself.
#pragma once

#include <array>
#include <csignal>
#include <memory>

#include "multivent/calls/event_fields.hpp"

namespace heddle::multivent {

class Signals {
 public:
  explicit Signals(event_base& base) : base_(base) {}
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Makes the pipe; false with errno set if that fails. Again after fork, behind shut().
  bool open();
  void shut();
  int read_end() const { return pipe_[0]; }

  // -1 on error, else 1, as libevent's callers expect.
  int add(event& ev);
  int remove(event& ev);

  event* first(int signal) const;
  static event* next(const event& ev) { return ev.ev_.ev_signal.ev_signal_next.le_next; }

  // This base's loop begins: it shall have the signals, if it waits for any.
  void claim();

  // Calls arrived(signal, times) for every signal in the pipe.
  template <class Arrived>
  void drain(Arrived&& arrived) {
    std::array<int, NSIG> times{};
    if (!read_pipe(times)) return;
    for (int signal = 0; signal < NSIG; ++signal)
      if (times[static_cast<std::size_t>(signal)] != 0) arrived(signal, times[static_cast<std::size_t>(signal)]);
  }

  template <class Visit>
  int visit(Visit&& fn) const {
    for (event* head : heads_)
      for (event* ev = head; ev != nullptr; ev = next(*ev))
        if (int r = fn(*ev)) return r;
    return 0;
  }

  // Puts back all dispositions and gives up the signals, when the base is freed.
  void close();

 private:
  bool read_pipe(std::array<int, NSIG>& times);
  bool catch_signal(int signal);
  bool restore(int signal);

  event_base& base_;
  int pipe_[2] = {-1, -1};
  int added_ = 0;  // signals that have events
  std::array<event*, NSIG> heads_{};
  std::array<std::unique_ptr<struct sigaction>, NSIG> saved_{};
};

}  // namespace heddle::multivent
