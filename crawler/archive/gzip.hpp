// Gzip members (RFC 1952), one after the other, each of which can be read by itself: the unit of a WARC file.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::crawler {

// Keeps its quarter of a megabyte, which takes longer to set up than a small record to compress.
class GzipCompressor {
 public:
  GzipCompressor();
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;
  ~GzipCompressor();

  // Adds one member that holds `parts`, joined.
  void append_member(std::string& out, std::initializer_list<std::string_view> parts);

 private:
  void append(std::string& out, std::string_view part, int flush);

  z_stream stream_{};
};

// Where bytes come from: up to `most` of them, fewer at the end only.
using ReadAt = std::function<std::string(std::uint64_t from, std::size_t most)>;

// Reads members one by one from a place where one begins.
class GzipMembers {
 public:
  enum class Result : std::uint8_t {
    kMember,   // `content` has the next one, or its first bytes
    kEnd,      // there are no more bytes
    kTorn,     // the bytes end before the member does
    kDamaged,  // no gzip data
  };

  explicit GzipMembers(ReadAt read, std::uint64_t from = 0) : read_(std::move(read)), at_(from) {}

  // Keeps no more than `most` bytes of the content, however long it is; the member is read to its end.
  Result next(std::string& content, std::size_t most);

  // The byte behind the last whole member.
  std::uint64_t end() const { return at_; }

 private:
  ReadAt read_;
  std::uint64_t at_;
};

}  // namespace heddle::crawler
