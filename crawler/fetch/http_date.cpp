#include "crawler/fetch/http_date.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace heddle::crawler {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// The parts of a date, in whatever order they come: numbers, a month, a time.
struct Parts {
  std::array<int, 2> numbers{};
  std::size_t count = 0;
  std::size_t digits_of_last = 0;
  unsigned month = 0;
  bool has_time = false;
  std::chrono::seconds time{};
};

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// 08:49:37
bool read_time(std::string_view word, Parts& parts) {
  if (word.size() != 8 || word[2] != ':' || word[5] != ':') return false;
  const auto hours = number(word.substr(0, 2));
  const auto minutes = number(word.substr(3, 2));
  const auto seconds = number(word.substr(6, 2));
  if (!hours || !minutes || !seconds || *hours > 23 || *minutes > 59 || *seconds > 60) return false;
  parts.time = std::chrono::hours(*hours) + std::chrono::minutes(*minutes) + std::chrono::seconds(*seconds);
  parts.has_time = true;
  return true;
}

// Names of days and zones tell nothing.
bool read_word(std::string_view word, Parts& parts) {
  if (word.find(':') != std::string_view::npos) return read_time(word, parts);
  if (const auto value = number(word)) {
    if (parts.count == parts.numbers.size()) return false;
    parts.numbers[parts.count++] = *value;
    parts.digits_of_last = word.size();
    return true;
  }
  const auto* const month = std::find(kMonths.begin(), kMonths.end(), word);
  if (month != kMonths.end()) parts.month = static_cast<unsigned>(month - kMonths.begin()) + 1;
  return true;
}

}  // namespace

std::optional<std::chrono::sys_seconds> parse_http_date(std::string_view text, std::chrono::sys_seconds now) {
  if (text.size() > 64) return std::nullopt;
  Parts parts;
  constexpr std::string_view kBetween = " ,-\t";
  for (std::size_t at = text.find_first_not_of(kBetween); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    if (!read_word(text.substr(at, end - at), parts)) return std::nullopt;
    at = text.find_first_not_of(kBetween, end);
  }
  if (parts.count != 2 || parts.month == 0 || !parts.has_time) return std::nullopt;
  int year = parts.numbers[1];
  if (parts.digits_of_last == 2) {
    // The last year with these digits that is not more than 50 years ahead.
    const int this_year =
        static_cast<int>(std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(now)).year());
    year += this_year / 100 * 100;
    if (year > this_year + 50) year -= 100;
  }
  if (year > 9999) return std::nullopt;
  const std::chrono::year_month_day day(std::chrono::year(year), std::chrono::month(parts.month),
                                        std::chrono::day(static_cast<unsigned>(parts.numbers[0])));
  if (!day.ok()) return std::nullopt;
  return std::chrono::sys_days(day) + parts.time;
}

std::optional<std::chrono::seconds> parse_retry_after(std::string_view text, std::chrono::sys_seconds now) {
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos) {
    // More digits than that are longer than anybody waits.
    if (text.size() > 9) return std::chrono::seconds(999'999'999);
    return std::chrono::seconds(*number(text));
  }
  const auto date = parse_http_date(text, now);
  if (!date) return std::nullopt;
  return std::max(*date - now, std::chrono::seconds(0));
}

}  // namespace heddle::crawler
