// Cooperative, Pool, Constrained and Composed: one loop or several, and which task belongs to which.
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "threadlab/data/file.hpp"
#include "threadlab/models/loop.hpp"
#include "threadlab/models/model.hpp"
#include "threadlab/models/together.hpp"

namespace heddle::threadlab {
namespace {

// The loops of a model, and the place of a task among them.
struct Plan {
  std::vector<LoopOptions> loops;
  std::function<std::size_t(const Task&)> place;
};

bool writes_file(const Task& task) {
  for (const auto& data : task.command->writes())
    if (dynamic_cast<const File*>(data.get()) != nullptr) return true;
  return false;
}

// The redesign that the paper advises (chapter 8): a thread for each page, transfers to files on a thread of their own,
// images on a pool. A thread that is stuck in a part is watched, and gets help for the others of its page.
Plan composed_plan(const ModelOptions& options) {
  Plan plan;
  for (std::size_t i = 0; i < options.groups; ++i)
    plan.loops.push_back({.name = "lab page " + std::to_string(i), .watched = true});
  plan.loops.push_back({.name = "lab files"});
  plan.loops.push_back({.name = "lab worker", .workers = options.workers});
  plan.place = [pages = options.groups](const Task& task) {
    if (writes_file(task)) return pages;
    return task.parent != nullptr ? pages + 1 : task.group % pages;
  };
  return plan;
}

Plan plan_for(const ModelOptions& options) {
  using Kind = ModelOptions::Kind;
  if (options.kind == Kind::kComposed) return composed_plan(options);
  Plan plan;
  plan.place = [](const Task&) { return std::size_t{0}; };
  if (options.kind == Kind::kCooperative) {
    const std::size_t count = options.per_group ? options.groups : 1;
    for (std::size_t i = 0; i < count; ++i) plan.loops.push_back({.name = "lab loop " + std::to_string(i)});
    plan.place = [count](const Task& task) { return task.group % count; };
  } else {
    plan.loops.push_back(
        {.name = "lab worker", .workers = options.workers, .constrained = options.kind == Kind::kConstrained});
  }
  return plan;
}

class LoopModel : public Model {
 public:
  explicit LoopModel(const ModelOptions& options) : plan_(plan_for(options)) {}

  void run(Board& board, const Board::Tasks& due) override {
    make_loops(board);
    for (Task* const task : due) loop_of(*task).post(*task);
    std::vector<std::string> names;
    for (const LoopOptions& loop : plan_.loops) names.push_back(loop.name);
    run_together(names, [&](std::size_t i) { serve(*loops_[i], board); });
    board.figures().finish();  // while the workers live
    const std::lock_guard lock(mutex_);
    loops_.clear();
  }

  void wake_all() override {
    const std::lock_guard lock(mutex_);
    for (const auto& loop : loops_) loop->wake();
  }

 private:
  Loop& loop_of(const Task& task) { return *loops_[plan_.place(task)]; }

  void make_loops(Board& board) {
    std::vector<const Task*> tasks;
    for (const auto& task : board.tasks()) tasks.push_back(task.get());
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < plan_.loops.size(); ++i) {
      loops_.push_back(std::make_unique<Loop>(
          board, plan_.loops[i], [this, i](const Task& task) { return plan_.place(task) == i; },
          [this](Task& task) { loop_of(task).post(task); }));
      loops_.back()->connect(tasks);
    }
  }

  void serve(Loop& loop, Board& board) {
    loop.run();
    // The board is finished; the other loops may be waiting for just that.
    for (const auto& other : loops_)
      if (other.get() != &loop) other->wake();
    board.figures().leave();
  }

  const Plan plan_;
  std::mutex mutex_;  // guards loops_ while that changes
  std::vector<std::unique_ptr<Loop>> loops_;
};

}  // namespace

std::unique_ptr<Model> make_loop_model(const ModelOptions& options) { return std::make_unique<LoopModel>(options); }

}  // namespace heddle::threadlab
