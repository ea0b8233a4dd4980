#include "crawler/fetch/response_reader.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "crawler/fetch/http_date.hpp"
#include "crawler/parse/ascii.hpp"

namespace heddle::crawler {
namespace {

// Chunks of one byte each have five bytes around it; extensions of chunks have any number.
constexpr std::uint64_t kMostFramingPerByte = 8;
constexpr std::uint64_t kFramingSlack = 64 << 10;

// A length may be a lie.
constexpr std::size_t kMostReserved = 1 << 20;

bool is_interim(int status) { return status >= 100 && status < 200; }

// RFC 9110, sections 15.3.5 and 15.4.5.
bool has_no_body(int status) { return status == 204 || status == 304; }

}  // namespace

ResponseReader::ResponseReader(const FetchLimits& limits, bool has_body, bool keep_raw, Answer& answer)
    : limits_(limits), has_body_(has_body), keep_raw_(keep_raw), answer_(answer) {
  start_head();
}

const llhttp_settings_t& ResponseReader::settings() {
  static const llhttp_settings_t made = [] {
    llhttp_settings_t fresh;
    llhttp_settings_init(&fresh);
    fresh.on_header_field = [](llhttp_t* parser, const char* at, std::size_t size) {
      of(parser).answer_.headers.add_to_name({at, size});
      return 0;
    };
    fresh.on_header_value = [](llhttp_t* parser, const char* at, std::size_t size) {
      of(parser).answer_.headers.add_to_value({at, size});
      return 0;
    };
    fresh.on_header_field_complete = [](llhttp_t* parser) {
      of(parser).answer_.headers.end_of_name();
      return 0;
    };
    fresh.on_header_value_complete = [](llhttp_t* parser) { return of(parser).on_end_of_value(); };
    fresh.on_status_complete = [](llhttp_t* parser) {
      if (!is_interim(parser->status_code)) of(parser).answer_.status = parser->status_code;
      return 0;
    };
    // So that feed_head() learns where it ends.
    fresh.on_headers_complete = [](llhttp_t*) { return static_cast<int>(HPE_PAUSED); };
    return fresh;
  }();
  return made;
}

void ResponseReader::start_head() {
  llhttp_init(&parser_, HTTP_RESPONSE, &settings());
  parser_.data = this;
  // As browsers do: lines may end without carriage return, and Transfer-Encoding overrides Content-Length.
  parser_.lenient_flags = LENIENT_HEADERS | LENIENT_CHUNKED_LENGTH | LENIENT_TRANSFER_ENCODING;
}

void ResponseReader::fail(FetchError error, std::string_view detail) {
  if (part_ == Part::kOver) return;
  part_ = Part::kOver;
  answer_.error = error;
  answer_.detail = detail;
  answer_.broke_off = answer_.status != 0;
}

bool ResponseReader::feed(std::string_view bytes) {
  while (!bytes.empty() && part_ == Part::kHead) feed_head(bytes);
  if (!bytes.empty() && part_ != Part::kOver) feed_body(bytes);
  surplus_ = surplus_ || !bytes.empty();
  return part_ == Part::kOver;
}

// Up to the end of a head, or of the bytes; takes them from `bytes`.
void ResponseReader::feed_head(std::string_view& bytes) {
  const std::string_view part = bytes.substr(0, limits_.header_bytes - head_bytes_);
  if (answer_.raw_head.empty()) answer_.headers.expect(std::min(part.find("\r\n\r\n"), part.size()));
  const llhttp_errno_t result = llhttp_execute(&parser_, part.data(), part.size());
  const bool at_end = result == HPE_PAUSED;
  const std::size_t used =
      at_end ? static_cast<std::size_t>(llhttp_get_error_pos(&parser_) - part.data()) : part.size();
  head_bytes_ += used;
  answer_.wire_bytes += used;
  answer_.raw_head += part.substr(0, used);
  bytes.remove_prefix(used);
  if (at_end)
    end_of_head();
  else if (result != HPE_OK)
    fail(FetchError::kProtocol, std::string("not HTTP: ") + llhttp_get_error_reason(&parser_));
  if (head_bytes_ >= limits_.header_bytes && part_ == Part::kHead)
    fail(FetchError::kProtocol, "headers of more than " + std::to_string(limits_.header_bytes) + " bytes");
}

int ResponseReader::on_end_of_value() {
  answer_.headers.end_of_value();
  if (answer_.headers.size() <= limits_.headers) return 0;
  fail(FetchError::kProtocol, "more than " + std::to_string(limits_.headers) + " headers");
  return HPE_USER;
}

void ResponseReader::end_of_head() {
  const int status = parser_.status_code;
  if (status < 100 || status == 101) return fail(FetchError::kProtocol, "status " + std::to_string(status));
  if (is_interim(status)) {
    answer_.headers.clear();
    answer_.raw_head.clear();
    return start_head();
  }
  note_headers();
  keep_alive_ = (parser_.flags & F_CONNECTION_CLOSE) == 0 && ((parser_.flags & F_CONNECTION_KEEP_ALIVE) != 0 ||
                                                              (parser_.http_major == 1 && parser_.http_minor == 1));
  if (!has_body_ || has_no_body(status))
    complete();
  else
    start_body();
}

void ResponseReader::note_headers() {
  const Headers& headers = answer_.headers;
  answer_.content_type = headers.find("content-type").value_or("");
  answer_.media_type =
      in_lower_case(trim_blanks(std::string_view(answer_.content_type).substr(0, answer_.content_type.find(';'))));
  answer_.location = headers.find("location").value_or("");
  if (const auto value = headers.find("retry-after"))
    answer_.retry_after =
        parse_retry_after(*value, std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
}

// RFC 9112, section 6.3.
void ResponseReader::start_body() {
  std::string codings = answer_.headers.joined("content-encoding");
  std::string transfer = in_lower_case(answer_.headers.joined("transfer-encoding"));
  const bool has_length = (parser_.flags & F_CONTENT_LENGTH) != 0;
  if (!transfer.empty() && trim_blanks(transfer) != "identity") {
    const std::size_t comma = transfer.rfind(',');
    const std::size_t last = comma == std::string::npos ? 0 : comma + 1;
    part_ = Part::kClose;
    if (trim_blanks(std::string_view(transfer).substr(last)) == "chunked") {
      part_ = Part::kChunks;
      transfer.resize(last);
    }
    // Both together may be somebody's attempt to make us read another answer than our peer has sent (section 11.1).
    keep_alive_ = keep_alive_ && !has_length;
    if (!transfer.empty()) codings += (codings.empty() ? "" : ",") + transfer;
  } else if (has_length) {
    part_ = Part::kLength;
    length_ = parser_.content_length;
  } else {
    part_ = Part::kClose;
  }
  keep_alive_ = keep_alive_ && part_ != Part::kClose;

  answer_.coded = !codings.empty();
  sink_ = std::make_unique<StringSink>(answer_.body, limits_.body);
  if (!codings.empty()) {
    sink_ = decoder_for(codings, std::move(sink_), limits_.body);
    if (sink_ == nullptr) return fail(FetchError::kDecode, "unknown coding: " + codings);
  }
  if (part_ != Part::kLength) return;
  if (length_ == 0) return complete();
  if (!codings.empty()) return;
  if (length_ > limits_.body) return fail(FetchError::kTooLarge, "a body of " + std::to_string(length_) + " bytes");
  answer_.body.reserve(std::min<std::size_t>(length_, kMostReserved));
}

// To the end of the answer, or of the bytes; takes them from `bytes`.
void ResponseReader::feed_body(std::string_view& bytes) {
  const std::string_view all = bytes;
  if (part_ == Part::kChunks) {
    feed_chunks(bytes);
  } else {
    const std::uint64_t most = part_ == Part::kClose ? bytes.size() : length_;
    const std::string_view payload = bytes.substr(0, most);
    bytes.remove_prefix(payload.size());
    take(payload);
    if (part_ == Part::kLength && (length_ -= payload.size()) == 0) complete();
  }
  const std::size_t used = all.size() - bytes.size();
  answer_.wire_bytes += used;
}

void ResponseReader::feed_chunks(std::string_view& bytes) {
  std::string_view payload;
  while (part_ == Part::kChunks) {
    switch (chunks_.next(bytes, payload)) {
      case ChunkReader::Found::kData:
        take(payload);
        break;
      case ChunkReader::Found::kNothing:
        if (chunks_.framing() > kFramingSlack + kMostFramingPerByte * payload_)
          fail(FetchError::kProtocol, "chunks that frame nothing");
        return;
      case ChunkReader::Found::kEnd:
        return complete();
      case ChunkReader::Found::kBroken:
        return fail(FetchError::kProtocol, "a bad chunk");
    }
  }
}

void ResponseReader::take(std::string_view payload) {
  if (keep_raw_ && answer_.coded) answer_.coded_body += payload;
  payload_ += payload.size();
  // No coding makes a body much larger: this one stands for nothing, without end.
  const FetchError error = payload_ > limits_.body + kFramingSlack ? FetchError::kTooLarge : sink_->take(payload);
  if (error == FetchError::kDecode)
    fail(error, "the body is not what its coding says");
  else if (error != FetchError::kNone)
    fail(error, "a body of more than " + std::to_string(limits_.body) + " bytes");
}

void ResponseReader::complete() {
  if (sink_ != nullptr && sink_->finish() != FetchError::kNone)
    return fail(FetchError::kDecode, "the body ends before its decoded form does");
  part_ = Part::kOver;
  complete_ = true;
}

void ResponseReader::end() {
  if (part_ == Part::kClose)
    complete();
  else
    fail(FetchError::kReset, "the connection was closed before the answer's end");
}

}  // namespace heddle::crawler
