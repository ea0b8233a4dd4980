#include "testing/load/response.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace heddle::testing::load {
namespace {

constexpr std::size_t kMaxHead = 65536;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view name, std::string_view lower_case) {
  return name.size() == lower_case.size() &&
         std::equal(name.begin(), name.end(), lower_case.begin(), [](char a, char b) { return lower(a) == b; });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

template <typename Number>
bool parse_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

bool parse_status_line(std::string_view line, ResponseHead& head) {
  if (line.size() < 12 || line.substr(0, 7) != "HTTP/1." || line[8] != ' ') return false;
  if (line.size() > 12 && line[12] != ' ') return false;
  head.keep_alive = line[7] != '0';
  return parse_number(line.substr(9, 3), head.status) && head.status >= 100;
}

}  // namespace

HeadState parse_head(std::string_view bytes, ResponseHead& head) {
  const auto end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return bytes.size() > kMaxHead ? HeadState::kBad : HeadState::kIncomplete;
  head = {};
  head.head_bytes = end + 4;
  auto rest = bytes.substr(0, end + 2);
  bool first = true;
  bool has_length = false;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find("\r\n"));
    rest.remove_prefix(line.size() + 2);
    if (first) {
      if (!parse_status_line(line, head)) return HeadState::kBad;
      first = false;
      continue;
    }
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) return HeadState::kBad;
    const auto name = line.substr(0, colon);
    const auto value = trimmed(line.substr(colon + 1));
    if (same_name(name, "content-length")) {
      if (has_length || !parse_number(value, head.body_bytes)) return HeadState::kBad;
      has_length = true;
    } else if (same_name(name, "transfer-encoding")) {
      return HeadState::kBad;
    } else if (same_name(name, "connection")) {
      if (same_name(value, "close")) head.keep_alive = false;
      if (same_name(value, "keep-alive")) head.keep_alive = true;
    }
  }
  return has_length ? HeadState::kComplete : HeadState::kBad;
}

std::uint64_t hash_body(std::string_view body) {
  constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio, odd
  std::uint64_t hash = body.size() * kMultiplier;
  while (!body.empty()) {
    std::uint64_t word = 0;
    const auto size = std::min(body.size(), sizeof word);
    std::memcpy(&word, body.data(), size);
    hash = (hash ^ word) * kMultiplier;
    hash ^= hash >> 29;
    body.remove_prefix(size);
  }
  return hash;
}

}  // namespace heddle::testing::load
