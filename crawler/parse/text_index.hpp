// A page names the same few targets again and again. This finds a text among those already seen: positions in a list
// that the caller keeps, by open addressing. Hashes depend on a number drawn once per process, so that no page can be
// made to have texts that all fall into one slot.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
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
    const std::uint64_t hash = hash_of(text);
    std::size_t i = hash & (slots_.size() - 1);
    for (; slots_[i].taken; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].hash == hash && text_at(slots_[i].position) == text) return slots_[i].position;
    }
    slots_[i] = {hash, position, true};
    ++used_;
    return position;
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t position = 0;
    bool taken = false;
  };

  // After wyhash (Wang Yi, 2019): eight bytes at a time, each multiplied into 128 bits whose halves are mixed.
  static std::uint64_t hash_of(std::string_view text) {
    static const std::uint64_t seed = std::random_device()() | std::uint64_t{std::random_device()()} << 32;
    std::uint64_t hash = seed ^ text.size();
    for (; text.size() >= 8; text.remove_prefix(8)) hash = mix(hash ^ load(text.substr(0, 8)));
    return mix(hash ^ load(text) ^ 0xA0761D6478BD642FU);
  }
  static std::uint64_t load(std::string_view bytes) {
    std::uint64_t word = 0;
    bytes.copy(reinterpret_cast<char*>(&word), sizeof word);
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
      if (!slot.taken) continue;
      std::size_t i = slot.hash & (slots_.size() - 1);
      while (slots_[i].taken) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  static constexpr std::size_t kLeastSlots = 64;
  static constexpr std::size_t kMostExpected = 16'384;

  std::vector<Slot> slots_;  // a power of two
  std::size_t used_ = 0;
};

}  // namespace heddle::crawler
