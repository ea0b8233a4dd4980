// What a crawler wants of a page is which other pages it names, in the eyes of a browser without scripts: not the tree
// of its elements. read_page scans HTML and XHTML at the level of tags (html.hpp), and gives each target once.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "crawler/parse/url.hpp"

namespace heddle::crawler {

// One distinct target. Several elements may name it, so more than one of the three may be true, and one always is.
struct Link {
  Url target;
  // Named by what is followed (a, area, iframe, frame, meta refresh, link rel=next|prev|alternate|canonical), at least
  // once without rel=nofollow.
  bool follow = false;
  // Named as a resource (img, script, style sheets, ...), at least once without rel=nofollow. Only if they were asked
  // for.
  bool resource = false;
  // Named at least once with rel=nofollow.
  bool nofollow = false;
};

struct Page {
  // Each relative link repeats its base, so a page of megabytes may name gigabytes: targets that are longer than
  // servers read (RFC 9110, section 4.1, asks them for 8000 bytes) are left out, as is a base, and all after this much
  // in sum.
  static constexpr std::size_t kMostUrlBytes = 8192;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  // In the order in which the page first names them. Only http and https.
  std::vector<Link> links;
  // How many distinct targets have other schemes (mailto:, javascript:, data:, ...).
  std::size_t other_schemes = 0;
  // meta name=robots (or heddle) says nofollow or none: none of links may be followed; resources are no links in that
  // sense.
  bool nofollow = false;
};

// The links of a document of type text/html or application/xhtml+xml; content_type, the value of that header, tells
// which, and is empty if there was none (then it is HTML). address is the page's own, which relative links start from
// unless the page has a base element. resources: also what the page is shown with. Never fails: any bytes are a page.
Page read_page(std::string_view body, const Url& address, std::string_view content_type, bool resources);

}  // namespace heddle::crawler
