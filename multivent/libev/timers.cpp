// Watchers for time: after a while (ev_timer), and at a time of the wall clock (ev_periodic).
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"
#include "multivent/libev/loop.hpp"
#include "multivent/program/own_functions.hpp"

using namespace heddle::multivent;
using namespace heddle::multivent::libev;

namespace {

constexpr double kLeastInterval = 1.0 / 8192;
constexpr time_t kFarAway_s = 1500001;

double next_after(const ev_periodic& watcher, double now) {
  const double interval = std::max(watcher.interval, kLeastInterval);
  double at = watcher.offset + interval * std::floor((now - watcher.offset) / interval);
  while (at <= now) {
    const double next = at + watcher.interval;
    if (next == at) return now;  // the interval is too short for these numbers
    at = next;
  }
  return at;
}

// The wall clock was set.
void clock_was_set(ev_loop* loop, void*, int) {
  LoopLock lock(loop);
  itimerspec until{};
  until.it_value.tv_sec = static_cast<time_t>(loop->now) + kFarAway_s;
  timerfd_settime(loop->clock_fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &until, nullptr);
  loop->now = wall_time();
  loop->periodics_reschedule();
}

const OwnFunction clock_name(reinterpret_cast<const void*>(clock_was_set), "libev's look at the clock");

}  // namespace

void ev_loop::timer_start(ev_timer& watcher) {
  if (watcher.active != 0) return;
  watcher.at += monotonic;
  HEDDLE_ASSERT(watcher.repeat >= 0);
  start(watcher);
  timers.add(watcher);
}

void ev_loop::timer_stop(ev_timer& watcher) {
  clear_pending(watcher);
  if (watcher.active == 0) return;
  timers.remove(watcher);
  watcher.at -= monotonic;
  stop(watcher);
}

void ev_loop::timer_again(ev_timer& watcher) {
  clear_pending(watcher);
  if (watcher.active != 0) {
    if (watcher.repeat != 0) {
      watcher.at = monotonic + watcher.repeat;
      timers.moved(watcher);
    } else {
      timer_stop(watcher);
    }
  } else if (watcher.repeat != 0) {
    watcher.at = watcher.repeat;
    timer_start(watcher);
  }
}

// Of those that have ended the first is called first, so it becomes pending last.
void ev_loop::timers_expire() {
  if (timers.empty() || timers.first_at() >= monotonic) return;
  expired.clear();
  do {
    auto& watcher = static_cast<ev_timer&>(timers.first());
    if (watcher.repeat != 0) {
      watcher.at = std::max(watcher.at + watcher.repeat, monotonic);
      timers.first_moved();
    } else {
      timer_stop(watcher);
    }
    expired.push_back(&watcher);
  } while (!timers.empty() && timers.first_at() < monotonic);
  while (!expired.empty()) {
    feed(*expired.back(), kTimer);
    expired.pop_back();
  }
}

void ev_loop::periodic_start(ev_periodic& watcher) {
  if (watcher.active != 0) return;
  watch_clock();
  if (watcher.reschedule_cb != nullptr) {
    watcher.at = watcher.reschedule_cb(&watcher, now);
  } else if (watcher.interval != 0) {
    HEDDLE_ASSERT(watcher.interval >= 0);
    watcher.at = next_after(watcher, now);
  } else {
    watcher.at = watcher.offset;
  }
  start(watcher);
  periodics.add(watcher);
}

void ev_loop::periodic_stop(ev_periodic& watcher) {
  clear_pending(watcher);
  if (watcher.active == 0) return;
  periodics.remove(watcher);
  stop(watcher);
}

void ev_loop::periodics_expire() {
  while (!periodics.empty() && periodics.first_at() < now) {
    expired.clear();
    do {
      auto& watcher = static_cast<ev_periodic&>(periodics.first());
      if (watcher.reschedule_cb != nullptr) {
        watcher.at = watcher.reschedule_cb(&watcher, now);
        periodics.first_moved();
      } else if (watcher.interval != 0) {
        watcher.at = next_after(watcher, now);
        periodics.first_moved();
      } else {
        periodic_stop(watcher);
      }
      expired.push_back(&watcher);
    } while (!periodics.empty() && periodics.first_at() < now);
    while (!expired.empty()) {
      feed(*expired.back(), kPeriodic);
      expired.pop_back();
    }
  }
}

void ev_loop::periodics_reschedule() {
  periodics.shift_all([this](ev_watcher_time& each) {
    auto& watcher = static_cast<ev_periodic&>(each);
    if (watcher.reschedule_cb != nullptr) {
      watcher.at = watcher.reschedule_cb(&watcher, now);
    } else if (watcher.interval != 0) {
      watcher.at = next_after(watcher, now);
    }
  });
  periodics.sort_again();
}

// With the first periodic watcher.
void ev_loop::watch_clock() {
  if (clock_fd != -1) return;
  clock_fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  if (clock_fd < 0) {
    clock_fd = -2;
    return;
  }
  clock_watcher = {};
  clock_watcher.cb = clock_was_set;
  clock_watcher.fd = clock_fd;
  clock_watcher.events = kRead | kDescriptorSet;
  clock_watcher.priority = kLowestPriority;
  io_start(clock_watcher);
  --active;
  clock_was_set(this, nullptr, 0);
}
