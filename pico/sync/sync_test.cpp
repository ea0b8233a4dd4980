// Mutexes, conditions, channels and select, with one worker and with several.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pico/pico.hpp"

namespace heddle::pico {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using ::testing::ElementsAre;

class PicoSync : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Workers, PicoSync, ::testing::Values(1, 4));

TEST_P(PicoSync, AMutexKeepsOthersOutWhileItsHolderWaits) {
  int inside = 0;
  int most = 0;
  int entered = 0;
  Mutex mutex;
  pico::run({.workers = GetParam()}, [&] {
    Scope scope({.spread = true});
    for (int i = 0; i < 50; ++i)
      scope.spawn([&] {
        for (int turn = 0; turn < 20; ++turn) {
          const std::scoped_lock lock(mutex);
          most = std::max(most, ++inside);
          ++entered;
          yield();
          --inside;
        }
      });
    scope.join();
  });
  EXPECT_EQ(most, 1);
  EXPECT_EQ(entered, 1000);
}

TEST_P(PicoSync, AConditionWakesThoseThatWait) {
  pico::run({.workers = GetParam()}, [] {
    Mutex mutex;
    Condition changed;
    int tokens = 0;
    int taken = 0;
    Scope scope({.spread = true});
    for (int i = 0; i < 20; ++i)
      scope.spawn([&] {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return tokens > 0; });
        --tokens;
        ++taken;
      });
    for (int i = 0; i < 20; ++i) {
      {
        const std::scoped_lock lock(mutex);
        ++tokens;
      }
      changed.notify_one();
      yield();
    }
    scope.join();
    EXPECT_EQ(taken, 20);
  });
}

TEST(PicoCondition, WaitUntilReturnsAtItsDeadline) {
  pico::run([] {
    Mutex mutex;
    Condition never;
    std::unique_lock lock(mutex);
    const Time deadline = Clock::now() + milliseconds(5);
    EXPECT_FALSE(never.wait_until(lock, deadline, [] { return false; }));
    EXPECT_GE(Clock::now(), deadline);
    EXPECT_TRUE(lock.owns_lock());
  });
}

TEST(PicoCondition, ANotificationForACancelledThreadGoesToAnother) {
  pico::run([] {
    Mutex mutex;
    Condition changed;
    bool woken = false;
    const auto wait = [&] {
      std::unique_lock lock(mutex);
      changed.wait(lock);
    };
    auto cancelled = spawn(wait);
    auto other = spawn([&] {
      wait();
      woken = true;
    });
    yield();
    changed.notify_one();  // for the first
    cancelled.cancel();    // before it runs
    EXPECT_THROW(cancelled.join(), Cancelled);
    other.join();
    EXPECT_TRUE(woken);
  });
}

TEST(PicoCancel, EndsCallsThatNeedNotWait) {
  pico::run([] {
    Channel<int> channel(8);
    channel.send(1);
    Mutex mutex;
    Condition changed;
    auto ended = spawn([] {});
    const auto ends_cancelled = [](auto call) {
      auto thread = spawn([call] {
        {
          const Shield shield;
          yield();
        }
        call();
      });
      yield();
      thread.cancel();
      EXPECT_THROW(thread.join(), Cancelled);
    };
    ends_cancelled([&] { channel.receive(); });
    ends_cancelled([&] { channel.send(2); });
    ends_cancelled([&] { Select().receive(channel, [](std::optional<int>) {}).wait(); });
    ends_cancelled([&] { ended.join(); });
    ends_cancelled([&] {
      std::unique_lock lock(mutex);
      changed.wait(lock, [] { return true; });
    });
    ends_cancelled([&] {
      std::unique_lock lock(mutex);
      changed.wait_until(lock, kNever, [] { return true; });
    });
    ended.join();
    EXPECT_EQ(channel.receive(), 1);
  });
}

TEST_P(PicoSync, AChannelHandsOverEachValueOnceAndInOrder) {
  std::vector<int> got;
  pico::run({.workers = GetParam()}, [&] {
    Channel<int> channel(3);
    Scope scope({.spread = true});
    scope.spawn([&] {
      for (int i = 0; i < 1000; ++i) channel.send(i);
      channel.close();
    });
    while (const std::optional<int> value = channel.receive()) got.push_back(*value);
    scope.join();
  });
  ASSERT_EQ(got.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], i);
}

