// Whole crawls of random webs whose hosts go ahead of one another: every page is fetched that is near enough and no
// other, and its record has the least number of links and a referrer that is that far. With kills, each page has one
// record still.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "crawler/archive/temporary_folder_fixture.hpp"
#include "crawler/frontier/sqlite_frontier.hpp"

namespace heddle::crawler {
namespace {

constexpr Nanoseconds kStep_ns = 1'000'000'000;

struct Page {
  std::vector<std::size_t> links{};
  std::optional<std::size_t> redirect{};
};

struct Web {
  explicit Web(std::mt19937_64& random) : hosts(2 + random() % 4), pages(20 + random() % 60) {
    const std::uint64_t near = 2 + random() % 10;  // the less, the more levels
    for (std::size_t at = 0; at < pages.size(); ++at) {
      const auto some = [&] {
        return random() % 5 == 0 ? random() % pages.size() : (at + random() % near) % pages.size();
      };
      if (at > 0 && random() % 8 == 0) {
        pages[at].redirect = some();
        continue;
      }
      for (std::uint64_t many = 1 + random() % 4; many > 0; --many) pages[at].links.push_back(some());
    }
  }

  std::string host_of(std::size_t page) const { return "https://h" + std::to_string(page % hosts) + ".example"; }
  std::string url_of(std::size_t page) const { return host_of(page) + "/" + std::to_string(page); }
  static std::size_t page_of(const std::string& url) { return std::stoul(url.substr(url.rfind('/') + 1)); }

  // Of the pages that are no deeper, how deep they are.
  std::map<std::size_t, std::uint32_t> depths(std::uint32_t most) const {
    std::map<std::size_t, std::uint32_t> found{{0, 0}};
    for (bool changed = true; changed;) {
      changed = false;
      const auto reach = [&](std::size_t page, std::uint32_t depth) {
        if (depth > most) return;
        const auto [at, is_new] = found.emplace(page, depth);
        changed = changed || is_new || depth < at->second;
        at->second = std::min(at->second, depth);
      };
      for (const auto& [page, depth] : std::map(found)) {
        if (pages[page].redirect) reach(*pages[page].redirect, depth);
        for (const std::size_t link : pages[page].links) reach(link, depth + 1);
      }
    }
    return found;
  }

  std::uint64_t hosts;
  std::vector<Page> pages;
};

struct Line {
  std::size_t page;
  std::uint32_t depth;
  std::string referrer;
};

class AheadTest : public TemporaryFolder {
 protected:
  void play(std::uint64_t seed, bool killed) {
    random_.seed(seed);
    web_.emplace(random_);
    limits_ = {};
    if (random_() % 2 == 0) limits_.max_depth = static_cast<std::uint32_t>(random_() % 8);
    limits_.in_flight = 2 + random_() % 20;
    slow_ = random_() % web_->hosts;
    lines_.clear();
    asked_.clear();
    hosts_.clear();
    kills_ = put_back_ = 0;
    std::filesystem::remove_all(at("state"));
    open(killed);
    while (!frontier_->finished()) {
      now_ += kStep_ns;
      step();
      if (killed && random_() % 40 == 0) {
        ++kills_;
        open(true);
      }
      ASSERT_FALSE(HasFatalFailure());
    }
    compare();
  }

  void open(bool kept) {
    frontier_.reset();  // what was not committed is lost
    leases_.clear();
    frontier_ = open_sqlite_frontier({kept ? std::optional(at("state")) : std::nullopt, limits_, false, {1000, 0}});
    for (std::size_t at = frontier_->written().results_bytes; at < lines_.size(); ++at)
      frontier_->mark_recorded(web_->url_of(lines_[at].page));
    const std::string url = web_->url_of(0);
    const std::string host = web_->host_of(0);
    const Found given{url, host, 0, 0, kGiven};
    frontier_->put({&given, 1});
  }

  // Every host is asked for one page at a time, as those of a real crawl are; one of them takes long.
  void step() {
    while (const auto kept = frontier_->take_kept(false)) {
      ASSERT_EQ(kept->what, "what " + kept->job.url + " brought");
      end(kept->job);
    }
    for (const HostId host : frontier_->hosts(1000)) hosts_.insert(host);
    for (const HostId host : hosts_) {
      const auto same = [host](const Job& job) { return job.host == host; };
      if (std::ranges::any_of(leases_, same)) continue;
      if (auto job = frontier_->lease(host, now_).job) {
        asked_.push_back(Web::page_of(job->url));
        deepest_ahead_ = std::max(deepest_ahead_, job->depth - frontier_->statistics().level);
        leases_.push_back(std::move(*job));
      }
    }
    if (leases_.empty()) return;
    const std::size_t at = random_() % leases_.size();
    if (Web::page_of(leases_[at].url) % web_->hosts == slow_ && random_() % 10 != 0) return;
    const Job job = leases_[at];
    leases_.erase(leases_.begin() + static_cast<std::ptrdiff_t>(at));
    if (random_() % 20 == 0) {
      ++put_back_;
      return frontier_->put_back(job, now_ + 5 * kStep_ns);
    }
    if (!job.ahead) return end(job);
    const std::vector<Found> links = web_->pages[Web::page_of(job.url)].redirect ? std::vector<Found>() : found(job);
    frontier_->keep(job, "what " + job.url + " brought", {lines_.size(), 0}, links);
  }

