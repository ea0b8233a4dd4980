#include "testing/schedule/engine.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <utility>

#include "base/assert.hpp"

namespace heddle::schedule {
namespace {

constexpr std::size_t kStepsShown = 40;
constexpr std::size_t kNone = ~std::size_t{0};

// One choice in this many ends a timed wait, ends an untimed wait, or preempts, as long as spurious wake-ups and
// preemptions are left. Under half of the seeds that preempt all preemptions come early; under the others they are
// spread over a longer schedule.
constexpr std::uint64_t kTimeoutOdds = 12;
constexpr std::uint64_t kSpuriousOdds = 64;
constexpr std::uint64_t kEarlyPreemptionOdds = 10;
constexpr std::uint64_t kLatePreemptionOdds = 80;

thread_local Engine* this_engine = nullptr;
thread_local std::size_t this_task = kNone;

// Only one task runs at a time, so a second core would only make each change of task 5 to 10 times as expensive.
void stay_on(int cpu) {
  if (cpu < 0) return;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(static_cast<std::size_t>(cpu), &only);
  sched_setaffinity(0, sizeof only, &only);
}

}  // namespace

Engine::Engine(std::uint64_t seed, const Limits& limits)
    : limits_(limits),
      random_walk_(seed % 2 == 0),
      preemption_odds_(seed % 4 == 1 ? kEarlyPreemptionOdds : kLatePreemptionOdds),
      cpu_(sched_getcpu()),
      random_(seed),
      spurious_left_(limits.spurious_wakeups),
      preemptions_left_(limits.preemptions) {}

Engine& Engine::current() {
  HEDDLE_ASSERT(this_engine != nullptr);
  return *this_engine;
}

std::string Engine::run(const std::function<void()>& body) {
  Gate gate(gate_);
  running_ = add_task(body);
  tasks_[running_].state = State::kRunning;
  tasks_[running_].chosen.notify_one();
  over_changed_.wait(gate, [this] { return over_; });
  return failure_;
}

std::size_t Engine::add_task(std::function<void()> body) {
  const std::size_t task = tasks_.size();
  tasks_.emplace_back();
  if (this_engine == this) tasks_[task].clock = clock();  // what its parent has done happens before all that it does
  // Detached, because a failed schedule leaves it blocked; it keeps the engine alive.
  std::thread([self = shared_from_this(), task, body = std::move(body)] { self->live(task, body); }).detach();
  return task;
}

void Engine::live(std::size_t task, const std::function<void()>& body) {
  this_engine = this;
  this_task = task;
  stay_on(cpu_);
  {
    Gate gate(gate_);
    tasks_[task].chosen.wait(gate, [&] { return tasks_[task].state == State::kRunning; });
  }
  body();
  Gate gate(gate_);
  tasks_[task].state = State::kEnded;
  wake_all(State::kBlocked, &tasks_[task]);
  if (++ended_ == tasks_.size()) {
    over_ = true;
    over_changed_.notify_one();
    return;
  }
  steps_.push_back({task, "ends"});
  const std::size_t next = choose_next();
  if (next == kNone) return;
  running_ = next;
  tasks_[next].state = State::kRunning;
  tasks_[next].chosen.notify_one();
}

// Leaves the running task in `state` and lets the explorer choose who goes on.
void Engine::pause(const char* operation, State state, const void* waits_for) {
  Gate gate(gate_);
  Task& me = tasks_[this_task];
  me.state = state;
  me.waits_for = waits_for;
  steps_.push_back({this_task, operation});
  if (steps_.size() > kStepsShown) steps_.pop_front();
  hand_over(gate);
}

void Engine::hand_over(Gate& gate) {
  Task& me = tasks_[this_task];
  if (++step_count_ > limits_.steps) give_up("it has not ended after " + std::to_string(limits_.steps) + " steps");
  if (!over_) {
    const std::size_t next = choose_next();
    yields_ = false;
    if (next != kNone) {
      running_ = next;
      tasks_[next].state = State::kRunning;
      if (next != this_task) tasks_[next].chosen.notify_one();
    }
  }
  me.chosen.wait(gate, [&] { return me.state == State::kRunning && !over_; });
}

std::size_t Engine::choose_next() {
  const std::vector<std::size_t> runnable = tasks_in(State::kRunnable);
  const std::vector<std::size_t> timed = tasks_in(State::kTimedWait);
  if (!timed.empty() && (runnable.empty() || draw(kTimeoutOdds) == 0)) return pick(timed);
  if (runnable.empty()) {
    give_up("deadlock: no thread can go on, and not all have ended");
    return kNone;
  }
  const std::vector<std::size_t> waiting = tasks_in(State::kWaiting);
  if (!waiting.empty() && spurious_left_ > 0 && draw(kSpuriousOdds) == 0) {
    --spurious_left_;
    return pick(waiting);
  }
  const bool may_go_on = !yields_ && std::find(runnable.begin(), runnable.end(), running_) != runnable.end();
  if (random_walk_ || !may_go_on) return pick(runnable);
  if (preemptions_left_ == 0 || draw(preemption_odds_) != 0) return running_;
  --preemptions_left_;
  return pick(runnable);
}

std::vector<std::size_t> Engine::tasks_in(State state) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    if (tasks_[i].state == state) found.push_back(i);
  }
  return found;
}

