// A sitemap lists a site's pages so that a crawler need not find them by links (sitemaps.org protocol 0.9): XML that
// names pages, XML that names further sitemaps, or a plain text with one URL per line.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "crawler/parse/url.hpp"

namespace heddle::crawler {

struct Sitemap {
  // The protocol allows no more in one file; what comes after is not read.
  static constexpr std::size_t kMostUrls = 50'000;

  std::vector<Url> pages;
  std::vector<Url> sitemaps;  // of an index
};

// body is what was received, already unzipped, in UTF-8 unless a BOM or the XML declaration says otherwise. Entries
// that are no absolute http or https URLs are left out; broken XML gives what stands before it breaks.
Sitemap read_sitemap(std::string_view body);

}  // namespace heddle::crawler
