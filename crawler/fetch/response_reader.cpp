#include "crawler/fetch/response_reader.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "crawler/fetch/http_date.hpp"

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
  llhttp_init(&parser_, HTTP_RESPONSE, &settings());
  parser_.data = this;
}

const llhttp_settings_t& ResponseReader::settings() {
  static const llhttp_settings_t made = [] {
    llhttp_settings_t made_here;
    llhttp_settings_init(&made_here);
    made_here.on_header_field = [](llhttp_t* parser, const char* at, std::size_t size) {
      return of(parser).on_header({at, size}, false);
    };
    made_here.on_header_value = [](llhttp_t* parser, const char* at, std::size_t size) {
      return of(parser).on_header({at, size}, true);
    };
    made_here.on_header_field_complete = [](llhttp_t* parser) { return of(parser).on_end_of_header(false); };
    made_here.on_header_value_complete = [](llhttp_t* parser) { return of(parser).on_end_of_header(true); };
    made_here.on_status_complete = [](llhttp_t* parser) {
      if (!is_interim(parser->status_code)) of(parser).answer_.status = parser->status_code;
      return 0;
    };
    made_here.on_headers_complete = [](llhttp_t* parser) { return of(parser).on_head(); };
    made_here.on_body = [](llhttp_t* parser, const char* at, std::size_t size) {
      return of(parser).on_body({at, size});
    };
    made_here.on_message_complete = [](llhttp_t* parser) { return of(parser).on_message(); };
    return made_here;
  }();
  return made;
}

void ResponseReader::fail(FetchError error, std::string_view detail) {
  if (over_) return;
  over_ = true;
  complete_ = false;
  answer_.error = error;
  answer_.detail = detail;
  answer_.broke_off = answer_.status != 0;
}

bool ResponseReader::feed(std::string_view bytes) {
  for (bool more = true; more && !over_;) more = in_head_ ? feed_head(bytes) : feed_body(bytes);
  surplus_ = surplus_ || (over_ && !bytes.empty());
  return over_;
}

// Up to the end of the head, which it takes from `bytes`. False: there is no more to do with them.
bool ResponseReader::feed_head(std::string_view& bytes) {
  if (bytes.empty()) return false;
  const std::string_view part = bytes.substr(0, limits_.header_bytes - head_bytes_);
  const llhttp_errno_t result = llhttp_execute(&parser_, part.data(), part.size());
  const bool at_end = result == HPE_PAUSED;
  const std::size_t used =
      at_end ? static_cast<std::size_t>(llhttp_get_error_pos(&parser_) - part.data()) : part.size();
  head_bytes_ += used;
  answer_.wire_bytes += used;
  answer_.raw_head += part.substr(0, used);
  if (over_) return false;
  if (result != HPE_OK && !at_end) {
    fail(FetchError::kProtocol, std::string("not HTTP: ") + llhttp_get_error_reason(&parser_));
    return false;
  }
  bytes.remove_prefix(used);
  if (at_end) {
    in_head_ = false;
    llhttp_resume(&parser_);
    return true;
  }
  if (head_bytes_ >= limits_.header_bytes)
    fail(FetchError::kProtocol, "headers of more than " + std::to_string(limits_.header_bytes) + " bytes");
  return !over_ && !bytes.empty();
}

// Behind the head: to the end of the answer, or of the bytes. Called with no bytes, too: that may be the end. False:
// there is no more to do with them.
bool ResponseReader::feed_body(std::string_view& bytes) {
  const llhttp_errno_t result = llhttp_execute(&parser_, bytes.data(), bytes.size());
  const char* const where = result == HPE_OK ? nullptr : llhttp_get_error_pos(&parser_);
  const std::size_t used = where == nullptr ? bytes.size() : static_cast<std::size_t>(where - bytes.data());
  answer_.wire_bytes += used;
  body_on_wire_ += used;
  bytes.remove_prefix(used);
  if (result == HPE_PAUSED) {
    llhttp_resume(&parser_);
    return in_head_ && !bytes.empty();  // it was an interim answer
  }
  if (result != HPE_OK)
    fail(FetchError::kProtocol, std::string("not HTTP: ") + llhttp_get_error_reason(&parser_));
  else if (body_on_wire_ > kFramingSlack + (kMostFramingPerByte + 1) * payload_)
    fail(FetchError::kProtocol, "chunks that frame nothing");
  return false;
}

