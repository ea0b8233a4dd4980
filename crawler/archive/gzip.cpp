#include "crawler/archive/gzip.hpp"

#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <new>

namespace heddle::crawler {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's way to ask for a gzip header and trailer
constexpr int kLevel = 1;
constexpr std::size_t kMostJoined = std::size_t{1} << 20U;  // bytes of memory, between members
constexpr std::size_t kInflatedAtATime = std::size_t{1} << 16U;

// zlib reads and writes bytes, and does not say which of them it only reads.
unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<unsigned char*>(const_cast<char*>(text.begin()));
}

class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream); }

  z_stream stream{};
};

}  // namespace

void GzipCompressor::Free::operator()(libdeflate_compressor* compressor) const {
  libdeflate_free_compressor(compressor);
}

GzipCompressor::GzipCompressor() : compressor_(libdeflate_alloc_compressor(kLevel)) {
  if (compressor_ == nullptr) throw std::bad_alloc();
}

void GzipCompressor::append_member(std::string& out, std::initializer_list<std::string_view> parts) {
  joined_.clear();
  for (const std::string_view part : parts) joined_ += part;
  const std::size_t before = out.size();
  out.resize(before + libdeflate_gzip_compress_bound(compressor_.get(), joined_.size()));
  const std::size_t size = libdeflate_gzip_compress(compressor_.get(), joined_.data(), joined_.size(),
                                                    out.data() + before, out.size() - before);
  out.resize(before + size);
  if (joined_.capacity() > kMostJoined) joined_ = {};
}

GzipMembers::Result GzipMembers::next(std::string& content, std::size_t most) {
  content.clear();
  Inflater inflater;
  z_stream& stream = inflater.stream;
  std::string some(kInflatedAtATime, '\0');  // not on the stack, which may be a small one
  for (std::uint64_t at = at_;;) {
    const std::string read = read_(at, kInflatedAtATime);
    if (read.empty()) return at == at_ ? Result::kEnd : Result::kTorn;
    stream.next_in = bytes_of(read);
    stream.avail_in = static_cast<uInt>(read.size());
    do {
      stream.next_out = bytes_of(some);
      stream.avail_out = static_cast<uInt>(some.size());
      const int code = inflate(&stream, Z_NO_FLUSH);
      const std::size_t made = some.size() - stream.avail_out;
      content.append(some.data(), std::min(made, most - content.size()));
      if (code == Z_STREAM_END) {
        at_ = at + read.size() - stream.avail_in;
        return Result::kMember;
      }
      if (code != Z_OK && code != Z_BUF_ERROR) return Result::kDamaged;
    } while (stream.avail_in != 0 || stream.avail_out == 0);
    at += read.size();
  }
}

}  // namespace heddle::crawler
