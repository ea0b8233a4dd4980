#include "crawler/fetch/chunks.hpp"

#include <algorithm>

namespace heddle::crawler {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

constexpr unsigned kMostDigits = 15;  // so that it does not overflow

}  // namespace

// The state behind a byte that is not data.
ChunkReader::State ChunkReader::behind(char c) {
  switch (state_) {
    case State::kSize:
      if (const int value = digit(c); value >= 0) {
        left_ = left_ * 16 + static_cast<unsigned>(value);
        // Leading zeros are no reason to complain.
        if (left_ > 0 && ++digits_ > kMostDigits) return kBroken;
        digits_ = std::max(digits_, 1U);
        return State::kSize;
      }
      if (digits_ == 0) return kBroken;
      digits_ = 0;
      [[fallthrough]];
    case State::kBehindSize:
      if (c == ' ' || c == '\t') return State::kBehindSize;
      if (c == ';') return State::kExtension;
      if (c == '\r') return State::kEndOfSize;
      [[fallthrough]];
    case State::kEndOfSize:
      if (c != '\n') return kBroken;
      return left_ > 0 ? State::kData : State::kTrailer;
    case State::kExtension:
      if (c == '\n') return left_ > 0 ? State::kData : State::kTrailer;
      return State::kExtension;
    case State::kBehindData:
      if (c == '\r') return State::kEndOfData;
      [[fallthrough]];
    case State::kEndOfData:
      return c == '\n' ? State::kSize : kBroken;
    case State::kTrailer:
      if (c == '\r') return State::kEndOfTrailers;
      return c == '\n' ? State::kOver : State::kInTrailer;
    case State::kInTrailer:
      return c == '\n' ? State::kTrailer : State::kInTrailer;
    case State::kEndOfTrailers:
      return c == '\n' ? State::kOver : kBroken;
    case State::kData:
    case State::kOver:
      break;
  }
  return kBroken;
}

ChunkReader::Found ChunkReader::next(std::string_view& bytes, std::string_view& data) {
  while (state_ != State::kOver) {
    if (state_ == kBroken) return Found::kBroken;
    if (bytes.empty()) return Found::kNothing;
    if (state_ == State::kData) {
      data = bytes.substr(0, std::min<std::uint64_t>(left_, bytes.size()));
      bytes.remove_prefix(data.size());
      left_ -= data.size();
      if (left_ == 0) state_ = State::kBehindData;
      return Found::kData;
    }
    state_ = behind(bytes.front());
    bytes.remove_prefix(1);
    ++framing_;
  }
  return Found::kEnd;
}

}  // namespace heddle::crawler
