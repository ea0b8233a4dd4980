// Reads HTTP/1.1 answers as strictly as a check of a server needs: whatever a client could misunderstand is an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::testing::load {

struct ResponseHead {
  int status = 0;
  std::size_t head_bytes = 0;  // up to and with the empty line
  std::size_t body_bytes = 0;  // Content-Length
  bool keep_alive = true;
};

enum class HeadState : std::uint8_t { kIncomplete, kComplete, kBad };

// Reads the head at the start of `bytes`. Bad: no HTTP/1.x status line, a line without a colon, no Content-Length or
// more than one, a Transfer-Encoding, or more than 64 KiB without an end.
HeadState parse_head(std::string_view bytes, ResponseHead& head);

// 64 bits that differ when two bodies do, for all that chance can do; a word at a time, as it runs on every answer.
std::uint64_t hash_body(std::string_view body);

}  // namespace heddle::testing::load
