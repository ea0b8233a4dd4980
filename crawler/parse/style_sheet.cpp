#include "crawler/parse/style_sheet.hpp"

#include <algorithm>

#include "crawler/parse/ascii.hpp"
#include "crawler/parse/charset.hpp"
#include "crawler/parse/target_set.hpp"
#include "crawler/parse/utf8.hpp"

namespace heddle::crawler {
namespace {

bool is_css_space(char c) { return is_space(c); }

bool is_hex(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

bool is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_' || (c & 0x80) != 0; }

// Characters that no unquoted URL has (CSS Syntax, section 4.2, "non-printable code point").
bool is_non_printable(char c) { return (c >= 0 && c <= 8) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F; }

class StyleScanner {
 public:
  StyleScanner(std::string_view css, const std::function<void(std::string_view)>& found) : css_(css), found_(found) {}

  void run() {
    while (position_ < css_.size()) {
      const char c = here();
      if (starts_with("/*")) {
        skip_comment();
      } else if (c == '"' || c == '\'') {
        const std::string text = take_string();
        if (expects_import_) report(text);
        expects_import_ = false;
      } else if (c == '@') {
        ++position_;
        const std::string name = take_name();
        expects_import_ = equals_lower(name, "import");
        in_namespace_ = equals_lower(name, "namespace");
      } else if (c == '#') {
        ++position_;
        take_name();
      } else if (is_name_character(c) || is_escape(position_)) {
        const std::string name = take_name();
        if (position_ < css_.size() && here() == '(' && equals_lower(name, "url")) take_url();
        expects_import_ = false;
      } else {
        if (c == ';' || c == '{' || c == '}') in_namespace_ = false;
        if (!is_css_space(c)) expects_import_ = false;
        ++position_;
      }
    }
  }

 private:
  char here() const { return css_[position_]; }
  bool starts_with(std::string_view text) const { return css_.substr(position_).starts_with(text); }
  static bool is_newline(char c) { return c == '\n' || c == '\r' || c == '\f'; }

  // Section 4.3.8: a backslash that no newline follows.
  bool is_escape(std::size_t at) const {
    return css_[at] == '\\' && (at + 1 == css_.size() || !is_newline(css_[at + 1]));
  }

  void report(std::string_view url) const {
    if (!in_namespace_ && !trim(url).empty() && !trim(url).starts_with('#')) found_(url);
  }

  void skip_comment() {
    const std::size_t end = css_.find("*/", position_ + 2);
    position_ = end == std::string_view::npos ? css_.size() : end + 2;
  }

  void skip_spaces() {
    while (position_ < css_.size() && is_css_space(here())) ++position_;
  }

  // Section 4.3.7; at the backslash.
  void take_escape(std::string& out) {
    ++position_;
    if (position_ == css_.size()) return append_utf8(out, kReplacement);
    if (!is_hex(here())) {
      out.push_back(css_[position_++]);
      return;
    }
    char32_t value = 0;
    for (int digits = 0; digits < 6 && position_ < css_.size() && is_hex(here()); ++digits, ++position_) {
      value = value * 16 + static_cast<char32_t>(is_digit(here()) ? here() - '0' : lower(here()) - 'a' + 10);
    }
    if (starts_with("\r\n")) ++position_;
    if (position_ < css_.size() && is_css_space(here())) ++position_;
    const bool is_character = value != 0 && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
    append_utf8(out, is_character ? value : kReplacement);
  }

  std::string take_name() {
    std::string name;
    while (position_ < css_.size()) {
      if (is_name_character(here())) {
        name.push_back(css_[position_++]);
      } else if (is_escape(position_)) {
        take_escape(name);
      } else {
        break;
      }
    }
    return name;
  }

  // Section 4.3.5; at the quote. A string that a newline breaks off is none: it is empty.
  std::string take_string() {
    const char quote = css_[position_++];
    std::string text;
    while (position_ < css_.size() && here() != quote) {
      if (is_newline(here())) return "";
      if (is_escape(position_)) {
        if (position_ + 1 == css_.size()) {
          ++position_;  // nothing
        } else {
          take_escape(text);
        }
      } else if (here() == '\\') {  // a newline that is not there
        position_ += css_.substr(position_ + 1).starts_with("\r\n") ? 3 : 2;
      } else {
        text.push_back(css_[position_++]);
      }
    }
    if (position_ < css_.size()) ++position_;
    return text;
  }

  // Sections 4.3.4 and 4.3.6; at the parenthesis of "url(".
  void take_url() {
    ++position_;
    skip_spaces();
    if (position_ == css_.size()) return;
    if (here() == '"' || here() == '\'') return report(take_string());
    std::string url;
    while (position_ < css_.size() && here() != ')') {
      const char c = here();
      if (is_css_space(c)) {
        skip_spaces();
        if (position_ < css_.size() && here() != ')') return skip_bad_url();
      } else if (is_escape(position_)) {
        take_escape(url);
      } else if (c == '"' || c == '\'' || c == '(' || c == '\\' || is_non_printable(c)) {
        return skip_bad_url();
      } else {
        url.push_back(css_[position_++]);
      }
    }
    if (position_ < css_.size()) ++position_;
    report(url);
  }

  // Section 4.3.14.
  void skip_bad_url() {
    while (position_ < css_.size() && here() != ')') position_ += is_escape(position_) ? 2 : 1;
    position_ = std::min(position_ + 1, css_.size());
  }

  std::string_view css_;
  const std::function<void(std::string_view)>& found_;
  std::size_t position_ = 0;
  bool expects_import_ = false;  // @import came last
  bool in_namespace_ = false;    // up to the end of an @namespace
};

// CSS Syntax, section 3.2, without an encoding of the page that names it.
std::string decode_style_sheet(std::string_view body, std::string_view content_type) {
  if (const auto mark = byte_order_mark(body)) return decode(body.substr(mark->size), mark->encoding);
  if (const auto encoding = Encoding::of_label(ContentType::parse(content_type).charset))
    return decode(body, *encoding);
  constexpr std::string_view kCharset = "@charset \"";
  const std::string_view start = body.substr(0, 1024);
  if (start.starts_with(kCharset)) {
    const std::size_t end = start.find('"', kCharset.size());
    if (end != std::string_view::npos && start.substr(end).starts_with("\";")) {
      const auto encoding = Encoding::of_label(start.substr(kCharset.size(), end - kCharset.size()));
      // The rule was readable, so it is not UTF-16.
      if (encoding && !encoding->is_utf_16()) return decode(body, *encoding);
    }
  }
  return decode(body, Encoding::utf_8());
}

}  // namespace

void find_style_urls(std::string_view css, const std::function<void(std::string_view)>& found) {
  StyleScanner(css, found).run();
}

std::vector<Link> read_style_sheet(std::string_view body, const Url& address, std::string_view content_type) {
  TargetSet targets(address, 0);
  find_style_urls(decode_style_sheet(body, content_type),
                  [&](std::string_view url) { targets.add(url, {.resource = true}); });
  return targets.take();
}

}  // namespace heddle::crawler
