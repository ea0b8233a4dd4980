#include "crawler/parse/markup.hpp"

#include <algorithm>
#include <cstdint>

#include "crawler/parse/ascii.hpp"
#include "crawler/parse/scan.hpp"

namespace heddle::crawler {
namespace {

// The end of the next occurrence of `wanted`, or the end of the text.
const char* after_next(Text text, const char* position, std::string_view wanted) {
  const std::size_t found = text.from(position).find(wanted);
  return found == std::string_view::npos ? text.end : position + found + wanted.size();
}

// position: after "<!--". Sections 13.2.5.43 to 13.2.5.52: a comment ends at "-->" or "--!>", and its opening dashes
// may be closing ones, too ("<!-->", "<!--->").
const char* html_comment_end(Text text, const char* position) {
  const std::string_view rest = text.from(position);
  if (rest.starts_with('>')) return position + 1;
  if (rest.starts_with("->")) return position + 2;
  while ((position = find_byte(position, text.end, '>')) != text.end) {
    const std::string_view before = {text.begin, static_cast<std::size_t>(position - text.begin)};
    const std::size_t length = before.size() - static_cast<std::size_t>(rest.data() - text.begin);
    ++position;
    if ((length >= 2 && before.ends_with("--")) || (length >= 3 && before.ends_with("--!"))) return position;
  }
  return text.end;
}

// position: after "<!DOCTYPE". Its internal subset is in brackets, in which declarations, quoted values, comments and
// instructions have a `>` of their own (XML 1.0, section 2.8).
const char* xml_doctype_end(Text text, const char* position) {
  bool in_subset = false;
  while (position < text.end) {
    const char c = *position;
    const std::string_view rest = text.from(position);
    if (c == '"' || c == '\'') {
      position = find_byte(position + 1, text.end, c);
    } else if (rest.starts_with("<!--")) {
      position = after_next(text, position + 4, "-->") - 1;
    } else if (rest.starts_with("<?")) {
      position = after_next(text, position + 2, "?>") - 1;
    } else if (c == '[' || c == ']') {
      in_subset = c == '[';
    } else if (c == '>' && !in_subset) {
      return position + 1;
    }
    if (position < text.end) ++position;
  }
  return text.end;
}

// Is there a tag's name at position that ends where names do? In any case.
bool is_name_at(Text text, const char* position, std::string_view name) {
  const std::string_view rest = text.from(position);
  if (rest.size() <= name.size() || !equals_lower(rest.substr(0, name.size()), name)) return false;
  const char after = rest[name.size()];
  return is_space(after) || after == '/' || after == '>';
}

bool is_end_tag_at(Text text, const char* position, std::string_view name) {
  return text.from(position).starts_with("</") && is_name_at(text, position + 2, name);
}

}  // namespace

const char* bogus_comment_end(Text text, const char* position) {
  const char* end = find_byte(position, text.end, '>');
  return end == text.end ? end : end + 1;
}

const char* html_declaration_end(Text text, const char* position, bool cdata) {
  const std::string_view rest = text.from(position);
  if (rest.starts_with("<!--")) return html_comment_end(text, position + 4);
  if (cdata && rest.starts_with("<![CDATA[")) return after_next(text, position + 9, "]]>");
  // A document type ends at the first `>`, even within quotes (sections 13.2.5.59 and after).
  return bogus_comment_end(text, position + 2);
}

const char* xml_declaration_end(Text text, const char* position) {
  const std::string_view rest = text.from(position);
  if (rest.starts_with("<?")) return after_next(text, position + 2, "?>");
  if (rest.starts_with("<!--")) return after_next(text, position + 4, "-->");
  if (rest.starts_with("<![CDATA[")) return after_next(text, position + 9, "]]>");
  if (rest.starts_with("<!DOCTYPE")) return xml_doctype_end(text, position + 9);
  return bogus_comment_end(text, position + 2);
}

const char* raw_text_end(Text text, const char* position, std::string_view name) {
  while ((position = find_byte(position, text.end, '<')) != text.end) {
    if (is_end_tag_at(text, position, name)) return position;
    ++position;
  }
  return text.end;
}

const char* script_end(Text text, const char* position) {
  // plain: as any raw text. escaped: after "<!--". double_escaped: after "<script" within it; an end tag only ends
  // that.
  enum class State : std::uint8_t { plain, escaped, double_escaped } state = State::plain;
  const char* dashes_from = position;  // from here on "--" before `>` ends what "<!--" began
  while (position < text.end) {
    if (state == State::plain) {
      position = find_byte(position, text.end, '<');
    } else {
      while (position < text.end && *position != '<' && *position != '>') ++position;
    }
    if (position == text.end) break;
    if (*position == '>') {
      if (position - dashes_from >= 2 && position[-1] == '-' && position[-2] == '-') state = State::plain;
    } else if (is_end_tag_at(text, position, "script")) {
      if (state != State::double_escaped) return position;
      state = State::escaped;
    } else if (state == State::plain && text.from(position).starts_with("<!--")) {
      state = State::escaped;
      dashes_from = position + 2;
    } else if (state == State::escaped && is_name_at(text, position + 1, "script")) {
      state = State::double_escaped;
    }
    ++position;
  }
  return text.end;
}

}  // namespace heddle::crawler
