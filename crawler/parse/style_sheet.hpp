// A page is shown with images and fonts that no element names: style sheets do, by url() and @import. This is the
// tokenizer of CSS Syntax Level 3 (section 4), as far as it takes to know a url() from one in a comment or a string.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "crawler/parse/page.hpp"

namespace heddle::crawler {

// The resources that a style sheet of type text/css names, each once, relative to its address. Its charset is that of
// a BOM, of content_type, of @charset, else UTF-8 (CSS Syntax, section 3.2).
std::vector<Link> read_style_sheet(std::string_view body, const Url& address, std::string_view content_type);

// Calls found with each url() and @import of CSS in UTF-8, escapes resolved. References into the document itself
// (url(#x)), empty ones and names of namespaces are left out, for nothing is fetched for them.
void find_style_urls(std::string_view css, const std::function<void(std::string_view)>& found);

}  // namespace heddle::crawler
