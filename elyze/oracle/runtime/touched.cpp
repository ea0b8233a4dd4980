#include "elyze/oracle/runtime/touched.hpp"

#include <algorithm>
#include <tuple>

namespace heddle::oracle {

Touched::Touched() : slots_(256, 0) {}

std::size_t Touched::hash(const Touch& touch) {
  std::uint64_t mixed = touch.offset * 0x9e3779b97f4a7c15U;
  mixed ^= (touch.bytes << 34) ^ (static_cast<std::uint64_t>(touch.object) << 2) ^ touch.flags;
  mixed *= 0xbf58476d1ce4e5b9U;
  return static_cast<std::size_t>(mixed >> 29);
}

void Touched::add(const Touch& touch) {
  for (std::size_t i = hash(touch);; ++i) {
    std::uint32_t& slot = slots_[i & (slots_.size() - 1)];
    if (slot == 0) {
      touches_.push_back(touch);
      slot = static_cast<std::uint32_t>(touches_.size());
      if (touches_.size() * 2 > slots_.size()) grow();
      return;
    }
    Touch& known = touches_[slot - 1];
    if (known.offset != touch.offset || known.bytes != touch.bytes || known.object != touch.object ||
        known.flags != touch.flags)
      continue;
    if (known.step != touch.step) {
      known.step = touch.step;
      known.site = touch.site;
    }
    return;
  }
}

void Touched::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t index = 0; index < touches_.size(); ++index) {
    std::size_t i = hash(touches_[index]);
    while (slots_[i & (slots_.size() - 1)] != 0) ++i;
    slots_[i & (slots_.size() - 1)] = static_cast<std::uint32_t>(index + 1);
  }
}

std::vector<Touch>& Touched::sorted() {
  std::fill(slots_.begin(), slots_.end(), 0);
  const auto key = [](const Touch& t) { return std::make_tuple(t.object, t.flags, t.site, t.step, t.offset, t.bytes); };
  std::sort(touches_.begin(), touches_.end(), [&](const Touch& a, const Touch& b) { return key(a) < key(b); });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < touches_.size(); ++i) {
    Touch& last = touches_[kept];
    const Touch& next = touches_[i];
    const bool joins = last.object == next.object && last.flags == next.flags && last.site == next.site &&
                       last.step == next.step && next.offset <= last.offset + last.bytes;
    if (joins) {
      last.bytes = std::max(last.offset + last.bytes, next.offset + next.bytes) - last.offset;
    } else {
      touches_[++kept] = next;
    }
  }
  if (!touches_.empty()) touches_.resize(kept + 1);
  return touches_;
}

void Touched::clear() {
  touches_.clear();
  // An invocation that touched much must not make every later one pay for its table.
  if (slots_.size() > 4096) {
    slots_.assign(256, 0);
    slots_.shrink_to_fit();
  } else {
    std::fill(slots_.begin(), slots_.end(), 0);
  }
}

}  // namespace heddle::oracle