TEST_P(PicoSync, ManySendersAndReceiversLoseNothing) {
  std::atomic<long> sum{0};
  pico::run({.workers = GetParam()}, [&] {
    Channel<int> channel(2);
    Scope receivers({.spread = true});
    for (int i = 0; i < 10; ++i)
      receivers.spawn([&] {
        while (const std::optional<int> value = channel.receive()) sum += *value;
      });
    Scope senders({.spread = true});
    for (int i = 0; i < 10; ++i)
      senders.spawn([&] {
        for (int value = 1; value <= 100; ++value) channel.send(value);
      });
    senders.join();
    channel.close();
    receivers.join();
  });
  EXPECT_EQ(sum.load(), 10 * 5050);
}

TEST(PicoChannel, SendIntoAClosedOneSaysSo) {
  pico::run([] {
    Channel<int> channel(1);
    channel.close();
    EXPECT_THROW(channel.send(1), ChannelClosed);
    EXPECT_EQ(channel.receive(), std::nullopt);
  });
}

TEST(PicoChannel, DeadlinesHoldOnBothSides) {
  pico::run([] {
    Channel<int> channel(1);
    EXPECT_EQ(channel.receive(Clock::now() + milliseconds(2)), std::nullopt);
    EXPECT_TRUE(channel.send(1));
    EXPECT_FALSE(channel.send(2, Clock::now() + milliseconds(2)));
    EXPECT_EQ(channel.receive(), 1);
  });
}

TEST(PicoSelect, TakesWhatComesFirst) {
  pico::run([] {
    Channel<int> numbers(1);
    Channel<std::string> words(1);
    spawn([&] {
      sleep_for(milliseconds(2));
      words.send("word");
    });
    std::string got;
    Select()
        .receive(numbers, [](std::optional<int>) { FAIL(); })
        .receive(words, [&](std::optional<std::string> word) { got = word.value_or("none"); })
        .at(Clock::now() + hours(1), [] { FAIL(); })
        .wait();
    EXPECT_EQ(got, "word");
  });
}

TEST(PicoSelect, GivesUpAtItsDeadline) {
  pico::run([] {
    Channel<int> numbers(1);
    bool late = false;
    Select()
        .receive(numbers, [](std::optional<int>) { FAIL(); })
        .at(Clock::now() + milliseconds(2), [&] { late = true; })
        .wait();
    EXPECT_TRUE(late);
  });
}

TEST_P(PicoSync, SelectsOverTwoChannelsLoseNothing) {
  std::atomic<int> got{0};
  pico::run({.workers = GetParam()}, [&] {
    Channel<int> left(1);
    Channel<int> right(1);
    Scope receivers({.spread = true});
    for (int i = 0; i < 4; ++i)
      receivers.spawn([&] {
        bool ends = false;
        const auto take = [&](std::optional<int> value) {
          value ? static_cast<void>(++got) : static_cast<void>(ends = true);
        };
        while (!ends) Select().receive(left, take).receive(right, take).wait();
      });
    Scope senders({.spread = true});
    for (Channel<int>* channel : {&left, &right})
      senders.spawn([=] {
        for (int i = 0; i < 500; ++i) channel->send(i);
      });
    senders.join();
    while (got < 1000) sleep_for(milliseconds(1));
    left.close();
    right.close();
    receivers.join();
  });
  EXPECT_EQ(got.load(), 1000);
}

TEST(PicoSelect, SendsIntoTheOneThatHasRoom) {
  pico::run([] {
    Channel<int> full(1);
    Channel<int> empty(1);
    full.send(0);
    int sent = 0;
    Select().send(full, 1, [&] { sent = 1; }).send(empty, 2, [&] { sent = 2; }).wait();
    EXPECT_EQ(sent, 2);
    EXPECT_EQ(empty.receive(), 2);
  });
}

}  // namespace
}  // namespace heddle::pico
