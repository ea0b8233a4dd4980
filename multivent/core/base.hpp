// The event base: what is waited for, what is due, what runs, and the one mutex over all of it.
//
// `struct event_base` is opaque in libevent's ABI, so it is ours. It has two ways to run. In serial mode everything is
// done by the caller of event_base_loop(), in libevent's order exactly (loop.cpp). In parallel mode a crew of threads
// shares the work (parallel.hpp); `parallel` is then set. All rules about what becomes of an event live here, once.
//
// Every member function needs the mutex unless it says otherwise; `break_requested` and `in_loop` are also touched by
// event_base_loopbreak(), which programs call from signal handlers.
#pragma once

#include <atomic>
#include <climits>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/on_exit.hpp"
#include "multivent/core/callees.hpp"
#include "multivent/core/io_map.hpp"
#include "multivent/core/owners.hpp"
#include "multivent/core/recorder.hpp"
#include "multivent/core/signals.hpp"
#include "multivent/core/task.hpp"
#include "multivent/core/timers.hpp"

struct event_config {
  std::vector<std::string> avoided_methods;
  timeval max_dispatch_interval{-1, 0};
  int max_dispatch_callbacks = INT_MAX;
  int limit_callbacks_after_priority = 1;
  int required_features = 0;
  int flags = 0;
};

struct event_base;

extern "C" {
// libevent's allocation functions, which event_set_mem_functions() redirects.
void* event_mm_malloc_(std::size_t size);
void event_mm_free_(void* memory);
// The base of event_init() and of functions that are given none.
extern event_base* event_global_current_base_;
}

namespace heddle::multivent {

class Parallel;

// How event_del() treats a callback that another thread is in.
enum class Wait : std::uint8_t {
  kNever,
  kAlways,
  kUnlessFinalizable,  // the default: not for events that were made with EV_FINALIZE
};

// Numbers that event_base_get_num_events() and its kin report.
struct Count {
  int now = 0;
  int most = 0;
  void up() {
    if (++now > most) most = now;
  }
  void down() { --now; }
};

struct Method {
  const char* name;
  int features;
};

// One-shot events of event_base_once().
struct OnceEvent {
  event ev;
  event_callback_fn function;
  void* argument;
  OnceEvent* next;
  OnceEvent* previous;
};
void once_callback(evutil_socket_t fd, short what, void* once);

}  // namespace heddle::multivent

struct event_base {
  using Task = heddle::multivent::Task;
  using Lock = std::unique_lock<std::mutex>;

  explicit event_base(const event_config& config);
  ~event_base();
  event_base(const event_base&) = delete;
  event_base& operator=(const event_base&) = delete;

  // Opens what the base needs of the kernel; false with errno set.
  bool open(const heddle::multivent::Method& chosen);
  // event_reinit(): descriptors of its own instead of the parent's.
  bool reopen();

  // --- What becomes of events (events.cpp) ---
  int add(event& ev, const timeval* timeout, bool absolute);
  int remove(event& ev, bool even_if_finalizing = false);
  void remove_timer(event& ev);
  void activate(event& ev, int what, short calls);
  void activate_later(event& ev, int what);
  bool activate(event_callback& callback);
  bool activate_later(event_callback& callback);
  void cancel(event_callback& callback, bool even_if_finalizing);
  void finalize(event& ev, event_finalize_callback_fn function, bool and_free);
  void finalize(event_callback& callback, void (*function)(event_callback*, void*));
  // Blocks until no other thread is in the callback of `ev`, unless that thread waits for this one.
  void await_callback(Lock& lock, event& ev, heddle::multivent::Wait wait);
  // This call has got to a late point, and is of this base: blocks until no other call runs for which it must wait
  // (scheduler/admission.hpp).
  void reach_late_point(Task& task);
  // `ev` is about to be something new: calls that still run are none of its business.
  void forget_callback(const event_callback& callback);

  bool has_events() const { return virtual_events.now > 0 || events.now > 0; }
  bool set_priorities(int count);
  int visit_events(event_base_foreach_event_cb fn, void* argument);
  void check();

  // Finds out anew whom a call is of, for constraints and figures; false if that has not changed.
  bool identify_again(Task& task);

  // --- Calls (calls.cpp) ---
  void begin(Task& task);
  // The call that has begun, without the mutex, and its end, however the callback is left. `thread` is the number of
  // this thread in the crew.
  void make(Lock& lock, Task& task, unsigned thread);
  void end(Task& task, unsigned thread);
  bool calling() const;  // this thread is in a callback of this base

  // --- The loop (loop.cpp) ---
  int loop(int flags);
  // Fetches what is due; blocks for at most as long as no timer is due, or not at all.
  int poll(Lock& lock, bool block);
  void make_later_events_active();
  // Safe in a signal handler, and without the mutex.
  void kick();
  // This thread has given the loop something to do that a sleeping loop would not notice. Nothing happens if the thread
  // is the loop's own and will look for something to do next (`looks_next`).
  void wake_loop();
  void loop_break();
  void loop_continue();

  timeval now();
  // The cached time that counts for this thread; tv_sec is 0 if there is none.
  timeval time_of_this_call() const;
  void forget_time() { cached_time.tv_sec = 0; }
  void update_time();
  timeval wall_clock(const timeval& monotonic) const { return heddle::multivent::plus(monotonic, clock_difference); }

