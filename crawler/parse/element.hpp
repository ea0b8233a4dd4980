// The elements whose names matter to a scan: those that name addresses, those whose content is no markup, and those
// that lead into SVG and MathML and out of them. All others are `other`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::crawler {

enum class Element : std::uint8_t {
  other,
  // These may be asked for (Elements below): they come before the 32nd.
  a,
  area,
  audio,
  base,
  embed,
  frame,
  iframe,
  img,
  input,
  link,
  meta,
  object,
  script,
  source,
  style,
  track,
  video,
  // What is drawn as img, whose content is no markup, and which is not part of the document.
  image,
  noembed,
  noframes,
  plaintext,
  textarea,
  title,
  xmp,
  template_,
  // Other namespaces, and their elements that have HTML inside.
  annotation_xml,
  desc,
  foreign_object,
  malignmark,
  math,
  mglyph,
  mi,
  mn,
  mo,
  ms,
  mtext,
  svg,
  // Their end tags, or attributes, tell HTML from other namespaces.
  br,
  p,
  font
};

inline constexpr unsigned kElements = static_cast<unsigned>(Element::font) + 1;

// A set of the elements that may be asked for.
using Elements = std::uint32_t;
constexpr Elements set_of(Element element) { return Elements{1} << static_cast<unsigned>(element); }
constexpr bool contains(Elements set, Element element) {
  return element <= Element::video && (set >> static_cast<unsigned>(element) & 1) != 0;
}

struct ElementName {
  std::string_view name;
  Element element = Element::other;
  // HTML only: within SVG and MathML its start tag ends these (HTML standard, section 13.2.6.5).
  bool leaves_foreign = false;
  // Without content and end tag (section 13.1.2, "void elements", and the old ones that parse alike).
  bool is_void = false;
  // Tells names apart: 0 for all that the table lacks, else less than kElementNames.
  std::size_t number = 0;
};
inline constexpr std::size_t kElementNames = 128;

// All that are known.
inline constexpr auto kKnownElements = [] {
  using enum Element;
  std::array listed = std::to_array<ElementName>({
#include "crawler/parse/element_names.inc"
  });
  for (std::size_t i = 0; i < listed.size(); ++i) listed[i].number = i + 1;
  return listed;
}();
static_assert(kKnownElements.size() < kElementNames);

// What is known of a name of an HTML document, in any case; of an XHTML document, where only lower case counts.
// A name that the table lacks is `other`. The name is part of a text that ends at text_end.
const ElementName& find_element(std::string_view name, const char* text_end, bool any_case);

}  // namespace heddle::crawler
