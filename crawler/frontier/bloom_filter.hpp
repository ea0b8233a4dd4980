// Tells in one access to memory that a key was surely never added, so that the store need not be asked.
//
// A blocked Bloom filter (Putze, Sanders and Singler 2007, section 3): a key sets eight bits within one block of 512,
// a cache line. It never decides that a URL is known: "maybe" means a look-up. It is not kept in a file; the store that
// owns it fills it again when it is opened.
//
// With 16 bits per key about one in 1,000 new keys is looked up in vain; a filter that gets more keys than it was made
// for costs look-ups, no errors.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "crawler/frontier/huge_table.hpp"
#include "crawler/frontier/url_key.hpp"

namespace heddle::crawler {

class BloomFilter {
 public:
  static constexpr std::size_t kLeastBytes = std::size_t{4} << 20U;

  // For about so many keys, and for two million at least.
  explicit BloomFilter(std::size_t keys) : blocks_(std::bit_ceil(std::max(2 * keys, kLeastBytes)) / sizeof(Block)) {}

  // Has the key's place in the caches when add() is called for it soon.
  void prefetch(const UrlKey& key) const { __builtin_prefetch(&blocks_[key.high & (blocks_.size() - 1)], 1); }

  // Adds the key; true if it may have been added before.
  bool add(const UrlKey& key) {
    Block& block = blocks_[key.high & (blocks_.size() - 1)];
    bool all = true;
    for (int probe = 0; probe < kProbes; ++probe) {
      const std::uint64_t at = key.low >> (probe * 7) & 127;  // 7 bits choose one of 128 bits of a quarter
      std::uint64_t& word = block[static_cast<std::size_t>(probe % 4) * 2 + (at >> 6U)];
      const std::uint64_t bit = std::uint64_t{1} << (at & 63);
      all = all && (word & bit) != 0;
      word |= bit;
    }
    return all;
  }

  std::size_t bytes() const { return blocks_.size() * sizeof(Block); }

 private:
  static constexpr int kProbes = 8;  // two in each quarter of a block; 56 bits of the key
  struct alignas(64) Block : std::array<std::uint64_t, 8> {};

  HugeTable<Block> blocks_;
};

}  // namespace heddle::crawler
