#include "crawler/parse/charset.hpp"

#include <gtest/gtest.h>

#include "crawler/parse/encoding_table.hpp"
#include "crawler/parse/page_testing.hpp"

namespace heddle::crawler {
namespace {

using namespace std::string_view_literals;

std::string name_of(std::string_view label) {
  const auto encoding = Encoding::of_label(label);
  return encoding ? std::string(encoding->name()) : "unknown";
}

std::string decoded(std::string_view label, std::string_view bytes) { return decode(bytes, encoding_of(label)); }

// Encoding standard, section 4.2.
TEST(Charset, LabelsAreThoseOfTheEncodingStandard) {
  EXPECT_EQ("UTF-8", name_of("\t Utf8\r\n"));
  EXPECT_EQ("windows-1252", name_of("ISO-8859-1"));
  EXPECT_EQ("windows-1252", name_of("us-ascii"));
  EXPECT_EQ("windows-1254", name_of("latin5"));
  EXPECT_EQ("GBK", name_of("gb2312"));
  EXPECT_EQ("EUC-KR", name_of("ks_c_5601-1987"));
  EXPECT_EQ("Shift_JIS", name_of("windows-31j"));
  EXPECT_EQ("UTF-16LE", name_of("utf-16"));
  EXPECT_EQ("ISO-8859-8-I", name_of("logical"));
  EXPECT_EQ("replacement", name_of("iso-2022-kr"));
  for (const char* label : {"", "utf", "utf-7", "utf-32", "latin-1", "utf-8 x", "\vutf-8", "utf-8 unicode-1-1-utf-8"}) {
    EXPECT_EQ("unknown", name_of(label)) << label;
  }
}

TEST(Charset, TheTableHasEveryLabelOnce) {
  std::set<std::string> labels;
  for (const EncodingEntry& entry : kEncodings) {
    std::istringstream words{std::string(entry.labels)};
    for (std::string label; words >> label;) {
      EXPECT_TRUE(labels.insert(label).second) << label;
      EXPECT_EQ(entry.name, name_of(label));
    }
  }
  EXPECT_EQ(40u, std::size(kEncodings));
  EXPECT_EQ(228u, labels.size());
}

// Section 8.1.1: one U+FFFD for each longest beginning of a sequence.
TEST(Charset, BrokenUtf8IsReplacedByTheStandardsCount) {
  EXPECT_EQ("aä€😀", decoded("utf-8", "aä€😀"));
  EXPECT_EQ("\uFFFD", decoded("utf-8", "\xFF"));
  EXPECT_EQ("\uFFFD\uFFFD", decoded("utf-8", "\xC0\x80"));
  EXPECT_EQ("\uFFFDz", decoded("utf-8", "\xE2\x82z"));
  EXPECT_EQ("\uFFFD", decoded("utf-8", "\xF0\x9F\x98"));
  EXPECT_EQ("\uFFFD\uFFFD\uFFFD", decoded("utf-8", "\xED\xA0\x80"));
  EXPECT_EQ("\uFFFD\uFFFD\uFFFD\uFFFD", decoded("utf-8", "\xF4\x90\x80\x80"));
  EXPECT_EQ("\uFFFD\uFFFD\uFFFD", decoded("utf-8", "\xE0\x80\xAF"));
  EXPECT_EQ("\uFFFDé", decoded("utf-8", "\xE2é"));
}

TEST(Charset, Utf16IsReadInBothOrders) {
  EXPECT_EQ("aä😀", decoded("utf-16le", "a\0\xE4\0\x3D\xD8\x00\xDE"sv));
  EXPECT_EQ("aä😀", decoded("utf-16be", "\0a\0\xE4\xD8\x3D\xDE\x00"sv));
  EXPECT_EQ("\uFFFDz\uFFFD", decoded("utf-16be", "\xD8\x3D\0z\xDE\x00"sv));
  EXPECT_EQ("a\uFFFD", decoded("utf-16be", "\0a\0"sv));
}

// Indexes of section 6; windows tables have the control characters where Microsoft's have none.
TEST(Charset, SingleBytesAreThoseOfTheStandardsIndexes) {
  EXPECT_EQ("€\xC2\x81é", decoded("iso-8859-1", "\x80\x81\xE9"));
  EXPECT_EQ("я", decoded("windows-1251", "\xFF"));
  EXPECT_EQ("ўЎ", decoded("koi8-u", "\xAE\xBE"));
  EXPECT_EQ("\u2206\uF8FF€", decoded("macintosh", "\xC6\xF0\xDB"));
  EXPECT_EQ("€", decoded("x-mac-cyrillic", "\xFF"));
  EXPECT_EQ("\u05BA", decoded("windows-1255", "\xCA"));
  EXPECT_EQ("\uFFFD", decoded("windows-1253", "\xAA"));
  EXPECT_EQ("a\u0301", decoded("windows-1258", "a\xEC"));
  EXPECT_EQ("\uFFFD", decoded("iso-8859-6", "\xA1"));
  EXPECT_EQ("a\uF780\uF7FF", decoded("x-user-defined", "a\x80\xFF"));
  EXPECT_EQ("\uFFFD", decoded("hz-gb-2312", "<a href=x>"));
}

TEST(Charset, EastAsianPairsAreThoseOfTheStandardsIndexes) {
  EXPECT_EQ("日本～①纊ｱ\xC2\x80\uE000",
            decoded("shift_jis", "\x93\xFA\x96\x7B\x81\x60\x87\x40\xED\x40\xB1\x80\xF0\x40"));
  EXPECT_EQ("日本～①ｱ丂", decoded("euc-jp", "\xC6\xFC\xCB\xDC\xA1\xC1\xAD\xA1\x8E\xB1\x8F\xB0\xA1"));
  EXPECT_EQ("a日本b\u00A5ｱ", decoded("iso-2022-jp", "a\x1B$B\x46\x7C\x4B\x5C\x1B(Bb\x1B(J\\\x1B(I\x31"));
  EXPECT_EQ("中文€", decoded("gb2312", "\xD6\xD0\xCE\xC4\x80"));
  EXPECT_EQ("\u3000😀\xC2\x80", decoded("gb18030", "\xA3\xA0\x94\x39\xFC\x36\x81\x30\x81\x30"));
  EXPECT_EQ("中文\u00CA\u0304", decoded("big5", "\xA4\xA4\xA4\xE5\x88\x62"));
  EXPECT_EQ("한국똠", decoded("euc-kr", "\xC7\xD1\xB1\xB9\x8C\x63"));
}

// Sections 10 to 12: where a pair means nothing, its second byte is read again if it is ASCII, so that no tag is lost.
TEST(Charset, ASecondByteInAsciiOutlivesABadPair) {
  for (const char* label : {"shift_jis", "euc-jp", "big5", "euc-kr", "gbk", "gb18030"}) {
    EXPECT_EQ("\uFFFD<b", decoded(label, "\x81<b")) << label;
    EXPECT_EQ("a\uFFFD", decoded(label, "a\x81")) << label;
  }
  EXPECT_EQ("\uFFFDz", decoded("shift_jis", "\xFC\xFCz"));
  EXPECT_EQ("\uFFFD1", decoded("gb18030", "\x81\x31"));
  EXPECT_EQ("\uFFFD1\uFFFD", decoded("gb18030", "\x81\x31\x81"));
}

TEST(Charset, EveryPairOfBytesDecodesToUtf8) {
  for (const EncodingEntry& entry : kEncodings) {
    const Encoding encoding = encoding_of(entry.labels.substr(0, entry.labels.find(' ')));
    std::string bytes;
    for (int first = 0x80; first < 0x100; ++first) {
      for (int second = 0; second < 0x100; ++second)
        bytes += {static_cast<char>(first), static_cast<char>(second), ' '};
    }
    const std::string text = decode(bytes, encoding);
    EXPECT_EQ(text, decode(text, Encoding::utf_8())) << entry.name;
  }
}

// Section 6, "BOM sniff".
TEST(Charset, ByteOrderMarksAreFound) {
  const auto found = [](std::string_view bytes) {
    const auto mark = byte_order_mark(bytes);
    return mark ? std::string(mark->encoding.name()) + " " + std::to_string(mark->size) : "none";
  };
  EXPECT_EQ("UTF-8 3", found("\xEF\xBB\xBFx"));
  EXPECT_EQ("UTF-16BE 2", found("\xFE\xFF\0x"sv));
  EXPECT_EQ("UTF-16LE 2", found("\xFF\xFEx\0"sv));
  EXPECT_EQ("none", found("\xEF\xBB"));
  EXPECT_EQ("none", found(""));
}

// MIME Sniffing standard, section 4.4.
TEST(Charset, ContentTypesAreParsed) {
  const auto parse = [](std::string_view header) {
    const ContentType type = ContentType::parse(header);
    return type.essence + "|" + type.charset;
  };
  EXPECT_EQ("text/html|", parse("text/html"));
  EXPECT_EQ("text/html|utf-8", parse(" Text/HTML ; Charset=utf-8 "));
  EXPECT_EQ("text/html|a;b\"c", parse("text/html;charset=\"a;b\\\"c\"x;y=z"));
  EXPECT_EQ("text/html|one", parse("text/html;x;charset=one;charset=two"));
  EXPECT_EQ("text/html|", parse("text/html;charset =one"));
  EXPECT_EQ("text/html|open", parse("text/html;charset=\"open"));
  EXPECT_EQ("application/xhtml+xml|", parse("application/xhtml+xml;"));
  for (const char* header :
       {"", "html", "/html", "text/", "te xt/html", "text/html/x", ";charset=utf-8", "text/ht(ml"}) {
    EXPECT_EQ("|", parse(header)) << header;
  }
}

}  // namespace
}  // namespace heddle::crawler
