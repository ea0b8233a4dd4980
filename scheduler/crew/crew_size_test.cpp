#include "scheduler/crew/crew_size.hpp"

#include <gtest/gtest.h>

namespace heddle::scheduler {
namespace {

constexpr unsigned kCores = 2;
constexpr unsigned kMost = 64;

class CrewSizeTest : public testing::Test {
 protected:
  // Passes `ticks` ticks with `due` handlers due. As many of them run as may, and of ten that run `computing` compute.
  // Counts these whenever CrewSize wants that; returns how often it did.
  unsigned watch(unsigned ticks, unsigned due, unsigned computing) {
    unsigned looks = 0;
    for (unsigned tick = 0; tick < ticks; ++tick) {
      const unsigned heavy = std::min(due, size_.now());
      const bool waits = due > heavy;
      if (!size_.wants_look(heavy, waits)) continue;
      ++looks;
      size_.looked(heavy, heavy * computing / 10, waits);
    }
    return looks;
  }

  CrewSize size_{kCores, kMost};
};

TEST_F(CrewSizeTest, HandlersThatBlockGetAsManyPlacesAsAreDueAndNoMoreThanTheBound) {
  watch(100, 16, 0);
  EXPECT_EQ(size_.now(), 16U);
  watch(100, 1000, 0);
  EXPECT_EQ(size_.now(), kMost);
}

TEST_F(CrewSizeTest, HandlersThatComputeGetAsManyPlacesAsThereAreCores) {
  watch(1000, 1000, 10);
  EXPECT_EQ(size_.now(), kCores);
}

TEST_F(CrewSizeTest, HandlersThatComputeHalfTheirTimeGetTwoPlacesForEachCore) {
  watch(1000, 1000, 5);
  EXPECT_GE(size_.now(), kCores * 3 / 2);
  EXPECT_LE(size_.now(), kCores * 3);
}

TEST_F(CrewSizeTest, PlacesAreTakenAwayWhenHandlersComputeInstead) {
  watch(100, 32, 0);
  ASSERT_EQ(size_.now(), 32U);
  watch(100, 1000, 10);
  EXPECT_EQ(size_.now(), kCores);
}

TEST_F(CrewSizeTest, NothingGrowsWhileNothingWaits) {
  EXPECT_EQ(watch(1000, kCores, 0), 0U);
  EXPECT_EQ(size_.now(), kCores);
}

TEST_F(CrewSizeTest, AHandlerThatIsCaughtBlockedOnceChangesNothing) {
  for (int i = 0; i < 100; ++i) {
    size_.looked(kCores, kCores - 1, true);
    size_.looked(kCores, kCores, true);
  }
  EXPECT_EQ(size_.now(), kCores);
}

TEST_F(CrewSizeTest, PlacesThatNobodyNeedsGoWhenThereIsNothingToDo) {
  watch(100, 16, 0);
  EXPECT_TRUE(size_.idle());
  EXPECT_EQ(size_.now(), 8U);
  while (size_.idle()) {
  }
  EXPECT_EQ(size_.now(), kCores);
}

TEST_F(CrewSizeTest, LooksGetRareWhileTheyChangeNothing) {
  EXPECT_LE(watch(1600, 1000, 10), 110U);  // a busy server: one in 16 ticks
}

TEST_F(CrewSizeTest, AFixedNumberStays) {
  CrewSize fixed(4, 4);
  EXPECT_FALSE(fixed.adapts());
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(fixed.looked(4, 0, true));
  EXPECT_FALSE(fixed.idle());
  EXPECT_EQ(fixed.now(), 4U);
}

}  // namespace
}  // namespace heddle::scheduler
