// The tasks of one run: what may run next, and what was run.
//
// A model decides which thread runs which part, and when; what must hold in all models is decided here:
//   - A task that reads data runs beside the one that writes them, and waits for more of them.
//   - Of two that write overlapping parts of a canvas, the later one is behind the other, and behind what that adds.
//   - When a task ends, data that it has not completed have failed, so nobody waits for them any more.
//   - When nothing is due and tasks wait for each other, the first of them is given up, with an error; the same at the
//     end of the time that the run may take.
// A model calls, for each task that start() or settle() returned,
//   perform(task)             runs one part; without a lock of the model
//   settle(task, performed)   what that changed: returns the tasks that are due now, maybe this one. If the part waits
//                             for a descriptor or the time, the model runs the next part when that has come.
// until finished().
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "threadlab/commands/command.hpp"
#include "threadlab/figures/thread_figures.hpp"
#include "threadlab/models/task.hpp"
#include "threadlab/network/connections.hpp"

namespace heddle::threadlab {

struct BoardOptions {
  std::size_t connections = 1;  // most transfers at once
  double seconds = 120;         // that the run may take
  bool locks = true;            // several threads may work on one piece of data
  bool busy = false;            // a task that waits is due at once, again and again
};

class Board {
 public:
  using Tasks = std::vector<Task*>;

  explicit Board(const BoardOptions& options);
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  // Before the run: a task behind those in `after`. std::invalid_argument if a piece of data would have two writers.
  Task& declare(std::unique_ptr<Command> command, std::size_t group, const std::vector<std::size_t>& after);

  // Begins the run; those that are due.
  Tasks start();

  struct Performed {
    Step step;
    std::vector<std::unique_ptr<Command>> spawned;
    Tasks woken;
  };
  Performed perform(Task& task);
  // What perform() consists of, for a model that runs parts by itself: one that may have to be run again.
  Part begin_part();
  static void end_part(Part& part, const Step& step);
  // The task is done: its data are closed, what it had is given back.
  Performed conclude(Task& task, Step step);
  Tasks settle(Task& task, Performed& performed);

  // Ends the run: no further part runs, and every task that has not ended has this error. By anybody; the model has to
  // be told that more is due.
  void give_up(const std::string& error);
  // Behind the deadline: those that wait for others, and are due now to end. The model does the same for those that
  // wait for descriptors or the time.
  Tasks expire();
  // When the run is given up.
  base::Nanoseconds deadline() const { return deadline_.load(std::memory_order_relaxed); }
  // Until when a model may wait: the deadline, or a moment where that is over and the last parts are still running.
  base::Nanoseconds wait_until() const {
    constexpr base::Nanoseconds kMoment = 10'000'000;
    const base::Nanoseconds now = base::monotonic_ns();
    return now < deadline() ? deadline() : now + kMoment;
  }

  bool finished() const { return unfinished_.load(std::memory_order_acquire) == 0; }
  std::size_t unfinished() const { return unfinished_.load(std::memory_order_acquire); }
  bool busy() const { return options_.busy; }
  base::Nanoseconds started_ns() const { return started_ns_; }
  FiguresOfThreads& figures() { return figures_; }

  // When no task runs.
  const std::deque<std::unique_ptr<Task>>& tasks() const { return tasks_; }

 private:
  Task& add(std::unique_ptr<Command> command, std::size_t group);
  void put_behind(Task& task, Task& first);
  void make_due(Task& task, Tasks& due);
  void wake(Task& task, Tasks& due);
  void wake_readers(const Task& task, Tasks& due);
  void wait(Task& task, const Step& step, Tasks& due);
  void end(Task& task, Tasks& due);
  void finish(Task& task, Tasks& due);
  void free_stuck(Tasks& due);
  std::string reason_to_give_up(const Task& task);
  void end_command(Task& task, const Step& step, Context& context);
  void note(Task& task, const Part& part) const;

  const BoardOptions options_;
  Connections connections_;
  FiguresOfThreads figures_;
  base::Nanoseconds started_ns_ = 0;
  std::atomic<base::Nanoseconds> deadline_;  // relaxed: it is a hint when to look at given_up_
  std::atomic<std::size_t> unfinished_{0};   // release by whoever ends one, acquire by whoever reads what they left

  std::mutex mutex_;                         // guards what follows, and what tasks say it does
  std::deque<std::unique_ptr<Task>> tasks_;  // by id
  std::unordered_map<const Data*, Task*> writers_;
  std::unordered_map<const Data*, Tasks> readers_;    // that wait for more
  std::vector<std::pair<const Data*, Task*>> areas_;  // that the scenario's own tasks write
  std::size_t due_ = 0;
  std::string given_up_;
};

}  // namespace heddle::threadlab
