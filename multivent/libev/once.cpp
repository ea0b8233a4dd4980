#include "multivent/libev/once.hpp"

#include "multivent/libev/memory.hpp"

namespace heddle::multivent::libev {

namespace {

struct Once {
  ev_io io;
  ev_timer timer;
  void (*function)(int revents, void* argument);
  void* argument;
};

void call_once(ev_loop* loop, Once* once, int revents) {
  const auto function = once->function;
  void* const argument = once->argument;
  {
    LoopLock lock(loop);
    revents |= loop->clear_pending(once->io) | loop->clear_pending(once->timer);
    loop->io_stop(once->io);
    loop->timer_stop(once->timer);
  }
  give_back(once);
  function(revents, argument);
}

void once_io(ev_loop* loop, void* watcher, int revents) { call_once(loop, reinterpret_cast<Once*>(watcher), revents); }

void once_timer(ev_loop* loop, void* watcher, int revents) {
  call_once(loop, reinterpret_cast<Once*>(static_cast<char*>(watcher) - sizeof(ev_io)), revents);
}

}  // namespace

CalledFor called_for(ev_watcher& watcher) {
  const Once* once = nullptr;
  if (watcher.cb == once_io) {
    once = reinterpret_cast<const Once*>(&watcher);
  } else if (watcher.cb == once_timer) {
    once = reinterpret_cast<const Once*>(reinterpret_cast<const char*>(&watcher) - sizeof(ev_io));
  } else {
    return {reinterpret_cast<void*>(watcher.cb), &watcher};
  }
  return {reinterpret_cast<void*>(once->function), once->argument};
}

void once(ev_loop& loop, int fd, int events, double timeout, void (*function)(int, void*), void* argument) {
  auto* const made = new (take(sizeof(Once))) Once{};
  made->function = function;
  made->argument = argument;
  made->io.cb = once_io;
  made->timer.cb = once_timer;
  if (fd >= 0) {
    made->io.fd = fd;
    made->io.events = events | kDescriptorSet;
    loop.io_start(made->io);
  }
  if (timeout >= 0) {
    made->timer.at = timeout;
    loop.timer_start(made->timer);
  }
}

}  // namespace heddle::multivent::libev
