#include "crawler/parse/tag_scanner.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "crawler/parse/ascii.hpp"
#include "crawler/parse/scan.hpp"

namespace heddle::crawler {
namespace {

enum : std::uint8_t { kEndsTagName = 1, kEndsAttributeName = 2, kEndsValue = 4, kSkipped = 8, kLetter = 16 };

// What each byte ends: a tag's name, an attribute's, an unquoted value; what may stand before an attribute; and what
// begins a name.
constexpr std::array<std::uint8_t, 256> kBytes = [] {
  std::array<std::uint8_t, 256> bytes{};
  for (const char c : {' ', '\t', '\n', '\f', '\r'}) {
    bytes[static_cast<unsigned char>(c)] = kEndsTagName | kEndsAttributeName | kEndsValue | kSkipped;
  }
  bytes['/'] = kEndsTagName | kEndsAttributeName | kSkipped;
  bytes['>'] = kEndsTagName | kEndsAttributeName | kEndsValue;
  bytes['='] = kEndsAttributeName;
  for (char c = 'a'; c <= 'z'; ++c) {
    bytes[static_cast<unsigned char>(c)] = kLetter;
    bytes[static_cast<unsigned char>(c - 'a' + 'A')] = kLetter;
  }
  return bytes;
}();

bool is(char c, std::uint8_t kind) { return (kBytes[static_cast<unsigned char>(c)] & kind) != 0; }

// The elements of raw text and RCDATA, by the names of their end tags; script has rules of its own.
constexpr std::string_view raw_text_name(Element element) {
  switch (element) {
    case Element::iframe:
      return "iframe";
    case Element::noembed:
      return "noembed";
    case Element::noframes:
      return "noframes";
    case Element::style:
      return "style";
    case Element::textarea:
      return "textarea";
    case Element::title:
      return "title";
    case Element::xmp:
      return "xmp";
    default:
      return {};
  }
}

// From behind a tag's name to behind its `>`, or to the end of the text.
const char* tag_end(const char* position, const char* end) {
  while (true) {
    while (position < end && is(*position, kSkipped)) ++position;
    if (position == end) return end;
    if (*position == '>') return position + 1;
    position = skip_name(position + 1, end);  // a first `=` is part of the name (section 13.2.5.32)
    while (position < end && !is(*position, kEndsAttributeName)) ++position;
    while (position < end && is_space(*position)) ++position;
    if (position == end || *position != '=') continue;
    ++position;
    while (position < end && is_space(*position)) ++position;
    if (position == end) return end;
    if (*position == '"' || *position == '\'') {
      position = find_byte(position + 1, end, *position);
      if (position == end) return end;
      ++position;
    } else {
      while (position < end && !is(*position, kEndsValue)) ++position;
    }
  }
}

// What is behind its start tag, up to its end tag, or the element itself, is something else than HTML's tags are.
constexpr bool changes_what_follows(Element element) {
  using enum Element;
  return element == script || element == plaintext || element == image || element == svg || element == math ||
         element == template_ || !raw_text_name(element).empty();
}

// Which lengths a name may have that begins with a byte, for the tag to be one that next() has to look at: bit n for n
// bytes. All where no name begins. kEndTag: the same for end tags, whatever their names.
constexpr unsigned kMostQuick = 15;
constexpr unsigned kEndTag = 31;
constexpr std::array<std::uint32_t, 256> kNotedNames = [] {
  std::array<std::uint32_t, 256> noted{};
  noted.fill(~std::uint32_t{0});
  for (char c = 'a'; c <= 'z'; ++c) {
    std::uint32_t lengths = ~std::uint32_t{0} << (kMostQuick + 1) & ~(std::uint32_t{1} << kEndTag);
    for (const ElementName& known : kKnownElements) {
      const bool may_be_wanted = known.element != Element::other && known.element <= Element::video;
      if (known.name.front() == c && (may_be_wanted || changes_what_follows(known.element)))
        lengths |= std::uint32_t{1} << known.name.size();
    }
    noted[static_cast<unsigned char>(c)] = lengths;
    noted[static_cast<unsigned char>(c - 'a' + 'A')] = lengths;
  }
  return noted;
}();

}  // namespace

std::optional<std::string_view> Tag::find(std::string_view name) const {
  for (const Attribute& attribute : attributes) {
    if (syntax == Syntax::html ? equals_lower(attribute.name, name) : attribute.name == name) return attribute.value;
  }
  return std::nullopt;
}

TagScanner::TagScanner(std::string_view text, Syntax syntax, Elements wanted, bool style_attributes)
    : text_{text.data(), text.data() + text.size()},
      tags_(text_.begin, text_.end, '<'),
      position_(text_.begin),
      syntax_(syntax),
      wanted_(wanted),
      style_attributes_(style_attributes) {
  tag_.syntax = syntax;
  if (syntax == Syntax::xml || style_attributes) return;
  counting_ = false;
  for (unsigned i = 0; i < kElements; ++i) {
    const auto element = static_cast<Element>(i);
    if (!contains(wanted, element) && !changes_what_follows(element)) noted_ &= ~(std::uint64_t{1} << i);
  }
}

// XML's names may start with more than letters; which others is not looked at.
inline bool TagScanner::is_name_start(char c) const {
  return is(c, kLetter) || (syntax_ == Syntax::xml && (c == '_' || c == ':' || static_cast<unsigned char>(c) >= 0x80));
}

// The next `<`, without tags of which nothing needs to be known, for their names are none of those that do. What may be
// another one, or no tag, or stands at the end of the text, is left to the caller.
inline const char* TagScanner::next_noted(const char* position) {
  if (counting_) return tags_.next(position);
  const char* const last = text_.end - std::min<std::ptrdiff_t>(text_.end - text_.begin, kMostQuick + 4);
  while (true) {
    const char* const tag = tags_.next(position);
    if (tag >= last) return tag;
    const bool is_end = tag[1] == '/';
    const char* const name = tag + (is_end ? 2 : 1);
    const char* const name_end = skip_name(name, name + kMostQuick + 1);
    const auto length = static_cast<unsigned>(name_end - name);
    if ((kNotedNames[static_cast<unsigned char>(*name)] >> (is_end ? kEndTag : length) & 1) != 0) return tag;
    if (*name_end == '>') {
      position = name_end + 1;
    } else if (is(*name_end, kEndsTagName)) {
      position = tag_end(name_end, text_.end);
    } else {
      return tag;
    }
  }
}

const Tag* TagScanner::next() {
  while (true) {
    position_ = next_noted(position_);
    if (text_.end - position_ < 2) return nullptr;
    const char c = position_[1];
    if (is_name_start(c)) {
      if (read_start_tag(position_ + 1)) return &tag_;
    } else if (c == '/') {
      read_end_tag(position_ + 2);
    } else if (c == '!' || c == '?') {
      position_ = syntax_ == Syntax::xml ? xml_declaration_end(text_, position_)
                  : c == '!'             ? html_declaration_end(text_, position_, foreign_.is_foreign())
                                         : bogus_comment_end(text_, position_ + 1);
    } else {
      ++position_;
    }
  }
}

inline const char* TagScanner::name_end(const char* position) const {
  position = skip_name(position, text_.end);
  while (position < text_.end && !is(*position, kEndsTagName)) ++position;
  return position;
}

// The value after `=` (sections 13.2.5.35 to 13.2.5.39).
std::string_view TagScanner::read_value() {
  while (position_ < text_.end && is_space(*position_)) ++position_;
  if (position_ == text_.end) return {};
  const char quote = *position_;
  if (quote == '"' || quote == '\'') {
    const char* begin = position_ + 1;
    const char* end = find_byte(begin, text_.end, quote);
    position_ = end == text_.end ? end : end + 1;
    return {begin, static_cast<std::size_t>(end - begin)};
  }
  const char* begin = position_;
  while (position_ < text_.end && !is(*position_, kEndsValue)) ++position_;
  return {begin, static_cast<std::size_t>(position_ - begin)};
}

// From after a tag's name to after its `>`. False if the text ends first: then there is no tag.
template <TagScanner::Keep kKeep>
bool TagScanner::read_attributes() {
  while (true) {
    self_closing_ = false;
    for (; position_ < text_.end && is(*position_, kSkipped); ++position_) self_closing_ = *position_ == '/';
    if (position_ == text_.end) return false;
    if (*position_ == '>') {
      ++position_;
      return true;
    }
    const char* begin = position_;
    const char* end = skip_name(begin + 1, text_.end);  // a first `=` is part of the name (section 13.2.5.32)
    while (end < text_.end && !is(*end, kEndsAttributeName)) ++end;
    position_ = end;
    while (position_ < text_.end && is_space(*position_)) ++position_;
    std::string_view value;
    if (position_ < text_.end && *position_ == '=') {
      ++position_;
      value = read_value();
    }
    const std::string_view name = text_between(begin, end);
    if (kKeep == Keep::all || (kKeep == Keep::style && equals_lower(name, "style"))) {
      tag_.attributes.push_back({name, value});
    }
  }
}

// Outside of drawings and templates, for most tags it only counts that there were some.
inline bool TagScanner::leads_nowhere(const ElementName& known) const {
  return (noted_ >> static_cast<unsigned>(known.element) & 1) == 0 && foreign_.empty();
}

// Reads a start tag, and what is no markup after it. True if it is wanted.
bool TagScanner::read_start_tag(const char* name_begin) {
  position_ = name_end(name_begin);
  const std::string_view name(name_begin, static_cast<std::size_t>(position_ - name_begin));
  const ElementName& known = find_element(name, text_.end, syntax_ == Syntax::html);
  if (leads_nowhere(known)) {
    if (read_attributes<Keep::none>() && counting_) foreign_.note_start(known);
    return false;
  }
  tag_.element = known.element;
  tag_.attributes.clear();
  tag_.content.clear();
  const bool all = syntax_ == Syntax::xml || contains(wanted_, known.element) || known.element == Element::image ||
                   !foreign_.empty();
  const bool complete = all                 ? read_attributes<Keep::all>()
                        : style_attributes_ ? read_attributes<Keep::style>()
                                            : read_attributes<Keep::none>();
  if (!complete) return false;
  const bool in_document = syntax_ == Syntax::xml ? enter_xml(name) : enter_html(name, known);
  if (!in_document) return false;
  return contains(wanted_, tag_.element) || (style_attributes_ && tag_.find("style"));
}

// Reads what is before the tag that begins here once more, now for the sake of those that led nowhere.
void TagScanner::begin_to_count(const char* here) {
  TagScanner before(text_between(text_.begin, here), syntax_, wanted_, style_attributes_);
  before.counting_ = true;
  while (before.next()) {
  }
  foreign_ = std::move(before.foreign_);
  counting_ = true;
}

// What an HTML start tag means for what follows it. False if it is in a template.
bool TagScanner::enter_html(std::string_view name, const ElementName& known) {
  const bool changes =
      known.element == Element::svg || known.element == Element::math || known.element == Element::template_;
  const bool in_document = !foreign_.in_template();
  bool is_html = true;
  if (changes && !counting_) begin_to_count(name.data() - 1);
  if (changes || !foreign_.empty()) {
    const std::string_view encoding = tag_.find("encoding").value_or("");
    is_html = foreign_.start(
        {.name = name,
         .known = known,
         .self_closing = self_closing_,
         .font_attribute = tag_.find("color") || tag_.find("face") || tag_.find("size"),
         .html_encoding = equals_lower(encoding, "text/html") || equals_lower(encoding, "application/xhtml+xml")});
  } else if (counting_) {
    foreign_.note_start(known);
  }
  if (!is_html) {
    if (known.element == Element::style) {
      if (!self_closing_) read_style_text();
    } else if (known.element != Element::a) {
      tag_.element = Element::other;
    } else if (foreign_.in_svg()) {
      if (const auto older = tag_.find("xlink:href")) take_older_href(*older);
    }
    return in_document;
  }
  if (known.element == Element::image) tag_.element = Element::img;  // section 13.2.6.4.7
  skip_raw_text(known.element);
  return in_document;
}

// Tags in raw text are none: goes on at its end tag (sections 13.2.6.2 and 13.2.6.4.7).
void TagScanner::skip_raw_text(Element element) {
  const char* begin = position_;
  if (element == Element::script) {
    position_ = script_end(text_, position_);
  } else if (element == Element::plaintext) {
    position_ = text_.end;
  } else if (const std::string_view name = raw_text_name(element); !name.empty()) {
    position_ = raw_text_end(text_, position_, name);
  }
  if (element == Element::style) tag_.content.push_back({text_between(begin, position_), true});
}

// The text of a style element whose content is markup, in SVG and XML: what stands before the next tag.
void TagScanner::read_style_text() {
  constexpr std::string_view kCdata = "<![CDATA[";
  while (position_ < text_.end) {
    const char* end = find_byte(position_, text_.end, '<');
    tag_.content.push_back({text_between(position_, end), false});
    position_ = end;
    const std::string_view rest = text_.from(end);
    if (!rest.starts_with("<!")) return;
    position_ = syntax_ == Syntax::xml ? xml_declaration_end(text_, end) : html_declaration_end(text_, end, true);
    if (rest.starts_with(kCdata)) {
      const std::string_view section = text_between(end + kCdata.size(), position_);
      tag_.content.push_back({section.ends_with("]]>") ? section.substr(0, section.size() - 3) : section, true});
    }
  }
}

void TagScanner::take_older_href(std::string_view value) {
  if (!tag_.find("href")) tag_.attributes.push_back({"href", value});
}

// In XML any element may be empty, and all content is markup.
bool TagScanner::enter_xml(std::string_view name) {
  namespaces_.start(tag_.attributes);
  const auto [space, local] = namespaces_.of_element(name);
  const bool svg = space == Namespaces::Space::svg;
  tag_.element =
      svg || space == Namespaces::Space::html ? find_element(local, text_.end, false).element : Element::other;
  if (svg) {
    if (tag_.element != Element::a && tag_.element != Element::style) tag_.element = Element::other;
    const std::string_view* older = namespaces_.xlink(tag_.attributes, "href");
    if (tag_.element == Element::a && older) take_older_href(*older);
  }
  const bool in_document = xml_templates_ == 0;
  if (self_closing_) {
    namespaces_.end();
    return in_document;
  }
  if (tag_.element == Element::template_) ++xml_templates_;
  if (tag_.element == Element::style) read_style_text();
  return in_document;
}

void TagScanner::read_end_tag(const char* name_begin) {
  position_ = name_begin;
  if (position_ == text_.end) return;
  if (*position_ == '>') {  // "</>" is nothing (section 13.2.5.7)
    ++position_;
    return;
  }
  if (!is_name_start(*position_)) {
    position_ = bogus_comment_end(text_, position_);
    return;
  }
  position_ = name_end(name_begin);
  const std::string_view name(name_begin, static_cast<std::size_t>(position_ - name_begin));
  if (!read_attributes<Keep::none>()) return;
  if (syntax_ == Syntax::xml) {
    const auto [space, local] = namespaces_.of_element(name);
    if (space == Namespaces::Space::html && local == "template" && xml_templates_ > 0) --xml_templates_;
    namespaces_.end();
    return;
  }
  if (!counting_) return;
  const ElementName& known = find_element(name, text_.end, true);
  if (foreign_.empty()) {
    foreign_.note_end(known);
  } else {
    foreign_.end(name, known);
  }
}

}  // namespace heddle::crawler
