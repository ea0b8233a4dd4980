// Threads that work for one purpose, and how they wait for something to do.
//
// To unpark a thread costs more than a short piece of work does, and to unpark several for one piece costs that much
// again for nothing. So the worker that parked last is unparked first, because its cache is warm and the others may
// stay parked; and at most one wake-up is in flight: a worker that is up wakes the next one if it finds more to do than
// it can take. A worker that expects work within the time that parking takes may spin for as long before it parks
// (Karlin et al., Empirical Studies of Competitive Spinning, 1991). No worker spins longer than that, so a pool without
// work is idle.
//
// The pool knows nothing of the work. Its user says when a worker parks, spins or is unparked, and supplies
//   class W : public Worker<Sync>      what it keeps for each worker
//   Mutex                              guards the pool, and whatever says that there is work
//   Thread start(unsigned number, f)   starts a thread that calls f(), and gives it its name and signal mask; throws
//                                      std::system_error or std::bad_alloc where none can be made
//   void serve(Lock&, W& me)           what a hired worker does when it is up; it parks when that returns
//
// Invariants, all under the mutex:
//   W1  A worker is on the stack exactly while it is parked. So a user that looks for work before it lets a worker
//       park, and unparks one when work comes up, loses none.
//   W2  At most one worker is on its way because of unpark_one() or hire(). unpark(), which is for a certain worker,
//       does not count.
//   W3  A hired worker stays in its slot until the pool ends, or lets all go.
// Sync (base/sync.hpp) is replaceable, so that interleavings and memory orders can be explored.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "base/on_exit.hpp"
#include "scheduler/workers/worker.hpp"

namespace heddle::workers {

template <class Sync, class W>
class Pool {
 public:
  using Mutex = typename Sync::Mutex;
  using Lock = typename Sync::Lock;

  // Will hire `most` threads at most. Every function needs the mutex, except where it says otherwise.
  Pool(Mutex& mutex, std::size_t most) : mutex_(mutex), slots_(most) {
    parked_.reserve(most + 1);  // with the user's own thread, so that to park does not fail
  }

  // Without the mutex: joins all that were hired. Whoever is up is waited for until it parks.
  ~Pool() {
    Lock lock(mutex_);
    let_go(lock);
  }

  // Ends all that were hired, and gives up the mutex meanwhile. Whoever is up is waited for until it parks; no other
  // function may be called before it returns.
  void let_go(Lock& lock) {
    const std::size_t count = hired();
    if (count == 0) return;
    shutting_down_ = true;
    for_each_hired([](W& worker) { worker.unparked_.notify_one(); });
    lock.unlock();
    for (std::size_t i = 0; i < count; ++i) slots_[i].read()->thread.join();
    lock.lock();
    for (std::size_t i = 0; i < count; ++i) slots_[i].write().reset();
    hired_.store(0, std::memory_order_relaxed);  // nobody visits them any more
    parked_.clear();
    shutting_down_ = false;
  }

  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // The worker that the calling thread is, of whatever pool of this type; null if it is none. Needs no mutex.
  static W* current() { return current_worker(); }

  // The calling thread is `me` as long as the returned object lives, and then what it was before.
  auto enter(W& me) {
    me.probe_ = Sync::ThreadProbe::of_this_thread();
    me.pool_ = this;
    me.outer_ = std::exchange(current_worker(), &me);
    return base::OnExit([&me] { current_worker() = static_cast<W*>(me.outer_); });
  }

  // The worker of this pool that the calling thread is, maybe on behalf of another one's; null if it is none.
  W* mine() const {
    W* worker = current_worker();
    while (worker != nullptr && worker->pool_ != this) worker = static_cast<W*>(worker->outer_);
    return worker;
  }

  // --- Threads ---

  std::size_t hired() const { return Sync::load_guarded(hired_); }

  // Needs no mutex: visits the workers that were hired before the calling thread looks.
  template <class Visit>
  void for_each_hired(Visit visit) {
    const std::size_t hired = hired_.load(std::memory_order_acquire);  // with hire()'s release
    for (std::size_t i = 0; i < hired; ++i) visit(slots_[i].read()->worker);
  }

  // Starts one more thread, whose wake-up is in flight from then on; false if none can be made. hired() must be less
  // than the most, and no other wake-up in flight. The thread starts with the state of the calling one.
  template <class Start, class Serve>
  bool hire(Start start, Serve serve) {
    HEDDLE_DCHECK(waking_ == nullptr);
    const std::size_t index = hired();
    std::unique_ptr<Hired> hire;
    try {
      hire = std::make_unique<Hired>(static_cast<unsigned>(index + 1));
      Hired& added = *hire;
      added.thread = start(added.worker.number(), [this, &added, serve] { live(added.worker, serve); });
    } catch (const std::system_error&) {
      return false;
    } catch (const std::bad_alloc&) {
      return false;
    }
    waking_ = &hire->worker;  // the thread waits for the mutex
    ++up_;
    slots_[index].write() = std::move(hire);
    hired_.store(index + 1, std::memory_order_release);  // with for_each_hired()'s acquire
    return true;
  }

