#include "crawler/frontier/young_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/assert.hpp"

namespace heddle::crawler {
namespace {

// Numbers are written as they lie in memory: only this machine's crash is to be survived.
template <class Number>
void put(std::string& to, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  to.append(bytes, sizeof number);
}

template <class Number>
bool take(std::string_view& from, Number& number) {
  if (from.size() < sizeof number) return false;
  std::memcpy(&number, from.data(), sizeof number);
  from.remove_prefix(sizeof number);
  return true;
}

}  // namespace

std::size_t YoungRows::place_of(const UrlKey& key) const {
  const std::size_t mask = places_.size() - 1;
  std::size_t place = key.low & mask;
  while (places_[place] != 0 && rows_[places_[place] - 1].key != key) place = (place + 1) & mask;
  return place;
}

std::int64_t YoungRows::add(Young row, std::string_view url) {
  HEDDLE_DCHECK(!full());
  row.text_at = static_cast<std::uint32_t>(text_.size());
  row.text_size = static_cast<std::uint32_t>(url.size());
  const auto index = static_cast<std::uint32_t>(rows_.size());
  if (row.state == State::kQueued) queues_[{row.depth, row.host}].rows.push_back(index);
  const std::size_t place = place_of(row.key);
  text_ += url;
  rows_.push_back(row);
  places_[place] = index + 1;
  return first_ + index;
}

YoungRows::Young& YoungRows::change(std::int64_t id) {
  const auto index = static_cast<std::uint32_t>(id - first_);
  Young& row = rows_[index];
  if (index < encoded_ && !std::exchange(row.changed, true)) changed_.push_back(index);
  return row;
}

void YoungRows::set_done(std::int64_t id, JobFlags flags) {
  Young& row = change(id);
  row.state = State::kDone;
  row.flags = flags;
}

void YoungRows::queued(std::uint32_t depth, HostId host, std::int64_t after, std::size_t most,
                       std::vector<std::int64_t>& found) {
  const auto at = queues_.find({depth, host});
  if (at == queues_.end()) return;
  auto& [rows, begin] = at->second;
  const auto is_queued = [this](std::uint32_t index) { return rows_[index].state == State::kQueued; };
  while (begin < rows.size() && !is_queued(rows[begin])) ++begin;
  auto next = rows.begin() + static_cast<std::ptrdiff_t>(begin);
  next = std::lower_bound(next, rows.end(), after + 1 - first_);
  for (; next != rows.end() && found.size() < most; ++next)
    if (is_queued(*next)) found.push_back(first_ + *next);
}

HostId YoungRows::host_after(std::uint32_t depth, HostId after) const {
  const auto next = queues_.upper_bound({depth, after});
  return next == queues_.end() || next->first.first != depth ? 0 : next->first.second;
}

void YoungRows::clear() {
  first_ = end();
  rows_.clear();
  text_.clear();
  std::fill(places_.begin(), places_.end(), 0);
  queues_.clear();
  encoded_ = 0;
  changed_.clear();
}

// first_, the number of changes, each as index, state and flags; then the new rows.
std::string YoungRows::encode() {
  std::string bytes;
  put(bytes, first_);
  put(bytes, static_cast<std::uint32_t>(changed_.size()));
  for (const std::uint32_t index : changed_) {
    Young& row = rows_[index];
    row.changed = false;
    put(bytes, index);
    put(bytes, row.state);
    put(bytes, row.flags);
  }
  changed_.clear();
  for (; encoded_ < rows_.size(); ++encoded_) {
    const Young& row = rows_[encoded_];
    put(bytes, row.key);
    put(bytes, row.host);
    put(bytes, row.via);
    put(bytes, row.depth);
    put(bytes, row.hops);
    put(bytes, row.flags);
    put(bytes, row.state);
    put(bytes, row.text_size);
    bytes += url(row);
  }
  return bytes;
}

bool YoungRows::decode(std::string_view bytes) {
  std::int64_t first = 0;
  std::uint32_t changes = 0;
  if (!take(bytes, first) || !take(bytes, changes)) return false;
  if (rows_.empty() && first > 0 && first <= first_) first_ = first;  // some of them were moved to the tables
  if (first != first_) return false;
  for (; changes > 0; --changes) {
    std::uint32_t index = 0;
    std::uint8_t state = 0;
    JobFlags flags = 0;
    if (!take(bytes, index) || !take(bytes, state) || !take(bytes, flags)) return false;
    if (index >= rows_.size() || state > static_cast<std::uint8_t>(State::kMoved)) return false;
    rows_[index].state = static_cast<State>(state);
    rows_[index].flags = flags;
  }
  while (!bytes.empty()) {
    Young row;
    std::uint8_t state = 0;
    if (!take(bytes, row.key) || !take(bytes, row.host) || !take(bytes, row.via) || !take(bytes, row.depth) ||
        !take(bytes, row.hops) || !take(bytes, row.flags) || !take(bytes, state) || !take(bytes, row.text_size))
      return false;
    if (row.text_size > bytes.size() || state > static_cast<std::uint8_t>(State::kMoved) || full()) return false;
    if (find(row.key) != 0) return false;
    row.state = static_cast<State>(state);
    add(row, bytes.substr(0, row.text_size));
    bytes.remove_prefix(row.text_size);
  }
  encoded_ = rows_.size();
  return true;
}

}  // namespace heddle::crawler
