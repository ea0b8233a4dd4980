// The chunked transfer coding (RFC 9112, section 7.1), as servers speak it: sizes may be padded with blanks, extensions
// may say anything, and lines may end without carriage return. (llhttp takes none of these.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::crawler {

class ChunkReader {
 public:
  enum class Found {
    kData,     // `data` is a piece of the body
    kNothing,  // the bytes are used up
    kEnd,      // the body is over; what is left of the bytes belongs to something else
    kBroken,
  };
  // Takes from the front of `bytes` what comes next.
  Found next(std::string_view& bytes, std::string_view& data);

  // Bytes so far that are not of the body: sizes, extensions, trailers.
  std::uint64_t framing() const { return framing_; }

 private:
  enum class State {
    kSize,           // hexadecimal digits, at least one
    kBehindSize,     // blanks, or an extension
    kExtension,      // up to the end of the line
    kEndOfSize,      // LF
    kData,           // left_ bytes
    kBehindData,     // CR or LF
    kEndOfData,      // LF
    kTrailer,        // at the start of a line
    kInTrailer,      // up to the end of the line
    kEndOfTrailers,  // LF
    kOver,
  };
  static constexpr State kBroken = static_cast<State>(-1);

  State behind(char c);

  State state_ = State::kSize;
  std::uint64_t left_ = 0;  // of the chunk
  unsigned digits_ = 0;
  std::uint64_t framing_ = 0;
};

}  // namespace heddle::crawler