int ResponseReader::on_header(std::string_view bytes, bool value) {
  if (!in_head_) {
    // A trailer: its fields are ignored (RFC 9110, section 6.5.1), but they must end.
    head_bytes_ += bytes.size();
    if (head_bytes_ <= limits_.header_bytes) return 0;
    fail(FetchError::kProtocol, "trailers of more than " + std::to_string(limits_.header_bytes) + " bytes");
    return HPE_USER;
  }
  if (value)
    answer_.headers.add_to_value(bytes);
  else
    answer_.headers.add_to_name(bytes);
  return 0;
}

int ResponseReader::on_end_of_header(bool value) {
  if (!in_head_) return 0;
  if (!value) {
    answer_.headers.end_of_name();
    return 0;
  }
  answer_.headers.end_of_value();
  if (answer_.headers.size() <= limits_.headers) return 0;
  fail(FetchError::kProtocol, "more than " + std::to_string(limits_.headers) + " headers");
  return HPE_USER;
}

int ResponseReader::on_head() {
  if (parser_.upgrade != 0) {
    fail(FetchError::kProtocol, "an upgrade that nobody asked for");
    return HPE_USER;
  }
  // llhttp would wait for the body that a length promises here.
  if (!has_body_ || is_interim(parser_.status_code) || has_no_body(parser_.status_code)) parser_.flags |= F_SKIPBODY;
  if (!is_interim(parser_.status_code)) {
    note_headers();
    if ((parser_.flags & F_SKIPBODY) == 0 && !start_body()) return HPE_USER;
  }
  return HPE_PAUSED;  // so that feed_head() learns where the head ends
}

void ResponseReader::note_headers() {
  const Headers& headers = answer_.headers;
  answer_.content_type = headers.find("content-type").value_or("");
  std::string_view type = std::string_view(answer_.content_type).substr(0, answer_.content_type.find(';'));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.remove_suffix(1);
  answer_.media_type = type;
  for (char& c : answer_.media_type)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  answer_.location = headers.find("location").value_or("");
  if (const auto value = headers.find("retry-after"))
    answer_.retry_after =
        parse_retry_after(*value, std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
}

bool ResponseReader::start_body() {
  auto last = std::make_unique<StringSink>(answer_.body, limits_.body);
  const std::string coding = answer_.headers.joined("content-encoding");
  const bool plain = coding.empty();
  sink_ = plain ? std::move(last) : decoder_for(coding, std::move(last), limits_.body);
  if (sink_ == nullptr) {
    fail(FetchError::kDecode, "Content-Encoding: " + coding);
    return false;
  }
  if (plain && (parser_.flags & F_CONTENT_LENGTH) != 0) {
    if (parser_.content_length > limits_.body) {
      fail(FetchError::kTooLarge, "a body of " + std::to_string(parser_.content_length) + " bytes");
      return false;
    }
    answer_.body.reserve(std::min<std::size_t>(parser_.content_length, kMostReserved));
  }
  return true;
}

int ResponseReader::on_body(std::string_view bytes) {
  payload_ += bytes.size();
  if (keep_raw_) answer_.raw_body += bytes;
  const FetchError error = sink_->take(bytes);
  if (error == FetchError::kNone) return 0;
  fail(error, error == FetchError::kDecode ? "the body is not what Content-Encoding says"
                                           : "a body of more than " + std::to_string(limits_.body) + " bytes");
  return HPE_USER;
}

int ResponseReader::on_message() {
  if (is_interim(parser_.status_code)) {
    answer_.headers.clear();
    answer_.raw_head.clear();
    in_head_ = true;
    return HPE_PAUSED;
  }
  if (sink_ != nullptr && sink_->finish() != FetchError::kNone) {
    fail(FetchError::kDecode, "the body ends before its decoded form does");
    return HPE_USER;
  }
  over_ = true;
  complete_ = true;
  keep_alive_ = llhttp_should_keep_alive(&parser_) != 0;
  return HPE_PAUSED;
}

void ResponseReader::end(std::string_view why) {
  if (over_) return;
  if (!in_head_) llhttp_finish(&parser_);
  fail(FetchError::kReset, why);
}

}  // namespace heddle::crawler
