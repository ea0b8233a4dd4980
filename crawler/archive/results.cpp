#include "crawler/archive/results.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace heddle::crawler {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kReadAtATime = std::size_t{1} << 18U;

// Most texts are plain: they need no escapes, and no look at whether they are UTF-8.
void add_text(std::string& line, std::string_view text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < '\x7F' && c != '"' && c != '\\'; });
  if (plain)
    line.append("\"").append(text).append("\"");
  else
    line += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void add_text_or_null(std::string& line, const std::optional<std::string_view>& text) {
  if (text)
    add_text(line, *text);
  else
    line += "null";
}

template <class Number>
void add_number(std::string& line, Number number) {
  std::array<char, 32> digits{};
  line.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

}  // namespace

std::string json_line(const Record& record) {
  std::string line;
  line.reserve(256 + record.url.size());
  line += R"({"url":)";
  add_text(line, record.url);
  line += R"(,"status":)";
  add_number(line, record.status);
  line += R"(,"error":)";
  add_text_or_null(line, record.error);
  line += R"(,"depth":)";
  add_number(line, record.depth);
  line += R"(,"referrer":)";
  add_text_or_null(line, record.referrer);
  line += R"(,"type":)";
  add_text_or_null(line, record.type);
  line += R"(,"bytes":)";
  add_number(line, record.bytes);
  line += R"(,"sha256":)";
  add_text_or_null(line, record.sha256);
  line += R"(,"redirect":)";
  add_text_or_null(line, record.redirect);
  line += R"(,"links":)";
  add_number(line, record.links);
  line += R"(,"attempts":)";
  add_number(line, record.attempts);
  line += R"(,"ms":)";
  line += Json(std::round(record.ms * 1000) / 1000).dump();
  return line += "}\n";
}

std::optional<std::string> url_of_line(std::string_view line) {
  const Json parsed = Json::parse(line, nullptr, false);
  if (!parsed.is_object()) return std::nullopt;
  const auto url = parsed.find("url");
  if (url == parsed.end() || !url->is_string()) return std::nullopt;
  return url->get<std::string>();
}

void ResultsFile::clear() {
  if (file_.regular()) file_.cut(0);
}

void ResultsFile::mend_last_line() {
  std::uint64_t begin = file_.bytes();
  while (begin > 0) {
    const std::uint64_t from = begin - std::min<std::uint64_t>(begin, kReadAtATime);
    const std::size_t feed = file_.read(from, begin - from).rfind('\n');
    begin = feed == std::string::npos ? from : from + feed + 1;
    if (feed != std::string::npos) break;
  }
  if (begin == file_.bytes()) return;
  if (file_.read(begin, 1) == "{")
    file_.cut(begin);
  else
    file_.write("\n");  // somebody else's, who wants no line feed at the end
}

void ResultsFile::resume(std::uint64_t from, const std::function<void(std::string_view)>& known) {
  if (!file_.regular()) return;
  mend_last_line();
  std::string text;
  for (std::uint64_t at = from > bytes() ? 0 : from; at < bytes();) {
    const std::string read = file_.read(at, kReadAtATime);
    if (read.empty()) break;
    at += read.size();
    text += read;
    std::size_t begin = 0;
    for (std::size_t feed; (feed = text.find('\n', begin)) != std::string::npos; begin = feed + 1)
      if (const auto url = url_of_line(std::string_view(text).substr(begin, feed - begin))) known(*url);
    text.erase(0, begin);
  }
}

}  // namespace heddle::crawler