void Engine::wake_all(State state, const void* waits_for) {
  for (Task& task : tasks_) {
    if (task.state == state && task.waits_for == waits_for) task.state = State::kRunnable;
  }
}

void Engine::yield() {
  yields_ = true;
  step("yields");
}

void Engine::lock(const void* mutex) {
  pause("locks", State::kRunnable, nullptr);
  acquire(mutex);
}

void Engine::acquire(const void* mutex) {
  while (locked(mutex)) pause("blocks", State::kBlocked, mutex);
  locked_.push_back(mutex);
}

void Engine::unlock(const void* mutex) {
  HEDDLE_ASSERT(locked(mutex));
  std::erase(locked_, mutex);
  {
    const Gate gate(gate_);
    wake_all(State::kBlocked, mutex);
  }
  pause("unlocks", State::kRunnable, nullptr);
}

// Only the task with the token changes or reads it, and the token is passed under gate_.
bool Engine::locked(const void* mutex) const {
  return std::find(locked_.begin(), locked_.end(), mutex) != locked_.end();
}

void Engine::wait(const void* condition, const void* mutex, bool timed) {
  HEDDLE_ASSERT(locked(mutex));
  std::erase(locked_, mutex);
  {
    const Gate gate(gate_);
    wake_all(State::kBlocked, mutex);
  }
  pause(timed ? "waits for a while" : "waits", timed ? State::kTimedWait : State::kWaiting, condition);
  acquire(mutex);
}

void Engine::notify(const void* condition, bool all) {
  {
    const Gate gate(gate_);
    std::vector<std::size_t> waiters;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const bool waits = tasks_[i].state == State::kWaiting || tasks_[i].state == State::kTimedWait;
      if (waits && tasks_[i].waits_for == condition) waiters.push_back(i);
    }
    if (!all && !waiters.empty()) waiters = {pick(waiters)};
    for (const std::size_t waiter : waiters) tasks_[waiter].state = State::kRunnable;
  }
  pause(all ? "notifies all" : "notifies", State::kRunnable, nullptr);
}

std::size_t Engine::start(std::function<void()> body) {
  std::size_t task = 0;
  {
    const Gate gate(gate_);
    task = add_task(std::move(body));
  }
  pause("starts a thread", State::kRunnable, nullptr);
  return task;
}

void Engine::join(std::size_t task) {
  for (;;) {
    {
      const Gate gate(gate_);
      if (tasks_[task].state == State::kEnded) break;
    }
    pause("joins", State::kBlocked, &tasks_[task]);
  }
  clock().join(tasks_[task].clock);
}

std::size_t Engine::calling_task() const { return this_task; }

VectorClock& Engine::clock() { return tasks_[this_task].clock; }

bool Engine::waits(std::size_t task) {
  const Gate gate(gate_);
  return tasks_[task].state != State::kRunnable && tasks_[task].state != State::kRunning;
}

std::uint64_t Engine::choose(std::uint64_t limit) {
  const Gate gate(gate_);
  return draw(limit);
}

void Engine::fail(const std::string& what) {
  Gate gate(gate_);
  give_up(what);
  for (;;) tasks_[this_task].chosen.wait(gate);
}

void Engine::give_up(const std::string& what) {
  if (over_) return;
  failure_ = what + "; the last steps were:" + last_steps();
  over_ = true;
  over_changed_.notify_one();
}

std::string Engine::last_steps() const {
  std::string text;
  for (const Step& step : steps_) text += "\n  thread " + std::to_string(step.task) + " " + step.operation;
  return text;
}

std::string run_schedule(std::uint64_t seed, const std::function<void()>& body, const Limits& limits) {
  return std::make_shared<Engine>(seed, limits)->run(body);
}

std::string explore(std::uint64_t count, const std::function<void()>& body, const Limits& limits) {
  std::uint64_t first = 0;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets environment variables meanwhile
  if (const char* only = std::getenv("HEDDLE_SCHEDULE_SEED"); only != nullptr) {
    first = std::strtoull(only, nullptr, 10);
    count = 1;
  }
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string failure = run_schedule(seed, body, limits);
    if (!failure.empty()) return "HEDDLE_SCHEDULE_SEED=" + std::to_string(seed) + ": " + failure;
  }
  return {};
}

std::uint64_t choose(std::uint64_t limit) { return Engine::current().choose(limit); }

void fail(const std::string& what) { Engine::current().fail(what); }

}  // namespace heddle::schedule
