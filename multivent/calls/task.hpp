// One due call of a callback: what stands in the active queue, is admitted, runs, and is then forgotten.
//
// libevent keeps this state in the event itself, which works as long as nobody else can look at the event while its
// callback runs. Here other threads can; and the callback may free its event, after which the address may belong to a
// new one. So a call has a record of its own. Its life:
//   later    in the queue of calls for the next pass (EVLIST_ACTIVE_LATER)
//   queued   in the active queue of its priority (EVLIST_ACTIVE); known to admission, unless it is
//   held     behind a running call of the same callback, or the one that made its owner (owners.hpp), and enters
//            admission when that one returns
//   running  in Running; nothing in it depends on the event any more
//   free     in the pool, to be used again
// Records are allocated in blocks and never given back before the base is freed, so a stale pointer to one is at worst
// a record of another call; whoever waits for a call to end compares run_id.
//
// All fields are guarded by the mutex of the base. The copies that begin() makes are the running call's own: its thread
// reads them without.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "multivent/calls/event_fields.hpp"
#include "scheduler/admission/invocation.hpp"

struct ev_loop;

namespace heddle::multivent {

struct Callee;

struct alignas(64) Task : scheduler::Invocation {
  // What every call goes through stands first.
  event_base* base = nullptr;
  Callee* called = nullptr;            // the function, as statistics and constraints know it
  event_callback* callback = nullptr;  // null as soon as it may belong to somebody else
  Task* previous = nullptr;            // neighbours in a TaskList
  Task* next = nullptr;
  std::uint64_t maker = 0;  // for_owner: run id of the call that made the owner, 0 if there was none
  heddle::base::Nanoseconds waited_late_ns = 0;  // running only: at late points
  // What counts as now for this call: the loop's cached time, as it would be if nobody polled beside the call. 0: none.
  heddle::base::Nanoseconds time_ns = 0;

  // Those that the call was identified by; from begin() on those that it is made with.
  decltype(event_callback::evcb_cb_union) function{};
  void* argument = nullptr;

  // Copied by begin().
  std::uint64_t run_id = 0;  // 0: not running
  event_callback* self = nullptr;
  event* target = nullptr;  // of a finaliser
  ev_loop* loop = nullptr;  // of a watcher of libev, with what has happened to it; `argument` is the watcher
  int revents = 0;
  int fd = -1;
  short what = 0;
  short calls = 0;  // left to make, for a signal
  Closure closure = kEvent;
  bool internal = false;
  bool assigned_anew = false;  // its event was assigned by event_assign() since

  // Running only: the call in whose middle this one is made, by a loop that a handler runs; null if there is none.
  Task* outer = nullptr;
  bool stands_alone = false;         // running only: it waits to be the only one that runs, or is (process/alone.hpp)
  bool is_left = false;              // running only: by a jump, so that it never ends
  bool passed_late = false;          // running only: it has reached a late point; only its own thread uses this
  bool found_between_calls = false;  // by a poll while no call ran or was due; of a crew
  // Found by a poll that was made beside the call that asked for the loop's end. One thread would not have polled: the
  // call is left for the next loop.
  bool comes_after_exit = false;
  bool is_held = false;
  bool is_found_signal = false;  // CrewLoop::signals_found_ counts it
  std::uint16_t queue = 0;       // number of the active queue, by the event's priority; admission may go by a worse one
  std::uint32_t found_by_poll = 0;  // number of the poll that made it due; 0: none did
  // Found by a poll beside calls, and only by that, of a descriptor that epoll reports as long as it is ready: then the
  // number of that finding, else 0. Until it is called it can be as if it had not been found; the next poll finds it.
  std::uint64_t finding = 0;
  bool for_owner = false;  // a call of libevent itself, identified by what it may go on to
  // For so many calls it stands in the figures (telemetry/sampler.hpp); 0: they do without it.
  std::uint32_t stands_for = 0;
  Task* held = nullptr;  // running only: the first of the calls that wait for this one
  Task* next_held = nullptr;
  // Running only: the call whose end this one's thread awaits, in event_del() or at a late point; null again as soon as
  // that has ended.
  Task* awaits = nullptr;
  heddle::base::Nanoseconds cpu_before_ns = 0;  // processor time of the thread before the call, for the trace
};

// Whether `task` waits for `on` to end, directly or through others, or is that call itself. Nobody waits for two at
// once, or in a circle.
inline bool waits_for(const Task& task, const Task& on) {
  for (const Task* other = &task; other != nullptr; other = other->awaits)
    if (other == &on) return true;
  return false;
}

class TaskList {
 public:
  bool empty() const { return first_ == nullptr; }
  Task* first() const { return first_; }

  void push_back(Task& task) {
    task.previous = last_;
    task.next = nullptr;
    (last_ != nullptr ? last_->next : first_) = &task;
    last_ = &task;
  }

  void push_front(Task& task) {
    task.previous = nullptr;
    task.next = first_;
    (first_ != nullptr ? first_->previous : last_) = &task;
    first_ = &task;
  }

  void remove(Task& task) {
    (task.previous != nullptr ? task.previous->next : first_) = task.next;
    (task.next != nullptr ? task.next->previous : last_) = task.previous;
  }

 private:
  Task* first_ = nullptr;
  Task* last_ = nullptr;
};

class TaskPool {
 public:
  Task& take() {
    if (free_ == nullptr) grow();
    Task& task = *free_;
    free_ = task.next;
    return task;
  }

  void give_back(Task& task) {
    task.callback = nullptr;
    task.next = free_;
    free_ = &task;
  }

 private:
  static constexpr std::size_t kBlock = 64;

  void grow() {
    blocks_.push_back(std::make_unique<Task[]>(kBlock));
    for (std::size_t i = 0; i < kBlock; ++i) give_back(blocks_.back()[i]);
  }

  std::vector<std::unique_ptr<Task[]>> blocks_;
  Task* free_ = nullptr;
};

// The calls that are being made right now: none or one in a serial loop, otherwise at most one per thread of the crew.
class Running {
 public:
  std::size_t size() const { return tasks_.size(); }

  void add(Task& task) {
    task.run_id = ++last_run_id_;
    tasks_.push_back(&task);
  }

  void remove(Task& task) {
    for (Task*& slot : tasks_) {
      if (slot != &task) continue;
      slot = tasks_.back();
      tasks_.pop_back();
      break;
    }
    task.run_id = 0;
  }

  Task* find(std::uint64_t run_id) const {
    for (Task* task : tasks_)
      if (task->run_id == run_id) return task;
    return nullptr;
  }

  Task* find(const event_callback& callback) const {
    for (Task* task : tasks_)
      if (task->callback == &callback) return task;
    return nullptr;
  }

  // The call of a watcher of libev.
  Task* find_watcher(const void* watcher) const {
    for (Task* task : tasks_)
      if (task->closure == kWatcher && task->argument == watcher) return task;
    return nullptr;
  }

  bool contains(std::uint64_t run_id) const { return find(run_id) != nullptr; }

  // How many calls ever were.
  std::uint64_t begun() const { return last_run_id_; }

  auto begin() const { return tasks_.begin(); }
  auto end() const { return tasks_.end(); }

 private:
  std::vector<Task*> tasks_;
  std::uint64_t last_run_id_ = 0;
};

// The call that this thread is making, of whatever base. The library is in the process from its start, so the cheapest
// model of thread-local storage will do.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Task* task_of_this_thread = nullptr;
inline Task* current_task() { return task_of_this_thread; }
inline void set_current_task(Task* task) { task_of_this_thread = task; }

}  // namespace heddle::multivent