  std::vector<Found> found(const Job& job) {
    const Page& page = web_->pages[Web::page_of(job.url)];
    std::vector<std::size_t> targets = page.links;
    if (page.redirect) targets = {*page.redirect};
    texts_.clear();
    for (const std::size_t target : targets) {
      texts_.push_back(web_->url_of(target));
      texts_.push_back(web_->host_of(target));
    }
    std::vector<Found> all;
    for (std::size_t each = 0; each < targets.size(); ++each)
      all.push_back({texts_[2 * each], texts_[2 * each + 1], job.depth + (page.redirect ? 0 : 1),
                     page.redirect ? job.hops + 1 : 0});
    return all;
  }

  void end(const Job& job) {
    if ((job.flags & kRecorded) == 0) lines_.push_back({Web::page_of(job.url), job.depth, job.referrer});
    Outcome outcome;
    outcome.written.results_bytes = lines_.size();
    frontier_->ack(job, outcome, found(job));
  }

  void compare() const {
    const auto depths = web_->depths(limits_.max_depth);
    std::map<std::size_t, std::uint32_t> recorded;
    for (const Line& line : lines_) {
      ASSERT_TRUE(recorded.emplace(line.page, line.depth).second) << line.page << " has two records";
      if (line.depth == 0 && line.referrer.empty()) continue;
      const std::size_t from = Web::page_of(line.referrer);
      const Page& page = web_->pages[from];
      if (page.redirect)
        ASSERT_TRUE(*page.redirect == line.page && depths.at(from) == line.depth) << line.page;
      else
        ASSERT_TRUE(std::ranges::count(page.links, line.page) > 0 && depths.at(from) + 1 == line.depth) << line.page;
    }
    ASSERT_EQ(recorded, depths);
    std::set<std::size_t> ever(asked_.begin(), asked_.end());
    EXPECT_EQ(ever.size(), depths.size());
    EXPECT_LE(asked_.size() - ever.size(), put_back_ + kills_ * limits_.in_flight);
  }

