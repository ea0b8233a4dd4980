// What is known of the hosts that are crawled: whether they may be asked for a URL (robots.txt), or why not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "crawler/frontier/job.hpp"
#include "crawler/parse/robots.hpp"

namespace heddle::crawler {

struct SiteRules {
  Robots robots;
  std::string_view error{};  // every URL of the host has it: "robots", "dns", ...; empty: `robots` decides

  // The error of this URL; empty if it may be asked for.
  std::string_view error_of(std::string_view path_and_query) const {
    if (!error.empty()) return error;
    return robots.allows(path_and_query) ? std::string_view() : std::string_view("robots");
  }
};

// For whoever holds the crawl's mutex.
class Sites {
 public:
  void set(HostId host, SiteRules rules) {
    rules_.insert_or_assign(host, std::move(rules));
    robots_.erase(host);
  }
  void forget(HostId host) {
    rules_.erase(host);
    robots_.erase(host);
  }
  std::string_view error_of(HostId host, std::string_view path_and_query) const {
    const auto found = rules_.find(host);
    return found == rules_.end() ? std::string_view() : found->second.error_of(path_and_query);
  }

  // Counts an attempt to get its robots.txt; how many there were since its rules were set.
  std::uint32_t count_robots(HostId host) { return ++robots_[host]; }

  // Counts a sitemap that one of this host names; false if there were too many: a host may make up new ones for ever.
  bool count_sitemap(HostId host) {
    constexpr std::size_t kMost = 1000;
    return ++sitemaps_[host] <= kMost;
  }

 private:
  std::unordered_map<HostId, SiteRules> rules_;
  std::unordered_map<HostId, std::uint32_t> robots_;  // attempts; of hosts whose rules are not set
  std::unordered_map<HostId, std::size_t> sitemaps_;
};

}  // namespace heddle::crawler
