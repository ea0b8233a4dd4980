#include "threadlab/models/board.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/assert.hpp"

namespace heddle::threadlab {
namespace {

std::string words_for(double seconds) {
  std::ostringstream text;
  text << seconds << " s";
  return text.str();
}

}  // namespace

Board::Board(const BoardOptions& options) : options_(options), connections_(options.connections), deadline_(INT64_MAX) {
  if (!(options.seconds > 0) || options.seconds > 86400)
    throw std::invalid_argument("a run may take more than 0 and at most 86400 seconds");
  if (options.connections == 0) throw std::invalid_argument("a run has at least one connection");
}

Task& Board::add(std::unique_ptr<Command> command, std::size_t group) {
  tasks_.push_back(std::make_unique<Task>(tasks_.size(), std::move(command), group));
  Task& task = *tasks_.back();
  const auto note = [&task](const Task& other) {
    if (&other != &task && std::find(task.after.begin(), task.after.end(), other.id) == task.after.end())
      task.after.push_back(other.id);
  };
  for (const auto& data : task.command->reads()) {
    const auto writer = writers_.find(data.get());
    if (writer != writers_.end()) note(*writer->second);
  }
  for (const auto& data : task.command->writes()) {
    if (data->commutes()) continue;
    if (data->closed() || !writers_.emplace(data.get(), &task).second) {
      const std::invalid_argument error("\"" + data->name() +
                                        "\" has a writer already: a piece of data is written once");
      tasks_.pop_back();  // and the command with it
      throw error;
    }
  }
  unfinished_.fetch_add(1, std::memory_order_relaxed);
  return task;
}

void Board::put_behind(Task& task, Task& first) {
  if (std::find(first.behind.begin(), first.behind.end(), &task) != first.behind.end()) return;
  first.behind.push_back(&task);
  ++task.blocked_by;
  if (std::find(task.after.begin(), task.after.end(), first.id) == task.after.end()) task.after.push_back(first.id);
}

Task& Board::declare(std::unique_ptr<Command> command, std::size_t group, const std::vector<std::size_t>& after) {
  const std::lock_guard lock(mutex_);
  for (const std::size_t id : after)
    if (id >= tasks_.size()) throw std::invalid_argument("a command is after one that was declared before it");
  Task& task = add(std::move(command), group);
  for (const std::size_t id : after) put_behind(task, *tasks_[id]);
  for (const auto& data : task.command->writes()) {
    if (!data->is_area()) continue;
    for (const auto& [area, painter] : areas_)
      if (painter != &task && data->overlaps(*area)) put_behind(task, *painter);
    areas_.emplace_back(data.get(), &task);
  }
  return task;
}

Board::Tasks Board::start() {
  const std::lock_guard lock(mutex_);
  // Nobody will ever write them.
  for (const auto& task : tasks_)
    for (const auto& data : task->command->reads())
      if (!data->commutes() && !writers_.contains(data.get())) data->close();
  started_ns_ = base::monotonic_ns();
  deadline_.store(started_ns_ + static_cast<base::Nanoseconds>(options_.seconds * 1e9), std::memory_order_relaxed);
  Tasks due;
  for (const auto& task : tasks_)
    if (task->blocked_by == 0) make_due(*task, due);
  return due;
}

std::string Board::reason_to_give_up(const Task& task) {
  const std::lock_guard lock(mutex_);
  if (base::monotonic_ns() < deadline()) return task.given_up;
  return given_up_.empty() ? "time_limit: the run may take " + words_for(options_.seconds) : given_up_;
}

Board::Tasks Board::expire() {
  Tasks due;
  const std::lock_guard lock(mutex_);
  if (base::monotonic_ns() < deadline()) return due;
  for (const auto& task : tasks_)
    if (task->place == Task::Place::kWaiting) make_due(*task, due);
  return due;
}

void Board::give_up(const std::string& error) {
  const std::lock_guard lock(mutex_);
  given_up_ = error;
  deadline_.store(0, std::memory_order_relaxed);
}

Part Board::begin_part() {
  Part part;
  part.thread = figures_.this_thread();
  part.start = base::monotonic_ns();
  part.cpu = base::thread_cpu_ns();
  return part;
}

void Board::end_part(Part& part, const Step& step) {
  part.cpu = base::thread_cpu_ns() - part.cpu;
  part.end = base::monotonic_ns();
  part.then = step.then;
  part.waits_for = step.waits_for;
}

Board::Performed Board::conclude(Task& task, Step step) {
  Context context(task, connections_, options_.locks);
  Performed performed;
  performed.step = std::move(step);
  end_command(task, performed.step, context);
  performed.woken = context.take_woken();
  return performed;
}

void Board::end_command(Task& task, const Step& step, Context& context) {
  task.error = step.error;
  task.command->end(context);
  for (const auto& data : task.command->writes())
    if (!data->commutes())
      data->close(task.error.empty() ? "it was not completed" : task.command->name() + ": " + task.error);
}

Board::Performed Board::perform(Task& task) {
  Part part = begin_part();
  Context context(task, connections_, options_.locks);
  Performed performed;
  std::string reason = reason_to_give_up(task);
  if (!reason.empty()) {
    performed.step = Step::done(std::move(reason));
  } else {
    try {
      performed.step = task.command->part(context);
    } catch (const std::bad_alloc&) {
      performed.step = Step::done("memory: there is none left");
    } catch (const std::exception& error) {
      performed.step = Step::done(std::string("exception: ") + error.what());
    }
  }
  if (performed.step.then == Step::Then::kDone) end_command(task, performed.step, context);
  performed.spawned = context.take_spawned();
  performed.woken = context.take_woken();
  end_part(part, performed.step);
  note(task, part);
  return performed;
}

void Board::note(Task& task, const Part& part) const {
  const bool waits_again = options_.busy && !task.parts.empty() && part.then == Step::Then::kWait &&
                           task.parts.back().then == Step::Then::kWait && task.parts.back().waits_for == part.waits_for;
  if (!waits_again) {
    task.parts.push_back(part);
    return;
  }
  // A busy loop asks thousands of times: one entry for all of them in a row.
  task.parts.back().end = part.end;
  task.parts.back().cpu += part.cpu;
}

void Board::make_due(Task& task, Tasks& due) {
  task.place = Task::Place::kDue;
  ++due_;
  due.push_back(&task);
}

void Board::wake(Task& task, Tasks& due) {
  if (task.place == Task::Place::kWaiting) {
    make_due(task, due);
  } else {
    task.woken = true;
  }
}

void Board::wake_readers(const Task& task, Tasks& due) {
  for (const auto& data : task.command->writes()) {
    const auto found = readers_.find(data.get());
    if (found == readers_.end()) continue;
    const std::uint64_t version = data->version();
    std::erase_if(found->second, [&](Task* reader) {
      // One that was given up has left already.
      if (reader->place == Task::Place::kWaiting && reader->seen == version) return false;
      if (reader->place == Task::Place::kWaiting) make_due(*reader, due);
      return true;
    });
    if (found->second.empty()) readers_.erase(found);
  }
}

void Board::wait(Task& task, const Step& step, Tasks& due) {
  if (options_.busy || step.waits_for == Step::For::kDisk) {
    due.push_back(&task);
    return;
  }
  if (step.waits_for != Step::For::kOther) return;  // the model knows when it goes on
  const bool has_come = step.data != nullptr ? step.data->version() != step.seen : task.woken;
  if (has_come) {
    task.woken = false;
    due.push_back(&task);
    return;
  }
  --due_;
  task.place = Task::Place::kWaiting;
  task.seen = step.seen;
  if (step.data != nullptr) readers_[step.data].push_back(&task);
}

void Board::finish(Task& task, Tasks& due) {
  if (--task.unfinished > 0) return;
  for (Task* const other : task.behind)
    if (--other->blocked_by == 0) make_due(*other, due);
  if (task.parent != nullptr) finish(*task.parent, due);
}

void Board::end(Task& task, Tasks& due) {
  task.place = Task::Place::kEnded;
  task.end_ns = base::monotonic_ns();
  --due_;
  finish(task, due);
  unfinished_.fetch_sub(1, std::memory_order_release);
}

void Board::free_stuck(Tasks& due) {
  if (due_ > 0 || finished()) return;
  for (const auto& task : tasks_) {
    if (task->place != Task::Place::kWaiting) continue;
    task->given_up = "stuck: it waits for a command that waits itself";
    make_due(*task, due);
    return;
  }
}

Board::Tasks Board::settle(Task& task, Performed& performed) {
  const std::lock_guard lock(mutex_);
  Tasks due;
  for (auto& command : performed.spawned) {
    Task& added = add(std::move(command), task.group);
    added.parent = &task;
    ++task.unfinished;
    make_due(added, due);
  }
  for (Task* const other : performed.woken) wake(*other, due);
  wake_readers(task, due);
  switch (performed.step.then) {
    case Step::Then::kReady:
      due.push_back(&task);
      break;
    case Step::Then::kWait:
      wait(task, performed.step, due);
      break;
    case Step::Then::kDone:
      end(task, due);
      break;
  }
  free_stuck(due);
  return due;
}

}  // namespace heddle::threadlab
