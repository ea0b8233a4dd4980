// Threads: each group has a thread of the kernel, which runs its commands in order, each to its end, and what a command
// has added right behind it.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

#include "threadlab/models/model.hpp"
#include "threadlab/models/together.hpp"

namespace heddle::threadlab {
namespace {

// The thread of one group.
struct Line {
  std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  std::deque<Task*> tasks;          // to run, in this order
  std::vector<const Task*> may_go;  // of these, those that are due
};

class ThreadsModel : public Model {
 public:
  explicit ThreadsModel(const ModelOptions& options) : lines_(options.groups), stop_(eventfd(0, EFD_CLOEXEC)) {
    if (stop_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  }
  ~ThreadsModel() override { close(stop_); }

  void run(Board& board, const Board::Tasks& due) override {
    for (const auto& task : board.tasks()) line_of(*task).tasks.push_back(task.get());
    post(due);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < lines_.size(); ++i) names.push_back("lab thread " + std::to_string(i));
    run_together(names, [&](std::size_t i) {
      serve(board, lines_[i]);
      board.figures().leave();
    });
  }

  void wake_all() override {
    const std::uint64_t one = 1;
    static_cast<void>(!write(stop_, &one, sizeof one));
    for (Line& line : lines_) {
      const std::lock_guard lock(line.mutex);
      line.changed.notify_all();
    }
  }

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;

  Line& line_of(const Task& task) { return lines_[task.group % lines_.size()]; }

  void post(const Board::Tasks& due) {
    for (Task* const task : due) {
      Line& line = line_of(*task);
      const std::lock_guard lock(line.mutex);
      line.may_go.push_back(task);
      line.changed.notify_one();
    }
  }

  // Until `task` is due.
  void wait_for_turn(Board& board, Line& line, const Task& task) {
    std::unique_lock lock(line.mutex);
    for (;;) {
      const auto at = std::find(line.may_go.begin(), line.may_go.end(), &task);
      if (at != line.may_go.end()) {
        line.may_go.erase(at);
        return;
      }
      const base::Nanoseconds until = board.deadline();
      if (base::monotonic_ns() >= until) {
        lock.unlock();
        post(board.expire());
        lock.lock();
        // Others end first, if this one is behind them; their threads look at the deadline, too.
        if (std::find(line.may_go.begin(), line.may_go.end(), &task) == line.may_go.end())
          line.changed.wait_for(lock, std::chrono::milliseconds(10));
        continue;
      }
      line.changed.wait_until(lock, SteadyTime(std::chrono::nanoseconds(until)));
    }
  }

  void wait_for_descriptor(const Board& board, const Step& step) {
    const base::Nanoseconds wait = std::min(step.until, board.deadline()) - base::monotonic_ns();
    if (wait <= 0) return;
    std::array<pollfd, 2> descriptors{{{stop_, POLLIN, 0}, {step.descriptor, POLLIN, 0}}};
    const timespec timeout{wait / 1'000'000'000, wait % 1'000'000'000};
    ppoll(descriptors.data(), step.descriptor >= 0 ? 2 : 1, &timeout, nullptr);
  }

  void serve(Board& board, Line& line) {
    while (!line.tasks.empty()) {
      Task& task = *line.tasks.front();
      line.tasks.pop_front();
      wait_for_turn(board, line, task);
      for (;;) {
        Board::Performed performed = board.perform(task);
        const Step step = performed.step;
        Board::Tasks due = board.settle(task, performed);
        const bool goes_on = std::erase(due, &task) > 0;
        // What it has added comes next; all else that is due here is in line already.
        add_behind(task, line, due);
        post(due);
        if (step.then == Step::Then::kDone) break;
        if (goes_on) continue;
        if (step.waits_for == Step::For::kOther) {
          wait_for_turn(board, line, task);
        } else {
          wait_for_descriptor(board, step);
        }
      }
    }
  }

  static void add_behind(const Task& task, Line& line, const Board::Tasks& due) {
    std::size_t at = 0;
    while (at < line.tasks.size() && line.tasks[at]->parent == &task) ++at;
    for (Task* const added : due)
      if (added->parent == &task && std::find(line.tasks.begin(), line.tasks.end(), added) == line.tasks.end())
        line.tasks.insert(line.tasks.begin() + static_cast<std::ptrdiff_t>(at++), added);
  }

  std::deque<Line> lines_;  // their addresses are constant
  const int stop_;          // eventfd(2): the board was given up
};

}  // namespace

std::unique_ptr<Model> make_threads_model(const ModelOptions& options) {
  return std::make_unique<ThreadsModel>(options);
}

}  // namespace heddle::threadlab
