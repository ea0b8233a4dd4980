// What Redis needs for the frontier: bytes for each queued URL and for each one that is done, and its time per page.
//
//   redis_frontier_bench [URLS] [LINKS per page] [HOSTS]
//
// A server of its own is started. First all URLs are queued, then all are leased and ended by one process, each with
// links that are known already; a request is answered at once, so what is measured is Redis and its script.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "crawler/frontier/redis_frontier.hpp"
#include "crawler/frontier/redis_server.hpp"

namespace heddle::crawler {
namespace {

struct KnownPages {
  std::uint64_t urls;
  std::uint64_t links;
  std::uint64_t hosts;

  std::string host(std::uint64_t page) const { return "https://host" + std::to_string(page % hosts) + ".example"; }
  std::string url(std::uint64_t page) const {
    return host(page) + "/articles/of/the/year/and/of/what-it-brought/" + std::to_string(page) + ".html";
  }
};

double figure(RedisServer& redis, const char* section, const std::string& name) {
  const std::string text = redis.ask("INFO %s", section);
  const std::size_t at = text.find("\n" + name + ":");
  return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + name.size() + 2, nullptr);
}
double used_bytes(RedisServer& redis) { return figure(redis, "memory", "used_memory"); }
double cpu_s(RedisServer& redis) {
  return figure(redis, "cpu", "used_cpu_user") + figure(redis, "cpu", "used_cpu_sys");
}

class Bench {
 public:
  explicit Bench(KnownPages site) : site_(site) {}

  int run() {
    if (!redis_.runs()) return std::puts("redis-server is not installed"), 1;
    RedisOptions options;
    options.limits.in_flight = 64;
    options.per_host = 16;
    RedisFrontier frontier(options, [this](std::string_view request) { return redis_.call(request); });
    exchange(frontier);
    const double empty = used_bytes(redis_);
    double cpu = cpu_s(redis_);
    put_all(frontier);
    std::printf("%8llu URLs queued: %.0f bytes of Redis each, %.1f us of its CPU each\n", count(site_.urls),
                (used_bytes(redis_) - empty) / urls(), (cpu_s(redis_) - cpu) / urls() * 1e6);
    cpu = cpu_s(redis_);
    const std::uint64_t before = exchanges_;
    end_all(frontier);
    const double bytes = used_bytes(redis_) - empty;
    std::printf("%8llu URLs done: %.0f bytes of Redis each\n", count(site_.urls), bytes / urls());
    std::printf("%.1f us of CPU of Redis per page with %llu links that are known, %.2f exchanges per page\n",
                (cpu_s(redis_) - cpu) / urls() * 1e6, count(site_.links),
                static_cast<double>(exchanges_ - before) / urls());
    return frontier.finished() ? 0 : 1;
  }

 private:
  static unsigned long long count(std::uint64_t number) { return number; }
  double urls() const { return static_cast<double>(site_.urls); }

  void exchange(RedisFrontier& frontier) {
    const Nanoseconds now = base::monotonic_ns();
    frontier.answer(redis_.call(frontier.request(now)), now);
    ++exchanges_;
  }

  std::vector<Found> found(std::uint64_t first, std::uint64_t many, std::uint32_t depth, bool any) {
    texts_.clear();
    for (std::uint64_t each = 0; each < many; ++each) {
      const std::uint64_t page = any ? random_() % site_.urls : first + each;
      texts_.push_back(site_.url(page));
      texts_.push_back(site_.host(page));
    }
    std::vector<Found> all;
    for (std::uint64_t each = 0; each < many; ++each)
      all.push_back({texts_[2 * each], texts_[2 * each + 1], depth, 0, 0});
    return all;
  }

  void put_all(RedisFrontier& frontier) {
    constexpr std::uint64_t kPart = 1000;
    for (std::uint64_t page = 0; page < site_.urls; page += kPart) {
      frontier.put(found(page, std::min(kPart, site_.urls - page), 1, false));
      exchange(frontier);
    }
  }

  void end_all(RedisFrontier& frontier) {
    while (!frontier.finished()) {
      for (const HostId host : frontier.hosts(1000)) {
        while (const auto job = frontier.lease(host, base::monotonic_ns()).job) {
          frontier.asked(host);
          frontier.ack(*job, {}, found(0, site_.links, 2, true));
          frontier.rests(host, 0);
          if (frontier.full()) exchange(frontier);
        }
      }
      exchange(frontier);
    }
  }

  RedisServer redis_;
  KnownPages site_;
  std::mt19937_64 random_{1};
  std::vector<std::string> texts_;
  std::uint64_t exchanges_ = 0;
};

}  // namespace
}  // namespace heddle::crawler

int main(int count, char** words) {
  const auto number = [&](int at, std::uint64_t otherwise) {
    return count > at ? std::strtoull(words[at], nullptr, 10) : otherwise;
  };
  return heddle::crawler::Bench({number(1, 100'000), number(2, 20), number(3, 1000)}).run();
}
