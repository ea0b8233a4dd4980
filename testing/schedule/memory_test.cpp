// Litmus tests: small programs whose possible results the C++ memory model settles. Each test says of a result that the
// explorer must find it, or must never see it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <utility>

#include "testing/schedule/explorer.hpp"
#include "testing/schedule/model_sync.hpp"

namespace heddle::schedule {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

using Order = std::memory_order;
using Atomic = ModelAtomic<int>;
using Results = std::set<std::pair<int, int>>;

constexpr Order kRelaxed = std::memory_order_relaxed;
constexpr Order kAcquire = std::memory_order_acquire;
constexpr Order kRelease = std::memory_order_release;
constexpr Order kSeqCst = std::memory_order_seq_cst;
constexpr std::uint64_t kSchedulesEach = 500;

// The pairs that `body(results)` has put in over all schedules.
template <class Body>
Results results_of(Body body) {
  const auto results = std::make_shared<Results>();
  EXPECT_EQ(explore(kSchedulesEach, [&] { body(*results); }), "");
  return *results;
}

std::string pass_message(Order store, Order load) {
  return explore(kSchedulesEach, [=] {
    ModelPlain<int> message;
    ModelAtomic<bool> sent{false};
    ModelThread sender([&] {
      message.write() = 42;
      sent.store(true, store);
    });
    if (sent.load(load) && message.read() != 42) fail("an old message");
    sender.join();
  });
}

TEST(ScheduleMemoryLitmus, AMessageBehindAReleaseStoreIsReadBehindAnAcquireLoad) {
  EXPECT_EQ(pass_message(kRelease, kAcquire), "");
}

TEST(ScheduleMemoryLitmus, AMessageBehindARelaxedStoreOrLoadIsARace) {
  EXPECT_THAT(pass_message(kRelaxed, kAcquire), HasSubstr("a read of plain data beside a write"));
  EXPECT_THAT(pass_message(kRelease, kRelaxed), HasSubstr("a read of plain data beside a write"));
}

TEST(ScheduleMemoryLitmus, AMessageInAnAtomicIsReadLateBehindRelaxedOnly) {
  const auto run = [](Order store, Order load) {
    return results_of([=](Results& results) {
      Atomic message{0};
      Atomic sent{0};
      ModelThread sender([&] {
        message.store(1, kRelaxed);
        sent.store(1, store);
      });
      const int seen = sent.load(load);
      results.emplace(seen, message.load(kRelaxed));
      sender.join();
    });
  };
  EXPECT_THAT(run(kRelaxed, kRelaxed), Contains(std::pair(1, 0)));
  EXPECT_THAT(run(kRelease, kAcquire), Not(Contains(std::pair(1, 0))));
}

Results buffer_stores(Order store, Order load) {
  return results_of([=](Results& results) {
    Atomic x{0};
    Atomic y{0};
    int other_saw = 0;
    ModelThread other([&] {
      y.store(1, store);
      other_saw = x.load(load);
    });
    x.store(1, store);
    const int saw = y.load(load);
    other.join();
    results.emplace(saw, other_saw);
  });
}

TEST(ScheduleMemoryLitmus, TwoThreadsMayBothMissTheOthersStoreUnlessItIsSeqCst) {
  EXPECT_EQ(buffer_stores(kRelaxed, kRelaxed), (Results{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  EXPECT_THAT(buffer_stores(kRelease, kAcquire), Contains(std::pair(0, 0)));
  EXPECT_EQ(buffer_stores(kSeqCst, kSeqCst), (Results{{0, 1}, {1, 0}, {1, 1}}));
}

// Independent reads of independent writes. 10: saw the first store but not the second.
Results read_two_stores_in_both_orders(Order store, Order load) {
  return results_of([=](Results& results) {
    Atomic x{0};
    Atomic y{0};
    int a = 0;
    int b = 0;
    ModelThread writes_x([&] { x.store(1, store); });
    ModelThread writes_y([&] { y.store(1, store); });
    ModelThread reads_x_first([&] {
      a = 10 * x.load(load);
      a += y.load(load);
    });
    b = 10 * y.load(load);
    b += x.load(load);
    for (ModelThread* thread : {&writes_x, &writes_y, &reads_x_first}) thread->join();
    results.emplace(a, b);
  });
}

TEST(ScheduleMemoryLitmus, TwoReadersMayDisagreeAboutTheOrderOfTwoStoresUnlessTheyAreSeqCst) {
  EXPECT_THAT(read_two_stores_in_both_orders(kRelease, kAcquire), Contains(std::pair(10, 10)));
  EXPECT_THAT(read_two_stores_in_both_orders(kSeqCst, kSeqCst), Not(Contains(std::pair(10, 10))));
}

TEST(ScheduleMemoryLitmus, NobodyReadsAnOlderStoreAfterANewerOne) {
  const Results found = results_of([](Results& results) {
    Atomic x{0};
    ModelThread writer([&] {
      x.store(1, kRelaxed);
      x.store(2, kRelaxed);
    });
    const int first = x.load(kRelaxed);
    results.emplace(first, x.load(kRelaxed));
    writer.join();
  });
  EXPECT_EQ(found, (Results{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}));
}

TEST(ScheduleMemoryLitmus, WhatAThreadHasReadIsTheLeastThatThoseWhoLearnOfItRead) {
  const auto body = [] {
    Atomic x{0};
    ModelMutex mutex;
    int seen = 0;
    ModelThread writer([&] { x.store(1, kRelaxed); });
    ModelThread reader([&] {
      const std::unique_lock lock(mutex);
      seen = x.load(kRelaxed);
    });
    {
      const std::unique_lock lock(mutex);
      if (x.load(kRelaxed) < seen) fail("an older store was read than the one that this thread knows to be read");
    }
    writer.join();
    reader.join();
    if (x.load(kRelaxed) != 1) fail("a store of a thread that was joined is not seen");
  };
  EXPECT_EQ(explore(kSchedulesEach, body), "");
}

TEST(ScheduleMemoryLitmus, AChangeReadsTheLastStore) {
  const auto body = [] {
    Atomic count{0};
    ModelThread other([&] { count.fetch_add(1, kRelaxed); });
    count.fetch_add(1, kRelaxed);
    other.join();
    if (count.load(kRelaxed) != 2) fail("an increment was lost");
  };
  EXPECT_EQ(explore(kSchedulesEach, body), "");
}

std::string pass_through_a_third_thread(bool by_change) {
  return explore(kSchedulesEach, [=] {
    ModelPlain<int> message;
    Atomic flag{0};
    ModelThread sender([&] {
      message.write() = 42;
      flag.store(1, kRelease);
    });
    ModelThread between([&] {
      if (by_change) {
        flag.fetch_add(1, kRelaxed);
      } else if (flag.load(kRelaxed) == 1) {
        flag.store(2, kRelaxed);
      }
    });
    if (flag.load(kAcquire) == 2) static_cast<void>(message.read());
    sender.join();
    between.join();
  });
}

TEST(ScheduleMemoryLitmus, ARelaxedChangePassesOnWhatWasReleasedAndARelaxedStoreDoesNot) {
  EXPECT_EQ(pass_through_a_third_thread(true), "");
  EXPECT_THAT(pass_through_a_third_thread(false), HasSubstr("a read of plain data beside a write"));
}

TEST(ScheduleMemoryRace, PlainDataIsOrderedByMutexesAndByStartsAndEndsOfThreads) {
  const auto body = [] {
    ModelPlain<int> data;
    ModelMutex mutex;
    data.write() = 1;
    const auto increment = [&] {
      const std::unique_lock lock(mutex);
      ++data.write();
    };
    ModelThread other(increment);
    increment();
    other.join();
    if (data.read() != 3) fail("an increment was lost");
  };
  EXPECT_EQ(explore(kSchedulesEach, body), "");
}

TEST(ScheduleMemoryRace, AWriteBesideAWriteOrARead) {
  const auto run = [](bool other_writes) {
    return explore(kSchedulesEach, [=] {
      ModelPlain<int> data;
      ModelThread other([&] { other_writes ? static_cast<void>(data.write()) : static_cast<void>(data.read()); });
      data.write() = 1;
      other.join();
    });
  };
  EXPECT_THAT(run(true), HasSubstr("a write of plain data beside a write"));
  EXPECT_THAT(run(false), testing::AnyOf(HasSubstr("a write of plain data beside a read"),
                                         HasSubstr("a read of plain data beside a write")));
}

TEST(ScheduleMemoryRace, AGuardedLoadBesideAStore) {
  const auto run = [](bool guards) {
    return explore(kSchedulesEach, [=] {
      ModelMutex mutex;
      Atomic x{0};
      ModelThread writer([&] {
        const std::unique_lock lock(mutex);
        x.store(1, kRelaxed);
      });
      std::unique_lock lock(mutex, std::defer_lock);
      if (guards) lock.lock();
      static_cast<void>(ModelSync::load_guarded(x));
      if (guards) lock.unlock();
      writer.join();
    });
  };
  EXPECT_EQ(run(true), "");
  EXPECT_THAT(run(false), HasSubstr("a guarded load of an atomic beside a store"));
}

TEST(ScheduleMemoryRace, AnAtomicThatIsHandedOverWithoutOrder) {
  const auto body = [] {
    const auto made = std::make_shared<std::unique_ptr<Atomic>>();
    ModelAtomic<bool> ready{false};
    ModelThread maker([&] {
      *made = std::make_unique<Atomic>(1);
      ready.store(true, kRelaxed);
    });
    if (ready.load(kRelaxed)) static_cast<void>((*made)->load(kRelaxed));
    maker.join();
  };
  EXPECT_THAT(explore(kSchedulesEach, body), HasSubstr("nothing orders this after its initialisation"));
}

}  // namespace
}  // namespace heddle::schedule
