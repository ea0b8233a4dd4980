// What may be done only while no other handler runs: copy the process, end it, put another program in its place, or
// start one beside it.
//
// A child of fork() has all of the memory and one thread. If another thread was inside the C library, its locks stay
// locked in the child, and what they guard half changed. A program that is started has a copy of the table of
// descriptors, also of what somebody is about to close on exec. A process that ends runs the functions of atexit(), and
// cuts off whoever is in the middle of something. One thread would have been between two handlers in each case. So such
// a call waits until the others on its base have ended, and none starts meanwhile. Those that wait for the same, or for
// each other's end, do not wait for each other; they go one by one.
//
// Bases that are run by other threads of the program are not waited for: libevent runs those beside this one, too, and
// a handler of theirs may wait for one of ours.
//
// A thread of the program that is in no handler of a crew finds at most one handler of each base half done: it waits
// until the others have ended. Not for more than some seconds, for libevent would not wait at all.
#pragma once

#include <cstdint>

namespace heddle::multivent {

class Alone {
 public:
  // What for. How long those are waited for that do not end depends on it: those that are blocked for a second, for
  // they may wait for this one; those that sleep for half a minute; and those that compute as long as it takes.
  enum class For : std::uint8_t {
    kCopy,  // of the process, or of its descriptors
    kEnd,   // The program would end: half a minute for all but those that wait for threads of this process.
    kDeath  // Of a signal, for which one thread would not wait at all: some seconds.
  };

  // Nothing happens where no crew runs a loop. Calls may be nested.
  static void begin(For purpose = For::kCopy);
  static void end();

  // The same, but in a child of vfork(), which has the memory of its parent, nothing happens. True if it has begun.
  static bool begin_unless_copied(For purpose = For::kCopy);
  // Calls the function in between.
  template <class Function>
  static auto run(Function function, For purpose = For::kCopy) {
    const bool began = begin_unless_copied(purpose);
    const auto result = function();
    if (began) end();
    return result;
  }

  // Never ends: the process does.
  static void for_good(For purpose = For::kEnd) { begin_unless_copied(purpose); }
  // Before exit(): nothing happens on a thread that is in no handler of a crew.
  static void for_good_in_handler();

  // In a child of fork(), between begin() and end().
  static void after_fork_in_child();
};

}  // namespace heddle::multivent
