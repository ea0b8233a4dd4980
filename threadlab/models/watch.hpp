// Descriptors and times that tasks wait for (epoll(7)).
//
// Guarded by the mutex of its owner, but for kick(). One thread at a time waits.
#pragma once

#include <mutex>
#include <set>
#include <utility>

#include "base/clock.hpp"
#include "threadlab/models/board.hpp"

namespace heddle::threadlab {

class Watch {
 public:
  using Lock = std::unique_lock<std::mutex>;

  // std::system_error if the kernel gives no descriptor.
  Watch();
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // `task` waits as `step` says, and not beyond `deadline`. True if whoever waits now would return too late for it.
  bool add(Task& task, const Step& step, base::Nanoseconds deadline);
  // Those whose descriptor can be read, or whose time has come; waits for them until `until`, without the mutex, but
  // not after a kick().
  Board::Tasks wait(Lock& lock, base::Nanoseconds until);
  // All of them, whether what they wait for has come or not.
  Board::Tasks take_all();
  // wait(), if a thread is in it, would return too late for what is known now.
  bool outdated() const { return !timers_.empty() && timers_.begin()->first < waits_until_; }
  // By any thread: wait() returns soon, also one that is only about to begin.
  void kick();

 private:
  void remove(Task& task, Board::Tasks& due);

  int epoll_ = -1;
  int event_ = -1;  // eventfd(2), for kick()
  std::set<std::pair<base::Nanoseconds, Task*>> timers_;
  std::set<const Task*> watched_;
  base::Nanoseconds waits_until_ = 0;
};

}  // namespace heddle::threadlab
