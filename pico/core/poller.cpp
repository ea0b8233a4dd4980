#include "pico/core/poller.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "base/assert.hpp"
#include "base/on_exit.hpp"
#include "pico/core/cancelled.hpp"
#include "pico/core/worker.hpp"

namespace heddle::pico {
namespace {

std::atomic<std::uint64_t> next_poller{0};

[[noreturn]] void throw_errno(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// Linux 5.11 and later take a timeout in nanoseconds; Valgrind 3.19 does not know that call. Elsewhere it is in
// milliseconds, and rounded up, so that nobody spins until a timer is due.
int wait_for_events(int epoll, epoll_event* events, int most, base::Nanoseconds timeout) {
  constexpr base::Nanoseconds kSecond = 1'000'000'000;
  constexpr base::Nanoseconds kMillisecond = 1'000'000;
  if (timeout <= 0) return epoll_wait(epoll, events, most, timeout < 0 ? -1 : 0);
  const timespec wait{timeout / kSecond, timeout % kSecond};
  const int count = epoll_pwait2(epoll, events, most, &wait, nullptr);
  if (count >= 0 || errno != ENOSYS) return count;
  const base::Nanoseconds milliseconds = (timeout - 1) / kMillisecond + 1;
  return epoll_wait(epoll, events, most, static_cast<int>(std::min<base::Nanoseconds>(milliseconds, INT_MAX)));
}

}  // namespace

// Those that are not in use. Never freed: see Watched.
struct Watched::FreeList {
  std::mutex mutex;
  Watched* first = nullptr;
};
Watched::FreeList& Watched::free_list() {
  static auto* const list = new FreeList;
  return *list;
}

Watched* Watched::take(int descriptor) {
  FreeList& list = free_list();
  Watched* watched = nullptr;
  {
    const std::scoped_lock lock(list.mutex);
    watched = list.first;
    if (watched != nullptr) list.first = watched->next_free_;
  }
  if (watched == nullptr) watched = new Watched;
  const std::scoped_lock lock(watched->mutex_);
  watched->descriptor_ = descriptor;
  ++watched->uses_;
  watched->sides_ = {};
  watched->registered_.clear();
  return watched;
}

void Watched::give_back() {
  {
    const std::scoped_lock lock(mutex_);
    descriptor_ = -1;
    ++uses_;
    for (Side& side : sides_) notify(side);
  }
  FreeList& list = free_list();
  const std::scoped_lock lock(list.mutex);
  next_free_ = std::exchange(list.first, this);
}

// Under the mutex.
Watched::Side& Watched::side_for(Direction direction) {
  Side& side = sides_[direction == Direction::kRead ? 0 : 1];
  if (side.waiter != nullptr) throw std::logic_error("two pico threads wait for the same direction of one descriptor");
  Poller& poller = Worker::current().poller();
  // Not by its address, at which that of an earlier run may have been.
  if (std::find(registered_.begin(), registered_.end(), poller.number()) == registered_.end()) {
    poller.add(*this, descriptor_);
    registered_.push_back(poller.number());
  }
  return side;
}

bool Watched::wait(Direction direction, base::Nanoseconds deadline) {
  Worker& worker = Worker::current();
  Task& me = worker.running();
  if (me.cancelled()) throw Cancelled();
  std::unique_lock lock(mutex_);
  const std::uint64_t use = uses_;
  Side& side = side_for(direction);
  ++worker.poller().waiting_;
  const base::OnExit over([&] { --worker.poller().waiting_; });
  while (uses_ == use && !side.ready) {
    if (me.cancelled()) throw Cancelled();
    if (base::monotonic_ns() >= deadline) return false;
    side.waiter = &me;
    lock.unlock();
    worker.park_until(deadline);
    lock.lock();
    if (side.waiter == &me) side.waiter = nullptr;
  }
  if (uses_ == use) side.ready = false;
  return true;
}

std::uint64_t Watched::use() const {
  const std::scoped_lock lock(mutex_);
  return uses_;
}

// Under the mutex.
void Watched::check_use(std::uint64_t use) const {
  if (uses_ != use) throw std::system_error(EBADF, std::generic_category(), "a socket that was closed");
}

bool Watched::ready(Direction direction, std::uint64_t use) const {
  std::unique_lock lock(mutex_);
  check_use(use);
  const int descriptor = descriptor_;
  lock.unlock();
  pollfd asked{descriptor, static_cast<short>(direction == Direction::kRead ? POLLIN : POLLOUT), 0};
  return ::poll(&asked, 1, 0) > 0;
}

bool Watched::arm(Direction direction, std::uint64_t use) {
  Worker& worker = Worker::current();
  const std::scoped_lock lock(mutex_);
  check_use(use);
  Side& side = side_for(direction);
  side.waiter = &worker.running();
  ++worker.poller().waiting_;
  return side.ready;
}

void Watched::disarm(Direction direction, std::uint64_t use) {
  Worker& worker = Worker::current();
  --worker.poller().waiting_;
  const std::scoped_lock lock(mutex_);
  if (uses_ != use) return;  // these are another descriptor's sides
  Side& side = sides_[direction == Direction::kRead ? 0 : 1];
  if (side.waiter == &worker.running()) side.waiter = nullptr;
  side.ready = false;
}

// Under the mutex, so that the waiter is there as long as it takes.
void Watched::notify(Side& side) {
  side.ready = true;
  if (side.waiter == nullptr) return;
  Task& waiter = *side.waiter;
  side.waiter = nullptr;
  Worker::unpark(waiter);
}

void Watched::notify(bool read, bool write) {
  const std::scoped_lock lock(mutex_);
  if (read) notify(sides_[0]);
  if (write) notify(sides_[1]);
}

Poller::Poller() : number_(next_poller.fetch_add(1, std::memory_order_relaxed)), epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (epoll_ < 0) throw_errno("epoll_create1");
  event_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  epoll_event wanted{};
  wanted.events = EPOLLIN | EPOLLET;
  if (event_ < 0 || epoll_ctl(epoll_, EPOLL_CTL_ADD, event_, &wanted) != 0) {
    const int error = errno;
    if (event_ >= 0) close(event_);
    close(epoll_);
    throw std::system_error(error, std::generic_category(), "eventfd");
  }
}

Poller::~Poller() {
  close(event_);
  close(epoll_);
}

void Poller::add(Watched& watched, int descriptor) {
  epoll_event wanted{};
  wanted.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  wanted.data.ptr = &watched;
  // What is open still from an earlier use of the number, a duplicate, say, is told apart by the kernel.
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &wanted) != 0 &&
      (errno != EEXIST || epoll_ctl(epoll_, EPOLL_CTL_MOD, descriptor, &wanted) != 0))
    throw_errno("epoll_ctl");
}

void Poller::poll(base::Nanoseconds timeout) {
  epoll_event events[kMostEvents];
  const int count = wait_for_events(epoll_, events, kMostEvents, timeout);
  for (int i = 0; i < count; ++i) {
    auto* const watched = static_cast<Watched*>(events[i].data.ptr);
    if (watched == nullptr) continue;  // wake(): edge-triggered, so its count may stay as it is
    const std::uint32_t what = events[i].events;
    const bool broken = (what & (EPOLLERR | EPOLLHUP)) != 0;
    watched->notify(broken || (what & (EPOLLIN | EPOLLRDHUP)) != 0, broken || (what & EPOLLOUT) != 0);
  }
}

void Poller::wake() {
  const std::uint64_t one = 1;
  // If the count were as high as it gets, the worker would have been woken.
  static_cast<void>(write(event_, &one, sizeof one));
}

}  // namespace heddle::pico
