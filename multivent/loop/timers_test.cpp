#include "multivent/loop/timers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace heddle::multivent {
namespace {

TEST(Timers, GiveUpTheirEventsInOrderWhateverWasInsertedAndRemoved) {
  std::mt19937 random(7);
  Timers timers;
  const timeval* common = timers.common({2, 0});
  std::vector<event> events(400);
  std::vector<event*> expected;
  for (event& ev : events) {
    ev = {};
    const bool is_common = random() % 3 == 0;
    // Common timeouts are added as time goes on, so they come in order; others come as they like.
    ev.ev_timeout = {static_cast<time_t>(is_common ? (&ev - events.data()) / 4 : random() % 100), 5};
    if (is_common) ev.ev_timeout.tv_usec |= common->tv_usec & ~kMicrosecondsMask;
    set_flags(flags_of(ev), EVLIST_TIMEOUT);
    timers.insert(ev);
    timers.check();
    expected.push_back(&ev);
  }
  for (int i = 0; i < 150; ++i) {
    const std::size_t at = random() % expected.size();
    timers.remove(*expected[at]);
    timers.check();
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(at));
  }
  timeval last{};
  while (event* ev = timers.first()) {
    EXPECT_FALSE(less(ev->ev_timeout, last));
    last = without_magic(ev->ev_timeout);
    EXPECT_EQ(std::erase(expected, ev), 1U);
    timers.remove(*ev);
  }
  EXPECT_TRUE(expected.empty());
  EXPECT_TRUE(timers.empty());
}

TEST(Timers, EqualOnesThatWereSetAsideComeBackInTheOrderInWhichTheyLeft) {
  Timers timers;
  std::vector<event> events(9);
  for (event& ev : events) {
    ev = {};
    ev.ev_timeout = {3, 0};
    set_flags(flags_of(ev), EVLIST_TIMEOUT);
    timers.insert(ev);
  }
  const timeval now{5, 0};
  std::vector<const event*> left;
  while (event* ev = timers.due(now)) {
    left.push_back(ev);
    timers.set_aside(*ev);
  }
  timers.check();
  timers.bring_back();
  timers.check();
  EXPECT_EQ(timers.first(), left.front());
  std::vector<const event*> came;
  while (event* ev = timers.due(now)) {
    came.push_back(ev);
    timers.remove(*ev);
  }
  EXPECT_EQ(came, left);
}

TEST(Timers, CommonOnesAreDueListByListTheEarlierListFirst) {
  Timers timers;
  const timeval* const longer = timers.common({2, 0});
  const timeval* const shorter = timers.common({1, 0});
  std::vector<event> events(4);
  const std::pair<time_t, const timeval*> ends[] = {{12, longer}, {11, shorter}, {13, shorter}, {14, longer}};
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i] = {};
    events[i].ev_timeout = {ends[i].first, ends[i].second->tv_usec & ~kMicrosecondsMask};
    set_flags(flags_of(events[i]), EVLIST_TIMEOUT);
    timers.insert(events[i]);
  }
  std::vector<std::size_t> came;
  timers.visit_common_due({13, 5}, [&](event& ev) {
    came.push_back(static_cast<std::size_t>(&ev - events.data()));
    timers.remove(ev);
  });
  EXPECT_EQ(came, (std::vector<std::size_t>{1, 2, 0}));
}

TEST(Timers, TheFirstOfManyListsIsFoundWhateverComesAndGoes) {
  constexpr std::size_t kLists = 40;
  std::mt19937 random(11);
  Timers timers;
  std::vector<const timeval*> lists;
  for (std::size_t i = 0; i < kLists; ++i) lists.push_back(timers.common({1 + static_cast<time_t>(i), 0}));
  std::vector<event> events(600);
  std::vector<event*> in;
  for (std::size_t i = 0; i < 4000; ++i) {
    event& ev = events[i % events.size()];
    const auto at = std::find(in.begin(), in.end(), &ev);
    if (at != in.end()) {
      timers.remove(ev);
      in.erase(at);
    } else {
      ev = {};
      ev.ev_timeout = {static_cast<time_t>(i / 8 + random() % 50),
                       lists[random() % kLists]->tv_usec & ~kMicrosecondsMask};
      set_flags(flags_of(ev), EVLIST_TIMEOUT);
      timers.insert(ev);
      in.push_back(&ev);
    }
    if (i % 500 == 250) timers.follow_libevent(true), timers.check(), timers.follow_libevent(false);
    timers.check();
    time_t earliest = 0;
    for (const event* each : in)
      earliest = earliest == 0 ? each->ev_timeout.tv_sec : std::min(earliest, each->ev_timeout.tv_sec);
    ASSERT_EQ(timers.first() != nullptr ? timers.first()->ev_timeout.tv_sec : 0, earliest);
  }
}

