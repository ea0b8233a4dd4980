#include "crawler/archive/sha256_pair.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace heddle::crawler {

#ifdef __x86_64__
namespace {

constexpr std::size_t kBlock = 64;

// FIPS 180-4, section 4.2.2.
alignas(16) constexpr std::array<std::uint32_t, 64> kConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// A digest that is being made of the bytes from `at` on, of which `left` are still to come.
struct Lane {
  std::array<std::uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const char* at = nullptr;
  std::size_t left = 0;
};

// The next `blocks` blocks of each of kLanes lanes. Section 6.2.2, four rounds at a time; the eight words of the state
// are in two registers, ABEF and CDGH, as the instructions want them.
template <std::size_t kLanes>
[[gnu::target("sha,sse4.1")]] void take_blocks(Lane* const (&lanes)[kLanes], std::size_t blocks) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const auto* const constants = reinterpret_cast<const __m128i*>(kConstants.data());
  __m128i abef[kLanes];
  __m128i cdgh[kLanes];
  for (std::size_t n = 0; n < kLanes; ++n) {
    const auto* const words = reinterpret_cast<const __m128i*>(lanes[n]->state.data());
    const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xB1);
    const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1B);
    abef[n] = _mm_alignr_epi8(cdab, efgh, 8);
    cdgh[n] = _mm_blend_epi16(efgh, cdab, 0xF0);
  }
  for (std::size_t block = 0; block < blocks; ++block) {
    __m128i abef_before[kLanes];
    __m128i cdgh_before[kLanes];
    __m128i message[kLanes][4];
    for (std::size_t n = 0; n < kLanes; ++n) {
      abef_before[n] = abef[n];
      cdgh_before[n] = cdgh[n];
      const auto* const from = reinterpret_cast<const __m128i*>(lanes[n]->at + kBlock * block);
      for (int i = 0; i < 4; ++i) message[n][i] = _mm_shuffle_epi8(_mm_loadu_si128(from + i), big_endian);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
#pragma GCC unroll 2
      for (std::size_t n = 0; n < kLanes; ++n) {
        __m128i& now = message[n][i & 3];
        const __m128i last = message[n][(i + 3) & 3];
        if (i >= 4) {
          now = _mm_sha256msg1_epu32(now, message[n][(i + 1) & 3]);
          now = _mm_add_epi32(now, _mm_alignr_epi8(last, message[n][(i + 2) & 3], 4));
          now = _mm_sha256msg2_epu32(now, last);
        }
        const __m128i words = _mm_add_epi32(now, _mm_load_si128(constants + i));
        cdgh[n] = _mm_sha256rnds2_epu32(cdgh[n], abef[n], words);
        abef[n] = _mm_sha256rnds2_epu32(abef[n], cdgh[n], _mm_shuffle_epi32(words, 0x0E));
      }
    }
    for (std::size_t n = 0; n < kLanes; ++n) {
      abef[n] = _mm_add_epi32(abef[n], abef_before[n]);
      cdgh[n] = _mm_add_epi32(cdgh[n], cdgh_before[n]);
    }
  }
  for (std::size_t n = 0; n < kLanes; ++n) {
    const __m128i feba = _mm_shuffle_epi32(abef[n], 0x1B);
    const __m128i dchg = _mm_shuffle_epi32(cdgh[n], 0xB1);
    auto* const words = reinterpret_cast<__m128i*>(lanes[n]->state.data());
    _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
    lanes[n]->at += kBlock * blocks;
    lanes[n]->left -= kBlock * blocks;
  }
}

// What is left, and the padding of section 5.1.1. `size`: of the whole message.
void finish(Lane& lane, std::uint64_t size, std::array<unsigned char, 32>& digest) {
  take_blocks({&lane}, lane.left / kBlock);
  std::array<char, 2 * kBlock> last{};
  std::copy_n(lane.at, lane.left, last.data());
  last[lane.left] = '\x80';
  const std::size_t blocks = lane.left + 9 <= kBlock ? 1 : 2;
  const auto put = [](auto* to, std::uint64_t number, std::size_t bytes) {
    for (; bytes > 0; number >>= 8U) to[--bytes] = static_cast<std::remove_reference_t<decltype(*to)>>(number & 0xFFU);
  };
  put(last.data() + kBlock * blocks - 8, 8 * size, 8);
  lane.at = last.data();
  lane.left = kBlock * blocks;
  take_blocks({&lane}, blocks);
  for (std::size_t i = 0; i < lane.state.size(); ++i) put(digest.data() + 4 * i, lane.state[i], 4);
}

}  // namespace

bool has_sha256_pair() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0 && __builtin_cpu_supports("sse4.1");
}

void sha256_pair(std::string_view head, std::string_view body, std::array<unsigned char, 32>& joined,
                 std::array<unsigned char, 32>& alone) {
  Lane both{.at = head.data(), .left = head.size()};
  take_blocks({&both}, head.size() / kBlock);
  Lane only{.at = body.data(), .left = body.size()};
  // The block in which the head ends and the body begins; if it is the last one, it is for finish().
  std::array<char, kBlock> seam{};
  std::copy_n(both.at, both.left, seam.data());
  const std::size_t of_body = std::min(kBlock - both.left, body.size());
  std::copy_n(body.data(), of_body, seam.data() + both.left);
  const std::size_t in_seam = both.left + of_body;
  both.at = seam.data();
  both.left = in_seam;
  if (in_seam == kBlock) {
    take_blocks({&both}, 1);
    both.at = body.data() + of_body;
    both.left = body.size() - of_body;
  }
  take_blocks({&both, &only}, std::min(both.left, only.left) / kBlock);
  finish(both, head.size() + body.size(), joined);
  finish(only, body.size(), alone);
}
#else
bool has_sha256_pair() { return false; }
void sha256_pair(std::string_view, std::string_view, std::array<unsigned char, 32>&, std::array<unsigned char, 32>&) {}
#endif

}  // namespace heddle::crawler
