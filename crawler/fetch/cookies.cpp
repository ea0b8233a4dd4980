#include "crawler/fetch/cookies.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "crawler/parse/ascii.hpp"

namespace heddle::crawler {
namespace {

constexpr std::size_t kMostAttribute = 1024;  // bytes; a longer one counts as not there (RFC 6265bis, section 5.6)

// The text up to the mark; `text` is what is behind it, nothing if there is no mark.
std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  const std::string_view before = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return before;
}

// --- Dates ---

// Digits at the front, from `least` to `most` of them, which no further digit follows.
std::optional<int> take_number(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  if (count < least || count > most) return std::nullopt;
  int number = 0;
  std::from_chars(text.data(), text.data() + count, number);
  text.remove_prefix(count);
  return number;
}

struct TimeOfDay {
  int hours = 0;
  int minutes = 0;
  int seconds = 0;
};

// Whatever follows the last number is ignored, unless it is a digit.
std::optional<TimeOfDay> time_of_day(std::string_view token) {
  std::array<int, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) {
      if (!token.starts_with(':')) return std::nullopt;
      token.remove_prefix(1);
    }
    const auto number = take_number(token, 1, 2);
    if (!number) return std::nullopt;
    numbers[i] = *number;
  }
  return TimeOfDay{numbers[0], numbers[1], numbers[2]};
}

std::optional<unsigned> month_of(std::string_view token) {
  constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                        "jul", "aug", "sep", "oct", "nov", "dec"};
  const std::string name = in_lower_case(token.substr(0, 3));
  const auto* const at = std::ranges::find(kMonths, name);
  if (at == kMonths.end()) return std::nullopt;
  return static_cast<unsigned>(at - kMonths.begin()) + 1;
}

bool is_delimiter(char c) {
  return c == '\t' || (c >= 0x20 && c <= 0x2F) || (c >= 0x3B && c <= 0x40) || (c >= 0x5B && c <= 0x60) ||
         (c >= 0x7B && c <= 0x7E);
}

// --- Paths ---

// Section 5.1.4: that of the request, without what follows its last slash.
std::string default_path(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  const std::size_t last = path.rfind('/');
  if (!path.starts_with('/') || last == 0) return "/";
  return std::string(path.substr(0, last));
}

bool path_matches(std::string_view target, std::string_view path) {
  const std::string_view asked = target.substr(0, target.find('?'));
  if (!asked.starts_with(path)) return false;
  return asked.size() == path.size() || path.ends_with('/') || asked[path.size()] == '/';
}

// Is it this host, or one above it? A number has none above it.
bool is_of_domain(std::string_view host, std::string_view domain) {
  if (host == domain) return true;
  // In the URL standard's form an IPv4 address is digits and dots; a name that ends in a digit is none.
  const bool is_number = host.ends_with(']') || host.find_first_not_of("0123456789.") == std::string_view::npos;
  return !is_number && host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.';
}

bool spoils_a_cookie(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; }

}  // namespace

std::optional<std::chrono::sys_seconds> parse_cookie_date(std::string_view text) {
  std::optional<TimeOfDay> time;
  std::optional<int> day;
  std::optional<unsigned> month;
  std::optional<int> year;
  while (!text.empty()) {
    const auto end = static_cast<std::size_t>(std::ranges::find_if(text, is_delimiter) - text.begin());
    const std::string_view token = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string_view rest = token;
    if (!time && (time = time_of_day(token))) continue;
    if (!day && (day = take_number(rest, 1, 2))) continue;
    if (!month && (month = month_of(token))) continue;
    if (!year) year = take_number(rest = token, 2, 4);
  }
  if (!time || !day || !month || !year) return std::nullopt;
  if (*year >= 70 && *year <= 99) *year += 1900;
  if (*year >= 0 && *year <= 69) *year += 2000;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(*month),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *year < 1601 || time->hours > 23 || time->minutes > 59 || time->seconds > 59) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(time->hours) + std::chrono::minutes(time->minutes) +
         std::chrono::seconds(time->seconds);
}

