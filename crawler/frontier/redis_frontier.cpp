#include "crawler/frontier/redis_frontier.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/assert.hpp"
#include "base/user_error.hpp"

namespace heddle::crawler {
namespace {

constexpr int kLayout = 1;
constexpr Nanoseconds kMillisecond_ns = 1'000'000;
constexpr Nanoseconds kTogether_ns = 4 * kMillisecond_ns;  // what is said waits so long for more, while there is work
constexpr Nanoseconds kFirstPause_ns = 2 * kMillisecond_ns;
constexpr Nanoseconds kLongestPause_ns = 100 * kMillisecond_ns;
constexpr Nanoseconds kMargin_ns = 2'000 * kMillisecond_ns;  // for clocks that do not run alike
constexpr std::size_t kEndsTogether = 8;                     // of the jobs in flight, those whose ends wait for others
constexpr std::size_t kFoundInAWord = 1000;
constexpr std::size_t kFoundInAnExchange = 2000;  // Redis does nothing else for some ten milliseconds then
constexpr std::size_t kWordsInAnExchange = 512;
constexpr std::size_t kJobsInAnExchange = 256;
constexpr std::size_t kBrokenInACall = 100;
constexpr std::size_t kPagesInACall = 1000;                    // MOST_PAGES of the script
constexpr std::uint64_t kMostInLua = std::uint64_t{1} << 53U;  // a larger number is not what it was there

std::string to_bytes(const nlohmann::json& what) {
  std::string bytes;
  nlohmann::json::to_msgpack(what, bytes);
  return bytes;
}

nlohmann::json read_bytes(std::string_view bytes) {
  nlohmann::json what = nlohmann::json::from_msgpack(bytes, true, false);
  if (!what.is_object()) throw base::UserError("Redis gave an answer that is none of the frontier's");
  return what;
}

nlohmann::json read_answer(std::string_view bytes) {
  nlohmann::json answer = read_bytes(bytes);
  if (answer.value("lost", false))
    throw FrontierLost(
        "Redis has lost what it was told last, or holds another crawl by now. Start the same command again: "
        "it goes on, and nothing is lost");
  return answer;
}

// Rounded up.
std::int64_t milliseconds(Nanoseconds ns) { return ns <= 0 ? 0 : std::min(ns, kNever / 4) / kMillisecond_ns + 1; }

std::string random_name() {
  unsigned char bytes[8];
  randombytes_buf(bytes, sizeof bytes);
  char text[2 * sizeof bytes + 1];
  return sodium_bin2hex(text, sizeof text, bytes, sizeof bytes);
}

}  // namespace

RedisFrontier::RedisFrontier(const RedisOptions& options, const RedisCall& call)
    : options_(options), call_(call), session_(random_name()) {
  options_.limits.in_flight = std::max<std::size_t>(options_.limits.in_flight, 1);
  const UrlKeys::Secret fresh = UrlKeys::new_secret();
  const Json answer = read_bytes(call_(to_bytes({{"call", "open"},
                                                 {"version", kLayout},
                                                 {"secret", std::string(fresh.begin(), fresh.end())},
                                                 {"crawl", random_name()}})));
  crawl_ = answer.value("crawl", "");
  const std::string secret = answer.value("secret", "");
  UrlKeys::Secret bytes{};
  if (answer.value("version", "") != std::to_string(kLayout) || secret.size() != bytes.size())
    throw base::UserError("the frontier in Redis is not one of this version");
  std::ranges::copy(secret, bytes.begin());
  keys_ = UrlKeys(bytes);
  statistics_.known = answer.value("known", std::uint64_t{0});
}

RedisFrontier::~RedisFrontier() = default;

UrlKey RedisFrontier::key_of(std::string_view url, JobFlags flags) const {
  UrlKey key = keys_.of(url);
  // To read a sitemap and to fetch a page of the same URL are two jobs.
  if ((flags & kSitemap) != 0) key.high = ~key.high;
  return key;
}

// --- What is said ----------------------------------------------------------------------------------------------------

void RedisFrontier::say(Word word) {
  if (unsaid_.empty()) unsaid_since_ = base::monotonic_ns();
  unsaid_.push_back(std::move(word));
  if (options_.wake) options_.wake();
}

void RedisFrontier::say_end(const Job& job, Word word) {
  Held& held = held_.at(job.id);
  HEDDLE_ASSERT(held.stage == Stage::kStarted);
  held.stage = Stage::kEnded;
  --started_;
  ++ended_;
  word.ended = job.id;
  say(std::move(word));
}

std::vector<nlohmann::json> RedisFrontier::worth_saying(std::span<const Found> found) {
  std::vector<Json> all;
  for (const Found& each : found) {
    if (each.depth > options_.limits.max_depth && (each.flags & kCheckOnly) == 0) continue;
    const UrlKey key = key_of(each.url, each.flags);
    const bool covered = lately_.find(key).covers(each);
    if (covered && !options_.referrers) continue;
    if (!covered) lately_.set({key, 1, each.depth, each.hops, want_of(each.flags)});
    const auto bytes = key.bytes();
    all.push_back({std::string(bytes.begin(), bytes.end()), std::string(each.url), std::string(each.host), each.depth,
                   each.hops, each.flags});
  }
  return all;
}

std::size_t RedisFrontier::put(std::span<const Found> found) {
  for (; !found.empty(); found = found.subspan(std::min(found.size(), kFoundInAWord))) {
    std::vector<Json> part = worth_saying(found.first(std::min(found.size(), kFoundInAWord)));
    const std::size_t many = part.size();
    if (many > 0) say({{"put", std::move(part), "", Json::array()}, many});
  }
  return 0;
}

std::size_t RedisFrontier::ack(const Job& job, const Outcome& outcome, std::span<const Found> links) {
  const Held& held = held_.at(job.id);
  if (lost_ > 0) recorded_.insert(held.key);
  Json chain = Json::array({job.url});  // of what this job redirected to
  for (const std::string& url : held.chain) chain.push_back(url);
  while (links.size() > kFoundInAWord) {
    std::vector<Json> part = worth_saying(links.first(kFoundInAWord));
    links = links.subspan(kFoundInAWord);
    const std::size_t many = part.size();
    say({{"put", std::move(part), job.url, chain}, many});
  }
  std::vector<Json> part = worth_saying(links);
  const std::size_t many = part.size();
  say_end(job, {{"ack", held.key, job.id, outcome.counts, outcome.complete, std::string(outcome.broken), job.url,
                 std::move(part), std::move(chain)},
                many});
  return 0;
}

void RedisFrontier::put_back(const Job& job, Nanoseconds due) {
  say_end(job, {.what = {"retry", held_.at(job.id).key, job.id}, .at = due});
}

void RedisFrontier::mark_recorded(std::string_view url) {
  const auto bytes = key_of(url, 0).bytes();
  say({{"recorded", std::string(bytes.begin(), bytes.end())}});
}

bool RedisFrontier::recorded(const Job& job) {
  return (job.flags & kRecorded) != 0 || recorded_.contains(held_.at(job.id).key);
}

// --- Hosts and jobs --------------------------------------------------------------------------------------------------

HostId RedisFrontier::host_id(std::string_view host) {
  const HostId id = number_of(host);
  names_.try_emplace(id, host);  // though hosts_ may have it: when it rests, it has it no longer
  return id;
}

std::string RedisFrontier::host_name(HostId host) {
  if (const auto at = hosts_.find(host); at != hosts_.end()) return at->second.name;
  const auto at = names_.find(host);
  return at == names_.end() ? std::string() : at->second;
}

std::vector<HostId> RedisFrontier::hosts(std::size_t most) {
  std::vector<HostId> named;
  for (; named.size() < most && !named_.empty(); named_.pop_front())
    if (const auto at = hosts_.find(named_.front()); at != hosts_.end() && !at->second.jobs.empty())
      named.push_back(named_.front());
  return named;
}

Nanoseconds RedisFrontier::ready_at(HostId host, Nanoseconds now) {
  const auto at = hosts_.find(host);
  if (at == hosts_.end() || at->second.jobs.empty()) return kNever;
  if (lasts(now)) return now;
  denied_ = true;
  return kNever;
}

Lease RedisFrontier::lease(HostId id, Nanoseconds now) {
  if (full() || ready_at(id, now) > now) return {};
  Host& host = hosts_.at(id);
  Job job = std::move(host.jobs.front());
  host.jobs.pop_front();
  held_.at(job.id).stage = Stage::kStarted;
  --granted_;
  ++started_;
  refill_ = refill_ || (host.owned && host.jobs.size() == options_.per_host / 2 && options_.per_host > 1);
  if (refill_ && options_.wake) options_.wake();
  return {std::move(job), kNever};
}

std::vector<std::string> RedisFrontier::redirects_to(const Job& job) { return held_.at(job.id).chain; }

void RedisFrontier::asked(HostId id) {
  const auto at = hosts_.try_emplace(id).first;
  if (at->second.name.empty()) at->second.name = names_.at(id);
  ++at->second.running;
}

void RedisFrontier::rests(HostId id, Nanoseconds until) {
  Host& host = hosts_.at(id);
  --host.running;
  host.until = std::max(host.until, until);
  rest_if_idle(id);
}

void RedisFrontier::rest_if_idle(HostId id) {
  const Host& host = hosts_.at(id);
  if (host.running > 0 || !host.jobs.empty()) return;
  if (host.owned) say({.what = {"rest", host.name}, .at = host.until});
  hosts_.erase(id);
}

bool RedisFrontier::may_ask(HostId id, Nanoseconds now) const {
  if (!lasts(now)) return false;
  if (!options_.one_at_a_time) return true;
  const auto at = hosts_.find(id);
  return at != hosts_.end() && at->second.owned;
}

bool RedisFrontier::claim(HostId id) {
  if (!options_.one_at_a_time || may_ask(id, base::monotonic_ns())) return true;
  std::string name = host_name(id);
  const auto claims = [&](const Word& word) { return word.what[0] == "claim" && word.what[1] == name; };
  if (std::ranges::none_of(unsaid_, claims) && std::ranges::none_of(sent_, claims)) say({{"claim", std::move(name)}});
  return false;
}

bool RedisFrontier::finished() const { return finished_ && unsaid_.empty() && !waits_ && held_.empty(); }

// --- Exchanges -------------------------------------------------------------------------------------------------------

std::size_t RedisFrontier::wanted_hosts() const {
  const std::size_t most = options_.limits.in_flight;
  const std::size_t have =
      options_.one_at_a_time ? std::max(hosts_.size(), started_ + ended_) : std::min(granted_, most);
  return have < most && lasts(sent_at_) ? most - have : 0;
}

std::size_t RedisFrontier::wanted_jobs() const {
  const std::size_t most = options_.limits.in_flight * (options_.one_at_a_time ? options_.per_host : 2);
  return granted_ < most ? std::min(most - granted_, kJobsInAnExchange) : 0;
}

Nanoseconds RedisFrontier::exchange_at(Nanoseconds now) const {
  if (waits_ || keep_ || leaving_ || !joined_) return now;
  Nanoseconds at = sent_at_ + options_.lease_ns / 6;
  if (refill_) at = std::min(at, sent_at_ + kTogether_ns);
  if (!unsaid_.empty()) {
    const bool soon = granted_ == 0 || ended_ * kEndsTogether >= options_.limits.in_flight;
    at = std::min(at, soon ? now : unsaid_since_ + kTogether_ns);
  }
  if (wanted_hosts() > 0 && wanted_jobs() > 0) at = std::min(at, ask_again_at_);
  return at;
}

nlohmann::json RedisFrontier::kept_jobs() const {
  Json kept = Json::array();
  for (const auto& [id, held] : held_) kept.push_back(id);
  return kept;
}

nlohmann::json RedisFrontier::kept_hosts() const {
  Json kept = Json::array();
  for (const auto& [id, host] : hosts_)
    if (host.owned) kept.push_back(host.name);
  for (const Word& word : unsaid_)
    if (word.what[0] == "rest") kept.push_back(word.what[1]);
  return kept;
}

std::string RedisFrontier::request(Nanoseconds now) {
  const bool again = std::exchange(waits_, true);
  if (!again) {
    ++number_;
    for (std::size_t found = 0; !unsaid_.empty() && found < kFoundInAnExchange && sent_.size() < kWordsInAnExchange;
         unsaid_.pop_front()) {
      found += unsaid_.front().found;
      sent_.push_back(std::move(unsaid_.front()));
    }
    unsaid_since_ = now;
  }
  sent_at_ = now;
  Json words = Json::array();
  for (const Word& word : sent_) {
    words.push_back(word.what);
    if (word.at) words.back().push_back(milliseconds(*word.at - now));
  }
  Json more = Json::array();
  for (auto& [id, host] : hosts_)
    if (host.owned && options_.per_host > 1 && 2 * host.jobs.size() <= options_.per_host && host.running > 0)
      more.push_back(host.name);
  last_ = leaving_ && unsaid_.empty();
  refill_ = false;
  const Nanoseconds ahead = options_.clock_ahead != nullptr ? *options_.clock_ahead : 0;
  Json request = {{"call", "exchange"},
                  {"crawl", crawl_},
                  {"session", session_},
                  {"clock", options_.given_clock ? Json((now + ahead) / kMillisecond_ns) : Json(false)},
                  {"leaps", options_.given_clock && options_.clock_ahead == nullptr},
                  {"number", number_},
                  {"sent", ++times_sent_},
                  {"lease", options_.lease_ns / kMillisecond_ns},
                  {"pause", milliseconds(options_.pause_ns)},
                  {"leave", last_},
                  {"check", options_.referrers},
                  {"exclusive", options_.one_at_a_time},
                  {"max_pages", std::min(options_.limits.max_pages, kMostInLua)},
                  {"per_host", options_.one_at_a_time ? options_.per_host : kJobsInAnExchange},
                  {"hosts", leaving_ ? 0 : wanted_hosts()},
                  {"jobs", leaving_ ? 0 : wanted_jobs()},
                  {"more", leaving_ ? Json::array() : std::move(more)},
                  {"say", std::move(words)}};
  if (again || std::exchange(keep_, false)) {
    request["keep"] = kept_jobs();
    request["keep_hosts"] = kept_hosts();
  }
  return to_bytes(request);
}

void RedisFrontier::answer(std::string_view reply, Nanoseconds now) {
  const Json answer = read_answer(reply);
  waits_ = false;
  left_ = last_;
  const bool lost = joined_ && answer.at("new").get<bool>();
  if (lost) remember_ends();
  for (const Word& word : sent_) {
    if (word.ended == 0 || !held_.contains(word.ended)) continue;
    forget(word.ended);
    --ended_;
  }
  sent_.clear();
  const auto number = [&answer](const char* name) { return answer.value(name, std::uint64_t{0}); };
  if (lost) lose_all();
  joined_ = true;
  valid_until_ = sent_at_ + options_.lease_ns - kMargin_ns;
  statistics_ = {number("known"),
                 number("q"),
                 number("w"),
                 number("l"),
                 0,
                 number("pages"),
                 statistics_.commits + 1,
                 static_cast<std::uint32_t>(number("level"))};
  statistics_.done = statistics_.known - statistics_.queued - statistics_.waiting - statistics_.leased;
  finished_ = answer.value("finished", false);
  for (const Json& name : answer.at("claimed")) {
    const auto at = hosts_.find(number_of(name.get<std::string>()));
    if (at != hosts_.end())
      at->second.owned = true;
    else
      say({.what = {"rest", name}, .at = now});  // nobody waits for it any more
  }
  const std::size_t had = granted_;
  for (const Json& granted : answer.at("granted")) take_grant(granted);
  give_back_other_levels();
  if (std::exchange(denied_, false))
    for (const auto& [id, host] : hosts_) named_.push_back(id);
  const bool fed = granted_ > had;
  pause_before_asking_ns_ =
      fed ? kFirstPause_ns / 2 : std::clamp(2 * pause_before_asking_ns_, kFirstPause_ns, kLongestPause_ns);
  ask_again_at_ = fed ? now : now + pause_before_asking_ns_;
}

void RedisFrontier::take_grant(const Json& granted) {
  std::string name = granted.at(0);
  const HostId id = number_of(name);
  Host& host = hosts_[id];
  host.name = std::move(name);
  host.owned = options_.one_at_a_time;
  for (const Json& given : granted.at(1)) host.jobs.push_back(take_job(given, id));
  if (host.jobs.empty()) return;
  named_.push_back(id);
}

Job RedisFrontier::take_job(const Json& given, HostId host) {
  Job job;
  job.id = given.at(8);
  job.host = host;
  job.url = given.at(1);
  job.referrer = given.at(2);
  job.depth = given.at(4);
  job.hops = given.at(5);
  job.attempts = given.at(6);
  job.flags = given.at(7);
  Held& held = held_[job.id];
  held.key = given.at(0);
  for (const Json& url : given.at(3)) held.chain.push_back(url);
  ++granted_;
  return job;
}

// Jobs that are deeper than what is to be done first, for a sitemap or a redirect has led back.
void RedisFrontier::give_back_other_levels() {
  std::vector<HostId> changed;
  for (auto& [id, host] : hosts_) {
    const auto other = [this](const Job& job) { return job.depth != statistics_.level; };
    if (std::ranges::none_of(host.jobs, other)) continue;
    changed.push_back(id);
    for (const Job& job : host.jobs) {
      if (!other(job)) continue;
      say({{"back", held_.at(job.id).key, job.id}});
      held_.erase(job.id);
      --granted_;
    }
    std::erase_if(host.jobs, other);
  }
  for (const HostId id : changed) rest_if_idle(id);
}

// A process may be granted once more what it has recorded, for its end came too late.
void RedisFrontier::remember_ends() {
  const auto remember = [this](const Word& word) {
    if (word.what[0] == "ack") recorded_.insert(word.what[1].get<std::string>());
  };
  std::ranges::for_each(sent_, remember);
  std::ranges::for_each(unsaid_, remember);
}

void RedisFrontier::forget(std::int64_t job) {
  const auto at = held_.find(job);
  if (at->second.lost) --lost_;
  held_.erase(at);
}

// The session had ended: others have what was granted. What was begun is brought to its end.
void RedisFrontier::lose_all() {
  std::vector<HostId> idle;
  for (auto& [id, host] : hosts_) {
    for (const Job& job : host.jobs) held_.erase(job.id);
    granted_ -= host.jobs.size();
    host.jobs.clear();
    host.owned = false;
    if (host.running == 0) idle.push_back(id);
  }
  for (const HostId id : idle) hosts_.erase(id);
  for (auto& [id, held] : held_) held.lost = true;
  lost_ = held_.size();
  keep_ = true;
}

nlohmann::json RedisFrontier::ask_broken(Json request) {
  request["crawl"] = crawl_;
  return read_answer(call_(to_bytes(request)));
}

// In pieces, for Redis does nothing else while it gives one.
void RedisFrontier::visit_broken(const BrokenVisitor& visitor) {
  for (std::size_t from = 0;; from += kBrokenInACall) {
    const Json answer = ask_broken({{"call", "broken"}, {"from", from}, {"most", kBrokenInACall}});
    for (const Json& each : answer.at("broken")) {
      visitor.url(each.at(1).get<std::string>(), each.at(2).get<std::string>());
      if (each.at(3).is_boolean())
        visit_many_pages(visitor, each.at(0));
      else
        visit_pages(visitor, each.at(3));
    }
    if (answer.at("broken").size() < kBrokenInACall) return;
  }
}

void RedisFrontier::visit_pages(const BrokenVisitor& visitor, const Json& pages) {
  for (const Json& page : pages) visitor.page(page.get<std::string>());
}

void RedisFrontier::visit_many_pages(const BrokenVisitor& visitor, const Json& key) {
  std::set<std::uint64_t> numbers;  // SSCAN may name one twice, and in any order
  for (std::string cursor = "0";;) {
    const Json answer = ask_broken({{"call", "numbers"}, {"key", key}, {"cursor", cursor}});
    for (const Json& number : answer.at("numbers")) numbers.insert(std::stoull(number.get<std::string>()));
    cursor = answer.at("cursor");
    if (cursor == "0") break;
  }
  while (!numbers.empty()) {
    const auto end = std::next(numbers.begin(), static_cast<std::ptrdiff_t>(std::min(numbers.size(), kPagesInACall)));
    const Json answer = ask_broken({{"call", "pages"}, {"numbers", std::vector<std::uint64_t>(numbers.begin(), end)}});
    visit_pages(visitor, answer.at("pages"));
    numbers.erase(numbers.begin(), end);
  }
}

}  // namespace heddle::crawler
