// One URL while it is fetched: the job, the answer, and what is found in it.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crawler/archive/results.hpp"
#include "crawler/archive/warc_writer.hpp"
#include "crawler/crawl/crawl.hpp"
#include "crawler/crawl/sites.hpp"
#include "crawler/fetch/answer.hpp"
#include "crawler/frontier/job.hpp"
#include "crawler/parse/sitemap.hpp"
#include "crawler/parse/url.hpp"

namespace heddle::crawler {

struct Crawl::Visit {
  Visit(Job given, Url address) : job(std::move(given)), url(std::move(address)) {}

  bool in_scope(const CrawlOptions& options, const Url& target) {
    Origin& origin = origin_of(target);
    if (!origin.in_scope) origin.in_scope = options.in_scope(origin.text);
    return options.in_scope(target, *origin.in_scope);
  }
  // It leads to about so many URLs.
  void expect(std::size_t count) { targets.reserve(count); }
  // It leads to this URL.
  void add(Url target, std::uint32_t depth, std::uint32_t hops, JobFlags flags) {
    const std::string& origin = origin_of(target).text;
    targets.push_back({std::move(target), origin, depth, hops, flags});
  }
  // It has a link to this URL: that is a link further, and what is only looked at is behind all pages.
  void add_link(Url target, JobFlags flags) {
    const std::uint32_t behind = (flags & kCheckOnly) != 0 ? kBehindAllPages : 0;
    add(std::move(target), job.depth + 1 + behind, 0, flags);
  }
  void lead_nowhere() { targets.clear(); }
  // What was added; lives as long as the visit, and until the next add().
  std::vector<Found> found() const;

  bool wants_record() const { return (job.flags & (kSitemap | kRecorded)) == 0; }
  bool has_body() const { return asked && answer.status != 0 && method == Method::kGet; }
  Outcome outcome() const;
  // The visit must outlive it.
  Record record() const;
  // Of a job that went ahead: what is kept of it, and a visit of its job later on.
  std::string keep() const;
  void restore(std::string_view kept);
  Exchange exchange() const;
  // Of the server, without its port.
  std::string_view address() const;

  Job job;
  Url url;
  Answer answer;
  bool asked = false;
  Method method = Method::kGet;  // of the request that was answered
  std::string error;             // a name of the results; empty: none
  std::string redirect;
  std::string broken;              // what is wrong with it, for link checks; empty: nothing
  std::string digest;              // of the body; empty if there is none, or no record
  std::uint64_t answer_bytes = 0;  // of the body
  std::uint64_t links = 0;
  std::chrono::nanoseconds time{0};
  std::chrono::system_clock::time_point when = std::chrono::system_clock::now();

 private:
  struct Origin {
    std::string before_path;  // of URLs that have it
    std::string text;
    std::optional<bool> in_scope{};
  };
  // Of a URL that it leads to, made once for neighbours that begin alike; lives as long as the visit.
  Origin& origin_of(const Url& target) {
    if (origins.empty() || origins.back().before_path != target.before_path())
      origins.push_back({std::string(target.before_path()), target.origin()});
    return origins.back();
  }

  struct Target {
    Url url;
    std::string_view origin;
    std::uint32_t depth;
    std::uint32_t hops;
    JobFlags flags;
  };
  std::vector<Target> targets;
  std::list<Origin> origins;
};

// 301, 302, 303, 307 or 308, with a Location.
bool is_redirect(const Answer& answer);
// text/html or application/xhtml+xml.
bool is_page(const Answer& answer);

// What the answer for a robots.txt says of its host (RFC 9309, section 2.3.1).
SiteRules rules_of(const Answer& answer);
// The sitemaps that it names, as URLs.
std::vector<Url> sitemaps_of(const Robots& robots, const Url& address);
// A sitemap that may be a gzip file, of at most `most` bytes when unpacked.
Sitemap read_packed_sitemap(std::string_view body, std::size_t most);

}  // namespace heddle::crawler
