#include "threadlab/models/watch.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace heddle::threadlab {

Watch::Watch() : epoll_(epoll_create1(EPOLL_CLOEXEC)), event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = nullptr;
  if (epoll_ >= 0 && event_ >= 0 && epoll_ctl(epoll_, EPOLL_CTL_ADD, event_, &event) == 0) return;
  const int error = errno;
  if (epoll_ >= 0) close(epoll_);
  if (event_ >= 0) close(event_);
  throw std::system_error(error, std::generic_category(), "epoll");
}

Watch::~Watch() {
  close(epoll_);
  close(event_);
}

void Watch::kick() {
  const std::uint64_t one = 1;
  static_cast<void>(!write(event_, &one, sizeof one));  // it fails only where it is up already
}

bool Watch::add(Task& task, const Step& step, base::Nanoseconds deadline) {
  task.until = std::min(step.until, deadline);
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
  return outdated();
}

void Watch::remove(Task& task, Board::Tasks& due) {
  watched_.erase(&task);
  timers_.erase({task.until, &task});
  due.push_back(&task);
}

Board::Tasks Watch::take_all() {
  Board::Tasks due;
  while (!timers_.empty()) remove(*timers_.begin()->second, due);
  return due;
}

Board::Tasks Watch::wait(Lock& lock, base::Nanoseconds until) {
  waits_until_ = timers_.empty() ? until : std::min(timers_.begin()->first, until);
  const base::Nanoseconds time = std::max<base::Nanoseconds>(waits_until_ - base::monotonic_ns(), 0);
  const timespec timeout{time / 1'000'000'000, time % 1'000'000'000};
  std::array<epoll_event, 64> events{};
  lock.unlock();
  const int count = epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()), &timeout, nullptr);
  lock.lock();
  Board::Tasks due;
  for (int i = 0; i < count; ++i) {
    auto* const task = static_cast<Task*>(events[i].data.ptr);
    if (task == nullptr) {
      std::uint64_t times = 0;
      static_cast<void>(!read(event_, &times, sizeof times));
    } else if (watched_.contains(task) && task->descriptor >= 0) {
      remove(*task, due);  // else a time has come first, and this is of an earlier wait
    }
  }
  const base::Nanoseconds now = base::monotonic_ns();
  while (!timers_.empty() && timers_.begin()->first <= now) remove(*timers_.begin()->second, due);
  return due;
}

}  // namespace heddle::threadlab
