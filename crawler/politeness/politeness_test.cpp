// Made-up crawls against a made-up clock: every request is checked against every earlier one to its host.
#include "crawler/politeness/politeness.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "crawler/frontier/sqlite_frontier.hpp"

namespace heddle::crawler {
namespace {

constexpr Nanoseconds kMs = 1'000'000;

struct Request {
  HostId host;
  std::optional<Job> job;  // none: robots.txt
  Nanoseconds start_ns;
  Nanoseconds end_ns;
  std::string address;
};

// Runs a crawl to its end; what a request takes, and what becomes of it, is the test's.
class Crawl {
 public:
  explicit Crawl(PolitenessOptions options = {}, Limits limits = {})
      : frontier(open_sqlite_frontier({std::nullopt, limits, false})), politeness(*frontier, std::move(options)) {}

  void add(const std::string& host, int pages, std::uint32_t depth = 0) {
    for (int page = 0; page < pages; ++page) {
      const std::string url = host + "/" + std::to_string(page) + "?" + std::to_string(depth);
      const Found found{url, host, depth, 0, kGiven};
      frontier->put({&found, 1});
    }
  }

  void run() {
    std::multimap<Nanoseconds, Request> running;
    for (int steps = 0; steps < 1'000'000; ++steps) {
      Next next = politeness.next(now);
      if (next.what == Next::What::kDone) {
        EXPECT_TRUE(running.empty());
        return;
      }
      if (next.what == Next::What::kWait) {
        const Nanoseconds until = std::min(next.ask_again_ns, running.empty() ? kNever : running.begin()->first);
        ASSERT_NE(until, kNever) << "nothing runs, and nobody says when to ask again";
        ASSERT_GE(until, now);
        now = until;
        while (!running.empty() && running.begin()->first <= now) {
          const auto at = running.begin();
          const Request request = std::move(at->second);
          running.erase(at);
          end(request);
        }
        continue;
      }
      Request request{next.host, std::move(next.job), now + late(), 0, {}};
      request.end_ns = request.start_ns + took();
      if (address) request.address = address(next.host);
      politeness.started(next.host, request.start_ns);
      if (address) politeness.set_address(next.host, request.address);
      running.emplace(request.end_ns, request);
      requests.push_back(request);
      most_at_a_time = std::max(most_at_a_time, running.size());
    }
    FAIL() << "does not end";
  }

  std::size_t pages() const {
    return static_cast<std::size_t>(
        std::count_if(requests.begin(), requests.end(), [](const Request& each) { return each.job.has_value(); }));
  }

  // From the start of one request to a host to the start of its next, the least; negative if two ran at once.
  Nanoseconds least_gap() const {
    std::map<HostId, Request> last;
    Nanoseconds least = kNever;
    for (const Request& each : requests) {
      if (const auto at = last.find(each.host); at != last.end()) {
        const Nanoseconds gap = each.start_ns - at->second.start_ns;
        least = std::min(least, each.start_ns < at->second.end_ns ? -1 : gap);
      }
      last.insert_or_assign(each.host, each);
    }
    return least;
  }

  std::unique_ptr<Frontier> frontier;
  Politeness politeness;
  Nanoseconds now = 1000 * kSecond_ns;
  std::mt19937_64 random{7};
  std::vector<Request> requests;
  std::size_t most_at_a_time = 0;
  std::function<Nanoseconds()> took = [] { return 10 * kMs; };
  std::function<Nanoseconds()> late = [] { return Nanoseconds{0}; };  // from the grant to the request
  std::function<std::string(HostId)> address;
  std::function<Nanoseconds(const Request&)> not_before = [](const Request&) { return Nanoseconds{0}; };
  std::function<bool(const Request&)> retry = [](const Request&) { return false; };
  Nanoseconds robots_kept_ns = kRobotsKept_ns;

