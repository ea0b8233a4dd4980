// An address in an attribute is written with &amp; for &, and often without: "?a=1&copy=2" names no copyright sign.
// This resolves character references by the HTML standard's rules for attributes (section 13.2.5.72 and after).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::crawler {

enum class Syntax : std::uint8_t { html, xml };

// value (UTF-8) with its character references resolved. HTML: names without semicolon count if they are of the old
// ones and neither `=` nor a letter or digit follows. XML: names and numbers need their semicolon; names are those of
// HTML, which its document types declare (section 14.2).
std::string resolve_references(std::string_view value, Syntax syntax);

}  // namespace heddle::crawler
