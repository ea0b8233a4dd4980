#include "pico/core/worker.hpp"

#include <algorithm>
#include <csignal>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/assert.hpp"
#include "pico/core/backtraces.hpp"
#include "pico/core/cancelled.hpp"
#include "pico/core/overflow.hpp"
#include "pico/core/runtime.hpp"
#include "pico/core/scope.hpp"
#include "pico/record/record.hpp"

namespace heddle::pico {

constinit thread_local Worker* Worker::current_worker = nullptr;

Worker::Worker(Runtime& runtime, std::size_t index)
    : runtime_(runtime),
      index_(index),
      recorder_(Record::of_the_process() == nullptr ? nullptr
                                                    : std::make_unique<Recorder>(*Record::of_the_process(), index)),
      measures_(runtime.options().statistics || recorder_ != nullptr) {}

Worker::~Worker() { HEDDLE_ASSERT(ready_.empty() && offers_.empty() && ended_ == nullptr); }

Worker& Worker::current() {
  if (current_worker == nullptr)
    throw std::logic_error("this is not a pico thread: call it from a function that pico::run() or pico::spawn() runs");
  return *current_worker;
}

inline void Worker::push_ready(Task& task) {
  task.worker_ = this;
  ready_.push_back(task);
}

// With a stack.
inline Task& Worker::next_ready() {
  Task& task = ready_.pop_front();
  if (!task.started()) [[unlikely]]
    start(task);
  return task;
}

// Part of each function that waits: a call more would be two returns more per switch.
[[gnu::always_inline]] inline void Worker::switch_from(Task& task, bool ready_again) {
  if (!task.stack_.intact()) [[unlikely]]
    debug::die_of_overflow(task);
  turn_.store(turn_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  Context* to = &own_;
  Task* next = nullptr;
  if (budget_ > 0 && !ready_.empty()) [[likely]] {
    --budget_;
    next = &next_ready();
    to = next;
  }
  if (measures_) [[unlikely]]
    account(&task, next, ready_again);
  running_ = next;
  task.switch_to(*to, state_);
  if (ended_ != nullptr) bury_ended();
  running_ = &task;
}

// --- The loop ---

void Worker::run() {
  state_ = KernelThreadState::of_this_thread();
  own_.adopt_this_stack();
  const debug::AlternateStack for_overflows;
  current_worker = this;
  probe_ = base::ThreadProbe::of_this_thread();
  handle_ = pthread_self();
  runs_.store(true, std::memory_order_release);
  backtraces_ = Runtime::backtraces_requested();
  while (!runtime_.ended()) {
    take_inbox();
    if (!timers_.empty()) fire_timers();
    if (poller_.waiting() > 0) poller_.poll(0);
    if (const auto requested = Runtime::backtraces_requested(); requested != backtraces_) {
      backtraces_ = requested;
      debug::print_backtraces(*this);
    }
    if (!ready_.empty()) {
      take_own_offer();
    } else if (!take_offers()) {
      rest();
      continue;
    }
    budget_ = kMostSwitches;
    if (recorder_ != nullptr) recorder_->busy();
    switch_from_own();
    if (recorder_ != nullptr) recorder_->idle();
  }
  runtime_.count_stolen(stolen_);
  runs_.store(false, std::memory_order_release);
  current_worker = nullptr;
}

// Asleep in its poller it waits for nobody's call.
bool Worker::blocked_in_task() const {
  return runs_.load(std::memory_order_acquire) && !inbox_.asleep() && probe_.blocked().value_or(false);
}

void Worker::interrupt(int signal) const { pthread_kill(handle_, signal); }

unsigned long long Worker::running_number() const { return running_ == nullptr ? 0 : running_->number(); }

void Worker::switch_from_own() {
  Task* task = &next_ready();
  if (measures_) account(nullptr, task);
  for (;;) {
    running_ = task;
    own_.switch_to(*task, state_);
    if (ended_ != nullptr) bury_ended();
    if (act_ == nullptr) return;
    // A task has something to do that needs this stack; it goes on behind that.
    std::exchange(act_, nullptr)(act_data_);
    task = std::exchange(asker_, nullptr);
  }
}

void Worker::rest() {
  const auto idle = [this] {
    if (runtime_.ended() || Runtime::backtraces_requested() != backtraces_) return false;
    for (std::size_t i = 0; i < runtime_.workers(); ++i)
      if (!runtime_.worker(i).offers_.empty()) return false;
    return true;
  };
  if (!inbox_.rest(idle)) return;
  base::Nanoseconds timeout = -1;
  if (!timers_.empty()) timeout = std::max<base::Nanoseconds>(timers_.next() - base::monotonic_ns(), 0);
  poller_.poll(timeout);
  if (recorder_ != nullptr) recorder_->polled();
  inbox_.get_up();
}

void Worker::take_inbox() {
  for (Task* task = inbox_.take_all(); task != nullptr;) {
    Task* const next = task->next_in_inbox.read();
    make_ready(*task);
    task = next;
  }
}

void Worker::fire_timers() {
  const base::Nanoseconds now = base::monotonic_ns();
  while (Task* const task = timers_.take_due(now)) {
    task->started_part().timer.owner = nullptr;  // it is not in the heap any more
    unpark(*task);
  }
}

bool Worker::wake() {
  if (!inbox_.wake()) return false;
  poller_.wake();
  return true;
}

// --- Tasks that are new ---

void Worker::offer(Task& task) {
  task.worker_ = nullptr;
  if (measures_) task.number_ = static_cast<std::uint64_t>(base::monotonic_ns());
  offers_.push(task);
  runtime_.wake_one();
}

bool Worker::take_offers() {
  if (take_own_offer()) return true;
  for (std::size_t i = 1; i < runtime_.workers(); ++i)
    if (const std::size_t count = offers_.steal_from(runtime_.worker((index_ + i) % runtime_.workers()).offers_)) {
      stolen_ += count;
      return take_own_offer();
    }
  return false;
}

bool Worker::take_own_offer() {
  try {
    Task* const task = offers_.take([this] { make_room(); });
    if (task != nullptr) make_ready(*task);
    return task != nullptr;
  } catch (const std::bad_alloc&) {
    return false;  // it stays where it is until there is memory
  }
}

void Worker::start(Task& task) {
  try {
    task.stack_ = stacks_.take();
  } catch (const std::bad_alloc&) {
    debug::die_without_stack(stacks_in_use_);
  }
  ++stacks_in_use_;
  auto& part = *new (&task.started_part()) Task::Started(task);
  part.behind = started_;
  if (started_ != nullptr) started_->started_part().before = &task;
  started_ = &task;
  part.since = static_cast<base::Nanoseconds>(task.number_);
  task.number_ = runtime_.next_number();
  // All stacks begin at one place in their pages, and a cache keeps but few lines of one such place. So they are used
  // from several places on; a thread that waits still has one page.
  constexpr std::size_t kPlaces = 12;
  constexpr std::size_t kApart = 128;
  char* const top = task.stack_.top() - sizeof(Task::Started) - task.number_ % kPlaces * kApart;
  task.prepare(top, static_cast<std::size_t>(top - task.stack_.bottom()) - Stack::kGuard, enter);
}

void Worker::enter(boost::context::detail::transfer_t from) {
  Worker& me = *current_worker;
  Task& task = *me.running_;
  task.arrived(from);
  if (me.ended_ != nullptr) me.bury_ended();
  me.state_.exceptions->caught = nullptr;
  me.state_.exceptions->uncaught = 0;
  Scope::run(task);
  me.end_running();
}

void Worker::end_running() {
  Task& task = *running_;
  Task::Started& part = task.started_part();
  if (measures_) {
    account(&task, nullptr);
    runtime_.count(part.statistics);
  }
  if (part.before != nullptr) part.before->started_part().behind = part.behind;
  if (part.behind != nullptr) part.behind->started_part().before = part.before;
  if (started_ == &task) started_ = part.behind;
  ended_ = &task;
  if (budget_ > 0 && !ready_.empty()) {
    --budget_;
    Task& next = next_ready();
    if (measures_) account(nullptr, &next);
    running_ = &next;
    task.leave_for_ever(next);
  }
  running_ = nullptr;
  task.leave_for_ever(own_);
}

void Worker::bury_ended() {
  Task* const task = std::exchange(ended_, nullptr);
  if (!task->stack_.intact()) debug::die_of_overflow(*task);
  stacks_.give_back(task->stack_);
  --stacks_in_use_;
  --tasks_;
  task->release();
}

// --- Tasks that run ---

void Worker::make_room() {
  ready_.reserve(tasks_ + 1);
  timers_.reserve(tasks_ + 1);
  ++tasks_;
}

void Worker::before_call() {
  Worker* const me = current_worker;
  if (me == nullptr || me->running_ == nullptr) return;
  if (--me->calls_left_ == 0) [[unlikely]] {
    me->calls_left_ = kMostCalls;
    me->budget_ = 0;  // the loop looks at timers and descriptors
    me->yield();
  }
  if (me->running_->cancelled()) throw Cancelled();
}

void Worker::make_ready(Task& task) {
  if (measures_) [[unlikely]]
    note_ready(task);
  push_ready(task);
}

void Worker::note_ready(Task& task) {
  const base::Nanoseconds now = base::monotonic_ns();
  if (recorder_ != nullptr) recorder_->ready(task.site());
  if (task.started()) {
    Task::Started& part = task.started_part();
    part.statistics.waited += now - std::exchange(part.since, now);
  } else if (task.number_ == 0) {  // otherwise it was ready when it was offered
    task.number_ = static_cast<std::uint64_t>(now);
  }
}

int Worker::looks() const { return runtime_.workers() > 1 && ready_.empty() ? kLooks : 0; }

void Worker::park() {
  Task& task = running();
  if (!task.parking.park()) return;
  switch_from(task, false);
  task.parking.resume();
}

void Worker::park_until(base::Nanoseconds deadline) {
  if (deadline == Timers<Task>::kNever) return park();
  Task& task = running();
  Timer<Task>& timer = task.started_part().timer;
  timer.owner = &task;
  timers_.add(timer, deadline);
  park();
  if (timer.owner != nullptr) timers_.remove(timer);
}

void Worker::yield() {
  Task& task = running();
  if (ready_.empty() && budget_ > 0) {
    --budget_;
    return;
  }
  push_ready(task);
  switch_from(task, true);
}

void Worker::no_task_runs() {
  throw std::logic_error(
      "pico::on_big_stack() was given a function that spawns, waits, or asks for the thread it is in");
}

void Worker::run_on_own_stack(void (*act)(void*), void* data) {
  if (running_ == nullptr) return act(data);  // it is there already
  Task& task = running();
  act_ = act;
  act_data_ = data;
  asker_ = &task;
  running_ = nullptr;
  task.switch_to(own_, state_);
  if (ended_ != nullptr) bury_ended();
  running_ = &task;
}

void Worker::unpark(Task& task) {
  if (!task.parking.unpark()) return;
  Worker& worker = *task.worker_;
  if (&worker == current_worker)
    worker.make_ready(task);
  else
    worker.hand_over(task);
}

void Worker::hand_over(Task& task) {
  if (inbox_.push(task)) poller_.wake();
}

void Worker::account(Task* from, Task* to, bool ready_again) {
  const base::Nanoseconds now = base::monotonic_ns();
  if (from != nullptr) {
    Task::Started& part = from->started_part();
    const base::Nanoseconds start = std::exchange(part.since, now);
    part.statistics.ran += now - start;
    ++part.statistics.switches;
    if (recorder_ != nullptr) {
      const Site& site = from->site();
      recorder_->ended({site, from->number_, part.sequence, part.ready, start, now});
      if (ready_again) recorder_->ready(site);
    }
  }
  if (to != nullptr) {
    Task::Started& part = to->started_part();
    part.statistics.queued += now - part.since;
    part.ready = std::exchange(part.since, now);
    if (recorder_ != nullptr) part.sequence = recorder_->starts();
  }
}

void Worker::visit_parked(void (*visit)(Task& task, Context& own)) {
  for (Task* task = started_; task != nullptr; task = task->started_part().behind) visit(*task, own_);
}

}  // namespace heddle::pico
