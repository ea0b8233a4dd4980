// Most URLs of a small crawl, and the last ones of a large one, need no table: they are found, fetched and done within
// seconds. A row costs SQLite some microseconds to add, to look up and to change; here it costs a tenth of one.
//
// Rows are numbered on from the last one of the table `url`, without a gap, in the order in which they were found. One
// is queued, as it was found, or done, as it was fetched. Whatever else becomes of a URL (it waits, or is wanted
// sooner) is the tables' matter: its row is moved to them first, and only its key is still found here.
//
// The owner moves all rows to the tables when full() says so. Where a store is kept, it puts what changed since the
// last commit, encode(), into the table `journal`, and has it read again, decode(), after a crash.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crawler/frontier/job.hpp"
#include "crawler/frontier/url_key.hpp"

namespace heddle::crawler {

class YoungRows {
 public:
  enum class State : std::uint8_t { kQueued, kDone, kMoved };

  struct Young {
    UrlKey key;
    HostId host = 0;
    std::int64_t via = 0;
    std::uint32_t text_at = 0;
    std::uint32_t text_size = 0;
    std::uint32_t depth = 0;
    std::uint32_t hops = 0;
    JobFlags flags = 0;
    State state = State::kQueued;
    bool changed = false;  // since the last encode(); new ones are not marked
  };

  explicit YoungRows(std::int64_t last_id) : first_(last_id + 1), places_(2 * kMostRows) {}

  bool empty() const { return rows_.empty(); }
  bool full() const { return rows_.size() >= kMostRows || text_.size() >= kMostText; }
  std::int64_t first() const { return first_; }
  std::int64_t end() const { return first_ + static_cast<std::int64_t>(rows_.size()); }

  // The row of this number if it is here and was not moved; null otherwise. Good until the next add().
  const Young* row(std::int64_t id) const {
    if (id < first_ || id >= end()) return nullptr;
    const Young& row = rows_[static_cast<std::size_t>(id - first_)];
    return row.state == State::kMoved ? nullptr : &row;
  }
  // The number of the row with this key, moved or not; 0 if there is none.
  std::int64_t find(const UrlKey& key) const {
    const std::uint32_t at = places_[place_of(key)];
    return at == 0 ? 0 : first_ + at - 1;
  }
  // Moved or not.
  const Young& any(std::int64_t id) const { return rows_[static_cast<std::size_t>(id - first_)]; }
  std::string_view url(const Young& row) const { return std::string_view(text_).substr(row.text_at, row.text_size); }

  // Adds a row that is not here; its number. Needs !full().
  std::int64_t add(Young row, std::string_view url);
  // Of a row that is here.
  void set_done(std::int64_t id, JobFlags flags);
  void set_moved(std::int64_t id) { change(id).state = State::kMoved; }

  // Appends the numbers, from `after` on, of queued rows of this depth and host to `found`, until that has `most`.
  void queued(std::uint32_t depth, HostId host, std::int64_t after, std::size_t most, std::vector<std::int64_t>& found);
  // The next host after `after` that had a queued row of this depth, or 0.
  HostId host_after(std::uint32_t depth, HostId after) const;

  // All were moved to the tables.
  void clear();

  // What changed since the last encode(): bytes for decode(), which is given them in the same order.
  std::string encode();
  // False if they are not what encode() gives.
  bool decode(std::string_view bytes);

 private:
  static constexpr std::size_t kMostRows = 65'536;
  static constexpr std::size_t kMostText = std::size_t{8} << 20U;

  struct Queue {
    std::vector<std::uint32_t> rows;  // indexes, in order; some are not queued any more
    std::size_t begin = 0;            // none before it is
  };

  Young& change(std::int64_t id);
  // Where the key is, or would be.
  std::size_t place_of(const UrlKey& key) const;

  std::int64_t first_;
  std::vector<Young> rows_;
  std::string text_;                   // of all URLs
  std::vector<std::uint32_t> places_;  // by key: index of the row, plus 1; by open addressing, at most half full
  std::map<std::pair<std::uint32_t, HostId>, Queue> queues_;
  std::size_t encoded_ = 0;             // so many rows are known to decode()
  std::vector<std::uint32_t> changed_;  // of these
};

}  // namespace heddle::crawler
