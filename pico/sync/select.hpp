// Waits for the first of several things: a value in a channel, room in one, a descriptor that is ready, a time.
//
//   pico::Select()
//       .receive(results, [&](std::optional<Result> result) { ... })
//       .readable(socket, [&] { ... })
//       .at(deadline, [&] { ... })
//       .wait();
//
// wait() does one of those that can be done, and calls its function; which one, if there are several, is left to
// chance, so that none starves. For one wait().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "pico/io/socket.hpp"
#include "pico/sync/channel.hpp"
#include "pico/time.hpp"

namespace heddle::pico {

class Select {
 public:
  // `act` gets nothing if the channel was closed and is empty.
  template <class T, class Act>
  Select& receive(Channel<T>& channel, Act act) {
    return add(std::make_unique<Receive<T, Act>>(channel, std::move(act)));
  }
  template <class T, class Act>
  Select& send(Channel<T>& channel, T value, Act act) {
    return add(std::make_unique<Send<T, Act>>(channel, std::move(value), std::move(act)));
  }
  // The socket may be read or written now; a call that would wait still may. If it is closed meanwhile, wait() throws
  // std::system_error, EBADF.
  template <class Act>
  Select& readable(Socket& socket, Act act) {
    return add(std::make_unique<Ready<Act>>(socket, Direction::kRead, std::move(act)));
  }
  template <class Act>
  Select& writable(Socket& socket, Act act) {
    return add(std::make_unique<Ready<Act>>(socket, Direction::kWrite, std::move(act)));
  }
  // If nothing else could be done by then. The last one counts.
  Select& at(Time deadline, std::function<void()> act) {
    deadline_ = deadline;
    too_late_ = std::move(act);
    return *this;
  }

  // Throws Cancelled, what the calls throw, and what the functions do.
  void wait();

 private:
  struct Case {
    virtual ~Case() = default;
    // Does it if it can be done.
    virtual bool attempt() = 0;
    virtual bool arm() = 0;
    virtual void disarm() = 0;
  };

  template <class T, class Act>
  struct Receive final : Case {
    Receive(Channel<T>& from, Act on_value) : channel(from), act(std::move(on_value)) {}
    bool attempt() override {
      std::optional<T> value;
      if (channel.try_receive(value) == Channel<T>::Found::kNothing) return false;
      act(std::move(value));
      return true;
    }
    bool arm() override { return channel.arm_receive(node.emplace(TaskBlocker::self())); }
    void disarm() override { channel.disarm_receive(*node); }
    Channel<T>& channel;
    Act act;
    std::optional<Waiting<TaskBlocker>> node;
  };

  template <class T, class Act>
  struct Send final : Case {
    Send(Channel<T>& to, T given, Act on_sent) : channel(to), value(std::move(given)), act(std::move(on_sent)) {}
    bool attempt() override {
      if (!channel.try_send(value)) return false;
      act();
      return true;
    }
    bool arm() override { return channel.arm_send(node.emplace(TaskBlocker::self())); }
    void disarm() override { channel.disarm_send(*node); }
    Channel<T>& channel;
    T value;
    Act act;
    std::optional<Waiting<TaskBlocker>> node;
  };

  template <class Act>
  struct Ready final : Case {
    Ready(Socket& socket, Direction which, Act on_ready)
        : watched(socket.watched()), use(watched.use()), direction(which), act(std::move(on_ready)) {}
    bool attempt() override {
      if (!watched.ready(direction, use)) return false;
      act();
      return true;
    }
    bool arm() override { return watched.arm(direction, use); }
    void disarm() override { watched.disarm(direction, use); }
    Watched& watched;
    std::uint64_t use;  // the socket may be closed, and `watched` be another one's
    Direction direction;
    Act act;
  };

  Select& add(std::unique_ptr<Case> added) {
    cases_.push_back(std::move(added));
    return *this;
  }
  bool attempt_any();

  std::vector<std::unique_ptr<Case>> cases_;
  Time deadline_ = kNever;
  std::function<void()> too_late_;
};

}  // namespace heddle::pico
