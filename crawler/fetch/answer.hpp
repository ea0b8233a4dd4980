// What is asked of a server, and what came of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pico/time.hpp"

namespace heddle::crawler {

// Why there is no whole answer. Their names are those of the `error` of results.
enum class FetchError : std::uint8_t {
  kNone,
  kDns,             // the name has no address, or nobody says
  kConnect,         // nobody accepts connections there, or the proxy says so
  kTls,             // no handshake, or a certificate that is not the host's
  kTimeout,         // a time limit has passed
  kReset,           // the connection was closed before the answer's end
  kProtocol,        // what came is not HTTP/1, or its headers have no end
  kTooLarge,        // the body is larger than was asked for
  kDecode,          // the body is not what Content-Encoding says
  kRefusedAddress,  // the policy allows none of the host's addresses
  kScheme,          // neither http nor https
};

// "dns", "connect", ...; empty for kNone.
std::string_view name_of(FetchError error);

// The headers of an answer, in their order.
class Headers {
 public:
  // The value of the first one of that name, which is given in lower case; nothing if there is none.
  std::optional<std::string_view> find(std::string_view lower_case) const;
  // The values of all of that name, joined by ", " (RFC 9110, section 5.2).
  std::string joined(std::string_view lower_case) const;

  std::size_t size() const { return fields_.size(); }
  std::string_view name(std::size_t index) const { return piece(fields_[index].name); }  // in lower case
  std::string_view value(std::size_t index) const { return piece(fields_[index].value); }

  // For the reader, which gets them in pieces: about so many bytes, in all.
  void expect(std::size_t bytes);
  void add_to_name(std::string_view bytes);
  void add_to_value(std::string_view bytes);
  void end_of_name();
  void end_of_value();
  void clear();

 private:
  struct Piece {
    std::uint32_t at = 0;
    std::uint32_t size = 0;
  };
  struct Field {
    Piece name;
    Piece value;
  };
  std::string_view piece(Piece of) const { return std::string_view(text_).substr(of.at, of.size); }

  std::string text_;  // all names and values
  std::vector<Field> fields_;
  bool open_ = false;  // a name was begun whose value has not ended
};

enum class Method : std::uint8_t { kGet, kHead };

// Sizes in bytes. What is beyond them is an error, never memory.
struct FetchLimits {
  std::size_t body = std::size_t{16} << 20;           // decoded: kTooLarge
  std::size_t header_bytes = std::size_t{64} << 10;   // the header block, interim answers included: kProtocol
  std::size_t headers = 256;                          // how many: kProtocol
  std::chrono::milliseconds connect_timeout{10'000};  // name, connection and handshake
  std::chrono::milliseconds timeout{30'000};          // all of it
};

struct Request {
  Method method = Method::kGet;
  std::string scheme = "http";
  std::string host = {};  // as it stands in a URL: lower case, an IPv6 number in brackets
  std::uint16_t port = 80;
  std::string target = "/";  // path and query, percent-encoded
  // Beside Host, User-Agent, Accept and Accept-Encoding, which they replace if they have their names.
  std::vector<std::pair<std::string, std::string>> headers = {};
  FetchLimits limits = {};
  pico::Time deadline = pico::kNever;  // no later than limits.timeout from now, either
  // Called before it goes out once more, because an open connection turned out to have been closed.
  std::function<void()> before_again = {};
  // Answer::payload() is wanted.
  bool keep_raw = false;
};

struct Answer {
  int status = 0;  // 0: none came
  FetchError error = FetchError::kNone;
  std::string detail;  // of the error, for people
  // There is a status, but the answer has no end: it was cut off, by the peer or by a limit. `body` is what came.
  bool broke_off = false;

  Headers headers;
  std::string body;                                 // decoded
  std::string content_type;                         // as the header has it
  std::string media_type;                           // of it, in lower case, without parameters
  std::string location;                             // as the header has it
  std::optional<std::chrono::seconds> retry_after;  // from now on; a date in the past is 0

  std::string remote;              // number and port of the peer (of the proxy, if there is one)
  std::uint64_t wire_bytes = 0;    // received, of this answer: headers and body as sent; TLS not counted
  std::string raw_request;         // as sent, but without the credentials for a proxy
  std::string raw_head;            // as received: status line and headers up to the empty line, without interim answers
  bool coded = false;              // the body came in a coding, and was decoded
  std::string coded_body;          // as received, its chunks put together; if it is coded, and keep_raw
  bool reused_connection = false;  // the request went over one that was open

  // The body as received, its chunks put together, its coding kept; if keep_raw. Of a body that is too large, what
  // fits.
  const std::string& payload() const { return coded ? coded_body : body; }
};

}  // namespace heddle::crawler
