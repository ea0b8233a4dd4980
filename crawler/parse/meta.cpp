#include "crawler/parse/meta.hpp"

#include <algorithm>

#include "crawler/parse/ascii.hpp"

namespace heddle::crawler {
namespace {

// A position in a text that is read from front to back.
struct Cursor {
  std::string_view rest;

  bool at_end() const { return rest.empty(); }
  bool take(char c) {
    if (rest.empty() || lower(rest.front()) != c) return false;
    rest.remove_prefix(1);
    return true;
  }
  template <typename Predicate>
  std::string_view take_while(Predicate predicate) {
    const auto end = std::find_if_not(rest.begin(), rest.end(), predicate);
    const std::string_view taken = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    rest.remove_prefix(taken.size());
    return taken;
  }
  void skip_spaces() { take_while(is_space); }
};

// After "charset" and its `=`: quoted, or up to white space or a semicolon.
std::optional<Encoding> encoding_value(Cursor cursor) {
  cursor.skip_spaces();
  if (cursor.at_end()) return std::nullopt;
  const char quote = cursor.rest.front();
  if (quote == '"' || quote == '\'') {
    const std::size_t end = cursor.rest.find(quote, 1);
    if (end == std::string_view::npos) return std::nullopt;
    return Encoding::of_label(cursor.rest.substr(1, end - 1));
  }
  return Encoding::of_label(cursor.take_while([](char c) { return !is_space(c) && c != ';'; }));
}

// What follows the delay: "; url='...'", with every part but the URL itself left out at will.
std::string_view refresh_url_after_delay(Cursor cursor) {
  cursor.skip_spaces();
  if (!cursor.take(';')) cursor.take(',');
  cursor.skip_spaces();
  std::string_view url = cursor.rest;
  if (cursor.take('u')) {
    if (!cursor.take('r') || !cursor.take('l')) return url;
    cursor.skip_spaces();
    if (!cursor.take('=')) return url;
    cursor.skip_spaces();
  }
  url = cursor.rest;
  if (url.starts_with('"') || url.starts_with('\'')) {
    const std::string_view quoted = url.substr(1);
    url = quoted.substr(0, quoted.find(url.front()));
  }
  return url;
}

}  // namespace

std::optional<Encoding> encoding_in_meta(std::string_view content) {
  constexpr std::string_view kCharset = "charset";
  for (std::size_t i = 0; i + kCharset.size() <= content.size(); ++i) {
    if (!equals_lower(content.substr(i, kCharset.size()), kCharset)) continue;
    Cursor cursor{content.substr(i + kCharset.size())};
    cursor.skip_spaces();
    if (cursor.take('=')) return encoding_value(cursor);
    i = content.size() - cursor.rest.size() - 1;  // the search goes on where this one failed
  }
  return std::nullopt;
}

Encoding as_meta_encoding(Encoding encoding) {
  if (encoding.is_utf_16()) return Encoding::utf_8();
  return encoding.name() == "x-user-defined" ? Encoding::windows_1252() : encoding;
}

std::optional<std::string_view> refresh_url(std::string_view content) {
  Cursor cursor{content};
  cursor.skip_spaces();
  const bool has_delay = !cursor.take_while(is_digit).empty();
  if (!has_delay && !cursor.rest.starts_with('.')) return std::nullopt;
  cursor.take_while([](char c) { return is_digit(c) || c == '.'; });
  if (cursor.at_end()) return "";
  const char after = cursor.rest.front();
  if (after != ';' && after != ',' && !is_space(after)) return std::nullopt;
  return refresh_url_after_delay(cursor);
}

bool forbids_following(std::string_view content) {
  bool forbids = false;
  for_each_word(
      content, [](char c) { return c == ',' || is_space(c); },
      [&](std::string_view word) { forbids |= equals_lower(word, "nofollow") || equals_lower(word, "none"); });
  return forbids;
}

}  // namespace heddle::crawler
