// One lightweight thread, as the runtime sees it.
//
// Until it runs for the first time it is this block alone, with the function that it will call behind it: a crawler may
// spawn a thread for each of a million links, and give stacks only to those that have something to do.
//
// A task is
//   new       in a queue, without a stack
//   ready     in the queue of its worker, or in its inbox
//   running   on the kernel thread of its worker
//   parked    until somebody unparks it (parking.hpp)
//   ended     its function has returned; its stack is used again, the block stays while there is a handle
// A task that has run stays with its worker. So code may keep addresses of thread-local variables, `errno` among them,
// across a call that blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

#include "base/clock.hpp"
#include "base/sync.hpp"
#include "pico/core/completion.hpp"
#include "pico/core/context.hpp"
#include "pico/core/parking.hpp"
#include "pico/core/stacks.hpp"
#include "pico/core/timers.hpp"

namespace heddle::pico {

class Scope;
class Site;
class Task;
class Worker;

// How tasks wait, for the templates of core/ and sync/.
struct TaskBlocker {
  using Sync = base::StdSync;
  using Waiter = Task;
  static Task& self();
  static void park();
  static void unpark(Task& task);
  static void relax();
  static int looks();
};

// How long a task ran and waited, in nanoseconds, if the runtime was asked to measure.
struct TaskStatistics {
  base::Nanoseconds ran = 0;
  base::Nanoseconds waited = 0;  // parked
  base::Nanoseconds queued = 0;  // ready, but others ran
  std::uint64_t switches = 0;
};

class Task : public Context {
 public:
  Task() = default;

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  // Acquire and release: whoever frees the task sees what all others did with it.
  void release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  // By the task itself. An exception leaves it.
  virtual void body() = 0;
  // By the task itself, at its end: destroys its function, if that never ran, and its result, if there is no handle any
  // more. What they own may want to wait, and nobody can behind the end.
  virtual void drop([[maybe_unused]] bool result_too) {}

  // Where it was spawned, for those who keep figures.
  virtual const Site& site() const = 0;

  // Before it is handed over: there is a handle. By the handle, when it goes: an exception that the task left for it is
  // its scope's. True: there may be a result, which is the handle's to destroy.
  void watch() { watched_.store(true, std::memory_order_relaxed); }
  bool unwatch();

  // By anybody: the task ends its wait, and this one and those that follow throw Cancelled.
  void cancel();
  // By the task itself.
  bool cancelled() const { return cancelled_.load(std::memory_order_acquire) && shields_ == 0; }

  std::uint64_t number() const { return number_; }
  // Behind the completion: it was cancelled before its function returned.
  bool stopped() const { return stopped_; }
  // How much of its stack lies below where it was left, in bytes.
  std::size_t stack_left() const {
    return static_cast<std::size_t>(static_cast<const char*>(where()) - stack_.bottom()) - Stack::kGuard;
  }

  // First those that a switch needs, in one line of a cache with the context.
  Parking<base::StdSync> parking;

 private:
  std::atomic<bool> cancelled_{false};
  std::uint32_t shields_ = 0;  // Shield objects on its stack; by the worker's kernel thread
  // Written by whoever hands the task over, later by the worker's kernel thread.
  Worker* worker_ = nullptr;
  Stack stack_;  // by the worker's kernel thread

 public:
  base::Plain<Task*> next_in_inbox;  // as Inbox has it
  Completion<TaskBlocker> completion;
  std::exception_ptr error;  // written before the completion ends, read behind it

 protected:
  virtual ~Task() = default;

 private:
  friend class Worker;
  friend class Runtime;
  friend class Scope;
  friend class Shield;
  friend struct debug::Layout;

  // What only a task with a stack has; it stands at the top of that.
  struct alignas(16) Started {
    explicit Started(Task& task) : timer{&task} {}
    Timer<Task> timer;
    // The list of all that the worker has started, for backtraces.
    Task* before = nullptr;
    Task* behind = nullptr;
    // If the runtime measures: since when it runs, waits or is ready; while it runs, since when it was ready, and the
    // number of this turn (Record::next_sequence()).
    TaskStatistics statistics;
    base::Nanoseconds since = 0;
    base::Nanoseconds ready = 0;
    std::uint64_t sequence = 0;
  };
  Started& started_part() const { return *reinterpret_cast<Started*>(stack_.top() - sizeof(Started)); }

  std::atomic<std::uint32_t> references_{1};
  // There is a handle, which will ask for the result or an exception. Cleared by the handle when it goes, by an
  // exchange; by the task when it ends, by another: whoever comes second deals with what is left.
  std::atomic<bool> watched_{false};
  bool stopped_ = false;  // written before the completion ends, read behind it
  // What has become of the exception that it left to its handle; under Scope's mutex of failures.
  enum class Fate : std::uint8_t { kOpen, kListed, kTaken, kAbandoned };
  Fate fate_ = Fate::kOpen;

  // By the worker's kernel thread. Before it starts, if the runtime measures: since when it is ready.
  std::uint64_t number_ = 0;

  // Lists of its scope, under that one's mutex: of those that have not ended, later of those that have failed.
  Scope* scope_ = nullptr;  // set before the task is handed over
  Task* elder_ = nullptr;
  Task* younger_ = nullptr;
};

}  // namespace heddle::pico
