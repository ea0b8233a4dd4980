#include "crawler/parse/url.hpp"

#include <ada.h>

#include <algorithm>
#include <utility>

#include "crawler/parse/charset.hpp"
#include "crawler/parse/url_base.hpp"

namespace heddle::crawler {
namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::uint16_t port_of_scheme(std::string_view scheme) {
  if (scheme == "http" || scheme == "ws") return 80;
  if (scheme == "https" || scheme == "wss") return 443;
  return scheme == "ftp" ? 21 : 0;
}

}  // namespace

struct UrlBase::Parsed {
  ada::url_aggregator url;
};

UrlBase::UrlBase(const Url& url) {
  // A normal form can be parsed, and is its own normal form (section 4.5).
  if (auto parsed = ada::parse<ada::url_aggregator>(url.text())) parsed_ = std::make_unique<Parsed>(std::move(*parsed));
}

UrlBase::~UrlBase() = default;

std::optional<Url> UrlBase::resolve(std::string_view text) const { return parse(text, parsed_.get()); }

std::optional<Url> UrlBase::parse(std::string_view text, const Parsed* base) {
  std::string valid;
  if (!is_ascii(text)) {
    valid = decode(text, Encoding::utf_8());
    text = valid;
  }
  const auto parsed = ada::parse<ada::url_aggregator>(text, base ? &base->url : nullptr);
  if (!parsed) return std::nullopt;
  const ada::url_components& parts = parsed->get_components();
  Url url;
  url.text_ = parsed->get_href().substr(0, parts.hash_start);  // omitted is the largest number: all of it
  url.scheme_end_ = parts.protocol_end - 1;                    // without the colon
  url.host_begin_ = parts.host_start;
  url.host_end_ = parts.host_end;
  if (url.host_begin_ < url.host_end_ && url.text_[url.host_begin_] == '@') ++url.host_begin_;
  url.path_begin_ = parts.pathname_start;
  url.port_ = parts.port == ada::url_components::omitted ? port_of_scheme(url.scheme())
                                                         : static_cast<std::uint16_t>(parts.port);
  if (!url.host().empty()) {
    url.host_kind_ = parsed->host_type == ada::IPV4   ? Url::Host::ipv4
                     : parsed->host_type == ada::IPV6 ? Url::Host::ipv6
                                                      : Url::Host::name;
  }
  return url;
}

std::optional<Url> Url::parse(std::string_view text, const Url* base) {
  return base ? UrlBase(*base).resolve(text) : UrlBase::parse(text, nullptr);
}

std::string Url::origin() const {
  std::string origin(scheme());
  origin.append("://").append(host()).append(":").append(std::to_string(port_));
  return origin;
}

bool Url::is_web() const { return scheme() == "http" || scheme() == "https"; }

bool Url::host_is_localhost() const { return host() == "localhost" || host() == "localhost."; }

bool Url::host_is_loopback_number() const {
  if (host_kind_ == Host::ipv4) return host().starts_with("127.");
  // Mapped addresses are written in hexadecimal (URL standard, section 3.5): 127.0.0.1 is ::ffff:7f00:1.
  return host_kind_ == Host::ipv6 &&
         (host() == "[::1]" || (host().starts_with("[::ffff:7f") && host().find(':', 8) == 12));
}

}  // namespace heddle::crawler
