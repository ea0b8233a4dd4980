// A kernel thread that runs tasks: one at a time, each until it blocks.
//
// A task that blocks switches straight to the next ready one. After kMostSwitches of these, or when nobody is ready,
// the worker's own stack goes on with its loop:
//   1. take what others have put into the inbox
//   2. make those ready whose time has come
//   3. look which descriptors are ready; with nothing else to do, wait for them, for the inbox, or for the next timer
//   4. take a new task that was offered to any worker (Scope, spread), first from its own offers
//   5. run the next ready task
// It leaves the loop when the runtime has ended. A worker without work waits in the kernel.
//
// Only new tasks move between workers: what has a stack stays. So a thread that has blocked goes on where its data are
// cached, threads of one worker never run at once, and addresses of thread-local variables stay true.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/clock.hpp"
#include "base/thread_probe.hpp"
#include "pico/core/context.hpp"
#include "pico/core/inbox.hpp"
#include "pico/core/offers.hpp"
#include "pico/core/poller.hpp"
#include "pico/core/ready_queue.hpp"
#include "pico/core/stacks.hpp"
#include "pico/core/task.hpp"
#include "pico/core/timers.hpp"

namespace heddle::pico {

class Recorder;
class Runtime;

class Worker {
 public:
  Worker(Runtime& runtime, std::size_t index);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // The worker that this kernel thread is; null if it is none. std::logic_error from current(), with what to do.
  static Worker* of_this_thread() { return current_worker; }
  static Worker& current();

  Runtime& runtime() { return runtime_; }
  std::size_t index() const { return index_; }
  Poller& poller() { return poller_; }
  // std::logic_error inside on_big_stack(), where there is none: what is called there must not wait.
  Task& running() {
    if (running_ == nullptr) no_task_runs();
    return *running_;
  }

  // --- By the kernel thread of the worker ---

  // Runs tasks until the runtime has ended.
  void run();

  // By each call on a descriptor, before it, whether or not a task of this kernel thread runs: throws Cancelled if that
  // was cancelled, and lets others run now and then.
  static void before_call();

  // One more task will be of this worker; it has a place in all queues from now on, so to make it ready, or to have it
  // wait, does not fail. std::bad_alloc.
  void make_room();
  // Makes a new task, or one that was parked, ready.
  void make_ready(Task& task);
  // The running task waits until it is unparked, at the latest until `deadline`. May return for no reason.
  void park();
  void park_until(base::Nanoseconds deadline);
  // The running task goes behind all that are ready.
  void yield();
  // How often the running task may look whether another worker has let go of something, before it waits for that: a few
  // microseconds, where there is another worker and nobody else is ready here, for to sleep and be woken takes longer.
  int looks() const;
  // A task runs, and was cancelled.
  bool runs_cancelled() const { return running_ != nullptr && running_->cancelled(); }
  // The running task is not looked at any more.
  [[noreturn]] void end_running();
  // Calls act(data) on the worker's own stack, which is as large as that of any kernel thread.
  void run_on_own_stack(void (*act)(void*), void* data);

  // Any worker may take this new task before it starts. std::bad_alloc.
  void offer(Task& task);

  // Calls visit(task, own) for each parked task of this worker, whose own stack `own` is; see Context::run_on_top().
  void visit_parked(void (*visit)(Task& task, Context& own));

  // --- By anybody ---

  static void unpark(Task& task);
  // Makes a task of this worker ready that is not in its hands.
  void hand_over(Task& task);
  // It looks around: the runtime has ended, there are offers, or backtraces are wanted. False if it does not sleep.
  bool wake();

  // For the watch (core/watch.hpp): counts switches; whether its kernel thread waits in a call that a task has made;
  // sends that kernel thread a signal.
  std::uint64_t turn() const { return turn_.load(std::memory_order_relaxed); }
  bool blocked_in_task() const;
  void interrupt(int signal) const;
  // On its kernel thread, in a signal handler: the number of the running task, 0 if there is none.
  unsigned long long running_number() const;

 private:
  [[noreturn]] static void no_task_runs();
  friend struct debug::Layout;
  static constexpr unsigned kMostSwitches = 256;
  static constexpr int kLooks = 200;
  static constexpr unsigned kMostCalls = 64;  // before_call() without a switch

  static constinit thread_local Worker* current_worker;

  static void enter(boost::context::detail::transfer_t from);
  Task& next_ready();
  void start(Task& task);
  void bury_ended();
  void switch_from(Task& task, bool ready_again);
  void switch_from_own();
  void push_ready(Task& task);
  void take_inbox();
  void fire_timers();
  bool take_offers();
  bool take_own_offer();
  void rest();
  // A task is ready since now; one task waits or is ready from now on, and another one runs. If it measures.
  void note_ready(Task& task);
  void account(Task* from, Task* to, bool ready_again = false);

  Runtime& runtime_;
  const std::size_t index_;
  const std::unique_ptr<Recorder> recorder_;  // null: nobody asks
  const bool measures_;                       // for Options::statistics, or for the recorder

  // What follows is used by the worker's kernel thread alone.
  KernelThreadState state_;
  Context own_;  // the kernel thread's own stack
  Task* running_ = nullptr;
  Task* ended_ = nullptr;  // left for ever, its stack not yet given back
  ReadyQueue<Task> ready_;
  unsigned budget_ = 0;  // switches until the loop's next turn
  unsigned calls_left_ = kMostCalls;
  Task* started_ = nullptr;  // the list of all that have a stack
  StackCache stacks_;
  Timers<Task> timers_;
  Poller poller_;
  void (*act_)(void*) = nullptr;  // for run_on_own_stack()
  void* act_data_ = nullptr;
  Task* asker_ = nullptr;
  std::size_t stacks_in_use_ = 0;
  std::size_t tasks_ = 0;         // those that are its own, with a stack or without
  std::uint64_t stolen_ = 0;      // new tasks that another worker had offered
  std::uint64_t backtraces_ = 0;  // how often they had been asked for when it last printed them

  // Written by the worker, read by the watch. Release and acquire for runs_: the probe and the handle are set before.
  std::atomic<std::uint64_t> turn_{0};
  std::atomic<bool> runs_{false};  // it is in run()
  base::ThreadProbe probe_;
  pthread_t handle_{};

  Inbox<base::StdSync, Task> inbox_;
  Offers<base::StdSync, Task> offers_;
};

}  // namespace heddle::pico
