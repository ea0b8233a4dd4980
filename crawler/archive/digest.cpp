#include "crawler/archive/digest.hpp"

#include <openssl/evp.h>

#include <memory>
#include <new>

#include "crawler/archive/sha256_pair.hpp"

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

BlockDigests digests_of_block_in_turn(std::string_view head, std::string_view body) {
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (!context || EVP_DigestInit_ex(context.get(), algorithm(), nullptr) != 1) throw std::bad_alloc();
  EVP_DigestUpdate(context.get(), head.data(), head.size());
  EVP_DigestUpdate(context.get(), body.data(), body.size());
  BlockDigests digests;
  EVP_DigestFinal_ex(context.get(), digests.block.data(), nullptr);
  digests.body = sha256(body);
  return digests;
}

BlockDigests digests_of_block(std::string_view head, std::string_view body) {
  static const bool paired = has_sha256_pair();
  if (!paired) return digests_of_block_in_turn(head, body);
  BlockDigests digests;
  sha256_pair(head, body, digests.block, digests.body);
  return digests;
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