  // Before the base is destroyed, without the mutex: nothing may be left in it.
  void empty(bool run_finalizers);

  // After fork() in the child; only the forking thread exists.
  void after_fork_in_child();

  std::mutex mutex;
  // Set while event_base_foreach_event() shows the events to a function that may look at them: that thread has the
  // mutex.
  std::atomic<const void*> inspector{nullptr};

  const int flags;
  const timeval max_dispatch_time;
  const int max_dispatch_callbacks;
  const int limit_callbacks_after_priority;
  heddle::multivent::Method method{};

  heddle::multivent::IoMap io;
  heddle::multivent::Timers timers;
  heddle::multivent::Signals signals;

  // One list per priority. In parallel mode admission decides which is next; the lists still hold all that are queued.
  std::vector<heddle::multivent::TaskList> active;
  heddle::multivent::TaskList later;
  heddle::multivent::TaskPool tasks;
  heddle::multivent::Running running;
  heddle::multivent::HandlerRegistry* const registry;  // may be null
  heddle::multivent::CalleeTable callees;
  heddle::multivent::Recorder recorder;
  std::unique_ptr<heddle::multivent::Parallel> parallel;

  heddle::multivent::Count events;
  heddle::multivent::Count active_events;
  heddle::multivent::Count virtual_events;
  int deferred_in_pass = 0;

  // Threads in await_callback(), and where they wait. Notified by end().
  int waiters = 0;
  std::condition_variable call_ended;

  std::atomic<bool> break_requested{false};
  // Written under the mutex, read by loop_break() without: it only saves a write to the eventfd.
  std::atomic<bool> in_loop{false};
  bool exit_requested = false;
  bool continue_requested = false;
  int running_priority = -1;
  const void* loop_thread = nullptr;  // serial mode: who is in loop()

  bool looks_next = false;  // never true while the mutex is free

  int kick_fd = -1;
  bool kicked = false;

  timeval cached_time{0, 0};
  timeval clock_difference{0, 0};
  time_t clock_difference_updated = 0;
  // The last time anybody read, for time stamps that need not be exact.
  heddle::base::Nanoseconds last_clock_ns = 0;
  // Serial mode, for figures only: timers ask the clock itself, in whose place the program may have put one of its own.
  heddle::base::QuickClock figures_clock;
  std::uint64_t last_sequence = 0;  // serial mode: order in which calls became due, for the trace

  heddle::multivent::OnceEvent* once_events = nullptr;

 private:
  heddle::multivent::Owners::Duty duty_;  // only used within identify_for_owner(), kept for its memory

  static bool waits_for(const Task& task, const Task& on);
  void call_rare(Task& task);
  void enter_active(event_callback& callback, Task* task);
  void leave_active(event_callback& callback);
  void withdraw(event_callback& callback);
  void identify(Task& task, const event_callback& callback);
  void identify_for_owner(Task& task, const event_callback& callback);
  void discard(event_callback& callback, bool run_finalizers);
  void insert_timer(event& ev);
  void take_timer(event& ev);
  void take_inserted(event& ev);
  void restart_interval(event& ev);
  void io_ready(int fd, short conditions);
  void release_suppressed(int fd);
  bool busy(const event& ev) const;
  void expire_timers();
  int serial_loop(Lock& lock, int loop_flags);
  int process_active(Lock& lock);
  int process_priority(Lock& lock, int priority, int most, const timeval* until);
};

namespace heddle::multivent {

// The mutex of a base, unless this very thread is showing its events to a function (see event_base::inspector).
class BaseLock {
 public:
  explicit BaseLock(event_base& base);
  BaseLock(const event_base& base) : BaseLock(const_cast<event_base&>(base)) {}
  std::unique_lock<std::mutex>& lock() { return lock_; }

 private:
  std::unique_lock<std::mutex> lock_;
};

// A value that differs between threads, and is not that of an earlier thread while anybody may remember it.
const void* this_thread();

// The call that this thread is making, of whatever base. The library is in the process from its start, so the cheapest
// model of thread-local storage will do.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local Task* task_of_this_thread;
inline Task* current_task() { return task_of_this_thread; }
inline void set_current_task(Task* task) { task_of_this_thread = task; }

}  // namespace heddle::multivent

// Deep in the kernel, where a callback's system calls go, the processor forgets where functions return to, and mistakes
// each return from there. So as few as can be stand between the loop and the callback (7 ns each, Linux 6.18 on a
// virtual machine).
[[gnu::always_inline]] inline void event_base::make(Lock& lock, Task& task, unsigned thread) {
  const heddle::base::OnExit over([&, outer = heddle::multivent::current_task()] {
    heddle::multivent::set_current_task(outer);
    lock.lock();
    end(task, thread);
  });
  lock.unlock();
  heddle::multivent::set_current_task(&task);
  const auto closure = task.closure;
  if (closure == heddle::multivent::kEventPersist || closure == heddle::multivent::kEvent) [[likely]] {
    task.function.evcb_callback(task.fd, task.what, task.argument);
  } else {
    call_rare(task);
  }
}