// Sections 5.2 and 5.3, with what browsers do beside (RFC 6265bis, section 5.7): controls and prefixes of names.
std::optional<CookieJar::Cookie> CookieJar::parse(const Request& request, std::string_view line, Time now) {
  if (std::ranges::any_of(line, spoils_a_cookie)) return std::nullopt;
  std::string_view attributes = line;
  const std::string_view pair = take_until(attributes, ';');
  const std::size_t equals = pair.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  Cookie cookie;
  cookie.name = trim_blanks(pair.substr(0, equals));
  cookie.value = trim_blanks(pair.substr(equals + 1));
  if (cookie.name.empty() || cookie.name.size() + cookie.value.size() > kMostBytesEach) return std::nullopt;
  cookie.path = default_path(request.target);
  bool has_age = false;
  std::string domain;
  bool has_path = false;
  while (!attributes.empty()) {
    std::string_view value = take_until(attributes, ';');
    const std::string name = in_lower_case(trim_blanks(take_until(value, '=')));
    value = trim_blanks(value);
    if (value.size() > kMostAttribute) continue;
    if (name == "expires" && !has_age) {
      if (const auto date = parse_cookie_date(value)) cookie.expires = date;
    } else if (name == "max-age") {
      const std::string_view digits = value.substr(value.starts_with('-') ? 1 : 0);
      if (digits.empty() || !std::ranges::all_of(digits, is_digit)) continue;
      constexpr std::int64_t kLongest = 400 * 24 * 3600;  // section 5.5 of RFC 6265bis
      std::int64_t age = kLongest;
      std::from_chars(digits.data(), digits.data() + digits.size(), age);  // which leaves it if it is too large
      has_age = true;
      cookie.expires =
          value.starts_with('-') || age == 0 ? Time::min() : now + std::chrono::seconds(std::min(age, kLongest));
    } else if (name == "domain") {
      domain = in_lower_case(value.substr(value.starts_with('.') ? 1 : 0));
    } else if (name == "path") {
      has_path = value.starts_with('/');
      cookie.path = has_path ? std::string(value) : default_path(request.target);
    } else if (name == "secure") {
      cookie.secure = true;
    }
  }
  if (!domain.empty() && !is_of_domain(request.host, domain)) return std::nullopt;
  const bool safe = request.scheme == "https";
  const std::string name = in_lower_case(cookie.name);
  const bool for_host = name.starts_with("__host-");
  if (!safe && cookie.secure) return std::nullopt;
  if ((for_host || name.starts_with("__secure-")) && !cookie.secure) return std::nullopt;
  if (for_host && (!domain.empty() || !has_path || cookie.path != "/")) return std::nullopt;
  return cookie;
}

void CookieJar::erase(Host& host, std::size_t index) {
  bytes_ -= host.cookies[index].bytes();
  host.cookies.erase(host.cookies.begin() + static_cast<std::ptrdiff_t>(index));
}

void CookieJar::drop(Hosts::iterator host) {
  for (const Cookie& cookie : host->second.cookies) bytes_ -= cookie.bytes();
  uses_.erase(host->second.use);
  hosts_.erase(host);
}

void CookieJar::put(const Request& request, Cookie cookie, Time now) {
  const auto [at, is_new] = hosts_.try_emplace(request.host);
  Host& host = at->second;
  if (is_new) host.use = uses_.insert(uses_.begin(), request.host);
  // A page that anybody on the way can change must not change what only https may (RFC 6265bis, section 5.7).
  if (request.scheme != "https" && std::ranges::any_of(host.cookies, [&](const Cookie& other) {
        return other.secure && other.name == cookie.name && path_matches(cookie.path, other.path);
      }))
    return;
  const auto same = std::ranges::find_if(
      host.cookies, [&](const Cookie& other) { return other.name == cookie.name && other.path == cookie.path; });
  const bool is_over = cookie.expires && *cookie.expires <= now;
  if (same != host.cookies.end()) {
    if (is_over) return erase(host, static_cast<std::size_t>(same - host.cookies.begin()));
    bytes_ += cookie.bytes() - same->bytes();
    *same = std::move(cookie);
  } else if (!is_over) {
    if (host.cookies.size() == kMostPerHost) erase(host, 0);
    bytes_ += cookie.bytes();
    host.cookies.push_back(std::move(cookie));
  }
}

void CookieJar::keep(const Request& request, const Headers& headers, Time now) {
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (headers.name(i) != "set-cookie") continue;
    std::optional<Cookie> cookie = parse(request, headers.value(i), now);
    if (!cookie) continue;
    const std::scoped_lock lock(mutex_);
    put(request, std::move(*cookie), now);
    if (const auto host = hosts_.find(request.host); host->second.cookies.empty()) drop(host);
    while (bytes_ > kMostBytes) drop(hosts_.find(uses_.back()));
  }
}

std::string CookieJar::value_for(const Request& request, Time now) {
  const std::scoped_lock lock(mutex_);
  const auto at = hosts_.find(request.host);
  if (at == hosts_.end()) return {};
  Host& host = at->second;
  uses_.splice(uses_.begin(), uses_, host.use);
  for (std::size_t i = host.cookies.size(); i-- > 0;)
    if (const auto& expires = host.cookies[i].expires; expires && *expires <= now) erase(host, i);
  std::vector<const Cookie*> sent;
  for (const Cookie& cookie : host.cookies)
    if (path_matches(request.target, cookie.path) && (!cookie.secure || request.scheme == "https"))
      sent.push_back(&cookie);
  // Those of longer paths first; of equal ones those that were set first.
  std::ranges::sort(sent, [](const Cookie* one, const Cookie* other) {
    return one->path.size() != other->path.size() ? one->path.size() > other->path.size() : one < other;
  });
  std::string value;
  for (const Cookie* const cookie : sent)
    value.append(value.empty() ? "" : "; ").append(cookie->name).append("=").append(cookie->value);
  if (host.cookies.empty()) drop(at);
  return value;
}

}  // namespace heddle::crawler
