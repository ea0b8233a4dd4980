// An event loop of libev: what its watchers wait for, and libev 4.33's iteration over it.
//
// `struct ev_loop` is opaque to programs, so it is ours. Which watchers are pending, who may run their callbacks at
// once and who does is the business of a base of the core (`calls`, multivent/loop), which makes calls and polls for
// nothing. The loop itself stays a loop of one thread: it polls, and makes watchers pending; then all pending ones are
// called, by the thread of the loop alone or by a crew, and only when the last callback has returned it goes on
// (event_base::make_all_due). So everything that libev says of an iteration holds: the time that callbacks see, prepare
// before and check behind the poll, what ev_break() and the counts of references bring about.
//
// A loop inside a callback of the same loop is part of that call: what is pending is called by its thread, one by one,
// and no other callback runs meanwhile. So is every call where the program has its own way to make them
// (ev_set_invoke_pending_cb) or lets other threads use the loop while it waits (ev_set_loop_release_cb).
//
// Everything is guarded by the mutex of `calls`, unless it says otherwise. Functions with a Lock need it, and give it
// up while callbacks run and while the loop waits.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <vector>

#include "multivent/calls/watcher_call.hpp"
#include "multivent/calls/watcher_fields.hpp"
#include "multivent/libev/heap.hpp"
#include "multivent/loop/base.hpp"

namespace heddle::multivent::libev {

// Watchers of one kind, in the order in which they are made pending; the last takes the place of one that is stopped.
class WatcherList {
 public:
  void add(ev_watcher& watcher) {
    watcher.place = static_cast<int>(all_.size());
    all_.push_back(&watcher);
  }
  void remove(const ev_watcher& watcher) {
    const auto at = static_cast<std::size_t>(watcher.place);
    all_[at] = all_.back();
    all_[at]->place = watcher.place;
    all_.pop_back();
  }
  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  ev_watcher& operator[](std::size_t at) const { return *all_[at]; }

 private:
  std::vector<ev_watcher*> all_;
};

// What is known of a descriptor.
struct Descriptor {
  ev_io* first = nullptr;  // the watcher that was started last
  unsigned char events = 0;
  unsigned char changed = 0;  // kDescriptorSet, kChanged: it is in the list of changes
  unsigned char in_kernel = 0;
  std::uint32_t generation = 0;  // of its registration: what epoll reports of an older one is of another file
};

double wall_time();  // seconds
void sleep(double duration);

using Lock = event_base::Lock;

}  // namespace heddle::multivent::libev

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): by subject; there are few loops
struct ev_loop {
  using Lock = event_base::Lock;

  ev_loop(unsigned flags, const heddle::multivent::LoopOptions& options);
  ~ev_loop();
  ev_loop(const ev_loop&) = delete;
  ev_loop& operator=(const ev_loop&) = delete;

  // False if the loop cannot wait in the way that `flags` ask for.
  bool open();

  // --- Watchers (loop.cpp) ---
  void start(ev_watcher& watcher);
  void stop(ev_watcher& watcher);
  void feed(ev_watcher& watcher, int revents);
  void feed_all(const heddle::multivent::libev::WatcherList& watchers, int revents);
  // It is no longer pending; returns what it was pending for.
  int clear_pending(ev_watcher& watcher);
  // What is about to change the watcher waits for its callback, if another thread is in it: libev would be between two
  // callbacks.
  void await(Lock& lock, const ev_watcher& watcher);

  // --- The loop (loop.cpp) ---
  int run(Lock& lock, int flags);
  void invoke_pending(Lock& lock);
  // The same, in the program's own way if it has one.
  void invoke_all(Lock& lock);
  void update_time();
  void shift_timers(double by);

  // --- Descriptors (descriptors.cpp) ---
  void io_start(ev_io& watcher);
  void io_stop(ev_io& watcher);
  void feed_descriptor(int fd, int revents);
  void apply_changes();
  bool has_changes() const { return !changes.empty(); }
  void poll(Lock& lock, double seconds);
  // In a child of fork(): descriptors of its own instead of the parent's.
  void reopen_epoll();
  // The same for what wakes the loop, and for what tells of the clock.
  void reopen_own();

  // --- Timers (timers.cpp) ---
  void timer_start(ev_timer& watcher);
  void timer_stop(ev_timer& watcher);
  void timer_again(ev_timer& watcher);
  void timers_expire();
  void periodic_start(ev_periodic& watcher);
  void periodic_stop(ev_periodic& watcher);
  void periodics_expire();
  void periodics_reschedule();
  void watch_clock();

