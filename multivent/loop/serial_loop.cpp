#include "multivent/loop/serial_loop.hpp"

#include <algorithm>
#include <climits>
#include <utility>

namespace heddle::multivent {

namespace {

constexpr base::Nanoseconds kTimesCallsFor_ns = 1'000'000'000;
constexpr base::Nanoseconds kLongestWait_ns = 1'000'000'000;  // where somebody looks

}  // namespace

SerialLoop::SerialLoop(LoopView base, const event_config& config, Turns* turns, void (*looks)(bool for_good))
    : base_(base),
      turns_(turns),
      looks_(looks),
      most_time_(config.max_dispatch_interval),
      most_calls_(config.max_dispatch_callbacks),
      limited_from_(static_cast<std::size_t>(config.limit_callbacks_after_priority)),
      sampler_(/*every=*/base.recorder().traces()) {}

// --- Calls ---

void SerialLoop::due(Task& task) {
  const bool own = (task.callback->evcb_flags & EVLIST_INTERNAL) != 0;
  const std::uint32_t times = base_.recorder().on() && !own ? sampler_.take() : 0;
  if (times == 0) {
    task.stands_for = 0;
    task.called = nullptr;
    return;
  }
  base_.identify(task);
  task.stands_for = times;
  read_clock();
  task.ready_ns = base_.last_clock_ns();
  task.sequence = ++last_sequence_;
}

void SerialLoop::starts(Task& task) {
  if (task.stands_for == 0) return;
  if (sampler_.leaves_out()) read_clock();
  task.start_ns = base_.last_clock_ns();
}

void SerialLoop::made(Task& task) {
  if (times_calls_) {
    const base::Nanoseconds now = clock().now();
    const base::Nanoseconds took = now - std::exchange(call_began_ns_, now);
    if (took > kHeavy_ns) in_long_ns_ += took;
  }
  if (task.stands_for != 0) read_clock();
}

void SerialLoop::wake() {
  if (thread_ != this_thread()) base_.kick_once();
}

// --- Passes ---

int SerialLoop::run(Lock& lock, int flags) {
  thread_ = this_thread();
  if (flags & kOnlyWhatIsDue) {
    if (looks_ != nullptr && turns_ != nullptr && turns_->look_is_due()) look(lock);
    return turns_ == nullptr ? make_all_due(lock) : make_due_calls_watched(lock, /*all=*/true);
  }
  const bool may_change = turns_ != nullptr && current_task() == nullptr && !(flags & (EVLOOP_ONCE | EVLOOP_NONBLOCK));
  for (bool polled = false;; polled = true) {
    base_.begin_pass();
    if (base_.exit_requested() || base_.break_requested()) return 0;
    if (!(flags & EVLOOP_NO_EXIT_ON_EMPTY) && !base_.has_events() && !base_.any_due()) return 1;
    const base::Nanoseconds passed_ns = std::exchange(passed_ns_, 0);
    if (may_change && polled && !base_.any_due() &&
        turns_->crew_next(passed_ns != 0 ? passed_ns : turns_->clock().now()))
      return Driver::kOthersTurn;
    if (looks_ != nullptr && turns_ != nullptr && turns_->look_is_due()) look(lock);
    const bool block = !base_.any_due() && !(flags & EVLOOP_NONBLOCK);
    base_.make_later_events_active();
    if (!poll(lock, block)) return -1;
    if (base_.any_due()) {
      const int made = turns_ == nullptr ? make_due_calls(lock) : make_due_calls_watched(lock, /*all=*/false);
      if ((flags & EVLOOP_ONCE) && !base_.any_due() && made != 0) return 0;
    } else if (flags & EVLOOP_NONBLOCK) {
      return 0;
    }
  }
}

// What others make due meanwhile is found like what they make due during a poll.
void SerialLoop::look(Lock& lock) {
  lock.unlock();
  looks_(/*for_good=*/false);
  lock.lock();
}

bool SerialLoop::poll(Lock& lock, bool block) {
  base_.forget_time();
  base::Nanoseconds timeout_ns = 0;
  if (block) {
    const auto due = base_.timers_due();
    timeout_ns = due ? time_until(*due, base_.now()) : kForever;
    // One that finds nothing is not noticed: it is like one that a signal has ended.
    if (looks_ != nullptr && !base_.has_look_timer() && (timeout_ns == kForever || timeout_ns > kLongestWait_ns))
      timeout_ns = kLongestWait_ns;
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

// The same, and tells of it who decides whose turn it is.
int SerialLoop::make_due_calls_watched(Lock& lock, bool all) {
  const base::Nanoseconds began_ns = call_began_ns_ = turns_->clock().now();
  times_calls_ = began_ns < times_calls_until_ns_;
  in_long_ns_ = 0;
  made_ = 0;
  const int made = all ? make_all_due(lock) : make_due_calls(lock);
  passed_ns_ = turns_->clock().now();
  const base::Nanoseconds took_ns = passed_ns_ - began_ns;
  if (took_ns > kHeavy_ns) times_calls_until_ns_ = began_ns + took_ns + kTimesCallsFor_ns;
  times_calls_ = false;
  turns_->made(made_, took_ns, in_long_ns_);
  return made;
}

// Each call may make others due that go before the rest.
int SerialLoop::make_all_due(Lock& lock) {
  while (base_.any_due()) {
    const auto best =
        std::find_if(base_.due().begin(), base_.due().end(), [](const auto& list) { return !list.empty(); });
    Task& task = *best->first();
    base_.begin(task);
    base_.make(lock, task, 0);
    ++made_;
  }
  return 0;
}

int SerialLoop::make_calls(Lock& lock, std::size_t priority, int most, const timeval* until) {
  int made = 0;
  while (Task* task = base_.due()[priority].first()) {
    base_.begin(*task);
    made += task->internal ? 0 : 1;
    base_.make(lock, *task, 0);
    ++made_;
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
