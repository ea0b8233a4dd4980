// SHA-256 of bodies, for records and for web archives. An archive wants two digests of an answer: that of its body, and
// that of the block that it stores, which is the answer's head and the body. Each takes as long as all else that is
// done with a large page. But the processor's instructions for SHA-256 spend half of their time waiting for one
// another, so that two digests that are made side by side take as long as one.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace heddle::crawler {

using Sha256 = std::array<unsigned char, 32>;

Sha256 sha256(std::string_view bytes);

struct BlockDigests {
  Sha256 block{};  // of head and body, joined
  Sha256 body{};
};
BlockDigests digests_of_block(std::string_view head, std::string_view body);
// The same by OpenSSL, one after the other: for processors without these instructions, and for tests.
BlockDigests digests_of_block_in_turn(std::string_view head, std::string_view body);

// In lower-case hexadecimal digits.
std::string hexadecimal(const Sha256& digest);

// As web archives write it: "sha256:" and the digits.
std::string labelled(const Sha256& digest);

}  // namespace heddle::crawler
