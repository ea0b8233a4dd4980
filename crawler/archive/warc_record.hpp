// Reads one record of a WARC file (ISO 28500:2017, section 4), as it is in its gzip member or in a file without them:
//
//   WARC/1.1 CRLF
//   Name: value CRLF        any number
//   CRLF
//   the block               Content-Length bytes
//   CRLF CRLF
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crawler/archive/gzip.hpp"

namespace heddle::crawler {

// Names of fields, of WARC as of HTTP, are equal whatever the case of their letters.
bool is_same_name(std::string_view a, std::string_view b);

// Points into the text that it was read from.
struct WarcRecord {
  std::string_view version;  // "WARC/1.1"
  std::vector<std::pair<std::string_view, std::string_view>> fields;
  std::uint64_t block_bytes = 0;  // as its Content-Length says
  std::string_view block;

  // The first value of a field, whose name is compared without regard to case; empty if there is none.
  std::string_view field(std::string_view name) const;
};

// Reads a record whose head is whole; the block is what there is of it, at most as much as its length says. Nothing if
// the text begins with no WARC record of version 1.x, or with one that has no type or no length.
std::optional<WarcRecord> parse_warc_record(std::string_view text);

enum class WarcForm : std::uint8_t {
  kPlain,       // records, one behind the other
  kCompressed,  // each is a gzip member
};

// Where the last whole record of a WARC file ends. A record that was not written to its end is behind it.
struct WarcEnd {
  std::uint64_t bytes = 0;
  bool good = true;  // false: there is something else than records of a WARC file in this form
};
WarcEnd find_warc_end(const ReadAt& read, std::uint64_t from, WarcForm form);

}  // namespace heddle::crawler
