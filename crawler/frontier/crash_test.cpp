// A crawl that is killed again and again, and goes on each time: in the end its results are those of a crawl that was
// left alone.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "crawler/archive/results.hpp"
#include "crawler/archive/temporary_folder_fixture.hpp"
#include "crawler/archive/warc_writer.hpp"
#include "crawler/frontier/sqlite_frontier.hpp"

namespace heddle::crawler {
namespace {

constexpr std::size_t kPages = 600;
constexpr const char* kHost = "https://a.example";

std::string url_of(std::size_t page) { return std::string(kHost) + "/" + std::to_string(page); }
std::size_t page_of(const std::string& url) { return std::stoul(url.substr(url.rfind('/') + 1)); }

std::vector<std::size_t> links_of(std::size_t page) {
  return {(2 * page + 1) % kPages, (2 * page + 2) % kPages, (page * 7 + 3) % kPages, page / 2, 0};
}

std::map<std::string, std::uint32_t> depths() {
  std::map<std::string, std::uint32_t> depths = {{url_of(0), 0}};
  std::vector<std::size_t> level = {0};
  for (std::uint32_t depth = 1; !level.empty(); ++depth) {
    std::vector<std::size_t> next;
    for (const std::size_t page : level)
      for (const std::size_t link : links_of(page))
        if (depths.emplace(url_of(link), depth).second) next.push_back(link);
    level = next;
  }
  return depths;
}

class Crash : public TemporaryFolder {
 protected:
  Limits limits_{.in_flight = 10};

  // The process that is killed: fetches ten at a time, which end in any order.
  void crawl(unsigned seed) const {
    const auto frontier = open_sqlite_frontier({at("state"), limits_, false});
    ResultsFile results(at("results.jsonl"));
    results.resume(frontier->written().results_bytes, [&](std::string_view url) { frontier->mark_recorded(url); });
    WarcWriter archive(at("crawl.warc.gz"), "test/1", frontier->written().archive_bytes);
    AppendFile asked(at("asked"));
    std::mt19937 random(seed);
    const std::string first = url_of(0);
    const Found given{first, kHost, 0, 0, kGiven};
    frontier->put({&given, 1});
    const HostId host = frontier->host_id(kHost);
    std::vector<Job> jobs;
    while (!frontier->finished()) {
      while (auto job = frontier->lease(host, base::monotonic_ns()).job) {
        asked.write(job->url + "\n");
        jobs.push_back(std::move(*job));
      }
      std::swap(jobs[random() % jobs.size()], jobs.back());
      end(*frontier, results, archive, jobs.back());
      jobs.pop_back();
      frontier->tick(base::monotonic_ns());
      if (random() % 4 == 0) ::usleep(100);
    }
    frontier->flush();
  }

  static void end(Frontier& frontier, ResultsFile& results, WarcWriter& archive, const Job& job) {
    Record record;
    record.url = job.url;
    record.depth = job.depth;
    if ((job.flags & kRecorded) == 0) results.write(record);
    archive.write({job.url, {}, "", "GET", "HTTP/1.1 200 OK\r\n\r\n", job.url, ""});
    std::vector<std::string> texts;
    for (const std::size_t link : links_of(page_of(job.url))) texts.push_back(url_of(link));
    std::vector<Found> links;
    for (const std::string& text : texts) links.push_back({text, kHost, job.depth + 1});
    Outcome outcome;
    outcome.written = {results.bytes(), archive.bytes()};
    frontier.ack(job, outcome, links);
  }

  // Runs it, killed after some time; true if it came to its end before.
  bool run(unsigned seed, unsigned killed_after_us) const {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        crawl(seed);
        ::_exit(0);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        ::_exit(1);
      }
    }
    ::usleep(killed_after_us);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) != 0);
    return WIFEXITED(status);
  }
};

TEST_F(Crash, AfterAnyNumberOfKillsEveryPageHasOneRecordWithItsDepth) {
  std::mt19937 random(5);
  unsigned kills = 0;
  // Longer and longer, so that it ends on a machine that does much else.
  for (unsigned wait_us = 2000; !run(kills, wait_us + static_cast<unsigned>(random() % 15'000));
       wait_us += 100 + wait_us / 50) {
    ASSERT_LT(++kills, 500u);
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(kills, 3u);

  const auto expected = depths();
  std::map<std::string, std::uint32_t> found;
  std::ifstream lines(at("results.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const auto record = nlohmann::json::parse(line);
    const std::string url = record["url"];
    EXPECT_TRUE(found.emplace(url, record["depth"]).second) << url << " has two records";
  }
  EXPECT_EQ(found, expected);

  std::map<std::string, int> asked;
  std::ifstream requests(at("asked"));
  std::size_t count = 0;
  for (std::string url; std::getline(requests, url); ++count) ++asked[url];
  EXPECT_EQ(asked.size(), expected.size());
  EXPECT_LE(count - asked.size(), kills * limits_.in_flight);
}

}  // namespace
}  // namespace heddle::crawler
