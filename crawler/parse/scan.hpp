// Finding the next byte of a kind. Between the tags of a page lie a few bytes, or a few thousand: a call of memchr
// costs more than the few, so the first steps are taken here.
#pragma once

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

}  // namespace heddle::crawler
