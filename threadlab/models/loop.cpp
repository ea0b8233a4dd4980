#include "threadlab/models/loop.hpp"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <system_error>

namespace heddle::threadlab {
namespace {

scheduler::CrewOptions crew_options(const LoopOptions& options) {
  scheduler::CrewOptions crew;
  crew.handlers_at_once = static_cast<unsigned>(options.workers);
  if (options.workers == 1 && !options.watched) crew.promotion = scheduler::Promotion::kNever;
  return crew;
}

}  // namespace

void Loop::Weight::note(base::Nanoseconds took) {
  long_runs = took > kHeavy_ns ? std::min(long_runs + 3, 2 * kHeavyFrom) : std::max(long_runs - 1, 0);
}

Loop::Loop(Board& board, const LoopOptions& options, std::function<bool(const Task&)> is_here,
           std::function<void(Task&)> elsewhere)
    : board_(board),
      options_(options),
      is_here_(std::move(is_here)),
      elsewhere_(std::move(elsewhere)),
      admission_(conflicts_.constraints()),
      crew_(mutex_, *this, crew_options(options)) {
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  event_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = nullptr;
  if (epoll_ < 0 || event_ < 0 || epoll_ctl(epoll_, EPOLL_CTL_ADD, event_, &event) != 0) {
    const int error = errno;
    if (epoll_ >= 0) close(epoll_);
    if (event_ >= 0) close(event_);
    throw std::system_error(error, std::generic_category(), "epoll");
  }
}

Loop::~Loop() {
  {
    Lock lock(mutex_);
    crew_.let_go(lock);
  }
  close(epoll_);
  close(event_);
}

void Loop::set_name(unsigned number) const {
  const std::string name = number == 0 ? "lab watchdog" : options_.name + " " + std::to_string(number);
  pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
}

void Loop::run() {
  Lock lock(mutex_);
  crew_.run(lock, /*alone=*/options_.workers == 1 && !options_.watched);
}

void Loop::enqueue(Task& task) {
  if (options_.constrained) {
    conflicts_.classify(task);
    task.heavy = weights_[task.command->kind()].long_runs >= Weight::kHeavyFrom;
  } else {
    task.klass = conflicts_.free_class();
    task.heavy = options_.workers > 1;  // whoever is free takes it
  }
  admission_.enqueue(task, base::monotonic_ns());
}

void Loop::post(Task& task) {
  const Lock lock(mutex_);
  enqueue(task);
  crew_.work_came_up();
}

void Loop::wake() {
  const Lock lock(mutex_);
  crew_.work_came_up();
  kick();
}

void Loop::kick() {
  const std::uint64_t one = 1;
  static_cast<void>(!write(event_, &one, sizeof one));  // it fails only where it is up already
}

Loop::Invocation* Loop::take(bool allow_heavy, bool allow_pinned) {
  return admission_.take(allow_heavy, base::monotonic_ns(), std::numeric_limits<std::uint16_t>::max(), allow_pinned);
}

void Loop::hand_out(Lock& lock, const Board::Tasks& due) {
  bool any_elsewhere = false;
  for (Task* const task : due) {
    if (is_here_(*task)) {
      enqueue(*task);
    } else {
      any_elsewhere = true;
    }
  }
  if (!due.empty()) crew_.work_came_up();
  if (!any_elsewhere) return;
  lock.unlock();  // never two loops' mutexes at once
  for (Task* const task : due)
    if (!is_here_(*task)) elsewhere_(*task);
  lock.lock();
}

void Loop::run(Lock& lock, Invocation& invocation) {
  auto& task = static_cast<Task&>(invocation);
  const base::Nanoseconds start = base::monotonic_ns();
  lock.unlock();
  Board::Performed performed = board_.perform(task);
  lock.lock();
  const base::Nanoseconds now = base::monotonic_ns();
  if (options_.constrained) weights_[task.command->kind()].note(now - start);
  admission_.complete(task, now);
  const Step& step = performed.step;
  const bool watches = !board_.busy() && step.then == Step::Then::kWait &&
                       (step.waits_for == Step::For::kSocket || step.waits_for == Step::For::kTimer);
  if (watches) watch(task, step);
  hand_out(lock, board_.settle(task, performed));
}

void Loop::watch(Task& task, const Step& step) {
  task.until = std::min(step.until, board_.deadline());
  task.descriptor = step.descriptor;
  if (step.descriptor >= 0) {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLONESHOT;
    event.data.ptr = &task;
    if (epoll_ctl(epoll_, EPOLL_CTL_MOD, step.descriptor, &event) != 0 &&
        epoll_ctl(epoll_, EPOLL_CTL_ADD, step.descriptor, &event) != 0)
      task.until = 0;  // a descriptor that cannot be watched: the command finds out what is wrong with it
  }
  watched_.insert(&task);
  timers_.emplace(task.until, &task);
  if (crew_.someone_polls() && poll_outdated()) kick();
}

void Loop::unwatch(Task& task) {
  watched_.erase(&task);
  timers_.erase({task.until, &task});
  enqueue(task);
}

void Loop::expire(Lock& lock) {
  if (base::monotonic_ns() < board_.deadline()) return;
  while (!watched_.empty()) unwatch(**watched_.begin());
  hand_out(lock, board_.expire());
}

void Loop::poll(Lock& lock) {
  polls_until_ = timers_.empty() ? board_.deadline() : std::min(timers_.begin()->first, board_.deadline());
  const base::Nanoseconds wait = polls_until_ - base::monotonic_ns();
  // Rounded up, so that what is due then is due when it returns.
  constexpr base::Nanoseconds kMillisecond = 1'000'000;
  const timespec timeout{std::max<base::Nanoseconds>(wait, 0) / (1000 * kMillisecond),
                         std::max<base::Nanoseconds>(wait, 0) % (1000 * kMillisecond)};
  std::array<epoll_event, 64> events{};
  lock.unlock();
  const int count = epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()), &timeout, nullptr);
  lock.lock();
  for (int i = 0; i < count; ++i) {
    auto* const task = static_cast<Task*>(events[i].data.ptr);
    if (task == nullptr) {
      std::uint64_t times = 0;
      static_cast<void>(!read(event_, &times, sizeof times));
    } else if (watched_.contains(task) && task->descriptor >= 0) {
      unwatch(*task);
    }
  }
  const base::Nanoseconds now = base::monotonic_ns();
  while (!timers_.empty() && timers_.begin()->first <= now) unwatch(*timers_.begin()->second);
  expire(lock);
}

}  // namespace heddle::threadlab
