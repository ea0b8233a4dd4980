// The decoders of the Encoding standard (sections 8 to 14). What a byte sequence means comes from glibc's tables where
// those are the standard's; states, and what happens at bytes that mean nothing, are the standard's own.
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "crawler/parse/charset.hpp"
#include "crawler/parse/double_byte.hpp"
#include "crawler/parse/encoding_table.hpp"
#include "crawler/parse/glibc_table.hpp"
#include "crawler/parse/utf8.hpp"

namespace heddle::crawler {
namespace {

unsigned char byte_at(std::string_view bytes, std::size_t i) { return static_cast<unsigned char>(bytes[i]); }

// The end of the well-formed UTF-8 sequence at i, or i if there is none; then bad is the end of what one U+FFFD stands
// for: the longest beginning of a sequence that could have been one (section 8.1.1).
std::size_t sequence_end(std::string_view bytes, std::size_t i, std::size_t& bad) {
  const unsigned char lead = byte_at(bytes, i);
  bad = i + 1;
  if (lead < 0x80) return i + 1;
  const std::size_t more = lead >= 0xC2 && lead <= 0xDF   ? 1
                           : lead >= 0xE0 && lead <= 0xEF ? 2
                           : lead >= 0xF0 && lead <= 0xF4 ? 3
                                                          : 0;
  if (more == 0) return i;
  unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  for (std::size_t k = 1; k <= more; ++k) {
    if (i + k >= bytes.size() || byte_at(bytes, i + k) < least || byte_at(bytes, i + k) > most) return i;
    bad = i + k + 1;
    least = 0x80;
    most = 0xBF;
  }
  return i + more + 1;
}

void decode_utf_8(std::string_view bytes, std::string& out) {
  std::size_t begin = 0;  // of what is well-formed and not yet written
  std::size_t i = 0;
  while (i < bytes.size()) {
    std::size_t bad = 0;
    const std::size_t end = sequence_end(bytes, i, bad);
    if (end > i) {
      i = end;
      continue;
    }
    out.append(bytes, begin, i - begin);
    append_utf8(out, kReplacement);
    begin = i = bad;
  }
  out.append(bytes, begin);
}

void decode_utf_16(std::string_view bytes, bool big_endian, std::string& out) {
  const auto unit = [&](std::size_t i) {
    const char32_t first = byte_at(bytes, i);
    const char32_t second = byte_at(bytes, i + 1);
    return big_endian ? first << 8 | second : second << 8 | first;
  };
  std::size_t i = 0;
  for (; i + 1 < bytes.size(); i += 2) {
    char32_t c = unit(i);
    if (c >= 0xD800 && c <= 0xDFFF) {
      const char32_t next = c < 0xDC00 && i + 3 < bytes.size() ? unit(i + 2) : 0;
      if (next >= 0xDC00 && next <= 0xDFFF) {
        c = 0x10000 + ((c - 0xD800) << 10) + (next - 0xDC00);
        i += 2;
      } else {
        c = kReplacement;
      }
    }
    append_utf8(out, c);
  }
  if (i < bytes.size()) append_utf8(out, kReplacement);
}

void decode_single_byte(std::string_view bytes, const std::array<char32_t, 128>& table, std::string& out) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const unsigned char c = byte_at(bytes, i);
    append_utf8(out, c < 0x80 ? c : table[c - 0x80]);
  }
}

}  // namespace

std::string decode(std::string_view bytes, Encoding encoding) {
  const EncodingEntry& entry = kEncodings[encoding.index_];
  std::string out;
  out.reserve(bytes.size());
  switch (entry.decoder) {
    case Decoder::utf_8:
      decode_utf_8(bytes, out);
      break;
    case Decoder::utf_16:
      decode_utf_16(bytes, entry.name == "UTF-16BE", out);
      break;
    case Decoder::single_byte:
      decode_single_byte(bytes, single_byte_table(encoding.index_), out);
      break;
    case Decoder::user_defined:
      for (const char c : bytes)
        append_utf8(out, static_cast<unsigned char>(c) < 0x80 ? c : 0xF700U + static_cast<unsigned char>(c));
      break;
    case Decoder::gb18030:
      decode_gb18030(bytes, out);
      break;
    case Decoder::big5:
      decode_big5(bytes, out);
      break;
    case Decoder::shift_jis:
      decode_shift_jis(bytes, out);
      break;
    case Decoder::euc_jp:
      decode_euc_jp(bytes, out);
      break;
    case Decoder::iso_2022_jp:
      decode_iso_2022_jp(bytes, out);
      break;
    case Decoder::euc_kr:
      decode_euc_kr(bytes, out);
      break;
    case Decoder::replacement:
      if (!bytes.empty()) append_utf8(out, kReplacement);
      break;
  }
  return out;
}

}  // namespace heddle::crawler
