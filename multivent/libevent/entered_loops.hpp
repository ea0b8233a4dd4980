// The loops that this thread has entered, by their frames on its stack.
#pragma once

struct event_base;

namespace heddle::multivent {

class EnteredLoop {
 public:
  explicit EnteredLoop(event_base& base);
  ~EnteredLoop();
  EnteredLoop(const EnteredLoop&) = delete;
  EnteredLoop& operator=(const EnteredLoop&) = delete;

  // This thread is about to jump to `frame`, which lies above the frames of loops: these are left, and will never be
  // gone on with. As in one thread, nothing of them is called any more: starts nothing, and waits for the calls that
  // other threads are making.
  static void leave_below(const void* frame);
  // Whether there is any to be left.
  static bool any_below(const void* frame);

 private:
  event_base& base_;
  const void* const frame_;
  EnteredLoop* const outer_;
};

}  // namespace heddle::multivent
