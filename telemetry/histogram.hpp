// Counts of durations from which percentiles can be read, at a fixed cost per value.
//
// Log-linear buckets: every power of two is divided into 16 equal parts, so a value is reported as the upper end of
// its bucket, at most 1/16 too high (below 32 ns exactly), like HdrHistogram (Tene, 2012) with one digit and a bit.
// Values of 2^41 ns (36 minutes) and more share the last bucket. Minimum, maximum and mean are exact.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/clock.hpp"

namespace heddle::telemetry {

class Histogram {
 public:
  // Negative durations count as zero.
  void record(base::Nanoseconds duration, std::uint64_t times = 1) {
    const std::uint64_t value = duration < 0 ? 0 : static_cast<std::uint64_t>(duration);
    buckets_[bucket_of(value)] += times;
    count_ += times;
    sum_ += value * times;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }

  void merge(const Histogram& other) {
    for (std::size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
    count_ += other.count_;
    sum_ += other.sum_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
  }

  std::uint64_t count() const { return count_; }
  std::uint64_t min_ns() const { return count_ == 0 ? 0 : min_; }
  std::uint64_t max_ns() const { return max_; }
  double mean_ns() const { return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_); }

  // The smallest bucket end that `share` (0 to 1) of the values do not exceed, but no more than the maximum.
  std::uint64_t percentile_ns(double share) const {
    const double wanted = share * static_cast<double>(count_);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      seen += buckets_[i];
      if (seen > 0 && static_cast<double>(seen) >= wanted) return std::min(end_of(i), max_);
    }
    return max_;
  }

 private:
  static constexpr int kPartBits = 4;
  static constexpr std::uint64_t kParts = 1U << kPartBits;
  static constexpr int kTopBit = 40;
  static constexpr std::size_t kBuckets = (kTopBit - kPartBits + 2) * kParts + 1;

  // Values below kParts have a bucket each; above, the leading bit gives the row and the next bits the part.
  static std::size_t bucket_of(std::uint64_t value) {
    if (value < kParts) return static_cast<std::size_t>(value);
    const int top = 63 - std::countl_zero(value);
    if (top > kTopBit) return kBuckets - 1;
    const std::uint64_t part = (value >> (top - kPartBits)) - kParts;
    return static_cast<std::size_t>(static_cast<std::uint64_t>(top - kPartBits + 1) * kParts + part);
  }

  // The largest value of a bucket.
  static std::uint64_t end_of(std::size_t bucket) {
    if (bucket < kParts) return bucket;
    if (bucket == kBuckets - 1) return std::numeric_limits<std::uint64_t>::max();
    const int shift = static_cast<int>(bucket / kParts) - 1;
    return ((bucket % kParts + kParts + 1) << shift) - 1;
  }

  // The fields that each value changes stand together, in one line of the cache.
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;  // full after centuries
  std::uint64_t min_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max_ = 0;
  std::array<std::uint64_t, kBuckets> buckets_{};
};

}  // namespace heddle::telemetry
