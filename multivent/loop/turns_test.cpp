// A loop whose threads nobody has named: one thread alone, and a crew where it pays.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "multivent/loop/base.hpp"
#include "multivent/loop/crew_fixture.hpp"
#include "telemetry/sampler.hpp"

namespace heddle::multivent {
namespace {

using namespace testing_support;

class TurnsTest : public ::testing::Test {
 protected:
  void SetUp() override { oracle().reset(); }
  void TearDown() override {
    if (base_ != nullptr) event_base_free(base_);
    EXPECT_EQ(oracle().violations(), 0);
  }
  void begin(bool in_turn) {
    configure(in_turn ? Threads::exactly(3) : Threads{.least = 3, .most = 8, .of_cores = true},
              scheduler::Promotion::kAdaptive, in_turn);
    base_ = event_base_new();
    ASSERT_NE(base_, nullptr);
  }
  const telemetry::LoopStatistics::Turns& turns() const { return base_->recorder.statistics()->turns(); }

  event_base* base_ = nullptr;
};

// So many events that wake themselves again, each in a handler that does `work`, for that long.
void keep_busy(event_base* base, Kind kind, int events, int for_ms, const std::function<void()>& work) {
  std::vector<Pair> pairs(static_cast<std::size_t>(events));
  std::vector<Call> calls(pairs.size());
  std::vector<event*> all;
  std::atomic<bool> over{false};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    calls[i].run = [&, i](int, short) {
      pairs[i].drain();
      work();
      if (over) {
        event_del(all[i]);
      } else {
        pairs[i].send();
      }
    };
    all.push_back(event_new(base, pairs[i].fd[0], EV_READ | EV_PERSIST, handler(kind), &calls[i]));
    event_add(all.back(), nullptr);
    pairs[i].send();
  }
  Call end{[&](int, short) { over = true; }};
  event* const timer = event_new(base, -1, 0, handler(kFree), &end);
  const timeval later = milliseconds(for_ms);
  event_add(timer, &later);
  EXPECT_EQ(event_base_dispatch(base), 1);
  for (event* ev : all) event_free(ev);
  event_free(timer);
}

// On a machine with other work a light handler now and then takes long, and a crew gets some turns.
TEST_F(TurnsTest, LightHandlersAreRunByTheThreadOfTheLoop) {
  begin(/*in_turn=*/false);
  const std::thread::id own = std::this_thread::get_id();
  std::atomic<int> here{0};
  std::atomic<int> elsewhere{0};
  keep_busy(base_, kFree, 8, 300, [&] { ++(std::this_thread::get_id() == own ? here : elsewhere); });
  EXPECT_GT(here, elsewhere);
  EXPECT_GT(turns().alone_ns, turns().crew_ns);
}

TEST_F(TurnsTest, HandlersThatBlockAreGivenToACrew) {
  begin(/*in_turn=*/false);
  keep_busy(base_, kFree, 8, 1500, [] { std::this_thread::sleep_for(std::chrono::milliseconds(3)); });
  EXPECT_GT(turns().crew_ns, turns().alone_ns);
  EXPECT_GT(oracle().most(), 1);
}

// Once a second the thread of the loop looks whether somebody wants figures, also where it has nothing to do.
TEST_F(TurnsTest, ATimerEndsThePollsOfALoopThatLooks) {
  begin(/*in_turn=*/false);
  EXPECT_GE(base_->look_fd, 0);
  EXPECT_EQ(event_reinit(base_), 0);
  EXPECT_GE(base_->look_fd, 0);
  const timeval end = milliseconds(2500);
  event_base_loopexit(base_, &end);
  EXPECT_EQ(event_base_dispatch(base_), 0);
  const std::uint64_t polls = base_->recorder.statistics()->polls();
  EXPECT_GE(polls, 3U);
  EXPECT_LE(polls, 8U);
}

TEST_F(TurnsTest, ALoopThatDoesNotLookHasNoTimer) {
  begin(/*in_turn=*/true);
  EXPECT_LT(base_->look_fd, 0);
}

// Each finds what the other has left: events, timers, calls that are due.
TEST_F(TurnsTest, NothingIsLostWhereTheyChangeAtEveryTurn) {
  begin(/*in_turn=*/true);
  std::atomic<int> calls{0};
  keep_busy(base_, kSession, 6, 200, [&] { ++calls; });
  EXPECT_GT(calls, 100);
}

TEST_F(TurnsTest, AThreadOfTheProgramFindsTheLoopWhoeverRunsIt) {
  begin(/*in_turn=*/true);
  constexpr int kCalls = 500;
  std::atomic<int> calls{0};
  Call call{[&](int, short) { ++calls; }};
  event* const ev = event_new(base_, -1, EV_PERSIST, handler(kFree), &call);
  const timeval minutes = milliseconds(600'000);
  event_add(ev, &minutes);
  std::thread other([&] {
    for (int i = 0; i < kCalls; ++i) {
      event_active(ev, EV_READ, 1);
      if (!eventually([&] { return calls > i; })) break;
    }
    event_base_loopbreak(base_);
  });
  event_base_dispatch(base_);
  other.join();
  EXPECT_EQ(calls, kCalls);
  event_free(ev);
}

TEST_F(TurnsTest, AHandlerMayRunTheLoopOfABaseThatACrewHasRun) {
  begin(/*in_turn=*/true);
  event_base* const other = event_base_new();
  int inner = 0;
  Call in_other{[&](int, short) { ++inner; }};
  event* const theirs = event_new(other, -1, 0, handler(kFree), &in_other);
  const auto run_other = [&] {
    event_active(theirs, EV_READ, 1);
    event_base_loop(other, EVLOOP_ONCE);
  };
  for (int i = 0; i < 5; ++i) run_other();
  Call call{[&](int, short) { run_other(); }};
  event* const ev = event_new(base_, -1, 0, handler(kFree), &call);
  for (int i = 0; i < 5; ++i) {
    event_active(ev, EV_READ, 1);
    event_base_dispatch(base_);
  }
  EXPECT_EQ(inner, 10);
  event_free(ev);
  event_free(theirs);
  event_base_free(other);
}

// The figures of a serial run are of a part of its calls, and count all of them.
TEST_F(TurnsTest, FiguresOfALongSerialRunStandForAllCalls) {
  configure(1);
  base_ = event_base_new();
  std::uint64_t calls = 0;
  Call call{[&](int, short) { ++calls; }};
  event* const ev = event_new(base_, -1, 0, handler(kFree), &call);
  call.run = [&](int, short) {
    if (++calls < 100'000) event_active(ev, EV_READ, 1);
  };
  event_active(ev, EV_READ, 1);
  event_base_dispatch(base_);
  const std::uint64_t counted = base_->recorder.statistics()->invocations();
  EXPECT_LE(counted, calls);
  EXPECT_GT(counted + 2 * telemetry::Sampler::kMeanGap, calls);
  event_free(ev);
}

}  // namespace
}  // namespace heddle::multivent
