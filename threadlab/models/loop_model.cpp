// Cooperative, Pool and Constrained: one loop, or one for each group.
#include <pthread.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/thread.hpp"
#include "threadlab/models/loop.hpp"
#include "threadlab/models/model.hpp"

namespace heddle::threadlab {
namespace {

class LoopModel : public Model {
 public:
  explicit LoopModel(const ModelOptions& options) : options_(options) {}

  void run(Board& board, const Board::Tasks& due) override {
    using Kind = ModelOptions::Kind;
    const bool cooperative = options_.kind == Kind::kCooperative;
    const std::size_t count = cooperative && options_.per_group ? options_.groups : 1;
    std::vector<const Task*> tasks;
    for (const auto& task : board.tasks()) tasks.push_back(task.get());
    LoopOptions each;
    each.name = cooperative ? "lab loop" : "lab worker";
    each.workers = cooperative ? 1 : options_.workers;
    each.constrained = options_.kind == Kind::kConstrained;
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; i < count; ++i) {
        loops_.push_back(std::make_unique<Loop>(
            board, each, [i, count](const Task& task) { return task.group % count == i; },
            [this](Task& task) { loop_of(task).post(task); }));
        loops_.back()->connect(tasks);
      }
    }
    for (Task* const task : due) loop_of(*task).post(*task);
    std::vector<base::Thread> threads;
    for (std::size_t i = 1; i < count; ++i)
      threads.emplace_back([this, i, &board] {
        pthread_setname_np(pthread_self(), ("lab loop " + std::to_string(i)).substr(0, 15).c_str());
        serve(*loops_[i], board);
      });
    serve(*loops_[0], board);
    for (base::Thread& thread : threads) thread.join();
    board.figures().finish();
    const std::lock_guard lock(mutex_);
    loops_.clear();
  }

  void wake_all() override {
    const std::lock_guard lock(mutex_);
    for (const auto& loop : loops_) loop->wake();
  }

 private:
  Loop& loop_of(const Task& task) { return *loops_[task.group % loops_.size()]; }

  void serve(Loop& loop, Board& board) {
    loop.run();
    // The board is finished; the other loops may be waiting for just that.
    for (const auto& other : loops_)
      if (other.get() != &loop) other->wake();
    board.figures().leave();
  }

  const ModelOptions options_;
  std::mutex mutex_;  // guards loops_ while that changes
  std::vector<std::unique_ptr<Loop>> loops_;
};

}  // namespace

std::unique_ptr<Model> make_loop_model(const ModelOptions& options) { return std::make_unique<LoopModel>(options); }

}  // namespace heddle::threadlab
