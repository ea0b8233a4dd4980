// The event base: what is waited for, what is due, what runs, and the one mutex over all of it.
//
// `struct event_base` is opaque in libevent's ABI, so it is ours. It holds what does not depend on who runs the loop,
// and all rules about what becomes of an event. Who runs it, the caller of event_base_loop() alone or a crew of
// threads, is its driver's business (driver.hpp); the two loops see it through a LoopView.
//
// Every member function needs the mutex unless it says otherwise; event_base_loopbreak(), which programs call from
// signal handlers, uses `break_requested` and `in_loop` without it.
#pragma once

#include <array>
#include <atomic>
#include <climits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/on_exit.hpp"
#include "base/quick_mutex.hpp"
#include "multivent/calls/callees.hpp"
#include "multivent/calls/task.hpp"
#include "multivent/loop/driver.hpp"
#include "multivent/loop/io_map.hpp"
#include "multivent/loop/library.hpp"
#include "multivent/loop/loop_options.hpp"
#include "multivent/loop/recorder.hpp"
#include "multivent/loop/signals.hpp"
#include "multivent/loop/timers.hpp"
#include "multivent/owners/owners.hpp"

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

inline constexpr heddle::base::Nanoseconds kForever = -1;  // to wait for

// Whether the program has put an allocator of its own in libevent's place (event_set_mem_functions).
bool program_allocates();

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
// With libevent's allocation functions; null if they have no memory.
OnceEvent* make_once_event();

}  // namespace heddle::multivent

struct event_base {
  using Task = heddle::multivent::Task;
  using Lock = heddle::base::QuickSync::Lock;

  event_base(const event_config& config, const heddle::multivent::LoopOptions& options);
  ~event_base();
  event_base(const event_base&) = delete;
  event_base& operator=(const event_base&) = delete;

  // Opens what the base needs of the kernel; false with errno set.
  bool open(const heddle::multivent::Method& chosen);
  // event_reinit(): descriptors of its own instead of the parent's.
  bool reopen(Lock& lock);

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
  // The same for the event of a signal, before a thread in no handler adds or activates it: the running call uses its
  // counts.
  void await_signals_call(Lock& lock, event& ev);
  // Blocks until the call of that number is over.
  void await_end(Lock& lock, std::uint64_t run_id);
  // Asks the kernel, without waiting. What is ready now is what the event will be called for.
  bool is_still_ready(event& ev);
  bool is_level_of_descriptor(const event_callback& callback) const;
  // If only a poll beside calls has made the event due, it is as if that had not found it; see Task::finding.
  void unfind(event& ev);
  // The event is about to be something new: calls that still run no longer count as its calls.
  void forget_callback(const event_callback& callback);

  bool has_events() const { return virtual_events.now > 0 || events.now > 0; }
  bool set_priorities(int count);
  int visit_events(event_base_foreach_event_cb fn, void* argument);
  void check();

  // Finds out which handler a call goes to, for constraints and figures; again: true if that has changed since.
  void identify(Task& task, const event_callback& callback);
  // With `begins` the call is made right after, unless something has changed.
  bool identify_again(Task& task, bool begins);
  // A running call of libevent itself has got to this function of the program: it counts as that from here on.
  void goes_on_to(Task& task, const void* function);
  // The figures do without the call.
  void forget_figures(Task& task);

  // --- Calls (calls.cpp) ---
  void begin(Task& task);
  // Makes all calls that are due, and those that these make due, in the order of libev: the best priority first, and of
  // one priority the last first. Looks for nothing else: for loops that do so themselves (multivent/libev). Not in a
  // call of this base.
  void make_all_due(Lock& lock);
  // Makes the call that has begun, without the mutex, and ends it, however the callback is left. `thread` is the number
  // of this thread in the crew.
  void make(Lock& lock, Task& task, unsigned thread);
  void end(Task& task, unsigned thread);
  // The call of this base that this thread is making, maybe in the middle of it one of another base, whose loop a
  // handler runs; null if there is none.
  Task* own_call() const;
  // A jump leaves the loop in the middle of the call, which will never return. Nobody waits for it any more.
  void call_is_left(Task& task);
  // How long await_others() waits for calls whose threads wait, or do not, without a pause: by heddle::base::Wait, in
  // looks of 5 ms.
  using Patience = std::array<int, 4>;
  // Who waits for threads or descriptors may wait for `own`, in a way that nobody sees.
  static constexpr Patience kPatience{200, 200, 6000, INT_MAX};
  // Blocks until no other call runs but those that wait for `own`, if that is one.
  void await_others(Lock& lock, const Task* own, const Patience& patience = kPatience);
  // What the one of the other threads that make calls waits for that is the likeliest to go on by itself. Asks the
  // system for each, without the mutex, and takes no memory.
  heddle::base::Wait what_others_wait_for(Lock& lock);

