// An iteration of libev's loop, and what becomes of watchers that are pending.
#include "multivent/libev/loop.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <ctime>

#include "base/on_exit.hpp"
#include "multivent/libev/once.hpp"
#include "multivent/process/alone.hpp"

using namespace heddle::multivent;
using namespace heddle::multivent::libev;

namespace {

constexpr double kClockSetBy = 1;                // a smaller step of the wall clock is an error of measurement
constexpr double kLongestWait = 59.743;          // so that a clock that was set is noticed
constexpr double kLongestToldWait = 1500001.07;  // where the kernel tells of that
constexpr double kShortestWait = 1e-3;           // what epoll counts in

double monotonic_time() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void sleep_for(double duration) {
  const double whole = std::floor(duration);
  const timespec time{static_cast<time_t>(whole), static_cast<long>((duration - whole) * 1e9)};
  nanosleep(&time, nullptr);
}

// Index of the list of due calls: the base has the best priority first.
ev_uint8_t queue_of(const ev_watcher& watcher) { return static_cast<ev_uint8_t>(kHighestPriority - watcher.priority); }

}  // namespace

double heddle::multivent::libev::wall_time() {
  timeval time{};
  gettimeofday(&time, nullptr);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

ev_loop::ev_loop(unsigned given, const LoopOptions& options)
    : calls(event_config(), options), original_flags(given), flags(given) {
  calls.set_priorities(kPriorities);
  if (flags & kForkCheck) fork_checked = getpid();
  if (!(flags & kNoEnvironment)) {
    if (const char* text = library::environment("LIBEV_FLAGS")) flags = static_cast<unsigned>(std::atoi(text));
  }
  now = wall_time();
  monotonic = wall_read = monotonic_time();
  difference = now - monotonic;
  inotify_tried = (flags & kNoInotify) != 0;
  if (flags & kNoTimerDescriptor) clock_fd = -2;
}

// --- Watchers ---

void ev_loop::start(ev_watcher& watcher) {
  watcher.priority = std::min(std::max(watcher.priority, kLowestPriority), kHighestPriority);
  watcher.active = 1;
  ++active;
}

void ev_loop::stop(ev_watcher& watcher) {
  --active;
  watcher.active = 0;
}

void ev_loop::feed(ev_watcher& watcher, int revents) {
  if (watcher.pending != 0) {
    call_pool[static_cast<std::size_t>(watcher.pending) - 1].revents |= revents;
    return;
  }
  if (free_calls == nullptr) {
    WatcherCall& made = call_pool.emplace_back();
    made.number = static_cast<int>(call_pool.size());
    made.loop = this;
    made.free_list = &free_calls;
    free_calls = &made;
  }
  WatcherCall& call = *free_calls;
  free_calls = call.next_free;
  call.watcher = &watcher;
  call.revents = revents;
  watcher.pending = call.number;
  const CalledFor program = called_for(watcher);
  call.callback.evcb_cb_union.evcb_callback = reinterpret_cast<event_callback_fn>(program.function);
  call.callback.evcb_arg = program.argument;
  call.callback.evcb_closure = kWatcher;
  call.callback.evcb_pri = queue_of(watcher);
  calls.activate(call.callback);
}

void ev_loop::feed_all(const WatcherList& watchers, int revents) {
  for (std::size_t i = 0; i < watchers.size(); ++i) feed(watchers[i], revents);
}

int ev_loop::clear_pending(ev_watcher& watcher) {
  if (watcher.pending == 0) return 0;
  WatcherCall& call = call_pool[static_cast<std::size_t>(watcher.pending) - 1];
  calls.cancel(call.callback, /*even_if_finalizing=*/false);
  call.give_back();
  return call.revents;
}

void ev_loop::await(Lock& lock, const ev_watcher& watcher) {
  Task* const task = calls.running.find_watcher(&watcher);
  if (task == nullptr) return;
  Task* const own = calls.own_call();
  // Nobody waits for itself, or for a call that waits for this one.
  if (own != nullptr && waits_for(*task, *own)) return;
  if (own != nullptr) own->awaits = task;
  calls.await_end(lock, task->run_id);
  if (own != nullptr) own->awaits = nullptr;
}

// --- Calls ---

void ev_loop::invoke_pending(Lock& lock) {
  if (calls.active_events.now == 0) return;
  if (calls.own_call() != nullptr || invoke != nullptr || release != nullptr) {
    make_calls_alone(lock);
  } else {
    calls.make_all_due(lock);
  }
}

// By this thread, one after the other, while no other callback runs.
void ev_loop::make_calls_alone(Lock& lock) {
  const bool others = calls.running.size() > 1;
  if (others) {
    lock.unlock();
    Alone::begin();
    lock.lock();
  }
  while (calls.active_events.now != 0) {
    const auto best =
        std::find_if(calls.active.begin(), calls.active.end(), [](const TaskList& list) { return !list.empty(); });
    WatcherCall& call = watcher_call_of(*best->first()->callback);
    ev_watcher& watcher = *call.watcher;
    const int revents = clear_pending(watcher);
    lock.unlock();
    const heddle::base::OnExit over([&] { lock.lock(); });
    watcher.cb(this, &watcher, revents);
  }
  if (others) {
    lock.unlock();
    Alone::end();
    lock.lock();
  }
}

void ev_loop::invoke_all(Lock& lock) {
  if (invoke == nullptr) {
    invoke_pending(lock);
    return;
  }
  lock.unlock();
  const heddle::base::OnExit over([&] { lock.lock(); });
  invoke(this);
}

// Where nothing of a better priority is pending.
void ev_loop::feed_idles() {
  if (idle_count == 0) return;
  for (std::size_t queue = 0; queue < calls.active.size(); ++queue) {
    if (!calls.active[queue].empty()) return;
    const WatcherList& watchers = idles[kPriorities - 1 - queue];
    if (watchers.empty()) continue;
    feed_all(watchers, kIdle);
    return;
  }
}

// --- Time ---

// The wall clock is read now and then only; in between it is reckoned from the monotonic one.
void ev_loop::update_time() {
  const double difference_before = difference;
  monotonic = monotonic_time();
  if (monotonic - wall_read < kClockSetBy / 2) {
    now = difference + monotonic;
    return;
  }
  wall_read = monotonic;
  now = wall_time();
  // Between two looks this thread may have lost the processor: a large step is looked at again.
  for (int looks = 0; looks < 3; ++looks) {
    difference = now - monotonic;
    if (std::fabs(difference_before - difference) < kClockSetBy) return;
    now = wall_time();
    monotonic = wall_read = monotonic_time();
  }
  periodics_reschedule();
}

void ev_loop::shift_timers(double by) {
  timers.shift_all([by](ev_watcher_time& watcher) { watcher.at += by; });
}

// --- An iteration ---

void ev_loop::look_for_fork() {
  if (fork_checked == 0 || getpid() == fork_checked) return;
  fork_checked = getpid();
  forked = 1;
}

// How long to wait for descriptors. `before`: when the last iteration looked at the clock. Sleeps where events are to
// be gathered first.
double ev_loop::time_to_wait(Lock& lock, int run_flags, double before, double& slept) {
  slept = 0;
  if ((run_flags & kNoWait) || idle_count != 0 || active == 0 || wake_wanted_later.load() != 0) return 0;
  double wait = clock_fd >= 0 ? kLongestToldWait : kLongestWait;
  if (!timers.empty()) wait = std::min(wait, timers.first_at() - monotonic);
  if (!periodics.empty()) wait = std::min(wait, periodics.first_at() - now);
  wait = std::max(wait, timer_interval);
  if (wait < kShortestWait) wait = wait <= 0 ? 0 : kShortestWait;
  if (io_interval == 0) return wait;
  const double sleeps = std::min(io_interval - (monotonic - before), wait - kShortestWait);
  if (sleeps <= 0) return wait;
  lock.unlock();
  sleep_for(sleeps);
  lock.lock();
  slept = sleeps;
  return wait - sleeps;
}

int ev_loop::run(Lock& lock, int run_flags) {
  ++depth;
  leave = kBreakCancel;
  invoke_all(lock);  // inside a callback: what was found before goes first
  do {
    look_for_fork();
    if (forked != 0 && !forks.empty()) {
      feed_all(forks, kFork);
      invoke_all(lock);
    }
    if (!prepares.empty()) {
      feed_all(prepares, kPrepare);
      invoke_all(lock);
    }
    if (leave != kBreakCancel) break;
    if (forked != 0) {
      reopen_epoll();
      inotify_reopen();
      if (forked != 2) reopen_own();
      forked = 0;
    }
    apply_changes();
    const double before = monotonic;
    update_time();
    waiting.store(1);
    double slept = 0;
    const double wait = time_to_wait(lock, run_flags, before, slept);
    ++iterations;
    poll(lock, wait);
    waiting.store(0);
    if (wake_wanted_later.load() != 0) feed(wakeup_watcher, kCustom);
    update_time();
    timers_expire();
    periodics_expire();
    feed_idles();
    feed_all(checks, kCheck);
    invoke_all(lock);
  } while (active != 0 && leave == kBreakCancel && !(run_flags & (kOnce | kNoWait)));
  if (leave == kBreakOne) leave = kBreakCancel;
  --depth;
  return active;
}

void heddle::multivent::libev::sleep(double duration) {
  if (duration > 0) sleep_for(duration);
}
