// Several processes on one frontier in Redis against the plain model of it: random links, leases, ends and delays; some
// processes die and come back with their results, replies are lost, requests arrive twice, and sessions end because
// nothing was heard of them. The clock is the test's.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "crawler/frontier/frontier_model.hpp"
#include "crawler/frontier/redis_fixture.hpp"
#include "crawler/frontier/redis_frontier.hpp"

namespace heddle::crawler {
namespace {

constexpr Nanoseconds kStep_ns = 1'000'000'000;
constexpr Nanoseconds kLease_ns = 60 * kStep_ns;
constexpr std::uint64_t kUrls = 60;
constexpr std::uint64_t kHosts = 4;

std::string host_of(std::uint64_t url) { return "https://h" + std::to_string(url % kHosts) + ".example"; }

// One that crawls.
struct Process {
  std::unique_ptr<RedisFrontier> frontier;
  std::vector<Job> leased;
  std::vector<std::function<void()>> unsaid;  // what the model does when Redis hears of it
  std::vector<std::string> records;           // its results, over all its lives
  Nanoseconds heard = 0;
  bool alive = false;  // for Redis: its session has begun, and not ended
};

class Play {
 public:
  Play(RedisServer& redis, std::uint64_t seed)
      : redis_(redis), random_(seed), limits_(some_limits()), model_(limits_), processes_(1 + random_() % 3) {
    redis_.ask("FLUSHALL");
    for (Process& each : processes_) begin(each);
  }

  void step() {
    now_ += kStep_ns;
    Process& process = processes_[random_() % processes_.size()];
    const std::uint64_t choice = random_() % 100;
    if (choice < 12) {
      put(process);
    } else if (choice < 45) {
      exchange(process);
    } else if (choice < 75) {
      end(process);
    } else if (choice < 85) {
      put_back(process);
    } else if (choice < 87) {
      die(process);
    } else if (choice < 88) {
      now_ += kLease_ns;  // nothing was heard of anybody
    }
  }

  // Does all that is left. Then every page that was leased has a record, and only one unless a lease ended early.
  void drain() {
    const auto finished = [](const Process& each) { return each.frontier->finished(); };
    for (int rounds = 0; !std::ranges::all_of(processes_, finished); ++rounds) {
      ASSERT_LT(rounds, 10'000);
      now_ += 5 * kStep_ns;
      for (Process& each : processes_) {
        exchange(each);
        while (!each.leased.empty()) end(each, false);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
    EXPECT_FALSE(model_.level().has_value());
    for (const auto& [name, url] : model_.urls) {
      if (url.sitemap) continue;
      std::ptrdiff_t count = 0;
      for (const Process& each : processes_) count += std::ranges::count(each.records, name);
      if (lost_.contains(name))
        ASSERT_GE(count, 1) << name;
      else
        ASSERT_EQ(count, url.done ? 1 : 0) << name;
    }
  }

 private:
  Limits some_limits() {
    Limits limits;
    if (random_() % 2 == 0) limits.max_pages = 5 + random_() % kUrls;
    if (random_() % 2 == 0) limits.max_depth = static_cast<std::uint32_t>(1 + random_() % 5);
    limits.in_flight = 1 + random_() % 30;
    return limits;
  }

  void begin(Process& process) {
    RedisOptions options;
    options.limits = limits_;
    options.given_clock = true;
    options.lease_ns = kLease_ns;
    options.pause_ns = kStep_ns / 2;
    process.frontier = std::make_unique<RedisFrontier>(options, [this](std::string_view request) {
      return redis_.call(request);
    });
    process.alive = false;
    for (const std::string& record : process.records) {
      process.frontier->mark_recorded(record);
      process.unsaid.emplace_back([this, record] { model_.mark_recorded(record); });
    }
  }

  void die(Process& process) {
    ended_.push_back({std::move(process.leased), process.heard, process.alive});
    process.leased.clear();
    process.unsaid.clear();
    begin(process);
  }

  std::vector<Found> some_links(std::uint32_t depth) {
    std::vector<Found> found;
    texts_.clear();
    const std::uint64_t many = random_() % 5;
    for (std::uint64_t each = 0; each < many; ++each) {
      const std::uint64_t url = random_() % kUrls;
      texts_.push_back(host_of(url) + "/" + std::to_string(url));
      texts_.push_back(host_of(url));
      Found one{{}, {}, depth, 0, 0};
      const std::uint64_t kind = random_() % 12;
      if (kind == 0) one.flags = kCheckOnly;
      if (kind == 1) one.flags = kResource;
      if (kind == 2) one.flags = kSitemap;
      if (kind == 2 || kind == 3) one.depth = 0;  // as those of a sitemap
      if (kind == 4) one.hops = static_cast<std::uint32_t>(random_() % 3);
      found.push_back(one);
    }
    for (std::size_t each = 0; each < found.size(); ++each) {
      found[each].url = texts_[2 * each];
      found[each].host = texts_[2 * each + 1];
    }
    return found;
  }

  // What the model learns when Redis does.
  std::function<void()> adds(const std::vector<Found>& found) {
    struct Text {
      std::string url, host;
      Found found;
    };
    std::vector<Text> texts;
    for (const Found& each : found) texts.push_back({std::string(each.url), std::string(each.host), each});
    return [this, texts] {
      for (Text text : texts) {
        text.found.url = text.url;
        text.found.host = text.host;
        const std::string name = ((text.found.flags & kSitemap) != 0 ? "sitemap " : "") + text.url;
        const auto at = model_.urls.find(name);
        const bool was_done = at != model_.urls.end() && at->second.done;
        model_.add(text.found);
        if (was_done && !model_.urls.at(name).done) last_lease_[name] = 0;  // to be fetched again: another lease
      }
    };
  }

  void put(Process& process) {
    std::vector<Found> found = some_links(0);
    for (Found& each : found)
      if (random_() % 2 == 0) each.flags = kGiven;
    process.frontier->put(found);
    process.unsaid.push_back(adds(found));
  }

  static std::string name_of(const Job& job) { return ((job.flags & kSitemap) != 0 ? "sitemap " : "") + job.url; }

  void release(const std::vector<Job>& jobs) {
    for (const Job& job : jobs) {
      const std::string name = name_of(job);
      lost_.insert(name);
      if (FrontierModel::Url& url = model_.urls.at(name); last_lease_[name] == job.id) url.leased = false;
    }
  }

  // Sessions of which nothing was heard for too long end at the next call of anybody.
  void end_sessions() {
    for (Ended& each : ended_)
      if (each.alive && each.heard + kLease_ns <= now_) {
        release(each.jobs);
        each.alive = false;
      }
    std::erase_if(ended_, [](const Ended& each) { return !each.alive; });
    for (Process& each : processes_)
      if (each.alive && each.heard + kLease_ns <= now_) {
        release(each.leased);
        for (const std::string& name : each_unsaid_end(each)) lost_.insert(name);
        release(each.ending);
        each.alive = false;
      }
  }

  struct Ended {
    std::vector<Job> jobs;
    Nanoseconds heard;
    bool alive;
  };

  RedisServer& redis_;
  std::mt19937_64 random_;
  Limits limits_;
  FrontierModel model_;
  std::vector<Process> processes_;
  std::vector<Ended> ended_;
  std::map<std::string, std::int64_t> last_lease_;
  std::set<std::string> lost_;  // whose lease ended before its job did
  std::vector<std::string> texts_;
  Nanoseconds now_ = 1'000'000 * kStep_ns;
};

}  // namespace
}  // namespace heddle::crawler
