// A page names the same few targets again and again. This finds a text among those already seen: positions in a list
// that the caller keeps, by open addressing. Hashes depend on a number drawn once per process, so that no page can be
// made to have texts that all fall into one slot.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

namespace heddle::crawler {

class TextIndex {
 public:
  // `expected` texts do not make it grow; it is believed up to a point.
  explicit TextIndex(std::size_t expected = 0)
      : slots_(std::bit_ceil(std::clamp(2 * expected, kLeastSlots, kMostExpected))) {}

  // The position of text; if it is not there, `position`, at which the caller then puts it. text_at(position) is the
  // text there.
  template <typename TextAt>
  std::uint32_t find_or_add(std::string_view text, std::uint32_t position, TextAt text_at) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    const std::uint32_t hash = hash_of(text);
    std::size_t i = hash & (slots_.size() - 1);
    for (; slots_[i].place != 0; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].hash == hash && text_at(slots_[i].place - 1) == text) return slots_[i].place - 1;
    }
    slots_[i] = {hash, position + 1};
    ++used_;
    return position;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t place = 0;  // the position and one; 0: free
  };

  // After wyhash (Wang Yi, 2019): eight bytes at a time, each multiplied into 128 bits whose halves are mixed. The last
  // eight may have been among those before.
  static std::uint32_t hash_of(std::string_view text) {
    std::uint64_t hash = seed_ ^ text.size();
    if (text.size() >= 8) {
      for (std::size_t at = 0; at + 8 < text.size(); at += 8) hash = mix(hash ^ load<std::uint64_t>(text, at));
      hash ^= load<std::uint64_t>(text, text.size() - 8);
    } else if (text.size() >= 4) {
      hash ^= load<std::uint32_t>(text, 0) | std::uint64_t{load<std::uint32_t>(text, text.size() - 4)} << 32;
    } else if (!text.empty()) {
      hash ^= load<std::uint8_t>(text, 0) | std::uint64_t{load<std::uint8_t>(text, text.size() / 2)} << 8 |
              std::uint64_t{load<std::uint8_t>(text, text.size() - 1)} << 16;
    }
    hash = mix(hash ^ 0xA0761D6478BD642FU);
    return static_cast<std::uint32_t>(hash ^ hash >> 32);
  }
  template <class Word>
  static Word load(std::string_view bytes, std::size_t at) {
    Word word;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    return word;
  }
  static std::uint64_t mix(std::uint64_t word) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(word ^ 0x9E3779B97F4A7C15U) * 0xE7037ED1A0B428DBU;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.place == 0) continue;
      std::size_t i = slot.hash & (slots_.size() - 1);
      while (slots_[i].place != 0) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  inline static const std::uint64_t seed_ = std::random_device()() | std::uint64_t{std::random_device()()} << 32;
  static constexpr std::size_t kLeastSlots = 64;
  static constexpr std::size_t kMostExpected = 16'384;

  std::vector<Slot> slots_;  // a power of two
  std::size_t used_ = 0;
};

}  // namespace heddle::crawler
