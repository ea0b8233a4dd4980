// The distinct targets of a page: what it calls "../a.html#top" here and "/a.html" there is one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "crawler/parse/page.hpp"
#include "crawler/parse/text_index.hpp"
#include "crawler/parse/url_base.hpp"

namespace heddle::crawler {

// How a page names a target once.
struct Naming {
  bool follow = false;
  bool resource = false;
  bool nofollow = false;
};

class TargetSet {
 public:
  // Relative addresses start from base. About so many addresses are `expected`.
  TargetSet(const Url& base, std::size_t expected) : base_(base), link_index_(expected), spelling_index_(expected) {
    links_.reserve(std::min(expected, kMostReserved));
    spellings_.reserve(std::min(expected, kMostReserved));
  }

  // Takes an address as an attribute has it, in UTF-8; what is no URL is left out. True if it is one.
  bool add(std::string_view text, Naming naming);
  // The same for a text that lives as long as this does: spellings seen before cost next to nothing.
  void add_lasting(std::string_view text, Naming naming);

  std::vector<Link> take() { return std::move(links_); }
  std::size_t other_schemes() const { return others_.size(); }

 private:
  static constexpr std::size_t kMostReserved = 1024;
  static constexpr std::uint32_t kNoLink = 0xFFFFFFFF;

  struct Spelling {
    std::string_view text;
    std::uint32_t link;  // kNoLink if it is none
  };

  // The position of the link; a new one if it has not been named.
  std::uint32_t find(Url&& target);
  void note(std::uint32_t link, Naming naming);

  UrlBase base_;
  std::vector<Link> links_;
  std::vector<Spelling> spellings_;
  std::vector<std::string> others_;
  std::size_t bytes_ = 0;  // of the texts of both
  TextIndex link_index_;
  TextIndex spelling_index_;
  TextIndex other_index_;
};

}  // namespace heddle::crawler
