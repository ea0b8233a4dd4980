// The process the oracle watches: its one recorder and the lock before it, its trace's name, its start, fork and end.
//
// Environment: HEDDLE_ACCESSES names the trace; %p in it becomes the process id. Without it, PROGRAM.accesses in the
// working directory. A child process that enters an event loop of its own writes to that name with .PID behind it.
#pragma once

#include <mutex>
#include <string>

#include "elyze/oracle/runtime/recorder.hpp"

namespace heddle::oracle {

// Holds the recorder's lock for one call from the program. What the recorder itself allocates or closes meanwhile
// reaches the watched functions on the same thread too; it is not the program's, and the guard made there is empty.
class Guard {
 public:
  Guard();
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  explicit operator bool() const { return taken_; }
  Recorder& recorder() const;
  ThreadState& thread() const;

 private:
  bool taken_ = false;
};

// While one lives, what this thread does is not the program's either, and the lock is free.
class Unwatched {
 public:
  Unwatched();
  ~Unwatched();
  Unwatched(const Unwatched&) = delete;
  Unwatched& operator=(const Unwatched&) = delete;

 private:
  bool outer_;
};

// False while this thread runs no handler: most accesses of a program need not wait for the lock to learn that.
bool in_handler();
void set_in_handler(bool running);

namespace process {

bool open_trace(TraceFile& file);
std::string program();
std::string build_id();

}  // namespace process

}  // namespace heddle::oracle
