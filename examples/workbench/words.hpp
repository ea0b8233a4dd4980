// What a source mentions: its identifiers, without comments and strings. And its frame: what of it a definition's
// begin and end depend on, so that an edit that leaves it alone needs no parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace workbench {

enum class Style : std::uint8_t {
  kBraces,   // C and its likes: // and /* */
  kIndents,  // Python: #, strings of three quotes
  kOther,    // no comments are known
};
// By the extension of the file's name.
Style style_of(std::string_view path);

struct Words {
  std::map<std::string, bool, std::less<>> names;  // each identifier, and whether it is called: a parenthesis follows
  // Of what the definitions depend on: equal frames, the same definitions, as far as this can tell.
  std::size_t frame = 0;
};
Words read_words(std::string_view source, Style style);

}  // namespace workbench
