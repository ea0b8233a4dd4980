// How many URLs of each depth are still to be done, and so which depth may be leased now.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "base/assert.hpp"

namespace heddle::crawler {

class Levels {
 public:
  struct Count {
    std::uint64_t queued = 0;
    std::uint64_t waiting = 0;
    std::uint64_t leased = 0;
    std::uint64_t kept = 0;  // fetched ahead, and not done

    bool empty() const { return queued == 0 && waiting == 0 && leased == 0 && kept == 0; }
  };

  // Adds to one of a depth's counts (&Count::queued and so on); `by` may be negative.
  void add(std::uint32_t depth, std::uint64_t Count::* which, std::int64_t by) {
    const auto at = counts_.try_emplace(depth).first;
    at->second.*which += static_cast<std::uint64_t>(by);
    total_.*which += static_cast<std::uint64_t>(by);
    HEDDLE_DCHECK(static_cast<std::int64_t>(at->second.*which) >= 0);
    if (at->second.empty()) counts_.erase(at);
  }

  // The least depth that has something to do; without `places`, queued and kept URLs are nothing to do, for the run has
  // its most pages. 0 if there is none.
  std::uint32_t lowest(bool places) const {
    for (const auto& [depth, count] : counts_)
      if (count.waiting != 0 || count.leased != 0 || (places && (count.queued != 0 || count.kept != 0))) return depth;
    return 0;
  }
  // The next depth after this one that has queued URLs.
  std::optional<std::uint32_t> queued_after(std::uint32_t depth) const {
    for (auto at = counts_.upper_bound(depth); at != counts_.end(); ++at)
      if (at->second.queued != 0) return at->first;
    return std::nullopt;
  }
  std::optional<std::uint32_t> lowest_kept() const {
    for (const auto& [depth, count] : counts_)
      if (count.kept != 0) return depth;
    return std::nullopt;
  }

  Count of(std::uint32_t depth) const {
    const auto at = counts_.find(depth);
    return at == counts_.end() ? Count{} : at->second;
  }
  const Count& total() const { return total_; }

 private:
  std::map<std::uint32_t, Count> counts_;  // no entry is empty
  Count total_;
};

}  // namespace heddle::crawler
