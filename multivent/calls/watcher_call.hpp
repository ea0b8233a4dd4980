// What makes a watcher of libev due: a callback of the base that makes the loop's calls, with what the watcher is to be
// told.
//
// A watcher has no room for an event_callback, so each loop keeps a pool of these and the watcher has the number of its
// own (ev_watcher::pending). From begin() on nothing depends on it any more: it is free again.
//
// All fields are guarded by the mutex of the base.
#pragma once

#include "multivent/calls/event_fields.hpp"
#include "multivent/calls/watcher_fields.hpp"

namespace heddle::multivent {

struct WatcherCall {
  event_callback callback{};  // its function and argument are those that the constraints know the call by
  ev_loop* loop = nullptr;
  ev_watcher* watcher = nullptr;
  int number = 0;  // from 1
  int revents = 0;
  WatcherCall* next_free = nullptr;
  WatcherCall** free_list = nullptr;  // where it belongs once the call has begun

  void give_back() {
    watcher->pending = 0;
    watcher = nullptr;
    next_free = *free_list;
    *free_list = this;
  }
};

inline WatcherCall& watcher_call_of(event_callback& callback) {
  static_assert(offsetof(WatcherCall, callback) == 0);
  return reinterpret_cast<WatcherCall&>(callback);
}

}  // namespace heddle::multivent
