// What the frontier is given and gives: URLs found, jobs to do, and how a job ended.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/clock.hpp"

namespace heddle::crawler {

using base::Nanoseconds;  // of base::monotonic_ns(), everywhere in the crawler

inline constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

// Scheme, name and port of a URL (the origin of the WHATWG URL standard, such as "https://example.org:8443"), by a
// number that the frontier gives. A queue of URLFrontier is the URLs of one host.
using HostId = std::int64_t;

using JobFlags = std::uint8_t;
inline constexpr JobFlags kGiven = 1;      // on the command line
inline constexpr JobFlags kCheckOnly = 2;  // is it there? Its links are not followed
inline constexpr JobFlags kResource = 4;   // an image, a style sheet: what a page shows, not where it leads
inline constexpr JobFlags kSitemap = 8;    // has no record and does not count as a page
inline constexpr JobFlags kRecorded = 16;  // set by the frontier only: the results have its record, write no other

// What a link check only looks at is put this much deeper than it is, so that its turn comes when all pages have been
// read: it may turn out to be one of them.
inline constexpr std::uint32_t kBehindAllPages = std::uint32_t{1} << 30U;

// A URL that a page, a sitemap or the command line names. The texts need to live for the call only.
struct Found {
  std::string_view url;     // in its normal form: equal texts are one page
  std::string_view host;    // its origin
  std::uint32_t depth = 0;  // least number of links from a given URL, as far as this finder knows
  std::uint32_t hops = 0;   // redirects in a row that led here
  JobFlags flags = 0;
};

// A URL that the caller has to fetch, or to give back.
struct Job {
  std::int64_t id = 0;
  HostId host = 0;
  std::string url;
  std::string referrer;  // the URL that it was found at, where it has this depth; empty for a given one
  std::uint32_t depth = 0;
  std::uint32_t hops = 0;
  std::uint32_t attempts = 0;  // earlier ones, those that were put back
  JobFlags flags = 0;
  bool ahead = false;  // leased before its level's turn: end it by keep()
};

// How much of the files that a run writes belongs to jobs that were acknowledged.
struct Written {
  std::uint64_t results_bytes = 0;
  std::uint64_t archive_bytes = 0;
};

struct Outcome {
  bool counts = true;  // for the most pages of a run; jobs with kSitemap or kRecorded never do
  // False if a URL that was only looked at (kCheckOnly, kResource) holds links that were not taken. Where a page leads
  // to it that wants them taken, it becomes a job again, with kRecorded.
  bool complete = true;
  std::string_view broken{};  // for link checks: what is wrong with it, such as "404" or "dns"; empty if nothing is
  Written written{};          // after this job's records
};

}  // namespace heddle::crawler
