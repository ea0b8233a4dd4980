// Finding bytes. Between the tags of a page lie a few bytes, or a few thousand, and a processor that has to guess how
// many steps there are guesses wrong at every other tag: that takes longer than the steps. So many bytes are looked at
// at once, and which of them are wanted is a number whose bits are counted.
//
// Whatever has a form for vectors has one for single bytes, too, which other processors use and tests compare.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace heddle::crawler {

// The first byte that is wanted in [begin, end), or end.
inline const char* find_byte(const char* begin, const char* end, char wanted) {
#ifdef __SSE2__
  const __m128i pattern = _mm_set1_epi8(wanted);
  for (; end - begin >= 16; begin += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(begin));
    const int found = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, pattern));
    if (found != 0) return begin + __builtin_ctz(static_cast<unsigned>(found));
  }
#endif
  if (begin == end) return end;
  const void* found = std::memchr(begin, wanted, static_cast<std::size_t>(end - begin));
  return found ? static_cast<const char*>(found) : end;
}

// A position up to which no byte of [begin, end) ends a name: none up to ' ', no '/', '=' or '>'. At most sixteen bytes
// are looked at, and where names end only some of these count, so the caller looks at the byte itself.
inline const char* skip_name_by_bytes(const char* begin, const char* end) {
  for (int i = 0; i < 16 && begin < end; ++i, ++begin)
    if (static_cast<unsigned char>(*begin) <= ' ' || *begin == '/' || *begin == '=' || *begin == '>') break;
  return begin;
}
inline const char* skip_name(const char* begin, const char* end) {
#ifdef __SSE2__
  if (end - begin >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(begin));
    const auto is = [bytes](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(' ')), bytes);
    const __m128i ends = _mm_or_si128(_mm_or_si128(low, is('/')), _mm_or_si128(is('='), is('>')));
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(ends));
    return begin + __builtin_ctz(found | 0x10000U);
  }
#endif
  return skip_name_by_bytes(begin, end);
}

// How many bytes find_all() looks at, at most, and how many places it may write.
inline constexpr std::size_t kMostScanned = 2048;
inline constexpr std::size_t kMostPlaces = kMostScanned + 8;

// Writes where in the `size` bytes the wanted one is, in order, and returns how many places there are. What is behind
// them in `places` may have changed.
using FindAll = std::size_t(const char* bytes, std::size_t size, char wanted, std::uint16_t* places);
FindAll find_all_by_bytes;
#ifdef __x86_64__
FindAll find_all_by_16;  // SSE2
FindAll find_all_by_32;  // AVX2
#endif
// The best of them on this processor.
FindAll* best_find_all();

// The places of one byte in a text, for a reader that goes on from one to the next and may leave some out.
class Places {
 public:
  Places(const char* begin, const char* end, char wanted) : scanned_(begin), end_(end), wanted_(wanted) {}

  // The first one at `from` or behind it, or the end of the text. Gives none twice, and `from` never goes back.
  const char* next(const char* from) {
    while (at_ < count_)
      if (const char* place = begin_ + places_[at_++]; place >= from) return place;
    return find_more(from);
  }

 private:
  const char* find_more(const char* from);

  std::array<std::uint16_t, kMostPlaces> places_;  // behind begin_; count_ of them, of which at_ were passed
  const char* begin_ = nullptr;
  std::size_t at_ = 0;
  std::size_t count_ = 0;
  const char* scanned_;  // up to here
  const char* end_;
  FindAll* find_all_ = best_find_all();
  char wanted_;
};

}  // namespace heddle::crawler
