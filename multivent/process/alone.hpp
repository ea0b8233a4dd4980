// What a handler may do only while no other one runs: copy the process, end it, or put another program in its place.
//
// A child of fork() has all of the memory and one thread. If another thread was inside the C library, its locks stay
// locked in the child, and what they guard half changed. A process that ends runs the functions of atexit(), and cuts
// off whoever is in the middle of something. One thread would have been between two handlers in either case. So such a
// call waits until the others on its base have ended, and none starts meanwhile. Those that wait for the same, or for
// each other's end, do not wait for each other; they go one by one.
//
// Bases that are run by other threads of the program are not waited for: libevent runs those beside this one, too, and
// a handler of theirs may wait for one of ours.
#pragma once

namespace heddle::multivent {

class Alone {
 public:
  // By a thread in a handler; nothing happens elsewhere. Calls may be nested.
  static void begin();
  static void end();

  // The same, but in a child of vfork(), which has the memory of its parent, nothing happens. True if it has begun.
  static bool begin_unless_copied();
  // Never ends: the process does.
  static void for_good() { begin_unless_copied(); }

  // In a child of fork(), between begin() and end().
  static void after_fork_in_child();
};

}  // namespace heddle::multivent
