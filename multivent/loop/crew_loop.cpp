#include "multivent/loop/crew_loop.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/assert.hpp"
#include "base/on_exit.hpp"
#include "multivent/calls/watcher_call.hpp"
#include "multivent/program/scratch.hpp"

namespace heddle::multivent {

namespace {

// Has the program put another function or argument into the event since the call became due, or another function into
// the watcher, whose new one is noted?
bool is_for_another(const Task& task) {
  event_callback& callback = *task.callback;
  if (callback.evcb_closure <= kEventPersist) {
    return callback.evcb_cb_union.evcb_callback != task.function.evcb_callback || callback.evcb_arg != task.argument;
  }
  if (callback.evcb_closure != kWatcher) return false;
  const ev_watcher& watcher = *watcher_call_of(callback).watcher;
  const auto function = reinterpret_cast<event_callback_fn>(reinterpret_cast<void (*)()>(watcher.cb));
  // What goes on from a function of ours is known by the program's.
  if (callback.evcb_arg != &watcher || callback.evcb_cb_union.evcb_callback == function) return false;
  callback.evcb_cb_union.evcb_callback = function;
  return true;
}

}  // namespace

CrewLoop::CrewLoop(LoopView base, const LoopOptions& options, Turns* turns)
    : base_(base),
      turns_(turns),
      signals_are_tied_(options.signals_are_tied),
      admission_(base.constraints()),
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): set, as the header says
      crew_(base.mutex(), *this, *options.crew) {
  if (options.oracle) oracle_.emplace(base.constraints());
}

CrewLoop::~CrewLoop() = default;

int CrewLoop::run(Lock& lock, int flags) {
  loop_flags_ = flags;
  only_due_ = (flags & kOnlyWhatIsDue) != 0;
  result_ = made_since_poll_ = 0;
  over_ = failed_ = polled_ = looks_between_calls_ = exiting_ = others_turn_ = poll_quickly_ = clock_is_fresh_ = false;
  pass_priority_ = kAnyPriority;
  const bool alone = current_task() != nullptr;
  if (!alone) {
    entered_ = pthread_self();
    let_strangers_go(lock);
  }
  base_.last_clock_ns() = base::monotonic_ns();
  set_time_of_due();
  due_time_ns_ = 0;
  crew_.run(lock, alone);
  return result_;
}

// Calls function(task) for each that only polls beside calls have found.
template <class Function>
void CrewLoop::for_each_found_beside(Function function) {
  for (const TaskList& due : base_.due())
    for (Task *task = due.first(), *next; task != nullptr; task = next) {
      next = task->next;
      if (!task->found_between_calls) function(*task);
    }
}

// The rest (timers, signals, edges, what is still ready) is as if this poll had found it.
void CrewLoop::find_all_again() {
  for_each_found_beside([this](Task& task) {
    if (task.finding != 0 && !base_.is_still_ready(*task.callback)) {
      base_.unfind(*task.callback);
      return;
    }
    withdrawn(task);
    task.comes_after_exit = false;
    task.found_between_calls = true;
    task.time_ns = 1;  // long ago, so what counts is the time that this poll reads (starts())
    task.priority = task.queue;
    task.round = round_ + rank_of(task);
    admission_.enqueue(task, base_.last_clock_ns());
  });
}

void CrewLoop::keep_for_next_loop() {
  for_each_found_beside([this](Task& task) {
    const std::uint64_t finding = task.finding;
    withdrawn(task);
    task.finding = finding;
    task.comes_after_exit = task.is_held = true;
  });
}

// Threads that were started by another thread that entered the loop before, or under another mask, have a state that
// handlers would not find on this one.
void CrewLoop::let_strangers_go(Lock& lock) {
  sigset_t mask{};
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  if (hirer_ == thread_number() && std::memcmp(&mask, &signal_mask_, sizeof mask) == 0) return;
  hirer_ = thread_number();
  signal_mask_ = mask;
  crew_.let_go(lock);
}

void CrewLoop::let_go(Lock& lock) {
  hirer_ = 0;
  crew_.let_go(lock);
}

// --- A call's life ---

