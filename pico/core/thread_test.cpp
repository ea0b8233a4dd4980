// Threads, their results, scopes, cancellation, time; with one worker and with several.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "pico/pico.hpp"

namespace heddle::pico {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using ::testing::ElementsAre;

Options with(std::size_t workers) {
  Options options;
  options.workers = workers;
  return options;
}

TEST(PicoThread, RunReturnsWhatItsFunctionReturns) {
  EXPECT_EQ(pico::run([] { return std::string("done"); }), "done");
}

TEST(PicoThread, JoinGivesTheResult) {
  const int sum = pico::run([] {
    auto left = spawn([] { return 20; });
    auto right = spawn([] { return 22; });
    return left.join() + right.join();
  });
  EXPECT_EQ(sum, 42);
}

TEST(PicoThread, JoinThrowsWhatTheThreadHasThrown) {
  pico::run([] {
    auto thread = spawn([]() -> int { throw std::runtime_error("broken"); });
    EXPECT_THROW(thread.join(), std::runtime_error);
  });
}

TEST(PicoThread, RunThrowsWhatNobodyAskedFor) {
  EXPECT_THROW(pico::run([] { spawn([] { throw std::runtime_error("broken"); }); }), std::runtime_error);
}

TEST(PicoThread, RunThrowsWhatADroppedHandleWouldHaveGiven) {
  EXPECT_THROW(pico::run([] {
                 const auto thread = spawn([] { throw std::runtime_error("broken"); });
                 sleep_for(milliseconds(1));
               }),
               std::runtime_error);
}

TEST(PicoThread, AHandleThatIsDroppedBehindTheThrowCancelsTheOthers) {
  EXPECT_THROW(pico::run([] {
                 {
                   const auto thread = spawn([] { throw std::runtime_error("broken"); });
                   sleep_for(milliseconds(1));
                 }
                 sleep_for(hours(1));
               }),
               std::runtime_error);
}

TEST(PicoThread, AHandleThatIsDroppedInAnotherScopeFailsItsOwn) {
  pico::run([] {
    Scope scope;
    std::optional<Thread<void>> thread = scope.spawn([] { throw std::runtime_error("broken"); });
    scope.spawn([] { sleep_for(hours(1)); });
    spawn([&] { thread.reset(); });
    EXPECT_THROW(scope.join(), std::runtime_error);
  });
}

TEST(PicoThread, AHandleThatOutlivesItsScopeMayStillBeJoined) {
  pico::run([] {
    Thread<void> thread;
    {
      Scope scope;
      thread = scope.spawn([] { throw std::runtime_error("broken"); });
      scope.join();
    }
    EXPECT_THROW(thread.join(), std::runtime_error);
  });
}

TEST(PicoThread, AHandleThatOutlivesItsScopeAndIsDroppedFailsTheRun) {
  EXPECT_THROW(pico::run([] {
                 Thread<void> thread;
                 {
                   Scope scope;
                   thread = scope.spawn([] { throw std::runtime_error("broken"); });
                   scope.join();
                 }
                 thread = {};
                 sleep_for(hours(1));
               }),
               std::runtime_error);
}

TEST(PicoThread, AHandleMayOutliveTheRunAndHasTheResult) {
  Thread<int> thread;
  Thread<int> dropped;
  pico::run([&] {
    thread = spawn([] { return 7; });
    dropped = spawn([] { return 8; });
  });
  EXPECT_EQ(thread.join(), 7);
}

TEST(PicoThread, RunThrowsWhatAHandleThatOutlivesItHasNotAskedFor) {
  Thread<int> joined;
  Thread<int> dropped;
  EXPECT_THROW(pico::run([&] {
                 joined = spawn([]() -> int { throw std::runtime_error("broken"); });
                 dropped = spawn([]() -> int { throw std::runtime_error("broken too"); });
               }),
               std::runtime_error);
  EXPECT_THROW(joined.join(), std::runtime_error);
}

TEST(PicoThread, HandlesThatComeAndGoLoseNoException) {
  for (int round = 0; round < 300; ++round) {
    EXPECT_THROW(pico::run(with(3),
                           [&] {
                             Scope scope({.spread = true});
                             for (int i = 0; i < 3; ++i)
                               scope.spawn([] { spawn([] { throw std::runtime_error("broken"); }); });
                             scope.join();
                           }),
                 std::runtime_error);
  }
}

TEST(PicoThread, TheSecondThatJoinsIsToldSo) {
  pico::run([] {
    auto thread = spawn([] {
      sleep_for(milliseconds(5));
      return 1;
    });
    auto first = spawn([&] { return thread.join(); });
    yield();
    EXPECT_THROW(thread.join(), std::logic_error);
    EXPECT_EQ(first.join(), 1);
    EXPECT_THROW(thread.join(), std::logic_error);
  });
}

TEST(PicoThread, OneThatJoinsItselfIsToldSo) {
  pico::run([] {
    Thread<void> thread;
    thread = spawn([&] { EXPECT_THROW(thread.join(), std::system_error); });
    sleep_for(milliseconds(1));
    thread.join();
  });
}

TEST(PicoThread, RunWaitsForAllThreads) {
  int ended = 0;
  pico::run([&] {
    for (int i = 0; i < 10; ++i)
      spawn([&] {
        sleep_for(milliseconds(1));
        spawn([&] { ++ended; });
      });
  });
  EXPECT_EQ(ended, 10);
}

TEST(PicoThread, ThreadsOfOneWorkerTakeTurnsAtYield) {
  std::vector<int> order;
  pico::run([&] {
    for (int me = 0; me < 2; ++me)
      spawn([&order, me] {
        for (int i = 0; i < 2; ++i) {
          order.push_back(me);
          yield();
        }
      });
  });
  EXPECT_THAT(order, ElementsAre(0, 1, 0, 1));
}

TEST(PicoThread, KeepsErrnoAndTheExceptionsThatItHandles) {
  pico::run([] {
    const auto fail = [](int number) {
      try {
        throw number;
      } catch (const int& caught) {
        errno = number;
        yield();
        EXPECT_EQ(errno, number);
        EXPECT_EQ(caught, number);
        try {
          throw;
        } catch (const int& again) {
          EXPECT_EQ(again, number);
        }
      }
      EXPECT_EQ(std::current_exception(), nullptr);
    };
    for (int i = 1; i < 4; ++i) spawn([=] { fail(i); });
  });
}

TEST(PicoThread, MovesItsFunctionAndFreesItBeforeItIsJoined) {
  auto owned = std::make_shared<int>(1);
  pico::run([&] {
    auto thread = spawn([own = std::make_unique<std::shared_ptr<int>>(owned)] { return **own; });
    EXPECT_EQ(thread.join(), 1);
    EXPECT_EQ(owned.use_count(), 1);
  });
}

// Waits when it goes.
struct Lingers {
  Lingers() = default;
  Lingers(Lingers&& other) noexcept : lingers(std::exchange(other.lingers, false)) {}
  Lingers& operator=(Lingers&&) = delete;
  ~Lingers() {
    if (!lingers) return;
    const Shield shield;
    yield();
  }
  bool lingers = true;
};

TEST(PicoThread, WhatNobodyTakesMayWaitWhenItGoes) {
  pico::run([] {
    spawn([] { return Lingers(); });
    auto thread = spawn([lingers = Lingers()] {});
    thread.cancel();
    EXPECT_THROW(thread.join(), Cancelled);
  });
}

// May be copied only, so that what was moved from is as it was.
struct CopiedLingers {
  CopiedLingers() = default;
  CopiedLingers(const CopiedLingers&) {}
  CopiedLingers& operator=(const CopiedLingers&) = delete;
  ~CopiedLingers() {
    const Shield shield;
    yield();
  }
};

TEST(PicoThread, WhatIsTakenMayWaitWhenItGoesToo) {
  pico::run([] {
    auto thread = spawn([] { return CopiedLingers(); });
    thread.join();
    auto dropped = spawn([] { return CopiedLingers(); });
    sleep_for(milliseconds(1));
  });
}

TEST(PicoThread, WhatIsLeftMayWaitWhoeverDropsItLast) {
  for (int round = 0; round < 300; ++round)
    pico::run(with(3), [] {
      Scope scope({.spread = true});
      std::vector<Thread<Lingers>> threads;
      for (int i = 0; i < 9; ++i) threads.push_back(scope.spawn([] { return Lingers(); }));
      threads.clear();
      scope.join();
    });
}

TEST(PicoThread, WhatACancelledThreadHasCapturedIsGoneBeforeItIsJoined) {
  for (int round = 0; round < 1000; ++round)
    pico::run(with(3), [] {
      const auto owned = std::make_shared<int>(1);
      Scope scope({.spread = true});
      for (int i = 0; i < 8; ++i) scope.spawn([own = std::make_unique<std::shared_ptr<int>>(owned)] {});
      scope.cancel();
      scope.join();
      ASSERT_EQ(owned.use_count(), 1);
    });
}

TEST(PicoThread, ADurationLongerThanThereIsTimeIsForEver) {
  pico::run([] {
    auto thread = spawn([] { sleep_for(hours::max()); });
    sleep_for(milliseconds(1));
    thread.cancel();
    EXPECT_THROW(thread.join(), Cancelled);
  });
}

TEST(PicoThread, OnBigStackWhoWaitsIsToldSo) {
  pico::run([] {
    EXPECT_THROW(on_big_stack([] { yield(); }), std::logic_error);
    EXPECT_THROW(on_big_stack([] { sleep_for(milliseconds(1)); }), std::logic_error);
    EXPECT_THROW(on_big_stack([] { spawn([] {}); }), std::logic_error);
    EXPECT_THROW(on_big_stack([] { on_helper([] {}); }), std::logic_error);
    EXPECT_EQ(on_big_stack([] { return on_big_stack([] { return 1; }); }), 1);
  });
}

TEST(PicoThread, SleepsUntilItsTimeAndInThatOrder) {
  std::vector<int> order;
  pico::run([&] {
    const Time start = Clock::now();
    for (const int ms : {15, 5, 10}) {
      spawn([&order, start, ms] {
        sleep_until(start + milliseconds(ms));
        EXPECT_GE(Clock::now(), start + milliseconds(ms));
        order.push_back(ms);
      });
    }
  });
  EXPECT_THAT(order, ElementsAre(5, 10, 15));
}

TEST(PicoThread, ACallOutsideARunSaysSo) { EXPECT_THROW(yield(), std::logic_error); }

TEST(PicoThread, ARunInsideARunSaysSo) {
  pico::run([] { EXPECT_THROW(pico::run([] {}), std::logic_error); });
}

TEST(PicoScope, JoinsTheThreadsOfItsThreads) {
  pico::run([] {
    int ended = 0;
    Scope scope;
    for (int i = 0; i < 3; ++i)
      scope.spawn([&] {
        spawn([&] {
          sleep_for(milliseconds(1));
          ++ended;
        });
      });
    scope.join();
    EXPECT_EQ(ended, 3);
    EXPECT_EQ(scope.alive(), 0U);
  });
}

TEST(PicoScope, AnExceptionCancelsTheOthersAndIsThrownByJoin) {
  pico::run([] {
    bool cancelled = false;
    Scope scope;
    scope.spawn([&] {
      try {
        sleep_for(hours(1));
      } catch (const Cancelled&) {
        cancelled = true;
        throw;
      }
    });
    scope.spawn([] { throw std::runtime_error("broken"); });
    EXPECT_THROW(scope.join(), std::runtime_error);
    EXPECT_TRUE(cancelled);
  });
}

TEST(PicoScope, LeftWithoutJoinCancelsItsThreads) {
  pico::run([] {
    bool ended = false;
    {
      Scope scope;
      scope.spawn([&] {
        struct AtEnd {
          bool& flag;
          ~AtEnd() { flag = true; }
        } const end{ended};
        sleep_for(hours(1));
      });
      yield();
    }
    EXPECT_TRUE(ended);
  });
}

TEST(PicoScope, LeftWithoutJoinGivesWhatItsThreadsHaveThrownToTheRun) {
  EXPECT_THROW(pico::run([] {
                 {
                   Scope scope;
                   scope.spawn([] { throw std::runtime_error("broken"); });
                   sleep_for(milliseconds(1));
                 }
                 sleep_for(hours(1));
               }),
               std::runtime_error);
}

TEST(PicoScope, LeftByAnExceptionThrowsThatAlone) {
  pico::run([] {
    const auto leave = [] {
      Scope scope;
      scope.spawn([] { throw std::runtime_error("broken"); });
      sleep_for(milliseconds(1));
      throw std::invalid_argument("left");
    };
    EXPECT_THROW(leave(), std::invalid_argument);
    yield();
  });
}

TEST(PicoScope, OneThatIsJoinedByTwoOrByItsOwnThreadSaysSo) {
  pico::run([] {
    Scope scope;
    scope.spawn([&] {
      EXPECT_THROW(scope.join(), std::system_error);
      sleep_for(milliseconds(5));
    });
    auto first = spawn([&] { scope.join(); });
    yield();
    EXPECT_THROW(scope.join(), std::logic_error);
    first.join();
  });
}

TEST(PicoScope, BehindAJoinItsThreadsRunAgain) {
  run([] {
    Scope scope;
    bool ran = false;
    scope.spawn([] { throw std::runtime_error("first"); });
    EXPECT_THROW(scope.join(), std::runtime_error);
    scope.spawn([&] { ran = true; });
    scope.join();
    EXPECT_TRUE(std::exchange(ran, false));
    scope.cancel();
    scope.spawn([&] { ran = true; });
    scope.join();
    EXPECT_FALSE(ran);
    scope.spawn([&] { ran = true; });
    scope.join();
    EXPECT_TRUE(ran);
  });
}

TEST(PicoThread, TheExceptionOfAHandleThatGoesOnAnotherKernelThreadIsNotLost) {
  for (int round = 0; round < 300; ++round) {
    Thread<void> handle;
    std::atomic<bool> go = false;
    std::thread other([&] {
      while (!go) std::this_thread::yield();
      for (std::atomic<int> left = round; left > 0; --left) {
      }
      const Thread<void> dropped = std::move(handle);
    });
    EXPECT_THROW(run([&] {
                   handle = spawn([] { throw std::runtime_error("x"); });
                   yield();
                   yield();
                   go = true;
                 }),
                 std::runtime_error);
    other.join();
  }
}

TEST(PicoScopeDeathTest, OneThatOutlivesTheRunWithThreadsEndsTheProcessAndSaysSo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto outlive = [] {
    const auto scope = std::make_unique<Scope>();
    pico::run([&] {
      scope->spawn([] { sleep_for(hours(1)); });
      yield();
    });
  };
  EXPECT_DEATH(outlive(), "Scope has outlived pico::run");
}

TEST(PicoScope, SpreadsNewThreadsOverWorkers) {
  std::mutex mutex;
  std::set<pthread_t> kernel_threads;
  pico::run(with(3), [&] {
    Scope scope({.spread = true});
    std::atomic<int> there{0};
    for (int i = 0; i < 3; ++i)
      scope.spawn([&] {
        {
          const std::scoped_lock lock(mutex);
          kernel_threads.insert(pthread_self());
        }
        ++there;
        while (there.load() < 3) std::this_thread::yield();  // not one worker after the other
      });
    scope.join();
  });
  EXPECT_EQ(kernel_threads.size(), 3U);
}

TEST(PicoScope, ManyThreadsOnSeveralWorkersAllEnd) {
  std::atomic<int> ended{0};
  pico::run(with(4), [&] {
    Scope scope({.spread = true});
    for (int i = 0; i < 2000; ++i)
      scope.spawn([&] {
        yield();
        if (++ended % 7 == 0) sleep_for(std::chrono::microseconds(50));
        spawn([&] { ++ended; });
      });
    scope.join();
  });
  EXPECT_EQ(ended.load(), 4000);
}

TEST(PicoCancel, EndsASleepAndCleansUp) {
  pico::run([] {
    auto thread = spawn([] { sleep_for(hours(1)); });
    yield();
    thread.cancel();
    EXPECT_THROW(thread.join(), Cancelled);
  });
}

TEST(PicoCancel, BeforeTheStartNothingRuns) {
  pico::run([] {
    bool ran = false;
    auto thread = spawn([&] { ran = true; });
    thread.cancel();
    EXPECT_THROW(thread.join(), Cancelled);
    EXPECT_FALSE(ran);
  });
}

TEST(PicoCancel, AShieldLetsAThreadWaitAllTheSame) {
  pico::run([] {
    bool said_goodbye = false;
    auto thread = spawn([&] {
      try {
        sleep_for(hours(1));
      } catch (const Cancelled&) {
        const Shield shield;
        sleep_for(milliseconds(1));
        said_goodbye = true;
      }
      return 5;
    });
    yield();
    thread.cancel();
    EXPECT_EQ(thread.join(), 5);
    EXPECT_TRUE(said_goodbye);
  });
}

TEST(PicoCancel, EndsAJoinAndLeavesTheHandle) {
  pico::run([] {
    auto worker = spawn([] {
      sleep_for(milliseconds(5));
      return 1;
    });
    auto joiner = spawn([&] { worker.join(); });
    yield();
    joiner.cancel();
    EXPECT_THROW(joiner.join(), Cancelled);
    EXPECT_EQ(worker.join(), 1);
  });
}

TEST(PicoThread, MeasuresHowLongThreadsRanAndWaited) {
  Options options;
  options.statistics = true;
  Runtime runtime(options);
  runtime.run([] {
    spawn([] { sleep_for(milliseconds(20)); });
    spawn([] {
      const Time end = Clock::now() + milliseconds(10);
      while (Clock::now() < end) {
      }
    });
  });
  const Statistics seen = runtime.statistics();
  EXPECT_GE(seen.threads, 3U);
  EXPECT_GE(seen.ran, 10'000'000);
  EXPECT_GE(seen.waited, 10'000'000);
  EXPECT_GE(seen.switches, 4U);
}

}  // namespace
}  // namespace heddle::pico