  // --- Signals, other threads, children (signals.cpp) ---
  void signal_start(ev_signal& watcher);
  void signal_stop(ev_signal& watcher);
  void feed_signal_event(int signum);
  void open_wakeup();
  // Safe in a signal handler and on any thread, without the mutex.
  void wake(std::atomic<int>& flag);
  void woken(int revents);
  void child_start(ev_child& watcher);
  void child_stop(ev_child& watcher);
  void reap_children();

  // --- Files (files.cpp) ---
  void stat_start(ev_stat& watcher);
  void stat_stop(ev_stat& watcher);
  void stat_look(ev_stat& watcher);
  void inotify_read();
  void inotify_reopen();

  // The base that makes the calls.
  event_base calls;

  const unsigned original_flags;
  unsigned flags;
  unsigned backend = 0;
  pid_t fork_checked = 0;  // the process, where each iteration looks whether it is another; else 0

  double now = 0;        // wall clock
  double monotonic = 0;  // of the last look at the clock
  double wall_read = 0;  // monotonic time when the wall clock was read
  double difference = 0;

  int active = 0;  // what keeps the loop alive
  unsigned iterations = 0;
  unsigned depth = 0;
  int leave = 0;       // ev_break()
  bool waits = false;  // in poll()
  double io_interval = 0;
  double timer_interval = 0;
  void* userdata = nullptr;
  ev_loop_callback invoke = nullptr;  // the program's; null: invoke_pending()
  ev_loop_callback release = nullptr;
  ev_loop_callback acquire = nullptr;
  int forked = 0;  // 1: this is another process, 2: what epoll reports does not fit what is known

  std::vector<heddle::multivent::libev::Descriptor> descriptors;
  std::vector<int> changes;
  int epoll_fd = -1;
  std::vector<epoll_event> reports;
  std::vector<int> always_ready;  // what epoll does not take: files

  heddle::multivent::libev::TimerHeap timers;
  heddle::multivent::libev::TimerHeap periodics;
  std::vector<ev_watcher*> expired;
  int clock_fd = -1;  // tells when the wall clock is set
  ev_io clock_watcher{};

  std::array<heddle::multivent::libev::WatcherList, heddle::multivent::libev::kPriorities> idles;
  std::size_t idle_count = 0;
  heddle::multivent::libev::WatcherList prepares;
  heddle::multivent::libev::WatcherList checks;
  heddle::multivent::libev::WatcherList forks;
  heddle::multivent::libev::WatcherList cleanups;
  heddle::multivent::libev::WatcherList asyncs;

  // How signal handlers and other threads wake the loop. They set their flag, then `wake_wanted_later`, then look at
  // `waiting`; the loop sets `waiting` and then looks at `wake_wanted_later`: sequentially consistent, so that one of
  // both sees the other.
  std::atomic<int> wake_wanted_later{0};
  std::atomic<int> waiting{0};
  std::atomic<int> signal_pending{0};
  std::atomic<int> async_pending{0};
  int wakeup_fd = -1;
  ev_io wakeup_watcher{};

  int inotify_fd = -1;
  ev_io inotify_watcher{};
  bool inotify_tried = false;
  std::vector<ev_stat*> watched_files;

  std::deque<heddle::multivent::WatcherCall> call_pool;
  heddle::multivent::WatcherCall* free_calls = nullptr;

 private:
  void make_calls_alone(Lock& lock);
  void feed_idles();
  void look_for_fork();
  double time_to_wait(Lock& lock, int flags, double before, double& slept);
  void change(int fd, unsigned char flags);
  void modify(int fd, int before, int wanted);
  void kill(int fd);
  void rearm_all();
  void inotify_add(ev_stat& watcher);
  void inotify_remove(ev_stat& watcher);
  void stat_timer_again(ev_stat& watcher);
  void stat_changed(ev_stat& watcher);
};

namespace heddle::multivent::libev {

// The mutex of a loop's base, unless this very thread has it.
class LoopLock {
 public:
  explicit LoopLock(ev_loop* loop) : lock_(loop->calls) {}
  Lock& lock() { return lock_.lock(); }

 private:
  BaseLock lock_;
};

}  // namespace heddle::multivent::libev
