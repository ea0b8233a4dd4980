// The table behind charset.hpp, and how each of its encodings is decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace heddle::crawler {

enum class Decoder : std::uint8_t {
  utf_8,
  utf_16,
  single_byte,
  user_defined,
  gb18030,
  big5,
  shift_jis,
  euc_jp,
  iso_2022_jp,
  euc_kr,
  replacement
};

struct EncodingEntry {
  std::string_view name;
  Decoder decoder;
  const char* table;        // glibc's name of a single-byte table
  std::string_view labels;  // in lower case, separated by spaces
};

inline constexpr EncodingEntry kEncodings[] = {
#include "crawler/parse/encodings.inc"
};

constexpr std::size_t encoding_index(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kEncodings); ++i) {
    if (kEncodings[i].name == name) return i;
  }
  return std::size(kEncodings);
}

}  // namespace heddle::crawler
