#include "crawler/parse/sitemap.hpp"

#include <optional>
#include <string>

#include "crawler/parse/ascii.hpp"
#include "crawler/parse/character_reference.hpp"
#include "crawler/parse/charset.hpp"
#include "crawler/parse/markup.hpp"
#include "crawler/parse/meta.hpp"
#include "crawler/parse/scan.hpp"

namespace heddle::crawler {
namespace {

void add_url(std::string_view text, std::vector<Url>& urls) {
  auto url = Url::parse(text);
  if (url && url->is_web()) urls.push_back(*std::move(url));
}

// Goes over the XML by its tags: the text of each <loc> that stands in a <url> or a <sitemap>. Names have the prefix
// that the root element has, so that <image:loc> and the like are none.
class SitemapReader {
 public:
  explicit SitemapReader(std::string_view text)
      : text_{text.data(), text.data() + text.size()}, position_(text_.begin) {}

  Sitemap run() {
    while (position_ < text_.end && sitemap_.pages.size() + sitemap_.sitemaps.size() < Sitemap::kMostUrls) {
      const char* mark = find_byte(position_, text_.end, '<');
      if (in_location_) location_ += resolve_references(text_between(position_, mark), Syntax::xml);
      if (text_.end - mark < 2) break;
      position_ = mark;
      if (mark[1] == '!' || mark[1] == '?') {
        skip_declaration();
      } else {
        read_tag();
      }
    }
    return std::move(sitemap_);
  }

 private:
  void skip_declaration() {
    constexpr std::string_view kCdata = "<![CDATA[";
    const std::string_view rest = text_.from(position_);
    const char* begin = position_ + kCdata.size();
    position_ = xml_declaration_end(text_, position_);
    if (!in_location_ || !rest.starts_with(kCdata)) return;
    std::string_view section = text_between(begin, position_);
    if (section.ends_with("]]>")) section.remove_suffix(3);
    location_ += section;
  }

  // A `>` in a quoted value does not end a tag.
  void read_tag() {
    const bool is_end = position_[1] == '/';
    const char* begin = position_ + (is_end ? 2 : 1);
    const char* name_end = begin;
    while (name_end < text_.end && !is_space(*name_end) && *name_end != '/' && *name_end != '>') ++name_end;
    const char* end = name_end;
    while (end < text_.end && *end != '>') {
      if (*end == '"' || *end == '\'') end = find_byte(end + 1, text_.end, *end);
      if (end < text_.end) ++end;
    }
    const bool is_empty = end < text_.end && end[-1] == '/';
    position_ = end < text_.end ? end + 1 : end;
    take_tag(text_between(begin, name_end), is_end, is_empty);
  }

  void take_tag(std::string_view name, bool is_end, bool is_empty) {
    if (!prefix_) {
      const std::size_t colon = name.find(':');
      prefix_ = colon == std::string_view::npos ? "" : name.substr(0, colon + 1);
    }
    if (!name.starts_with(*prefix_)) return;
    name.remove_prefix(prefix_->size());
    if (name == "url" || name == "sitemap") {
      list_ = is_end || is_empty ? nullptr : name == "url" ? &sitemap_.pages : &sitemap_.sitemaps;
      in_location_ = false;
    } else if (name == "loc" && !is_empty) {
      if (is_end && in_location_) add_url(location_, *list_);
      in_location_ = !is_end && list_;
      location_.clear();
    }
  }

  Text text_;
  const char* position_;
  Sitemap sitemap_;
  std::optional<std::string_view> prefix_;  // with its colon
  std::vector<Url>* list_ = nullptr;        // what the entry that is open belongs to
  bool in_location_ = false;
  std::string location_;
};

// One URL per line (sitemaps.org, "Text file").
Sitemap read_lines(std::string_view text) {
  Sitemap sitemap;
  while (!text.empty() && sitemap.pages.size() < Sitemap::kMostUrls) {
    const std::size_t end = text.find_first_of("\r\n");
    if (const std::string_view line = trim(text.substr(0, end)); !line.empty()) add_url(line, sitemap.pages);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return sitemap;
}

std::string decode_sitemap(std::string_view body) {
  if (const auto mark = byte_order_mark(body)) return decode(body.substr(mark->size), mark->encoding);
  return decode(body, xml_encoding(body).value_or(Encoding::utf_8()));
}

}  // namespace

Sitemap read_sitemap(std::string_view body) {
  const std::string text = decode_sitemap(body);
  return trim(text).starts_with('<') ? SitemapReader(text).run() : read_lines(text);
}

}  // namespace heddle::crawler
