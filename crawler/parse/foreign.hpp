// Inside <svg> and <math>, <style> and <title> are elements like any other and <![CDATA[ is no comment; inside
// <foreignObject> HTML's rules hold again; and a <div> in <svg> ends the drawing. To know which rules hold, this keeps
// the open elements of SVG and MathML, and the HTML ones within their integration points, by the HTML standard's rules
// for foreign content (section 13.2.6.5). Outside, which is nearly everywhere, it is empty and costs nothing.
//
// It differs from a browser in HTML within integration points: elements are closed by their end tags only, and no more
// than kDeepest are kept. The worst that comes of it is that HTML's rules hold for longer.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "crawler/parse/element.hpp"

namespace heddle::crawler {

class ForeignContent {
 public:
  // A start tag as the rules need to see it.
  struct Start {
    std::string_view name;
    const ElementName& known;
    bool self_closing = false;
    bool font_attribute = false;  // color, face or size
    bool html_encoding = false;   // encoding is text/html or application/xhtml+xml
  };

  // Nothing is open: HTML's rules hold, and no tag but <svg>, <math> and <template> changes that.
  bool empty() const { return open_.empty() && templates_.empty(); }
  // Is the current node SVG or MathML?
  bool is_foreign() const { return open_.size() > base() && open_.back().kind != Kind::html; }
  bool in_svg() const { return is_foreign() && open_.back().kind == Kind::svg; }
  bool in_template() const { return !templates_.empty(); }

  // While it is empty, it is told of other tags by these two: which elements stand around a drawing says what ends it.
  void note_start(const ElementName& known) { around_[known.number] += known.is_void ? 0 : 1; }
  void note_end(const ElementName& known) {
    if (around_[known.number] > 0) --around_[known.number];
  }

  // Takes a start tag; true if it starts an HTML element.
  bool start(const Start& tag);
  // Takes an end tag. name in any case.
  void end(std::string_view name, const ElementName& known);

 private:
  static constexpr std::size_t kDeepest = 256;

  enum class Kind : std::uint8_t { html, svg, math };
  enum class Inside : std::uint8_t { nothing, html, math_text, annotation };  // whose rules hold for its children
  struct Node {
    std::string_view name;
    Kind kind;
    Inside inside;
  };

  std::size_t base() const { return templates_.empty() ? 0 : templates_.back(); }
  bool takes_html_rules(const ElementName& known) const;
  void start_html(const Start& tag);
  void start_foreign(const Start& tag);
  void leave();
  void push(std::string_view name, Kind kind, Inside inside);

  std::vector<Node> open_;
  std::vector<std::size_t> templates_;  // how many were open before each open template
  // How many HTML elements of each name were open when the first of these was opened; where end tags are left out
  // (</li>), too many.
  std::array<std::uint32_t, kElementNames> around_{};
};

}  // namespace heddle::crawler
