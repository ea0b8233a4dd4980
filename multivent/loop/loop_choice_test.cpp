#include "multivent/loop/loop_choice.hpp"

#include <gtest/gtest.h>

namespace heddle::multivent {
namespace {

constexpr base::Nanoseconds kMs = 1'000'000;

// A loop that is given as much as it can do, in calls of that length; a crew gets through `gain` times as many.
struct Saturated {
  base::Nanoseconds call_ns;
  double gain;

  LoopChoice::Slice slice(const LoopChoice& choice) const {
    const base::Nanoseconds length = choice.slice_ns();
    const double calls = static_cast<double>(length) / static_cast<double>(call_ns) * (choice.by_crew() ? gain : 1);
    const auto in_calls = static_cast<base::Nanoseconds>(calls * static_cast<double>(call_ns));
    return {static_cast<std::uint64_t>(calls), length, in_calls, call_ns > 200'000 ? in_calls : 0};
  }
};

// How long of `seconds` the loop is run by a crew.
double by_crew(LoopChoice& choice, const Saturated& load, int seconds) {
  base::Nanoseconds all = 0;
  base::Nanoseconds crew = 0;
  while (all < seconds * 1000 * kMs) {
    const LoopChoice::Slice slice = load.slice(choice);
    all += slice.length_ns;
    crew += choice.by_crew() ? slice.length_ns : 0;
    choice.over(slice);
  }
  return static_cast<double>(crew) / static_cast<double>(all);
}

TEST(LoopChoice, LightHandlersAreNeverGivenToACrew) {
  LoopChoice choice;
  EXPECT_EQ(by_crew(choice, {5'000, 1.5}, 100), 0);
  EXPECT_EQ(choice.trials(), 0U);
}

TEST(LoopChoice, AnIdleLoopStaysWithItsThread) {
  LoopChoice choice;
  for (int i = 0; i < 100; ++i) choice.over({10, 1000 * kMs, kMs, 0});
  EXPECT_FALSE(choice.by_crew());
}

TEST(LoopChoice, ACrewThatGetsThroughMoreStays) {
  LoopChoice choice;
  EXPECT_GT(by_crew(choice, {50'000, 1.8}, 20), 0.95);
  EXPECT_GE(choice.gained(), 1U);
}

TEST(LoopChoice, ACrewThatLosesIsTriedEverMoreSeldom) {
  LoopChoice choice;
  EXPECT_LT(by_crew(choice, {50'000, 0.8}, 10), 0.05);
  const auto trials = choice.trials();
  EXPECT_GE(trials, 2U);
  EXPECT_LT(by_crew(choice, {50'000, 0.8}, 1000), 0.002);
  EXPECT_LT(choice.trials(), trials + 12);
}

TEST(LoopChoice, ALoopThatBeginsToGainIsGivenToACrewAtTheNextTrial) {
  LoopChoice choice;
  by_crew(choice, {50'000, 0.8}, 10);
  by_crew(choice, {50'000, 1.8}, 20);
  EXPECT_TRUE(choice.by_crew());
}

// Others need not wait for them, even if no more is done.
TEST(LoopChoice, BesideLongHandlersACrewNeedsNoGain) {
  LoopChoice choice;
  EXPECT_GT(by_crew(choice, {5 * kMs, 1.0}, 20), 0.9);
}

TEST(LoopChoice, BesideLongHandlersOfALoopThatWaitsNoTrialIsMade) {
  LoopChoice choice;
  choice.over({10, 50 * kMs, 10 * kMs, 8 * kMs});
  EXPECT_TRUE(choice.by_crew());
  EXPECT_EQ(choice.trials(), 0U);
}

TEST(LoopChoice, TheCrewGoesWhenWhatCalledForItIsGone) {
  LoopChoice choice;
  choice.over({10, 50 * kMs, 10 * kMs, 8 * kMs});
  ASSERT_TRUE(choice.by_crew());
  for (int i = 0; i < 100; ++i) choice.over({1000, 50 * kMs, 2 * kMs, 0});
  EXPECT_FALSE(choice.by_crew());
}

}  // namespace
}  // namespace heddle::multivent
