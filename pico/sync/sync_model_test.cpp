// Mutexes, conditions and channels under every schedule that the explorer finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "pico/sync/channel.hpp"
#include "pico/sync/mutex.hpp"
#include "pico/testing/model_blocker.hpp"
#include "testing/schedule/explorer.hpp"
#include "testing/schedule/model_sync.hpp"

namespace heddle::pico {
namespace {

using schedule::explore;
using schedule::fail;
using schedule::ModelSync;
using ::testing::Not;

// Runs three bodies, each as a thread that may wait.
template <class Sync, class Body>
void run_three(Body body) {
  using Blocker = ModelBlocker<Sync>;
  std::array<typename Blocker::Waiter, 3> waiters;
  const auto run = [&](std::size_t me) {
    const typename Blocker::Entered entered(waiters[me]);
    body(me);
  };
  typename Sync::Thread first([&] { run(0); });
  typename Sync::Thread second([&] { run(1); });
  run(2);
  first.join();
  second.join();
}

template <class Sync, int kMostLost>
void count_under_a_mutex() {
  BasicMutex<ModelBlocker<Sync>, kMostLost> mutex;
  typename Sync::template Plain<int> count;
  run_three<Sync>([&](std::size_t) {
    for (int i = 0; i < 2; ++i) {
      const std::scoped_lock lock(mutex);
      const int before = count.read();
      count.write() = before + 1;
    }
  });
  if (count.read() != 6) fail("two were inside at once");
}

constexpr int kSeldom = 8;

TEST(PicoMutexModel, OneIsInsideAndNobodyIsForgotten) {
  EXPECT_EQ(explore(HEDDLE_SCHEDULES, count_under_a_mutex<ModelSync, kSeldom>), "");
}

TEST(PicoMutexModel, OneIsInsideThoughItIsHandedOver) {
  EXPECT_EQ(explore(HEDDLE_SCHEDULES, count_under_a_mutex<ModelSync, 1>), "");
}

TEST(PicoMutexModel, WithoutMemoryOrdersARaceIsFound) {
  EXPECT_THAT(explore(HEDDLE_SCHEDULES, count_under_a_mutex<RelaxedSync, kSeldom>), Not(""));
}

// Counts how often each thread was parked.
struct CountingBlocker : ModelBlocker<> {
  static void park() {
    ++parked[&self()];
    ModelBlocker<>::park();
  }
  static inline std::map<const Waiter*, int> parked;
};

// Two threads take the mutex again and again, the third one once.
template <int kMostLost>
void take_it_once_beside_others() {
  CountingBlocker::parked.clear();
  BasicMutex<CountingBlocker, kMostLost> mutex;
  int waited = 0;
  run_three<ModelSync>([&](std::size_t me) {
    for (int i = 0; i < (me == 2 ? 1 : 4); ++i) {
      mutex.lock();
      mutex.unlock();
    }
    if (me == 2) waited = CountingBlocker::parked[&CountingBlocker::self()];
  });
  if (waited > 2) fail("one was woken in vain too often");
}

TEST(PicoMutexModel, WhoWasWokenInVainIsHandedIt) {
  EXPECT_EQ(explore(HEDDLE_SCHEDULES, take_it_once_beside_others<1>), "");
  EXPECT_THAT(explore(HEDDLE_SCHEDULES, take_it_once_beside_others<kSeldom>), Not(""));
}

// One gives two tokens, two take one each.
void hand_tokens_over() {
  using Blocker = ModelBlocker<>;
  BasicMutex<Blocker> mutex;
  BasicCondition<Blocker> changed;
  int tokens = 0;
  run_three<ModelSync>([&](std::size_t me) {
    for (int i = 0; i < (me == 0 ? 2 : 1); ++i) {
      std::unique_lock lock(mutex);
      if (me == 0) {
        ++tokens;
        changed.notify_one();
      } else {
        while (tokens == 0) changed.wait(lock, [] { Blocker::park(); });
        --tokens;
      }
    }
  });
  if (tokens != 0) fail("a token is left");
}

TEST(PicoConditionModel, NoNotificationIsLost) { EXPECT_EQ(explore(HEDDLE_SCHEDULES, hand_tokens_over), ""); }

// As Channel and Select wait: for one channel, or for two.
template <class Blocker, class... Channels>
std::optional<int> receive(Channels&... channels) {
  std::optional<int> value;
  using Found = typename BasicChannel<int, Blocker>::Found;
  const auto found = [&](auto& channel) { return channel.try_receive(value) == Found::kValue; };
  while (!(... || found(channels))) {
    bool now = false;
    std::deque<Waiting<Blocker>> nodes;
    ((now = channels.arm_receive(nodes.emplace_back(Blocker::self())) || now), ...);
    if (!now) Blocker::park();
    std::size_t at = 0;
    (channels.disarm_receive(nodes[at++]), ...);
  }
  return value;
}

template <class Blocker>
void send(BasicChannel<int, Blocker>& channel, int value) {
  while (!channel.try_send(value)) {
    Waiting<Blocker> node(Blocker::self());
    if (!channel.arm_send(node)) Blocker::park();
    channel.disarm_send(node);
  }
}

// Two channels with room for one; the first thread sends three values, through each of them in turn, and the two others
// receive from whichever has one.
void send_to_one_that_selects() {
  using Blocker = ModelBlocker<>;
  BasicChannel<int, Blocker> left(1);
  BasicChannel<int, Blocker> right(1);
  std::array<int, 3> sums{};
  run_three<ModelSync>([&](std::size_t me) {
    if (me == 0) {
      send(left, 1);
      send(right, 2);
      send(left, 4);
    } else {
      for (std::size_t i = 0; i < me; ++i) sums[me] += *receive<Blocker>(left, right);
    }
  });
  if (sums[1] + sums[2] != 7) fail("a value was lost or came twice");
}

TEST(PicoChannelModel, EachValueComesToOneOfThoseThatWait) {
  EXPECT_EQ(explore(HEDDLE_SCHEDULES, send_to_one_that_selects), "");
}

// Two receive, and a third cancels one of them and sends a value: the other one gets it, whoever it was meant for.
void send_beside_a_cancelled_one() {
  using Blocker = ModelBlocker<>;
  BasicChannel<int, Blocker> channel(1);
  std::array<Blocker::Waiter, 2> waiters;
  ModelSync::Atomic<bool> cancelled{false};
  std::array<int, 2> got{};
  const auto receive = [&](std::size_t me) {
    Blocker::enter(waiters[me]);  // a handle keeps the one that is cancelled
    std::optional<int> value;
    // As Channel::receive(), where Cancelled would be thrown.
    const auto gives_up = [&] { return me == 1 && cancelled.load(std::memory_order_acquire); };
    while (!gives_up() && channel.try_receive(value) != BasicChannel<int, Blocker>::Found::kValue) {
      Waiting<Blocker> node(Blocker::self());
      if (!channel.arm_receive(node)) Blocker::park();
      channel.disarm_receive(node);
    }
    got[me] = value.value_or(0);
  };
  const auto is_taken = [&] { return got[1] != 0; };
  ModelSync::Thread stays([&] { receive(0); });
  ModelSync::Thread goes([&] {
    receive(1);
    if (is_taken()) {  // it was faster than its end: so the one that stays waits for another value
      int second = 4;
      while (!channel.try_send(second)) ModelSync::relax();
    }
  });
  int value = 2;
  channel.try_send(value);
  // As Task::cancel().
  cancelled.store(true, std::memory_order_release);
  Blocker::unpark(waiters[1]);
  stays.join();
  goes.join();
  if (got[0] == 0) fail("a value was left for a thread that had gone");
}

TEST(PicoCancelModel, WhatWasMeantForACancelledOneComesToAnother) {
  EXPECT_EQ(explore(HEDDLE_SCHEDULES, send_beside_a_cancelled_one), "");
}

}  // namespace
}  // namespace heddle::pico
