#include "elyze/points_to/layout.hpp"

#include <algorithm>
#include <numeric>

#include "elyze/ir/addresses.hpp"

namespace heddle::elyze {
namespace {

constexpr std::size_t kMostMoves = 48;  // walks and joins
constexpr std::size_t kMostArrays = 128;

template <class Items, class Item>
bool add_unique(Items& items, const Item& item) {
  if (std::find(items.begin(), items.end(), item) != items.end()) return false;
  items.push_back(item);
  return true;
}

}  // namespace

bool Layout::many_arrays() const { return arrays_.size() > kMostArrays; }
bool Layout::many_moves() const { return walks_.size() + joins_.size() > kMostMoves; }

void Layout::add_array(std::int64_t at, std::int64_t bytes) {
  if (!collapsed_) add_unique(arrays_, Range{at, bytes == 0 ? kFar : at + bytes});
}

const Layout::Walk* Layout::find_walk(std::int64_t at) const {
  const auto known = std::find_if(walks_.begin(), walks_.end(), [&](const Walk& walk) { return walk.at == at; });
  return known == walks_.end() ? nullptr : &*known;
}

const Layout::Join* Layout::find_join(std::int64_t low, std::int64_t high) const {
  const auto known = std::find_if(joins_.begin(), joins_.end(),
                                  [&](const Join& join) { return join.low == low && join.high == high; });
  return known == joins_.end() ? nullptr : &*known;
}

std::optional<ProvenanceId> Layout::walk_at(std::int64_t at) const {
  const Walk* known = find_walk(at);
  return known == nullptr ? std::nullopt : std::optional(known->provenance);
}

std::optional<ProvenanceId> Layout::join_of(std::int64_t a, std::int64_t b) const {
  const Join* known = find_join(std::min(a, b), std::max(a, b));
  return known == nullptr ? std::nullopt : std::optional(known->provenance);
}

bool Layout::add_walk(std::int64_t at, std::int64_t stride, ProvenanceId provenance) {
  if (collapsed_) return false;
  stride = std::max<std::int64_t>(1, stride < 0 ? -stride : stride);
  const Walk* known = find_walk(at);
  if (known == nullptr) {
    walks_.push_back({at, stride, provenance});
    return true;
  }
  const std::int64_t both = std::gcd(known->stride, stride);
  if (both == known->stride) return false;
  walks_[static_cast<std::size_t>(known - walks_.data())].stride = both;
  return true;
}

bool Layout::add_join(std::int64_t a, std::int64_t b, ProvenanceId provenance) {
  if (collapsed_ || find_join(std::min(a, b), std::max(a, b)) != nullptr) return false;
  joins_.push_back({std::min(a, b), std::max(a, b), provenance});
  return true;
}

void Layout::find_meeting(const Layout& other, std::int64_t shift, const Meet& meet) const {
  for (const Walk& walk : other.walks_)
    if (const Walk* known = find_walk(walk.at + shift)) meet(known->provenance, walk.provenance);
  for (const Join& join : other.joins_)
    if (const Join* known = find_join(join.low + shift, join.high + shift)) meet(known->provenance, join.provenance);
}

void Layout::rename(const std::function<ProvenanceId(ProvenanceId)>& renamed) {
  for (Walk& walk : walks_) walk.provenance = renamed(walk.provenance);
  for (Join& join : joins_) join.provenance = renamed(join.provenance);
}

bool Layout::collapse() {
  if (collapsed_) return false;
  collapsed_ = true;
  arrays_.clear();
  joins_.clear();
  walks_ = {{-kFar, 1, kNoProvenance}};
  return true;
}

void Layout::absorb(const Layout& other, std::int64_t shift) {
  if (other.collapsed_) collapse();
  if (collapsed_) return;
  for (const Range& array : other.arrays_) add_unique(arrays_, array.shifted(shift));
  for (const Walk& walk : other.walks_) add_walk(walk.at + shift, walk.stride, walk.provenance);
  for (const Join& join : other.joins_) add_join(join.low + shift, join.high + shift, join.provenance);
}

bool Layout::refold(std::optional<std::int64_t> first_object, const Reach& reach) {
  std::vector<Fold> folds;
  folds.reserve(walks_.size() + joins_.size());
  // Nothing bounds a pointer that stands outside of what it was made from.
  for (const Walk& walk : walks_) {
    const Range bytes = reach(walk.provenance);
    folds.push_back({bytes.contains(walk.at) ? bytes : kEverything, walk.stride});
  }
  for (const Join& join : joins_) {
    const Range bytes = reach(join.provenance);
    const bool inside = bytes.contains(join.low) && bytes.contains(join.high);
    folds.push_back({inside ? bytes : kEverything, join.high - join.low});
  }
  for (bool merged = true; merged;) {
    merged = false;
    for (std::size_t i = 0; i < folds.size() && !merged; ++i) {
      for (std::size_t j = i + 1; j < folds.size() && !merged; ++j) {
        if (!folds[i].range.overlaps(folds[j].range)) continue;
        Fold both{
            {std::min(folds[i].range.low, folds[j].range.low), std::max(folds[i].range.high, folds[j].range.high)},
            std::gcd(folds[i].stride, folds[j].stride)};
        if (folds[i].range.low > -kFar && folds[j].range.low > -kFar) {
          both.stride = std::gcd(both.stride, folds[i].range.low - folds[j].range.low);
        }
        folds[i] = both;
        folds.erase(folds.begin() + static_cast<std::ptrdiff_t>(j));
        merged = true;
      }
    }
  }
  // An element's address minus one is the element before it: where the array is the start of every object, what lies
  // before the objects is in the array.
  for (Fold& one : folds) {
    if (first_object && one.range.low <= *first_object) one.range.low = -kFar;
  }
  if (folds == folds_) return false;
  folds_ = std::move(folds);
  return true;
}

std::int64_t Layout::key(std::int64_t wanted) const {
  const std::int64_t offset = plain_offset(wanted);
  const std::int64_t space = wanted - offset;
  for (const Fold& fold : folds_) {
    if (!fold.range.contains(offset)) continue;
    const std::int64_t low = fold.range.low <= -kFar ? 0 : fold.range.low;
    return space + (fold.stride < kPointerBytes ? low : low + modulo(offset - low, fold.stride));
  }
  return wanted;
}

bool Layout::folded(std::int64_t offset) const {
  return std::any_of(folds_.begin(), folds_.end(), [&](const Fold& fold) { return fold.range.contains(offset); });
}

bool Layout::folded_with(std::int64_t offset, const Range& range) const {
  return std::any_of(folds_.begin(), folds_.end(),
                     [&](const Fold& fold) { return fold.range.contains(offset) && fold.range.overlaps(range); });
}

Range Layout::extent(std::int64_t offset, std::int64_t size) const {
  if (collapsed_) return kEverything;
  Range range{offset, offset + std::max<std::int64_t>(size, 1)};
  for (bool grown = true; grown;) {
    grown = false;
    const auto include = [&](const Range& other) {
      if (!range.overlaps(other) || (range.low <= other.low && other.high <= range.high)) return;
      range = {std::min(range.low, other.low), std::max(range.high, other.high)};
      grown = true;
    };
    for (const Range& array : arrays_) include(array);
    for (const Fold& fold : folds_) include(fold.range);
  }
  return range;
}

}  // namespace heddle::elyze
