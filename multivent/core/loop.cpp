// The loop of one thread, in libevent's order exactly, and the parts of it that a crew of threads shares.
//
// Stages of a pass (libevent book, "Running an event loop"):
//   1. stop if asked to, or if there is nothing to wait for
//   2. calls that were put off to the next pass become due
//   3. poll: descriptors, then timers, then signals become due
//   4. the calls of the best priority are made until there is none left, including those that they make due
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/assert.hpp"
#include "multivent/core/base.hpp"
#include "multivent/core/library.hpp"
#include "multivent/core/parallel.hpp"

using namespace heddle::multivent;
using heddle::base::Nanoseconds;

namespace {

constexpr std::uint32_t kKickTag = 0;
constexpr std::uint32_t kSignalTag = 1;
constexpr time_t kClockDifferenceLifetime_s = 5;

}  // namespace

// --- Time ---

timeval event_base::now() {
  const timeval cached = time_of_this_call();
  if (cached.tv_sec != 0) return cached;
  last_clock_ns = heddle::base::monotonic_ns();
  const timeval monotonic = to_timeval(last_clock_ns);
  if (clock_difference_updated + kClockDifferenceLifetime_s < monotonic.tv_sec) {
    timeval wall{};
    gettimeofday(&wall, nullptr);
    clock_difference = minus(wall, monotonic);
    clock_difference_updated = monotonic.tv_sec;
  }
  return monotonic;
}

timeval event_base::time_of_this_call() const {
  return parallel != nullptr && calling() ? to_timeval(current_task()->time_ns) : cached_time;
}

void event_base::update_time() {
  Task* const call = parallel != nullptr && calling() ? current_task() : nullptr;
  (call != nullptr ? call->time_ns : cached_time.tv_sec) = 0;
  if (flags & EVENT_BASE_FLAG_NO_CACHE_TIME) return;
  const timeval time = now();
  if (call != nullptr) {
    call->time_ns = last_clock_ns;
  } else {
    cached_time = time;
  }
}

// --- Opening ---

bool event_base::open(const Method& chosen) {
  method = chosen;
  const bool any_file = (method.features & EV_FEATURE_FDS) != 0;
  if (!io.open(/*one_shot=*/parallel != nullptr, any_file) || !signals.open()) return false;
  kick_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  now();
  return kick_fd >= 0 && io.watch_own(kick_fd, kKickTag) && io.watch_own(signals.read_end(), kSignalTag);
}

bool event_base::reopen() {
  if (kick_fd >= 0) close(kick_fd);
  kick_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  kicked = false;
  const bool all = io.reopen();
  return kick_fd >= 0 && signals.open() && io.watch_own(kick_fd, kKickTag) &&
         io.watch_own(signals.read_end(), kSignalTag) && all;
}

// --- Polling ---

int event_base::poll(Lock& lock, bool block) {
  forget_time();
  Nanoseconds timeout_ns = 0;
  if (block) {
    const auto due = timers.next();
    timeout_ns = -1;
    if (due) {
      const timeval current = parallel != nullptr ? to_timeval(parallel->clock()) : now();
      timeout_ns = std::max<Nanoseconds>(0, to_nanoseconds(*due) - to_nanoseconds(current));
    }
    if (parallel != nullptr) parallel->polls_until(due);
  }
  io.wait_begins();
  lock.unlock();
  int count = io.wait(timeout_ns, (flags & EVENT_BASE_FLAG_PRECISE_TIMER) != 0);
  const int error = errno;
  lock.lock();
  if (parallel != nullptr) parallel->poll_returned();
  if (count < 0) {
    if (error != EINTR) {
      errno = error;
      library::warn("epoll_wait");
      return -1;
    }
    count = 0;
  }
  looks_next = true;
  update_time();
  recorder.polled();
  bool signalled = false;
  io.reports(
      count, [this](int fd, short conditions) { io_ready(fd, conditions); },
      [&](std::uint32_t tag) {
        if (tag == kSignalTag) {
          signalled = true;
          return;
        }
        std::uint64_t kicks = 0;
        // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): an eventfd that is known to be readable
        [[maybe_unused]] const ssize_t got = read(kick_fd, &kicks, sizeof kicks);
        kicked = false;
      });
  expire_timers();
  if (signalled)
    signals.drain([this](int signal, int times) {
      for (event* ev = signals.first(signal); ev != nullptr; ev = Signals::next(*ev))
        activate(*ev, EV_SIGNAL, static_cast<short>(std::min(times, SHRT_MAX)));
    });
  looks_next = false;
  return 0;
}

bool event_base::busy(const event& ev) const {
  return (flags_of(ev) & kActiveFlags) != 0 || running.find(ev.ev_evcallback) != nullptr;
}

