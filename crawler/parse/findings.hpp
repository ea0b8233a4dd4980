// The first half of reading a page: what its tags name, as bytes of the page. What these mean is known only when all
// has been seen, for the charset and the base may be named late.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "crawler/parse/character_reference.hpp"
#include "crawler/parse/charset.hpp"
#include "crawler/parse/target_set.hpp"

namespace heddle::crawler {

struct Finding {
  // url: an address. srcset, refresh (content of a meta element), style (CSS): texts that addresses are in.
  enum class Form : std::uint8_t { url, srcset, refresh, style };

  std::string_view text;
  Form form = Form::url;
  bool literal = false;  // has no character references
  Naming naming;
};

struct Findings {
  std::vector<Finding> targets;
  std::optional<std::string_view> base;  // href of the first base element that has one
  std::optional<Encoding> encoding;      // of the first meta element that names one
  bool nofollow = false;                 // of meta name=robots
};

// text is in an encoding that keeps tags. With resources, also what is shown with the page.
Findings find_targets(std::string_view text, Syntax syntax, bool resources);

}  // namespace heddle::crawler
