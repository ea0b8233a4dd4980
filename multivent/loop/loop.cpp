// What every loop has in common, whoever runs it: time, looking for what is due, entering the loop and leaving it.
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

#include "base/assert.hpp"
#include "multivent/loop/base.hpp"
#include "multivent/loop/library.hpp"

using namespace heddle::multivent;
using heddle::base::Nanoseconds;

namespace {

constexpr std::uint32_t kKickTag = 0;
constexpr std::uint32_t kSignalTag = 1;
constexpr std::uint32_t kLookTag = 2;
constexpr timespec kLooks{1, 0};
constexpr time_t kClockDifferenceLifetime_s = 5;

}  // namespace

// --- Time ---

timeval event_base::now() {
  const timeval cached = time_of_this_call();
  if (cached.tv_sec != 0) return cached;
  const timeval monotonic = to_timeval(ask_clock());
  if (clock_difference_updated + kClockDifferenceLifetime_s < monotonic.tv_sec) {
    timeval wall{};
    gettimeofday(&wall, nullptr);
    clock_difference = minus(wall, monotonic);
    clock_difference_updated = monotonic.tv_sec;
  }
  return monotonic;
}

Nanoseconds event_base::ask_clock() {
  if (driver.polls_beside_calls()) return last_clock_ns = heddle::base::monotonic_ns();
  if (flags & EVENT_BASE_FLAG_PRECISE_TIMER) return heddle::base::monotonic_ns();
  return std::max(earliest_ns, heddle::base::clock_now_ns(CLOCK_MONOTONIC_COARSE));
}

timeval event_base::time_of_this_call() const {
  const Task* const call = driver.timed_call();
  return call != nullptr ? to_timeval(call->time_ns) : cached_time;
}

void event_base::update_time() {
  Task* const call = driver.timed_call();
  (call != nullptr ? call->time_ns : cached_time.tv_sec) = 0;
  if (flags & EVENT_BASE_FLAG_NO_CACHE_TIME) return;
  const timeval time = now();
  if (call != nullptr) {
    call->time_ns = updated_ns = last_clock_ns;
  } else {
    cached_time = time;
  }
}

// --- Opening ---

bool event_base::open(const Method& chosen) {
  method = chosen;
  const bool takes_files = (method.features & EV_FEATURE_FDS) != 0;
  const IoMap::Rules rules = !takes_files                                ? IoMap::Rules::kEpoll
                             : std::string_view(method.name) == "select" ? IoMap::Rules::kSelect
                                                                         : IoMap::Rules::kPoll;
  if (!io.open(/*one_shot=*/driver.polls_beside_calls(), rules) || !signals.open()) return false;
  kick_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  now();
  watch_for_looks();
  return kick_fd >= 0 && io.watch_own(kick_fd, kKickTag) && io.watch_own(signals.read_end(), kSignalTag);
}

void event_base::watch_for_looks() {
  if (look_fd >= 0) close(look_fd);
  look_fd = driver.looks() ? timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC) : -1;
  if (look_fd < 0) return;
  const itimerspec every{kLooks, kLooks};
  if (timerfd_settime(look_fd, 0, &every, nullptr) == 0 && io.watch_own(look_fd, kLookTag)) return;
  close(look_fd);
  look_fd = -1;
}

// A thread that slept in the old descriptors could not be woken any more.
bool event_base::reopen(Lock& lock) {
  constexpr std::chrono::milliseconds kLook{1};
  driver.pause();
  const heddle::base::OnExit go_on([this] { driver.resume(/*with_others=*/true); });
  for (bool first = true; driver.polls() && lock.owns_lock(); first = false) {
    if (first) kick();
    call_ended.wait_for(lock, kLook);
  }
  // All before the first new one: a daemon has closed every number, and the new ones get the same numbers again.
  for (int* fd : {&kick_fd, &look_fd}) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
  signals.shut();
  io.shut();
  const bool told = signals.open();  // soon: a signal that comes meanwhile finds nobody who reads of it
  kick_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  kicked = false;
  const bool all = io.reopen();
  watch_for_looks();
  return kick_fd >= 0 && told && io.watch_own(kick_fd, kKickTag) && io.watch_own(signals.read_end(), kSignalTag) && all;
}

// --- Polling ---

int event_base::wait(Lock& lock, Nanoseconds timeout_ns) {
  io.wait_begins();
  lock.unlock();
  library::say_what_was_kept();
  int reports = io.wait(timeout_ns, (flags & EVENT_BASE_FLAG_PRECISE_TIMER) != 0);
  if (reports < 0) reports = -errno;
  lock.lock();
  return reports;
}

