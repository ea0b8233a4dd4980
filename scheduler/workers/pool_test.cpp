#include "scheduler/workers/pool.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/sync.hpp"

namespace heddle::workers {
namespace {

using base::StdSync;
using std::chrono::milliseconds;

struct TestWorker : Worker<StdSync> {
  using Worker::Worker;
};
using TestPool = Pool<StdSync, TestWorker>;
using Lock = TestPool::Lock;

class WorkersTest : public testing::Test {
 protected:
  // Hires a worker that notes its number each time it is up, and returns once that is parked again.
  void hire() {
    Lock lock(mutex_);
    pool_.hire([](unsigned, auto body) { return base::Thread(std::move(body)); },
               [this](Lock& held, TestWorker& me) { note(held, me); });
    wait_until_parked(lock);
  }

  void unpark_one() {
    Lock lock(mutex_);
    pool_.unpark_one();
    wait_until_parked(lock);
  }

  void wait_until_parked(Lock& lock) {
    pool_.wait_until_all_are_parked(lock);
    EXPECT_FALSE(pool_.wake_in_flight());
  }

  void note(Lock&, const TestWorker& me) {
    EXPECT_EQ(TestPool::current(), &me);
    up_.push_back(me.number());
  }

  std::mutex mutex_;
  std::vector<unsigned> up_;
  TestPool pool_{mutex_, 3};
};

TEST_F(WorkersTest, TheOneThatParkedLastIsUnparkedFirst) {
  hire();
  hire();
  hire();
  unpark_one();
  EXPECT_EQ(up_, (std::vector<unsigned>{1, 2, 3, 3}));
  {
    Lock lock(mutex_);
    pool_.for_each_hired([&](TestWorker& worker) {
      if (worker.number() == 1) pool_.unpark(worker);
    });
    wait_until_parked(lock);
  }
  unpark_one();
  EXPECT_EQ(up_, (std::vector<unsigned>{1, 2, 3, 3, 1, 1}));
}

TEST_F(WorkersTest, AWakeUpIsInFlightUntilItsWorkerIsUp) {
  hire();
  Lock lock(mutex_);
  EXPECT_TRUE(pool_.any_parked());
  pool_.unpark_one();
  EXPECT_TRUE(pool_.wake_in_flight());
  EXPECT_FALSE(pool_.any_parked());
  wait_until_parked(lock);
}

TEST_F(WorkersTest, AThreadThatLendsItselfParksUntilItIsUnparked) {
  TestWorker lent;
  std::thread other;
  {
    Lock lock(mutex_);
    const auto entered = pool_.enter(lent);
    EXPECT_EQ(TestPool::current(), &lent);
    other = std::thread([&] {
      for (bool done = false; !done;) {
        const Lock held(mutex_);
        done = pool_.any_parked();
        pool_.unpark(lent);
      }
    });
    pool_.park(lock, lent);
    EXPECT_FALSE(pool_.any_parked());
  }
  EXPECT_EQ(TestPool::current(), nullptr);
  other.join();
}

TEST_F(WorkersTest, WhoSpinsIsNotifiedAndGivesUpSoonIfNot) {
  Lock lock(mutex_);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(pool_.spin(lock));
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(500));
  EXPECT_EQ(pool_.spinning(), 0U);
  lock.unlock();

  std::thread other([this] {
    for (bool done = false; !done;) {
      const Lock held(mutex_);
      done = !up_.empty();
      pool_.notify_spinning();
    }
  });
  lock.lock();
  while (!pool_.spin(lock)) {
  }
  up_.push_back(0);
  lock.unlock();
  other.join();
}

TEST_F(WorkersTest, AHiredWorkerCanBeProbed) {
  hire();
  const Lock lock(mutex_);
  pool_.for_each_hired([](TestWorker& worker) {
    EXPECT_GT(worker.probe().cpu_time().count(), 0);
    bool blocked = false;
    for (int i = 0; i < 1000 && !blocked; ++i) {
      blocked = worker.probe().blocked().value_or(true);
      if (!blocked) std::this_thread::sleep_for(milliseconds(1));
    }
    EXPECT_TRUE(blocked);
  });
}

TEST_F(WorkersTest, AThreadThatCannotBeStartedLeavesThePoolAsItWas) {
  const auto refuse = [](unsigned, auto) -> base::Thread { throw std::system_error(EAGAIN, std::generic_category()); };
  {
    const Lock lock(mutex_);
    EXPECT_FALSE(pool_.hire(refuse, [](Lock&, TestWorker&) {}));
    EXPECT_EQ(pool_.hired(), 0U);
    EXPECT_FALSE(pool_.wake_in_flight());
  }
  hire();
  EXPECT_EQ(up_, std::vector<unsigned>{1});
}

TEST_F(WorkersTest, WhereAllWereLetGoOthersCanBeHired) {
  hire();
  hire();
  {
    Lock lock(mutex_);
    pool_.let_go(lock);
    EXPECT_EQ(pool_.hired(), 0U);
    EXPECT_FALSE(pool_.any_parked());
  }
  hire();
  unpark_one();
  EXPECT_EQ(up_, (std::vector<unsigned>{1, 2, 1, 1}));
}

TEST_F(WorkersTest, InAForkedChildNobodyIsHired) {
  hire();
  hire();
  TestWorker lent;
  const Lock lock(mutex_);
  const auto entered = pool_.enter(lent);
  const pid_t child = fork();
  if (child == 0) {
    pool_.after_fork_in_child(&lent);
    const bool fresh = pool_.hired() == 0 && !pool_.any_parked() && !pool_.wake_in_flight();
    _exit(fresh && !lent.probe().blocked().value_or(true) ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace heddle::workers
