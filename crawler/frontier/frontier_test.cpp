#include "crawler/frontier/frontier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>

#include "base/user_error.hpp"
#include "crawler/archive/temporary_folder_fixture.hpp"
#include "crawler/frontier/sqlite_frontier.hpp"

namespace heddle::crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr const char* kA = "https://a.example";
constexpr const char* kB = "https://b.example";
constexpr Nanoseconds kNow = 1'000'000'000;

class FrontierTest : public TemporaryFolder {
 protected:
  std::unique_ptr<Frontier> make(Limits limits = {}, bool referrers = false) {
    return open_sqlite_frontier({at("state"), limits, referrers});
  }

  static std::size_t put(Frontier& frontier, const char* url, std::uint32_t depth = 0, JobFlags flags = 0,
                         const char* host = kA) {
    const Found found{url, host, depth, 0, flags};
    return frontier.put({&found, 1});
  }
  static std::optional<Job> lease(Frontier& frontier, const char* host = kA, Nanoseconds now = kNow) {
    return frontier.lease(frontier.host_id(host), now).job;
  }
  // Leases and ends the next job; its URL, or nothing.
  static std::string fetch(Frontier& frontier, std::vector<Found> links = {}, const Outcome& outcome = {}) {
    const auto job = lease(frontier);
    if (!job) return "";
    frontier.ack(*job, outcome, links);
    return job->url;
  }
};

TEST_F(FrontierTest, AUrlIsNewOnce) {
  const auto frontier = make();
  EXPECT_EQ(put(*frontier, "https://a.example/"), 1u);
  EXPECT_EQ(put(*frontier, "https://a.example/"), 0u);
  EXPECT_EQ(fetch(*frontier, {{"https://a.example/", kA, 1}, {"https://a.example/x", kA, 1}}), "https://a.example/");
  EXPECT_EQ(frontier->statistics().known, 2u);
  EXPECT_EQ(fetch(*frontier), "https://a.example/x");
  EXPECT_EQ(fetch(*frontier), "");
  EXPECT_TRUE(frontier->finished());
}

// 65,536 rows are in memory before they go to the tables: some are here, and some there.
TEST_F(FrontierTest, WhatIsInMemoryAndWhatIsInTheTablesIsOneQueue) {
  constexpr int kUrls = 150'000;
  const auto frontier = open_sqlite_frontier({std::nullopt, {.in_flight = kUrls}, false});
  for (const std::uint32_t depth : {7U, 3U})  // the lesser one is news to every URL, but no URL is new
    for (int number = 0; number < kUrls; ++number)
      ASSERT_EQ(put(*frontier, ("https://a.example/" + std::to_string(number)).c_str(), depth), depth == 7 ? 1U : 0U);
  EXPECT_EQ(frontier->statistics().known, static_cast<std::uint64_t>(kUrls));
  const HostId host = frontier->host_id(kA);
  for (int number = 0; number < kUrls; ++number) {
    const auto job = frontier->lease(host, kNow).job;
    ASSERT_TRUE(job.has_value());
    ASSERT_EQ(job->url, "https://a.example/" + std::to_string(number));
    ASSERT_EQ(job->depth, 3U);
  }
  EXPECT_FALSE(frontier->lease(host, kNow).job.has_value());
}

TEST_F(FrontierTest, AStoreThatIsOpenedAgainHasWhatWasInMemoryAndWhatWasInTheTables) {
  constexpr int kUrls = 70'000;
  constexpr int kDone = 300;
  const auto name = [](int number) { return "https://a.example/" + std::to_string(number); };
  {
    const auto frontier = make();
    for (int number = 0; number < kUrls; ++number) put(*frontier, name(number).c_str());
    for (int number = 0; number < kDone; ++number) ASSERT_EQ(fetch(*frontier), name(number));
    frontier->flush();
  }
  const auto frontier = make();
  EXPECT_EQ(frontier->statistics().known, static_cast<std::uint64_t>(kUrls));
  EXPECT_EQ(frontier->statistics().pages, static_cast<std::uint64_t>(kDone));
  for (int number = 0; number < kUrls; number += 9) ASSERT_EQ(put(*frontier, name(number).c_str()), 0U);
  for (int number = kDone; number < kUrls; ++number) {
    ASSERT_EQ(fetch(*frontier), name(number));
    if (number % 1000 == 0) frontier->flush();
  }
  EXPECT_TRUE(frontier->finished());
}

