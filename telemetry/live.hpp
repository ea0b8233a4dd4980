// Figures of a program while it runs: a thread that answers SIGUSR1 with the summary and, while somebody asks for it,
// keeps the `run` document of now in a file.
//
// Files and no socket: a program may close every descriptor that it did not open itself, and reuse its number. In the
// folder that HEDDLE_LIVE names, PID.json is the document, made when the first event base is; it is written anew each
// second while PID.asked is younger than a few seconds (python/heddle/run/live.py touches it).
//
// A process that has one thread otherwise keeps to that until somebody asks: its own thread looks now and then whether
// somebody does, and makes the other then.
//
// The thread blocks all signals, so that the program's handlers run where they did. A child of fork() has no such
// thread, and gets the default action of SIGUSR1 back.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

namespace heddle::telemetry {

class Live {
 public:
  enum class Thread : std::uint8_t {
    kNow,
    kWhenAsked  // look() makes it
  };

  // Both functions are called on the thread, or in look(); a call that is under way may outlast stop(). There is one
  // Live in a process at a time, and it is not destroyed before end(). A child may make one of its own.
  // std::system_error if there can be no thread.
  Live(std::string folder, std::function<std::string()> summary, std::function<std::string()> document, Thread thread);

  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  // With Thread::kWhenAsked, about once a second, by any thread, with no lock that one of the functions takes: makes
  // the document, and the thread once somebody asks. `for_good`: the process is about to have other threads anyway.
  void look(bool for_good);

  // Removes the document, and lets the thread end when it will. Both do nothing but in the process that made this
  // object.
  void stop();
  // Removes the document, and waits for the thread's end; not on the thread itself, nor with a lock that one of the
  // functions takes.
  void end();
  // SIGUSR1 gets its default action back, if nobody else has put a function there: in a child of fork(), by end(), and
  // where the program sends it to itself. Safe in a signal handler.
  static void give_signal_back();
  // It is the function of ours.
  static bool has_put(const struct sigaction& action);

 private:
  // kNone -> kStarting -> kServes, by start(); only who has changed it to kStarting writes thread_.
  enum class State : std::uint8_t { kNone, kStarting, kServes };

  void start();
  void serve();
  void finish();
  bool asked() const;
  void write_document() const;

  const std::string folder_;
  const std::function<std::string()> summary_;
  const std::function<std::string()> document_;
  const pid_t owner_;
  // Set by start() (release), read by stop() and end() (acquire) before they use thread_. Others only compare: relaxed.
  std::atomic<State> state_{State::kNone};
  std::thread thread_;
  std::atomic<bool> has_document_{false};  // relaxed: a document that two threads write is one of the two
};

}  // namespace heddle::telemetry
