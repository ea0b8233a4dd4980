// All of them look pairs of bytes up in an index of the standard (section 6). Of glibc's tables, CP932 is its index
// jis0208 (laid out as Shift_JIS), EUC-JP its jis0212, UHC its euc-kr; GB18030 is its gb18030 but for one pair, and
// BIG5-HKSCS its big5 but for 142 pairs that are second codes of characters, which become U+FFFD here.
#include "crawler/parse/double_byte.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "crawler/parse/glibc_table.hpp"
#include "crawler/parse/utf8.hpp"

namespace heddle::crawler {
namespace {

using Byte = unsigned char;

Byte at(std::string_view bytes, std::size_t i) { return static_cast<Byte>(bytes[i]); }

bool between(Byte byte, Byte least, Byte most) { return byte >= least && byte <= most; }

// What the pairs of one charset stand for, all looked up when it is first needed (about 2 ms).
class Pairs {
 public:
  // prefix: bytes before each pair.
  Pairs(const char* charset, const std::string& prefix, Byte least_trail) : characters_(std::size_t{0x80} * 0x100 * 2) {
    GlibcCharset glibc(charset);
    for (int lead = 0x81; lead <= 0xFE; ++lead) {
      for (int trail = least_trail; trail <= 0xFE; ++trail) {
        const std::string pair = prefix + static_cast<char>(lead) + static_cast<char>(trail);
        const std::u32string characters = glibc.characters(pair);
        if (characters.empty() || characters.size() > 2 || characters[0] < 0x80) continue;
        std::copy(characters.begin(), characters.end(), &characters_[place(lead, trail)]);
      }
    }
  }

  bool append(Byte lead, Byte trail, std::string& out) const {
    const char32_t* characters = &characters_[place(lead, trail)];
    if (characters[0] == 0) return false;
    append_utf8(out, characters[0]);
    if (characters[1] != 0) append_utf8(out, characters[1]);
    return true;
  }

  void set(int lead, int trail, char32_t character) { characters_[place(lead, trail)] = character; }

 private:
  // Up to two characters for each pair: four of Big5 are a letter and its mark.
  static std::size_t place(int lead, int trail) {
    return (static_cast<std::size_t>(lead - 0x80) * 0x100 + static_cast<std::size_t>(trail)) * 2;
  }