// Which stands in the heap from when the first of the list came, and is not put off if that goes.
TEST(Timers, WhereLibeventIsFollowedAListHasATimerOfItsOwn) {
  Timers timers;
  timers.follow_libevent(true);
  const timeval* const common = timers.common({2, 0});
  std::vector<event> events(3);
  for (event& ev : events) set_flags(flags_of(ev), EVLIST_TIMEOUT);
  events[0].ev_timeout = {12, common->tv_usec & ~kMicrosecondsMask};
  events[1].ev_timeout = {13, common->tv_usec & ~kMicrosecondsMask};
  events[2].ev_timeout = {12, 0};
  for (event& ev : events) timers.insert(ev);
  timers.remove(events[0]);
  timers.check();
  EXPECT_EQ(timers.next()->tv_sec, 12);
  event_callback* const call = timers.take_own(*timers.due({12, 0}));
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(timers.due_in_list(*call, {12, 0}), nullptr);
  timers.go_on_with_list(*call);
  EXPECT_EQ(timers.take_own(*timers.due({12, 0})), nullptr);
  EXPECT_EQ(timers.due({12, 0}), &events[2]);
  timers.remove(events[2]);
  EXPECT_EQ(timers.next()->tv_sec, 13);
  timers.follow_libevent(false);
  EXPECT_EQ(timers.first(), &events[1]);
  timers.remove(events[1]);
  EXPECT_TRUE(timers.empty());
}

TEST(Timers, ManyThatAreSetAsideCanGoInAnyOrder) {
  Timers timers;
  std::vector<event> events(40);
  for (event& ev : events) {
    ev.ev_timeout = {3, 0};
    set_flags(flags_of(ev), EVLIST_TIMEOUT);
    timers.insert(ev);
  }
  for (std::size_t i = 0; i < events.size(); i += 2) timers.set_aside(events[i]);
  for (std::size_t i = 0; i < events.size(); i += 4) timers.remove(events[i]);
  timers.bring_back();
  timers.check();
  for (std::size_t i = 0; i < events.size(); ++i)
    if (i % 4 != 0) timers.remove(events[i]);
  EXPECT_TRUE(timers.empty());
}

TEST(Timers, TheTimeUntilTheFarFutureIsLong) {
  EXPECT_GT(time_until({12'614'400'000, 0}, {5, 0}), 0);
  EXPECT_EQ(time_until({7, 0}, {5, 0}), 2'000'000'000);
  EXPECT_EQ(time_until({-10'000'000'000, 0}, {5, 0}), 0);
  EXPECT_EQ(time_until(plus({5, 0}, {std::numeric_limits<time_t>::max(), 0}), {5, 0}), 0);
  EXPECT_LT(to_nanoseconds({-10'000'000'000, 0}), to_nanoseconds({10'000'000'000, 0}));
}

TEST(Timers, ACommonDurationIsMarkedOnceAndLimitedInNumber) {
  Timers timers;
  const timeval* mark = timers.common({1, 500});
  EXPECT_TRUE(timers.is_common(*mark));
  EXPECT_EQ(without_magic(*mark).tv_usec, 500);
  EXPECT_EQ(timers.common({1, 500}), mark);
  for (int i = 1; i < 256; ++i) EXPECT_NE(timers.common({1, 500 + i}), nullptr);
  EXPECT_EQ(timers.common({9, 9}), nullptr);
}

}  // namespace
}  // namespace heddle::multivent