void event_base::io_ready(int fd, short conditions) {
  const auto reported = static_cast<short>(conditions | EV_ET);
  const bool suppressible = parallel != nullptr && !io.edge_triggered(fd);
  short waited_for = 0;  // by events that are free
  short busy_with = 0;
  for (event *ev = io.first(fd), *following; ev != nullptr; ev = following) {
    following = IoMap::next(*ev);
    if (!(ev->ev_events & conditions)) continue;
    const auto matching = static_cast<short>(ev->ev_events & reported);
    if (suppressible && busy(*ev)) {
      set_flags(busy_with, matching);
      if (flags_of(*ev) & kActiveFlags) set_flags(ev->ev_res, matching);
      continue;
    }
    set_flags(waited_for, matching);
    activate(*ev, matching, 1);
  }
  if (!suppressible || waited_for != 0) {
    if (suppressible && (busy_with & ~waited_for))
      io.suppress(fd, static_cast<short>(io.suppressed(fd) | (busy_with & ~waited_for)));
    return;
  }
  // Nobody is free for this report. If it is one that no interest explains (a hang-up), epoll must not see the
  // descriptor at all until one of its events is free.
  if (busy_with != 0) {
    io.suppress(fd, static_cast<short>(io.suppressed(fd) | busy_with));
  } else if (io.suppressed(fd) != 0) {
    io.suppress(fd, kIoEvents);
  }
}

void event_base::release_suppressed(int fd) {
  if (parallel == nullptr) return;
  const short suppressed = io.suppressed(fd);
  if (suppressed == 0) return;
  short keep = 0;
  short free = 0;
  for (const event* ev = io.first(fd); ev != nullptr; ev = IoMap::next(*ev))
    set_flags(busy(*ev) ? keep : free, ev->ev_events & kIoEvents);
  io.suppress(fd, static_cast<short>(suppressed & keep & ~free));
}

void event_base::expire_timers() {
  if (timers.empty()) return;
  const timeval current = now();
  while (event* ev = timers.due(current)) {
    if (parallel != nullptr && (flags_of(*ev) & kActiveFlags)) {
      // It became due for another reason in time, and one thread would have called it by now.
      take_timer(*ev);
      continue;
    }
    remove(*ev);
    activate(*ev, EV_TIMEOUT, 1);
  }
}

// --- Control ---

void event_base::kick() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(kick_fd, &one, sizeof one);
}

void event_base::wake_loop() {
  if (looks_next || !in_loop.load(std::memory_order_relaxed)) return;
  if (parallel != nullptr) {
    parallel->work_came_up();
  } else if (loop_thread != this_thread() && !kicked) {
    kicked = true;
    kick();
  }
}

void event_base::loop_break() {
  break_requested.store(true, std::memory_order_relaxed);
  if (in_loop.load(std::memory_order_relaxed)) kick();
}

void event_base::loop_continue() {
  continue_requested = true;
  wake_loop();
}

// --- The serial loop ---

int event_base::loop(int loop_flags) {
  BaseLock guard(*this);
  Lock& lock = guard.lock();
  if (in_loop.load(std::memory_order_relaxed)) {
    library::warn_x(
        "event_base_loop: reentrant invocation.  Only one event_base_loop can run on each event_base at once.");
    return -1;
  }
  in_loop.store(true, std::memory_order_relaxed);
  forget_time();
  signals.claim();
  exit_requested = false;
  break_requested.store(false, std::memory_order_relaxed);

  int result = 0;
  if (parallel != nullptr) {
    result = parallel->run(lock, loop_flags);
  } else {
    loop_thread = this_thread();
    result = serial_loop(lock, loop_flags);
  }
  forget_time();
  in_loop.store(false, std::memory_order_relaxed);
  return result;
}

int event_base::serial_loop(Lock& lock, int loop_flags) {
  for (;;) {
    continue_requested = false;
    deferred_in_pass = 0;
    if (exit_requested || break_requested.load(std::memory_order_relaxed)) return 0;
    if (!(loop_flags & EVLOOP_NO_EXIT_ON_EMPTY) && !has_events() && active_events.now == 0) return 1;
    const bool block = active_events.now == 0 && !(loop_flags & EVLOOP_NONBLOCK);
    make_later_events_active();
    if (poll(lock, block) != 0) return -1;
    if (active_events.now != 0) {
      const int made = process_active(lock);
      if ((loop_flags & EVLOOP_ONCE) && active_events.now == 0 && made != 0) return 0;
    } else if (loop_flags & EVLOOP_NONBLOCK) {
      return 0;
    }
  }
}

// The number of calls made that count, or -1 if a break was asked for.
int event_base::process_active(Lock& lock) {
  timeval until{};
  const bool limited = max_dispatch_time.tv_sec >= 0;
  if (limited) {
    update_time();
    until = plus(now(), max_dispatch_time);
  }
  int made = 0;
  for (std::size_t priority = 0; priority < active.size(); ++priority) {
    if (active[priority].empty()) continue;
    running_priority = static_cast<int>(priority);
    const bool exempt = running_priority < limit_callbacks_after_priority;
    made = process_priority(lock, running_priority, exempt ? INT_MAX : max_dispatch_callbacks,
                            limited && !exempt ? &until : nullptr);
    if (made != 0) break;  // lower priorities wait for the next poll, unless only internal calls were made
  }
  running_priority = -1;
  return made;
}

int event_base::process_priority(Lock& lock, int priority, int most, const timeval* until) {
  int made = 0;
  while (Task* task = active[static_cast<std::size_t>(priority)].first()) {
    begin(*task);
    made += task->internal ? 0 : 1;
    make(lock, *task, 0);
    if (break_requested.load(std::memory_order_relaxed)) return -1;
    if (made >= most) return made;
    if (made != 0 && until != nullptr) {
      update_time();
      if (!less(now(), *until)) return made;
    }
    if (continue_requested) break;
  }
  return made;
}
