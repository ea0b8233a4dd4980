// What a site asks of crawlers, by RFC 9309 (Robots Exclusion Protocol): which paths they may ask for, and where its
// sitemaps are. A robots.txt is a stranger's: odd bytes, endless patterns and lines in the wrong order are the rule.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::crawler {

class Robots {
 public:
  // Of a longer file the rest is not read (section 2.5).
  static constexpr std::size_t kMostBytes = std::size_t{500} * 1024;

  // Without rules: everything is allowed.
  Robots() = default;

  // body: the file as received. The groups of `heddle` count, merged; if there are none, those of `*` (section 2.2.1).
  static Robots parse(std::string_view body);

  // May this be asked for? path_and_query is that of a Url. The longest matching rule decides; of two equally long ones
  // `allow` (section 2.2.2). /robots.txt itself may always. Takes time linear in the rules and the path for each rule.
  bool allows(std::string_view path_and_query) const;

  // What `sitemap:` lines name, whatever group they stand in (section 2.2.4): as written, not resolved.
  const std::vector<std::string>& sitemaps() const { return sitemaps_; }

 private:
  struct Rule {
    std::vector<std::string> parts;  // what stands between its `*`, normalised; never empty
    std::size_t octets = 0;          // how specific it is
    bool allow = false;
    bool anchored = false;  // ends in `$`
    bool has_query = false;
  };
  friend class RobotsParser;

  static bool matches(const Rule& rule, std::string_view path);

  std::vector<Rule> rules_;  // the most specific first; of equally specific ones `allow` first
  std::vector<std::string> sitemaps_;
};

}  // namespace heddle::crawler
