// Figures of a program while it runs: a thread that answers SIGUSR1 with the summary and, while somebody asks for it,
// keeps the `run` document of now in a file.
//
// Files and no socket: a program may close every descriptor that it did not open itself, and reuse its number. In the
// folder that HEDDLE_LIVE names, PID.json is the document, made when the first event base is; it is written anew each
// second while PID.asked is younger than a few seconds (python/heddle/run/live.py touches it).
//
// The thread blocks all signals, so that the program's handlers run where they did. A child of fork() has no such
// thread, and gets the default action of SIGUSR1 back.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <string>
#include <thread>

namespace heddle::telemetry {

class Live {
 public:
  // Both functions are called on the thread; a call that is under way may outlast stop(). There is one Live in a
  // process at a time, and it is not destroyed before end(). A child may make one of its own. std::system_error if
  // there can be no thread.
  Live(std::string folder, std::function<std::string()> summary, std::function<std::string()> document);

  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

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
  void serve();
  void finish();
  bool asked() const;
  void write_document() const;

  const std::string folder_;
  const std::function<std::string()> summary_;
  const std::function<std::string()> document_;
  const pid_t owner_;
  std::thread thread_;
};

}  // namespace heddle::telemetry
