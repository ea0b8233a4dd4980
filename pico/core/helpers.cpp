#include "pico/core/helpers.hpp"

#include <pthread.h>

#include <cerrno>
#include <system_error>

#include "pico/core/completion.hpp"
#include "pico/core/runtime.hpp"
#include "pico/core/task.hpp"
#include "pico/core/worker.hpp"

namespace heddle::pico {

void Helpers::call(std::function<void()> job) {
  const Lock lock(mutex_);
  waiting_.push_back(std::move(job));
  ensure_progress();
  if (pool_.hired() > 0 || pool_.wake_in_flight()) return;
  waiting_.pop_back();
  throw std::system_error(EAGAIN, std::generic_category(), "no kernel thread can be started for a call that waits");
}

// Wakes or hires one more, if there is work and nobody is on the way; that one does the same.
void Helpers::ensure_progress() {
  if (waiting_.empty() || pool_.wake_in_flight()) return;
  if (pool_.any_parked()) {
    pool_.unpark_one();
  } else if (pool_.hired() < kMost) {
    const auto start = [](unsigned, auto live) {
      base::Thread thread(std::move(live));
      pthread_setname_np(thread.native_handle(), "pico-helper");
      return thread;
    };
    pool_.hire(start, [this](Lock& lock, Helper&) { serve(lock); });
  }
}

void Helpers::serve(Lock& lock) {
  while (!waiting_.empty()) {
    const std::function<void()> job = std::move(waiting_.front());
    waiting_.pop_front();
    ensure_progress();
    lock.unlock();
    job();
    lock.lock();
  }
}

void detail::on_helper(const std::function<void()>& run) {
  Completion<TaskBlocker> done;
  Worker& worker = Worker::current();
  Task& me = worker.running();
  worker.runtime().helpers().call([&] {
    run();
    done.end();
  });
  done.wait(me, [] { return false; });
}

void detail::on_big_stack(void (*run)(void*), void* data) { Worker::current().run_on_own_stack(run, data); }

}  // namespace heddle::pico
