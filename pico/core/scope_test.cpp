// Scopes: who joins whom, what an exception does, threads that several workers share.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "pico/pico.hpp"

namespace heddle::pico {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

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
  Runtime runtime({.workers = 3});
  runtime.run([&] {
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
  EXPECT_GE(runtime.statistics().stolen, 2U);
}

TEST(PicoScope, ManyThreadsOnSeveralWorkersAllEnd) {
  std::atomic<int> ended{0};
  pico::run({.workers = 4}, [&] {
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

}  // namespace
}  // namespace heddle::pico
