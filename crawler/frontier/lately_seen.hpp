// The links that every page of a site has, its menu and its footer, are found again on each page; they should not cost
// a look-up in the store each time.
//
// A table of a million places, 16 MB, in which four, a cache line, are open to each key; a new key takes the place of
// the one that came first. Of a key's 128 bits, 64 are compared, in a line that others choose: that one of 10^11
// look-ups is mistaken has a probability of 2^-25.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "crawler/frontier/huge_table.hpp"
#include "crawler/frontier/job.hpp"
#include "crawler/frontier/url_key.hpp"

namespace heddle::crawler {

// What a page can want of a URL, from the least to the most; see job.hpp for the flags.
enum class Want : std::uint8_t { kPage = 0, kShown = 1, kCheck = 2 };

inline Want want_of(JobFlags flags) {
  if ((flags & kCheckOnly) != 0) return Want::kCheck;
  return (flags & kResource) != 0 ? Want::kShown : Want::kPage;
}

class LatelySeen {
 public:
  struct Entry {
    UrlKey key;
    std::int64_t id = 0;  // of the URL's row; 0: none
    std::uint32_t depth = 0;
    std::uint32_t hops = 0;
    Want want = Want::kPage;

    // To find it once more in this way changes nothing in the store.
    bool covers(const Found& found) const {
      return id != 0 && (depth < found.depth || (depth == found.depth && hops <= found.hops)) &&
             want <= want_of(found.flags) && (found.flags & kGiven) == 0;
    }
  };

  // Has the key's place in the caches when find() is called for it soon.
  void prefetch(const UrlKey& key) const { __builtin_prefetch(&lines_[place(key)], 1); }

  // The entry of the key; one with id 0 if it is not here.
  Entry find(const UrlKey& key) const {
    for (const Slot& slot : lines_[place(key)].slots)
      if (slot.packed != 0 && slot.tag == key.low) return unpack(key, slot.packed);
    return {};
  }

  void set(const Entry& entry) {
    const std::optional<std::uint64_t> packed = pack(entry);
    if (!packed) return;
    auto& slots = lines_[place(entry.key)].slots;
    auto* at = std::ranges::find(slots, entry.key.low, &Slot::tag);
    if (at == slots.end()) {
      at = slots.begin();
      std::shift_right(slots.begin(), slots.end(), 1);
    }
    *at = {entry.key.low, *packed};
  }

 private:
  static constexpr std::size_t kLines = std::size_t{1} << 18U;

  // id: 36 bits, depth: 20, hops: 6, want: 2. Of depths those below 2^19 are told, and these with 2^30 added: that far
  // behind all pages is what is only looked at.
  static constexpr unsigned kDepthBits = 19;
  static constexpr std::uint32_t kBehind = kBehindAllPages;
  struct Slot {
    std::uint64_t tag;
    std::uint64_t packed;  // 0: empty
  };
  struct alignas(64) Line {
    std::array<Slot, 4> slots;
  };

  static std::optional<std::uint64_t> pack(const Entry& entry) {
    const std::uint32_t near = entry.depth & ~kBehind;
    if (entry.id <= 0 || entry.id >> 36U != 0 || near >> kDepthBits != 0 || entry.hops >> 6U != 0) return std::nullopt;
    const std::uint64_t depth = near | (entry.depth & kBehind) >> (30 - kDepthBits);
    return static_cast<std::uint64_t>(entry.id) << 28U | depth << 8U | std::uint64_t{entry.hops} << 2U |
           static_cast<std::uint64_t>(entry.want);
  }
  static Entry unpack(const UrlKey& key, std::uint64_t packed) {
    const auto depth = static_cast<std::uint32_t>(packed >> 8U & 0xFFFFF);
    const std::uint32_t behind = depth >> kDepthBits << 30U;
    return {key, static_cast<std::int64_t>(packed >> 28U), (depth & ((1U << kDepthBits) - 1)) | behind,
            static_cast<std::uint32_t>(packed >> 2U & 63), static_cast<Want>(packed & 3)};
  }
  static std::size_t place(const UrlKey& key) { return key.high & (kLines - 1); }

  HugeTable<Line> lines_{kLines};
};

}  // namespace heddle::crawler
