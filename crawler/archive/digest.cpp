#include "crawler/archive/digest.hpp"

#include <openssl/evp.h>

#include <cstdint>
#include <memory>
#include <new>

namespace heddle::crawler {

Sha1 sha1(std::initializer_list<std::string_view> parts) {
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha1(), nullptr) != 1) throw std::bad_alloc();
  for (const std::string_view part : parts) EVP_DigestUpdate(context.get(), part.data(), part.size());
  Sha1 digest{};
  EVP_DigestFinal_ex(context.get(), digest.data(), nullptr);
  return digest;
}

std::string labelled(const Sha1& digest) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string text = "sha1:";
  std::uint32_t bits = 0;
  int count = 0;
  // 160 bits are 32 digits, so nothing is left over.
  for (const unsigned char byte : digest) {
    bits = bits << 8U | byte;
    for (count += 8; count >= 5; count -= 5) text += kDigits[bits >> (count - 5) & 31U];
  }
  return text;
}

std::string sha256_text(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<unsigned char, 32> digest{};
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::bad_alloc();
  std::string text;
  for (const unsigned char byte : digest) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

}  // namespace heddle::crawler
