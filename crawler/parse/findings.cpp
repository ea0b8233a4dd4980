#include "crawler/parse/findings.hpp"

#include <string>
#include <utility>

#include "crawler/parse/ascii.hpp"
#include "crawler/parse/meta.hpp"
#include "crawler/parse/tag_scanner.hpp"

namespace heddle::crawler {
namespace {

using Form = Finding::Form;

constexpr Elements kFollowed = set_of(Element::a) | set_of(Element::area) | set_of(Element::frame) |
                               set_of(Element::iframe) | set_of(Element::link) | set_of(Element::meta) |
                               set_of(Element::base);
constexpr Elements kResources = set_of(Element::audio) | set_of(Element::embed) | set_of(Element::img) |
                                set_of(Element::input) | set_of(Element::object) | set_of(Element::script) |
                                set_of(Element::source) | set_of(Element::style) | set_of(Element::track) |
                                set_of(Element::video);

// Goes over the tags of a page and notes what they name.
class Reader {
 public:
  Reader(std::string_view text, Syntax syntax, bool resources)
      : scanner_(text, syntax, resources ? kFollowed | kResources : kFollowed, resources),
        syntax_(syntax),
        resources_(resources) {}

  Findings run() {
    while (const Tag* tag = scanner_.next()) read(*tag);
    return std::move(findings_);
  }

 private:
  void read(const Tag& tag) {
    using enum Element;
    switch (tag.element) {
      case a:
      case area:
        add(tag, "href", naming_of(tag, {.follow = true}), true);
        break;
      case frame:
      case iframe:
        add(tag, "src", {.follow = true});
        break;
      case base:
        if (!findings_.base) findings_.base = tag.find("href");
        break;
      case meta:
        read_meta(tag);
        break;
      case link:
        read_link(tag);
        break;
      case style:
        for (const TextPiece& piece : tag.content) {
          findings_.targets.push_back({piece.text, Form::style, piece.literal, {.resource = true}});
        }
        break;
      default:
        read_resource(tag);
    }
    if (!resources_) return;
    if (const auto declarations = tag.find("style")) note(*declarations, Form::style, {.resource = true});
  }

  void read_resource(const Tag& tag) {
    using enum Element;
    constexpr Naming kResource = {.resource = true};
    switch (tag.element) {
      case img:
      case source:
        add(tag, "src", kResource);
        if (const auto images = tag.find("srcset")) note(*images, Form::srcset, kResource);
        break;
      case video:
        add(tag, "src", kResource);
        add(tag, "poster", kResource);
        break;
      case object:
        add(tag, "data", kResource);
        break;
      case input:
        if (equals_lower(value(tag, "type"), "image")) add(tag, "src", kResource);
        break;
      case audio:
      case embed:
      case script:
      case track:
        add(tag, "src", kResource);
        break;
      default:
        break;
    }
  }

  // An element of which only a or area may have an empty address: that of the page itself.
  void add(const Tag& tag, std::string_view attribute, Naming naming, bool may_be_empty = false) {
    const auto address = tag.find(attribute);
    if (address && (may_be_empty || !address->empty())) note(*address, Form::url, naming);
  }

  void note(std::string_view text, Form form, Naming naming) {
    findings_.targets.push_back({text, form, false, naming});
  }

  // The value of an attribute of words, its references resolved: only ASCII is looked for in it.
  std::string value(const Tag& tag, std::string_view attribute) const {
    return resolve_references(tag.find(attribute).value_or(""), syntax_);
  }

  Naming naming_of(const Tag& tag, Naming named) const {
    if (!tag.find("rel")) return named;
    bool nofollow = false;
    for_each_word(value(tag, "rel"), is_space,
                  [&](std::string_view word) { nofollow |= equals_lower(word, "nofollow"); });
    return nofollow ? Naming{.nofollow = true} : named;
  }

  void read_link(const Tag& tag) {
    Naming naming;
    for_each_word(value(tag, "rel"), is_space, [&](std::string_view word) {
      const bool follow = equals_lower(word, "next") || equals_lower(word, "prev") || equals_lower(word, "alternate") ||
                          equals_lower(word, "canonical");
      (follow ? naming.follow : naming.resource) = true;
    });
    naming.resource &= resources_;
    if (naming.follow || naming.resource) add(tag, "href", naming_of(tag, naming));
  }

  void read_meta(const Tag& tag) {
    const std::string name = value(tag, "name");
    if (equals_lower(name, "robots") || equals_lower(name, "heddle")) {
      findings_.nofollow |= forbids_following(value(tag, "content"));
    }
    const std::string pragma = value(tag, "http-equiv");
    if (equals_lower(pragma, "refresh")) {
      if (const auto content = tag.find("content")) note(*content, Form::refresh, {.follow = true});
    }
    // Section 4.2.5.5 and section 13.2.6.4.4, "a start tag whose tag name is meta".
    if (findings_.encoding) return;
    findings_.encoding = Encoding::of_label(value(tag, "charset"));
    if (!findings_.encoding && equals_lower(pragma, "content-type"))
      findings_.encoding = encoding_in_meta(value(tag, "content"));
    if (findings_.encoding) findings_.encoding = as_meta_encoding(*findings_.encoding);
  }

  TagScanner scanner_;
  Syntax syntax_;
  bool resources_;
  Findings findings_;
};

}  // namespace

Findings find_targets(std::string_view text, Syntax syntax, bool resources) {
  return Reader(text, syntax, resources).run();
}

}  // namespace heddle::crawler
