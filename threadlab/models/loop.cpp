#include "threadlab/models/loop.hpp"

#include <pthread.h>

#include <algorithm>
#include <limits>

namespace heddle::threadlab {
namespace {

scheduler::CrewOptions crew_options(const LoopOptions& options) {
  scheduler::CrewOptions crew;
  crew.handlers_at_once = static_cast<unsigned>(options.workers);
  if (options.workers == 1 && !options.watched) crew.promotion = scheduler::Promotion::kNever;
  return crew;
}

}  // namespace

void Loop::Weight::note(base::Nanoseconds took) {
  long_runs = took > kHeavy_ns ? std::min(long_runs + 3, 2 * kHeavyFrom) : std::max(long_runs - 1, 0);
}

Loop::Loop(Board& board, const LoopOptions& options, std::function<bool(const Task&)> is_here,
           std::function<void(Task&)> elsewhere)
    : board_(board),
      options_(options),
      is_here_(std::move(is_here)),
      elsewhere_(std::move(elsewhere)),
      admission_(conflicts_.constraints()),
      crew_(mutex_, *this, crew_options(options)) {}

void Loop::set_name(unsigned number) const {
  const std::string name = number == 0 ? "lab watchdog" : options_.name + " " + std::to_string(number);
  pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
}

void Loop::run() {
  Lock lock(mutex_);
  crew_.run(lock, /*alone=*/options_.workers == 1 && !options_.watched);
}

void Loop::enqueue(Task& task) {
  if (options_.constrained) {
    conflicts_.classify(task);
    task.heavy = weights_[task.command->kind()].long_runs >= Weight::kHeavyFrom;
  } else {
    task.klass = conflicts_.free_class();
    task.heavy = options_.workers > 1;  // whoever is free takes it
  }
  admission_.enqueue(task, base::monotonic_ns());
}

void Loop::post(Task& task) {
  const Lock lock(mutex_);
  enqueue(task);
  crew_.work_came_up();
}

void Loop::wake() {
  const Lock lock(mutex_);
  crew_.work_came_up();
  kick();
}

Loop::Invocation* Loop::take(bool allow_heavy, bool allow_pinned) {
  return admission_.take(allow_heavy, base::monotonic_ns(), std::numeric_limits<std::uint16_t>::max(), allow_pinned);
}

void Loop::hand_out(Lock& lock, const Board::Tasks& due) {
  bool any_elsewhere = false;
  for (Task* const task : due) {
    if (is_here_(*task)) {
      enqueue(*task);
    } else {
      any_elsewhere = true;
    }
  }
  // Nobody is told of those here: this thread looks for one next, and gets help if there are more.
  if (!any_elsewhere) return;
  lock.unlock();  // never two loops' mutexes at once
  for (Task* const task : due)
    if (!is_here_(*task)) elsewhere_(*task);
  lock.lock();
}

void Loop::run(Lock& lock, Invocation& invocation) {
  auto& task = static_cast<Task&>(invocation);
  const base::Nanoseconds start = base::monotonic_ns();
  lock.unlock();
  Board::Performed performed = board_.perform(task);
  lock.lock();
  const base::Nanoseconds now = base::monotonic_ns();
  if (options_.constrained) weights_[task.command->kind()].note(now - start);
  admission_.complete(task, now);
  const Step& step = performed.step;
  const bool watches = !board_.busy() && step.then == Step::Then::kWait &&
                       (step.waits_for == Step::For::kSocket || step.waits_for == Step::For::kTimer);
  if (watches && watch_.add(task, step, board_.deadline()) && crew_.someone_polls()) kick();
  hand_out(lock, board_.settle(task, performed));
}

void Loop::poll(Lock& lock) {
  for (Task* const task : watch_.wait(lock, board_.wait_until())) enqueue(*task);
  if (base::monotonic_ns() < board_.deadline()) return;
  for (Task* const task : watch_.take_all()) enqueue(*task);
  hand_out(lock, board_.expire());
}

}  // namespace heddle::threadlab
