#include "crawler/parse/url.hpp"

#include <ada.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "crawler/parse/ascii.hpp"
#include "crawler/parse/charset.hpp"
#include "crawler/parse/url_base.hpp"

namespace heddle::crawler {
namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Stands for itself in a path and in a query of http (URL standard, section 4.4: in no percent-encode set, and of no
// meaning to the states of the parser).
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (int c = 0; c < 128; ++c)
    plain[static_cast<std::size_t>(c)] = is_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c));
  for (const char c : std::string_view("-_.~/+,;=&!$")) plain[static_cast<unsigned char>(c)] = true;
  return plain;
}();

// A path, and at most one `?` with a query behind it, of such bytes; no segment of the path begins with a dot but the
// first, which is the caller's.
bool is_plain(std::string_view text) {
  char before = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '?') {
      const std::string_view query = text.substr(i + 1);
      return std::all_of(query.begin(), query.end(), [](char q) { return kPlain[static_cast<unsigned char>(q)]; });
    }
    if (!kPlain[static_cast<unsigned char>(c)] || (c == '.' && before == '/')) return false;
    before = c;
  }
  return true;
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

UrlBase::UrlBase(const Url& url)
    : url_(url), segment_begin_(url_.text_.rfind('/', std::min(url_.text_.find('?'), url_.text_.size())) + 1) {}

UrlBase::~UrlBase() = default;

// A normal form can be parsed, and is its own normal form (section 4.5).
const UrlBase::Parsed* UrlBase::parsed() const {
  if (!parsed_)
    if (auto parsed = ada::parse<ada::url_aggregator>(url_.text()))
      parsed_ = std::make_unique<Parsed>(std::move(*parsed));
  return parsed_.get();
}

std::optional<Url> UrlBase::resolve(std::string_view text) const {
  if (std::optional<Url> url = resolve_plain(text)) return url;
  std::optional<Url> url = parse(text, parsed());
  if (url && url->before_path() == url_.before_path()) url->host_kind_ = url_.host_kind_;  // ada says name of it
  return url;
}

// Nothing if there is more to it than to put the two together.
std::optional<Url> UrlBase::resolve_plain(std::string_view text) const {
  if (text.empty() || text.starts_with("//") || !url_.is_web()) return std::nullopt;
  const std::string_view base = url_.text_;
  std::size_t kept = url_.path_begin_;  // of the base
  if (text.front() != '/') {
    kept = segment_begin_;
    for (; text.starts_with("../"); text.remove_prefix(3))
      if (kept > url_.path_begin_ + 1) kept = base.rfind('/', kept - 2) + 1;
  }
  // "?x" alone keeps the last segment of the base; a segment that begins with a dot may be no segment at all.
  if (text.empty() || text.front() == '?' || text.front() == '.' || !is_plain(text)) return std::nullopt;
  Url url;
  url.text_.reserve(kept + text.size());
  url.text_.append(base, 0, kept).append(text);
  url.scheme_end_ = url_.scheme_end_;
  url.host_begin_ = url_.host_begin_;
  url.host_end_ = url_.host_end_;
  url.path_begin_ = url_.path_begin_;
  url.port_ = url_.port_;
  url.host_kind_ = url_.host_kind_;
  return url;
}

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

// In the normal form an IPv4 address is four numbers, and the last label of a name is none (section 3.5, "ends in a
// number").
Url Url::of_normal_form(std::string_view text) {
  const auto all_are = [](std::string_view part, auto property) {
    return !part.empty() && std::all_of(part.begin(), part.end(), property);
  };
  const std::size_t scheme_end = std::min(text.find("://"), text.size());
  const std::size_t path = text.find('/', scheme_end + 3);
  const std::size_t host_begin = scheme_end + 3;
  if (path != std::string_view::npos) {
    const std::size_t host_end = std::min(text.find(':', host_begin), path);
    const std::string_view host = text.substr(host_begin, host_end - host_begin);
    const std::string_view port = text.substr(host_end, path - host_end);
    Url url;
    url.text_ = text;
    url.scheme_end_ = static_cast<std::uint32_t>(scheme_end);
    url.host_begin_ = static_cast<std::uint32_t>(host_begin);
    url.host_end_ = static_cast<std::uint32_t>(host_end);
    url.path_begin_ = static_cast<std::uint32_t>(path);
    url.port_ = port_of_scheme(url.scheme());
    const bool plain = all_are(host, [](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '-'; });
    const auto end = text.data() + path;
    const bool has_port = port.empty() || std::from_chars(port.data() + 1, end, url.port_).ptr == end;
    if (url.is_web() && plain && has_port) {
      const bool is_number = all_are(host.substr(host.rfind('.') + 1), is_digit);
      url.host_kind_ = is_number ? Host::ipv4 : Host::name;
      return url;
    }
  }
  std::optional<Url> url = parse(text);  // a password, IPv6
  if (!url) throw std::invalid_argument("no URL: " + std::string(text));
  return *std::move(url);
}

std::string Url::origin() const {
  std::string origin(scheme());
  origin.append("://").append(host()).append(":").append(std::to_string(port_));
  return origin;
}

bool Url::is_web() const { return scheme() == "http" || scheme() == "https"; }

bool Url::host_is_localhost() const { return host() == "localhost" || host() == "localhost."; }

}  // namespace heddle::crawler
