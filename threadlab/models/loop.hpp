// A loop that runs the parts that are due, and watches the descriptors and times that tasks wait for: the host of the
// runtime's crew (scheduler/crew/crew.hpp).
//
// With one thread it is a cooperative message loop, and with several a pool; whether conflicting parts are kept apart,
// or data are locked instead, is a matter of its constraints.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/sync.hpp"
#include "scheduler/admission/admission.hpp"
#include "scheduler/crew/crew.hpp"
#include "threadlab/models/board.hpp"
#include "threadlab/models/conflicts.hpp"
#include "threadlab/models/watch.hpp"

namespace heddle::threadlab {

struct LoopOptions {
  std::string name;          // of its threads
  std::size_t workers = 1;   // 1: only the thread that calls run()
  bool constrained = false;  // parts that conflict do not run at once
  // One worker and a watchdog: while a part takes long, another thread runs the others.
  bool watched = false;
};

class Loop {
 public:
  using Invocation = scheduler::Invocation;
  using Lock = base::StdSync::Lock;

  // `elsewhere` gets the tasks that are due, but not here; called without the loop's mutex.
  // std::system_error if the kernel gives no descriptor.
  Loop(Board& board, const LoopOptions& options, std::function<bool(const Task&)> is_here,
       std::function<void(Task&)> elsewhere);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Before run(): what the scenario consists of.
  void connect(const std::vector<const Task*>& tasks) { conflicts_.connect(tasks); }

  // Until the board is finished.
  void run();
  // By any thread: the task is due.
  void post(Task& task);
  // By any thread: there is something new to see, such as the board's end.
  void wake();

  // What the crew asks of its host.
  Invocation* take(bool allow_heavy, bool allow_pinned);
  void run(Lock& lock, Invocation& invocation);
  void poll(Lock& lock);
  bool may_poll() const { return true; }  // if only for post()
  bool poll_outdated() const { return watch_.outdated(); }
  void kick() { watch_.kick(); }
  bool has_work(bool allow_heavy) const { return admission_.has_ready(allow_heavy); }
  bool has_pinned_work(bool) const { return false; }
  bool exclusive(const Invocation& invocation) const { return conflicts_.constraints().exclusive(invocation.klass); }
  bool finished() const { return board_.finished(); }
  void goes_idle() {}
  void resized(unsigned) {}
  template <class Thread, class Function>
  Thread start_thread(unsigned number, Function function) {
    return Thread([this, number, run = std::move(function)]() mutable {
      set_name(number);
      run();
    });
  }

 private:
  // How long parts of a class took: heavy ones keep their thread from leading, as in multivent (callees.hpp).
  struct Weight {
    static constexpr base::Nanoseconds kHeavy_ns = 200'000;
    static constexpr int kHeavyFrom = 9;
    int long_runs = 0;
    void note(base::Nanoseconds took);
  };

  void set_name(unsigned number) const;
  void enqueue(Task& task);
  void hand_out(Lock& lock, const Board::Tasks& due);

  Board& board_;
  const LoopOptions options_;
  const std::function<bool(const Task&)> is_here_;
  const std::function<void(Task&)> elsewhere_;

  std::mutex mutex_;  // guards what follows
  Conflicts conflicts_;
  scheduler::Admission admission_;
  std::unordered_map<std::string, Weight> weights_;  // by kind
  Watch watch_;
  scheduler::Crew<base::StdSync, Loop> crew_;  // destroyed first: its threads use the rest
};

}  // namespace heddle::threadlab
