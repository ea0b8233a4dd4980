#include "crawler/archive/warc_record.hpp"

#include <algorithm>
#include <charconv>

#include "crawler/parse/ascii.hpp"

namespace heddle::crawler {
namespace {

constexpr std::size_t kMostHead = std::size_t{64} << 10U;  // of a record, in find_warc_end()

// Takes a line and its CRLF off the text; nothing if there is no CRLF.
std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t end = text.find("\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 2);
  return line;
}

WarcEnd find_compressed_end(const ReadAt& read, std::uint64_t from) {
  GzipMembers members(read, from);
  std::string head;
  for (;;) {
    const std::uint64_t before = members.end();
    switch (members.next(head, kMostHead)) {
      case GzipMembers::Result::kMember:
        if (!parse_warc_record(head)) return {before, false};
        break;
      case GzipMembers::Result::kEnd:
      case GzipMembers::Result::kTorn:
        return {before, true};
      case GzipMembers::Result::kDamaged:
        return {before, false};
    }
  }
}

WarcEnd find_plain_end(const ReadAt& read, std::uint64_t from) {
  constexpr std::uint64_t kMostBlock = std::uint64_t{1} << 62U;
  constexpr std::string_view kBegin = "WARC/1.";
  constexpr std::string_view kBehindHead = "\r\n\r\n";
  constexpr std::string_view kBehindBlock = kBehindHead;
  for (std::uint64_t at = from;;) {
    const std::string text = read(at, kMostHead);
    if (!text.starts_with(kBegin.substr(0, text.size()))) return {at, false};
    const std::size_t head = text.find(kBehindHead);
    if (head == std::string::npos) return {at, text.size() < kMostHead};
    const auto record = parse_warc_record(std::string_view(text).substr(0, head + kBehindHead.size()));
    if (!record || record->block_bytes > kMostBlock) return {at, false};
    const std::uint64_t behind = at + head + kBehindHead.size() + record->block_bytes;
    const std::string last = read(behind, kBehindBlock.size());
    if (last != kBehindBlock) return {at, last.size() < kBehindBlock.size() && kBehindBlock.starts_with(last)};
    at = behind + kBehindBlock.size();
  }
}

}  // namespace

bool is_same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view WarcRecord::field(std::string_view name) const {
  for (const auto& [key, value] : fields)
    if (is_same_name(key, name)) return value;
  return {};
}

std::optional<WarcRecord> parse_warc_record(std::string_view text) {
  WarcRecord record;
  const auto version = take_line(text);
  if (!version || !version->starts_with("WARC/1.")) return std::nullopt;
  record.version = *version;
  for (;;) {
    const auto line = take_line(text);
    if (!line) return std::nullopt;
    if (line->empty()) break;
    const std::size_t colon = line->find(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    record.fields.emplace_back(line->substr(0, colon), trim(line->substr(colon + 1)));
  }
  const std::string_view length = record.field("Content-Length");
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), record.block_bytes);
  if (length.empty() || error != std::errc() || end != length.data() + length.size()) return std::nullopt;
  if (record.field("WARC-Type").empty()) return std::nullopt;
  record.block = text.substr(0, record.block_bytes);
  return record;
}

WarcEnd find_warc_end(const ReadAt& read, std::uint64_t from, WarcForm form) {
  return form == WarcForm::kPlain ? find_plain_end(read, from) : find_compressed_end(read, from);
}

}  // namespace heddle::crawler
