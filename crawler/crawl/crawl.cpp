#include "crawler/crawl/crawl.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <ostream>
#include <set>
#include <span>
#include <utility>

#include "base/clock.hpp"
#include "base/user_error.hpp"
#include "crawler/frontier/sqlite_frontier.hpp"

namespace heddle::crawler {
namespace {

ClientOptions client_options(const CrawlOptions& options) {
  ClientOptions client = options.client;
  if (options.any_address) return client;
  // A number, or localhost, that is given allows that host, and no name that resolves to it.
  std::set<Origin> exempt;
  for (const Url& url : options.given)
    if (url.host_is_number() || url.host_is_localhost())
      exempt.insert({std::string(url.scheme()), std::string(url.host()), url.port()});
  client.policy = std::make_shared<PublicAddresses>(std::move(exempt));
  return client;
}

pico::Time end_of(const CrawlOptions& options) {
  return options.max_time ? pico::Clock::now() + *options.max_time : pico::kNever;
}

bool only_loopback(const CrawlOptions& options) {
  return std::ranges::all_of(options.given, [](const Url& url) { return is_loopback(url.host()); });
}

// Without --rate, hosts that are given as localhost get no pause.
Pace usual_pace(const CrawlOptions& options) {
  if (!options.rate && only_loopback(options)) return {0, true};
  return pace_of_rate(options.rate.value_or(1));
}

RedisOptions redis_options(const CrawlOptions& options) {
  constexpr Nanoseconds kHostHeld_ns = kSecond_ns / 2;  // about, so that others get their turn
  constexpr Nanoseconds kMostPerHost = 16;
  const Pace pace = usual_pace(options);
  RedisOptions redis;
  redis.limits = options.limits;
  redis.referrers = options.check;
  redis.one_at_a_time = pace.one_at_a_time;
  redis.pause_ns = pace.gap_ns;
  redis.per_host = static_cast<std::size_t>(
      std::clamp(kHostHeld_ns / std::max<Nanoseconds>(pace.gap_ns, 1), Nanoseconds{1}, kMostPerHost));
  redis.request_ns = std::chrono::nanoseconds(options.timeout).count();
  return redis;
}

}  // namespace

Crawl::Crawl(const CrawlOptions& options) : options_(options), end_(end_of(options)), client_(client_options(options)) {
  open_frontier();
  if (options.results) results_.emplace(*options.results);
  resume();
  PolitenessOptions polite;
  polite.pace = pace_of_rate(options.rate.value_or(1));
  polite.requests = options.connections;
  polite.robots = options.robots;
  // The run before may have asked a host just now; Redis knows.
  if (!shared_ && frontier_->statistics().known > 0 && !only_loopback(options))
    polite.not_before = base::monotonic_ns() + polite.pace.gap_ns;
  polite.forgotten = [this](HostId host) { sites_.forget(host); };
  politeness_ = std::make_unique<Politeness>(*frontier_, std::move(polite));
  put_given();
}

Crawl::~Crawl() = default;

void Crawl::open_frontier() {
  if (!options_.frontier) {
    frontier_ = open_sqlite_frontier({options_.state, options_.limits, options_.check});
    return;
  }
  link_.emplace(*options_.frontier);
  RedisOptions redis = redis_options(options_);
  redis.wake = [this] {
    exchange_woken_ = true;
    exchange_wanted_.notify_one();
  };
  auto shared = std::make_unique<RedisFrontier>(redis, [this](std::string_view request) {
    // Without an answer to the first call there is no crawl.
    return shared_ == nullptr ? link_->call(request) : link_->call_patiently([&] { return std::string(request); });
  });
  shared_ = shared.get();
  frontier_ = std::move(shared);
}

// The files may have more than the frontier has committed: those records are not written again.
void Crawl::resume() {
  const Written written = frontier_->written();
  if (results_) {
    if (options_.state || shared_)
      results_->resume(written.results_bytes, [this](std::string_view url) { frontier_->mark_recorded(url); });
    else
      results_->clear();
  }
  if (options_.archive) archive_.emplace(*options_.archive, "heddle/" HEDDLE_VERSION, written.archive_bytes);
}

void Crawl::put_given() {
  for (const Url& url : options_.given) {
    const std::string origin = url.origin();
    const Found found{.url = url.text(), .host = origin, .flags = kGiven};
    frontier_->put(std::span(&found, 1));
    if (!options_.rate && is_loopback(url.host())) politeness_->set_pace(frontier_->host_id(origin), {0, true});
  }
}

// --- The dispatcher ---

CrawlEnd Crawl::run() {
  if (shared_) {
    pico::Scope beside;
    spawn(beside, [this] { exchange_with_redis(); });
    run_threads();
    beside.cancel();
    beside.join();
    leave_redis();
  } else {
    run_threads();
    if (!options_.state) give_out_kept();
    locked([this] { frontier_->flush(); });
  }
  if (interrupted_) return CrawlEnd::kInterrupted;
  return time_is_up() ? CrawlEnd::kTimeIsUp : CrawlEnd::kDone;
}

void Crawl::run_threads() {
  pico::Scope threads({.spread = true});
  while (dispatch_one(threads)) {
  }
  const bool early = interrupted_ || failed_ || time_is_up();
  if (early) threads.cancel();  // those URLs are fetched again when the state is resumed
  threads.join();
}

// A thread of its own for work(); what it throws ends the crawl.
template <class Work>
void Crawl::spawn(pico::Scope& threads, Work work) {
  threads.spawn([this, work = std::move(work)]() mutable {
    try {
      work();
    } catch (const pico::Cancelled&) {
      const std::scoped_lock lock(mutex_);
      if (!failed_) throw;  // else what to report is another thread's error
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failed_ = true;
      changed_.notify_all();
      throw;
    }
  });
}

bool Crawl::dispatch_one(pico::Scope& threads) {
  std::unique_lock lock(mutex_);
  if (interrupted_ || failed_ || time_is_up()) return false;
  const std::uint64_t seen = changes_;
  Nanoseconds tick = kNever;
  std::optional<Kept> kept;
  Next next = or_fail([&] {
    tick = frontier_->tick(base::monotonic_ns());
    kept = frontier_->take_kept(false);
    return politeness_->next(base::monotonic_ns());
  });
  if (next.what == Next::What::kDone) return false;
  if (next.what == Next::What::kWait && !kept) {
    const pico::Time until = std::min(as_time(std::min(next.ask_again_ns, tick)), end_);
    changed_.wait_until(lock, until, [&] { return changes_ != seen || interrupted_ || failed_; });
    return true;
  }
  lock.unlock();
  if (next.what == Next::What::kJob)
    spawn(threads, [this, job = std::make_unique<Job>(std::move(*next.job))] { visit(std::move(*job)); });
  if (next.what == Next::What::kRobots) spawn(threads, [this, host = next.host] { fetch_robots(host); });
  if (kept) visit_kept(std::move(*kept));
  return true;
}

// At an early end that no run goes on from: what was fetched has its record, at the least depth that is known.
void Crawl::give_out_kept() {
  while (std::optional<Kept> kept = locked([this] { return frontier_->take_kept(true); })) visit_kept(std::move(*kept));
}

void Crawl::release(HostId host, Nanoseconds not_before) {
  politeness_->finished(host, not_before);
  ++changes_;
  changed_.notify_one();
}

void Crawl::interrupt() {
  const std::scoped_lock lock(mutex_);
  interrupted_ = true;
  changed_.notify_all();
}

// --- Redis ---

void Crawl::exchange_with_redis() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      for (;;) {
        const Nanoseconds at = shared_->exchange_at(base::monotonic_ns());
        if (at <= base::monotonic_ns()) break;
        exchange_woken_ = false;
        exchange_wanted_.wait_until(lock, as_time(at), [this] { return exchange_woken_; });
      }
    }
    const std::string reply = link_->call_patiently([this] {
      const std::scoped_lock lock(mutex_);
      return shared_->request(base::monotonic_ns());
    });
    const std::scoped_lock lock(mutex_);
    shared_->answer(reply, base::monotonic_ns());
    ++changes_;
    changed_.notify_one();
  }
}