 private:
  void end(const Request& request) {
    const Nanoseconds delay_until = not_before(request);
    if (!request.job)
      politeness.robots_known(request.host, now + robots_kept_ns);
    else if (retry(request))
      frontier->put_back(*request.job, std::max(now, delay_until));
    else
      frontier->ack(*request.job, {}, {});
    politeness.ended(request.host);
    politeness.finished(request.host, delay_until);
  }
};

std::string host_name(int number) { return "https://h" + std::to_string(number) + ".example"; }

TEST(Politeness, OneHostIsAskedOnceASecondFromStartToStart) {
  Crawl crawl;
  crawl.add("https://a.example", 5);
  crawl.took = [] { return 300 * kMs; };
  crawl.run();
  EXPECT_EQ(crawl.pages(), 5u);
  EXPECT_EQ(crawl.requests.size(), 6u);  // robots.txt, too
  EXPECT_EQ(crawl.least_gap(), kSecond_ns);
  EXPECT_EQ(crawl.requests.back().start_ns - crawl.requests.front().start_ns, 5 * kSecond_ns);
}

TEST(Politeness, ASlowHostIsAskedAgainOnlyWhenItHasAnswered) {
  Crawl crawl;
  crawl.add("https://a.example", 4);
  crawl.took = [] { return 2500 * kMs; };
  crawl.run();
  EXPECT_EQ(crawl.least_gap(), 2500 * kMs);
}

TEST(Politeness, TheGapCountsFromTheRequestNotFromTheGrant) {
  Crawl crawl;
  crawl.add("https://a.example", 20);
  crawl.late = [&] { return static_cast<Nanoseconds>(crawl.random() % 900) * kMs; };
  crawl.run();
  EXPECT_GE(crawl.least_gap(), kSecond_ns);
}

TEST(Politeness, ManyHostsAreAskedAtOnceEachAtItsPace) {
  Crawl crawl({.requests = 1000, .hosts = 16}, {.in_flight = 1000});
  for (int host = 0; host < 300; ++host) crawl.add(host_name(host), 1 + host % 4);
  crawl.took = [&] { return static_cast<Nanoseconds>(crawl.random() % 3000) * kMs; };
  crawl.run();
  EXPECT_EQ(crawl.pages(), 750u);
  EXPECT_GE(crawl.least_gap(), kSecond_ns);
  EXPECT_GT(crawl.most_at_a_time, 16u);  // hosts that are being asked do not count as waiting
}

TEST(Politeness, RobotsTxtComesBeforeAnythingElseOfAHostAndAgainWhenItIsTooOld) {
  Crawl crawl;
  crawl.robots_kept_ns = 10 * kSecond_ns;
  crawl.add("https://a.example", 25);
  crawl.add("https://b.example", 1);
  crawl.run();
  std::set<HostId> asked;
  for (const Request& each : crawl.requests) {
    if (asked.insert(each.host).second) {
      EXPECT_FALSE(each.job.has_value());
    }
  }
  // Once for b; for a again after the ten pages that it is good for, and after ten more.
  EXPECT_EQ(crawl.requests.size() - crawl.pages(), 1u + 3u);
}

TEST(Politeness, NoRobotsTxtIsAskedForWhereNothingIsToBeFetched) {
  Crawl crawl;
  const HostId host = crawl.frontier->host_id("https://a.example");
  crawl.politeness.set_pace(host, {0, true});
  crawl.run();
  EXPECT_TRUE(crawl.requests.empty());
}

TEST(Politeness, RateZeroHasNoPauseAndManyAtATime) {
  Crawl crawl({.pace = pace_of_rate(0)}, {.in_flight = 10});
  crawl.add("https://a.example", 100);
  crawl.run();
  EXPECT_EQ(crawl.most_at_a_time, 10u);
  EXPECT_EQ(crawl.requests.back().end_ns - crawl.requests.front().start_ns, 110 * kMs);
}

TEST(Politeness, ALoopbackHostThatWasGivenHasNoPauseButOneRequestAtATime) {
  Crawl crawl;
  crawl.politeness.set_pace(crawl.frontier->host_id("http://localhost:8080"), {0, true});
  crawl.add("http://localhost:8080", 30);
  crawl.run();
  EXPECT_EQ(crawl.least_gap(), 10 * kMs);
}

TEST(Politeness, RetryAfterHoldsBackTheHostEvenAtRateZero) {
  for (const double rate : {0.0, 1.0}) {
    Crawl crawl({.pace = pace_of_rate(rate), .robots = false}, {.in_flight = 1});
    crawl.add("https://a.example", 3);
    crawl.not_before = [](const Request& request) {
      return request.job->attempts == 0 ? request.end_ns + 30 * kSecond_ns : 0;
    };
    crawl.retry = [](const Request& request) { return request.job->attempts == 0; };
    crawl.run();
    EXPECT_EQ(crawl.pages(), 6u) << rate;
    EXPECT_GE(crawl.requests[1].start_ns - crawl.requests[0].end_ns, 30 * kSecond_ns) << rate;
  }
}

TEST(Politeness, ARetryOfOnePageDoesNotDelayTheOthersOfItsHost) {
  Crawl crawl({.robots = false});
  crawl.add("https://a.example", 4);
  crawl.retry = [](const Request& request) {
    return request.job->attempts == 0 && request.job->url.find("/1") != std::string::npos;
  };
  crawl.run();
  EXPECT_EQ(crawl.pages(), 5u);
  EXPECT_EQ(crawl.least_gap(), kSecond_ns);
}

TEST(Politeness, HostsOfOneAddressShareItsRequests) {
  Crawl crawl({.pace = pace_of_rate(0), .per_address = 3}, {.in_flight = 100});
  for (int host = 0; host < 20; ++host) crawl.add(host_name(host), 8);
  crawl.address = [](HostId host) { return host % 2 == 0 ? std::string("192.0.2.1") : std::string(); };
  crawl.took = [&] { return static_cast<Nanoseconds>(1 + crawl.random() % 100) * kMs; };
  crawl.run();
  EXPECT_EQ(crawl.pages(), 160u);
  for (std::size_t at = 0; at < crawl.requests.size(); ++at) {
    const Request& each = crawl.requests[at];
    // A host's address is known when its first request, for robots.txt, goes out.
    if (each.address.empty() || !each.job) continue;
    std::size_t running = 0;
    for (std::size_t before = 0; before <= at; ++before)
      running += crawl.requests[before].address == each.address && each.start_ns < crawl.requests[before].end_ns;
    EXPECT_LE(running, 3u);
  }
}

TEST(Politeness, AResumedRunWaitsBeforeItsFirstRequestToAHost) {
  Crawl crawl({.not_before = 1001 * kSecond_ns});
  crawl.add("https://a.example", 1);
  crawl.run();
  EXPECT_EQ(crawl.requests.front().start_ns, 1001 * kSecond_ns);
}

TEST(Politeness, LevelsAreFetchedOneAfterTheOther) {
  Crawl crawl({.robots = false}, {.in_flight = 1000});
  for (int host = 0; host < 10; ++host)
    for (std::uint32_t depth = 0; depth < 4; ++depth) crawl.add(host_name(host), 3, depth);
  crawl.took = [&] { return static_cast<Nanoseconds>(crawl.random() % 3000) * kMs; };
  crawl.run();
  EXPECT_EQ(crawl.pages(), 120u);
  std::map<std::uint32_t, Nanoseconds> ends;
  for (const Request& each : crawl.requests) ends[each.job->depth] = std::max(ends[each.job->depth], each.end_ns);
  for (const Request& each : crawl.requests) {
    if (each.job->depth > 0) {
      EXPECT_GE(each.start_ns, ends[each.job->depth - 1]);
    }
  }
}

TEST(Politeness, MoreHostsThanAreRememberedAreForgottenAndNoneIsAskedTooSoon) {
  std::set<HostId> forgotten;
  Crawl crawl(
      {.requests = 30, .hosts = 20, .remembered = 50, .forgotten = [&](HostId host) { forgotten.insert(host); }},
      {.in_flight = 30});
  for (int host = 0; host < 1000; ++host)
    for (std::uint32_t depth = 0; depth < 2; ++depth) crawl.add(host_name(host), 1, depth);
  std::size_t most = 0;
  crawl.took = [&] {
    most = std::max(most, crawl.politeness.hosts_in_memory());
    return static_cast<Nanoseconds>(crawl.random() % 500) * kMs;
  };
  crawl.run();
  EXPECT_EQ(crawl.pages(), 2000u);
  EXPECT_GE(crawl.least_gap(), kSecond_ns);
  EXPECT_GT(forgotten.size(), 900u);
  EXPECT_LT(most, 250u);  // more than 50 only while their gaps last
}

TEST(Politeness, RandomCrawlsKeepEveryPromise) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random(seed);
    PolitenessOptions options;
    options.requests = 1 + random() % 50;
    options.hosts = 1 + random() % 40;
    options.remembered = 1 + random() % 100;
    options.per_address = random() % 4;
    options.robots = random() % 2 == 0;
    Crawl crawl(std::move(options), {.in_flight = 1 + random() % 50});
    std::size_t pages = 0;
    for (int host = 0; host < 60; ++host) {
      const int many = static_cast<int>(random() % 6);
      crawl.add(host_name(host), many, static_cast<std::uint32_t>(random() % 3));
      pages += static_cast<std::size_t>(many);
    }
    crawl.took = [&] { return static_cast<Nanoseconds>(random() % 4000) * kMs; };
    crawl.late = [&] { return static_cast<Nanoseconds>(random() % 3 == 0 ? random() % 800 : 0) * kMs; };
    crawl.address = [](HostId host) { return "192.0.2." + std::to_string(host % 7); };
    crawl.not_before = [&](const Request& request) {
      return random() % 6 == 0 ? request.end_ns + static_cast<Nanoseconds>(random() % 20'000) * kMs : 0;
    };
    crawl.retry = [&](const Request& request) { return request.job->attempts < 2 && random() % 4 == 0; };
    crawl.run();
    std::size_t ended = 0;
    for (const Request& each : crawl.requests) ended += each.job && each.job->attempts == 0 ? 1 : 0;
    ASSERT_EQ(ended, pages) << seed;
    ASSERT_GE(crawl.least_gap(), kSecond_ns) << seed;
  }
}

TEST(Loopback, LocalhostAndLoopbackNumbersAreKnownByTheirNames) {
  for (const char* name : {"localhost", "localhost.", "www.localhost", "127.0.0.1", "127.255.0.3", "[::1]",
                           "[::ffff:7f00:1]", "[::ffff:7fff:1]"})
    EXPECT_TRUE(is_loopback(name)) << name;
  for (const char* name : {"", "localhost.example", "notlocalhost", "127.example", "127.0.0.1.example", "128.0.0.1",
                           "[::2]", "[::ffff:7f:1]", "[::ffff:807f:1]"})
    EXPECT_FALSE(is_loopback(name)) << name;
}

TEST(Pace, IsNeverFasterThanTheRate) {
  EXPECT_EQ(pace_of_rate(1).gap_ns, kSecond_ns);
  EXPECT_EQ(pace_of_rate(3).gap_ns, 333'333'334);
  EXPECT_TRUE(pace_of_rate(1e12).one_at_a_time);
  EXPECT_FALSE(pace_of_rate(0).one_at_a_time);
}

TEST(Politeness, WhoeverIsLedToAHostWaitsForItsRequestAndItsPause) {
  const std::unique_ptr<Frontier> frontier = open_sqlite_frontier({});
  Politeness politeness(*frontier, {});
  const HostId host = frontier->host_id("https://a.example");
  const Nanoseconds now = 5 * kSecond_ns;
  EXPECT_TRUE(politeness.may_start(host, now));
  politeness.started(host, now);
  EXPECT_FALSE(politeness.may_start(host, now + 3 * kSecond_ns));
  politeness.ended(host);
  EXPECT_FALSE(politeness.may_start(host, now + kSecond_ns - 1));
  EXPECT_TRUE(politeness.may_start(host, now + kSecond_ns));
  politeness.set_pace(host, {0, false});
  politeness.started(host, now + kSecond_ns);
  EXPECT_TRUE(politeness.may_start(host, now + kSecond_ns));
}

}  // namespace
}  // namespace heddle::crawler
