#include "crawler/fetch/address_policy.hpp"

#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace heddle::crawler {
namespace {

using Bytes = std::span<const std::uint8_t>;

struct Block {
  std::array<std::uint8_t, 4> prefix;
  unsigned bits;
};

// Of the IANA IPv4 Special-Purpose Address Registry what may be somebody's inside; multicast and reserved space.
constexpr std::array<Block, 11> kFour = {{
    {{0, 0, 0, 0}, 8},       // this network (RFC 791)
    {{10, 0, 0, 0}, 8},      // private (RFC 1918)
    {{100, 64, 0, 0}, 10},   // shared (RFC 6598)
    {{127, 0, 0, 0}, 8},     // loopback
    {{169, 254, 0, 0}, 16},  // link-local (RFC 3927)
    {{172, 16, 0, 0}, 12},   // private
    {{192, 0, 0, 0}, 24},    // protocol assignments (RFC 6890)
    {{192, 168, 0, 0}, 16},  // private
    {{198, 18, 0, 0}, 15},   // benchmarks (RFC 2544)
    {{224, 0, 0, 0}, 4},     // multicast
    {{240, 0, 0, 0}, 4},     // reserved, broadcast
}};

bool starts_with(Bytes bytes, Bytes prefix, unsigned bits) {
  for (unsigned i = 0; i < bits; i += 8) {
    const unsigned mask = bits - i >= 8 ? 0xffU : (0xffU << (8 - (bits - i))) & 0xffU;
    if (((bytes[i / 8] ^ prefix[i / 8]) & mask) != 0) return false;
  }
  return true;
}

bool is_private_four(Bytes bytes) {
  return std::any_of(kFour.begin(), kFour.end(),
                     [bytes](const Block& block) { return starts_with(bytes, block.prefix, block.bits); });
}

// Global unicast is 2000::/3, and less what is not reachable in it; NAT64 is outside of it. What has an IPv4 address in
// it is as good as that.
bool is_private_six(Bytes bytes) {
  constexpr std::array<std::uint8_t, 12> kNat64 = {0x00, 0x64, 0xff, 0x9b};  // RFC 6052
  if (starts_with(bytes, kNat64, 96)) return is_private_four(bytes.subspan(12));
  if ((bytes[0] & 0xe0) != 0x20) return true;
  constexpr std::array<std::uint8_t, 2> kSixToFour = {0x20, 0x02};  // RFC 3056
  if (starts_with(bytes, kSixToFour, 16)) return is_private_four(bytes.subspan(2));
  constexpr std::array<std::uint8_t, 3> kProtocols = {0x20, 0x01, 0x00};  // RFC 2928, Teredo too
  return starts_with(bytes, kProtocols, 23);
}

}  // namespace

bool is_private(const pico::Endpoint& address) {
  if (address.family() == AF_INET) {
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in*>(address.address())->sin_addr, bytes.size());
    return is_private_four(bytes);
  }
  if (address.family() != AF_INET6) return true;
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in6*>(address.address())->sin6_addr, bytes.size());
  // Mapped ones (::ffff:0:0/96) of public addresses reach these.
  constexpr std::array<std::uint8_t, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (starts_with(bytes, kMapped, 96)) return is_private_four(std::span(bytes).subspan(12));
  return is_private_six(bytes);
}

}  // namespace heddle::crawler
