#include "multivent/loop/driver.hpp"

#include "multivent/loop/crew_loop.hpp"
#include "multivent/loop/loop_options.hpp"
#include "multivent/loop/serial_loop.hpp"

namespace heddle::multivent {

Driver::Driver(event_base& base, const event_config& config, const LoopOptions& options) {
  if (options.crew) {
    crew_ = std::make_unique<CrewLoop>(LoopView(base), options);
  } else {
    serial_ = std::make_unique<SerialLoop>(LoopView(base), config);
  }
}

Driver::~Driver() = default;

template <class Function>
decltype(auto) Driver::with_loop(Function function) const {
  return crew_ != nullptr ? function(*crew_) : function(*serial_);
}

void Driver::stop() { crew_.reset(); }

int Driver::run(std::unique_lock<std::mutex>& lock, int flags) {
  return with_loop([&](auto& loop) { return loop.run(lock, flags); });
}

void Driver::due(Task& task) {
  with_loop([&](auto& loop) { loop.due(task); });
}

void Driver::withdrawn(Task& task) {
  with_loop([&](auto& loop) { loop.withdrawn(task); });
}

void Driver::starts(Task& task) {
  with_loop([&](auto& loop) { loop.starts(task); });
}

void Driver::made(Task& task) {
  with_loop([&](auto& loop) { loop.made(task); });
}

void Driver::reach_late_point(Task& task) {
  with_loop([&](auto& loop) { loop.reach_late_point(task); });
}

void Driver::pause() {
  if (crew_ != nullptr) crew_->pause();
}

void Driver::resume() {
  if (crew_ != nullptr) crew_->resume();
}

bool Driver::others_are_blocked() { return crew_ == nullptr || crew_->others_are_blocked(); }

bool Driver::may_exit() const { return crew_ == nullptr || current_task()->found_between_calls; }

void Driver::wake() {
  with_loop([](auto& loop) { loop.wake(); });
}

Task* Driver::timed_call() const {
  return with_loop([](auto& loop) { return loop.timed_call(); });
}

void Driver::after_fork_in_child() {
  with_loop([](auto& loop) { loop.after_fork_in_child(); });
}

}  // namespace heddle::multivent