  // Waits until no hired worker is up or waking.
  void wait_until_all_are_parked(Lock& lock) {
    while (up_ > 0) all_parked_.wait(lock);
  }

  // In the child after fork(): no hired worker exists any more, except `survivor` (null: none), which this thread is.
  void after_fork_in_child(W* survivor) {
    // Threads that do not exist can be neither joined nor destroyed, nor can the conditions that they wait on.
    const std::size_t most = slots_.size();
    static_cast<void>(new Slots(std::move(slots_)));
    slots_ = Slots(most);
    hired_.store(0, std::memory_order_relaxed);  // this thread is the only one
    parked_.clear();
    shutting_down_ = false;
    waking_ = nullptr;
    spinning_ = 0;
    up_ = survivor != nullptr && survivor->hired() ? 1 : 0;
    if (survivor != nullptr) survivor->probe_ = Sync::ThreadProbe::of_this_thread();
  }

  // --- Waiting for work ---

  bool any_parked() const { return !parked_.empty(); }
  bool wake_in_flight() const { return waking_ != nullptr; }

  // Blocks until `me` is unparked or the pool shuts down; gives up the mutex meanwhile.
  void park(Lock& lock, W& me) {
    me.parked_ = true;
    parked_.push_back(&me);
    if (me.hired() && --up_ == 0) all_parked_.notify_one();
    while (me.parked_ && !shutting_down_) me.unparked_.wait(lock);
    arrive(me);
  }

  // Unparks the worker that parked last. There must be one, and no wake-up in flight.
  void unpark_one() {
    HEDDLE_DCHECK(waking_ == nullptr && any_parked());
    waking_ = parked_.back();
    parked_.pop_back();
    wake(*waking_);
  }

  // Unparks `worker`; false if it was not parked.
  bool unpark(W& worker) {
    const auto at = std::find(parked_.begin(), parked_.end(), &worker);
    if (at == parked_.end()) return false;
    parked_.erase(at);
    wake(worker);
    return true;
  }

  unsigned spinning() const { return spinning_; }

  // Waits for notify_spinning() without the mutex, for as long as it takes to park and be unparked. True if it came.
  bool spin(Lock& lock) {
    ++spinning_;
    const base::OnExit over([this] { --spinning_; });
    // Relaxed, as in notify_spinning(): what the news is about is read under the mutex.
    const std::uint64_t before = Sync::load_guarded(news_);
    lock.unlock();
    const auto until = Sync::now() + Sync::kSpinTime;
    bool notified = false;
    int spins = 0;
    do {
      for (int i = 0; i < Sync::kSpinsPerLookAtClock && !notified; ++i) {
        Sync::relax();
        notified = news_.load(std::memory_order_relaxed) != before;
      }
      spins += Sync::kSpinsPerLookAtClock;
    } while (!notified && spins < Sync::kMostSpins && Sync::now() < until);
    lock.lock();
    return notified;
  }

  void notify_spinning() {
    if (spinning_ > 0) news_.store(Sync::load_guarded(news_) + 1, std::memory_order_relaxed);
  }

 private:
  struct Hired {
    explicit Hired(unsigned number) : worker(number) {}
    W worker;
    typename Sync::Thread thread;
  };
  using Slots = std::vector<typename Sync::template Plain<std::unique_ptr<Hired>>>;

  static W*& current_worker() {
    static thread_local W* worker = nullptr;
    return worker;
  }

  // The life of a hired thread.
  template <class Serve>
  void live(W& me, Serve serve) {
    Lock lock(mutex_);
    const auto entered = enter(me);
    arrive(me);
    while (!shutting_down_) {
      serve(lock, me);
      if (!shutting_down_) park(lock, me);
    }
  }

  void arrive(W& me) {
    if (waking_ == &me) waking_ = nullptr;
  }

  void wake(W& worker) {
    worker.parked_ = false;
    if (worker.hired()) ++up_;
    worker.unparked_.notify_one();
  }

  Mutex& mutex_;  // guards all that follows
  // The first hired_ are occupied. Written by hire(); read by for_each_hired() without the mutex: hired_ orders that.
  Slots slots_;
  typename Sync::template Atomic<std::size_t> hired_{0};
  std::vector<W*> parked_;  // a stack
  W* waking_ = nullptr;     // whose wake-up is in flight
  unsigned up_ = 0;         // hired workers that are up or waking
  typename Sync::Condition all_parked_;
  bool shutting_down_ = false;
  unsigned spinning_ = 0;                                  // workers in spin()
  typename Sync::template Atomic<std::uint64_t> news_{0};  // counts notify_spinning(); read without the mutex as well
};

}  // namespace heddle::workers
