// A row of bits that grows on demand and never shrinks: sets of classes and sets of priorities.
//
// Bits past the end read as zero, so rows of different lengths can be compared.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::scheduler {

class BitRow {
 public:
  void set(std::size_t bit) {
    if (bit / kWordBits >= words_.size()) [[unlikely]]
      grow(bit);
    words_[bit / kWordBits] |= mask(bit);
  }

  void clear(std::size_t bit) {
    if (bit / kWordBits < words_.size()) words_[bit / kWordBits] &= ~mask(bit);
  }

  bool test(std::size_t bit) const {
    return bit / kWordBits < words_.size() && (words_[bit / kWordBits] & mask(bit)) != 0;
  }

  bool any() const {
    return std::any_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word != 0; });
  }

  std::size_t count() const {
    std::size_t bits = 0;
    for (const std::uint64_t word : words_) bits += static_cast<std::size_t>(std::popcount(word));
    return bits;
  }

  std::optional<std::size_t> first() const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] != 0) return i * kWordBits + static_cast<std::size_t>(std::countr_zero(words_[i]));
    }
    return std::nullopt;
  }

  bool intersects(const BitRow& other) const {
    const std::size_t common = std::min(words_.size(), other.words_.size());
    for (std::size_t i = 0; i < common; ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }

  friend bool operator==(const BitRow& a, const BitRow& b) {
    for (std::size_t i = 0; i < std::max(a.words_.size(), b.words_.size()); ++i)
      if (a.word(i) != b.word(i)) return false;
    return true;
  }

  // Calls `visit` with every bit that is set in both rows, lowest first.
  template <class Visit>
  void for_each_common(const BitRow& other, Visit visit) const {
    const std::size_t common = std::min(words_.size(), other.words_.size());
    for (std::size_t i = 0; i < common; ++i) {
      for (std::uint64_t word = words_[i] & other.words_[i]; word != 0; word &= word - 1) {
        visit(i * kWordBits + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }

 private:
  [[gnu::noinline]] void grow(std::size_t bit) { words_.resize(bit / kWordBits + 1); }

  static constexpr std::size_t kWordBits = 64;
  static constexpr std::uint64_t mask(std::size_t bit) { return std::uint64_t{1} << (bit % kWordBits); }

  std::uint64_t word(std::size_t i) const { return i < words_.size() ? words_[i] : 0; }

  std::vector<std::uint64_t> words_;
};

}  // namespace heddle::scheduler
