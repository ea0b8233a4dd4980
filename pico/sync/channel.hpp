// A queue through which threads hand values to each other, of one worker or of several.
//
// send() waits while `capacity` values are in it, receive() while there is none. After close() nobody may send, and
// receive() gives what is left and then nothing. All of them may wait in a Select (sync/select.hpp).
//
// Who waits is only woken, and then looks again: so a value is never in the hands of somebody who does not take it. A
// waiter that was woken and leaves for another reason (it was cancelled, or takes something else) passes that on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <utility>

#include "pico/core/cancelled.hpp"
#include "pico/core/task.hpp"
#include "pico/sync/wait_list.hpp"
#include "pico/time.hpp"

namespace heddle::pico {

// Somebody sends into a channel that was closed.
class ChannelClosed : public std::logic_error {
 public:
  ChannelClosed() : std::logic_error("send() after close() of a channel") {}
};

template <class T, class Blocker>
class BasicChannel {
 public:
  using Node = Waiting<Blocker>;

  // `capacity` is at least 1.
  explicit BasicChannel(std::size_t capacity) : capacity_(capacity) {
    if (capacity == 0) throw std::invalid_argument("a channel needs room for one value at least");
  }
  BasicChannel(const BasicChannel&) = delete;
  BasicChannel& operator=(const BasicChannel&) = delete;

  // False if there is no room; `value` is as it was then. Throws ChannelClosed.
  bool try_send(T& value) {
    const Lock lock(mutex_);
    if (closed_) throw ChannelClosed();
    if (values_.size() >= capacity_) return false;
    values_.push_back(std::move(value));
    wake(receivers_);
    return true;
  }

  // kNothing: there is no value yet; kEnd: there will be none.
  enum class Found : std::uint8_t { kValue, kNothing, kEnd };
  Found try_receive(std::optional<T>& value) {
    const Lock lock(mutex_);
    if (values_.empty()) return closed_ ? Found::kEnd : Found::kNothing;
    value.emplace(std::move(values_.front()));
    values_.pop_front();
    if (!closed_) wake(senders_);
    return Found::kValue;
  }

  // Nobody can send any more; those that wait go on.
  void close() {
    const Lock lock(mutex_);
    closed_ = true;
    while (wake(receivers_)) {
    }
    while (wake(senders_)) {
    }
  }

  // For those that wait: `node` is woken when try_receive() or try_send() may do something, which arm says is so now.
  bool arm_receive(Node& node) {
    return arm(receivers_, node, [this] { return can_receive(); });
  }
  bool arm_send(Node& node) {
    return arm(senders_, node, [this] { return can_send(); });
  }
  void disarm_receive(Node& node) {
    disarm(receivers_, node, [this] { return can_receive(); });
  }
  void disarm_send(Node& node) {
    disarm(senders_, node, [this] { return can_send(); });
  }

 private:
  using Lock = typename Blocker::Sync::Lock;
  using List = WaitList<Blocker>;

  bool can_receive() const { return closed_ || !values_.empty(); }
  bool can_send() const { return closed_ || values_.size() < capacity_; }

  static bool wake(List& list) {
    Node* const next = list.pop();
    if (next == nullptr) return false;
    next->grant();
    return true;
  }

  template <class Can>
  bool arm(List& list, Node& node, Can can) {
    const Lock lock(mutex_);
    list.push(node);
    return can();
  }

  template <class Can>
  void disarm(List& list, Node& node, Can can) {
    const Lock lock(mutex_);
    if (!node.granted)
      list.remove(node);
    else if (can())
      wake(list);  // what this one was woken for is still there, for the next
  }

  const std::size_t capacity_;
  typename Blocker::Sync::Mutex mutex_;  // guards what follows
  std::deque<T> values_;
  bool closed_ = false;
  List receivers_;
  List senders_;
};

template <class T>
class Channel : public BasicChannel<T, TaskBlocker> {
 public:
  using BasicChannel<T, TaskBlocker>::BasicChannel;

  // False if there is no room until the deadline. Throws ChannelClosed and Cancelled.
  bool send(T value, Time deadline = kNever) {
    detail::check_cancelled_if_any();
    while (!this->try_send(value))
      if (!wait(deadline, &Channel::arm_send, &Channel::disarm_send)) return false;
    return true;
  }

  // Nothing if the channel was closed and is empty, or if there is no value until the deadline. Throws Cancelled.
  std::optional<T> receive(Time deadline = kNever) {
    detail::check_cancelled_if_any();
    std::optional<T> value;
    while (this->try_receive(value) == Channel::Found::kNothing)
      if (!wait(deadline, &Channel::arm_receive, &Channel::disarm_receive)) break;
    return value;
  }

 private:
  using Node = typename BasicChannel<T, TaskBlocker>::Node;

  bool wait(Time deadline, bool (Channel::*begin)(Node&), void (Channel::*end)(Node&)) {
    check_cancelled();
    if (deadline != kNever && Clock::now() >= deadline) return false;
    Node node(TaskBlocker::self());
    if (!(this->*begin)(node)) park_until(deadline);
    (this->*end)(node);
    check_cancelled();
    return true;
  }
};

}  // namespace heddle::pico
