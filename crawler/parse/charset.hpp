// A page is bytes; what they mean is said by a byte order mark, by the Content-Type header, by a meta element
// somewhere in it, or by nobody. This turns bytes into UTF-8 by the Encoding standard: its labels, its reading of old
// ones (iso-8859-1 means windows-1252), and U+FFFD for what is no character.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::crawler {

// One of the 40 encodings of the Encoding standard (section 4.2).
class Encoding {
 public:
  // The standard's "get an encoding": label in any case, with white space around it. Nothing if it is unknown.
  static std::optional<Encoding> of_label(std::string_view label);
  static Encoding utf_8();
  static Encoding utf_16(bool big_endian);
  static Encoding windows_1252();

  std::string_view name() const;
  bool is_utf_16() const;
  // Bytes below 0x80 are ASCII, whatever stands before them, if they are such as tags are made of (<>="'/!-): tags can
  // be found before decoding. Where this is false, decode first.
  bool keeps_tags() const;

  friend bool operator==(Encoding a, Encoding b) { return a.index_ == b.index_; }

 private:
  explicit Encoding(std::size_t index) : index_(index) {}
  friend std::string decode(std::string_view bytes, Encoding encoding);

  std::size_t index_;  // in the standard's table
};

// bytes as valid UTF-8; what is no character becomes U+FFFD. A byte order mark is not looked for.
std::string decode(std::string_view bytes, Encoding encoding);

// The encoding that a byte order mark says, and its length (Encoding standard, section 6, "BOM sniff").
struct ByteOrderMark {
  Encoding encoding;
  std::size_t size = 0;
};
std::optional<ByteOrderMark> byte_order_mark(std::string_view bytes);

// A Content-Type header (MIME Sniffing standard, section 4.4, "parse a MIME type").
struct ContentType {
  std::string essence;  // in lower case ("text/html"); empty if the header says none
  std::string charset;  // the parameter's value, empty if there is none

  static ContentType parse(std::string_view header);
};

}  // namespace heddle::crawler
