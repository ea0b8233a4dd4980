// The links that every page of a site has, its menu and its footer, are found again on each page; they should not cost
// a look-up in the store each time.
//
// A table with one place per hash value: a newer key takes the place of an older one. Keys are compared whole, so an
// entry that is found is the truth.
#pragma once

#include <cstdint>
#include <vector>

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
    std::int64_t id = 0;  // of the URL's row; 0: the place is empty
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
  void prefetch(const UrlKey& key) const { __builtin_prefetch(&entries_[place(key)], 1); }

  // The entry of the key, or null.
  const Entry* find(const UrlKey& key) const {
    const Entry& entry = entries_[place(key)];
    return entry.id != 0 && entry.key == key ? &entry : nullptr;
  }
  void set(const Entry& entry) { entries_[place(entry.key)] = entry; }

 private:
  static constexpr std::size_t kEntries = std::size_t{1} << 15U;  // 1.3 MB

  static std::size_t place(const UrlKey& key) { return key.low >> 40U & (kEntries - 1); }

  std::vector<Entry> entries_{kEntries};
};

}  // namespace heddle::crawler
