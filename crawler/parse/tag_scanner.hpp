// Building a tree of a page costs ten times as much as fetching it, and a crawler throws the tree away. This goes over
// a page once and stops only at the start tags it is asked for, and yet sees exactly the tags that the HTML standard's
// tokenizer sees (section 13.2.5, scripting off): none in comments, scripts and raw text, and not those in templates,
// which are no part of the document.
//
// It works on bytes in any encoding that keeps tags (Encoding::keeps_tags); names and values are slices of the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "crawler/parse/character_reference.hpp"
#include "crawler/parse/element.hpp"
#include "crawler/parse/foreign.hpp"
#include "crawler/parse/markup.hpp"
#include "crawler/parse/namespaces.hpp"
#include "crawler/parse/scan.hpp"

namespace heddle::crawler {

struct TextPiece {
  std::string_view text;
  bool literal;  // has no character references
};

struct Tag {
  Element element = Element::other;
  Syntax syntax = Syntax::html;
  std::vector<Attribute> attributes;
  // Of style: its text, in pieces where comments and the marks of CDATA sections stand between.
  std::vector<TextPiece> content;

  // The value of the first attribute of this name (in lower case); later ones do not count (section 13.2.5.33).
  std::optional<std::string_view> find(std::string_view name) const;
};

class TagScanner {
 public:
  // Stops at start tags of these elements, and, if style_attributes, of any element with such an attribute. In HTML
  // these are HTML elements; of SVG's, a and style count, too, and an a that has no href but an xlink:href, its older
  // name, has it as href (SVG 2, section 12.3.1).
  TagScanner(std::string_view text, Syntax syntax, Elements wanted, bool style_attributes);

  // The next such tag, or null at the end. Valid until the next call.
  const Tag* next();

 private:
  // Which attributes of a tag are kept.
  enum class Keep : std::uint8_t { none, style, all };

  bool read_start_tag(const char* name_begin);
  void read_end_tag(const char* name_begin);
  template <Keep kKeep>
  bool read_attributes();
  std::string_view read_value();
  bool enter_html(std::string_view name, const ElementName& known);
  bool enter_xml(std::string_view name);
  void take_older_href(std::string_view value);
  void skip_raw_text(Element element);
  void read_style_text();
  bool is_name_start(char c) const;
  const char* name_end(const char* position) const;
  const char* next_noted(const char* position);
  bool leads_nowhere(const ElementName& known) const;
  void begin_to_count(const char* here);

  Text text_;
  Places tags_;  // every `<`
  const char* position_;
  Syntax syntax_;
  Elements wanted_;
  bool style_attributes_;
  std::uint64_t noted_ = ~std::uint64_t{0};  // a bit for each element whose start tags are looked at
  // foreign_ is told of all tags. Before the first one that it changes by, nobody needs to know, and most pages have
  // none.
  bool counting_ = true;

  Tag tag_;
  bool self_closing_ = false;
  ForeignContent foreign_;
  Namespaces namespaces_;  // of XML
  std::size_t xml_templates_ = 0;
};

}  // namespace heddle::crawler