  // --- The loop (loop.cpp) ---
  int loop(int flags);
  // A poll is wait() and then gather(). wait() waits for descriptors and signals, without the mutex, for at most that
  // long or kForever; returns the number of reports, or a negative errno.
  int wait(Lock& lock, heddle::base::Nanoseconds timeout_ns);
  // Makes due what wait() found, and timers. False if it failed.
  bool gather(int reports);
  void gather_signals();
  // An event of `fd` is no longer busy: epoll watches again for what that event waits for.
  void release_suppressed(int fd);
  void make_later_events_active();
  // Timers that were set aside come into question again.
  void bring_timers_back();
  // Safe in a signal handler, and without the mutex.
  void kick();
  // This thread has given the loop something to do that a sleeping loop would not notice. Nothing is done if the thread
  // is the loop's own and will look for something to do next (`looks_next`).
  void wake_loop();
  // Makes look_fd, if it is wanted; without one the polls have a timeout.
  void watch_for_looks();
  void loop_break();
  void loop_continue();

  // The time in the middle of a pass; that of the clock if none is cached.
  timeval now();
  // What the base's clock shows. That is libevent's (evutil_configure_monotonic_time_): the one that moves with the
  // kernel's ticks, unless the program wants exact timers (EVENT_BASE_FLAG_PRECISE_TIMER). It takes a quarter of the
  // time. A crew polls beside calls and orders by time what it finds, so it asks the exact one.
  heddle::base::Nanoseconds ask_clock();
  // A crew no longer runs the loop: from here on the coarser clock is asked, and shows no less than was said already.
  void leave_exact_clock() { earliest_ns = heddle::base::monotonic_ns(); }
  // The cached time that counts for this thread; tv_sec is 0 if there is none.
  timeval time_of_this_call() const;
  void forget_time() { cached_time.tv_sec = 0; }
  void update_time();
  timeval wall_clock(const timeval& monotonic) const { return heddle::multivent::plus(monotonic, clock_difference); }

  // Before the base is destroyed, without the mutex: nothing may be left in it.
  void empty(bool run_finalizers);

  // After fork() in the child; only the forking thread exists.
  void after_fork_in_child();

  heddle::base::QuickMutex mutex;
  // The thread in event_base_foreach_event(), which has the mutex while a function of the program looks at the events.
  // Written by that thread; others read it without the mutex, and only ever compare it with themselves: relaxed.
  std::atomic<const void*> inspector{nullptr};
  // Needs no mutex. Whoever is told so works without it.
  bool is_locked_by_this_thread() const;
  // False if it is, or about to be, and is not locked now.
  bool lock_unless_mine();
  bool locked_for_fork = false;

  const int flags;
  heddle::multivent::Method method{};

  heddle::multivent::IoMap io;
  heddle::multivent::Timers timers;
  heddle::multivent::Signals signals;

  // One list per priority. Where a crew runs the loop, admission decides which call is next; the lists still hold all.
  std::vector<heddle::multivent::TaskList> active;
  heddle::multivent::TaskList later;
  heddle::multivent::TaskPool tasks;
  heddle::multivent::Running running;
  heddle::multivent::HandlerRegistry* const registry;  // may be null
  heddle::multivent::CalleeTable callees;
  heddle::multivent::Recorder recorder;
  heddle::multivent::Driver driver;

  heddle::multivent::Count events;
  heddle::multivent::Count active_events;
  heddle::multivent::Count virtual_events;
  int deferred_in_pass = 0;
  // Of the call of a watcher that became due last: those of libev go before all that are due (enter_active()).
  std::uint64_t first_round = std::uint64_t{1} << 62;

  // Threads in await_end(), and where they wait. Notified by end().
  int waiters = 0;
  heddle::base::QuickCondition call_ended;

  // Set by loop_break() without the mutex, maybe in a signal handler; cleared and read by the loop, and read by calls.
  // A loop that begins sets in_loop and then clears break_requested; loop_break() sets break_requested and then reads
  // in_loop, to save a write to the eventfd. All four are sequentially consistent: of a break that is not cleared,
  // loop_break() sees the loop and kicks it. Other reads are relaxed, for nothing else is handed over.
  std::atomic<bool> break_requested{false};
  std::atomic<bool> in_loop{false};  // written under the mutex
  bool exit_requested = false;
  bool exit_wanted = false;  // an exit is to come: no poll is made beside calls any more (Driver::may_exit)
  bool exit_queued = false;  // a call has asked for it without a delay: it comes in this pass
  bool continue_requested = false;
  int running_priority = -1;  // serial loops: the priority of the call that runs

  std::uint32_t polls = 0;  // number of the last one; it may begin anew

  bool looks_next = false;  // see LoopView; never true while the mutex is free

  bool paused_from_outside = false;  // by a thread in no handler (process/alone.hpp)

  int poll_error = 0;  // of the poll that failed and so ends the loop