  std::mt19937_64 random_;
  std::optional<Web> web_;
  Limits limits_;
  std::size_t slow_ = 0;
  std::size_t kills_ = 0;
  std::size_t put_back_ = 0;
  std::uint32_t deepest_ahead_ = 0;
  Nanoseconds now_ = 1'000'000 * kStep_ns;
  std::unique_ptr<Frontier> frontier_;
  std::set<HostId> hosts_;
  std::vector<Job> leases_;
  std::vector<Line> lines_;         // the results file
  std::vector<std::size_t> asked_;  // the server's log
  std::vector<std::string> texts_;
};

TEST_F(AheadTest, TheRecordsAreThoseOfTheOrderByLevels) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    play(seed, false);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_GE(deepest_ahead_, 5u);
}

TEST_F(AheadTest, WhatIsKeptSurvivesAKill) {
  for (std::uint64_t seed = 1000; seed < 1060; ++seed) {
    play(seed, true);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_GE(deepest_ahead_, 5u);
}

// --- When hosts go ahead ---

constexpr const char* kA = "https://a.example";
constexpr const char* kB = "https://b.example";

class TurnTest : public TemporaryFolder {
 protected:
  TurnTest() : frontier_(open({})) {
    const Found given[] = {{"https://a.example/", kA, 0, 0, kGiven}, {"https://b.example/", kB, 0, 0, kGiven}};
    frontier_->put(given);
  }
  static std::unique_ptr<Frontier> open(Limits limits, Ahead ahead = {}) {
    return open_sqlite_frontier({std::nullopt, limits, false, ahead});
  }
  std::optional<Job> lease(const char* host) { return frontier_->lease(frontier_->host_id(host), now_).job; }
  void wait(Nanoseconds time) {
    now_ += time;
    again_ = frontier_->tick(now_);
  }

  Nanoseconds now_ = kStep_ns;
  Nanoseconds again_ = kNever;
  std::unique_ptr<Frontier> frontier_;
};

TEST_F(TurnTest, AHostGoesAheadOnlyWhenALevelHasLastedLong) {
  const Nanoseconds after = Ahead().after_ns;
  wait(0);
  EXPECT_EQ(again_, kNever);  // there is no deeper URL
  const Job slow = *lease(kB);
  const Found deeper[] = {{"https://a.example/1", kA, 1}, {"https://b.example/1", kB, 1}};
  frontier_->ack(*lease(kA), {}, deeper);
  wait(0);
  EXPECT_EQ(again_, now_ + after);
  EXPECT_FALSE(lease(kA).has_value());
  wait(after - 1);
  EXPECT_FALSE(lease(kA).has_value());
  while (!frontier_->hosts(10).empty()) {
  }
  wait(1);
  EXPECT_EQ(frontier_->hosts(10).size(), 2u);
  const auto ahead = lease(kA);
  ASSERT_TRUE(ahead.has_value());
  EXPECT_TRUE(ahead->ahead);
  EXPECT_EQ(ahead->depth, 1u);
  EXPECT_FALSE(frontier_->take_kept(false).has_value());
  frontier_->keep(*ahead, "all of it", {}, {});
  EXPECT_FALSE(frontier_->take_kept(false).has_value());
  EXPECT_EQ(frontier_->statistics().kept, 1u);
  const Found nearer[] = {{"https://a.example/1", kA, 0, 1}};
  frontier_->ack(slow, {}, nearer);
  const auto kept = frontier_->take_kept(false);
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->job.depth, 0u);
  EXPECT_EQ(kept->job.hops, 1u);
  EXPECT_EQ(kept->job.referrer, "https://b.example/");
  EXPECT_EQ(kept->what, "all of it");
  frontier_->ack(kept->job, {}, {});
  wait(0);  // the next level may begin as this one ended
  const auto level = lease(kB);
  ASSERT_TRUE(level.has_value());
  EXPECT_FALSE(level->ahead);
}

TEST_F(TurnTest, AHostDoesNotGoAheadOfItsOwnRequests) {
  frontier_->put(std::vector<Found>{{"https://a.example/x", kA, 0}});
  const Job first = *lease(kA);
  const Found deeper[] = {{"https://a.example/1", kA, 1}};
  frontier_->ack(*lease(kB), {}, {});
  frontier_->ack(first, {}, deeper);
  wait(0);
  const Job last = *lease(kA);
  wait(kStep_ns);
  EXPECT_FALSE(lease(kA).has_value());
  frontier_->put_back(last, now_ + kStep_ns);
  EXPECT_EQ(frontier_->ready_at(frontier_->host_id(kA), now_), now_ + kStep_ns);  // the host's sitemaps are for later
  EXPECT_TRUE(lease(kA)->ahead);
}

TEST_F(TurnTest, NothingGoesAheadWhereTheNearestPagesAreWanted) {
  for (const auto& [limits, ahead] : {std::pair(Limits{.max_pages = 100}, Ahead{1000, 0}), {Limits{}, Ahead{0, 0}}}) {
    frontier_ = open(limits, ahead);
    frontier_->put(std::vector<Found>{{"https://a.example/", kA, 0}, {"https://b.example/", kB, 1}});
    const Job first = *lease(kA);
    wait(kStep_ns);
    wait(kStep_ns);
    EXPECT_FALSE(lease(kB).has_value());
  }
}

// It may turn out to be a page.
TEST_F(TurnTest, WhatIsOnlyLookedAtIsNotAheadOfPages) {
  frontier_ = open({}, {1000, 0});
  frontier_->put(std::vector<Found>{{"https://a.example/", kA, 0},
                                    {"https://a.example/2", kA, kBehindAllPages + 1, 0, kCheckOnly},
                                    {"https://b.example/", kB, kBehindAllPages + 2, 0, kCheckOnly}});
  const HostId b = frontier_->host_id(kB);
  const Job page = *lease(kA);
  EXPECT_FALSE(lease(kB).has_value());
  EXPECT_EQ(frontier_->ready_at(b, now_), kNever);
  frontier_->ack(page, {}, {});
  const Job check = *lease(kA);
  EXPECT_EQ(frontier_->ready_at(b, now_), now_);
  EXPECT_FALSE(check.ahead);
  const auto ahead = lease(kB);
  ASSERT_TRUE(ahead.has_value());
  EXPECT_TRUE(ahead->ahead);
  frontier_->keep(*ahead, "a head", {}, {});
  frontier_->put(std::vector<Found>{{"https://b.example/", kB, 0}});
  EXPECT_FALSE(frontier_->take_kept(false).has_value());
  const auto again = lease(kB);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->flags, 0);
  EXPECT_EQ(again->depth, 0u);
}

TEST_F(TurnTest, AtAnEarlyEndAllThatIsKeptIsGivenOut) {
  frontier_ = open({}, {1000, 0});
  frontier_->put(std::vector<Found>{{"https://a.example/", kA, 0}, {"https://b.example/", kB, 3}});
  const Job page = *lease(kA);
  frontier_->keep(*lease(kB), "b", {}, {});
  EXPECT_FALSE(frontier_->take_kept(false).has_value());
  const auto kept = frontier_->take_kept(true);
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->job.depth, 3u);
  frontier_->ack(kept->job, {}, {});
  EXPECT_FALSE(frontier_->take_kept(true).has_value());
}

}  // namespace
}  // namespace heddle::crawler
