#include "crawler/crawl/crawl.hpp"

#include <algorithm>
#include <mutex>
#include <ostream>
#include <set>
#include <span>
#include <utility>

#include "base/clock.hpp"
#include "base/on_exit.hpp"
#include "base/user_error.hpp"
#include "crawler/archive/digest.hpp"
#include "crawler/crawl/visit.hpp"
#include "crawler/frontier/sqlite_frontier.hpp"
#include "crawler/parse/sitemap.hpp"
#include "crawler/parse/style_sheet.hpp"

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

constexpr std::uint32_t kMostHops = 10;  // redirects in a row, and sitemaps that name sitemaps

pico::Time as_time(Nanoseconds ns) { return pico::Time(std::chrono::nanoseconds(ns)); }

// The host may be another process's before a request to it would be over.
struct LeaseIsOver {};

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
      throw;
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
  Next next = or_fail([&] {
    tick = frontier_->tick(base::monotonic_ns());
    return politeness_->next(base::monotonic_ns());
  });
  switch (next.what) {
    case Next::What::kJob:
      lock.unlock();
      spawn(threads, [this, job = std::make_unique<Job>(std::move(*next.job))] { visit(std::move(*job)); });
      return true;
    case Next::What::kRobots:
      lock.unlock();
      spawn(threads, [this, host = next.host] { fetch_robots(host); });
      return true;
    case Next::What::kDone:
      return false;
    case Next::What::kWait:
      break;
  }
  const pico::Time until = std::min(as_time(std::min(next.ask_again_ns, tick)), end_);
  changed_.wait_until(lock, until, [&] { return changes_ != seen || interrupted_ || failed_; });
  return true;
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
  shared_->leave();
  while (!shared_->left()) {
    try {
      const std::string reply = link_->call(shared_->request(base::monotonic_ns()));
      shared_->answer(reply, base::monotonic_ns());
    } catch (const base::UserError& error) {
      if (pico::Clock::now() >= end)
        throw base::UserError(std::string(error.what()) +
                              "; pages whose end it does not know of will be fetched again");
      pico::sleep_for(kPause);
    }
  }
}

// --- Requests ---

// A request beside the one that was granted: another hop of robots.txt, a GET where HEAD was refused.
void Crawl::wait_for_turn(HostId host) {
  pico::sleep_until(as_time(locked([&] { return politeness_->allowed_at(host); })));
}

// A request goes out now.
void Crawl::start(HostId host) {
  const bool may = locked([&] {
    const Nanoseconds now = base::monotonic_ns();
    if (!frontier_->may_ask(host, now)) return false;
    politeness_->started(host, now);
    return true;
  });
  if (!may) throw LeaseIsOver();
}

Answer Crawl::ask(const Url& url, HostId host, Method method) {
  Request request;
  request.method = method;
  request.scheme = url.scheme();
  request.host = url.host();
  request.port = url.port();
  request.target = url.path_and_query();
  request.headers = options_.headers;
  request.limits.body = options_.max_bytes;
  request.limits.timeout = options_.timeout;
  request.limits.connect_timeout = std::min(request.limits.connect_timeout, options_.timeout);
  request.before_again = [&] {
    wait_for_turn(host);
    start(host);
  };
  request.keep_raw = archive_.has_value();
  start(host);
  ++figures_.requests;
  ++figures_.running;
  const base::OnExit over([&] { --figures_.running; });
  Answer answer = client_.fetch(request);
  figures_.wire_bytes += answer.wire_bytes;
  return answer;
}

std::string_view Crawl::error_without_asking(const Job& job, const Url& url) {
  if (!options_.robots) return {};
  const std::scoped_lock lock(mutex_);
  return sites_.error_of(job.host, url.path_and_query());
}

