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

bool Layout::add_array(std::int64_t at, std::int64_t bytes) {
  if (collapsed_) return false;
  if (arrays_.size() >= kMostArrays) return collapse();
  return add_unique(arrays_, Range{at, bytes == 0 ? kFar : at + bytes}) && moving();
}

bool Layout::add_walk(std::int64_t at, std::int64_t stride) {
  if (collapsed_) return false;
  stride = std::max<std::int64_t>(1, stride < 0 ? -stride : stride);
  const auto known = std::find_if(walks_.begin(), walks_.end(), [&](const Walk& walk) { return walk.at == at; });
  if (known == walks_.end()) {
    walks_.push_back({at, stride});
    return true;
  }
  const std::int64_t both = std::gcd(known->stride, stride);
  if (both == known->stride) return false;
  known->stride = both;
  return true;
}

bool Layout::add_join(std::int64_t a, std::int64_t b) {
  return !collapsed_ && add_unique(joins_, Join{std::min(a, b), std::max(a, b)});
}

bool Layout::collapse() {
  if (collapsed_) return false;
  collapsed_ = true;
  arrays_.clear();
  joins_.clear();
  walks_ = {{-kFar, 1}};
  return true;
}

void Layout::absorb(const Layout& other, std::int64_t shift) {
  if (other.collapsed_) collapse();
  if (collapsed_) return;
  for (const Range& array : other.arrays_) {
    add_unique(arrays_,
               Range{array.low <= -kFar ? -kFar : array.low + shift, array.high >= kFar ? kFar : array.high + shift});
  }
  for (const Walk& walk : other.walks_) add_walk(walk.at + shift, walk.stride);
  for (const Join& join : other.joins_) add_join(join.low + shift, join.high + shift);
}

bool Layout::refold(std::optional<std::int64_t> first_object) {
  std::vector<Fold> folds;
  folds.reserve(walks_.size() + joins_.size());
  for (const Walk& walk : walks_) folds.push_back({array_around(walk.at), walk.stride});
  for (const Join& join : joins_) {
    // Inside known arrays the pointer reaches both and what lies between; else nothing bounds what it reaches.
    const Range low = array_around(join.low);
    const Range high = array_around(join.high);
    folds.push_back({{std::min(low.low, high.low), std::max(low.high, high.high)}, join.high - join.low});
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

Range Layout::array_around(std::int64_t offset) const {
  Range best = kEverything;
  for (const Range& array : arrays_) {
    if (array.contains(offset) && array.high - array.low < best.high - best.low) best = array;
  }
  return best;
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

Range Layout::extent_to_end(std::int64_t offset) const {
  const Range array = array_around(offset);
  const std::int64_t high = array.low <= -kFar ? kFar : array.high;
  return extent(offset, high - offset);
}

}  // namespace heddle::elyze
