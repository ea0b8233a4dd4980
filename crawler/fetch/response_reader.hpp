// Reads one answer of HTTP/1 from the bytes of a connection, in whatever pieces they come, within the limits of the
// request. The grammar of the head is llhttp's, the parser of Node.js; what to make of it is here.
//
// An answer is over when its length says so (RFC 9112, section 6.3), when the peer closes and no length was given, or
// when something is wrong with it; then `answer` has its error. Interim answers (1xx) are read and forgotten.
#pragma once

#include <llhttp.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "crawler/fetch/answer.hpp"
#include "crawler/fetch/chunks.hpp"
#include "crawler/fetch/decoders.hpp"

namespace heddle::crawler {

class ResponseReader {
 public:
  // For what `has_body` is false, an answer to HEAD or CONNECT, ends behind its headers whatever they say. `answer`
  // must be fresh, and it and `limits` outlive this.
  ResponseReader(const FetchLimits& limits, bool has_body, bool keep_raw, Answer& answer);
  ResponseReader(const ResponseReader&) = delete;
  ResponseReader& operator=(const ResponseReader&) = delete;

  // The next bytes. True: the answer is over. Needs more stack than a pico thread has, for decoders.
  bool feed(std::string_view bytes);
  // The peer has closed in order: the answer is over.
  void end();
  // Nothing more of it is wanted, for that reason.
  void fail(FetchError error, std::string_view detail);

  // Any byte has come.
  bool started() const { return answer_.wire_bytes > 0; }
  // It is over without error, and the next request may go over the same connection.
  bool reusable() const { return complete_ && keep_alive_ && !surplus_; }

 private:
  enum class Part {
    kHead,
    kLength,  // a body of so many bytes
    kChunks,
    kClose,  // a body that ends when the peer closes
    kOver,
  };

  static const llhttp_settings_t& settings();
  static ResponseReader& of(llhttp_t* parser) { return *static_cast<ResponseReader*>(parser->data); }

  void start_head();
  void feed_head(std::string_view& bytes);
  void feed_body(std::string_view& bytes);
  void feed_chunks(std::string_view& bytes);
  int on_end_of_value();
  void end_of_head();
  void note_headers();
  void start_body();
  void take(std::string_view payload);
  void complete();

  const FetchLimits& limits_;
  const bool has_body_;
  const bool keep_raw_;
  Answer& answer_;
  Part part_ = Part::kHead;
  llhttp_t parser_;
  std::size_t head_bytes_ = 0;  // of all heads so far, those of interim answers included
  std::unique_ptr<BodySink> sink_;
  std::uint64_t length_ = 0;   // that is left of Part::kLength
  std::uint64_t payload_ = 0;  // of the body so far, encoded
  ChunkReader chunks_;
  bool complete_ = false;
  bool keep_alive_ = false;
  bool surplus_ = false;  // bytes came behind the end
};

}  // namespace heddle::crawler
