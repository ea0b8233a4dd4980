#include "crawler/fetch/decoders.hpp"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <vector>

namespace heddle::crawler {
namespace {

constexpr std::size_t kPiece = 16 << 10;
constexpr std::size_t kMostCodings = 4;

// A stage that hands on, and counts what it does.
class Stage : public BodySink {
 public:
  Stage(std::unique_ptr<BodySink> next, std::size_t limit) : next_(std::move(next)), left_(limit + kSlack) {}

 protected:
  FetchError emit(std::string_view bytes) {
    if (bytes.size() > left_) {
      // What fits is worth having.
      const FetchError error = next_->take(bytes.substr(0, left_));
      left_ = 0;
      return error == FetchError::kNone ? FetchError::kTooLarge : error;
    }
    left_ -= bytes.size();
    return next_->take(bytes);
  }
  FetchError finish_next() { return next_->finish(); }

 private:
  // An encoded body may be a little larger than what it stands for.
  static constexpr std::size_t kSlack = 64 << 10;
  std::unique_ptr<BodySink> next_;
  std::size_t left_;
};

// gzip (RFC 1952), of any number of members, what follows them being ignored as gzip(1) does; and deflate: in zlib's
// format as RFC 9110, section 8.4.1.2, has it, or without, as some servers have it.
class Inflate final : public Stage {
 public:
  enum class Format { kGzip, kDeflate };

  Inflate(Format format, std::unique_ptr<BodySink> next, std::size_t limit)
      : Stage(std::move(next), limit), format_(format) {}
  ~Inflate() override {
    if (open_) inflateEnd(&stream_);
  }

  FetchError take(std::string_view bytes) override {
    while (!over_ && !bytes.empty()) {
      if (!open_ && !start(bytes)) break;
      // What tells the formats apart belongs to the member.
      for (std::string_view* part : {&start_, &bytes}) {
        if (!open_) break;
        if (const FetchError error = inflate_some(*part); error != FetchError::kNone) return error;
      }
    }
    return FetchError::kNone;
  }

  FetchError finish() override {
    if (open_ || (members_ == 0 && started_ > 0)) return FetchError::kDecode;
    return finish_next();
  }

 private:
  // Takes the first two bytes of a member. False: more are needed, or there is no other member.
  bool start(std::string_view& bytes) {
    while (started_ < 2 && !bytes.empty()) {
      first_[started_++] = bytes.front();
      bytes.remove_prefix(1);
    }
    if (started_ < 2) return false;
    started_ = 0;
    start_ = {first_.data(), first_.size()};
    over_ = members_ > 0 && start_ != "\x1f\x8b";
    if (!over_) open();
    return open_;
  }

  void open() {
    int window = 15 + 16;  // gzip, as zlib.h says
    if (format_ == Format::kDeflate) {
      const auto first = static_cast<unsigned char>(start_[0]);
      const auto second = static_cast<unsigned char>(start_[1]);
      const bool zlib = (first & 0x0f) == 8 && (first * 256 + second) % 31 == 0;  // RFC 1950, section 2.2
      window = zlib ? 15 : -15;
    }
    stream_ = {};
    if (inflateInit2(&stream_, window) != Z_OK) throw std::bad_alloc();
    open_ = true;
  }

  // Until the bytes are used, or the member ends; then it is not open any more and `bytes` is what follows.
  FetchError inflate_some(std::string_view& bytes) {
    std::array<char, kPiece> piece;
    while (open_ && !over_) {
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream_.avail_in = static_cast<uInt>(std::min<std::size_t>(bytes.size(), 1 << 30));
      const uInt before = stream_.avail_in;
      stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream_.avail_out = kPiece;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      bytes.remove_prefix(before - stream_.avail_in);
      const std::size_t made = kPiece - stream_.avail_out;
      if (made > 0)
        if (const FetchError error = emit({piece.data(), made}); error != FetchError::kNone) return error;
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) return FetchError::kDecode;
      if (result == Z_STREAM_END) {
        inflateEnd(&stream_);
        open_ = false;
        ++members_;
        over_ = format_ == Format::kDeflate;
      } else if (bytes.empty() && stream_.avail_out > 0) {
        return FetchError::kNone;
      } else if (result == Z_BUF_ERROR) {
        return FetchError::kDecode;
      }
    }
    return FetchError::kNone;
  }

