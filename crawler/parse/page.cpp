#include "crawler/parse/page.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "crawler/parse/charset.hpp"
#include "crawler/parse/findings.hpp"
#include "crawler/parse/meta.hpp"
#include "crawler/parse/srcset.hpp"
#include "crawler/parse/style_sheet.hpp"
#include "crawler/parse/target_set.hpp"

namespace heddle::crawler {
namespace {

// In which encoding a page is, and whether a meta element further down may still say otherwise (HTML standard, section
// 13.2.3.2, "confidence").
struct Choice {
  Encoding encoding;
  bool certain = false;
};

// XML without a declaration is UTF-8 (XML 1.0, section 4.3.3); what is not, is read as HTML without one is.
Encoding default_encoding(std::string_view body, Syntax syntax) {
  const bool is_utf_8 = syntax == Syntax::xml && decode(body, Encoding::utf_8()) == body;
  return is_utf_8 ? Encoding::utf_8() : Encoding::windows_1252();
}

Choice choose_encoding(std::string_view& body, const ContentType& type, Syntax syntax) {
  if (const auto mark = byte_order_mark(body)) {
    body.remove_prefix(mark->size);
    return {mark->encoding, true};
  }
  if (const auto encoding = Encoding::of_label(type.charset)) return {*encoding, true};
  if (syntax == Syntax::xml) {
    if (const auto encoding = xml_encoding(body)) return {*encoding, true};
  }
  if (const auto encoding = prescan(body)) return {*encoding, false};
  return {default_encoding(body, syntax), false};
}

// A page's findings, and the encoding that their texts are in.
struct Reading {
  std::string decoded;  // what the findings point into, if tags can't be found in the bytes themselves
  Encoding encoding = Encoding::utf_8();
  Findings findings;
};

Reading read_as(std::string_view body, Encoding encoding, Syntax syntax, bool resources) {
  Reading reading{"", encoding, {}};
  if (!encoding.keeps_tags()) {
    reading.decoded = decode(body, encoding);
    reading.encoding = Encoding::utf_8();
    body = reading.decoded;
  }
  reading.findings = find_targets(body, syntax, resources);
  return reading;
}

// Turns what was found into targets.
class Resolver {
 public:
  Resolver(const Reading& reading, const Url& address, Syntax syntax)
      : encoding_(reading.encoding),
        syntax_(syntax),
        targets_(base_of(reading.findings, address), reading.findings.targets.size()) {}

  void resolve(const Finding& finding) {
    if (is_plain(finding)) {
      if (finding.form == Finding::Form::url) return targets_.add_lasting(finding.text, finding.naming);
      return resolve_text(finding.text, finding);
    }
    resolve_text(text_of(finding), finding);
  }

  TargetSet& targets() { return targets_; }

 private:
  // HTML standard, section 4.2.3, "frozen base URL".
  Url base_of(const Findings& findings, const Url& address) const {
    if (!findings.base) return address;
    auto base = Url::parse(text_of({*findings.base, Finding::Form::url, false, {}}), &address);
    const bool is_one = base && base->scheme() != "data" && base->scheme() != "javascript";
    return is_one && base->text().size() <= Page::kMostUrlBytes ? *std::move(base) : address;
  }

  // Is the text what its bytes are?
  static bool is_plain(const Finding& finding) {
    return std::none_of(finding.text.begin(), finding.text.end(),
                        [&](char c) { return (c & 0x80) != 0 || c == '\0' || (c == '&' && !finding.literal); });
  }

  std::string text_of(const Finding& finding) const {
    std::string text = decode(finding.text, encoding_);
    // The tokenizer has U+FFFD for it (section 13.2.5.36 and others).
    for (std::size_t i = 0; (i = text.find('\0', i)) != std::string::npos;) text.replace(i, 1, "\uFFFD");
    return finding.literal ? text : resolve_references(text, syntax_);
  }

  void resolve_text(std::string_view text, const Finding& finding) {
    const auto add = [&](std::string_view url) { targets_.add(url, finding.naming); };
    switch (finding.form) {
      case Finding::Form::url:
        add(text);
        break;
      case Finding::Form::srcset:
        read_srcset(text, add);
        break;
      case Finding::Form::style:
        find_style_urls(text, add);
        break;
      case Finding::Form::refresh:
        follow_refresh(text, finding.naming);
        break;
    }
  }

  // Only the first that is valid counts (section 4.2.4.7, "will declaratively refresh").
  void follow_refresh(std::string_view text, Naming naming) {
    const auto url = will_refresh_ ? std::nullopt : refresh_url(text);
    if (url) will_refresh_ = url->empty() || targets_.add(*url, naming);
  }

  Encoding encoding_;
  Syntax syntax_;
  TargetSet targets_;
  bool will_refresh_ = false;
};

}  // namespace

Page read_page(std::string_view body, const Url& address, std::string_view content_type, bool resources) {
  const ContentType type = ContentType::parse(content_type);
  const Syntax syntax = type.essence == "application/xhtml+xml" ? Syntax::xml : Syntax::html;
  const Choice choice = choose_encoding(body, type, syntax);
  Reading reading = read_as(body, choice.encoding, syntax, resources);
  const auto late = choice.certain ? std::nullopt : reading.findings.encoding;
  if (late && *late != choice.encoding) {
    // The tags are the same in all encodings that keep them.
    if (late->keeps_tags() && choice.encoding.keeps_tags()) {
      reading.encoding = *late;
    } else {
      reading = read_as(body, *late, syntax, resources);
    }
  }
  Resolver resolver(reading, address, syntax);
  for (const Finding& finding : reading.findings.targets) resolver.resolve(finding);
  return {resolver.targets().take(), resolver.targets().other_schemes(), reading.findings.nofollow};
}

}  // namespace heddle::crawler
