// One page has many spellings: HTTP://Example.org:80/a/../b and http://example.org/b#top are one. A crawler that does
// not know this fetches pages twice and asks for what is not there. Url is an address in the normal form of the WHATWG
// URL standard (section 4.5, serializing), without its fragment: two spellings of one page have equal texts.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::crawler {

class UrlBase;

class Url {
 public:
  // What the host is: a domain name, an IPv4 or an IPv6 number, or nothing (mailto:, data:).
  enum class Host : std::uint8_t { none, name, ipv4, ipv6 };

  // The URL parser of the standard (section 4.4): text is UTF-8, relative to base if there is one. Nothing if the
  // standard says failure; the query is percent-encoded as UTF-8.
  static std::optional<Url> parse(std::string_view text, const Url* base = nullptr);

  // A text() of http or https, taken apart again. std::invalid_argument if it is no URL.
  static Url of_normal_form(std::string_view text);

  // The normal form, without fragment.
  const std::string& text() const { return text_; }
  // In lower case, without its colon.
  std::string_view scheme() const { return part(0, scheme_end_); }
  // As the standard writes it: lower case, Punycode, IPv6 in brackets. Empty if there is none.
  std::string_view host() const { return part(host_begin_, host_end_); }
  // The port that is written, else that of the scheme; 0 if neither is known.
  std::uint16_t port() const { return port_; }
  // What a request line asks for: path and query. At least "/" for http and https.
  std::string_view path_and_query() const { return std::string_view(text_).substr(path_begin_); }
  // All that stands before it. URLs in which it is equal have one origin.
  std::string_view before_path() const { return part(0, path_begin_); }
  // scheme://host:port, the port always written: equal for two URLs of one server, the key of "same host".
  std::string origin() const;

  // http or https: the only schemes that a crawler can ask for.
  bool is_web() const;
  Host host_kind() const { return host_kind_; }
  bool host_is_number() const { return host_kind_ == Host::ipv4 || host_kind_ == Host::ipv6; }
  // The name localhost, with or without the dot of the root.
  bool host_is_localhost() const;

  friend bool operator==(const Url& a, const Url& b) { return a.text_ == b.text_; }
  friend std::strong_ordering operator<=>(const Url& a, const Url& b) { return a.text_ <=> b.text_; }

 private:
  friend class UrlBase;
  Url() = default;
  std::string_view part(std::uint32_t begin, std::uint32_t end) const {
    return std::string_view(text_).substr(begin, end - begin);
  }

  std::string text_;
  std::uint32_t scheme_end_ = 0;
  std::uint32_t host_begin_ = 0;
  std::uint32_t host_end_ = 0;
  std::uint32_t path_begin_ = 0;
  std::uint16_t port_ = 0;
  Host host_kind_ = Host::none;
};

}  // namespace heddle::crawler