void CrewLoop::due(Task& task) {
  base_.identify(task);
  task.heavy = task.called->heavy();
  task.found_between_calls = !base_.looks_next() || polled_between_calls_;
  any_found_beside_ = any_found_beside_ || !task.found_between_calls;
  task.finding = !task.found_between_calls && base_.is_level_of_descriptor(*task.callback) ? ++last_finding_ : 0;
  task.comes_after_exit = base_.looks_next() && base_.exit_queued() && !polled_between_calls_;
  if (task.comes_after_exit) {
    task.is_held = true;
    return;
  }
  place(task);
  if (base_.looks_next() && !polled_between_calls_ && is_signal(task)) {
    task.is_found_signal = true;
    ++signals_found_;
  }
  // An event is never in two calls at once, whatever its constraints allow. If they forbid it, admission keeps the
  // order; if not, the new call waits here behind the running one.
  const bool ordered = task.klass == scheduler::kUnknownClass || task.called->conflicts_with_itself ||
                       (task.called->conflicts_within_its_session && task.session != 0) || task.strand != 0;
  const auto running_of = [this](event_callback& callback) {
    return callback.evcb_closure == kWatcher ? base_.running().find_watcher(watcher_call_of(callback).watcher)
                                             : base_.running().find(callback);
  };
  // A call that makes a bufferevent still works on it, within one function of libevent, after the loop has it.
  Task* before = task.maker != 0 ? base_.running().find(task.maker) : nullptr;
  if (before == nullptr && !ordered) before = running_of(*task.callback);
  if (before != nullptr) {
    task.next_held = std::exchange(before->held, &task);
    task.is_held = true;
    return;
  }
  admission_.enqueue(task, base_.last_clock_ns());
}

std::uint64_t CrewLoop::rank_of(const Task& task) const {
  if (!is_event(*task.callback)) return 0;
  constexpr std::uint64_t kOfTimers = 1;
  constexpr std::uint64_t kOfCommonTimeouts = kOfTimers + NSIG;
  static_assert(kOfCommonTimeouts < kLastRank);
  const event& ev = event_of(*task.callback);
  if (ev.ev_res & EV_TIMEOUT) return base_.has_common_timeout(ev) ? kOfCommonTimeouts : kOfTimers;
  return ev.ev_events & EV_SIGNAL ? kOfTimers + static_cast<std::uint64_t>(ev.ev_fd) : 0;
}

// One thread polls when the calls of a round are made, and deals with what it finds in the order of descriptors,
// timers, signals by their numbers, and common timeouts. So what polls beside a call find, and what has to wait for
// that call, is one round.
//
// It also reads the clock once for all of that (Task::time_ns), when it polls. What a poll beside calls finds it would
// have found later, so there the time is that of the call's start: it must not be older than libevent's.
void CrewLoop::place(Task& task) {
  task.time_ns = 0;
  if (task.callback->evcb_closure == kWatcher) return;  // its round is what says where it stands
  if (!base_.looks_next()) {
    const Task* const own = base_.own_call();
    task.round = (own != nullptr ? own->round / kRanks * kRanks : round_) + kLastRank;
    if (own != nullptr) task.time_ns = own->time_ns;
    return;
  }
  const std::uint64_t rank = rank_of(task);
  if (polled_between_calls_) {
    task.round = round_ + rank;
    task.time_ns = base_.last_clock_ns();
    return;
  }
  const auto* const blocker =
      static_cast<const Task*>(admission_.running_blocker(task, [](const Invocation&) { return true; }));
  stay_in_pass(task);
  if (blocker != nullptr && task.finding != 0)
    found_beside_[blocker].push_back({&task, task.finding, base_.last_clock_ns()});
  const std::uint64_t behind = blocker != nullptr ? (blocker->round / kRanks + 1) * kRanks : round_;
  task.round = std::min(behind, round_) + rank;
}

// One thread would find it when the pass of the calls that it has to wait for is over: it goes behind the others of
// that pass, however good its priority is.
void CrewLoop::stay_in_pass(Task& task) {
  if (base_.due().size() == 1) return;
  if (ended_ != nullptr) task.priority = std::max(task.priority, ended_->priority);
  admission_.running_blocker(task, [&task](const Invocation& other) {
    task.priority = std::max(task.priority, other.priority);
    return false;
  });
}

bool CrewLoop::is_signal(const Task& task) {
  return is_event(*task.callback) && (event_of(*task.callback).ev_events & EV_SIGNAL) != 0;
}

void CrewLoop::forget_signal(Task& task) {
  if (std::exchange(task.is_found_signal, false)) --signals_found_;
}

// --- Signals that polls beside calls have found ---