// Each commit is a row of the journal, until there are 16,384.
TEST_F(FrontierTest, AStoreOfManyCommitsIsOpenedAgain) {
  constexpr int kUrls = 17'000;
  {
    const auto frontier = make({.in_flight = 1});
    for (int number = 0; number < kUrls; ++number) {
      put(*frontier, ("https://a.example/" + std::to_string(number)).c_str());
      fetch(*frontier, {}, {.written = {static_cast<std::uint64_t>(number) + 1, 7}});
    }
    EXPECT_EQ(frontier->statistics().commits, static_cast<std::uint64_t>(kUrls));
  }
  const auto frontier = make();
  EXPECT_EQ(frontier->statistics().done, static_cast<std::uint64_t>(kUrls));
  EXPECT_EQ(frontier->written().results_bytes, static_cast<std::uint64_t>(kUrls));
  EXPECT_EQ(put(*frontier, "https://a.example/3"), 0U);
  EXPECT_EQ(put(*frontier, "https://a.example/16999"), 0U);
  EXPECT_TRUE(frontier->finished());
}

TEST_F(FrontierTest, AJobSaysWhereItWasFoundAndHowDeep) {
  const auto frontier = make();
  put(*frontier, "https://a.example/", 0, kGiven);
  const auto given = lease(*frontier);
  EXPECT_EQ(given->referrer, "");
  EXPECT_EQ(given->flags, kGiven);
  const Found link{"https://a.example/i.png", kA, 1, 0, kResource};
  frontier->ack(*given, {}, {&link, 1});
  const auto job = lease(*frontier);
  EXPECT_EQ(std::tuple(job->referrer, job->depth, job->attempts, job->flags),
            std::tuple("https://a.example/", 1u, 0u, kResource));
}

TEST_F(FrontierTest, NoJobOfALevelIsLeasedBeforeTheLastOneIsEnded) {
  const auto frontier = make();
  put(*frontier, "https://a.example/0");
  put(*frontier, "https://a.example/1", 1);
  put(*frontier, "https://b.example/1", 1, 0, kB);
  const auto first = lease(*frontier);
  EXPECT_FALSE(lease(*frontier));
  EXPECT_FALSE(lease(*frontier, kB));
  frontier->put_back(*first, kNow + 5);
  EXPECT_FALSE(lease(*frontier, kB));
  const auto again = lease(*frontier, kA, kNow + 10'000'000);
  frontier->ack(*again, {}, {});
  EXPECT_TRUE(lease(*frontier, kB));
  EXPECT_TRUE(lease(*frontier));
}

TEST_F(FrontierTest, AQueuedUrlTakesALesserDepthAndIsFetchedFirst) {
  const auto frontier = make();
  put(*frontier, "https://a.example/deep", 3);
  put(*frontier, "https://a.example/other", 2);
  const auto other = lease(*frontier);
  const Found of_sitemap{"https://a.example/deep", kA, 0};
  frontier->ack(*other, {}, {&of_sitemap, 1});
  const auto deep = lease(*frontier);
  EXPECT_EQ(std::tuple(deep->url, deep->depth, deep->referrer),
            std::tuple("https://a.example/deep", 0u, "https://a.example/other"));
}

