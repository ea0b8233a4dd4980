#include "crawler/parse/glibc_table.hpp"

#include <iconv.h>

#include <cstdint>
#include <mutex>
#include <stdexcept>

#include "crawler/parse/encoding_table.hpp"
#include "crawler/parse/utf8.hpp"

namespace heddle::crawler {
namespace {

// Where glibc's single-byte tables are not the standard's (Encoding standard, section 9, its indexes).
struct Correction {
  std::string_view encoding;
  unsigned char byte;
  char32_t character;
};
constexpr Correction kCorrections[] = {
    {"KOI8-U", 0xAE, 0x45E},     {"KOI8-U", 0xBE, 0x40E},       {"macintosh", 0xC6, 0x2206},
    {"macintosh", 0xF0, 0xF8FF}, {"windows-1255", 0xCA, 0x5BA}, {"x-mac-cyrillic", 0xFF, 0x20AC},
};

std::array<char32_t, 128> make_table(const EncodingEntry& entry) {
  GlibcCharset charset(entry.table);
  std::array<char32_t, 128> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const char byte = static_cast<char>(0x80 + i);
    const std::u32string characters = charset.characters({&byte, 1});
    // The standard's windows tables have the control characters U+0080 to U+009F where Microsoft's have none.
    const bool is_control = i < 0x20 && entry.name.starts_with("windows-");
    table[i] = characters.size() == 1 ? characters[0] : is_control ? static_cast<char32_t>(0x80 + i) : kReplacement;
  }
  for (const Correction& correction : kCorrections) {
    if (correction.encoding == entry.name) table[correction.byte - 0x80] = correction.character;
  }
  return table;
}

}  // namespace

GlibcCharset::GlibcCharset(const char* name) : descriptor_(iconv_open("UTF-32LE", name)) {
  if (reinterpret_cast<std::intptr_t>(descriptor_) == -1)
    throw std::runtime_error("glibc lacks the charset " + std::string(name));
}

GlibcCharset::~GlibcCharset() { iconv_close(descriptor_); }

std::u32string GlibcCharset::characters(std::string_view sequence) {
  iconv(descriptor_, nullptr, nullptr, nullptr, nullptr);
  std::array<unsigned char, 32> bytes{};
  std::string copy(sequence);
  char* in = copy.data();
  char* out = reinterpret_cast<char*>(bytes.data());
  std::size_t in_left = copy.size();
  std::size_t out_left = bytes.size();
  if (iconv(descriptor_, &in, &in_left, &out, &out_left) == static_cast<std::size_t>(-1) || in_left > 0) return {};
  // Some converters hold a character back, for a mark that might follow it.
  iconv(descriptor_, nullptr, nullptr, &out, &out_left);
  std::u32string characters;
  for (std::size_t i = 0; i + 3 < bytes.size() - out_left; i += 4) {
    characters.push_back(static_cast<char32_t>(bytes[i]) | static_cast<char32_t>(bytes[i + 1]) << 8 |
                         static_cast<char32_t>(bytes[i + 2]) << 16);
  }
  return characters;
}

const std::array<char32_t, 128>& single_byte_table(std::size_t encoding_index) {
  static std::array<std::once_flag, std::size(kEncodings)> made;
  static std::array<std::array<char32_t, 128>, std::size(kEncodings)> tables;
  std::call_once(made[encoding_index], [&] { tables[encoding_index] = make_table(kEncodings[encoding_index]); });
  return tables[encoding_index];
}

}  // namespace heddle::crawler
