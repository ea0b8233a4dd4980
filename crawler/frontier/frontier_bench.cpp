// What the frontier costs per page, and whether its memory stays flat: a made-up site is crawled without a network.
//
//   frontier_bench [URLS] [LINKS per page] [HOSTS] [DIRECTORY] [referrers]
//
// Every page links to the site's ten menu pages, to some pages found before, and to new ones while there are any.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "crawler/frontier/sqlite_frontier.hpp"

namespace heddle::crawler {
namespace {

struct Site {
  std::uint64_t urls;
  std::uint64_t links;
  std::uint64_t hosts;
  std::uint64_t made = 1;
  std::mt19937_64 random{1};
  std::vector<std::string> texts{};
  std::vector<Found> found{};

  static std::string host(std::uint64_t number) { return "https://host" + std::to_string(number) + ".example"; }

  void add(std::uint64_t page, std::uint32_t depth) {
    const std::string origin = host(page % hosts);
    texts.push_back(origin + "/articles/of/the/year/and/of/what-it-brought/" + std::to_string(page) + ".html");
    texts.push_back(origin);
    found.push_back({{}, {}, depth, 0, 0});
  }

  std::vector<Found>& links_of(std::uint32_t depth) {
    texts.clear();
    found.clear();
    for (std::uint64_t menu = 0; menu < std::min<std::uint64_t>(10, links / 2); ++menu) add(menu, depth + 1);
    while (found.size() < links) {
      // Three new pages each, so that the site is several levels deep.
      if (made < urls && found.size() + 3 >= links)
        add(made++, depth + 1);
      else
        add(random() % made, depth + 1);
    }
    for (std::size_t each = 0; each < found.size(); ++each) {
      found[each].url = texts[2 * each];
      found[each].host = texts[2 * each + 1];
    }
    return found;
  }
};

double resident_mb() {
  long pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r"); file != nullptr) {
    if (std::fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<double>(pages) * 4096 / 1e6;
}

int crawl(Site site, const StoreOptions& options) {
  const double before_mb = resident_mb();
  const auto frontier = open_sqlite_frontier(options);
  site.add(0, 0);
  site.found[0] = {site.texts[0], site.texts[1], 0, 0, kGiven};
  frontier->put(site.found);
  const Nanoseconds start = base::monotonic_ns();
  const Nanoseconds cpu = base::thread_cpu_ns();
  Nanoseconds making = 0;
  std::uint64_t pages = 0;
  for (;;) {
    const std::vector<HostId> hosts = frontier->hosts(1000);
    if (hosts.empty()) break;
    for (const HostId host : hosts) {
      while (const auto job = frontier->lease(host, 1).job) {
        const Nanoseconds begun = base::thread_cpu_ns();
        const std::vector<Found>& links = site.links_of(job->depth);
        making += base::thread_cpu_ns() - begun;
        frontier->ack(*job, {}, links);
        ++pages;
      }
    }
  }
  frontier->flush();
  const auto us = [pages](Nanoseconds ns) { return static_cast<double>(ns) / 1e3 / static_cast<double>(pages); };
  std::printf(
      "%8llu pages, %llu links each, %llu hosts%s: %.1f us of CPU per page (%.1f us passed), %.1f MB more resident\n",
      static_cast<unsigned long long>(pages), static_cast<unsigned long long>(site.links),
      static_cast<unsigned long long>(site.hosts), options.directory ? ", kept" : "",
      us(base::thread_cpu_ns() - cpu - making), us(base::monotonic_ns() - start - making), resident_mb() - before_mb);
  return frontier->finished() ? 0 : 1;
}

}  // namespace
}  // namespace heddle::crawler

int main(int count, char** words) {
  const auto number = [&](int at, std::uint64_t otherwise) {
    return count > at ? std::strtoull(words[at], nullptr, 10) : otherwise;
  };
  heddle::crawler::StoreOptions options;
  if (count > 4 && *words[4] != 0) options.directory = words[4];
  options.referrers = count > 5 && std::string_view(words[5]) == "referrers";
  return heddle::crawler::crawl({number(1, 10'000), number(2, 20), number(3, 1)}, options);
}
