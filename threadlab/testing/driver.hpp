// Runs one command by hand, part by part, for tests.
#pragma once

#include <memory>
#include <utility>

#include "threadlab/commands/command.hpp"
#include "threadlab/models/task.hpp"
#include "threadlab/network/connections.hpp"

namespace heddle::threadlab {

template <class C>
class Driver {
 public:
  explicit Driver(std::unique_ptr<C> command) : task_(0, std::move(command), 0) {}

  Step part() {
    Context context(task_, connections_, false);
    Step step = task_.command->part(context);
    for (auto& each : context.take_spawned()) spawned.push_back(std::move(each));
    if (step.then == Step::Then::kDone) task_.command->end(context);
    return step;
  }
  // Until it is done, or waits.
  Step run() {
    Step step = part();
    while (step.then == Step::Then::kReady) step = part();
    return step;
  }

  C& command() { return static_cast<C&>(*task_.command); }

  std::vector<std::unique_ptr<Command>> spawned;

 private:
  Connections connections_{1};
  Task task_;
};

template <class C, class... Arguments>
Driver<C> driver_of(Arguments&&... arguments) {
  return Driver<C>(std::make_unique<C>("it", std::forward<Arguments>(arguments)...));
}

}  // namespace heddle::threadlab
