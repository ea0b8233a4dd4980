// For tests: URLs and encodings that must be ones, pages read from https://host/dir/page, and their links as lines,
// such as "follow https://host/a".
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "crawler/parse/charset.hpp"
#include "crawler/parse/page.hpp"

namespace heddle::crawler {

inline constexpr std::string_view kHtmlUtf8 = "text/html; charset=utf-8";

// A URL that is one.
inline Url url_of(std::string_view text) {
  auto url = Url::parse(text);
  if (!url) throw std::invalid_argument("no URL: " + std::string(text));
  return *std::move(url);
}

inline Encoding encoding_of(std::string_view label) {
  const auto encoding = Encoding::of_label(label);
  if (!encoding) throw std::invalid_argument("no encoding: " + std::string(label));
  return *encoding;
}

inline std::vector<std::string> lines_of(const std::vector<Link>& links) {
  std::vector<std::string> lines;
  for (const Link& link : links) {
    std::string line;
    if (link.follow) line += "follow ";
    if (link.resource) line += "resource ";
    if (link.nofollow) line += "nofollow ";
    lines.push_back(line + link.target.text());
  }
  return lines;
}

inline Page page_of(std::string_view body, std::string_view type = kHtmlUtf8, bool resources = false) {
  return read_page(body, url_of("https://host/dir/page"), type, resources);
}

inline std::vector<std::string> links_of(std::string_view body, std::string_view type = kHtmlUtf8) {
  return lines_of(page_of(body, type).links);
}

inline std::vector<std::string> resources_of(std::string_view body, std::string_view type = kHtmlUtf8) {
  return lines_of(page_of(body, type, true).links);
}

// The last parts of the targets' paths in one word: which of <a href=1>, <a href=2> were seen.
inline std::string seen(std::string_view body, std::string_view type = kHtmlUtf8) {
  std::string all;
  for (const Link& link : page_of(body, type).links) {
    const std::string_view path = link.target.path_and_query();
    all += path.substr(path.rfind('/') + 1);
  }
  return all;
}

}  // namespace heddle::crawler