  int kick_fd = -1;
  bool kicked = false;  // by wake_loop(), and the loop has not noticed yet

  // Where the loop's thread looks once a second whether somebody wants figures: a timer that ends a poll. A timeout of
  // each poll would make the kernel set a timer whenever the loop waits, which takes half a microsecond. -1: none.
  int look_fd = -1;

  timeval cached_time{0, 0};
  timeval clock_difference{0, 0};
  time_t clock_difference_updated = 0;
  // When a call last asked for the cached time to be now: it is so for calls that begin later, too.
  heddle::base::Nanoseconds updated_ns = 0;
  heddle::base::Nanoseconds earliest_ns = 0;  // see leave_exact_clock()
  // The time when any thread last read the exact clock, for time stamps of figures and of a crew.
  heddle::base::Nanoseconds last_clock_ns = 0;

  heddle::multivent::OnceEvent* once_events = nullptr;

 private:
  event_callback signals_call{};  // serial loops: see make_own_call_due()
  event_callback log_call{};      // crews: says what is in `unsaid`
  heddle::multivent::library::Kept unsaid;
  heddle::multivent::Owners::Duty duty_;  // only used within identify_for_owner(), kept for its memory

  void call_rare(Task& task);
  bool next_signal_call(Task& task, bool first);
  void enter_active(event_callback& callback, Task* task);
  void leave_active(event_callback& callback);
  void withdraw(event_callback& callback);
  bool adds_calls(event& ev);
  void identify_for_owner(Task& task, const event_callback& callback);
  void discard(event_callback& callback, bool run_finalizers);
  void insert_timer(event& ev);
  void take_timer(event& ev);
  void take_inserted(event& ev);
  void restart_interval(event& ev);
  void io_ready(int fd, short conditions);
  bool is_in_call(int fd) const;
  bool busy(const event& ev) const;
  void make_own_call_due(event_callback& call, void (*function)(event_callback*, void*));
  static void call_signals(event_callback* call, void* base);
  void say_in_turn();
  static void call_log(event_callback* call, void* base);
  static void call_common_timeouts(event_callback* call, void* base);
  void expire_timers();
  void expire_common_timeouts();
  void expire(event& ev);
  int priority_that_runs() const;
  void bring_missed_signals(const event& added);
};

namespace heddle::multivent {

// A value that differs between threads, and is not that of an earlier thread while anybody may remember it.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local char identity_of_this_thread = 0;
inline const void* this_thread() { return &identity_of_this_thread; }
// The same, and never that of an earlier thread.
std::uint64_t thread_number();

}  // namespace heddle::multivent

inline bool event_base::lock_unless_mine() {
  return inspector.load(std::memory_order_relaxed) != heddle::multivent::this_thread() && mutex.lock_unless_mine();
}

inline bool event_base::is_locked_by_this_thread() const {
  return inspector.load(std::memory_order_relaxed) == heddle::multivent::this_thread() || mutex.is_mine();
}

namespace heddle::multivent {

// The mutex of a base, unless this very thread has it already: because it is showing the base's events to a function
// (see event_base::inspector), or because a function of the program for a signal has interrupted it, and calls the
// library or ends the process. libevent has no lock then, unless it was told of threads. What was to be said to the
// program's log meanwhile is said afterwards.
class BaseLock {
 public:
  // The only thread that can find its own identity there is the one that wrote it.
  explicit BaseLock(event_base& base)
      : lock_(base.lock_unless_mine() ? event_base::Lock(base.mutex, std::adopt_lock) : event_base::Lock()) {}
  BaseLock(const event_base& base) : BaseLock(const_cast<event_base&>(base)) {}
  ~BaseLock() {
    if (!lock_.owns_lock()) return;
    lock_.unlock();
    library::say_what_was_kept();
  }
  BaseLock(const BaseLock&) = delete;
  BaseLock& operator=(const BaseLock&) = delete;

  event_base::Lock& lock() { return lock_; }

 private:
  event_base::Lock lock_;
};

}  // namespace heddle::multivent

// The system calls of a callback go so deep into the kernel that the processor forgets where our functions return to
// and mispredicts each of their returns: 7 ns apiece (Linux 6.18 on a virtual machine). So there are as few functions
// between the loop and the callback as possible.
[[gnu::always_inline]] inline void event_base::make(Lock& lock, Task& task, unsigned thread) {
  task.outer = heddle::multivent::current_task();
  const heddle::base::OnExit over([&] {
    heddle::multivent::set_current_task(task.outer);
    lock.lock();
    end(task, thread);
  });
  lock.unlock();
  heddle::multivent::library::say_what_was_kept();
  heddle::multivent::set_current_task(&task);
  const auto closure = task.closure;
  if (closure == heddle::multivent::kEventPersist || closure == heddle::multivent::kEvent) [[likely]] {
    task.function.evcb_callback(task.fd, task.what, task.argument);
  } else {
    call_rare(task);
  }
}
