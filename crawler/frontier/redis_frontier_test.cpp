#include "crawler/frontier/redis_frontier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/user_error.hpp"
#include "crawler/frontier/redis_fixture.hpp"

namespace heddle::crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testing::UnorderedElementsAreArray;

constexpr const char* kA = "https://a.example";
constexpr const char* kB = "https://b.example";
constexpr Nanoseconds kSecond = 1'000'000'000;

class RedisFrontierTest : public RedisTest {
 protected:
  std::unique_ptr<RedisFrontier> make(RedisOptions options = {}) {
    options.given_clock = true;
    return std::make_unique<RedisFrontier>(options, [this](std::string_view request) {
      std::string reply = redis_->call(request);
      largest_reply_ = std::max(largest_reply_, reply.size());
      return reply;
    });
  }
  static void put(RedisFrontier& frontier, const std::string& url, std::uint32_t depth = 0, JobFlags flags = 0,
                  const char* host = kA) {
    const Found found{url, host, depth, 0, flags};
    frontier.put({&found, 1});
  }
  void exchange(RedisFrontier& frontier) { frontier.answer(redis_->call(frontier.request(now_)), now_); }
  // What it was granted; all is begun.
  std::vector<Job> take(RedisFrontier& frontier) {
    exchange(frontier);
    std::vector<Job> jobs;
    for (const HostId host : frontier.hosts(1000))
      while (auto job = frontier.lease(host, now_).job) {
        frontier.asked(host);
        jobs.push_back(std::move(*job));
      }
    return jobs;
  }
  void end(RedisFrontier& frontier, const Job& job, std::vector<Found> links = {}, const Outcome& outcome = {}) {
    frontier.ack(job, outcome, links);
    frontier.rests(job.host, now_);
  }

  Nanoseconds now_ = 1'000'000 * kSecond;
  std::size_t largest_reply_ = 0;  // to calls that are no exchanges
};

std::vector<std::string> urls(const std::vector<Job>& jobs) {
  std::vector<std::string> texts;
  for (const Job& job : jobs) texts.push_back(job.url);
  return texts;
}

TEST_F(RedisFrontierTest, AHostIsOneProcessesUntilItGivesItBackWithAPause) {
  const auto one = make();
  const auto other = make();
  put(*one, "https://a.example/1");
  put(*one, "https://a.example/2");
  exchange(*one);
  exchange(*other);
  const std::vector<Job> jobs = take(*one);
  EXPECT_THAT(urls(jobs), ElementsAre("https://a.example/1"));
  EXPECT_THAT(take(*other), IsEmpty());
  one->ack(jobs[0], {}, {});
  one->rests(jobs[0].host, now_ + 3 * kSecond);
  exchange(*one);
  now_ += 2 * kSecond;
  EXPECT_THAT(take(*other), IsEmpty());
  now_ += 2 * kSecond;
  EXPECT_THAT(urls(take(*other)), ElementsAre("https://a.example/2"));
}

TEST_F(RedisFrontierTest, SeveralJobsOfAHostComeAtOnceAndMoreWhenFewAreLeft) {
  const auto frontier = make({.per_host = 4});
  for (int page = 0; page < 10; ++page) put(*frontier, "https://a.example/" + std::to_string(page));
  exchange(*frontier);
  exchange(*frontier);
  const HostId host = frontier->hosts(1).at(0);
  std::set<std::string> seen;
  frontier->asked(host);
  for (int page = 0; page < 10; ++page) {
    const auto job = frontier->lease(host, now_).job;
    ASSERT_TRUE(job) << page;
    seen.insert(job->url);
    frontier->ack(*job, {}, {});
    if (frontier->exchange_at(now_ + kSecond) <= now_ + kSecond) exchange(*frontier);
  }
  EXPECT_EQ(seen.size(), 10u);
}

TEST_F(RedisFrontierTest, WithoutTurnsSeveralProcessesAskOneHost) {
  const auto one = make({.limits = {.in_flight = 2}, .one_at_a_time = false});
  const auto other = make({.limits = {.in_flight = 2}, .one_at_a_time = false});
  for (int page = 0; page < 6; ++page) put(*one, "https://a.example/" + std::to_string(page));
  exchange(*one);
  exchange(*other);
  EXPECT_EQ(take(*one).size(), 2u);  // and as many wait
  EXPECT_EQ(take(*other).size(), 2u);
}

