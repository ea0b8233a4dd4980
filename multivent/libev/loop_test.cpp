// What libev promises of its loop, under each way to run it. Whole programs are compared with libev in
// testing/differential; here is what those cannot show: which callbacks run beside each other, and which do not.
#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <atomic>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "multivent/libev/functions.hpp"
#include "multivent/loop/crew_fixture.hpp"

namespace heddle::multivent {
namespace {

using namespace testing_support;

constexpr int kOnce = 2;  // ev_run()
constexpr int kRead = 1;
constexpr int kCustom = 0x1000000;

class LibevTest : public ::testing::TestWithParam<WayToRun> {
 protected:
  void SetUp() override {
    configure(GetParam().threads, GetParam().promotion, GetParam().in_turn);
    oracle().reset();
    loop = ev_loop_new(0);
    ASSERT_NE(loop, nullptr);
  }
  void TearDown() override {
    ev_loop_destroy(loop);
    EXPECT_EQ(oracle().violations(), 0);
  }
  // A watcher that is fed only.
  ev_prepare& make(Kind kind, std::function<void(int revents)> run, int priority = 0) {
    Call& call = calls_.emplace_back();
    call.run_for = [run](void*, int revents) { run(revents); };
    ev_prepare& watcher = watchers_.emplace_back();
    watcher.cb = watcher_function(kind);
    watcher.data = &call;
    watcher.priority = priority;
    return watcher;
  }
  void feed(ev_prepare& watcher, int revents = kCustom) { ev_feed_event(loop, &watcher, revents); }
  void invoke() { ev_invoke_pending(loop); }
  bool parallel() const { return GetParam().threads > 1; }

  ev_loop* loop = nullptr;

 private:
  std::deque<Call> calls_;
  std::deque<ev_prepare> watchers_;
};

INSTANTIATE_TEST_SUITE_P(Mode, LibevTest, every_mode(), mode_name);

TEST_P(LibevTest, BetterPrioritiesGoFirstAndOfOnePriorityTheLast) {
  std::string order;
  const auto called = [&](char name) { return [&order, name](int) { order += name; }; };
  feed(make(kAlone, called('a')));
  feed(make(kAlone, called('b')));
  feed(make(kAlone, called('c'), -2));
  feed(make(kAlone, called('d'), 2));
  feed(make(kAlone, called('e')));
  invoke();
  EXPECT_EQ(order, "debac");
}

TEST_P(LibevTest, WhatACallbackFeedsGoesBeforeAllThatIsPending) {
  std::string order;
  ev_prepare& better = make(kAlone, [&](int) { order += 'x'; }, 1);
  ev_prepare& same = make(kAlone, [&](int) { order += 'y'; });
  feed(make(kAlone, [&](int) { order += 'a'; }));
  feed(make(kAlone, [&](int) {
    order += 'b';
    feed(same);
    feed(better);
  }));
  invoke();
  EXPECT_EQ(order, "bxya");
}

TEST_P(LibevTest, EventsOfAPendingWatcherAreOneCall) {
  std::vector<int> seen;
  ev_prepare& watcher = make(kAlone, [&](int revents) { seen.push_back(revents); });
  feed(watcher, 1);
  feed(watcher, 2);
  EXPECT_NE(watcher.pending, 0);
  invoke();
  EXPECT_EQ(seen, std::vector{3});
  EXPECT_EQ(watcher.pending, 0);
}

TEST_P(LibevTest, AClearedWatcherIsNotCalled) {
  int called = 0;
  ev_prepare& cleared = make(kAlone, [&](int) { ++called; });
  feed(cleared, 5);
  feed(make(kAlone, [&](int) { EXPECT_EQ(ev_clear_pending(loop, &cleared), 5); }));
  invoke();
  EXPECT_EQ(called, 0);
  EXPECT_EQ(ev_clear_pending(loop, &cleared), 0);
}

// With the constraints of that one: another of its kind is inside.
TEST_P(LibevTest, TheCallbackThatAWatcherHasByThenIsCalled) {
  int called = 0;
  ev_prepare& watcher = make(kFree, [&](int) { ++called; });
  feed(watcher);
  watcher.cb = watcher_function(kAlone);
  feed(make(kAlone, [&](int) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }));
  invoke();
  EXPECT_EQ(called, 1);
}

TEST_P(LibevTest, AWorsePriorityWaitsForABetterOne) {
  std::atomic<bool> better_is_inside{false};
  std::atomic<int> late{0};
  feed(make(kFree, [&](int) { late += better_is_inside ? 1 : 0; }, -1));
  feed(make(
      kFree,
      [&](int) {
        better_is_inside = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        better_is_inside = false;
      },
      1));
  invoke();
  EXPECT_EQ(late, 0);
}

TEST_P(LibevTest, WhoStopsAWatcherWaitsForItsCallback) {
  if (!parallel() || GetParam().in_turn) GTEST_SKIP() << "one callback at a time";
  std::atomic<bool> inside{false};
  std::atomic<bool> left{false};
  ev_io watched{};
  Call call;
  call.run_for = [&](void*, int) {
    inside = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    left = true;
  };
  watched.cb = watcher_function(kFree);
  watched.data = &call;
  watched.fd = eventfd(1, EFD_NONBLOCK);
  watched.events = kRead;
  ev_io_start(loop, &watched);
  ev_feed_event(loop, &watched, kRead);
  feed(make(kFree, [&](int) {
    eventually([&] { return inside.load(); });
    ev_io_stop(loop, &watched);
    EXPECT_TRUE(left);
  }));
  invoke();
  EXPECT_EQ(watched.active, 0);
  close(watched.fd);
}

TEST_P(LibevTest, ALoopInsideACallbackCallsWhatIsPending) {
  std::string order;
  feed(make(kAlone, [&](int) { order += 'a'; }));
  feed(make(kAlone, [&](int) { order += 'b'; }));
  // Its own kind, so that the test's oracle lets others be called in its middle.
  feed(make(
      kFree,
      [&](int) {
        order += '(';
        ev_run(loop, 1);
        order += ')';
      },
      1));
  invoke();
  EXPECT_EQ(order, "(ba)");
  EXPECT_EQ(ev_depth(loop), 0U);
}

TEST_P(LibevTest, TheLoopPollsOnlyWhenAllCallbacksHaveReturned) {
  std::atomic<int> inside{0};
  int polls = 0;
  std::vector<int> descriptors;
  std::deque<int> left;
  std::deque<Call> calls;
  std::deque<ev_io> watchers;
  for (int i = 0; i < 4; ++i) {
    ev_io& watcher = watchers.emplace_back();
    watcher.cb = watcher_function(kFree);
    watcher.data = &calls.emplace_back();
    watcher.fd = descriptors.emplace_back(eventfd(1, EFD_NONBLOCK));
    watcher.events = kRead;
    int& times = left.emplace_back(10);
    calls.back().run_for = [&](void* self, int) {
      ++inside;
      std::this_thread::yield();
      if (--times == 0) ev_io_stop(loop, static_cast<ev_io*>(self));
      --inside;
    };
    ev_io_start(loop, &watcher);
  }
  ev_prepare& before = make(kUnknown, [&](int) {
    ++polls;
    EXPECT_EQ(inside, 0);
  });
  ev_prepare_start(loop, &before);
  ev_unref(loop);
  EXPECT_EQ(ev_run(loop, 0), 0);
  EXPECT_EQ(polls, 10);
  ev_ref(loop);
  ev_prepare_stop(loop, &before);
  for (const int fd : descriptors) close(fd);
}

ev_loop* invoked = nullptr;
void invoke_it(ev_loop* loop) {
  invoked = loop;
  ev_invoke_pending(loop);
}

TEST_P(LibevTest, AProgramThatMakesTheCallsItselfHasThemOneByOne) {
  const std::thread::id here = std::this_thread::get_id();
  int called = 0;
  ev_set_invoke_pending_cb(loop, invoke_it);
  for (int i = 0; i < 8; ++i)
    feed(make(kFree, [&](int) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      ++called;
    }));
  ev_run(loop, 1);
  EXPECT_EQ(called, 8);
  EXPECT_EQ(invoked, loop);
  EXPECT_EQ(oracle().most(), 1);
}

