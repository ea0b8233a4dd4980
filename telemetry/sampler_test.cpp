#include "telemetry/sampler.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace heddle::telemetry {
namespace {

TEST(Sampler, TakesEachOfTheFirstCalls) {
  Sampler sampler;
  for (std::uint32_t call = 0; call < Sampler::kAll; ++call) ASSERT_EQ(sampler.take(), 1U);
}

TEST(Sampler, TakesEveryCallForATrace) {
  Sampler sampler(/*every=*/true);
  for (std::uint32_t call = 0; call < 3 * Sampler::kAll; ++call) ASSERT_EQ(sampler.take(), 1U);
}

// Two handlers that take turns, one of them three times as often as the other, are counted as often as they are called.
TEST(Sampler, ThoseThatAreTakenStandForAllOthers) {
  Sampler sampler;
  constexpr std::uint32_t kCalls = 2'000'000;
  std::uint32_t taken = 0;
  std::uint64_t counted[2] = {};
  for (std::uint32_t call = 0; call < kCalls; ++call) {
    const std::uint32_t times = sampler.take();
    taken += times != 0;
    counted[call % 4 == 0] += times;
  }
  EXPECT_LT(kCalls - (counted[0] + counted[1]), 2 * Sampler::kMeanGap);
  EXPECT_LT(taken, Sampler::kAll + 2 * (kCalls - Sampler::kAll) / Sampler::kMeanGap);
  EXPECT_NEAR(static_cast<double>(counted[1]), kCalls / 4.0, kCalls * 0.01);
}

}  // namespace
}  // namespace heddle::telemetry
