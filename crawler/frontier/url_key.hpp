// 128 bits that stand for a URL: two URLs with one key are taken to be one page.
//
// Sites choose their URLs, so a hash that they can compute would let one site hide pages of another by a collision. The
// key is SipHash-2-4 with 128 bits of output (Aumasson and Bernstein 2012; libsodium) under a secret that each store
// makes up for itself: among 10^9 URLs two collide with a probability of 2^-69.
#pragma once

#include <sodium.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace heddle::crawler {

struct UrlKey {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  struct Hash {
    std::size_t operator()(const UrlKey& key) const { return key.low; }
  };

  bool operator==(const UrlKey&) const = default;
  std::array<unsigned char, 16> bytes() const {
    std::array<unsigned char, 16> bytes{};
    std::memcpy(bytes.data(), this, sizeof *this);
    return bytes;
  }
};

class UrlKeys {
 public:
  static constexpr std::size_t kSecretBytes = crypto_shorthash_siphashx24_KEYBYTES;
  using Secret = std::array<unsigned char, kSecretBytes>;

  explicit UrlKeys(const Secret& secret) : secret_(secret) {}

  static Secret new_secret() {
    Secret secret{};
    randombytes_buf(secret.data(), secret.size());
    return secret;
  }

  UrlKey of(std::string_view url) const {
    UrlKey key;
    static_assert(sizeof key == crypto_shorthash_siphashx24_BYTES);
    crypto_shorthash_siphashx24(reinterpret_cast<unsigned char*>(&key),
                                reinterpret_cast<const unsigned char*>(url.data()), url.size(), secret_.data());
    return key;
  }

 private:
  Secret secret_;
};

}  // namespace heddle::crawler
