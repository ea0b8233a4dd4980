// Gzip members (RFC 1952), one after the other, each of which can be read by itself: the unit of a WARC file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

struct libdeflate_compressor;

namespace heddle::crawler {

// Compresses with libdeflate, whose fastest level takes a tenth of the time of zlib's usual one, and a tenth more
// bytes. Keeps its tables, which take longer to set up than a small record to compress, and needs as much memory as a
// member has bytes, twice.
class GzipCompressor {
 public:
  GzipCompressor();

  // Adds one member that holds `parts`, joined.
  void append_member(std::string& out, std::initializer_list<std::string_view> parts);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const;
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::string joined_;
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
