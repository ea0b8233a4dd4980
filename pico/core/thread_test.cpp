// Threads, their results, handles and what they own; time; with one worker and with several.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "pico/pico.hpp"

namespace heddle::pico {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using ::testing::ElementsAre;

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
    EXPECT_THROW(pico::run({.workers = 3},
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
    pico::run({.workers = 3}, [] {
      Scope scope({.spread = true});
      std::vector<Thread<Lingers>> threads;
      for (int i = 0; i < 9; ++i) threads.push_back(scope.spawn([] { return Lingers(); }));
      threads.clear();
      scope.join();
    });
}

TEST(PicoThread, WhatACancelledThreadHasCapturedIsGoneBeforeItIsJoined) {
  for (int round = 0; round < 1000; ++round)
    pico::run({.workers = 3}, [] {
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

TEST(PicoThread, ADurationLessThanNoTimeIsOver) {
  pico::run([] {
    const auto is_over = [](auto time) {
      const Time then = time_in(time);
      return then <= Clock::now();
    };
    for (const hours time : {hours(-1), hours(-3'000'000), hours::min()}) {  // the second one, in nanoseconds, wraps
      EXPECT_TRUE(is_over(time));
      sleep_for(time);
    }
    EXPECT_TRUE(is_over(std::chrono::duration<double>(-1e300)));
    EXPECT_TRUE(is_over(std::chrono::duration<double>(std::nan(""))));
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
