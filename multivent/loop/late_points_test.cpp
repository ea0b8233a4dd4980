// Late points under a crew: handlers that conflict only behind one run together until one gets there, and then one
// after the other in the order in which they started. Nobody waits in a circle, and the loop goes on meanwhile.
#include <vector>

#include "multivent/loop/base.hpp"
#include "multivent/loop/crew_fixture.hpp"

namespace heddle::multivent {
namespace {

using namespace testing_support;

void late_point() { current_task()->base->driver.reach_late_point(*current_task()); }

class LatePoints : public InEveryMode {};
INSTANTIATE_TEST_SUITE_P(Mode, LatePoints, parallel_modes(), mode_name);

TEST_P(LatePoints, HandlersRunTogetherUntilOneAndThenInTheOrderOfTheirStarts) {
  constexpr std::size_t kAll = 3;
  std::atomic<std::size_t> inside{0};
  std::vector<std::uint64_t> passed;  // no mutex: what is proven is that none is needed
  Call call{[&](int, short) {
    ++inside;
    eventually([&] { return inside == kAll; });
    late_point();
    passed.push_back(current_task()->start_order);
    late_point();
  }};
  std::vector<Call> calls(kAll, call);
  std::vector<event*> events;
  for (Call& each : calls) {
    events.push_back(make(-1, 0, kLate, each));
    event_active(events.back(), EV_READ, 1);
  }
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(passed.size(), kAll);
  EXPECT_TRUE(std::is_sorted(passed.begin(), passed.end()));
  for (event* ev : events) event_free(ev);
}

TEST_P(LatePoints, WhoNeverGetsToOneWaitsForNobody) {
  std::atomic<int> inside{0};
  Call call{[&](int, short) {
    ++inside;
    eventually([&] { return inside == 3; });
  }};
  std::vector<Call> calls(3, call);
  std::vector<event*> events;
  for (Call& each : calls) {
    events.push_back(make(-1, 0, kLate, each));
    event_active(events.back(), EV_READ, 1);
  }
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(inside, 3);
  for (event* ev : events) event_free(ev);
}

// kAlone touches at once what kLate touches behind a late point.
TEST_P(LatePoints, OneMayStartBesideWhoTouchesTheObjectAtOnceAndWaitsForItsEnd) {
  std::atomic<bool> late_runs{false};
  bool alone_ended = false;
  Call alone{[&](int, short) {
    eventually([&] { return late_runs.load(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    alone_ended = true;
  }};
  bool was_ended = false;
  Call late{[&](int, short) {
    late_runs = true;
    late_point();
    was_ended = alone_ended;
  }};
  event* first = make(-1, 0, kAlone, alone);
  event* second = make(-1, 0, kLate, late);
  event_active(first, EV_READ, 1);
  event_active(second, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_TRUE(was_ended);
  event_free(first);
  event_free(second);
}

TEST_P(LatePoints, TheLoopGoesOnWhileAHandlerWaits) {
  Pair pair;
  std::atomic<bool> second_runs{false};
  std::atomic<bool> told{false};
  Call first_call{[&](int, short) {
    eventually([&] { return second_runs.load(); });
    pair.send();
    eventually([&] { return told.load(); });  // only if somebody polls beside the two
    late_point();
  }};
  Call second_call{[&](int, short) {
    second_runs = true;
    late_point();
    EXPECT_TRUE(told);
  }};
  Call free_call{[&](int, short) {
    pair.drain();
    told = true;
  }};
  event* first = make(-1, 0, kLate, first_call);
  event* second = make(-1, 0, kLate, second_call);
  event* free = make(pair.fd[0], EV_READ, kFree, free_call);
  event_add(free, nullptr);
  event_active(first, EV_READ, 1);
  event_active(second, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  for (event* ev : {first, second, free}) event_free(ev);
}

// Whoever deletes an event waits until its handler has returned, but not for one that waits for the deleter.
TEST_P(LatePoints, DeletingTheEventOfAHandlerThatWaitsForTheDeleterDoesNotDeadlock) {
  std::atomic<bool> second_waits{false};
  event* second = nullptr;
  bool deleted = false;
  Call first_call{[&](int, short) {
    eventually([&] { return second_waits.load(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    event_del(second);
    deleted = true;
    late_point();
  }};
  Call second_call{[&](int, short) {
    second_waits = true;
    late_point();
    EXPECT_TRUE(deleted);
  }};
  event* first = make(-1, 0, kLate, first_call);
  second = make(-1, 0, kLate, second_call);
  event_active(first, EV_READ, 1);
  event_active(second, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_TRUE(deleted);
  event_free(first);
  event_free(second);
}

// The deleter waits first; then the handler gets to its late point, and must not wait for the deleter.
TEST_P(LatePoints, AHandlerThatADeleterWaitsForDoesNotWaitForTheDeleter) {
  std::atomic<bool> second_runs{false};
  std::atomic<bool> deleting{false};
  event* second = nullptr;
  bool second_ended = false;
  Call first_call{[&](int, short) {
    eventually([&] { return second_runs.load(); });
    deleting = true;
    event_del(second);
    EXPECT_TRUE(second_ended);
  }};
  Call second_call{[&](int, short) {
    second_runs = true;
    eventually([&] {
      const std::lock_guard lock(base->mutex);
      return deleting && base->waiters > 0;
    });
    late_point();
    second_ended = true;
  }};
  event* first = make(-1, 0, kLate, first_call);
  second = make(-1, 0, kLate, second_call);
  event_active(first, EV_READ, 1);
  event_active(second, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_TRUE(second_ended);
  event_free(first);
  event_free(second);
}

// One waits in event_del() for a handler that waits for another one, which deletes the same event.
TEST_P(LatePoints, TwoDeletersAndAHandlerThatWaitsForOneOfThemDoNotDeadlock) {
  std::atomic<bool> third_runs{false};
  std::atomic<bool> third_waits{false};
  event* third = nullptr;
  bool third_ended = false;
  const auto waiting = [&](int count) {
    const std::lock_guard lock(base->mutex);
    return base->waiters >= count;
  };
  Call first_call{[&](int, short) {
    eventually([&] { return third_runs.load(); });
    event_del(third);
    EXPECT_TRUE(third_ended);
  }};
  Call second_call{[&](int, short) {
    eventually([&] { return third_waits && waiting(2); });
    event_del(third);
  }};
  Call third_call{[&](int, short) {
    third_runs = true;
    eventually([&] { return waiting(1); });
    third_waits = true;
    late_point();
    third_ended = true;
  }};
  event* first = make(-1, 0, kLate, first_call);
  event* second = make(-1, 0, kLate, second_call);
  third = make(-1, 0, kLate, third_call);
  for (event* ev : {first, second, third}) event_active(ev, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_TRUE(third_ended);
  for (event* ev : {first, second, third}) event_free(ev);
}

TEST_P(LatePoints, WhoWaitedForWhomIsInTheFigures) {
  std::atomic<int> inside{0};
  Call call{[&](int, short) {
    ++inside;
    eventually([&] { return inside == 2; });
    late_point();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }};
  std::vector<Call> calls(2, call);
  std::vector<event*> events;
  for (Call& each : calls) events.push_back(make(-1, 0, kLate, each));
  std::vector<telemetry::Contention> contention;
  // Where the later one loses the processor before its point, it has nobody left to wait for.
  for (int round = 0; round < 100 && (contention.empty() || contention[0].total_ns < 1'000'000); ++round) {
    inside = 0;
    for (event* ev : events) event_active(ev, EV_READ, 1);
    EXPECT_EQ(event_base_dispatch(base), 1);
    contention = base->recorder.statistics()->contention();
  }
  ASSERT_EQ(contention.size(), 1U);
  EXPECT_EQ(contention[0].waiter, contention[0].holder);
  EXPECT_GE(contention[0].total_ns, 1'000'000);
  for (event* ev : events) event_free(ev);
}

TEST(LatePointsOfASerialRun, DoNothing) {
  configure(1U);
  event_base* base = event_base_new();
  bool called = false;
  Call call{[&](int, short) {
    late_point();
    called = true;
  }};
  event* ev = event_new(base, -1, 0, handler(kLate), &call);
  event_active(ev, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_TRUE(called);
  event_free(ev);
  event_base_free(base);
}

}  // namespace
}  // namespace heddle::multivent