// 429 and 503 say when to come back; other failures of a server may be gone at the next attempt.
bool Crawl::try_again(const Job& job, const Answer& answer, Method method) {
  constexpr std::uint32_t kAttempts = 3;
  constexpr std::chrono::seconds kLongest{7 * 24 * 3600};
  if (job.attempts + 1 >= kAttempts) return false;
  std::chrono::nanoseconds wait{0};
  if (answer.error == FetchError::kNone && (answer.status == 429 || answer.status == 503)) {
    wait = std::min(answer.retry_after.value_or(std::chrono::seconds(1)), kLongest);
  } else if (answer.error == FetchError::kNone || answer.error == FetchError::kTooLarge ||
             answer.error == FetchError::kDecode) {
    if (answer.status < 500 || answer.status > 599 || (method == Method::kHead && answer.status == 501)) return false;
  } else if (answer.error != FetchError::kTimeout && answer.error != FetchError::kReset) {
    return false;
  }
  if (options_.max_time && pico::Clock::now() + wait >= end_) return false;
  locked([&] {
    frontier_->put_back(job, base::monotonic_ns() + wait.count());
    politeness_->finished(job.host);
    ++changes_;
    changed_.notify_one();
  });
  return true;
}

// --- robots.txt ---

// A host that nobody has granted to this thread: in its turn, and not beside another thread that is sent there.
Answer Crawl::ask_elsewhere(const Url& url) {
  const std::string origin = url.origin();
  std::shared_ptr<pico::Mutex> one_at_a_time;
  const HostId host = locked([&] {
    auto& mutex = elsewhere_[origin];
    if (!mutex) mutex = std::make_shared<pico::Mutex>();
    one_at_a_time = mutex;
    return frontier_->host_id(origin);
  });
  const std::scoped_lock lock(*one_at_a_time);
  locked([&] { frontier_->asked(host); });
  const base::OnExit over([&] {
    const std::scoped_lock held(mutex_);
    frontier_->rests(host, politeness_->allowed_at(host));
  });
  // Two processes may wait for a host of each other's.
  constexpr std::chrono::seconds kPatience{20};
  const pico::Time end = pico::Clock::now() + kPatience;
  while (!locked([&] { return frontier_->claim(host); })) {
    if (pico::Clock::now() >= end) throw LeaseIsOver();
    pico::sleep_for(std::chrono::milliseconds(50));
  }
  wait_for_turn(host);
  return ask(url, host, Method::kGet);
}

// Five redirects in a row at least are followed (RFC 9309, section 2.3.1.2), to other hosts too.
Answer Crawl::fetch_robots_following(const Url& first, HostId host) {
  constexpr int kMostHops = 5;
  Url url = first;
  for (int hop = 0;; ++hop) {
    if (hop > 0) wait_for_turn(host);
    Answer answer = url.origin() == first.origin() ? ask(url, host, Method::kGet) : ask_elsewhere(url);
    if (!is_redirect(answer) || hop == kMostHops) return answer;
    const std::optional<Url> target = Url::parse(answer.location, &url);
    if (!target || !target->is_web()) return answer;
    url = *target;
  }
}

Answer Crawl::ask_for_robots(const Url& url, HostId host) {
  constexpr int kAttempts = 3;
  for (int attempt = 1;; ++attempt) {
    Answer answer = fetch_robots_following(url, host);
    const bool may_recover = answer.error == FetchError::kTimeout || answer.error == FetchError::kReset ||
                             (answer.error == FetchError::kNone && answer.status >= 500);
    if (!may_recover || attempt == kAttempts) return answer;
    wait_for_turn(host);
  }
}

