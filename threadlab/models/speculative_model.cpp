// Speculative: parts are events that run at once as transactions, and commit in the order in which one thread would
// have run them (scheduler/speculative). A part that cannot be taken back runs when its turn has come, and so does what
// a task's end brings about. One thread more watches descriptors and times.
#include <pthread.h>

#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/thread.hpp"
#include "scheduler/speculative/speculative.hpp"
#include "threadlab/commands/speculable.hpp"
#include "threadlab/models/model.hpp"
#include "threadlab/models/watch.hpp"

namespace heddle::threadlab {
namespace {

using speculative::Effects;
using speculative::Transaction;

class SpeculativeModel : public Model {
 public:
  explicit SpeculativeModel(const ModelOptions& options) : loop_({.workers = static_cast<unsigned>(options.workers)}) {}

  void run(Board& board, const Board::Tasks& due) override {
    board_ = &board;
    post(due);
    loop_.hold();
    base::Thread watching([this] {
      pthread_setname_np(pthread_self(), "lab watch");
      watch_all();
    });
    loop_.run();
    watching.join();
    board.figures().finish();  // while the workers live
    for (const auto& [task, parts] : parts_) {
      std::list<Part>& all = parts->outside();
      task->parts.insert(task->parts.begin(), all.begin(), all.end());
    }
  }

  void wake_all() override { watch_.kick(); }

 private:
  using Parts = speculative::Log<Part>;

  // Puts a part of each into the queue. By any thread, but not by a part that may be taken back.
  void post(const Board::Tasks& due) {
    for (Task* const task : due) {
      if (auto* const command = dynamic_cast<Speculable*>(task->command.get())) {
        loop_.post(part_of(*task, *command, parts_of(*task)));
      } else {
        loop_.post([this, task](Transaction&) { run_exclusively(*task); }, Effects::kExclusive);
      }
    }
  }

  Parts& parts_of(Task& task) {
    const std::lock_guard lock(parts_mutex_);
    parts_.emplace_back(&task, std::make_unique<Parts>());
    return *parts_.back().second;
  }

  void run_exclusively(Task& task) {
    Board::Performed performed = board_->perform(task);
    const Step step = performed.step;
    const bool watches =
        step.then == Step::Then::kWait && (step.waits_for == Step::For::kSocket || step.waits_for == Step::For::kTimer);
    if (watches) {
      const std::lock_guard lock(mutex_);
      if (watch_.add(task, step, board_->deadline())) watch_.kick();
    }
    settle(task, performed);
  }

  void settle(Task& task, Board::Performed& performed) {
    post(board_->settle(task, performed));
    if (board_->finished()) watch_.kick();  // which lets the loop end
  }

  // An event: it runs, maybe again, and counts once.
  struct PartOf {
    void operator()(Transaction& transaction) const {
      Board& board = *model->board_;
      if (base::monotonic_ns() >= board.deadline()) {
        transaction.exclusive();
        model->run_exclusively(*task);
        return;
      }
      Part part = board.begin_part();
      const Step step = command->speculate(transaction);
      Board::end_part(part, step);
      parts->append(transaction, part);
      if (step.then == Step::Then::kReady) {
        transaction.spawn(*this);
      } else {
        transaction.at_commit([self = *this, step] {
          Board::Performed performed = self.model->board_->conclude(*self.task, step);
          self.model->settle(*self.task, performed);
        });
      }
    }

    SpeculativeModel* model;
    Task* task;
    Speculable* command;
    Parts* parts;
  };
  PartOf part_of(Task& task, Speculable& command, Parts& parts) { return {this, &task, &command, &parts}; }

  void watch_all() {
    std::unique_lock lock(mutex_);
    while (!board_->finished()) {
      Board::Tasks due = watch_.wait(lock, board_->wait_until());
      const bool expired = base::monotonic_ns() >= board_->deadline();
      if (expired) {
        const Board::Tasks rest = watch_.take_all();
        due.insert(due.end(), rest.begin(), rest.end());
      }
      lock.unlock();
      if (expired) {
        const Board::Tasks waiting = board_->expire();
        due.insert(due.end(), waiting.begin(), waiting.end());
      }
      post(due);
      lock.lock();
    }
    lock.unlock();
    loop_.release();
  }

  Board* board_ = nullptr;  // while it runs
  std::mutex mutex_;        // guards watch_
  Watch watch_;
  std::mutex parts_mutex_;  // guards parts_
  std::vector<std::pair<Task*, std::unique_ptr<Parts>>> parts_;
  speculative::Loop loop_;  // destroyed first: its threads use the rest
};

}  // namespace

std::unique_ptr<Model> make_speculative_model(const ModelOptions& options) {
  return std::make_unique<SpeculativeModel>(options);
}

}  // namespace heddle::threadlab
