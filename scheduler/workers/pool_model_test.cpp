// A pool of workers under every schedule that the explorer finds, with the smallest user that needs all of it: a queue
// of jobs which a thread from outside fills, and which the workers, and the thread that lends itself to them, empty.
//
// What must hold: each job is done once, at most one wake-up is in flight, nobody waits for ever though there are jobs
// (a lost wake-up shows as a deadlock), an observer without the mutex sees complete workers, and all threads are
// joined.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/workers/pool.hpp"
#include "testing/schedule/explorer.hpp"
#include "testing/schedule/model_sync.hpp"

namespace heddle::workers {
namespace {

using schedule::choose;
using schedule::fail;
using schedule::ModelSync;

// The same with every order of an atomic ignored.
template <class T>
struct RelaxedAtomic : schedule::ModelAtomic<T> {
  using schedule::ModelAtomic<T>::ModelAtomic;
  T load(std::memory_order) const { return schedule::ModelAtomic<T>::load(std::memory_order_relaxed); }
  void store(T value, std::memory_order) { schedule::ModelAtomic<T>::store(value, std::memory_order_relaxed); }
};
struct RelaxedSync : ModelSync {
  template <class T>
  using Atomic = RelaxedAtomic<T>;
};

enum class Fault : std::uint8_t { kNone, kParksThoughJobsCame };

template <class Sync>
struct CountingWorker : Worker<Sync> {
  using Worker<Sync>::Worker;
  unsigned jobs = 0;
};

template <class Sync>
class Jobs {
 public:
  using MyWorker = CountingWorker<Sync>;
  using Lock = typename Sync::Lock;

  explicit Jobs(Fault fault)
      : fault_(fault), most_(choose(3)), expected_(1 + static_cast<unsigned>(choose(5))), pool_(mutex_, most_) {}

  void run() {
    typename Sync::Thread adder([this] { add_all(); });
    typename Sync::Thread observer([this] {
      for (int i = 0; i < 3; ++i) pool_.for_each_hired([](const MyWorker& worker) { check(worker.number() != 0); });
    });
    {
      Lock lock(mutex_);
      const auto entered = pool_.enter(lent_);
      work(lock, lent_);
      pool_.wait_until_all_are_parked(lock);
      check(working_ == 0 && !pool_.wake_in_flight());
      unsigned done = lent_.jobs;
      pool_.for_each_hired([&](const MyWorker& worker) { done += worker.jobs; });
      check(done == expected_);
    }
    adder.join();
    observer.join();
  }

 private:
  static void check(bool holds) {
    if (!holds) fail("an expectation does not hold");
  }

  void add_all() {
    for (unsigned i = 0; i < expected_; ++i) {
      const Lock lock(mutex_);
      ++queued_;
      ensure_progress();
    }
  }

  void ensure_progress() {
    if (queued_ == 0 || pool_.wake_in_flight()) return;
    if (pool_.spinning() > 0) {
      pool_.notify_spinning();
    } else if (pool_.any_parked()) {
      check(waking_ == nullptr && !hiring_);
      waking_ = parked_.back();
      parked_.pop_back();
      pool_.unpark_one();
    } else if (pool_.hired() < most_) {
      check(waking_ == nullptr && !hiring_);
      hiring_ = true;
      pool_.hire([](unsigned, auto body) { return typename Sync::Thread(std::move(body)); },
                 [this](Lock& lock, MyWorker& me) { serve(lock, me); });
    }
  }

  void serve(Lock& lock, MyWorker& me) {
    hiring_ = false;
    if (waking_ == &me) waking_ = nullptr;
    work(lock, me);
    parked_.push_back(&me);  // the pool parks it when this returns
  }

  void work(Lock& lock, MyWorker& me) {
    bool spun = false;  // in vain
    while (finished_ < expected_) {
      if (queued_ > 0) {
        --queued_;
        ensure_progress();
        do_one(lock, me);
        spun = false;
      } else if (!spun && choose(2) == 0) {
        spun = !pool_.spin(lock);
      } else {
        park(lock, me);
        spun = false;
      }
    }
    std::erase(parked_, &lent_);
    pool_.unpark(lent_);
  }

  void park(Lock& lock, MyWorker& me) {
    if (fault_ == Fault::kParksThoughJobsCame) {
      lock.unlock();
      lock.lock();
    }
    parked_.push_back(&me);
    pool_.park(lock, me);
    if (waking_ == &me) waking_ = nullptr;
  }

  void do_one(Lock& lock, MyWorker& me) {
    ++working_;
    lock.unlock();
    Sync::relax();
    lock.lock();
    --working_;
    ++me.jobs;
    ++finished_;
  }

  const Fault fault_;
  const std::size_t most_;
  typename Sync::Mutex mutex_;  // guards all that follows
  MyWorker lent_;
  const unsigned expected_;  // jobs
  unsigned queued_ = 0;
  unsigned working_ = 0;
  unsigned finished_ = 0;
  std::vector<MyWorker*> parked_;  // a copy of the pool's stack
  MyWorker* waking_ = nullptr;     // whose wake-up is in flight
  bool hiring_ = false;            // a new worker is on its way
  Pool<Sync, MyWorker> pool_;      // its threads use the rest
};

template <class Sync>
std::string explore_jobs(Fault fault) {
  return schedule::explore(HEDDLE_SCHEDULES, [=] { Jobs<Sync>(fault).run(); });
}

TEST(WorkersModel, NoWakeUpIsLostOneIsInFlightAndAllAreJoined) { EXPECT_EQ(explore_jobs<ModelSync>(Fault::kNone), ""); }

TEST(WorkersModel, AUserThatParksWithoutALookIsNoticed) {
  EXPECT_THAT(explore_jobs<ModelSync>(Fault::kParksThoughJobsCame), testing::HasSubstr("deadlock"));
}

TEST(WorkersModel, HiringNeedsItsReleaseAndAcquireForObserversWithoutTheMutex) {
  EXPECT_THAT(explore_jobs<RelaxedSync>(Fault::kNone), testing::HasSubstr("a read of plain data beside a write"));
}

}  // namespace
}  // namespace heddle::workers
