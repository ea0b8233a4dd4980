#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "crawler/parse/ascii.hpp"
#include "crawler/parse/meta.hpp"

namespace heddle::crawler {
namespace {

constexpr std::size_t kLooked = 1024;

struct PrescanAttribute {
  std::string_view name;
  std::string_view value;
};

// The algorithm is the standard's own: not the tokenizer, but a simpler thing that errs in agreed ways.
class Prescan {
 public:
  explicit Prescan(std::string_view bytes) : bytes_(bytes) {}

  std::optional<Encoding> run() {
    for (; position_ < bytes_.size(); ++position_) {
      const std::string_view rest = bytes_.substr(position_);
      if (rest.front() != '<') continue;
      if (rest.starts_with("<!--")) {
        skip_comment();
      } else if (rest.size() > 5 && equals_lower(rest.substr(0, 5), "<meta") && (is_space(rest[5]) || rest[5] == '/')) {
        position_ += 5;
        if (const auto encoding = meta_encoding()) return encoding;
      } else if (is_tag(rest)) {
        while (position_ < bytes_.size() && !is_space(bytes_[position_]) && bytes_[position_] != '>') ++position_;
        while (next_attribute()) {
        }
      } else if (rest.starts_with("<!") || rest.starts_with("</") || rest.starts_with("<?")) {
        position_ = std::min(bytes_.find('>', position_), bytes_.size());
      }
    }
    return std::nullopt;
  }

 private:
  static bool is_tag(std::string_view rest) {
    const std::size_t letter = rest.starts_with("</") ? 2 : 1;
    return rest.size() > letter && is_letter(rest[letter]);
  }

  // To the `>` of the first "-->" whose dashes may be those of "<!--".
  void skip_comment() {
    const std::size_t end = bytes_.find("-->", position_ + 2);
    position_ = end == std::string_view::npos ? bytes_.size() : end + 2;
  }

  std::optional<Encoding> meta_encoding() {
    bool got_pragma = false;
    bool need_pragma = false;
    std::optional<Encoding> encoding;
    bool charset_failed = false;
    PrescanAttribute seen[3];  // of several attributes of one name the first counts
    while (const auto attribute = next_attribute()) {
      const int which = equals_lower(attribute->name, "http-equiv") ? 0
                        : equals_lower(attribute->name, "content")  ? 1
                        : equals_lower(attribute->name, "charset")  ? 2
                                                                    : -1;
      if (which < 0 || !seen[which].name.empty()) continue;
      seen[which] = *attribute;
      if (which == 0) {
        got_pragma = equals_lower(attribute->value, "content-type");
      } else if (which == 1) {
        const auto found = encoding_in_meta(attribute->value);
        if (found && !encoding && !charset_failed) {
          encoding = found;
          need_pragma = true;
        }
      } else {
        encoding = Encoding::of_label(attribute->value);
        charset_failed = !encoding;
        need_pragma = false;
      }
    }
    // A tag that the bytes end in says nothing.
    if (at_end() || !encoding || (need_pragma && !got_pragma)) return std::nullopt;
    return as_meta_encoding(*encoding);
  }

  char here() const { return bytes_[position_]; }
  bool at_end() const { return position_ >= bytes_.size(); }

  // "Get an attribute": none at the tag's end, or where the bytes end.
  std::optional<PrescanAttribute> next_attribute() {
    while (!at_end() && (is_space(here()) || here() == '/')) ++position_;
    if (at_end() || here() == '>') return std::nullopt;
    const std::size_t begin = position_++;
    while (!at_end() && !is_space(here()) && here() != '/' && here() != '>' && here() != '=') ++position_;
    PrescanAttribute attribute{bytes_.substr(begin, position_ - begin), {}};
    while (!at_end() && is_space(here())) ++position_;
    if (!at_end() && here() == '=') {
      ++position_;
      attribute.value = value();
    }
    if (at_end()) return std::nullopt;
    return attribute;
  }

  std::string_view value() {
    while (!at_end() && is_space(here())) ++position_;
    if (at_end()) return {};
    if (here() == '"' || here() == '\'') {
      const std::size_t begin = position_ + 1;
      const std::size_t end = bytes_.find(here(), begin);
      position_ = end == std::string_view::npos ? bytes_.size() : end + 1;
      return bytes_.substr(begin, end == std::string_view::npos ? end : end - begin);
    }
    const std::size_t begin = position_;
    while (!at_end() && !is_space(here()) && here() != '>') ++position_;
    return bytes_.substr(begin, position_ - begin);
  }

  std::string_view bytes_;
  std::size_t position_ = 0;
};

}  // namespace

std::optional<Encoding> xml_encoding(std::string_view bytes) {
  bytes = bytes.substr(0, kLooked);
  if (!bytes.starts_with("<?xml")) return std::nullopt;
  const std::string_view declaration = bytes.substr(0, bytes.find('>'));
  if (declaration.size() == bytes.size()) return std::nullopt;
  std::size_t i = declaration.find("encoding");
  if (i == std::string_view::npos) return std::nullopt;
  i += std::string_view("encoding").size();
  const auto skip_spaces = [&] {
    while (i < declaration.size() && static_cast<unsigned char>(declaration[i]) <= ' ') ++i;
  };
  skip_spaces();
  if (i >= declaration.size() || declaration[i] != '=') return std::nullopt;
  ++i;
  skip_spaces();
  if (i >= declaration.size() || (declaration[i] != '"' && declaration[i] != '\'')) return std::nullopt;
  const std::size_t end = declaration.find(declaration[i], i + 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view label = declaration.substr(i + 1, end - i - 1);
  if (std::any_of(label.begin(), label.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; })) {
    return std::nullopt;
  }
  const auto encoding = Encoding::of_label(label);
  return encoding && encoding->is_utf_16() ? Encoding::utf_8() : encoding;
}

std::optional<Encoding> prescan(std::string_view body) {
  using namespace std::string_view_literals;
  const std::string_view bytes = body.substr(0, kLooked);
  if (bytes.starts_with("<\0?\0x\0"sv)) return Encoding::utf_16(false);
  if (bytes.starts_with("\0<\0?\0x"sv)) return Encoding::utf_16(true);
  if (const auto encoding = Prescan(bytes).run()) return encoding;
  return xml_encoding(bytes);
}

}  // namespace heddle::crawler
