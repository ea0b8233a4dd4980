#include "crawler/archive/digest.hpp"

#include <openssl/evp.h>

#include <new>

namespace heddle::crawler {
namespace {

// To look it up by name costs more than a digest of a request.
const EVP_MD* algorithm() {
  static const EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  if (found == nullptr) throw std::bad_alloc();
  return found;
}

}  // namespace

Sha256 sha256(std::string_view bytes) {
  Sha256 digest{};
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, algorithm(), nullptr) != 1) throw std::bad_alloc();
  return digest;
}

std::string hexadecimal(const Sha256& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const unsigned char byte : digest) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

std::string labelled(const Sha256& digest) { return "sha256:" + hexadecimal(digest); }

}  // namespace heddle::crawler
