#include "crawler/archive/gzip.hpp"

#include <algorithm>
#include <new>

namespace heddle::crawler {
namespace {

constexpr int kGzipWindow = 15 + 16;                         // zlib's way to ask for a gzip header and trailer
constexpr std::size_t kMostAtATime = std::size_t{1} << 30U;  // zlib counts in 32 bits
constexpr std::size_t kGrowth = std::size_t{1} << 14U;
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

GzipCompressor::GzipCompressor() {
  if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

GzipCompressor::~GzipCompressor() { deflateEnd(&stream_); }

void GzipCompressor::append(std::string& out, std::string_view part, int flush) {
  stream_.next_in = bytes_of(part);
  stream_.avail_in = static_cast<uInt>(part.size());
  do {
    const std::size_t before = out.size();
    out.resize(before + kGrowth);
    stream_.next_out = bytes_of(out) + before;
    stream_.avail_out = kGrowth;
    deflate(&stream_, flush);
    out.resize(before + kGrowth - stream_.avail_out);
  } while (stream_.avail_out == 0);
}

void GzipCompressor::append_member(std::string& out, std::initializer_list<std::string_view> parts) {
  deflateReset(&stream_);
  for (std::string_view part : parts) {
    for (; !part.empty(); part.remove_prefix(std::min(part.size(), kMostAtATime)))
      append(out, part.substr(0, kMostAtATime), Z_NO_FLUSH);
  }
  append(out, {}, Z_FINISH);
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
