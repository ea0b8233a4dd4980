#include "testing/schedule/model_sync.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <set>
#include <vector>

#include "base/sync.hpp"

namespace heddle::schedule {
namespace {

using ::testing::HasSubstr;

// A queue that hands integers to several consumers. Unless `kNotifiesAllOnClose` it has a bug: close() wakes only one.
template <class Sync, bool kNotifiesAllOnClose>
class Queue {
 public:
  void put(int value) {
    {
      const typename Sync::Lock lock(mutex_);
      values_.push_back(value);
    }
    changed_.notify_one();
  }

  void close() {
    {
      const typename Sync::Lock lock(mutex_);
      closed_ = true;
    }
    if (kNotifiesAllOnClose) {
      changed_.notify_all();
    } else {
      changed_.notify_one();
    }
  }

  // False when the queue is closed and empty.
  bool get(int& value) {
    typename Sync::Lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !values_.empty(); });
    if (values_.empty()) return false;
    value = values_.front();
    values_.pop_front();
    return true;
  }

 private:
  typename Sync::Mutex mutex_;
  typename Sync::Condition changed_;
  std::deque<int> values_;
  bool closed_ = false;
};

template <class Sync, bool kNotifiesAllOnClose>
int sum_through_queue() {
  Queue<Sync, kNotifiesAllOnClose> queue;
  std::vector<int> sums(2, 0);
  std::vector<typename Sync::Thread> consumers;
  consumers.reserve(sums.size());
  for (int& sum : sums) {
    consumers.emplace_back([&queue, &sum] {
      for (int value = 0; queue.get(value);) sum += value;
    });
  }
  for (int i = 1; i <= 3; ++i) queue.put(i);
  queue.close();
  for (auto& consumer : consumers) consumer.join();
  return sums[0] + sums[1];
}

// Tests the flag without the mutex and then sleeps: whoever sets it in between wakes nobody.
void wait_that_tests_too_early() {
  ModelMutex mutex;
  ModelCondition changed;
  bool ready = false;
  ModelThread setter([&] {
    const std::unique_lock lock(mutex);
    ready = true;
    changed.notify_one();
  });
  std::unique_lock lock(mutex);
  const bool was_ready = ready;
  lock.unlock();
  lock.lock();
  if (!was_ready) changed.wait(lock);
  lock.unlock();
  setter.join();
}

TEST(ScheduleExplorer, FindsALostWakeUpAndReplaysItFromItsSeed) {
  const Limits no_spurious{.spurious_wakeups = 0};
  const std::string failure = explore(200, wait_that_tests_too_early, no_spurious);
  EXPECT_THAT(failure, HasSubstr("deadlock"));
  const std::string prefix = "HEDDLE_SCHEDULE_SEED=";
  ASSERT_EQ(failure.find(prefix), 0U);
  const std::uint64_t seed = std::stoull(failure.substr(prefix.size()));
  EXPECT_EQ(prefix + std::to_string(seed) + ": " + run_schedule(seed, wait_that_tests_too_early, no_spurious), failure);
}

TEST(ScheduleExplorer, FindsThatClosingAQueueMustWakeEveryConsumer) {
  EXPECT_THAT(explore(2000, sum_through_queue<ModelSync, false>), HasSubstr("deadlock"));
}

TEST(ScheduleExplorer, PassesACorrectQueue) {
  const auto body = [] {
    if (sum_through_queue<ModelSync, true>() != 6) fail("an element was lost or came twice");
  };
  EXPECT_EQ(explore(500, body), "");
}

TEST(ScheduleExplorer, TheSameCodeRunsOnTheOperatingSystemsPrimitives) {
  EXPECT_EQ((sum_through_queue<base::StdSync, true>()), 6);
}

TEST(ScheduleExplorer, FindsThatTwoLocksInOppositeOrderDeadlock) {
  const auto body = [] {
    ModelMutex a;
    ModelMutex b;
    ModelThread other([&] {
      const std::unique_lock first(b);
      const std::unique_lock second(a);
    });
    {
      const std::unique_lock first(a);
      const std::unique_lock second(b);
    }
    other.join();
  };
  EXPECT_THAT(explore(200, body), HasSubstr("deadlock"));
}

TEST(ScheduleExplorer, FindsALostUpdateBetweenTwoCriticalSections) {
  const auto body = [] {
    ModelMutex mutex;
    int counter = 0;
    const auto increment = [&] {
      std::unique_lock lock(mutex);
      const int seen = counter;
      lock.unlock();
      lock.lock();
      counter = seen + 1;
    };
    ModelThread other(increment);
    increment();
    other.join();
    if (counter != 2) fail("an increment was lost");
  };
  EXPECT_THAT(explore(200, body), HasSubstr("an increment was lost"));
}

TEST(ScheduleExplorer, ATimedWaitEndsThoughNobodyNotifies) {
  const auto body = [] {
    ModelMutex mutex;
    ModelCondition never;
    std::unique_lock lock(mutex);
    ModelSync::wait_for(never, lock, std::chrono::hours(1));
  };
  EXPECT_EQ(explore(20, body), "");
}

TEST(ScheduleExplorer, GivesUpOnAProgramThatDoesNotEnd) {
  const auto body = [] {
    ModelMutex mutex;
    for (;;) const std::unique_lock lock(mutex);
  };
  EXPECT_THAT(run_schedule(0, body, {.steps = 100}), HasSubstr("not ended after 100 steps"));
}

TEST(ScheduleExplorer, VisitsEveryOrderOfThreeIndependentThreads) {
  auto orders = std::make_shared<std::set<std::vector<int>>>();
  const auto body = [orders] {
    ModelMutex mutex;
    std::vector<int> order;
    std::vector<ModelThread> threads;
    threads.reserve(3);
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&, i] {
        const std::unique_lock lock(mutex);
        order.push_back(i);
      });
    }
    for (ModelThread& thread : threads) thread.join();
    orders->insert(order);
  };
  EXPECT_EQ(explore(300, body), "");
  EXPECT_EQ(orders->size(), 6U);
}

}  // namespace
}  // namespace heddle::schedule