void CrewLoop::found_signal(int signal, int times) {
  if (!polled_between_calls_ && base_.running().size() != 0) found_signals_.push_back({signal, times, round_});
}

short CrewLoop::has_missed(const event& ev) const {
  if (found_signals_.empty()) return 0;
  const Task* const own = base_.own_call();
  if (own == nullptr) return 0;
  const auto called = called_for_.find(&ev);
  int times = 0;
  for (std::size_t i = called != called_for_.end() ? called->second : 0; i < found_signals_.size(); ++i) {
    const FoundSignal& found = found_signals_[i];
    if (found.signal == ev.ev_fd && own->round < found.round) times = std::min(times + found.times, SHRT_MAX);
  }
  return static_cast<short>(times);
}

void CrewLoop::signals_call_starts(const Task& task) {
  if (found_signals_.empty() || !is_signal(task)) return;
  called_for_[&event_of(*task.callback)] = found_signals_.size();
}

void CrewLoop::forget_event(const event_callback& callback) {
  called_for_.erase(reinterpret_cast<const event*>(&callback));
}

// Nothing runs: one thread, too, would read the clock now.
void CrewLoop::set_time_of_due() {
  for (const TaskList& due : base_.due())
    for (Task* task = due.first(); task != nullptr; task = task->next) task->time_ns = base_.last_clock_ns();
}

// One thread would poll now, and find all that only polls beside calls have found.
void CrewLoop::begin_round() {
  round_between_calls_ = round_;
  found_signals_.clear();
  called_for_.clear();
  if (std::exchange(any_found_beside_, false)) find_all_again();
}

// One thread would look for these after the calls that they had to wait for: they are due only if it would find them.
void CrewLoop::ask_again(const Task& ended) {
  const auto found = found_beside_.find(&ended);
  if (found == found_beside_.end()) return;
  const std::vector<Finding> findings = std::move(found->second);
  found_beside_.erase(found);
  for (const Finding& finding : findings) {
    Task& task = *finding.task;
    if (task.finding != finding.number) continue;
    const auto counts = [&](const Invocation& other) { return other.start_ns <= finding.found_ns; };
    if (const auto* const blocker = static_cast<const Task*>(admission_.running_blocker(task, counts))) {
      found_beside_[blocker].push_back(finding);
    } else if (!base_.is_still_ready(*task.callback)) {
      base_.unfind(*task.callback);
    }
  }
}

// The call that has begun during a poll may have ended before the poll did: then what that has found waits for nobody.
void CrewLoop::look_again(std::uint64_t found_before) {
  for (const TaskList& due : base_.due())
    for (Task *task = due.first(), *next; task != nullptr; task = next) {
      next = task->next;
      const auto counts = [](const Invocation&) { return true; };
      if (task->finding > found_before && admission_.running_blocker(*task, counts) == nullptr &&
          !base_.is_still_ready(*task->callback))
        base_.unfind(*task->callback);
    }
}

bool CrewLoop::would_find_later(event& timer) {
  if (base_.running().size() == 0) return false;
  const base::Nanoseconds end_ns = to_nanoseconds(without_magic(timer.ev_timeout));
  const auto counts = [end_ns](const Invocation& other) { return other.start_ns <= end_ns; };
  if (const Task* const own = base_.running().find(timer.ev_evcallback)) return counts(*own);
  Task& call = base_.borrow(timer.ev_evcallback);
  const bool waits = admission_.running_blocker(call, counts) != nullptr;
  base_.give_back(call);
  return waits;
}

void CrewLoop::withdrawn(Task& task) {
  forget_signal(task);
  task.finding = 0;
  if (!task.is_held) {
    admission_.cancel(task);
    return;
  }
  task.is_held = false;
  for (Task* before : base_.running())
    for (Task** at = &before->held; *at != nullptr; at = &(*at)->next_held) {
      if (*at != &task) continue;
      *at = task.next_held;
      return;
    }
}