TEST_F(RedisFrontierTest, WhatAProcessThatIsNotHeardOfHadIsGivenToOthers) {
  const auto one = make();
  const auto other = make();
  put(*one, "https://a.example/");
  exchange(*one);
  ASSERT_THAT(urls(take(*one)), ElementsAre("https://a.example/"));
  exchange(*other);
  now_ += 59 * kSecond;
  EXPECT_THAT(take(*other), IsEmpty());
  now_ += 1 * kSecond;
  EXPECT_THAT(urls(take(*other)), ElementsAre("https://a.example/"));
}

// One has a page of a.example, and b.example rests for 29 s.
class RedisClockTest : public RedisFrontierTest {
 protected:
  void SetUp() override {
    RedisFrontierTest::SetUp();
    if (IsSkipped()) return;
    one_ = make({.clock_ahead = &ahead_});
    other_ = make({.clock_ahead = &ahead_});
    put(*one_, "https://a.example/1");
    put(*one_, "https://b.example/1", 0, 0, kB);
    put(*one_, "https://b.example/2", 0, 0, kB);
    exchange(*one_);
    exchange(*other_);
    const std::vector<Job> jobs = take(*one_);
    ASSERT_THAT(urls(jobs), UnorderedElementsAre("https://a.example/1", "https://b.example/1"));
    const Job& rests = jobs[jobs[0].url.starts_with(kB) ? 0 : 1];
    one_->ack(rests, {}, {});
    one_->rests(rests.host, now_ + 29 * kSecond);
    exchange(*one_);
  }
  // What the other one gets in the next seconds, and when about: 0 is at once.
  std::vector<std::string> others(int seconds) {
    std::vector<std::string> got;
    for (int passed = 0; passed <= seconds; passed += 5) {
      for (const Job& job : take(*other_)) got.push_back(job.url + " " + std::to_string(passed));
      now_ += 5 * kSecond;
    }
    return got;
  }

  Nanoseconds ahead_ = 0;
  std::unique_ptr<RedisFrontier> one_, other_;
};

TEST_F(RedisClockTest, OneThatIsSetForwardShortensLeasesAndPausesByAStepAtMost) {
  ahead_ += 7200 * kSecond;
  EXPECT_THAT(others(60), ElementsAre("https://b.example/2 15", "https://a.example/1 45"));
}

TEST_F(RedisClockTest, OneThatIsSetBackMakesThemNoLonger) {
  ahead_ -= 7200 * kSecond;
  EXPECT_THAT(others(60), ElementsAre("https://b.example/2 30", "https://a.example/1 60"));
}

TEST_F(RedisFrontierTest, NoRequestBeginsThatMayOutliveTheLease) {
  const auto frontier = make({.request_ns = 30 * kSecond});
  put(*frontier, "https://a.example/");
  exchange(*frontier);
  exchange(*frontier);
  const HostId host = frontier->hosts(1).at(0);
  EXPECT_TRUE(frontier->may_ask(host, now_ + 27 * kSecond));
  EXPECT_FALSE(frontier->may_ask(host, now_ + 29 * kSecond));
  EXPECT_FALSE(frontier->lease(host, now_ + 29 * kSecond).job);
  now_ += 29 * kSecond;
  exchange(*frontier);
  EXPECT_THAT(frontier->hosts(1), ElementsAre(host));
  EXPECT_TRUE(frontier->lease(host, now_).job);
}

TEST_F(RedisFrontierTest, AProcessThatEndsGivesAllBackAtOnce) {
  const auto one = make();
  const auto other = make();
  for (int host = 0; host < 1000; ++host) {
    const std::string origin = "https://h" + std::to_string(host) + ".example";
    const std::string url = origin + "/";
    const Found found{url, origin, 0, 0, 0};
    one->put({&found, 1});
  }
  exchange(*one);
  while (!take(*one).empty()) {
  }
  one->leave();
  while (!one->left()) exchange(*one);
  std::size_t taken = 0;
  for (int calls = 0; calls < 100; ++calls) {
    const std::vector<Job> jobs = take(*other);
    taken += jobs.size();
    for (const Job& job : jobs) end(*other, job);
  }
  EXPECT_EQ(taken, 1000u);
  EXPECT_TRUE(other->finished());
}

