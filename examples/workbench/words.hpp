// What a source mentions: its identifiers, without comments and strings. And its frame: what of it a definition's
// begin and end depend on, so that an edit that leaves it alone needs no parser.
#pragma once

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

// Each identifier, and whether it is called: a parenthesis follows.
std::map<std::string, bool, std::less<>> mentions(std::string_view source, Style style);

// Equal frames: the same definitions, as far as this can tell.
std::string frame(std::string_view source, Style style);

}  // namespace workbench