void CrewLoop::made(Task& task) {
  const base::Nanoseconds now = base_.last_clock_ns() = base::monotonic_ns();
  clock_is_fresh_ = true;
  const bool was_heavy = task.called->heavy();
  task.called->ran_for(now - task.start_ns);
  if (turns_ != nullptr) turns_->made(now - task.start_ns);
  if (task.called->heavy() && !was_heavy) expect_long(*task.called);
  if (oracle_) oracle_->finished(&task);
  // One thread would find all signals of this call with one poll, and go by their numbers.
  ended_ = &task;
  if (signals_found_ != 0) base_.gather_signals();
  ended_ = nullptr;
  admission_.complete(task, now);
  if (forked_by_ == &task) {
    forked_by_ = nullptr;
    --paused_;  // this thread looks for what to do next
  }
  // task.held has the latest call first; they are queued in the order in which they became due.
  Task* oldest = nullptr;
  for (Task* held = std::exchange(task.held, nullptr); held != nullptr;) {
    Task* const behind = std::exchange(held->next_held, oldest);
    oldest = std::exchange(held, behind);
  }
  for (; oldest != nullptr; oldest = oldest->next_held) {
    oldest->is_held = false;
    if (oldest->for_owner && base_.identify_again(*oldest, /*begins=*/false)) oldest->heavy = oldest->called->heavy();
    admission_.enqueue(*oldest, now);
  }
  base_.call_ended(task.fd);
  if (!found_beside_.empty()) ask_again(task);
  base_.bring_timers_back();
}

// A call that was queued before its handler was known to run long waits for a place like any other long one.
void CrewLoop::expect_long(const Callee& called) {
  for (const TaskList& queued : base_.due())
    for (Task* task = queued.first(); task != nullptr; task = task->next) {
      if (task->called != &called) continue;
      if (task->is_held) {
        task->heavy = true;
      } else {
        admission_.expect_long(*task);
      }
    }
}

// Does not wait for calls that wait for this one, in event_del() or at a late point: they do nothing meanwhile.
void CrewLoop::reach_late_point(Task& task) {
  if (task.passed_late) return;
  if (!task.called->waits_late) {
    task.passed_late = true;  // the trace says so, for predictions
    return;
  }
  // event_base_foreach_event() has the mutex, so no other call could end. The analyser lets no handler wait that may
  // get here in that way.
  if (base_.is_locked_by_this_thread()) return;
  Lock lock(base_.mutex());
  const auto counts = [&](const Invocation& other) {
    const Task& before = static_cast<const Task&>(other);
    return !before.is_left && !waits_for(before, task);
  };
  while (Invocation* const blocker = admission_.late_blocker(task, counts)) {
    auto* const other = static_cast<Task*>(blocker);
    const std::uint32_t holder = other->handler;
    const std::uint64_t run_id = other->run_id;
    const base::Nanoseconds since = base::monotonic_ns();
    task.awaits = other;
    crew_.handler_waits();
    base_.await_end(lock, run_id);
    base_.recorder().waited_late(task, holder, base::monotonic_ns() - since);
  }
  if (oracle_)
    oracle_->passed_late_point(&task, [&](const void* other) { return counts(*static_cast<const Task*>(other)); });
  task.passed_late = true;
}

// The loop that was paused may have ended, and another crew have come.
void CrewLoop::resume(bool with_others) {
  if (paused_ == 0) return;
  --paused_;
  if (paused_ == 0 && with_others) crew_.work_came_up();
}

void CrewLoop::wake() { crew_.work_came_up(); }

// --- Host of the crew ---

base::Nanoseconds CrewLoop::clock() {
  if (!std::exchange(clock_is_fresh_, false)) base_.last_clock_ns() = base::monotonic_ns();
  return base_.last_clock_ns();
}

bool CrewLoop::queued_below(std::uint16_t priority) const {
  for (std::size_t p = std::size_t{priority} + 1; p < base_.due().size(); ++p)
    if (!base_.due()[p].empty()) return true;
  return false;
}

// Whether one thread would make another call before it polls again.
bool CrewLoop::any_due_in_pass() const {
  const std::size_t last = std::min<std::size_t>(pass_priority_, base_.due().size() - 1);
  for (std::size_t p = 0; p <= last; ++p)
    for (const Task* task = base_.due()[p].first(); task != nullptr; task = task->next)
      if (!task->comes_after_exit) return true;
  return false;
}

