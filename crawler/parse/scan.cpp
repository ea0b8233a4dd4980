#include "crawler/parse/scan.hpp"

#include <algorithm>
#include <bit>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace heddle::crawler {

std::size_t find_all_by_bytes(const char* bytes, std::size_t size, char wanted, std::uint16_t* places) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < size; ++i)
    if (bytes[i] == wanted) places[count++] = static_cast<std::uint16_t>(i);
  return count;
}

#ifdef __x86_64__
namespace {

// Writes a place for each bit of `found`. Four are written in any case, so that the number of bits is guessed wrong
// seldom (Langdale and Lemire, Parsing Gigabytes of JSON per Second, 2019, section 3.1.1).
[[gnu::always_inline]] inline std::size_t write_places(std::uint64_t found, std::size_t at, std::uint16_t* places) {
  const auto count = static_cast<std::size_t>(std::popcount(found));
  const auto write = [&](std::size_t i) {
    places[i] = static_cast<std::uint16_t>(at + static_cast<std::size_t>(std::countr_zero(found)));
    found &= found - 1;
  };
  for (std::size_t i = 0; i < 4; ++i) write(i);
  if (count > 4) [[unlikely]]
    for (std::size_t i = 4; i < count; ++i) write(i);
  return count;
}

// 64 bytes at a time; the rest singly.
template <class Found>
[[gnu::always_inline]] inline std::size_t find_all(const char* bytes, std::size_t size, char wanted,
                                                   std::uint16_t* places, Found found) {
  std::size_t count = 0;
  std::size_t at = 0;
  for (; size - at >= 64; at += 64) count += write_places(found(bytes + at), at, places + count);
  for (; at < size; ++at)
    if (bytes[at] == wanted) places[count++] = static_cast<std::uint16_t>(at);
  return count;
}

}  // namespace

std::size_t find_all_by_16(const char* bytes, std::size_t size, char wanted, std::uint16_t* places) {
  const __m128i pattern = _mm_set1_epi8(wanted);
  return find_all(bytes, size, wanted, places, [pattern](const char* from) {
    std::uint64_t found = 0;
    for (unsigned i = 0; i < 64; i += 16) {
      const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
      const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(some, pattern)));
      found |= std::uint64_t{mask} << i;
    }
    return found;
  });
}

[[gnu::target("avx2,bmi,popcnt")]] std::size_t find_all_by_32(const char* bytes, std::size_t size, char wanted,
                                                              std::uint16_t* places) {
  const __m256i pattern = _mm256_set1_epi8(wanted);
  std::size_t count = 0;
  std::size_t at = 0;
  for (; size - at >= 64; at += 64) {
    const auto mask = [&](std::size_t i) __attribute__((target("avx2,bmi,popcnt"), always_inline)) {
      const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + at + i));
      return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(some, pattern)));
    };
    count += write_places(mask(0) | std::uint64_t{mask(32)} << 32U, at, places + count);
  }
  for (; at < size; ++at)
    if (bytes[at] == wanted) places[count++] = static_cast<std::uint16_t>(at);
  return count;
}
#endif

FindAll* best_find_all() {
#ifdef __x86_64__
  static FindAll* const best =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") ? find_all_by_32 : find_all_by_16;
  return best;
#else
  return find_all_by_bytes;
#endif
}

const char* Places::find_more(const char* from) {
  begin_ = std::max(from, scanned_);
  at_ = count_ = 0;
  while (begin_ < end_) {
    const std::size_t size = std::min(kMostScanned, static_cast<std::size_t>(end_ - begin_));
    count_ = find_all_(begin_, size, wanted_, places_.data());
    scanned_ = begin_ + size;
    if (count_ > 0) return begin_ + places_[at_++];
    begin_ = scanned_;
  }
  return end_;
}

}  // namespace heddle::crawler
