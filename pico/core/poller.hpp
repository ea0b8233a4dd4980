// Which descriptors are ready: one epoll instance per worker (epoll(7)), edge-triggered.
//
// A thread first makes its call; only if that would block does it wait here, and then it calls again. So the kernel is
// asked about a descriptor when there is nothing else to do, and a thread that finds data goes on without a switch.
// A descriptor is registered once, when somebody first waits for it, with the worker of that thread; where threads of
// other workers wait for it, with theirs too. An edge that comes while nobody waits is remembered.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/clock.hpp"

namespace heddle::pico {

class Poller;
class Task;

enum class Direction : std::uint8_t { kRead, kWrite };

// What the pollers know of one open descriptor. Objects are never freed, only used again: an event that was already on
// its way when a descriptor was closed then finds another one, whose thread tries its call in vain and waits again.
class Watched {
 public:
  // A fresh one for an open descriptor that does not block.
  static Watched* take(int descriptor);
  // Those that wait are unparked and see closed(); the caller closes the descriptor behind this.
  void give_back();

  int descriptor() const { return descriptor_; }

  // By the running task: returns when the descriptor may be ready, was closed, or the deadline has passed (false).
  // Throws Cancelled; std::logic_error if another task waits for the same.
  bool wait(Direction direction, base::Nanoseconds deadline);

  // The same in steps, for a task that waits for other things as well: whether the descriptor is ready, which the
  // kernel is asked; between arm() and disarm() the task is unparked when it may be, which arm() says is so already.
  // `use` is that of the descriptor that is meant; if that was closed, the first two throw std::system_error, EBADF.
  std::uint64_t use() const;
  bool ready(Direction direction, std::uint64_t use) const;
  bool arm(Direction direction, std::uint64_t use);
  void disarm(Direction direction, std::uint64_t use);

 private:
  friend class Poller;
  struct FreeList;
  static FreeList& free_list();

  struct Side {
    bool ready = false;
    Task* waiter = nullptr;
  };
  Side& side_for(Direction direction);
  void check_use(std::uint64_t use) const;
  void notify(Side& side);
  void notify(bool read, bool write);

  mutable std::mutex mutex_;  // guards what follows
  int descriptor_ = -1;
  std::uint64_t uses_ = 0;  // counts take() and give_back()
  std::array<Side, 2> sides_;
  std::vector<std::uint64_t> registered_;  // numbers of pollers; those of a run that has ended stay

  Watched* next_free_ = nullptr;  // in the list of those that are not in use, under its mutex
};

class Poller {
 public:
  // std::system_error if the kernel gives no descriptor.
  Poller();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Waits until an event has come, wake() was called, or `timeout` has passed: 0 not at all, negative for ever. Makes
  // those ready that wait for what has come.
  void poll(base::Nanoseconds timeout);

  // By any kernel thread.
  void wake();

  // No other poller of this process has had it, or will.
  std::uint64_t number() const { return number_; }

  // How many tasks of this worker wait for descriptors.
  std::size_t waiting() const { return waiting_; }

 private:
  friend class Watched;
  static constexpr int kMostEvents = 256;

  void add(Watched& watched, int descriptor);

  const std::uint64_t number_;
  int epoll_ = -1;
  int event_ = -1;  // eventfd(2), for wake()
  std::size_t waiting_ = 0;
};

}  // namespace heddle::pico
