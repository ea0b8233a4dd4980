#include "multivent/loop/serial_loop.hpp"

#include <algorithm>
#include <climits>

namespace heddle::multivent {

SerialLoop::SerialLoop(LoopView base, const event_config& config)
    : base_(base),
      most_time_(config.max_dispatch_interval),
      most_calls_(config.max_dispatch_callbacks),
      limited_from_(static_cast<std::size_t>(config.limit_callbacks_after_priority)) {}

// --- Calls ---

void SerialLoop::due(Task& task) {
  if (!base_.recorder().on()) return;
  base_.identify(task);
  task.ready_ns = base_.last_clock_ns();
  task.sequence = ++last_sequence_;
}

void SerialLoop::starts(Task& task) {
  if (base_.recorder().on()) task.start_ns = base_.last_clock_ns();
}

void SerialLoop::made(Task& /*task*/) {
  if (base_.recorder().on()) base_.last_clock_ns() = std::max(base_.last_clock_ns(), figures_clock_.now());
}

void SerialLoop::wake() {
  if (thread_ != this_thread()) base_.kick_once();
}

// --- Passes ---

int SerialLoop::run(Lock& lock, int flags) {
  thread_ = this_thread();
  for (;;) {
    base_.begin_pass();
    if (base_.exit_requested() || base_.break_requested()) return 0;
    if (!(flags & EVLOOP_NO_EXIT_ON_EMPTY) && !base_.has_events() && !base_.any_due()) return 1;
    const bool block = !base_.any_due() && !(flags & EVLOOP_NONBLOCK);
    base_.make_later_events_active();
    if (!poll(lock, block)) return -1;
    if (base_.any_due()) {
      const int made = make_due_calls(lock);
      if ((flags & EVLOOP_ONCE) && !base_.any_due() && made != 0) return 0;
    } else if (flags & EVLOOP_NONBLOCK) {
      return 0;
    }
  }
}

bool SerialLoop::poll(Lock& lock, bool block) {
  base_.forget_time();
  base::Nanoseconds timeout_ns = 0;
  if (block) {
    const auto due = base_.timers_due();
    timeout_ns = due ? time_until(*due, base_.now()) : kForever;
  }
  const int reports = base_.wait(lock, timeout_ns);
  return base_.gather(reports);
}

// The number of calls made that count, or -1 if a break was asked for.
int SerialLoop::make_due_calls(Lock& lock) {
  timeval until{};
  const bool time_is_limited = most_time_.tv_sec >= 0;
  if (time_is_limited) {
    base_.update_time();
    until = plus(base_.now(), most_time_);
  }
  int made = 0;
  for (std::size_t priority = 0; priority < base_.due().size(); ++priority) {
    if (base_.due()[priority].empty()) continue;
    base_.set_running_priority(static_cast<int>(priority));
    const bool exempt = priority < limited_from_;
    made = make_calls(lock, priority, exempt ? INT_MAX : most_calls_, time_is_limited && !exempt ? &until : nullptr);
    if (made != 0) break;  // lower priorities wait for the next poll, unless only internal calls were made
  }
  base_.set_running_priority(-1);
  return made;
}

int SerialLoop::make_calls(Lock& lock, std::size_t priority, int most, const timeval* until) {
  int made = 0;
  while (Task* task = base_.due()[priority].first()) {
    base_.begin(*task);
    made += task->internal ? 0 : 1;
    base_.make(lock, *task, 0);
    if (base_.break_requested()) return -1;
    if (made >= most) return made;
    if (made != 0 && until != nullptr) {
      base_.update_time();
      if (!less(base_.now(), *until)) return made;
    }
    if (base_.continue_requested()) break;
  }
  return made;
}

}  // namespace heddle::multivent