// Says what was done, and gives back what was not. Without it, others would wait until the leases are over.
void Crawl::leave_redis() {
  constexpr std::chrono::seconds kPatience{5};
  constexpr std::chrono::milliseconds kPause{100};
  const pico::Time end = pico::Clock::now() + kPatience;
  const std::scoped_lock lock(mutex_);
  const auto give_up = [this](const base::UserError& error) {
    const std::string text = std::string(error.what()) + "; pages whose end it does not know of will be fetched again";
    if (!interrupted_ && !time_is_up()) throw base::UserError(text);
    std::fprintf(stderr, "heddle crawl: %s\n", text.c_str());
  };
  shared_->leave();
  while (!shared_->left()) {
    try {
      const std::string reply = link_->call(shared_->request(base::monotonic_ns()));
      shared_->answer(reply, base::monotonic_ns());
    } catch (const FrontierLost& error) {
      return give_up(error);
    } catch (const base::UserError& error) {
      if (pico::Clock::now() >= end) return give_up(error);
      pico::sleep_for(kPause);
    }
  }
}

Statistics Crawl::statistics() {
  return locked([this] { return frontier_->statistics(); });
}

std::size_t Crawl::print_broken(std::ostream& out) {
  if (shared_ && !shared_->left()) return 0;  // Redis is away, and that was said
  std::size_t count = 0;
  const BrokenVisitor visitor{[&](std::string_view url, std::string_view what) {
                                out << url << "  " << what << '\n';
                                ++count;
                              },
                              [&](std::string_view page) {
                                if (!page.empty()) out << "    " << page << '\n';
                              }};
  if (shared_)
    frontier_->visit_broken(visitor);  // waits for Redis
  else
    locked([&] { frontier_->visit_broken(visitor); });
  out.flush();
  return count;
}

}  // namespace heddle::crawler