bool event_base::gather(int reports) {
  if (reports < 0 && reports != -EINTR) {
    poll_error = -reports;
    return false;
  }
  looks_next = true;
  if (++polls == 0) ++polls;
  update_time();
  recorder.polled();
  bool signalled = false;
  io.reports(
      std::max(reports, 0), [this](int fd, short conditions) { io_ready(fd, conditions); },
      [&](std::uint32_t tag) {
        if (tag == kSignalTag) {
          if (driver.polls_beside_calls()) {
            signalled = true;
          } else {
            make_own_call_due(signals_call, call_signals);
          }
          return;
        }
        const bool looks = tag == kLookTag;
        std::uint64_t count = 0;
        // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): neither descriptor blocks
        [[maybe_unused]] const ssize_t got = read(looks ? look_fd : kick_fd, &count, sizeof count);
        if (!looks) kicked = false;
      });
  expire_timers();
  if (signalled) gather_signals();
  if (driver.polls_beside_calls()) expire_common_timeouts();
  if (library::kept != nullptr) [[unlikely]]
    say_in_turn();
  looks_next = false;
  return true;
}

// A function of the program that gets libevent's messages runs beside no handler, as in one thread: where this thread
// is in none, and others may be, it is a call of its own.
void event_base::say_in_turn() {
  if (!driver.polls_beside_calls() || !library::program_logs.load(std::memory_order_relaxed)) return;
  const std::unique_ptr<library::Kept> texts(std::exchange(library::kept, nullptr));
  for (std::string& text : *texts) unsaid.push_back(std::move(text));
  make_own_call_due(log_call, call_log);
}

void event_base::call_log(event_callback* /*call*/, void* argument) {
  auto& base = *static_cast<event_base*>(argument);
  library::Kept texts;
  {
    const BaseLock lock(base);
    texts.swap(base.unsaid);
  }
  for (const std::string& text : texts) library::warn_x("%s", text.c_str());
}

void event_base::gather_signals() {
  const bool looked = std::exchange(looks_next, true);
  signals.drain([this](int signal, int times) {
    driver.found_signal(signal, times);
    for (event* ev = signals.first(signal); ev != nullptr; ev = Signals::next(*ev))
      activate(*ev, EV_SIGNAL, static_cast<short>(std::min(times, SHRT_MAX)));
  });
  looks_next = looked;
}

bool event_base::busy(const event& ev) const {
  return (flags_of(ev) & kActiveFlags) != 0 || running.find(ev.ev_evcallback) != nullptr;
}

// Whether an event of that descriptor is being called. Others that wait for it are not called meanwhile: one thread
// would look for them when that call has ended, and by then may find nothing.
bool event_base::is_in_call(int fd) const {
  for (const event* ev = io.first(fd); ev != nullptr; ev = IoMap::next(*ev))
    if (running.find(ev->ev_evcallback) != nullptr) return true;
  return false;
}

