// In XML an element is not told by the letters of its name: <h:a> is XHTML's a where h stands for the namespace of
// XHTML, and <a> is SVG's where xmlns says so. This keeps what prefixes stand for while a document is read (Namespaces
// in XML 1.0, sections 3 and 6), as far as it concerns links.
//
// It is milder than the standard: an element without any namespace counts as one of XHTML, and end tags are only
// counted, not matched. Of a document that nests declarations without end, those behind the kMost-th are not heard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace heddle::crawler {

struct Attribute {
  std::string_view name;
  std::string_view value;  // as written: references are not resolved
};

class Namespaces {
 public:
  enum class Space : std::uint8_t { html, svg, xlink, other };

  struct Name {
    Space space;
    std::string_view local;
  };

  // Takes a start tag with its attributes, whose declarations hold from here on.
  void start(std::span<const Attribute> attributes);
  // Takes an end tag, or the end of an empty element.
  void end();

  Name of_element(std::string_view name) const;
  // The value of the attribute of this local name in the namespace of XLink; null if there is none.
  const std::string_view* xlink(std::span<const Attribute> attributes, std::string_view local) const;

 private:
  static constexpr std::size_t kMost = 64;
  struct Binding {
    std::string_view prefix;  // empty: xmlns
    Space space;
    std::size_t depth;  // of the element that it stands in
  };

  Space of_prefix(std::string_view prefix) const;

  std::size_t depth_ = 0;
  std::vector<Binding> bindings_;  // the innermost last; only those that changed something
};

}  // namespace heddle::crawler