void Crawl::fetch_robots(HostId host) {
  const std::string origin = locked([&] { return frontier_->host_name(host); });
  const std::optional<Url> url = Url::parse(origin + "/robots.txt");
  Answer answer;
  try {
    answer = ask_for_robots(*url, host);
  } catch (const LeaseIsOver&) {
    locked([&] {
      politeness_->finished(host);
      ++changes_;
      changed_.notify_one();
    });
    return;
  }
  SiteRules rules = rules_of(answer);
  const std::vector<Url> sitemaps =
      options_.span_hosts || options_.origins.contains(origin) ? sitemaps_of(rules.robots, *url) : std::vector<Url>();
  locked([&] {
    sites_.set(host, std::move(rules));
    for (const Url& sitemap : sitemaps) {
      const std::string sitemap_origin = sitemap.origin();
      const Found found{.url = sitemap.text(), .host = sitemap_origin, .flags = kSitemap};
      frontier_->put(std::span(&found, 1));
    }
    politeness_->robots_known(host, base::monotonic_ns() + kRobotsKept_ns);
    politeness_->finished(host);
    ++changes_;
    changed_.notify_one();
  });
}

// --- One URL ---

void Crawl::visit(Job job) {
  const std::optional<Url> url = Url::parse(job.url);
  Visit visit(std::move(job), *url);
  const auto start = pico::Clock::now();
  visit.error = error_without_asking(visit.job, *url);
  try {
    if (visit.error.empty() && !fetch(visit)) return;
  } catch (const LeaseIsOver&) {
    locked([&] {
      frontier_->put_back(visit.job, base::monotonic_ns());
      politeness_->finished(visit.job.host);
      ++changes_;
      changed_.notify_one();
    });
    return;
  }
  visit.time = pico::Clock::now() - start;
  if (!visit.error.empty())
    visit.broken = visit.error;
  else if (visit.answer.status >= 400)
    visit.broken = std::to_string(visit.answer.status);
  finish(visit);
}

// Asks for it, and looks at the answer; false if it is to be tried again.
bool Crawl::fetch(Visit& visit) {
  const bool head = (visit.job.flags & kCheckOnly) != 0;
  visit.method = head ? Method::kHead : Method::kGet;
  visit.answer = ask(visit.url, visit.job.host, visit.method);
  if (head && (visit.answer.status == 405 || visit.answer.status == 501)) {
    visit.method = Method::kGet;
    wait_for_turn(visit.job.host);
    visit.answer = ask(visit.url, visit.job.host, visit.method);
  }
  if (try_again(visit.job, visit.answer, visit.method)) return false;
  visit.asked = true;
  visit.error = name_of(visit.answer.error);
  if ((visit.job.flags & kSitemap) != 0)
    read_sitemap_of(visit);
  else if (is_redirect(visit.answer))
    follow_redirect(visit);
  else if (visit.method == Method::kGet)
    read_links(visit);
  return true;
}

void Crawl::follow_redirect(Visit& visit) {
  const std::optional<Url> target = Url::parse(visit.answer.location, &visit.url);
  if (!target) return;
  visit.redirect = target->text();
  if (!target->is_web()) {
    visit.error = "scheme";
    return;
  }
  bool circle = visit.job.hops >= kMostHops || *target == visit.url;
  if (!circle && visit.job.hops > 0) {
    const std::vector<std::string> chain = locked([&] { return frontier_->redirects_to(visit.job); });
    circle = std::find(chain.begin(), chain.end(), target->text()) != chain.end();
  }
  if (circle) {
    visit.error = "redirect_loop";
    return;
  }
  const JobFlags kept = visit.job.flags & (kCheckOnly | kResource);
  if (options_.in_scope(*target, visit.origin_of(*target)) || ((kept & kCheckOnly) != 0 && options_.wanted(*target)))
    visit.add(*target, visit.job.depth, visit.job.hops + 1, kept);
  else if (options_.check && options_.wanted(*target))
    visit.add(*target, visit.job.depth + kBehindAllPages, visit.job.hops + 1, kCheckOnly);
}