TEST_F(FrontierTest, HostsOfTheLevelAreNamedAndThoseThatGetAJobLater) {
  const auto frontier = make();
  put(*frontier, "https://a.example/");
  put(*frontier, "https://b.example/", 1, 0, kB);
  const HostId a = frontier->host_id(kA);
  const HostId b = frontier->host_id(kB);
  EXPECT_EQ(frontier->host_name(b), kB);
  EXPECT_THAT(frontier->hosts(10), testing::Each(a));
  EXPECT_THAT(frontier->hosts(10), IsEmpty());
  put(*frontier, "https://b.example/0", 0, 0, kB);
  EXPECT_THAT(frontier->hosts(10), ElementsAre(b));
  EXPECT_THAT(frontier->hosts(10), IsEmpty());
}

TEST_F(FrontierTest, ManyHostsAreAllNamed) {
  const auto frontier = make();
  std::vector<std::string> names;
  for (int number = 0; number < 12'000; ++number) names.push_back("https://h" + std::to_string(number) + ".example");
  std::vector<Found> found;
  for (const std::string& name : names) found.push_back({name, name, 0});
  std::set<HostId> named;
  frontier->hosts(1);
  frontier->put(found);
  for (auto hosts = frontier->hosts(100); !hosts.empty(); hosts = frontier->hosts(100))
    named.insert(hosts.begin(), hosts.end());
  EXPECT_EQ(named.size(), names.size());
}

TEST_F(FrontierTest, DeeperUrlsThanTheMostAreDroppedButForThoseOnlyLookedAt) {
  const auto frontier = make({.max_depth = 2});
  EXPECT_EQ(put(*frontier, "https://a.example/3", 3), 0u);
  EXPECT_EQ(put(*frontier, "https://a.example/3c", 3, kCheckOnly), 1u);
  EXPECT_EQ(put(*frontier, "https://a.example/2", 2), 1u);
  EXPECT_EQ(put(*frontier, "https://a.example/3", 1), 1u);
}

TEST_F(FrontierTest, NoMorePagesAreLeasedThanMayBeAndAPageThatIsTriedAgainKeepsItsPlace) {
  const auto frontier = make({.max_pages = 2});
  for (const char* url : {"https://a.example/1", "https://a.example/2", "https://a.example/3"}) put(*frontier, url);
  const auto first = lease(*frontier);
  EXPECT_EQ(fetch(*frontier), "https://a.example/2");
  frontier->put_back(*first, kNow + 1000);
  EXPECT_FALSE(lease(*frontier, kA, kNow - 1'000'000));
  EXPECT_FALSE(frontier->finished());
  const auto again = lease(*frontier, kA, kNow + 1'000'000);
  EXPECT_EQ(std::tuple(again->url, again->attempts), std::tuple("https://a.example/1", 1u));
  frontier->ack(*again, {}, {});
  EXPECT_FALSE(lease(*frontier));
  EXPECT_TRUE(frontier->finished());
  EXPECT_EQ(frontier->statistics().pages, 2u);
}

TEST_F(FrontierTest, ThePlaceOfAnEndThatDoesNotCountIsAnothers) {
  const auto frontier = make({.max_pages = 1});
  put(*frontier, "https://a.example/1");
  put(*frontier, "https://a.example/2");
  EXPECT_EQ(fetch(*frontier, {}, {.counts = false}), "https://a.example/1");
  EXPECT_FALSE(frontier->hosts(10).empty());
  EXPECT_EQ(fetch(*frontier), "https://a.example/2");
  EXPECT_TRUE(frontier->finished());
}

TEST_F(FrontierTest, SitemapsNeedNoPlaceAndAreNoPages) {
  const auto frontier = make({.max_pages = 1});
  put(*frontier, "https://a.example/map.xml", 0, kSitemap);
  put(*frontier, "https://a.example/map.xml", 0);
  const auto first = lease(*frontier);
  EXPECT_EQ(first->flags, kSitemap);
  const auto page = lease(*frontier);
  EXPECT_EQ(std::tuple(page->url, page->flags), std::tuple("https://a.example/map.xml", 0));
  frontier->ack(*page, {}, {});
  put(*frontier, "https://a.example/map2.xml", 0, kSitemap);
  EXPECT_EQ(fetch(*frontier), "https://a.example/map2.xml");
  frontier->ack(*first, {}, {});
  EXPECT_EQ(frontier->statistics().pages, 1u);
  EXPECT_TRUE(frontier->finished());
}

TEST_F(FrontierTest, NoMoreJobsAreInFlightThanMayBeFetchedAgain) {
  const auto frontier = make({.in_flight = 16});
  std::vector<std::string> urls;
  for (int page = 0; page < 100; ++page) urls.push_back("https://a.example/" + std::to_string(page));
  for (const std::string& url : urls) put(*frontier, url.c_str());
  std::vector<Job> jobs;
  while (auto job = lease(*frontier)) jobs.push_back(*job);
  EXPECT_EQ(jobs.size(), 16u);
  EXPECT_TRUE(frontier->full());
  frontier->ack(jobs[0], {}, {});
  EXPECT_TRUE(frontier->full());  // its end may be lost still
  frontier->ack(jobs[1], {}, {});
  EXPECT_FALSE(frontier->full());
  EXPECT_TRUE(lease(*frontier));
  EXPECT_TRUE(lease(*frontier));
  EXPECT_FALSE(lease(*frontier));
}

TEST_F(FrontierTest, AnAttemptIsMadeWhenItIsDueAndNotBefore) {
  const auto frontier = make();
  put(*frontier, "https://a.example/");
  const HostId host = frontier->host_id(kA);
  frontier->put_back(*lease(*frontier), kNow + 50);
  const Lease early = frontier->lease(host, kNow + 49);
  EXPECT_FALSE(early.job);
  EXPECT_EQ(early.ask_again_ns, kNow + 50);
  EXPECT_EQ(frontier->ready_at(host, kNow), kNow + 50);
  put(*frontier, "https://a.example/other");
  EXPECT_LE(frontier->ready_at(host, kNow), kNow);
  EXPECT_EQ(fetch(*frontier), "https://a.example/other");
  EXPECT_EQ(frontier->lease(host, kNow + 50).job->attempts, 1u);
  EXPECT_EQ(frontier->ready_at(host, kNow + 50), kNever);
}

TEST_F(FrontierTest, ADelayOutlivesARestart) {
  const Nanoseconds now = base::monotonic_ns();
  const Nanoseconds due = now + 3'600'000'000'000;
  {
    const auto frontier = make();
    put(*frontier, "https://a.example/");
    frontier->put_back(*lease(*frontier), due);
    frontier->flush();
  }
  const auto frontier = make();
  const Lease early = frontier->lease(frontier->host_id(kA), due - 5'000'000'000);
  EXPECT_FALSE(early.job);
  EXPECT_NEAR(static_cast<double>(early.ask_again_ns), static_cast<double>(due), 4e9);
  EXPECT_EQ(frontier->lease(frontier->host_id(kA), due + 5'000'000'000).job->attempts, 1u);
}

TEST_F(FrontierTest, TheRedirectsThatLedToAJobAreKnown) {
  const auto frontier = make();
  put(*frontier, "https://a.example/1");
  fetch(*frontier, {{"https://a.example/2", kA, 0, 1}});
  fetch(*frontier, {{"https://a.example/3", kA, 0, 2}});
  const auto job = lease(*frontier);
  EXPECT_EQ(job->hops, 2u);
  EXPECT_THAT(frontier->redirects_to(*job), ElementsAre("https://a.example/2", "https://a.example/1"));
}

TEST_F(FrontierTest, AUrlThatALinkLeadsToHasNoRedirectsBehindIt) {
  const auto frontier = make();
  put(*frontier, "https://a.example/1");
  fetch(*frontier, {{"https://a.example/2", kA, 0, 1}, {"https://a.example/2", kA, 0, 0}});
  const auto job = lease(*frontier);
  EXPECT_EQ(job->hops, 0u);
  EXPECT_THAT(frontier->redirects_to(*job), IsEmpty());
}

TEST_F(FrontierTest, BrokenUrlsAreNamedWithEveryPageThatLinksToThemOverAllRuns) {
  {
    const auto frontier = make({}, true);
    put(*frontier, "https://a.example/gone", 0, kGiven);
    put(*frontier, "https://a.example/1");
    put(*frontier, "https://a.example/2");
    fetch(*frontier, {}, {.broken = "404"});
    fetch(*frontier, {{"https://a.example/gone", kA, 1}, {"https://a.example/fine", kA, 1}});
    frontier->flush();
  }
  const auto frontier = make({}, true);
  fetch(*frontier, {{"https://a.example/gone", kA, 1, 0, kCheckOnly}, {"https://a.example/gone", kA, 1}});
  fetch(*frontier);
  std::map<std::string, std::vector<std::string>> broken;
  std::string last;
  frontier->visit_broken({[&](auto url, auto what) { last = std::string(url) + " " + std::string(what); },
                          [&](auto page) { broken[last].emplace_back(page); }});
  EXPECT_THAT(broken,
              ElementsAre(std::pair("https://a.example/gone 404",
                                    std::vector<std::string>{"", "https://a.example/1", "https://a.example/2"})));
}

TEST_F(FrontierTest, AUrlThatWasLookedAtOnlyIsFetchedOnceMoreWhereAPageLeadsToIt) {
  const auto frontier = make();
  put(*frontier, "https://a.example/x", 0, kCheckOnly);
  put(*frontier, "https://a.example/page");
  fetch(*frontier, {}, {.complete = false});
  fetch(*frontier, {{"https://a.example/x", kA, 1}});
  const auto job = lease(*frontier);
  EXPECT_EQ(std::tuple(job->url, job->depth, job->flags), std::tuple("https://a.example/x", 1u, kRecorded));
  frontier->ack(*job, {}, {});
  EXPECT_EQ(frontier->statistics().pages, 2u);
  EXPECT_TRUE(frontier->finished());
}

TEST_F(FrontierTest, WhetherItIsFetchedOnceMoreDoesNotDependOnTheOrderOfEnds) {
  const auto frontier = make();
  put(*frontier, "https://a.example/x", 0, kCheckOnly);
  put(*frontier, "https://a.example/page");
  const auto looked_at = lease(*frontier);
  fetch(*frontier, {{"https://a.example/x", kA, 1}});
  frontier->ack(*looked_at, {.complete = false}, {});
  const auto job = lease(*frontier);
  EXPECT_EQ(std::tuple(job->url, job->depth, job->flags), std::tuple("https://a.example/x", 1u, kRecorded));
}

TEST_F(FrontierTest, AUrlThatIsFetchedOnceMoreIsNotLookedAtForLessOnceMore) {
  const auto frontier = make();
  put(*frontier, "https://a.example/x", 1, kCheckOnly);
  fetch(*frontier, {}, {.complete = false});
  put(*frontier, "https://a.example/x", 5);
  put(*frontier, "https://a.example/x", 0, kCheckOnly);
  const auto job = lease(*frontier);
  EXPECT_EQ(std::tuple(job->depth, job->flags), std::tuple(5u, kRecorded));
}

TEST_F(FrontierTest, AUrlThatHadNothingMoreToGiveIsNotFetchedAgain) {
  const auto frontier = make();
  put(*frontier, "https://a.example/image", 0, kResource);
  put(*frontier, "https://a.example/page");
  fetch(*frontier);
  fetch(*frontier, {{"https://a.example/image", kA, 1}});
  EXPECT_TRUE(frontier->finished());
}

TEST_F(FrontierTest, AStoreIsUsedByOneProcessAtATime) {
  const auto frontier = make();
  try {
    make();
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("another crawl"));
  }
}

TEST_F(FrontierTest, AFolderThatCannotBeUsedIsAnErrorOfTheUser) {
  put_file(at("state"), "a file");
  EXPECT_THROW(make(), base::UserError);
}

TEST_F(FrontierTest, AFileThatIsNoStateOfACrawlIsRefusedAndLeftAlone) {
  std::filesystem::create_directories(at("state"));
  put_file(at("state/frontier.db"), std::string(5000, 'x'));
  EXPECT_THROW(make(), base::UserError);
  EXPECT_EQ(text_of(at("state/frontier.db")), std::string(5000, 'x'));
}

TEST_F(FrontierTest, WhatWaitsIsCommittedAfterATenthOfASecond) {
  const auto frontier = make();
  EXPECT_EQ(frontier->tick(kNow), kNever);
  put(*frontier, "https://a.example/");
  const Nanoseconds again = frontier->tick(kNow);
  EXPECT_EQ(again, kNow + 100'000'000);
  EXPECT_EQ(frontier->tick(again - 1), again);
  EXPECT_EQ(frontier->statistics().commits, 0u);
  EXPECT_EQ(frontier->tick(again), kNever);
  EXPECT_EQ(frontier->statistics().commits, 1u);
}

TEST_F(FrontierTest, TheLengthsOfTheFilesAreThoseOfTheLastCommit) {
  const auto frontier = make({.in_flight = 64});
  put(*frontier, "https://a.example/1");
  fetch(*frontier, {}, {.written = {100, 200}});
  EXPECT_EQ(frontier->written().results_bytes, 0u);
  frontier->flush();
  EXPECT_EQ(frontier->written().results_bytes, 100u);
  EXPECT_EQ(frontier->written().archive_bytes, 200u);
}

double resident_mb() {
  std::ifstream file("/proc/self/statm");
  long all = 0;
  long resident = 0;
  file >> all >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

TEST_F(FrontierTest, MemoryDoesNotGrowWithTheNumberOfUrls) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
  GTEST_SKIP() << "sanitizers keep memory that was freed";
#endif
  const auto frontier = open_sqlite_frontier({std::nullopt, {}, false});
  std::uint64_t made = 0;
  double before_mb = 0;
  for (const std::uint64_t urls : {200'000, 400'000}) {
    while (made < urls) {
      std::vector<std::string> texts;
      for (int each = 0; each < 1000; ++each)
        texts.push_back("https://a.example/some/path/that/is/not/too/short/" + std::to_string(made++));
      std::vector<Found> found;
      for (const std::string& text : texts) found.push_back({text, kA, static_cast<std::uint32_t>(made / 100'000)});
      frontier->put(found);
      for (int each = 0; each < 500; ++each) fetch(*frontier);
    }
    if (before_mb == 0) before_mb = resident_mb();
  }
  // 60 MB of URLs later.
  EXPECT_LT(resident_mb() - before_mb, 4);
}

// Damage that SQLite does not notice may lose URLs; it must not do harm to us.
TEST_F(FrontierTest, ADamagedStoreIsRefusedOrReadWithoutHarm) {
  {
    const auto frontier = make({}, true);
    for (int page = 0; page < 200; ++page) {
      const std::string url = "https://a.example/" + std::to_string(page);
      put(*frontier, url.c_str(), static_cast<std::uint32_t>(page % 3));
    }
    fetch(*frontier, {}, {.broken = "404"});
    frontier->put_back(*lease(*frontier), kNow);
    frontier->flush();
  }
  const std::string good = text_of(at("state/frontier.db"));
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 400; ++round) {
    std::string bad = good;
    for (auto change = 1 + random() % 8; change > 0; --change) bad[random() % bad.size()] = static_cast<char>(random());
    if (random() % 8 == 0) bad.resize(random() % bad.size());
    std::filesystem::remove_all(at("state"));
    std::filesystem::create_directories(at("state"));
    put_file(at("state/frontier.db"), bad);
    try {
      const auto frontier = make({}, true);
      frontier->hosts(10);
      for (int each = 0; each < 50; ++each) fetch(*frontier, {{"https://a.example/7", kA, 1}});
      frontier->visit_broken({[](auto, auto) {}, [](auto) {}});
      frontier->flush();
    } catch (const base::UserError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 10);
  EXPECT_LT(refused, 390);
}

}  // namespace
}  // namespace heddle::crawler
