// What a loop promises to those who write events: order, effects, exceptions, objects.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "scheduler/speculative/speculative.hpp"

namespace heddle::speculative {
namespace {

using Numbers = std::vector<int>;

constexpr Options kParallel{.workers = 3, .way = Way::kParallel, .events_at_once = 1};
constexpr Options kOneThread{.workers = 1, .way = Way::kOneThread};
// Events that share a transaction.
constexpr Options kTogether{.workers = 3, .way = Way::kParallel, .events_at_once = 8};

void wait_a_moment(int number) { std::this_thread::sleep_for(std::chrono::microseconds(37 * (number * 7 % 5))); }

class SpeculativeLoop : public ::testing::TestWithParam<Options> {};

TEST_P(SpeculativeLoop, CountsAsOneThreadDoes) {
  Loop loop(GetParam());
  Cell<int> sum(0);
  for (int i = 1; i <= 100; ++i) {
    loop.post([&, i](Transaction& transaction) {
      wait_a_moment(i);
      sum.set(transaction, 3 * sum.get(transaction) % 1009 + i);
    });
  }
  loop.run();
  int expected = 0;
  for (int i = 1; i <= 100; ++i) expected = 3 * expected % 1009 + i;
  EXPECT_EQ(sum.outside(), expected);
  EXPECT_EQ(loop.figures().events, 100U);
}

TEST_P(SpeculativeLoop, CallsDeferredEffectsInEventOrderAndOnce) {
  Loop loop(GetParam());
  Numbers printed;
  Cell<int> shared(0);
  for (int i = 0; i < 50; ++i) {
    loop.post([&, i](Transaction& transaction) {
      shared.set(transaction, shared.get(transaction) + 1);
      transaction.at_commit([&printed, i] { printed.push_back(i); });
      wait_a_moment(i);
    });
  }
  loop.run();
  Numbers expected(50);
  for (int i = 0; i < 50; ++i) expected[static_cast<std::size_t>(i)] = i;
  EXPECT_EQ(printed, expected);
}

TEST_P(SpeculativeLoop, BeginsExclusiveEventsInTheirTurnAndOnce) {
  Loop loop(GetParam());
  Numbers done;
  for (int i = 0; i < 40; ++i) {
    if (i % 3 == 0) {
      loop.post([&, i](Transaction&) { done.push_back(i); }, Effects::kExclusive);
    } else {
      loop.post([&, i](Transaction& transaction) {
        wait_a_moment(i);
        transaction.exclusive();
        done.push_back(i);
      });
    }
  }
  loop.run();
  ASSERT_EQ(done.size(), 40U);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
}

TEST_P(SpeculativeLoop, PutsSpawnedEventsBehindAllOthersInTheirOrder) {
  Loop loop(GetParam());
  Log<int> order;
  for (int i = 0; i < 5; ++i) {
    loop.post([&, i](Transaction& transaction) {
      wait_a_moment(5 - i);
      order.append(transaction, i);
      for (int k = 0; k < 3; ++k)
        transaction.spawn([&, i, k](Transaction& inner) { order.append(inner, 10 * (i + 1) + k); });
    });
  }
  loop.run();
  const Numbers found(order.outside().begin(), order.outside().end());
  EXPECT_EQ(found, (Numbers{0, 1, 2, 3, 4, 10, 11, 12, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52}));
}

TEST_P(SpeculativeLoop, ThrowsWhatAnEventThrewAndGoesOnBehindIt) {
  Loop loop(GetParam());
  Log<int> done;
  Numbers printed;
  for (int i = 0; i < 12; ++i) {
    loop.post([&, i](Transaction& transaction) {
      done.append(transaction, i);
      transaction.at_commit([&printed, i] { printed.push_back(i); });
      if (i % 5 == 3) throw std::runtime_error(std::to_string(i));
      wait_a_moment(i);
    });
  }
  Numbers thrown;
  std::vector<std::size_t> done_then;
  for (bool over = false; !over;) {
    try {
      loop.run();
      over = true;
    } catch (const std::runtime_error& error) {
      thrown.push_back(std::stoi(error.what()));
      done_then.push_back(done.outside().size());
    }
  }
  EXPECT_EQ(thrown, (Numbers{3, 8}));
  EXPECT_EQ(done_then, (std::vector<std::size_t>{4, 9}));
  EXPECT_EQ(done.outside().size(), 12U);
  EXPECT_EQ(printed.size(), 12U);
}

TEST_P(SpeculativeLoop, ThrowsWhatADeferredEffectThrew) {
  Loop loop(GetParam());
  Cell<int> ran(0);
  loop.post([&](Transaction& transaction) {
    ran.set(transaction, 1);
    transaction.at_commit([] { throw std::runtime_error("no room on the disk"); });
  });
  loop.post([&](Transaction& transaction) { ran.set(transaction, 2); });
  EXPECT_THROW(loop.run(), std::runtime_error);
  EXPECT_EQ(ran.outside(), 1);
  loop.run();
  EXPECT_EQ(ran.outside(), 2);
}

TEST_P(SpeculativeLoop, RunsAnEventAsInASerialProgramIfAnUpdateFailsAtItsCommit) {
  Loop loop(GetParam());
  Cell<int> value(0);
  Cell<std::string> caught;
  const auto must_be_small = [](int& number) {
    if (++number > 3) throw std::runtime_error("too large");
  };
  for (int i = 0; i < 6; ++i) {
    loop.post([&, i](Transaction& transaction) {
      wait_a_moment(i);
      try {
        value.update(transaction, must_be_small);
      } catch (const std::runtime_error& error) {
        caught.set(transaction, caught.get(transaction) + error.what() + std::to_string(i) + ' ');
      }
    });
  }
  loop.run();
  EXPECT_EQ(value.outside(), 6);
  EXPECT_EQ(caught.outside(), "too large3 too large4 too large5 ");
}

TEST_P(SpeculativeLoop, WaitsForEventsFromOutsideWhileItIsHeld) {
  Loop loop(GetParam());
  Cell<int> arrived(0);
  std::thread outside;
  loop.post(
      [&](Transaction&) {
        loop.hold();
        outside = std::thread([&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
          for (int i = 0; i < 10; ++i)
            loop.post([&](Transaction& transaction) { arrived.update(transaction, [](int& n) { ++n; }); });
          loop.release();
        });
      },
      Effects::kExclusive);
  loop.run();
  outside.join();
  loop.run();
  EXPECT_EQ(arrived.outside(), 10);
}

TEST_P(SpeculativeLoop, RunsAgainWithMoreEvents) {
  Loop loop(GetParam());
  Cell<int> count(0);
  for (int round = 1; round <= 30; ++round) {
    for (int i = 0; i < 7; ++i) loop.post([&](Transaction& given) { count.set(given, count.get(given) + 1); });
    loop.run();
    ASSERT_EQ(count.outside(), 7 * round);
  }
}

std::string name_of(const ::testing::TestParamInfo<Options>& tested) {
  return std::vector<std::string>{"Parallel", "OneThread", "Together", "Measured"}[tested.index];
}
INSTANTIATE_TEST_SUITE_P(Ways, SpeculativeLoop,
                         ::testing::Values(kParallel, kOneThread, kTogether, Options{.workers = 2}), name_of);

TEST(SpeculativeCell, ReadsItsOwnWritesAndUpdates) {
  Loop loop(kParallel);
  Cell<int> value(5);
  Numbers seen;
  loop.post([&](Transaction&) {});
  loop.post([&](Transaction& transaction) {
    Numbers found;
    value.update(transaction, [](int& number) { number *= 2; });
    value.update(transaction, [](int& number) { number += 1; });
    found.push_back(value.get(transaction));
    value.set(transaction, 3);
    found.push_back(value.get(transaction));
    value.update(transaction, [](int& number) { number += 4; });
    found.push_back(value.get(transaction));
    transaction.at_commit([&seen, found] { seen = found; });
  });
  loop.run();
  EXPECT_EQ(seen, (Numbers{11, 3, 7}));
  EXPECT_EQ(value.outside(), 7);
}

TEST(SpeculativeCell, UpdatesWithoutALookDoNotConflict) {
  Loop loop(kParallel);
  Cell<int> sum(0);
  for (int i = 0; i < 200; ++i) {
    loop.post([&, i](Transaction& transaction) {
      wait_a_moment(i);
      sum.update(transaction, [i](int& number) { number += i; });
    });
  }
  loop.run();
  EXPECT_EQ(sum.outside(), 199 * 100);
  EXPECT_EQ(loop.figures().stopped, 0U);
}

TEST(SpeculativeCell, OneThatEveryEventReadsAndWritesIsWaitedFor) {
  Loop loop(kParallel);
  Cell<int> sum(0);
  for (int i = 0; i < 300; ++i) {
    loop.post([&, i](Transaction& transaction) {
      const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(100 + i % 7 * 20);
      while (std::chrono::steady_clock::now() < until) continue;
      sum.set(transaction, sum.get(transaction) + 1);
    });
  }
  loop.run();
  EXPECT_EQ(sum.outside(), 300);
  EXPECT_LT(loop.figures().stopped, 100U);  // nearly each of them, if they were not waited for
}

TEST(SpeculativeMap, KeepsKeysOfOneEventFromThoseOfAnother) {
  Loop loop(kParallel);
  Map<int, std::string> map(8);
  Log<int> found;
  for (int i = 0; i < 60; ++i) {
    loop.post([&, i](Transaction& transaction) {
      if (i % 10 == 9) {
        map.erase(transaction, i - 9);
      } else {
        map.put(transaction, i, std::to_string(i));
      }
      if (const auto before = map.find(transaction, i - 1)) found.append(transaction, std::stoi(*before));
    });
  }
  loop.post([&](Transaction& transaction) { found.append(transaction, static_cast<int>(map.size(transaction))); });
  loop.run();
  EXPECT_EQ(found.outside().size(), 54U + 1);
  EXPECT_EQ(found.outside().back(), 54 - 6);
}

TEST(SpeculativeLog, ReadsWhatWasAppendedBeforeAndByItself) {
  Loop loop(kParallel);
  Log<int> log;
  Numbers seen;
  loop.post([&](Transaction& transaction) { log.append(transaction, 1); });
  loop.post([&](Transaction& transaction) {
    log.append(transaction, 2);
    const Numbers found{static_cast<int>(log.size(transaction)), log.at(transaction, 0), log.at(transaction, 1)};
    transaction.at_commit([&seen, found] { seen = found; });
  });
  loop.run();
  EXPECT_EQ(seen, (Numbers{2, 1, 2}));
}

TEST(SpeculativeLoopInAnyOrder, NothingStarves) {
  Loop loop({.workers = 3, .order = Order::kAny, .way = Way::kParallel, .events_at_once = 1, .most_stops = 2});
  Array<int> cells(8, 0);
  Cell<bool> over(false);
  // One event reads all cells slowly, while short ones, which spawn each other, change them.
  for (int i = 0; i < 4; ++i) {
    struct Short {
      Array<int>& cells;
      Cell<bool>& over;
      std::size_t at;
      void operator()(Transaction& transaction) const {
        cells[at].set(transaction, cells[at].get(transaction) + 1);
        if (!over.get(transaction)) transaction.spawn(Short{cells, over, (at + 1) % 8});
      }
    };
    loop.post(Short{cells, over, static_cast<std::size_t>(i)});
  }
  loop.post([&](Transaction& transaction) {
    int sum = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      sum += cells[i].get(transaction);
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
    over.set(transaction, sum >= 0);
  });
  loop.run();
  EXPECT_TRUE(over.outside());
}

}  // namespace
}  // namespace heddle::speculative