void Crawl::read_links(Visit& visit) {
  const Answer& answer = visit.answer;
  if (answer.status < 200 || answer.status > 299 || answer.error != FetchError::kNone) return;
  const bool only_checked = (visit.job.flags & kCheckOnly) != 0;  // and HEAD was refused
  const bool resources = options_.resources || options_.check;
  if (is_page(answer)) {
    Page page = pico::on_big_stack([&] { return read_page(answer.body, visit.url, answer.content_type, resources); });
    visit.links = page.links.size();
    if (!only_checked)
      for (Link& link : page.links) add_link(visit, std::move(link), page.nofollow);
  } else if (resources && !only_checked && answer.media_type == "text/css") {
    std::vector<Link> links =
        pico::on_big_stack([&] { return read_style_sheet(answer.body, visit.url, answer.content_type); });
    visit.links = links.size();
    for (Link& link : links) add_link(visit, std::move(link), false);
  }
}

void Crawl::add_link(Visit& visit, Link link, bool page_says_nofollow) {
  const std::uint32_t depth = visit.job.depth + 1;
  if (depth > options_.limits.max_depth) return;
  const bool in_scope = options_.in_scope(link.target, visit.origin_of(link.target));
  if (link.follow && !page_says_nofollow && in_scope)
    visit.add(std::move(link.target), depth, 0, 0);
  else if (options_.resources && link.resource && in_scope)  // the page is shown with it, and leads nowhere by it
    visit.add(std::move(link.target), depth, 0, kResource);
  else if (options_.check && options_.wanted(link.target))
    visit.add(std::move(link.target), depth + kBehindAllPages, 0, kCheckOnly);
}

void Crawl::read_sitemap_of(Visit& visit) {
  if (is_redirect(visit.answer)) {
    const std::optional<Url> target = Url::parse(visit.answer.location, &visit.url);
    if (target && target->is_web() && visit.job.hops < kMostHops) visit.add(*target, 0, visit.job.hops + 1, kSitemap);
    return;
  }
  if (visit.answer.status != 200) return;
  const Sitemap sitemap =
      pico::on_big_stack([&] { return read_packed_sitemap(visit.answer.body, options_.max_bytes); });
  {
    const std::scoped_lock lock(mutex_);
    for (const Url& url : sitemap.sitemaps)
      if (visit.job.hops < kMostHops &&
          (options_.span_hosts || url.origin() == visit.url.origin() || options_.origins.contains(url.origin())) &&
          sites_.count_sitemap(visit.job.host))
        visit.add(url, 0, visit.job.hops + 1, kSitemap);
  }
  for (const Url& url : sitemap.pages)
    if (options_.in_scope(url, visit.origin_of(url))) visit.add(url, 0, 0, 0);
}

// The record reaches its file before the frontier learns that the job is done.
void Crawl::finish(Visit& visit) {
  const Outcome outcome = visit.outcome();
  const bool recorded = (visit.job.flags & (kSitemap | kRecorded)) == 0;
  const std::string digest = recorded && results_ && visit.has_body() ? sha256_text(visit.answer.body) : std::string();
  locked([&] {
    if (recorded && results_) results_->write(visit.record(digest));
    if (visit.asked && archive_) archive_->write(visit.exchange());
    Outcome done = outcome;
    done.written = {results_ ? results_->bytes() : 0, archive_ ? archive_->bytes() : 0};
    if ((visit.job.flags & kSitemap) != 0) {
      frontier_->put(visit.found());  // no page links to them
      frontier_->ack(visit.job, done, {});
    } else {
      frontier_->ack(visit.job, done, visit.found());
    }
    if (visit.asked && !is_loopback(visit.url.host())) politeness_->set_address(visit.job.host, visit.address());
    politeness_->finished(visit.job.host);
    ++changes_;
    changed_.notify_one();
  });
  if (!recorded) return;
  ++figures_.records;
  if (!outcome.broken.empty()) ++figures_.errors;
}

Statistics Crawl::statistics() {
  return locked([this] { return frontier_->statistics(); });
}

std::size_t Crawl::print_broken(std::ostream& out) {
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
