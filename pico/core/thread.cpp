#include "pico/core/thread.hpp"

#include <cerrno>
#include <system_error>

#include "pico/core/scope.hpp"
#include "pico/core/worker.hpp"

namespace heddle::pico {

void detail::add_to_scope(Scope* scope, Task& task) { (scope != nullptr ? *scope : Scope::current()).add(task); }

void detail::join(Task& task) {
  Worker* const worker = Worker::of_this_thread();
  if (worker != nullptr || !task.completion.over()) {
    Task& me = worker != nullptr ? worker->running() : TaskBlocker::self();
    if (&me == &task) throw std::system_error(EDEADLK, std::generic_category(), "a thread joins itself");
    if (me.cancelled()) throw Cancelled();
    if (!task.completion.wait(me, [&me] { return me.cancelled(); })) throw Cancelled();
  }
  if (task.error) Scope::settle(task);
}

void yield() {
  Worker& worker = Worker::current();
  if (worker.running().cancelled()) throw Cancelled();
  worker.yield();
}

}  // namespace heddle::pico
