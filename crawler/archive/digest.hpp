// Digests as web archives write them: "sha1:" and the 32 letters and digits of base 32 (RFC 4648, section 6).
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>

namespace heddle::crawler {

using Sha1 = std::array<unsigned char, 20>;

// Of `parts`, joined.
Sha1 sha1(std::initializer_list<std::string_view> parts);

// "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ" for no bytes at all.
std::string labelled(const Sha1& digest);

// The SHA-256 of `bytes`, in lower-case hexadecimal digits, as results have it.
std::string sha256_text(std::string_view bytes);

}  // namespace heddle::crawler
