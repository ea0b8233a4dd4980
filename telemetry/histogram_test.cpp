#include "telemetry/histogram.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace heddle::telemetry {
namespace {

TEST(Histogram, IsAllZeroWhenNothingWasRecorded) {
  const Histogram empty;
  EXPECT_EQ(empty.min_ns(), 0U);
  EXPECT_EQ(empty.max_ns(), 0U);
  EXPECT_EQ(empty.mean_ns(), 0);
  EXPECT_EQ(empty.percentile_ns(0.99), 0U);
}

TEST(Histogram, MinimumMeanAndMaximumAreExact) {
  Histogram histogram;
  for (const base::Nanoseconds value : {1'000'003, 7, 400}) histogram.record(value);
  EXPECT_EQ(histogram.min_ns(), 7U);
  EXPECT_EQ(histogram.max_ns(), 1'000'003U);
  EXPECT_DOUBLE_EQ(histogram.mean_ns(), 1'000'410 / 3.0);
}

TEST(Histogram, PercentilesAreAtMostASixteenthTooHighAndNeverTooLow) {
  std::mt19937_64 random(7);
  Histogram histogram;
  std::vector<std::uint64_t> values;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t value = random() >> (24 + random() % 40);
    values.push_back(value);
    histogram.record(static_cast<base::Nanoseconds>(value));
  }
  std::sort(values.begin(), values.end());
  for (const double share : {0.01, 0.5, 0.9, 0.99, 1.0}) {
    const auto rank = static_cast<std::size_t>(share * static_cast<double>(values.size())) - 1;
    const auto exact = static_cast<double>(values[rank]);
    const auto reported = static_cast<double>(histogram.percentile_ns(share));
    EXPECT_GE(reported, exact) << share;
    EXPECT_LE(reported, exact * (1 + 1.0 / 16) + 1) << share;
  }
}

TEST(Histogram, AClockThatWentBackwardsCountsAsZero) {
  Histogram histogram;
  histogram.record(-5);
  EXPECT_EQ(histogram.max_ns(), 0U);
  EXPECT_EQ(histogram.count(), 1U);
}

TEST(Histogram, TheLongestDurationsShareTheLastBucket) {
  Histogram histogram;
  histogram.record(std::numeric_limits<base::Nanoseconds>::max());
  histogram.record(base::Nanoseconds{1} << 41);
  EXPECT_EQ(histogram.percentile_ns(0.5), static_cast<std::uint64_t>(std::numeric_limits<base::Nanoseconds>::max()));
}

TEST(Histogram, MergingIsRecordingBoth) {
  Histogram a;
  Histogram b;
  Histogram both;
  for (base::Nanoseconds i = 0; i < 100; ++i) {
    (i % 3 == 0 ? a : b).record(i * 1000);
    both.record(i * 1000);
  }
  a.merge(b);
  EXPECT_EQ(a.count(), both.count());
  EXPECT_EQ(a.min_ns(), both.min_ns());
  EXPECT_EQ(a.percentile_ns(0.5), both.percentile_ns(0.5));
}

}  // namespace
}  // namespace heddle::telemetry
