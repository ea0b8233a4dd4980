#include "scheduler/crew/crew_leaders.hpp"

#include <gtest/gtest.h>

#include <array>

namespace heddle::scheduler {
namespace {

using std::chrono::milliseconds;

constexpr unsigned kMost = 4;

class CrewLeadersTest : public testing::Test {
 protected:
  // Passes `windows` windows of 10 ms. In each of them every leader computes for `busy_ms`, and the loop makes
  // calls[n-1] calls if n members lead. Returns in how many windows more than one led.
  unsigned watch(unsigned windows, std::array<std::uint64_t, kMost> calls, int busy_ms = 10) {
    unsigned several = 0;
    for (unsigned i = 0; i < windows; ++i) {
      several += leaders_.now() > 1;
      leaders_.looked({.handlers = calls[leaders_.now() - 1],
                       .length = milliseconds(10),
                       .computed = milliseconds(busy_ms * static_cast<int>(leaders_.now()))});
    }
    return several;
  }

  CrewLeaders leaders_{kMost};
};

TEST_F(CrewLeadersTest, ALoopThatWaitsIsLedByOne) { EXPECT_EQ(watch(1000, {100, 200, 300, 400}, 8), 0U); }

TEST_F(CrewLeadersTest, AsManyLeadAsTheLoopGetsFasterBy) {
  watch(20, {100, 200, 300, 400});
  EXPECT_EQ(leaders_.now(), 4U);
  leaders_.idle();
  watch(20, {100, 180, 190, 195});
  EXPECT_EQ(leaders_.now(), 2U);
}

TEST_F(CrewLeadersTest, FewStepsLeadToManyCores) {
  CrewLeaders leaders(16);
  for (unsigned i = 0; i < 16; ++i) {
    const std::uint64_t lead = leaders.now();
    leaders.looked({.handlers = 90 * lead + 10, .length = milliseconds(10), .computed = milliseconds(10) * lead});
  }
  EXPECT_EQ(leaders.now(), 16U);
}

TEST_F(CrewLeadersTest, TheFirstWindowOfATrialDoesNotCount) {
  leaders_.looked({.handlers = 100, .length = milliseconds(10), .computed = milliseconds(10)});
  for (unsigned i = 0; i < 100 && leaders_.now() == 1; ++i)
    leaders_.looked({.handlers = 100, .length = milliseconds(10), .computed = milliseconds(10)});
  ASSERT_EQ(leaders_.now(), 2U);
  leaders_.looked({.handlers = 50, .length = milliseconds(10), .computed = milliseconds(10)});
  EXPECT_EQ(leaders_.now(), 2U);
  leaders_.looked({.handlers = 200, .length = milliseconds(10), .computed = milliseconds(20)});
  EXPECT_EQ(leaders_.now(), 2U);
}

TEST_F(CrewLeadersTest, WhatBringsNothingIsTriedEverMoreSeldom) {
  EXPECT_LE(watch(100, {100, 110, 110, 110}), 14U);
  EXPECT_LE(watch(10'000, {100, 90, 80, 70}), 50U);
  EXPECT_EQ(leaders_.now(), 1U);
}

TEST_F(CrewLeadersTest, WhoBringsNothingAnyMoreGoes) {
  watch(20, {100, 200, 300, 400});
  watch(1000, {100, 100, 100, 100});
  EXPECT_LE(watch(1000, {100, 100, 100, 100}), 20U);
}

TEST_F(CrewLeadersTest, ALoopThatBeginsToWaitIsLedByOne) {
  watch(20, {100, 200, 300, 400});
  watch(1, {10, 10, 10, 10}, 1);
  EXPECT_EQ(leaders_.now(), 1U);
}

TEST_F(CrewLeadersTest, ReviewsCostLittle) {
  watch(20, {100, 200, 200, 200});
  EXPECT_GE(watch(1000, {100, 200, 200, 200}), 980U);
}

}  // namespace
}  // namespace heddle::scheduler
