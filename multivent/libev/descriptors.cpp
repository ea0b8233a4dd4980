// What watchers wait for of descriptors, and epoll.
//
// As in libev, the kernel is told of changes before the next poll only, and not that nobody waits for a descriptor any
// more: mostly it is closed then. What epoll reports all the same is found by the generation of the registration, or by
// events that nobody waits for; then the registration is changed, or all are made anew.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/assert.hpp"
#include "multivent/libev/loop.hpp"
#include "multivent/libev/memory.hpp"

using namespace heddle::multivent;
using namespace heddle::multivent::libev;

namespace {

constexpr unsigned char kChanged = 1;
constexpr unsigned char kAlwaysReady = 0x80;  // in Descriptor::in_kernel: epoll does not take it
constexpr std::size_t kReportsAtFirst = 64;

std::uint32_t epoll_events_of(int events) {
  return (events & kRead ? EPOLLIN : 0U) | (events & kWrite ? EPOLLOUT : 0U);
}

}  // namespace

bool ev_loop::open() {
  constexpr unsigned kOurs = kSelectBackend | kPollBackend | kEpollBackend;
  unsigned wanted = flags & kBackends;
  if (wanted == 0) wanted = kOurs;
  // The best of them gives its name; behind each is epoll, and what epoll does not take is always ready.
  backend = wanted & kEpollBackend ? kEpollBackend : wanted & kPollBackend ? kPollBackend : wanted & kSelectBackend;
  if (backend == 0) return false;
  epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  reports.resize(kReportsAtFirst);
  return epoll_fd >= 0;
}

ev_loop::~ev_loop() {
  for (const int fd : {epoll_fd, wakeup_fd, clock_fd, inotify_fd})
    if (fd >= 0) close(fd);
}

void ev_loop::change(int fd, unsigned char what) {
  Descriptor& descriptor = descriptors[static_cast<std::size_t>(fd)];
  if (descriptor.changed == 0) changes.push_back(fd);
  descriptor.changed |= what;
}

void ev_loop::io_start(ev_io& watcher) {
  if (watcher.active != 0) return;
  HEDDLE_ASSERT(watcher.fd >= 0);
  HEDDLE_ASSERT((watcher.events & ~(kDescriptorSet | kRead | kWrite)) == 0);
  start(watcher);
  const auto at = static_cast<std::size_t>(watcher.fd);
  if (at >= descriptors.size()) descriptors.resize(std::max(at + 1, 2 * descriptors.size()));
  watcher.next = descriptors[at].first;
  descriptors[at].first = &watcher;
  change(watcher.fd, static_cast<unsigned char>((watcher.events & kDescriptorSet) | kChanged));
  watcher.events &= ~kDescriptorSet;
}

void ev_loop::io_stop(ev_io& watcher) {
  clear_pending(watcher);
  if (watcher.active == 0) return;
  HEDDLE_ASSERT(watcher.fd >= 0 && static_cast<std::size_t>(watcher.fd) < descriptors.size());
  Descriptor& descriptor = descriptors[static_cast<std::size_t>(watcher.fd)];
  auto* const following = static_cast<ev_io*>(watcher.next);
  if (descriptor.first == &watcher) {
    descriptor.first = following;
  } else {
    for (ev_watcher_list* each = descriptor.first; each != nullptr; each = each->next) {
      if (each->next != &watcher) continue;
      each->next = following;
      break;
    }
  }
  stop(watcher);
  change(watcher.fd, kChanged);
}

void ev_loop::feed_descriptor(int fd, int revents) {
  if (fd < 0 || static_cast<std::size_t>(fd) >= descriptors.size()) return;
  for (ev_watcher_list* each = descriptors[static_cast<std::size_t>(fd)].first; each != nullptr; each = each->next) {
    auto& watcher = static_cast<ev_io&>(*each);
    if (watcher.events & revents) feed(watcher, watcher.events & revents);
  }
}

// The descriptor cannot be waited for: its watchers are told so, and stopped.
void ev_loop::kill(int fd) {
  while (ev_io* const watcher = descriptors[static_cast<std::size_t>(fd)].first) {
    io_stop(*watcher);
    feed(*watcher, kError | kRead | kWrite);
  }
}

void ev_loop::apply_changes() {
  const std::size_t count = changes.size();
  for (std::size_t i = 0; i < count; ++i) {
    const int fd = changes[i];
    Descriptor& descriptor = descriptors[static_cast<std::size_t>(fd)];
    const int before = descriptor.events;
    const bool set = (std::exchange(descriptor.changed, 0) & kDescriptorSet) != 0;
    int wanted = 0;
    for (const ev_watcher_list* each = descriptor.first; each != nullptr; each = each->next)
      wanted |= static_cast<const ev_io*>(each)->events;
    descriptor.events = static_cast<unsigned char>(wanted);
    if (set || before != descriptor.events) modify(fd, before, descriptor.events);
  }
  changes.erase(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(count));
}

