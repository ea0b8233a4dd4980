#include "crawler/archive/results.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace heddle::crawler {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kReadAtATime = std::size_t{1} << 18U;

Json or_null(const std::optional<std::string_view>& text) { return text ? Json(*text) : Json(); }

}  // namespace

std::string json_line(const Record& record) {
  Json line;
  line["url"] = record.url;
  line["status"] = record.status;
  line["error"] = or_null(record.error);
  line["depth"] = record.depth;
  line["referrer"] = or_null(record.referrer);
  line["type"] = or_null(record.type);
  line["bytes"] = record.bytes;
  line["sha256"] = or_null(record.sha256);
  line["redirect"] = or_null(record.redirect);
  line["links"] = record.links;
  line["attempts"] = record.attempts;
  line["ms"] = std::round(record.ms * 1000) / 1000;
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
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
