// The requests of a crawl, for robots.txt and for URLs: each in its host's turn.
#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "base/clock.hpp"
#include "base/on_exit.hpp"
#include "crawler/crawl/visit.hpp"

namespace heddle::crawler {
namespace {

constexpr std::uint32_t kAttempts = 3;  // of one URL, or of a host's robots.txt

// How long 429 and 503 want one to stay away; nothing for other answers.
std::optional<std::chrono::nanoseconds> pause_asked_for(const Answer& answer) {
  constexpr std::chrono::seconds kLongest{7 * 24 * 3600};
  if (answer.error != FetchError::kNone || (answer.status != 429 && answer.status != 503)) return std::nullopt;
  return std::min(answer.retry_after.value_or(std::chrono::seconds(1)), kLongest);
}

}  // namespace

// A request goes out, when the host's pause is over and no other one runs. Not at once where it comes beside the one
// that was granted: another hop of robots.txt, a GET where HEAD was refused.
void Crawl::start(HostId host) {
  enum class Turn : std::uint8_t { kNow, kLater, kNotMine };
  constexpr std::chrono::milliseconds kPause{10};  // between looks whether the one that runs is over
  for (;;) {
    pico::Time allowed;
    const Turn turn = locked([&] {
      const Nanoseconds now = base::monotonic_ns();
      allowed = as_time(politeness_->allowed_at(host));
      if (!frontier_->may_ask(host, now)) return Turn::kNotMine;
      if (!politeness_->may_start(host, now)) return Turn::kLater;
      politeness_->started(host, now);
      return Turn::kNow;
    });
    if (turn == Turn::kNotMine) throw LeaseIsOver();
    if (turn == Turn::kNow) return;
    pico::sleep_until(std::max(allowed, pico::Clock::now() + kPause));
  }
}

Answer Crawl::ask(const Url& url, HostId host, Method method) {
  Answer answer;
  ask(url, host, method, answer);
  return answer;
}

void Crawl::ask(const Url& url, HostId host, Method method, Answer& answer) {
  // Not on the stack, of which one page is to suffice while it waits, as in Crawl::visit().
  const auto owned = std::make_unique<Request>();
  Request& request = *owned;
  request.method = method;
  request.scheme = url.scheme();
  request.host = url.host();
  request.port = url.port();
  request.target = url.path_and_query();
  request.headers = options_.headers;
  request.limits.body = options_.max_bytes;
  request.limits.timeout = options_.timeout;
  request.limits.connect_timeout = std::min(request.limits.connect_timeout, options_.timeout);
  bool started = false;
  const auto begin = [&] {
    start(host);
    started = true;
  };
  const auto end = [&] {
    if (!std::exchange(started, false)) return;
    const std::scoped_lock lock(mutex_);
    politeness_->ended(host);
  };
  request.before_again = [&] {
    end();
    begin();
  };
  request.keep_raw = archive_.has_value();
  const base::OnExit at_end(end);
  begin();
  ++figures_.requests;
  ++figures_.running;
  const base::OnExit over([&] { --figures_.running; });
  client_.fetch(request, answer);
  figures_.wire_bytes += answer.wire_bytes;
}

std::string_view Crawl::error_without_asking(const Job& job, const Url& url) {
  if (!options_.robots) return {};
  const std::scoped_lock lock(mutex_);
  return sites_.error_of(job.host, url.path_and_query());
}

// 429 and 503 say when to come back; other failures of a server may be gone at the next attempt.
bool Crawl::try_again(const Job& job, const Answer& answer, Method method) {
  if (job.attempts + 1 >= kAttempts) return false;
  std::chrono::nanoseconds wait{0};
  if (const auto asked_for = pause_asked_for(answer)) {
    wait = *asked_for;
  } else if (answer.error == FetchError::kNone || answer.error == FetchError::kTooLarge ||
             answer.error == FetchError::kDecode) {
    if (answer.status < 500 || answer.status > 599 || (method == Method::kHead && answer.status == 501)) return false;
  } else if (answer.error != FetchError::kTimeout && answer.error != FetchError::kReset) {
    return false;
  }
  if (options_.max_time && pico::Clock::now() + wait >= end_) return false;
  locked([&] {
    frontier_->put_back(job, base::monotonic_ns() + wait.count());
    release(job.host);
  });
  return true;
}

// --- robots.txt ---

// A host that nobody has granted to this thread.
Answer Crawl::ask_elsewhere(const Url& url) {
  const HostId host = locked([&] {
    const HostId id = frontier_->host_id(url.origin());
    frontier_->asked(id);
    return id;
  });
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
  return ask(url, host, Method::kGet);
}

// Five redirects in a row at least are followed (RFC 9309, section 2.3.1.2), to other hosts too.
Answer Crawl::fetch_robots_following(const Url& first, HostId host) {
  constexpr int kMostRedirects = 5;
  Url url = first;
  for (int hop = 0;; ++hop) {
    Answer answer = url.origin() == first.origin() ? ask(url, host, Method::kGet) : ask_elsewhere(url);
    if (!is_redirect(answer) || hop == kMostRedirects) return answer;
    const std::optional<Url> target = Url::parse(answer.location, &url);
    if (!target || !target->is_web()) return answer;
    url = *target;
  }
}

// How long to wait before the next attempt; nothing: `answer` is the last one.
std::optional<std::chrono::nanoseconds> Crawl::ask_for_robots(const Url& url, HostId host, Answer& answer) {
  for (;;) {
    answer = fetch_robots_following(url, host);
    if (locked([&] { return sites_.count_robots(host); }) >= kAttempts) return std::nullopt;
    if (const auto pause = pause_asked_for(answer))
      return options_.max_time && pico::Clock::now() + *pause >= end_ ? std::nullopt : pause;
    const bool may_recover = answer.error == FetchError::kTimeout || answer.error == FetchError::kReset ||
                             (answer.error == FetchError::kNone && answer.status >= 500);
    if (!may_recover) return std::nullopt;
  }
}

void Crawl::fetch_robots(HostId host) {
  const std::string origin = locked([&] { return frontier_->host_name(host); });
  const std::optional<Url> url = Url::parse(origin + "/robots.txt");
  Answer answer;
  try {
    if (const auto pause = ask_for_robots(*url, host, answer)) {
      locked([&] { release(host, base::monotonic_ns() + pause->count()); });
      return;
    }
  } catch (const LeaseIsOver&) {
    locked([&] { release(host); });
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
    release(host);
  });
}

}  // namespace heddle::crawler