// What a call of libevent may go on to can change while the call is queued. Such a call was admitted under constraints
// that are not its own, so it is queued anew.
// So is that of an event or a watcher in which the program has put another callback, or argument, since it became due:
// it calls the one that it has by then.
CrewLoop::Invocation* CrewLoop::admit(bool allow_heavy, base::Nanoseconds now, std::uint16_t max_priority,
                                      bool allow_pinned) {
  for (;;) {
    Invocation* const next = admission_.take(allow_heavy, now, max_priority, allow_pinned);
    if (next == nullptr) return nullptr;
    Task& task = static_cast<Task&>(*next);
    const scheduler::ClassId admitted_as = task.klass;
    if (!(task.for_owner || is_for_another(task)) || !base_.identify_again(task, /*begins=*/true)) return next;
    const scheduler::ClassId klass = std::exchange(task.klass, admitted_as);
    admission_.complete(task, now);
    task.klass = klass;
    task.heavy = task.called->heavy();
    admission_.enqueue(task, now);
  }
}

// A call of a better priority may make others of that priority due, which go before those of a worse one.
std::uint16_t CrewLoop::worst_priority_that_runs() const {
  std::uint16_t worst = kAnyPriority;
  for (const Task* task : base_.running()) worst = std::min(worst, task->queue);
  return worst;
}

CrewLoop::Invocation* CrewLoop::take(bool allow_heavy, bool allow_pinned) {
  // A loop polls before its first call, and what it finds between calls may go before those that are due.
  if (paused_ > 0 || (!polled_ && !only_due_) || looks_between_calls_) return nullptr;
  // event_base_loopcontinue(): what has a better priority goes first. The loop also looks then whether it is to exit.
  if (base_.continue_requested()) {
    poll_quickly_ = true;
    return nullptr;
  }
  const base::Nanoseconds now = clock();
  if (only_due_) return admit(allow_heavy, now, worst_priority_that_runs(), allow_pinned);
  Invocation* next = admit(allow_heavy, now, pass_priority_, allow_pinned);
  if (next == nullptr && pass_priority_ != kAnyPriority && !exiting_ && queued_below(pass_priority_)) {
    if (crew_.someone_polls()) {
      pass_priority_ = kAnyPriority;
      next = admit(allow_heavy, now, kAnyPriority, allow_pinned);
    } else {
      poll_quickly_ = true;
    }
  }
  if (next != nullptr && base_.due().size() > 1 && !exiting_ &&
      (pass_priority_ == kAnyPriority || next->priority > pass_priority_))
    pass_priority_ = next->priority;
  return next;
}

void CrewLoop::run(Lock& lock, Invocation& invocation) {
  Task& task = static_cast<Task&>(invocation);
  forget_signal(task);
  signals_call_starts(task);
  task.finding = 0;
  task.round = std::max(task.round, round_between_calls_);
  if (oracle_) oracle_->started(&task, task.klass, task.session, task.strand);
  base_.begin(task);
  made_since_poll_ += task.internal ? 0 : 1;
  base_.make(lock, task, crew_.this_member());
}

// After one poll at least, so that something is done in each turn.
bool CrewLoop::turn_is_over() {
  if (turns_ == nullptr || step_by_step() || !polled_ || base_.running().size() != 0 || base_.any_due()) return false;
  return !turns_->crew_next();
}

void CrewLoop::poll(Lock& lock) {
  if (turns_ != nullptr) turns_->account();
  others_turn_ = turn_is_over();
  if (others_turn_) return;
  // One thread, too, would poll now: the loop or a pass begins, or event_base_loopcontinue() has ended one.
  polled_between_calls_ = base_.running().size() == 0 && (!polled_ || base_.continue_requested() || !any_due_in_pass());
  base_.begin_pass();
  const bool had_later = base_.any_for_next_pass();
  base_.make_later_events_active();
  const bool block = !had_later && !poll_quickly_ && !(loop_flags_ & EVLOOP_NONBLOCK) &&
                     !((step_by_step() || polled_between_calls_) && base_.any_due());
  poll_quickly_ = false;
  made_since_poll_ = 0;
  base_.forget_time();
  base::Nanoseconds timeout_ns = 0;
  if (block) {
    polls_until_ = base_.timers_due();
    timeout_ns = polls_until_ ? time_until(*polls_until_, to_timeval(clock())) : kForever;
  }
  looks_between_calls_ = polled_between_calls_ && base_.any_due();
  const std::uint64_t begun = base_.running().begun();
  const int reports = base_.wait(lock, timeout_ns);
  looks_between_calls_ = false;
  // Another thread has made something due meanwhile. What the kernel has reported since the call began, one thread
  // would look for behind it.
  const bool call_has_begun = polled_between_calls_ && base_.running().begun() != begun;
  if (call_has_begun) polled_between_calls_ = false;
  const std::uint64_t found_before = last_finding_;
  round_ += kRanks;
  if (polled_between_calls_) begin_round();
  if (!base_.gather(reports)) failed_ = true;
  if (call_has_begun) look_again(found_before);
  if (polled_between_calls_) due_time_ns_ = base_.last_clock_ns();
  polled_ = true;
  clock_is_fresh_ = base_.caches_time();
  pass_priority_ = kAnyPriority;
}

