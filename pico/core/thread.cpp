#include "pico/core/thread.hpp"

#include "pico/core/scope.hpp"
#include "pico/core/worker.hpp"

namespace heddle::pico {

void detail::add_to_scope(Scope* scope, Task& task) { (scope != nullptr ? *scope : Scope::current()).add(task); }

void detail::join(Task& task) {
  Task& me = TaskBlocker::self();
  if (!task.completion.wait(me, [&me] { return me.cancelled(); })) throw Cancelled();
}

void yield() {
  Worker& worker = Worker::current();
  if (worker.running().cancelled()) throw Cancelled();
  worker.yield();
}

}  // namespace heddle::pico
