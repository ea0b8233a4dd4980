// A set of bytes of an object, as ranges by their distance from where the object begins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::elyze {

class ByteSet {
 public:
  void add(std::int64_t low, std::int64_t high) {
    if (low >= high) return;
    std::vector<std::pair<std::int64_t, std::int64_t>> joined;
    for (const auto& [from, to] : ranges_) {
      if (to < low || from > high) {
        joined.emplace_back(from, to);
        continue;
      }
      low = std::min(low, from);
      high = std::max(high, to);
    }
    joined.emplace_back(low, high);
    std::sort(joined.begin(), joined.end());
    ranges_ = std::move(joined);
  }
  void add(const ByteSet& other, std::int64_t distance) {
    for (const auto& [from, to] : other.ranges_) add(from + distance, to + distance);
  }
  // What is in both.
  void keep(const ByteSet& other) {
    std::vector<std::pair<std::int64_t, std::int64_t>> common;
    for (const auto& [from, to] : ranges_) {
      for (const auto& [low, high] : other.ranges_)
        if (std::max(from, low) < std::min(to, high)) common.emplace_back(std::max(from, low), std::min(to, high));
    }
    ranges_ = std::move(common);
  }
  bool covers(std::int64_t low, std::int64_t high) const {
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [&](const auto& range) { return range.first <= low && high <= range.second; });
  }
  bool empty() const { return ranges_.empty(); }
  std::size_t pieces() const { return ranges_.size(); }
  const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges() const { return ranges_; }
  friend bool operator==(const ByteSet&, const ByteSet&) = default;

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges_;  // in order, none touches the next
};

}  // namespace heddle::elyze
