#include "threadlab/network/connections.hpp"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <system_error>

namespace heddle::threadlab {
namespace {

constexpr base::Nanoseconds kNoTimer = INT64_MAX;

void start_curl_once() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw std::bad_alloc();
}

}  // namespace

Slot::Slot() : until_(kNoTimer) {
  start_curl_once();
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_ < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
  multi_ = curl_multi_init();
  if (multi_ == nullptr) {
    close(epoll_);
    throw std::bad_alloc();
  }
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &Slot::on_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &Slot::on_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, 4L);
}

Slot::~Slot() {
  curl_multi_cleanup(multi_);
  close(epoll_);
}

int Slot::on_socket(CURL*, curl_socket_t socket, int what, void* slot, void* known) {
  auto* const self = static_cast<Slot*>(slot);
  epoll_event event{};
  event.data.fd = socket;
  if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) event.events |= EPOLLIN;
  if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) event.events |= EPOLLOUT;
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(self->epoll_, EPOLL_CTL_DEL, socket, nullptr);
  } else if (known == nullptr) {
    // A number that was closed behind libcurl's back, and is another socket's now, may still be there.
    if (epoll_ctl(self->epoll_, EPOLL_CTL_ADD, socket, &event) != 0)
      epoll_ctl(self->epoll_, EPOLL_CTL_MOD, socket, &event);
    curl_multi_assign(self->multi_, socket, self);
  } else {
    epoll_ctl(self->epoll_, EPOLL_CTL_MOD, socket, &event);
  }
  return 0;
}

int Slot::on_timer(CURLM*, long timeout_ms, void* slot) {
  static_cast<Slot*>(slot)->until_ =
      timeout_ms < 0 ? kNoTimer : base::monotonic_ns() + base::Nanoseconds{timeout_ms} * 1'000'000;
  return 0;
}

void Slot::work() {
  int running = 0;
  std::array<epoll_event, 8> events{};
  const int count = epoll_wait(epoll_, events.data(), events.size(), 0);
  for (int i = 0; i < count; ++i) {
    const unsigned happened = events[i].events;
    int flags = 0;
    if ((happened & EPOLLIN) != 0) flags |= CURL_CSELECT_IN;
    if ((happened & EPOLLOUT) != 0) flags |= CURL_CSELECT_OUT;
    if ((happened & (EPOLLERR | EPOLLHUP)) != 0) flags |= CURL_CSELECT_ERR;
    curl_multi_socket_action(multi_, events[i].data.fd, flags, &running);
  }
  if (until_ <= base::monotonic_ns()) {
    until_ = kNoTimer;  // libcurl sets it again
    curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
  }
}

Slot* Connections::take(Task& task) {
  const std::lock_guard lock(mutex_);
  if (free_.empty() && slots_.size() < most_) {
    slots_.push_back(std::make_unique<Slot>());
    free_.push_back(slots_.back().get());
  }
  if (free_.empty()) {
    line_.push_back(&task);
    return nullptr;
  }
  Slot* const slot = free_.back();
  free_.pop_back();
  return slot;
}

Task* Connections::hand_on(Slot& slot) {
  if (line_.empty()) {
    free_.push_back(&slot);
    return nullptr;
  }
  Task* const next = line_.front();
  line_.pop_front();
  handed_.push_back({next, &slot});
  return next;
}

Task* Connections::give_back(Slot& slot) {
  const std::lock_guard lock(mutex_);
  return hand_on(slot);
}

Slot* Connections::handed_to(const Task& task) {
  const std::lock_guard lock(mutex_);
  const auto at = std::find_if(handed_.begin(), handed_.end(), [&](const Handed& each) { return each.task == &task; });
  if (at == handed_.end()) return nullptr;
  Slot* const slot = at->slot;
  handed_.erase(at);
  return slot;
}

Task* Connections::leave(const Task& task) {
  const std::lock_guard lock(mutex_);
  std::erase(line_, &task);
  const auto at = std::find_if(handed_.begin(), handed_.end(), [&](const Handed& each) { return each.task == &task; });
  if (at == handed_.end()) return nullptr;
  Slot* const slot = at->slot;
  handed_.erase(at);
  return hand_on(*slot);
}

}  // namespace heddle::threadlab
