// One thing to do, a part at a time.
//
// A command declares which data it reads and writes; from that follows who waits for whom, and which parts may run at
// once. part() does a piece of the work that takes about a millisecond at most and never blocks, and says what is to
// happen next. Models differ in who calls part(), when, and on which thread; a command does not know which one it is.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "threadlab/commands/step.hpp"
#include "threadlab/data/data.hpp"

namespace heddle::threadlab {

class Command;
class Connections;
class Task;

// What a part may use of the run that it belongs to.
class Context {
 public:
  Context(Task& task, Connections& connections, bool locks) : task_(task), connections_(connections), locks_(locks) {}

  // The data that commands share have to be locked (Guard).
  bool locks() const { return locks_; }
  Connections& connections() { return connections_; }
  Task& task() { return task_; }

  // Adds a command, which may run as soon as this part has ended.
  void spawn(std::unique_ptr<Command> command) { spawned_.push_back(std::move(command)); }
  // `waiting`, which waits until it is woken, goes on when this part has ended.
  void wake(Task& waiting) { woken_.push_back(&waiting); }

  std::vector<std::unique_ptr<Command>> take_spawned() { return std::move(spawned_); }
  std::vector<Task*> take_woken() { return std::move(woken_); }

 private:
  Task& task_;
  Connections& connections_;
  const bool locks_;
  std::vector<std::unique_ptr<Command>> spawned_;
  std::vector<Task*> woken_;
};

class Command {
 public:
  using DataList = std::vector<std::shared_ptr<Data>>;

  Command(std::string kind, std::string name, DataList reads, DataList writes)
      : kind_(std::move(kind)), name_(std::move(name)), reads_(std::move(reads)), writes_(std::move(writes)) {}
  virtual ~Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  const std::string& kind() const { return kind_; }
  const std::string& name() const { return name_; }
  const DataList& reads() const { return reads_; }
  const DataList& writes() const { return writes_; }

  // Called by one thread at a time, until it is done or throws; what it throws is its error.
  virtual Step part(Context& context) = 0;
  // Called once after the last part, also where the run gives the command up: gives back what is not its own.
  virtual void end(Context&) {}
  // A number, or a text in quotes, as JSON; empty if it makes none. Called when no command runs.
  virtual std::string result() const { return ""; }

 private:
  const std::string kind_;
  const std::string name_;
  const DataList reads_;
  const DataList writes_;
};

}  // namespace heddle::threadlab
