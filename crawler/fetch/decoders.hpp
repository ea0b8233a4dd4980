// Content-Encoding (RFC 9110, section 8.4): the bytes of a body on their way to the page that they stand for.
//
// Stages hand their output on in small pieces, so that a body of 10 KB that stands for 10 GB is found out when it has
// grown over the limit, and takes no more memory than that. Every stage has the limit, for in a body that is encoded
// twice the middle may be large and the end small.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "crawler/fetch/answer.hpp"

namespace heddle::crawler {

class BodySink {
 public:
  virtual ~BodySink() = default;
  // kNone; kDecode or kTooLarge, after which it is not called again.
  virtual FetchError take(std::string_view bytes) = 0;
  // No more bytes come. kNone; kDecode if some are missing.
  virtual FetchError finish() = 0;
};

// The last stage: appends to a string of at most `limit` bytes. What fits is there even if more comes.
class StringSink final : public BodySink {
 public:
  StringSink(std::string& into, std::size_t limit) : into_(into), limit_(limit) {}
  FetchError take(std::string_view bytes) override {
    const std::size_t room = limit_ - into_.size();
    into_.append(bytes.substr(0, room));
    return bytes.size() > room ? FetchError::kTooLarge : FetchError::kNone;
  }
  FetchError finish() override { return FetchError::kNone; }

 private:
  std::string& into_;
  const std::size_t limit_;
};

// The stage that undoes what a Content-Encoding header lists (gzip, x-gzip, deflate, br, zstd, identity; the last one
// was applied last) and hands the result to `last`, `last` itself if there is nothing to do. Null if a coding is
// unknown or if there are more than four.  It needs more stack than a pico thread has.
std::unique_ptr<BodySink> decoder_for(std::string_view content_encoding, std::unique_ptr<BodySink> last,
                                      std::size_t limit);

}  // namespace heddle::crawler