void ev_loop::modify(int fd, int before, int wanted) {
  if (wanted == 0) return;
  Descriptor& descriptor = descriptors[static_cast<std::size_t>(fd)];
  const unsigned char in_kernel = std::exchange(descriptor.in_kernel, static_cast<unsigned char>(wanted));
  epoll_event event{};
  event.events = epoll_events_of(wanted);
  event.data.u64 = static_cast<std::uint32_t>(fd) | (std::uint64_t{++descriptor.generation} << 32);
  const bool registered = before != 0 && in_kernel != wanted;
  if (epoll_ctl(epoll_fd, registered ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event) == 0) return;
  if (errno == ENOENT) {  // it was closed, and is another file now
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0) return;
  } else if (errno == EEXIST) {  // nobody had told the kernel that nobody waited for it
    if (in_kernel == wanted) {
      --descriptor.generation;
      return;
    }
    if (epoll_ctl(epoll_fd, EPOLL_CTL_MOD, fd, &event) == 0) return;
  } else if (errno == EPERM) {
    descriptor.in_kernel = kAlwaysReady;
    if (!(in_kernel & kAlwaysReady)) always_ready.push_back(fd);
    return;
  }
  kill(fd);
  --descriptors[static_cast<std::size_t>(fd)].generation;
}

void ev_loop::poll(Lock& lock, double seconds) {
  constexpr double kMilliseconds = 1e3;
  constexpr double kRoundUp = 0.9999;
  if (!always_ready.empty()) seconds = 0;
  waits = true;
  lock.unlock();
  if (release != nullptr) release(this);
  const int count = epoll_wait(epoll_fd, reports.data(), static_cast<int>(reports.size()),
                               static_cast<int>(seconds * kMilliseconds + kRoundUp));
  const int error = errno;
  if (acquire != nullptr) acquire(this);
  lock.lock();
  waits = false;
  // When what is found becomes due, for the figures; a serial loop asks for those that it keeps.
  if (calls.driver.polls_beside_calls()) calls.last_clock_ns = heddle::base::monotonic_ns();
  if (count < 0) {
    errno = error;
    if (error != EINTR) system_error("(libev) epoll_wait");
    return;
  }
  for (int i = 0; i < count; ++i) {
    epoll_event& report = reports[static_cast<std::size_t>(i)];
    const int fd = static_cast<int>(report.data.u64 & 0xffffffffU);
    Descriptor& descriptor = descriptors[static_cast<std::size_t>(fd)];
    const int wanted = descriptor.events;
    const int found = (report.events & (EPOLLOUT | EPOLLERR | EPOLLHUP) ? kWrite : 0) |
                      (report.events & (EPOLLIN | EPOLLERR | EPOLLHUP) ? kRead : 0);
    if (descriptor.generation != static_cast<std::uint32_t>(report.data.u64 >> 32)) {
      forked |= 2;
      continue;
    }
    if (found & ~wanted) {
      descriptor.in_kernel = static_cast<unsigned char>(wanted);
      report.events = epoll_events_of(wanted);
      if (epoll_ctl(epoll_fd, wanted != 0 ? EPOLL_CTL_MOD : EPOLL_CTL_DEL, fd, &report) != 0) {
        forked |= 2;
        continue;
      }
    }
    // What has changed since the kernel was told is found by the next poll.
    if (descriptor.changed == 0) feed_descriptor(fd, found);
  }
  if (static_cast<std::size_t>(count) == reports.size()) reports.resize(2 * reports.size());
  for (std::size_t i = always_ready.size(); i-- > 0;) {
    const int fd = always_ready[i];
    Descriptor& descriptor = descriptors[static_cast<std::size_t>(fd)];
    const int wanted = descriptor.events & (kRead | kWrite);
    if ((descriptor.in_kernel & kAlwaysReady) && wanted != 0) {
      if (descriptor.changed == 0) feed_descriptor(fd, wanted);
    } else {
      always_ready[i] = always_ready.back();
      always_ready.pop_back();
      descriptor.in_kernel = 0;
    }
  }
}

void ev_loop::rearm_all() {
  for (std::size_t fd = 0; fd < descriptors.size(); ++fd) {
    if (descriptors[fd].events == 0) continue;
    descriptors[fd].events = descriptors[fd].in_kernel = 0;
    change(static_cast<int>(fd), kDescriptorSet | kChanged);
  }
}

void ev_loop::reopen_epoll() {
  close(epoll_fd);
  while ((epoll_fd = epoll_create1(EPOLL_CLOEXEC)) < 0) system_error("(libev) epoll_create");
  rearm_all();
}