bool CrewLoop::may_poll() const {
  if (only_due_ || over_ || paused_ > 0 || base_.exit_requested()) return false;
  if (!polled_ || base_.continue_requested()) return base_.running().size() == 0;
  if (base_.exit_wanted() && (base_.running().size() != 0 || any_due_in_pass())) return false;
  if (step_by_step())
    return base_.running().size() == 0 && (poll_quickly_ || !base_.any_due() || base_.any_for_next_pass());
  return poll_quickly_ || base_.has_events() || base_.any_for_next_pass() || (loop_flags_ & EVLOOP_NO_EXIT_ON_EMPTY);
}

bool CrewLoop::poll_outdated() const {
  // After event_base_loopcontinue() nothing starts before the next poll, which is made when no call runs any more; and
  // nothing before the first.
  if (base_.continue_requested() || base_.any_for_next_pass() || (!polled_ && base_.any_due())) return true;
  const event* first = base_.next_timer();
  return first != nullptr && (!polls_until_ || less(without_magic(first->ev_timeout), *polls_until_));
}

bool CrewLoop::finished() {
  if (!over_) over_ = is_over();
  return over_;
}

bool CrewLoop::is_over() {
  if (only_due_) return base_.running().size() == 0 && !base_.any_due();
  if (failed_) {
    result_ = -1;
    return true;
  }
  if (base_.break_requested()) return true;
  const bool idle = base_.running().size() == 0;
  if (base_.exit_requested()) {
    exiting_ = true;
    return idle && (base_.continue_requested() || !any_due_in_pass());
  }
  if (!idle || base_.any_due()) return false;
  if (!(loop_flags_ & EVLOOP_NO_EXIT_ON_EMPTY) && !base_.has_events()) {
    // As in one thread, a pass that did something and leaves nothing behind ends an EVLOOP_ONCE with 0.
    result_ = (loop_flags_ & EVLOOP_ONCE) && made_since_poll_ != 0 ? 0 : 1;
    return true;
  }
  if (others_turn_) {
    result_ = Driver::kOthersTurn;
    return true;
  }
  if (!polled_) return false;
  return made_since_poll_ == 0 ? (loop_flags_ & EVLOOP_NONBLOCK) != 0 : (loop_flags_ & EVLOOP_ONCE) != 0;
}

template <class Thread, class Function>
Thread CrewLoop::start_thread(unsigned number, Function function) {
  // A handler finds the signal mask that it would find on the thread that called the loop: it may raise a signal, or
  // wait for one, and what it forks inherits the mask. Where handlers change that, those that depend on it are pinned,
  // and a signal that the caller has blocked must not find another thread. The watchdog runs no handler.
  sigset_t mask = signal_mask_;
  sigset_t before;
  if (number == 0 || signals_are_tied_) {
    sigfillset(&mask);
    // A fault must find the handler that names it.
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&mask, fault);
  }
  pthread_sigmask(SIG_SETMASK, &mask, &before);
  const base::OnExit put_back([&] { pthread_sigmask(SIG_SETMASK, &before, nullptr); });
  Thread thread([body = std::move(function)]() mutable {
    const ThreadScratch own;
    body();
  });
  // Handlers see the name of the thread that they are on, and what they start inherits it.
  char name[16] = "heddle-watchdog";
  if (number == 0 || pthread_getname_np(entered_, name, sizeof name) == 0)
    pthread_setname_np(thread.native_handle(), name);
  return thread;
}

void CrewLoop::after_fork_in_child() {
  // Other threads do not exist in the child, so the calls that they were making never return: they end here.
  Task* const own = base_.own_call();
  std::vector<Task*> lost;
  for (Task* task : base_.running())
    if (task != own) lost.push_back(task);
  for (Task* task : lost) base_.end(*task, 0);
  forked_by_ = own;
  paused_ = own == nullptr ? 0 : own->stands_alone ? 2 : 1;
  crew_.after_fork_in_child(own != nullptr);
  if (own == nullptr) base_.loop_has_gone();
}

}  // namespace heddle::multivent
