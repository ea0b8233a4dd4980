#include "crawler/parse/character_reference.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "crawler/parse/ascii.hpp"
#include "crawler/parse/utf8.hpp"

namespace heddle::crawler {
namespace {

struct NamedReference {
  std::string_view name;  // with its semicolon, if it has one
  char32_t first;
  char32_t second;  // 0 if it stands for one character
};
constexpr NamedReference kNamedReferences[] = {
#include "named_references.inc"
};

// What 0x80 to 0x9F mean in windows-1252, and so in numbers that were taken from it (section 13.2.5.80); 0: themselves.
constexpr char16_t kControls[32] = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                    0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

char32_t numbered(char32_t number, Syntax syntax) {
  if (number == 0 || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF)) return kReplacement;
  const bool is_control = syntax == Syntax::html && number >= 0x80 && number < 0xA0 && kControls[number - 0x80] != 0;
  return is_control ? kControls[number - 0x80] : number;
}

int digit_value(char c, bool hexadecimal) {
  if (is_digit(c)) return c - '0';
  const char letter = lower(c);
  return hexadecimal && letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

// text starts with "&#". Appends the character and returns the length of its reference; 0 if it is none.
std::size_t append_number(std::string_view text, Syntax syntax, std::string& out) {
  const bool hexadecimal = text.size() > 2 && (text[2] == 'x' || (text[2] == 'X' && syntax == Syntax::html));
  const std::size_t begin = hexadecimal ? 3 : 2;
  std::size_t i = begin;
  char32_t number = 0;
  for (int digit = 0; i < text.size() && (digit = digit_value(text[i], hexadecimal)) >= 0; ++i) {
    number = std::min<char32_t>(number * (hexadecimal ? 16 : 10) + static_cast<char32_t>(digit), 0x110000);
  }
  const bool closed = i < text.size() && text[i] == ';';
  if (i == begin || (syntax == Syntax::xml && !closed)) return 0;
  append_utf8(out, numbered(number, syntax));
  return closed ? i + 1 : i;
}

// The longest name of the table that text starts with.
const NamedReference* longest_name(std::string_view text) {
  const NamedReference* begin = std::begin(kNamedReferences);
  const NamedReference* end = std::end(kNamedReferences);
  const NamedReference* longest = nullptr;
  for (std::size_t i = 0; i < text.size() && begin < end; ++i) {
    const auto at = [i](const NamedReference& reference) {
      return i < reference.name.size() ? reference.name[i] : '\0';
    };
    begin = std::partition_point(begin, end, [&](const NamedReference& r) { return at(r) < text[i]; });
    end = std::partition_point(begin, end, [&](const NamedReference& r) { return at(r) <= text[i]; });
    if (begin < end && begin->name.size() == i + 1) longest = begin;
  }
  return longest;
}

// text starts with `&`. As append_number.
std::size_t append_name(std::string_view text, Syntax syntax, std::string& out) {
  const NamedReference* reference = longest_name(text.substr(1));
  if (!reference) return 0;
  const std::size_t length = 1 + reference->name.size();
  if (!reference->name.ends_with(';')) {
    const char next = length < text.size() ? text[length] : '\0';
    if (syntax == Syntax::xml || next == '=' || is_letter(next) || is_digit(next)) return 0;
  }
  append_utf8(out, reference->first);
  if (reference->second != 0) append_utf8(out, reference->second);
  return length;
}

}  // namespace

std::string resolve_references(std::string_view value, Syntax syntax) {
  std::string out;
  out.reserve(value.size());
  for (std::size_t i = 0; i < value.size();) {
    const std::size_t ampersand = std::min(value.find('&', i), value.size());
    out.append(value, i, ampersand - i);
    i = ampersand;
    if (i == value.size()) break;
    const std::string_view text = value.substr(i);
    const std::size_t length =
        text.starts_with("&#") ? append_number(text, syntax, out) : append_name(text, syntax, out);
    if (length == 0) out.push_back('&');
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

}  // namespace heddle::crawler
