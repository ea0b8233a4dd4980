// What the content of a meta element says: of the page's charset, of where a browser goes next, of what robots may do.
#pragma once

#include <optional>
#include <string_view>

#include "crawler/parse/charset.hpp"

namespace heddle::crawler {

// The charset in "text/html; charset=..." as meta elements write it (HTML standard, section 2.6.5, "extracting a
// character encoding from a meta element").
std::optional<Encoding> encoding_in_meta(std::string_view content);

// What a meta element may say of the document that it stands in: its tags were read, so UTF-16 cannot be true (section
// 13.2.3.2).
Encoding as_meta_encoding(Encoding encoding);

// The URL of "5; url=..." (section 4.2.4.7, "shared declarative refresh steps"). A valid refresh without a URL, which
// loads the page again, has an empty one; nothing if it is not valid.
std::optional<std::string_view> refresh_url(std::string_view content);

// Do the words for robots say `nofollow`, or `none`, which includes it?
bool forbids_following(std::string_view content);

// The charset that the beginning of a page says, before anything is parsed (section 13.2.3.2, "prescan a byte stream"):
// the first 1024 bytes are looked at.
std::optional<Encoding> prescan(std::string_view body);

// The encoding of an XML declaration at the beginning ("get an XML encoding" in the same section).
std::optional<Encoding> xml_encoding(std::string_view body);

}  // namespace heddle::crawler
