// Letters and white space as web standards mean them: ASCII only, whatever the locale (Infra standard, section 4.6).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace heddle::crawler {

inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

inline std::string in_lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

// lowered is in lower case already.
inline bool equals_lower(std::string_view text, std::string_view lowered) {
  return text.size() == lowered.size() &&
         std::equal(text.begin(), text.end(), lowered.begin(), [](char a, char b) { return lower(a) == b; });
}

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// What RFC 9110 lets stand around values: spaces and tabs.
inline std::string_view trim_blanks(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Calls word(std::string_view) with each run of characters that are no separators.
template <typename IsSeparator, typename Word>
void for_each_word(std::string_view text, IsSeparator is_separator, Word word) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = begin;
    while (end < text.size() && !is_separator(text[end])) ++end;
    if (end > begin) word(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace heddle::crawler
