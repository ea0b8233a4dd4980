// What a site asks of crawlers, by RFC 9309 (Robots Exclusion Protocol): which paths they may ask for, and where its
// sitemaps are. A robots.txt is a stranger's: odd bytes, endless patterns and lines in the wrong order are the rule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::crawler {

class Robots {
 public:
  // Without rules, everything is allowed.
  Robots() = default;

  // body: the file as received. Only its first 500 KiB are read (section 2.5). The groups of `heddle` count, merged, or
  // if there are none those of `*` (section 2.2.1).
  static Robots parse(std::string_view body);

  // May path_and_query (Url::path_and_query) be asked for? The longest matching rule decides, of two equally long ones
  // `allow` (section 2.2.2). /robots.txt itself always may.
  bool allows(std::string_view path_and_query) const;

  // What `sitemap:` lines name, whatever group they stand in (section 2.2.4): as written, not resolved.
  const std::vector<std::string>& sitemaps() const { return sitemaps_; }

 private:
  struct Rule {
    std::string pattern;  // normalised; without `*` at its end, and without the `$`
    bool allow = false;
    bool anchored = false;  // ended in `$`
    bool wild = false;      // has a `*`
  };

  void add_rule(std::string_view pattern, bool allow);
  void sort_rules();
  static bool matches(const Rule& rule, std::string_view path);

  std::vector<Rule> rules_;  // the longest first, `allow` before `disallow`
  std::vector<std::string> sitemaps_;
};

}  // namespace heddle::crawler
