// A page is bytes; what they mean is said by a byte order mark, by the Content-Type header, by a meta element
// somewhere in it, or by nobody. This finds out, and turns bytes into UTF-8, by the Encoding standard: its labels, its
// reading of old ones (iso-8859-1 means windows-1252), and U+FFFD for what is no character.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::crawler {

// An encoding of the Encoding standard (section 4.2); points at an entry of its table, which lives for ever.
class Encoding {
 public:
  // The standard's "get an encoding" (section 4.2): label in any case, with white space around it. Nothing if unknown.
  static std::optional<Encoding> of_label(std::string_view label);
  static Encoding utf_8();
  static Encoding windows_1252();

  std::string_view name() const { return name_; }
  bool is_utf_16() const { return name_ == "UTF-16LE" || name_ == "UTF-16BE"; }
  // Bytes below 0x80 are always the ASCII characters: tags can be found before decoding. Else decode first.
  bool keeps_ascii() const { return !is_utf_16() && name_ != "ISO-2022-JP" && name_ != "replacement"; }

  friend bool operator==(Encoding a, Encoding b) { return a.name_ == b.name_; }

 private:
  friend struct EncodingTable;
  constexpr Encoding(std::string_view name, const char* iconv_name) : name_(name), iconv_name_(iconv_name) {}
  std::string_view name_;
  const char* iconv_name_;  // null for those that are decoded here
  friend std::string decode(std::string_view bytes, Encoding encoding);
};

// bytes as valid UTF-8; what is no character becomes U+FFFD. A byte order mark is not looked for.
std::string decode(std::string_view bytes, Encoding encoding);

// The encoding that a byte order mark says, and how long it is (Encoding standard, section 6, "BOM sniff").
struct ByteOrderMark {
  Encoding encoding;
  std::size_t size = 0;
};
std::optional<ByteOrderMark> byte_order_mark(std::string_view bytes);

// A Content-Type header: its essence in lower case ("text/html"; empty if it is none) and its parameter charset, if
// any (MIME Sniffing standard, section 4.4, "parse a MIME type").
struct ContentType {
  std::string essence;
  std::string charset;

  static ContentType parse(std::string_view header);
};

}  // namespace heddle::crawler