TEST_P(LibevTest, AnotherThreadWakesTheLoop) {
  ev_async watcher{};
  Call call;
  int called = 0;
  call.run_for = [&](void*, int) {
    if (++called == 100) ev_async_stop(loop, &watcher);
  };
  watcher.cb = watcher_function(kAlone);
  watcher.data = &call;
  ev_async_start(loop, &watcher);
  std::atomic<bool> over{false};
  std::thread other([&] {
    while (!over) {
      ev_async_send(loop, &watcher);
      std::this_thread::yield();
    }
  });
  ev_run(loop, 0);
  over = true;
  other.join();
  EXPECT_EQ(called, 100);
}

TEST_P(LibevTest, AnIterationEndsWithWhatOnePollHasFound) {
  const int fd = eventfd(1, EFD_NONBLOCK);
  ev_io watcher{};
  Call call;
  int called = 0;
  call.run_for = [&](void*, int) { ++called; };
  watcher.cb = watcher_function(kAlone);
  watcher.data = &call;
  watcher.fd = fd;
  watcher.events = kRead;
  ev_io_start(loop, &watcher);
  EXPECT_EQ(ev_run(loop, kOnce), 1);
  EXPECT_EQ(called, 1);
  EXPECT_EQ(ev_iteration(loop), 1U);
  ev_io_stop(loop, &watcher);
  close(fd);
}

class ParallelLibevTest : public LibevTest {};
INSTANTIATE_TEST_SUITE_P(Mode, ParallelLibevTest, parallel_modes(), mode_name);

TEST_P(ParallelLibevTest, CallbacksOfOneIterationRunBesideEachOther) {
  std::atomic<int> inside{0};
  for (int i = 0; i < 3; ++i)
    feed(make(kSession, [&](int) {
      ++inside;
      eventually([&] { return inside == 3; });
    }));
  invoke();
  EXPECT_EQ(oracle().most(), 3);
}

}  // namespace
}  // namespace heddle::multivent