  const Format format_;
  z_stream stream_{};
  bool open_ = false;
  bool over_ = false;            // what follows is ignored
  std::array<char, 2> first_{};  // bytes of a member
  std::size_t started_ = 0;      // how many of them there are, before it is open
  std::string_view start_;       // those of them that were not decoded yet
  std::size_t members_ = 0;
};

// RFC 7932.
class Brotli final : public Stage {
 public:
  Brotli(std::unique_ptr<BodySink> next, std::size_t limit)
      : Stage(std::move(next), limit), state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {
    if (state_ == nullptr) throw std::bad_alloc();
  }
  ~Brotli() override { BrotliDecoderDestroyInstance(state_); }

  FetchError take(std::string_view bytes) override {
    const auto* in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    std::size_t in_size = bytes.size();
    begun_ = begun_ || in_size > 0;
    while (!over_) {
      std::size_t no_room = 0;
      const BrotliDecoderResult result =
          BrotliDecoderDecompressStream(state_, &in_size, &in, &no_room, nullptr, nullptr);
      if (result == BROTLI_DECODER_RESULT_ERROR) return FetchError::kDecode;
      while (BrotliDecoderHasMoreOutput(state_) == BROTLI_TRUE) {
        std::size_t made = 0;  // as much as there is
        const std::uint8_t* const out = BrotliDecoderTakeOutput(state_, &made);
        if (const FetchError error = emit({reinterpret_cast<const char*>(out), made}); error != FetchError::kNone)
          return error;
      }
      if (result == BROTLI_DECODER_RESULT_SUCCESS) over_ = true;
      if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT) break;
    }
    return FetchError::kNone;
  }

  FetchError finish() override { return begun_ && !over_ ? FetchError::kDecode : finish_next(); }

 private:
  BrotliDecoderState* const state_;
  bool begun_ = false;
  bool over_ = false;
};

// RFC 8878, any number of frames. Windows of more than 8 MB are refused, as RFC 9659 wants it.
class Zstd final : public Stage {
 public:
  Zstd(std::unique_ptr<BodySink> next, std::size_t limit) : Stage(std::move(next), limit), state_(ZSTD_createDCtx()) {
    if (state_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(state_, ZSTD_d_windowLogMax, 23);
  }
  ~Zstd() override { ZSTD_freeDCtx(state_); }

  FetchError take(std::string_view bytes) override {
    std::array<char, kPiece> piece;
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (;;) {
      ZSTD_outBuffer out{piece.data(), piece.size(), 0};
      const std::size_t before = in.pos;
      const std::size_t result = ZSTD_decompressStream(state_, &out, &in);
      if (ZSTD_isError(result) != 0) return FetchError::kDecode;
      // With nothing done it only asks for the next frame.
      if (in.pos > before || out.pos > 0) in_frame_ = result != 0;
      if (out.pos > 0)
        if (const FetchError error = emit({piece.data(), out.pos}); error != FetchError::kNone) return error;
      if (in.pos == in.size && out.pos < out.size) return FetchError::kNone;
      if (in.pos == before && out.pos == 0) return FetchError::kDecode;
    }
  }

  FetchError finish() override { return in_frame_ ? FetchError::kDecode : finish_next(); }

 private:
  ZSTD_DCtx* const state_;
  bool in_frame_ = false;
};

bool same(std::string_view text, std::string_view lower_case) {
  return std::equal(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; });
}

// The members of a list, without blanks around them and without empty ones (RFC 9110, section 5.6.1).
std::vector<std::string_view> members_of(std::string_view list) {
  std::vector<std::string_view> members;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::string_view member = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    while (!member.empty() && (member.front() == ' ' || member.front() == '\t')) member.remove_prefix(1);
    while (!member.empty() && (member.back() == ' ' || member.back() == '\t')) member.remove_suffix(1);
    if (!member.empty() && !same(member, "identity")) members.push_back(member);
  }
  return members;
}

}  // namespace

std::unique_ptr<BodySink> decoder_for(std::string_view content_encoding, std::unique_ptr<BodySink> last,
                                      std::size_t limit) {
  const std::vector<std::string_view> codings = members_of(content_encoding);
  if (codings.size() > kMostCodings) return nullptr;
  std::unique_ptr<BodySink> sink = std::move(last);
  for (const std::string_view coding : codings) {
    if (same(coding, "gzip") || same(coding, "x-gzip"))
      sink = std::make_unique<Inflate>(Inflate::Format::kGzip, std::move(sink), limit);
    else if (same(coding, "deflate"))
      sink = std::make_unique<Inflate>(Inflate::Format::kDeflate, std::move(sink), limit);
    else if (same(coding, "br"))
      sink = std::make_unique<Brotli>(std::move(sink), limit);
    else if (same(coding, "zstd"))
      sink = std::make_unique<Zstd>(std::move(sink), limit);
    else
      return nullptr;
  }
  return sink;
}

}  // namespace heddle::crawler
