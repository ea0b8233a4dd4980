// What stands between tags and is not text: comments, declarations, instructions, CDATA, and the content of elements
// in which tags are no tags. Each function gets the position where such a thing starts and returns where it ends: the
// first byte after it, or the end of the text if it does not end. By the HTML standard's tokenizer (section 13.2.5) and
// by XML 1.0 (sections 2.5 to 2.8), which differ at odd ends.
#pragma once

#include <cstddef>
#include <string_view>

namespace heddle::crawler {

inline std::string_view text_between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

struct Text {
  const char* begin;
  const char* end;
  std::string_view from(const char* position) const { return text_between(position, end); }
};

// position: at "<!" of an HTML document. cdata: a CDATA section may stand here (in foreign content).
const char* html_declaration_end(Text text, const char* position, bool cdata);

// position: at "<!" or "<?" of an XML document. CDATA, too.
const char* xml_declaration_end(Text text, const char* position);

// The end of what a bogus comment swallows: up to and with the next `>`.
const char* bogus_comment_end(Text text, const char* position);

// position: after the start tag of a raw text or RCDATA element of this name, in lower case. The position of its end
// tag's "</", or the end of the text.
const char* raw_text_end(Text text, const char* position, std::string_view name);

// The same for script, in which "<!-- <script>" hides an end tag (sections 13.2.5.15 to 13.2.5.31).
const char* script_end(Text text, const char* position);

}  // namespace heddle::crawler
