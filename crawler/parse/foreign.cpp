#include "crawler/parse/foreign.hpp"

#include "crawler/parse/ascii.hpp"

namespace heddle::crawler {
namespace {

bool equals_any_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

bool ForeignContent::start(const Start& tag) {
  if (is_foreign() && !takes_html_rules(tag.known)) {
    const bool leaves = tag.known.leaves_foreign || (tag.known.element == Element::font && tag.font_attribute);
    if (!leaves) {
      start_foreign(tag);
      return false;
    }
    leave();
  }
  start_html(tag);
  return tag.known.element != Element::svg && tag.known.element != Element::math;
}

// Section 13.2.6, "tree construction dispatcher".
bool ForeignContent::takes_html_rules(const ElementName& known) const {
  switch (open_.back().inside) {
    case Inside::html:
      return true;
    case Inside::math_text:
      return known.element != Element::mglyph && known.element != Element::malignmark;
    case Inside::annotation:
      return known.element == Element::svg;
    case Inside::nothing:
      break;
  }
  return false;
}

void ForeignContent::start_html(const Start& tag) {
  switch (tag.known.element) {
    case Element::svg:
    case Element::math:
      if (!tag.self_closing)
        push(tag.name, tag.known.element == Element::svg ? Kind::svg : Kind::math, Inside::nothing);
      break;
    case Element::template_:
      templates_.push_back(open_.size());
      break;
    default:
      // Of HTML elements only those above foreign ones are of interest: they say when these are current again.
      if (open_.size() > base() && !tag.known.is_void) push(tag.name, Kind::html, Inside::html);
  }
}

void ForeignContent::start_foreign(const Start& tag) {
  if (tag.self_closing) return;
  const Kind kind = open_.back().kind;
  Inside inside = Inside::nothing;
  switch (tag.known.element) {
    case Element::foreign_object:
    case Element::desc:
    case Element::title:
      if (kind == Kind::svg) inside = Inside::html;
      break;
    case Element::mi:
    case Element::mo:
    case Element::mn:
    case Element::ms:
    case Element::mtext:
      if (kind == Kind::math) inside = Inside::math_text;
      break;
    case Element::annotation_xml:
      if (kind == Kind::math) inside = tag.html_encoding ? Inside::html : Inside::annotation;
      break;
    default:
      break;
  }
  push(tag.name, kind, inside);
}

// Closes foreign elements until HTML may stand here.
void ForeignContent::leave() {
  while (is_foreign() && open_.back().inside != Inside::html && open_.back().inside != Inside::math_text)
    open_.pop_back();
}

void ForeignContent::push(std::string_view name, Kind kind, Inside inside) {
  if (open_.size() - base() < kDeepest) open_.push_back({name, kind, inside});
}

void ForeignContent::end(std::string_view name, const ElementName& known) {
  if (is_foreign() && (known.element == Element::br || known.element == Element::p)) {
    leave();
    return;
  }
  // Within foreign content an end tag closes up to the element of its name; an HTML element that it meets on the way
  // down hands it to HTML's rules, by which it closes nothing but HTML elements.
  bool foreign = is_foreign();
  for (std::size_t i = open_.size(); i > base(); --i) {
    const Node& node = open_[i - 1];
    if (foreign && node.kind == Kind::html) foreign = false;
    if (!foreign && node.kind != Kind::html) break;
    if (equals_any_case(node.name, name)) {
      open_.resize(i - 1);
      return;
    }
  }
  // The end tag of an element around the drawing closes this, too.
  if (foreign && known.number != 0 && around_[known.number] > 0) {
    open_.resize(base());
    note_end(known);
  }
  if (known.element == Element::template_ && !templates_.empty()) {
    open_.resize(templates_.back());
    templates_.pop_back();
  }
}

}  // namespace heddle::crawler
