#include "multivent/loop/driver.hpp"

#include "base/assert.hpp"
#include "multivent/loop/crew_loop.hpp"
#include "multivent/loop/serial_loop.hpp"
#include "multivent/loop/turns.hpp"
#include "multivent/owners/owners.hpp"

namespace heddle::multivent {

namespace {

LoopOptions within_limits(LoopOptions options, const event_config& config) {
  if (config.max_dispatch_callbacks != INT_MAX || config.max_dispatch_interval.tv_sec >= 0) options.crew.reset();
  return options;
}

}  // namespace

Driver::Driver(event_base& base, const event_config& config, const LoopOptions& options)
    : base_(base), options_(within_limits(options, config)) {
  if (options_.crew && options_.crewed == Crewed::kAlways) {
    Owners::get().crew_comes();
    crew_ = std::make_unique<CrewLoop>(LoopView(base), options_, nullptr);
    by_crew_ = true;
    return;
  }
  if (options_.crew) turns_ = std::make_unique<Turns>(base.recorder, options_.crewed == Crewed::kInTurn);
  serial_ =
      std::make_unique<SerialLoop>(LoopView(base), config, turns_.get(), turns_ != nullptr ? options_.looks : nullptr);
}

Driver::~Driver() = default;

template <class Function>
decltype(auto) Driver::with_loop(Function function) const {
  return by_crew_ ? function(*crew_) : function(*serial_);
}

void Driver::stop() { crew_.reset(); }

bool Driver::has_hired() const { return by_crew_ && crew_->hirer() == thread_number() && !crew_->runs(); }

void Driver::let_go(base::QuickSync::Lock& lock) { crew_->let_go(lock); }

bool Driver::runs() const { return by_crew_ && crew_->runs(); }

int Driver::run(base::QuickSync::Lock& lock, int flags) {
  // Who has no turns does not look either.
  if (options_.looks != nullptr && turns_ == nullptr) look_for_good(lock);
  // A loop that a handler runs is its caller's alone; those that are entered anew for each pass ask here.
  const bool inner = current_task() != nullptr;
  const bool quiet = base_.active_events.now == 0 || (flags & kOnlyWhatIsDue) != 0;
  if (turns_ != nullptr && (inner ? by_crew_ : quiet && turns_->crew_next() != by_crew_)) change(lock);
  for (;;) {
    const int result = with_loop([&](auto& loop) { return loop.run(lock, flags); });
    if (turns_ != nullptr) turns_->account();
    if (result != kOthersTurn) return result;
    change(lock);
  }
}

void Driver::look_for_good(base::QuickSync::Lock& lock) {
  lock.unlock();
  options_.looks(/*for_good=*/true);
  lock.lock();
}

// What is due passes from one to the other; no call runs.
void Driver::change(base::QuickSync::Lock& lock) {
  if (!by_crew_ && options_.looks != nullptr) look_for_good(lock);
  HEDDLE_ASSERT(base_.running.size() == 0);
  std::unique_ptr<CrewLoop> gone;
  for (const TaskList& due : base_.active)
    for (Task* task = due.first(); task != nullptr; task = task->next) {
      base_.forget_figures(*task);
      withdrawn(*task);
      task->comes_after_exit = false;
    }
  if (by_crew_) {
    gone = std::move(crew_);
    base_.leave_exact_clock();
  } else {
    Owners::get().crew_comes();
    Owners::get().lose_sight();
    crew_ = std::make_unique<CrewLoop>(LoopView(base_), options_, turns_.get());
  }
  by_crew_ = !by_crew_;
  base_.io.use_one_shot(by_crew_);
  base_.timers.follow_libevent(!by_crew_);
  for (const TaskList& due : base_.active)
    for (Task* task = due.first(); task != nullptr; task = task->next) this->due(*task);
  if (gone == nullptr) return;
  // The threads of the crew take the mutex before they end.
  lock.unlock();
  gone.reset();
  lock.lock();
  turns_->begins_alone();
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
  if (by_crew_) crew_->pause();
}

void Driver::resume(bool with_others) {
  if (by_crew_) crew_->resume(with_others);
}

std::size_t Driver::probe_others(std::size_t& from, std::span<base::ThreadProbe> probes) {
  return by_crew_ ? crew_->probe_others(from, probes) : 0;
}

bool Driver::polls() const { return by_crew_ && crew_->polls(); }

bool Driver::may_exit() const { return !by_crew_ || current_task()->found_between_calls; }

void Driver::keep_for_next_loop() {
  if (by_crew_) crew_->keep_for_next_loop();
}

bool Driver::polls_as_one_thread() const { return !by_crew_ || crew_->polled_between_calls(); }

void Driver::found_signal(int signal, int times) {
  if (by_crew_) crew_->found_signal(signal, times);
}

short Driver::has_missed(const event& ev) const { return by_crew_ ? crew_->has_missed(ev) : short{0}; }

void Driver::forget_event(const event_callback& callback) {
  if (by_crew_) crew_->forget_event(callback);
}

void Driver::wake() {
  with_loop([](auto& loop) { loop.wake(); });
}

bool Driver::would_find_later(event& timer) const { return by_crew_ && crew_->would_find_later(timer); }

Task* Driver::timed_call() const {
  return with_loop([](auto& loop) { return loop.timed_call(); });
}

void Driver::after_fork_in_child() {
  with_loop([](auto& loop) { loop.after_fork_in_child(); });
}

}  // namespace heddle::multivent