void event_base::io_ready(int fd, short conditions) {
  const auto reported = static_cast<short>(conditions | (io.tells_edges() ? EV_ET : 0));
  const bool suppressible = driver.polls_beside_calls() && !io.edge_triggered(fd);
  const bool held = suppressible && is_in_call(fd);
  short waited_for = 0;  // by events that are free
  short busy_with = held ? conditions : short{0};
  for (event *ev = io.first(fd), *following; ev != nullptr; ev = following) {
    following = IoMap::next(*ev);
    if (!(ev->ev_events & conditions)) continue;
    const auto matching = static_cast<short>(ev->ev_events & reported);
    if (suppressible && busy(*ev)) {
      set_flags(busy_with, matching & kIoEvents);
      // What the program has made due is called before one thread would poll.
      const bool in_this_poll =
          running.size() == 0 || !(flags_of(*ev) & EVLIST_ACTIVE) || task_of(ev->ev_evcallback)->found_by_poll != 0;
      if ((flags_of(*ev) & kActiveFlags) && in_this_poll) set_flags(ev->ev_res, matching);
      continue;
    }
    if (held) continue;
    set_flags(waited_for, matching & kIoEvents);
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
  if (!driver.polls_beside_calls()) return;
  const short suppressed = io.suppressed(fd);
  if (suppressed == 0 || is_in_call(fd)) return;
  short keep = 0;
  short free = 0;
  for (const event* ev = io.first(fd); ev != nullptr; ev = IoMap::next(*ev))
    set_flags(busy(*ev) ? keep : free, ev->ev_events & kIoEvents);
  io.suppress(fd, static_cast<short>(suppressed & keep & ~free));
}

// libevent has an event of its own for the signals, and one for each list of common timeouts. They are called among
// those that the poll has found, and then make due what is theirs: behind what handlers before them have made due. So
// it is in a serial loop. A crew makes it due at once, in the order that results where no handler makes anything due.
void event_base::make_own_call_due(event_callback& call, void (*function)(event_callback*, void*)) {
  if (call.evcb_flags & kActiveFlags) return;
  call = {};
  call.evcb_flags = EVLIST_INTERNAL;
  call.evcb_closure = kSelf;
  call.evcb_cb_union.evcb_selfcb = function;
  call.evcb_arg = this;
  enter_active(call, nullptr);
}

void event_base::call_signals(event_callback* /*call*/, void* base) {
  const BaseLock lock(*static_cast<event_base*>(base));
  static_cast<event_base*>(base)->gather_signals();
}

void event_base::call_common_timeouts(event_callback* call, void* argument) {
  auto& base = *static_cast<event_base*>(argument);
  const BaseLock lock(base);
  base.looks_next = true;
  const timeval current = base.now();
  while (event* ev = base.timers.due_in_list(*call, current)) base.expire(*ev);
  base.timers.go_on_with_list(*call);
  base.looks_next = false;
}

void event_base::expire_timers() {
  if (timers.empty()) return;
  const timeval current = now();
  while (event* const ev = timers.due(current)) {
    if (event_callback* const call = timers.take_own(*ev)) {
      make_own_call_due(*call, call_common_timeouts);
    } else {
      expire(*ev);
    }
  }
}

void event_base::expire_common_timeouts() {
  if (!timers.any_common()) return;
  const timeval current = now();
  timers.visit_common_due(current, [this](event& ev) { expire(ev); });
}

void event_base::expire(event& ev) {
  const Task* const queued = flags_of(ev) & kActiveFlags ? task_of(ev.ev_evcallback) : nullptr;
  const bool only_found = queued != nullptr && (queued->finding != 0 || queued->is_found_signal);
  if (!driver.polls_as_one_thread() && queued != nullptr && queued->found_by_poll != polls &&
      !(only_found && driver.would_find_later(ev))) {
    // The event was due for another reason before. One thread would have called it before its timeout, so the timeout
    // counts as taken back.
    take_timer(ev);
  } else if (driver.would_find_later(ev)) {
    timers.set_aside(ev);
  } else {
    remove(ev);
    activate(ev, EV_TIMEOUT, 1);
  }
}

// One poll would have found both such a timer and what polls have found for its event since.
void event_base::bring_timers_back() {
  std::vector<event*> found;
  timers.visit_aside([&found](event& ev) {
    if ((flags_of(ev) & EVLIST_ACTIVE) && task_of(ev.ev_evcallback)->found_by_poll != 0) found.push_back(&ev);
  });
  timers.bring_back();
  looks_next = true;
  for (event* ev : found) {
    remove(*ev);
    activate(*ev, EV_TIMEOUT, 1);
  }
  looks_next = false;
}

// --- Control ---

void event_base::kick() {
  if (kick_fd < 0) return;  // a base that only makes calls never polls
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(kick_fd, &one, sizeof one);
}

// Mostly there is nothing to do. Out of line, so that functions that activate events are small enough to be inlined.
[[gnu::noinline]] void event_base::wake_loop() {
  if (!looks_next && in_loop.load(std::memory_order_relaxed)) driver.wake();
}

void event_base::loop_break() {
  break_requested.store(true);
  if (in_loop.load()) kick();
}

void event_base::loop_continue() {
  continue_requested = true;
  wake_loop();
}

// --- Running ---

int event_base::loop(int loop_flags) {
  BaseLock guard(*this);
  Lock& lock = guard.lock();
  if (in_loop.load(std::memory_order_relaxed)) {
    library::warn_x_later(
        "event_base_loop: reentrant invocation.  Only one event_base_loop can run on each event_base at once.");
    return -1;
  }
  in_loop.store(true);
  forget_time();
  signals.claim();
  exit_requested = exit_wanted = exit_queued = false;
  break_requested.store(false);

  const int result = driver.run(lock, loop_flags);
  if (poll_error != 0) {
    errno = std::exchange(poll_error, 0);
    library::warn_later("epoll_wait");
  }
  for (const std::string& text : std::exchange(unsaid, {})) library::warn_x_later("%s", text.c_str());
  forget_time();
  in_loop.store(false, std::memory_order_relaxed);
  return result;
}
