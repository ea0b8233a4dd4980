// What a crawl is asked to do: the command line of heddle-crawl.
#pragma once

#include <re2/re2.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "crawler/crawl/redis_link.hpp"
#include "crawler/fetch/client.hpp"
#include "crawler/frontier/frontier.hpp"
#include "crawler/parse/url.hpp"

namespace heddle::crawler {

struct CrawlOptions {
  std::vector<Url> given;
  std::set<std::string> given_texts;  // the same in normal form
  std::set<std::string> origins;      // of these

  std::optional<std::filesystem::path> results;  // "-" is standard output
  std::optional<std::filesystem::path> archive;
  std::optional<std::filesystem::path> state;
  std::optional<RedisAddress> frontier;  // several processes

  Limits limits;
  std::size_t max_bytes = std::size_t{64} << 20;
  std::optional<std::chrono::nanoseconds> max_time;
  std::chrono::milliseconds timeout{30'000};
  std::optional<double> rate;  // requests per second and host; nothing: 1, and no pause for given loopback hosts
  std::size_t connections = 64;
  std::size_t workers = 1;

  std::shared_ptr<const re2::RE2> include;  // null: everything
  std::shared_ptr<const re2::RE2> exclude;  // null: nothing
  bool span_hosts = false;
  bool resources = false;
  bool any_address = false;  // --private
  bool robots = true;
  bool check = false;

  ClientOptions client;
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<std::uint16_t> metrics_port;

  // Are URLs of this origin of the crawl, as far as --include and --exclude have them?
  bool in_scope(const std::string& origin) const { return span_hosts || origins.contains(origin); }
  // Is this URL one of the crawl, if those of its origin are? Those given are, whatever all options say.
  bool in_scope(const Url& url, bool origin_is) const;

  // May it be asked for at all, by --include and --exclude? So may what --check only looks at.
  bool wanted(const Url& url) const;
};

// Reads the command line. Prints help or version and returns nothing if it asks for that. base::UserError, one line, if
// it cannot be understood.
std::optional<CrawlOptions> parse_command_line(int count, char** words);

}  // namespace heddle::crawler
