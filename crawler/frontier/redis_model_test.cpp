// Several processes on one frontier in Redis against the plain model of it: random links, leases, ends and delays; some
// processes die and come back with their results, replies are lost, requests arrive twice, and sessions end because
// nothing was heard of them. The clock is the test's.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
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

// One that crawls, over all its lives.
struct Process {
  std::unique_ptr<RedisFrontier> frontier;
  std::vector<Job> started;
  std::map<std::int64_t, std::string> held;   // what Redis takes to be leased by it, by the lease's number
  std::vector<std::function<void()>> unsaid;  // what the model does when Redis hears of it
  std::vector<std::string> records;           // its results
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
        while (!each.started.empty()) end(each, false);
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
    process.frontier =
        std::make_unique<RedisFrontier>(options, [this](std::string_view request) { return redis_.call(request); });
    process.alive = false;
    for (const std::string& record : process.records) {
      process.frontier->mark_recorded(record);
      process.unsaid.emplace_back([this, record] { model_.mark_recorded(record); });
    }
  }

  // Another one begins in its place, with its results. Redis learns of its end by hearing nothing more.
  void die(Process& process) {
    if (process.alive) dead_.push_back({std::move(process.held), process.heard});
    for (const auto& [lease, name] : process.held) lost_.insert(name);
    process.held.clear();
    process.started.clear();
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
        if (was_done && !model_.urls.at(name).done) again(name);
      }
    };
  }

  // To be fetched once more: no lease that there was counts, and what is done has forgotten its attempts.
  void again(const std::string& name) {
    last_lease_[name] = 0;
    model_.urls.at(name).attempts = 0;
  }

  void put(Process& process) {
    std::vector<Found> found = some_links(0);
    for (Found& each : found)
      if (random_() % 2 == 0) each.flags = kGiven;
    process.frontier->put(found);
    process.unsaid.push_back(adds(found));
  }

  static std::string name_of(const Job& job) { return ((job.flags & kSitemap) != 0 ? "sitemap " : "") + job.url; }
  bool is_last(const Job& job) { return last_lease_[name_of(job)] == job.id; }

  void end_session(std::map<std::int64_t, std::string>& held) {
    for (const auto& [lease, name] : held) {
      lost_.insert(name);
      FrontierModel::Url& url = model_.urls.at(name);
      if (last_lease_[name] == lease) url.leased = false;
    }
    held.clear();
  }

  // What Redis does first when it is called: sessions end of which nothing was heard for too long.
  void end_sessions() {
    for (Dead& each : dead_)
      if (each.heard + kLease_ns <= now_) end_session(each.held);
    std::erase_if(dead_, [this](const Dead& each) { return each.heard + kLease_ns <= now_; });
    for (Process& each : processes_) {
      if (!each.alive || each.heard + kLease_ns > now_) continue;
      end_session(each.held);
      each.alive = false;
    }
  }

  void exchange(Process& process) {
    const std::string request = process.frontier->request(now_);
    end_sessions();
    for (const auto& happen : process.unsaid) happen();
    process.unsaid.clear();
    process.heard = now_;
    process.alive = true;
    std::string reply = redis_.call(request);
    if (random_() % 6 == 0) {  // the reply is lost, and later the request arrives once more
      now_ += kStep_ns;
      forget_granted(reply);
      end_sessions();
      process.heard = now_;
      reply = redis_.call(process.frontier->request(now_));
      redis_.call(request);
    }
    process.frontier->answer(reply, now_);
    take(process);
    compare(process);
  }

  // What a lost reply granted is given back, but those leases have followed the ones before.
  void forget_granted(const std::string& reply) {
    const auto answer = nlohmann::json::from_msgpack(reply);
    for (const auto& granted : answer.at("granted"))
      for (const auto& given : granted.at(1)) {
        const bool sitemap = (given.at(7).get<JobFlags>() & kSitemap) != 0;
        last_lease_[(sitemap ? "sitemap " : "") + given.at(1).get<std::string>()] = given.at(8);
      }
  }

  // Begins all that was granted.
  void take(Process& process) {
    for (;;) {
      const std::vector<HostId> hosts = process.frontier->hosts(2);
      if (hosts.empty()) return;
      for (const HostId host : hosts) {
        ASSERT_FALSE(process.frontier->full());
        ASSERT_LE(process.frontier->ready_at(host, now_), now_);
        const std::optional<Job> job = process.frontier->lease(host, now_).job;
        ASSERT_TRUE(job.has_value());
        begin_job(process, *job);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }

  void begin_job(Process& process, const Job& job) {
    const std::string name = name_of(job);
    FrontierModel::Url& url = model_.urls.at(name);
    ASSERT_TRUE(model_.free(url, now_)) << name << (url.done ? " is done" : "") << (url.leased ? " is leased" : "")
                                        << (url.waiting ? " waits" : "") << (url.recorded ? ", recorded" : "")
                                        << ", depth " << url.next().depth << " of " << *model_.level() << ", due in "
                                        << url.due - now_ << (model_.places() ? "" : ", no places");
    ASSERT_EQ(std::tuple(job.depth, job.flags, job.attempts, job.hops, process.frontier->host_name(job.host)),
              std::tuple(url.next().depth, url.flags(), url.attempts, url.next().hops, url.host));
    ASSERT_LE(busy_until_[url.host], now_) << url.host;
    for (const Process& other : processes_)
      for (const auto& [lease, held] : other.held)
        ASSERT_FALSE(other.alive && last_lease_[held] == lease && model_.urls.at(held).host == url.host)
            << url.host << " is another's";
    model_.lease(url);
    last_lease_[name] = job.id;
    process.held[job.id] = name;
    process.started.push_back(job);
    process.frontier->asked(job.host);
  }

  std::optional<Job> some_started(Process& process) {
    if (process.started.empty()) return std::nullopt;
    std::swap(process.started[random_() % process.started.size()], process.started.back());
    Job job = std::move(process.started.back());
    process.started.pop_back();
    return job;
  }

  // The host rests for some seconds behind the job. Redis knows that if the host is still this process's.
  Nanoseconds rest(Process& process, const Job& job) {
    const Nanoseconds until = now_ + static_cast<Nanoseconds>(random_() % 3) * kStep_ns;
    process.frontier->rests(job.host, until);
    return until;
  }

  void end(Process& process, bool with_links = true) {
    const std::optional<Job> job = some_started(process);
    if (!job) return;
    Outcome outcome;
    outcome.counts = random_() % 8 != 0;
    outcome.complete = random_() % 2 == 0;
    if ((job->flags & (kSitemap | kRecorded)) == 0) process.records.push_back(job->url);
    const std::vector<Found> links = with_links ? some_links(job->depth + 1) : std::vector<Found>();
    process.frontier->ack(*job, outcome, links);
    process.unsaid.emplace_back([this, &process, job = *job, outcome, add = adds(links), until = rest(process, *job)] {
      add();
      process.held.erase(job.id);
      if (!is_last(job)) return;
      FrontierModel::Url& url = model_.urls.at(name_of(job));
      if (url.leased) busy_until_[url.host] = until;
      url.leased = true;  // and if the lease was over, nobody has had another one
      model_.ack(url, outcome.counts, outcome.complete);
      if (!url.done) again(name_of(job));
    });
  }

  void put_back(Process& process) {
    const std::optional<Job> job = some_started(process);
    if (!job) return;
    const Nanoseconds due = now_ + static_cast<Nanoseconds>(random_() % 20) * kStep_ns + kStep_ns / 2;
    process.frontier->put_back(*job, due);
    process.unsaid.emplace_back([this, &process, job = *job, due, until = rest(process, *job)] {
      process.held.erase(job.id);
      FrontierModel::Url& url = model_.urls.at(name_of(job));
      if (!is_last(job) || !url.leased) return;
      busy_until_[url.host] = until;
      model_.put_back(url, due);
    });
  }

  void compare(const Process& process) {
    const Statistics is = process.frontier->statistics();
    const auto count = [this](auto property) { return model_.count(property); };
    using Url = FrontierModel::Url;
    ASSERT_EQ(is.known, model_.urls.size());
    ASSERT_EQ(is.pages, model_.pages);
    ASSERT_EQ(is.leased, count(&Url::leased));
    ASSERT_EQ(is.waiting, count([](const Url& url) { return url.waiting && !url.leased; }));
    ASSERT_EQ(is.queued, count([](const Url& url) { return !url.done && !url.waiting && !url.leased; }));
    ASSERT_EQ(is.done, count(&Url::done));
    ASSERT_EQ(is.leased == 0 && process.frontier->finished(), !model_.level().has_value() && process.started.empty());
  }

  struct Dead {
    std::map<std::int64_t, std::string> held;
    Nanoseconds heard;
  };

  RedisServer& redis_;
  std::mt19937_64 random_;
  Limits limits_;
  FrontierModel model_;
  std::vector<Process> processes_;
  std::vector<Dead> dead_;
  std::map<std::string, std::int64_t> last_lease_;  // 0: none since it was to be fetched again
  std::map<std::string, Nanoseconds> busy_until_;   // hosts
  std::set<std::string> lost_;                      // whose lease ended before their job did
  std::vector<std::string> texts_;
  Nanoseconds now_ = 1'000'000 * kStep_ns;
};

class RedisModel : public RedisTest {};

TEST_F(RedisModel, ProcessesThatDieAndReturnDoTogetherWhatTheModelDoes) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Play game(*redis_, seed);
    for (int step = 0; step < 300; ++step) {
      game.step();
      ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << " step " << step;
    }
    game.drain();
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace heddle::crawler
