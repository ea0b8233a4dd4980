// The loops that this thread has entered on its own stack. Those on the stack of a coroutine are not among them: a jump
// to another stack leaves no loop.
#pragma once

struct event_base;

namespace heddle::multivent {

class EnteredLoop {
 public:
  explicit EnteredLoop(event_base& base);
  ~EnteredLoop();
  EnteredLoop(const EnteredLoop&) = delete;
  EnteredLoop& operator=(const EnteredLoop&) = delete;

  // This thread is about to jump to `frame`. If that lies above the frames of loops, these are left, and will never be
  // gone on with. As in one thread, nothing of them is called any more: starts nothing, and waits for the calls that
  // other threads are making. May be called in a signal handler: takes no memory.
  static void leave_below(const void* frame);

  // The base is about to be freed, in this thread.
  static void forget(const event_base& base);
};

}  // namespace heddle::multivent
