// ev_once(): watchers of libev's own, which go on to a function of the program.
#pragma once

#include "multivent/libev/loop.hpp"

namespace heddle::multivent::libev {

// What the constraints know a watcher's call by: its callback and itself, or for ev_once() what that goes on to.
struct CalledFor {
  void* function;
  void* argument;
};
CalledFor called_for(ev_watcher& watcher);

void once(ev_loop& loop, int fd, int events, double timeout, void (*function)(int, void*), void* argument);

}  // namespace heddle::multivent::libev
