// One of the threads that share the work of a pool (pool.hpp): one that the pool has hired, or one that lends itself
// for a while, such as the caller of an event loop.
//
// A worker is
//   up       runs its user's code, with or without the pool's mutex, or spins
//   parked   on the pool's stack, until somebody unparks it
//   waking   unparked, but its thread does not have the mutex yet
// All fields are guarded by the pool's mutex.
#pragma once

namespace heddle::workers {

template <class Sync, class W>
class Pool;

template <class Sync>
class Worker {
 public:
  // 0 for a thread that lends itself; those that the pool hires are numbered from 1.
  explicit Worker(unsigned number = 0) : number_(number) {}

  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  unsigned number() const { return number_; }
  bool hired() const { return number_ != 0; }

  // Of the thread that is this worker now.
  const typename Sync::ThreadProbe& probe() const { return probe_; }

 private:
  template <class S, class W>
  friend class Pool;

  const unsigned number_;
  bool parked_ = false;
  typename Sync::Condition unparked_;
  const void* pool_ = nullptr;  // set by its own thread, before others know it
  Worker* outer_ = nullptr;     // what the thread was before it became this worker
  typename Sync::ThreadProbe probe_;
};

}  // namespace heddle::workers
