#include "multivent/loop/timers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