  std::vector<char32_t> characters_;
};

const Pairs& jis0208() {
  static const Pairs pairs("CP932", "", 0x40);
  return pairs;
}

// row and cell count from 0; the standard's pointer is row * 94 + cell.
bool append_jis0208(int row, int cell, std::string& out) {
  const int pointer = row * 94 + cell;
  const int lead = pointer / 188;
  const int trail = pointer % 188;
  return jis0208().append(static_cast<Byte>(lead + (lead < 0x1F ? 0x81 : 0xC1)),
                          static_cast<Byte>(trail + (trail < 0x3F ? 0x40 : 0x41)), out);
}

// A pair at i that means nothing is one U+FFFD, and its second byte, if it is ASCII, is read again. Returns the end.
std::size_t skip_bad_pair(std::string_view bytes, std::size_t i, std::string& out) {
  append_utf8(out, kReplacement);
  return i + 1 < bytes.size() && at(bytes, i + 1) >= 0x80 ? i + 2 : i + 1;
}

// Calls single(byte) for what is no lead of a pair, and pair(lead, trail) for pairs; both may say that it means
// nothing.
template <typename IsLead, typename Single, typename Pair>
void decode_pairs(std::string_view bytes, std::string& out, IsLead is_lead, Single single, Pair pair) {
  for (std::size_t i = 0; i < bytes.size();) {
    const Byte byte = at(bytes, i);
    if (byte < 0x80) {
      out.push_back(bytes[i++]);
    } else if (!is_lead(byte)) {
      if (!single(byte)) append_utf8(out, kReplacement);
      ++i;
    } else if (i + 1 < bytes.size() && pair(byte, at(bytes, i + 1))) {
      i += 2;
    } else {
      i = skip_bad_pair(bytes, i, out);
    }
  }
}

bool no_single(Byte) { return false; }

const Pairs& gb18030_pairs() {
  static const Pairs pairs = [] {
    Pairs made("GB18030", "", 0x40);
    made.set(0xA3, 0xA0, 0x3000);
    return made;
  }();
  return pairs;
}

bool is_gb18030_quadruple(std::string_view bytes, std::size_t i) {
  return i + 3 < bytes.size() && between(at(bytes, i + 1), 0x30, 0x39) && between(at(bytes, i + 2), 0x81, 0xFE) &&
         between(at(bytes, i + 3), 0x30, 0x39);
}

}  // namespace

void decode_gb18030(std::string_view bytes, std::string& out) {
  for (std::size_t i = 0; i < bytes.size();) {
    const Byte byte = at(bytes, i);
    if (byte <= 0x80) {
      append_utf8(out, byte == 0x80 ? 0x20AC : byte);
      ++i;
    } else if (is_gb18030_quadruple(bytes, i) && byte != 0xFF) {
      static thread_local GlibcCharset glibc("GB18030");
      const std::u32string characters = glibc.characters(bytes.substr(i, 4));
      append_utf8(out, characters.empty() ? kReplacement : characters[0]);
      i += 4;
    } else if (byte != 0xFF && i + 1 < bytes.size() && between(at(bytes, i + 1), 0x40, 0xFE) &&
               gb18030_pairs().append(byte, at(bytes, i + 1), out)) {
      i += 2;
    } else {
      i = byte == 0xFF ? (append_utf8(out, kReplacement), i + 1) : skip_bad_pair(bytes, i, out);
    }
  }
}

void decode_big5(std::string_view bytes, std::string& out) {
  static const Pairs pairs("BIG5-HKSCS", "", 0x40);
  decode_pairs(
      bytes, out, [](Byte byte) { return between(byte, 0x81, 0xFE); }, no_single,
      [&](Byte lead, Byte trail) {
        return (between(trail, 0x40, 0x7E) || between(trail, 0xA1, 0xFE)) && pairs.append(lead, trail, out);
      });
}

void decode_euc_kr(std::string_view bytes, std::string& out) {
  static const Pairs pairs("UHC", "", 0x41);
  decode_pairs(
      bytes, out, [](Byte byte) { return between(byte, 0x81, 0xFE); }, no_single,
      [&](Byte lead, Byte trail) { return between(trail, 0x41, 0xFE) && pairs.append(lead, trail, out); });
}

void decode_shift_jis(std::string_view bytes, std::string& out) {
  const auto is_lead = [](Byte byte) { return between(byte, 0x81, 0x9F) || between(byte, 0xE0, 0xFC); };
  const auto single = [&](Byte byte) {
    if (byte != 0x80 && !between(byte, 0xA1, 0xDF)) return false;
    append_utf8(out, byte == 0x80 ? byte : 0xFF61U - 0xA1U + byte);
    return true;
  };
  decode_pairs(bytes, out, is_lead, single, [&](Byte lead, Byte trail) {
    return (between(trail, 0x40, 0x7E) || between(trail, 0x80, 0xFC)) && jis0208().append(lead, trail, out);
  });
}

void decode_euc_jp(std::string_view bytes, std::string& out) {
  static const Pairs jis0212("EUC-JP", "\x8F", 0xA1);
  for (std::size_t i = 0; i < bytes.size();) {
    const Byte byte = at(bytes, i);
    const Byte next = i + 1 < bytes.size() ? at(bytes, i + 1) : 0;
    if (byte < 0x80) {
      out.push_back(bytes[i++]);
    } else if (byte == 0x8E && between(next, 0xA1, 0xDF)) {
      append_utf8(out, 0xFF61U - 0xA1U + next);
      i += 2;
    } else if (byte == 0x8F && between(next, 0xA1, 0xFE)) {
      const Byte third = i + 2 < bytes.size() ? at(bytes, i + 2) : 0;
      if (between(third, 0xA1, 0xFE) && jis0212.append(next, third, out)) {
        i += 3;
      } else {
        i = skip_bad_pair(bytes, i + 1, out);
      }
    } else if (between(byte, 0xA1, 0xFE) && between(next, 0xA1, 0xFE) &&
               append_jis0208(byte - 0xA1, next - 0xA1, out)) {
      i += 2;
    } else if (byte == 0x8E || byte == 0x8F || between(byte, 0xA1, 0xFE)) {
      i = skip_bad_pair(bytes, i, out);
    } else {
      append_utf8(out, kReplacement);
      ++i;
    }
  }
}

// Section 12.2.1. An escape sequence right after another one that nothing followed is an error, too.
void decode_iso_2022_jp(std::string_view bytes, std::string& out) {
  enum class Set : std::uint8_t { ascii, roman, katakana, pairs };
  Set set = Set::ascii;
  bool something_followed = true;
  for (std::size_t i = 0; i < bytes.size();) {
    const Byte byte = at(bytes, i);
    if (byte == 0x1B) {
      const std::string_view escape = bytes.substr(i + 1, 2);
      const bool known = escape == "(B" || escape == "(J" || escape == "(I" || escape == "$@" || escape == "$B";
      if (known)
        set = escape[0] == '$'   ? Set::pairs
              : escape[1] == 'B' ? Set::ascii
              : escape[1] == 'J' ? Set::roman
                                 : Set::katakana;
      if (!known || !something_followed) append_utf8(out, kReplacement);
      something_followed = !known;
      i += known ? 3 : 1;
      continue;
    }
    something_followed = true;
    if (set == Set::pairs) {
      const bool is_lead = between(byte, 0x21, 0x7E);
      const bool is_pair = is_lead && i + 1 < bytes.size() && at(bytes, i + 1) != 0x1B;
      const bool means =
          is_pair && between(at(bytes, i + 1), 0x21, 0x7E) && append_jis0208(byte - 0x21, at(bytes, i + 1) - 0x21, out);
      if (!means) append_utf8(out, kReplacement);
      i += is_pair ? 2 : 1;
      continue;
    }
    const bool is_katakana = set == Set::katakana && between(byte, 0x21, 0x5F);
    const bool is_plain = set != Set::katakana && byte < 0x80 && byte != 0x0E && byte != 0x0F;
    const char32_t roman = byte == 0x5C ? 0xA5 : byte == 0x7E ? 0x203E : byte;
    append_utf8(out, is_katakana         ? 0xFF61U - 0x21U + byte
                     : !is_plain         ? kReplacement
                     : set == Set::roman ? roman
                                         : byte);
    ++i;
  }
}

}  // namespace heddle::crawler