TEST_F(RedisFrontierTest, BrokenUrlsAreNamedToEveryProcessWithTheirPages) {
  const auto one = make({.referrers = true});
  const auto other = make({.referrers = true});
  put(*one, "https://a.example/", 0, kGiven);
  exchange(*one);
  std::vector<Job> jobs = take(*one);
  end(*one, jobs.at(0), {{"https://a.example/gone", kA, 1}});
  exchange(*one);
  jobs = take(*one);
  Outcome outcome;
  outcome.broken = "404";
  end(*one, jobs.at(0), {}, outcome);
  exchange(*one);
  exchange(*other);
  std::vector<std::string> said;
  other->visit_broken(
      {[&](std::string_view url, std::string_view what) { said.push_back(std::string(url) + " " + std::string(what)); },
       [&](std::string_view page) { said.emplace_back(page); }});
  EXPECT_THAT(said, ElementsAre("https://a.example/gone 404", "https://a.example/"));
}

TEST_F(RedisFrontierTest, ABrokenUrlThatMostPagesLinkComesInPiecesWithAllOfThem) {
  constexpr int kPages = 5000;
  const auto frontier = make({.limits = {.in_flight = 10'000}, .referrers = true, .per_host = 10'000});
  for (const char* url : {"https://a.example/first", "https://a.example/second"}) put(*frontier, url, 0, kGiven);
  std::vector<std::string> pages;
  for (int page = 0; page < kPages; ++page) {
    pages.push_back("https://a.example/" + std::to_string(page));
    put(*frontier, pages.back(), 0);
  }
  while (!frontier->finished()) {
    std::vector<Job> jobs = take(*frontier);
    std::ranges::sort(jobs, {}, &Job::id);
    for (const Job& job : jobs) {
      Outcome outcome;
      if (job.depth > 0) outcome.broken = "404";
      std::vector<Found> links;
      if (job.depth == 0) links = {{"https://b.example/few", kB, 1}, {"https://b.example/gone", kB, 1}};
      if (job.url != "https://a.example/first" && !links.empty()) links.erase(links.begin());
      end(*frontier, job, links, outcome);
    }
    now_ += kSecond;
  }
  largest_reply_ = 0;
  std::map<std::string, std::vector<std::string>> said;
  std::string last;
  frontier->visit_broken({[&](std::string_view url, std::string_view) { last = url; },
                          [&](std::string_view page) { said[last].emplace_back(page); }});
  pages.insert(pages.begin(), {"https://a.example/first", "https://a.example/second"});
  EXPECT_THAT(said["https://b.example/few"], ElementsAre("https://a.example/first"));
  EXPECT_EQ(said["https://b.example/gone"].front(), "https://a.example/first");
  EXPECT_THAT(said["https://b.example/gone"], UnorderedElementsAreArray(pages));
  EXPECT_LT(largest_reply_, 1200 * pages.back().size());
}

TEST_F(RedisFrontierTest, TheRedirectsThatLedToAJobComeWithIt) {
  const auto one = make();
  const auto other = make();
  put(*one, "https://a.example/1");
  exchange(*one);
  for (const char* next : {"https://a.example/2", "https://a.example/3"}) {
    const std::vector<Job> jobs = take(*one);
    end(*one, jobs.at(0), {{next, kA, 0, jobs[0].hops + 1}});
    exchange(*one);
  }
  one->leave();
  while (!one->left()) exchange(*one);
  exchange(*other);
  const std::vector<Job> jobs = take(*other);
  ASSERT_THAT(urls(jobs), ElementsAre("https://a.example/3"));
  EXPECT_THAT(other->redirects_to(jobs[0]), ElementsAre("https://a.example/2", "https://a.example/1"));
}

TEST_F(RedisFrontierTest, AClaimedHostIsNobodyElsesUntilItRests) {
  const auto one = make();
  const auto other = make();
  exchange(*one);
  exchange(*other);
  const HostId host = one->host_id(kB);
  ASSERT_EQ(other->host_id(kB), host);
  one->asked(host);
  EXPECT_FALSE(one->claim(host));
  exchange(*one);
  EXPECT_TRUE(one->may_ask(host, now_));
  other->asked(host);
  EXPECT_FALSE(other->claim(host));
  exchange(*other);
  EXPECT_FALSE(other->may_ask(host, now_));
  one->rests(host, now_ + kSecond);
  exchange(*one);
  now_ += 2 * kSecond;
  EXPECT_FALSE(other->claim(host));
  exchange(*other);
  EXPECT_TRUE(other->may_ask(host, now_));
}

TEST_F(RedisFrontierTest, ARedisThatIsBackAtAnEarlierPointIsNotGoneOnWith) {
  const auto behind = make();
  const auto level = make();
  put(*behind, "https://a.example/");
  exchange(*behind);
  exchange(*level);
  redis_->ask("SAVE");
  put(*behind, "https://b.example/", 0, 0, kB);
  exchange(*behind);
  redis_->ask("DEBUG RELOAD NOSAVE");
  EXPECT_THROW(exchange(*behind), FrontierLost);
  EXPECT_THROW(exchange(*behind), FrontierLost);
  exchange(*level);  // nothing of its own is lost
  exchange(*make());
}

TEST_F(RedisFrontierTest, AnEmptiedDatabaseOrAnotherCrawlsIsNotGoneOnWith) {
  const auto told = make();
  const auto fresh = make();
  put(*told, "https://a.example/");
  exchange(*told);
  redis_->ask("FLUSHALL");
  EXPECT_THROW(exchange(*told), FrontierLost);
  EXPECT_THROW(exchange(*fresh), FrontierLost);
  EXPECT_EQ(redis_->ask("DBSIZE"), "0");
  exchange(*make());
  EXPECT_THROW(exchange(*told), FrontierLost);
  EXPECT_THROW(exchange(*fresh), FrontierLost);
  EXPECT_THROW(told->visit_broken({[](auto, auto) {}, [](auto) {}}), FrontierLost);
}

TEST_F(RedisFrontierTest, AHostThatRestsWhileItIsAskedForOnceMoreKeepsItsName) {
  const auto frontier = make();
  put(*frontier, "https://a.example/");
  exchange(*frontier);
  const std::vector<Job> jobs = take(*frontier);
  const HostId host = frontier->host_id(kA);
  end(*frontier, jobs.at(0));
  frontier->asked(host);
  EXPECT_EQ(frontier->host_name(host), kA);
}

TEST_F(RedisFrontierTest, WithoutMemoryRedisDoesNothingOfARequest) {
  const auto frontier = make();
  put(*frontier, "https://a.example/");
  exchange(*frontier);
  const std::vector<Job> jobs = take(*frontier);
  const std::string size = redis_->ask("DBSIZE");
  end(*frontier, jobs.at(0), {{"https://b.example/", kB, 1}});
  redis_->ask("CONFIG SET maxmemory 1");
  EXPECT_THROW(exchange(*frontier), std::runtime_error);
  redis_->ask("CONFIG SET maxmemory 0");
  EXPECT_EQ(redis_->ask("DBSIZE"), size);
  EXPECT_THAT(urls(take(*frontier)), ElementsAre("https://b.example/"));
}

TEST_F(RedisFrontierTest, WhatWasRecordedInASessionThatEndedHasNoSecondRecord) {
  const auto one = make();
  const auto other = make();
  put(*one, "https://a.example/");
  put(*one, "https://b.example/", 0, 0, kB);
  exchange(*one);
  const std::vector<Job> first = take(*one);
  ASSERT_EQ(first.size(), 2u);
  end(*one, first[0]);
  now_ += 61 * kSecond;
  exchange(*other);
  ASSERT_EQ(take(*other).size(), 2u);  // and dies
  now_ += 61 * kSecond;
  std::vector<Job> again = take(*one);  // the first one's end came too late, the second one's comes now
  EXPECT_FALSE(one->recorded(first[1]));
  end(*one, first[1]);
  for (const Job& job : take(*one)) again.push_back(job);
  ASSERT_THAT(urls(again), UnorderedElementsAre("https://a.example/", "https://b.example/"));
  for (const Job& job : again) {
    EXPECT_TRUE(one->recorded(job)) << job.url;
    end(*one, job);
  }
  put(*one, "https://a.example/new");
  exchange(*one);
  const std::vector<Job> fresh = take(*one);
  ASSERT_EQ(fresh.size(), 1u);
  EXPECT_FALSE(one->recorded(fresh[0]));
}

TEST_F(RedisFrontierTest, ALayoutOfAnotherVersionIsRefused) {
  redis_->ask("HSET %s version 99 secret %s", "{heddle}:meta", "0123456789abcdef");
  EXPECT_THROW(make(), base::UserError);
}

}  // namespace
}  // namespace heddle::crawler
