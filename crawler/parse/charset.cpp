#include "crawler/parse/charset.hpp"

#include "crawler/parse/ascii.hpp"
#include "crawler/parse/encoding_table.hpp"

namespace heddle::crawler {
namespace {

constexpr std::size_t kLongestLabel = 32;

// RFC 9110, section 5.6.2.
bool is_token(std::string_view text) {
  const auto is_token_character = [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_character);
}

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

// Takes a quoted value, its first quote included, from the front of rest, and what is left up to the next `;`.
std::string take_quoted(std::string_view& rest) {
  std::string value;
  std::size_t i = 1;
  for (; i < rest.size() && rest[i] != '"'; ++i) {
    if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
    value.push_back(rest[i]);
  }
  rest.remove_prefix(std::min(rest.size(), rest.find(';', std::min(i, rest.size()))));
  return value;
}

std::string take_value(std::string_view& rest) {
  if (rest.starts_with('"')) return take_quoted(rest);
  const std::string_view value = rest.substr(0, rest.find(';'));
  rest.remove_prefix(value.size());
  return std::string(trim(value));
}

}  // namespace

std::optional<Encoding> Encoding::of_label(std::string_view label) {
  label = trim(label);
  if (label.size() > kLongestLabel) return std::nullopt;
  for (std::size_t i = 0; i < std::size(kEncodings); ++i) {
    bool found = false;
    for_each_word(kEncodings[i].labels, is_space, [&](std::string_view known) { found |= equals_lower(label, known); });
    if (found) return Encoding(i);
  }
  return std::nullopt;
}

Encoding Encoding::utf_8() { return Encoding(encoding_index("UTF-8")); }
Encoding Encoding::utf_16(bool big_endian) { return Encoding(encoding_index(big_endian ? "UTF-16BE" : "UTF-16LE")); }
Encoding Encoding::windows_1252() { return Encoding(encoding_index("windows-1252")); }

std::string_view Encoding::name() const { return kEncodings[index_].name; }

bool Encoding::is_utf_16() const { return kEncodings[index_].decoder == Decoder::utf_16; }

bool Encoding::keeps_tags() const {
  const Decoder decoder = kEncodings[index_].decoder;
  return decoder != Decoder::utf_16 && decoder != Decoder::iso_2022_jp && decoder != Decoder::replacement;
}

std::optional<ByteOrderMark> byte_order_mark(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) return ByteOrderMark{Encoding::utf_8(), 3};
  if (bytes.starts_with("\xFE\xFF")) return ByteOrderMark{Encoding::utf_16(true), 2};
  if (bytes.starts_with("\xFF\xFE")) return ByteOrderMark{Encoding::utf_16(false), 2};
  return std::nullopt;
}

ContentType ContentType::parse(std::string_view header) {
  const std::string_view essence = trim(header.substr(0, header.find(';')));
  const std::size_t slash = essence.find('/');
  if (slash == std::string_view::npos || !is_token(essence.substr(0, slash)) || !is_token(essence.substr(slash + 1))) {
    return {};
  }
  ContentType type{lowered(essence), ""};
  std::string_view rest = header.substr(std::min(header.size(), header.find(';')));
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view name = rest.substr(0, rest.find_first_of(";="));
    rest.remove_prefix(name.size());
    if (rest.empty() || rest.front() == ';') continue;
    rest.remove_prefix(1);
    std::string value = take_value(rest);
    // The standard skips white space before a name only. Of several parameters of one name, the first counts.
    const bool name_is_charset = equals_lower(trim(name), "charset") && !is_space(name.empty() ? 'x' : name.back());
    if (name_is_charset && type.charset.empty()) type.charset = std::move(value);
  }
  return type;
}

}  // namespace heddle::crawler
