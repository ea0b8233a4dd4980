#include "crawler/frontier/sqlite_frontier.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <unordered_map>
#include <utility>

#include "base/assert.hpp"
#include "crawler/frontier/bloom_filter.hpp"
#include "crawler/frontier/heads.hpp"
#include "crawler/frontier/host_scan.hpp"
#include "crawler/frontier/levels.hpp"
#include "crawler/frontier/store.hpp"
#include "crawler/frontier/wishes.hpp"

namespace heddle::crawler {
namespace {

constexpr Nanoseconds kCommitAfter_ns = 100'000'000;
constexpr std::size_t kPart = 8;  // of the jobs in flight, those that may have ended without a commit
constexpr JobFlags kNeedsNoPlace = kSitemap | kRecorded;

Nanoseconds wall_minus_monotonic() {
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(wall).count() - base::monotonic_ns();
}

// The numbers of the hosts found lately; the store has them all.
class HostNumbers {
 public:
  HostId find(std::string_view name, Store& store) {
    auto& [known, id] = entries_[std::hash<std::string_view>()(name) % entries_.size()];
    if (id == 0 || known != name) {
      id = store.host_id(name);
      known = name;
    }
    return id;
  }

 private:
  std::vector<std::pair<std::string, HostId>> entries_{4096};
};

std::uint64_t Levels::Count::* count_of(State state) {
  switch (state) {
    case State::kQueued:
      return &Levels::Count::queued;
    case State::kKept:
      return &Levels::Count::kept;
    default:
      return &Levels::Count::waiting;
  }
}

class SqliteFrontier final : public Frontier {
 public:
  explicit SqliteFrontier(const StoreOptions& options);

  std::size_t put(std::span<const Found> found) override;
  HostId host_id(std::string_view host) override;
  std::string host_name(HostId host) override { return store_.host_name(host); }
  std::vector<HostId> hosts(std::size_t most) override;
  Lease lease(HostId host, Nanoseconds now) override;
  Nanoseconds ready_at(HostId host, Nanoseconds now) override;
  bool full() const override;
  bool finished() const override;
  std::size_t ack(const Job& job, const Outcome& outcome, std::span<const Found> links) override;
  void keep(const Job& job, std::string_view what, const Written& written, std::span<const Found> links) override;
  std::optional<Kept> take_kept(bool any) override;
  void put_back(const Job& job, Nanoseconds due) override;
  std::vector<std::string> redirects_to(const Job& job) override;
  void visit_broken(const BrokenVisitor& visitor) override;
  Written written() const override { return written_; }
  void mark_recorded(std::string_view url) override;
  Nanoseconds tick(Nanoseconds now) override;
  void flush() override;
  Statistics statistics() const override;

 private:
  using Count = Levels::Count;

  enum class Turn : std::uint8_t {
    kQueued,
    kWaited,
    kAhead,
    kKept,  // was ahead
  };
  struct Held {  // a lease
    std::uint32_t depth;
    HostId host;
    bool needs_place;  // counts as a page when it ends
    bool found;        // more or sooner is wanted than when it was leased, or than any fetch of this kind brings
    JobFlags flags;
    Turn turn;
  };

  // Adds URLs; returns how many are new.
  std::size_t add_all(std::span<const Found> found, std::int64_t via);
  bool add(const UrlKey& key, const Found& found, std::int64_t via);
  std::int64_t add_new(const UrlKey& key, const Found& found, std::int64_t via);
  // A known URL is found in a way that may be new.
  void want(std::int64_t id, const Found& found, std::int64_t via);
  void want_again(Row& row, const Found& found, std::int64_t via);
  // A job of this depth and host was added to the queue.
  void is_queued(std::uint32_t depth, HostId host);
  // Queues a URL that was fetched now, if more is wanted of it than that brought.
  bool want_more(std::int64_t id, Want had);
  UrlKey key_of(std::string_view url, JobFlags flags) const;

  bool places() const { return pages_ + places_ < limits_.max_pages; }
  // Notices that another level, or only waiting URLs, are to be leased now.
  void follow_level();
  // The job of the host and the level that is due first, and when (wall clock).
  std::optional<std::pair<QueuedJob, std::int64_t>> first_waiting(HostId host);
  Nanoseconds due(const std::pair<QueuedJob, std::int64_t>& waiting) const { return waiting.second - wall_offset_ns_; }
  auto is_free() const {
    return [this](std::int64_t id) { return !leased_.contains(id); };
  }
  Lease give(QueuedJob next, Turn turn);
  Held end_lease(const Job& job);
  bool may_go_ahead(HostId host) const;
  auto deeper() const {
    return [this](std::uint32_t depth) {
      const auto next = levels_.queued_after(depth);
      return next && (*next < kBehindAllPages || level_ >= kBehindAllPages) ? next : std::nullopt;
    };
  }
  // Sees whether hosts may go ahead; when to look again.
  Nanoseconds look_ahead(Nanoseconds now);
  void change();  // before the first change of a transaction
  void commit_if_many();
  void commit();

  Limits limits_;
  Ahead ahead_;
  bool kept_;       // in a directory
  bool referrers_;  // for link checks
  Nanoseconds wall_offset_ns_ = wall_minus_monotonic();

  Store store_;
  BloomFilter bloom_;
  LatelySeen lately_;
  HostNumbers host_numbers_;
  Heads heads_;
  HostScan scan_;
  Levels levels_;
  std::unordered_map<std::int64_t, Held> leased_;
  std::unordered_map<HostId, std::uint64_t> running_;  // leases of each host, but for those ahead

  std::uint32_t level_ = 0;
  std::optional<Nanoseconds> level_since_;  // the first tick() of it
  bool new_level_ = true;                   // since the last tick()
  bool open_ = false;                       // hosts may go ahead
  bool had_places_ = true;
  std::uint64_t known_;
  std::uint64_t pages_;       // ended and counted
  std::uint64_t places_ = 0;  // leased or waiting, and will count
  Written written_;           // as of the last commit
  Written writing_;           // with the ended jobs since
  bool changed_ = false;      // a transaction is open
  std::size_t ended_ = 0;     // jobs in it
  Nanoseconds changed_since_ = 0;
  std::uint64_t commits_ = 0;
};

SqliteFrontier::SqliteFrontier(const StoreOptions& options)
    : limits_(options.limits),
      ahead_(options.ahead),
      kept_(options.directory.has_value()),
      referrers_(options.referrers),
      store_(options.directory),
      bloom_(store_.urls()),
      heads_(store_),
      known_(store_.urls()),
      pages_(store_.numbers().pages) {
  limits_.in_flight = std::max<std::size_t>(limits_.in_flight, 1);
  if (limits_.max_pages != Limits().max_pages) ahead_.most = 0;
  open_ = ahead_.most != 0 && ahead_.after_ns == 0;
  store_.each_key([this](const UrlKey& key) { bloom_.add(key); });
  store_.each_level([this](State state, std::uint32_t depth, std::uint64_t urls) {
    levels_.add(depth, count_of(state), static_cast<std::int64_t>(urls));
  });
  places_ = store_.waiting_without(kNeedsNoPlace);
  written_ = {store_.numbers().results_bytes, store_.numbers().archive_bytes};
  writing_ = written_;
}

// --- What is known -------------------------------------------------------------------------------------------------

UrlKey SqliteFrontier::key_of(std::string_view url, JobFlags flags) const {
  UrlKey key = store_.keys().of(url);
  // To read a sitemap and to fetch a page of the same URL are two jobs.
  if ((flags & kSitemap) != 0) key.high = ~key.high;
  return key;
}

std::size_t SqliteFrontier::put(std::span<const Found> found) {
  change();
  return add_all(found, 0);
}

// The places of some keys are on their way to the caches before the first one is needed.
std::size_t SqliteFrontier::add_all(std::span<const Found> found, std::int64_t via) {
  std::array<UrlKey, 16> keys;
  std::size_t added = 0;
  while (!found.empty()) {
    const std::span<const Found> some = found.first(std::min(found.size(), keys.size()));
    for (std::size_t i = 0; i < some.size(); ++i) {
      keys[i] = key_of(some[i].url, some[i].flags);
      lately_.prefetch(keys[i]);
    }
    for (std::size_t i = 0; i < some.size(); ++i)
      if (!lately_.find(keys[i]).covers(some[i])) bloom_.prefetch(keys[i]);
    for (std::size_t i = 0; i < some.size(); ++i) added += add(keys[i], some[i], via) ? 1 : 0;
    found = found.subspan(some.size());
  }
  return added;
}

bool SqliteFrontier::add(const UrlKey& key, const Found& found, std::int64_t via) {
  if (found.depth > limits_.max_depth && (found.flags & kCheckOnly) == 0) return false;
  LatelySeen::Entry known = lately_.find(key);
  if (!known.covers(found) && bloom_.add(key)) known = store_.find(key);
  const bool is_new = known.id == 0;
  if (is_new) {
    known = {key, add_new(key, found, via), found.depth, found.hops, want_of(found.flags)};
  } else if (!known.covers(found)) {
    want(known.id, found, via);
    if (found.depth <= known.depth && want_of(found.flags) <= known.want)
      known = {key, known.id, found.depth, found.hops, want_of(found.flags)};
  }
  lately_.set(known);
  if (referrers_) store_.add_link(known.id, via);
  return is_new;
}

std::int64_t SqliteFrontier::add_new(const UrlKey& key, const Found& found, std::int64_t via) {
  Row row;
  row.host = host_numbers_.find(found.host, store_);
  row.depth = found.depth;
  row.hops = found.hops;
  row.flags = found.flags;
  row.via = via;
  const bool sitemap = (found.flags & kSitemap) != 0;
  row.state = sitemap ? State::kWaiting : State::kQueued;
  store_.insert(key, found.url, row);
  ++known_;
  levels_.add(row.depth, sitemap ? &Count::waiting : &Count::queued, 1);
  is_queued(row.depth, row.host);
  return row.id;
}

void SqliteFrontier::is_queued(std::uint32_t depth, HostId host) {
  if (depth == level_)
    scan_.add(host);
  else if (open_)
    scan_.add_ahead(host);
  heads_.found(depth, host);
}

void SqliteFrontier::want(std::int64_t id, const Found& found, std::int64_t via) {
  Row row = store_.row(id);
  if (row.state == State::kDone) {
    const bool more = (row.flags & kIncomplete) != 0 && want_of(found.flags) < want_of(row.flags);
    if ((row.flags & kUnfound) != 0) row.host = host_numbers_.find(found.host, store_);
    if (more || (row.flags & kUnfound) != 0) want_again(row, found, via);
    return;
  }
  const std::uint32_t depth = row.depth;
  const State state = row.state;
  const bool only_looked_at = (row.flags & kCheckOnly) != 0;
  if (!merge_wish(row, found, via)) return;
  if (const auto at = leased_.find(id); at != leased_.end()) {
    Held& held = at->second;
    store_.update(row, std::nullopt);
    held.found = true;
    if (held.turn != Turn::kAhead) return;
    levels_.add(row.depth, &Count::leased, 1);
    levels_.add(std::exchange(held.depth, row.depth), &Count::leased, -1);
    return;
  }
  if (state == State::kKept && only_looked_at && (row.flags & kCheckOnly) == 0) {  // that is too little
    row.state = State::kQueued;
    store_.drop_kept(id);
  }
  store_.update(row, std::nullopt);
  heads_.drop(row.host);
  if (depth == row.depth && state == row.state) return;
  levels_.add(row.depth, count_of(row.state), 1);
  levels_.add(depth, count_of(state), -1);
  is_queued(row.depth, row.host);
}

void SqliteFrontier::want_again(Row& row, const Found& found, std::int64_t via) {
  row.state = State::kWaiting;
  row.depth = found.depth;
  row.hops = found.hops;
  row.via = via;
  const auto kept = static_cast<JobFlags>(row.flags & ~(kIncomplete | kUnfound));
  row.flags = static_cast<JobFlags>(with_want(kept, want_of(found.flags)) | (found.flags & kGiven) | kRecorded);
  row.again.reset();
  store_.update(row, 0);
  levels_.add(row.depth, &Count::waiting, 1);
  if (row.depth == level_) scan_.add(row.host);
}

bool SqliteFrontier::want_more(std::int64_t id, Want had) {
  Row row = store_.row(id);
  const Again wanted = row.again.value_or(Again{want_of(row.flags), row.depth});
  if (wanted.want >= had) return false;
  want_again(row, {{}, {}, wanted.depth, 0, with_want(0, wanted.want)}, row.via);
  return true;
}

HostId SqliteFrontier::host_id(std::string_view host) {
  change();
  return host_numbers_.find(host, store_);
}

// --- Leases ----------------------------------------------------------------------------------------------------------

void SqliteFrontier::follow_level() {
  const bool has_places = places();
  const std::uint32_t level = levels_.lowest(has_places);
  if (level == level_ && (had_places_ || !has_places)) {
    had_places_ = has_places;
    return;
  }
  level_ = level;
  new_level_ = true;
  had_places_ = has_places;
  heads_.drop_all();
  scan_.restart();
}

std::vector<HostId> SqliteFrontier::hosts(std::size_t most) {
  follow_level();
  std::vector<HostId> named = scan_.next(store_, level_, places(), most);
  if (named.empty() && open_) named = scan_.next_ahead(store_, level_, deeper(), most);
  return named;
}

bool SqliteFrontier::full() const {
  // A job that ended in the open transaction would be fetched again after a crash just as one that is leased.
  return leased_.size() + (kept_ ? ended_ : 0) >= limits_.in_flight;
}

bool SqliteFrontier::finished() const {
  const Count& total = levels_.total();
  return total.leased == 0 && total.waiting == 0 && ((total.queued == 0 && total.kept == 0) || !places());
}

Lease SqliteFrontier::lease(HostId host, Nanoseconds now) {
  follow_level();
  if (full()) return {};
  auto first = first_waiting(host);
  if (first && due(*first) <= now) return give(std::move(first->first), Turn::kWaited);
  if (places()) {
    if (auto next = heads_.take(level_, host, is_free())) return give(std::move(*next), Turn::kQueued);
    if (may_go_ahead(host))
      if (auto next = heads_.take_ahead(level_, host, is_free(), deeper())) return give(std::move(*next), Turn::kAhead);
  }
  return {std::nullopt, first ? due(*first) : kNever};
}

Nanoseconds SqliteFrontier::ready_at(HostId host, Nanoseconds now) {
  follow_level();
  const auto first = first_waiting(host);
  if (places() && heads_.any(level_, host, is_free())) return std::min(now, first ? due(*first) : kNever);
  if (level_ >= kBehindAllPages && places() && may_go_ahead(host) &&
      heads_.any_ahead(level_, host, is_free(), deeper()))
    return now;
  return first ? due(*first) : kNever;
}

std::optional<std::pair<QueuedJob, std::int64_t>> SqliteFrontier::first_waiting(HostId host) {
  if (levels_.of(level_).waiting == 0) return std::nullopt;
  auto first = store_.waiting(level_, host);
  return first && first->second != kNever ? std::move(first) : std::nullopt;  // kNever: that is leased
}

bool SqliteFrontier::may_go_ahead(HostId host) const {
  if (!open_ || levels_.total().kept >= ahead_.most) return false;
  const Count level = levels_.of(level_);
  if (level.queued != 0 || level.waiting != 0) return true;
  const auto own = running_.find(host);
  return level.leased > (own == running_.end() ? 0 : own->second);
}

Lease SqliteFrontier::give(QueuedJob next, Turn turn) {
  Job& job = next.job;
  const bool needs_place = (job.flags & kNeedsNoPlace) == 0;
  job.ahead = turn == Turn::kAhead;
  leased_.emplace(job.id, Held{job.depth, job.host, needs_place, next.again.has_value(), job.flags, turn});
  if (!job.ahead) ++running_[job.host];
  levels_.add(job.depth, &Count::leased, 1);
  levels_.add(job.depth,
              turn == Turn::kWaited ? &Count::waiting
              : turn == Turn::kKept ? &Count::kept
                                    : &Count::queued,
              -1);
  if (turn == Turn::kWaited) {
    change();
    store_.set_due(job.id, kNever);
  } else if (needs_place) {
    ++places_;
  }
  return {std::move(next.job), kNever};
}

SqliteFrontier::Held SqliteFrontier::end_lease(const Job& job) {
  const auto at = leased_.find(job.id);
  HEDDLE_ASSERT(at != leased_.end());
  const Held held = at->second;
  leased_.erase(at);
  if (held.turn == Turn::kAhead) return held;
  if (const auto host = running_.find(held.host); --host->second == 0) running_.erase(host);
  return held;
}

// --- Ahead -----------------------------------------------------------------------------------------------------------

Nanoseconds SqliteFrontier::look_ahead(Nanoseconds now) {
  if (ahead_.after_ns == 0 || ahead_.most == 0) return kNever;
  follow_level();
  if (std::exchange(new_level_, false)) {
    const bool lasted = level_since_ && now - *level_since_ >= ahead_.after_ns;
    open_ = lasted || levels_.total().kept != 0;  // for those that are ahead already shall not wait
    level_since_ = now;
  }
  const Nanoseconds then = *level_since_ + ahead_.after_ns;
  open_ = open_ || now >= then;
  return open_ || !deeper()(level_) ? kNever : then;
}

void SqliteFrontier::keep(const Job& job, std::string_view what, const Written& written, std::span<const Found> links) {
  change();
  add_all(links, job.id);
  const Held held = end_lease(job);
  HEDDLE_ASSERT(held.turn == Turn::kAhead);
  if (held.needs_place) --places_;
  const Row row = store_.row(job.id);
  const bool enough = (held.flags & kCheckOnly) == 0 || (row.flags & kCheckOnly) != 0;
  levels_.add(row.depth, enough ? &Count::kept : &Count::queued, 1);
  levels_.add(held.depth, &Count::leased, -1);
  if (enough) {
    store_.keep(job.id, what);
  } else {
    heads_.drop(row.host);
    is_queued(row.depth, row.host);
  }
  writing_ = written;
  ++ended_;
  commit_if_many();
}

std::optional<Kept> SqliteFrontier::take_kept(bool any) {
  if (levels_.total().kept == 0) return std::nullopt;
  follow_level();
  const std::uint32_t depth = any ? *levels_.lowest_kept() : level_;
  if (!places() || levels_.of(depth).kept == 0) return std::nullopt;
  auto [next, what] = store_.kept(depth);
  HEDDLE_ASSERT(!leased_.contains(next.job.id));
  return Kept{*give(std::move(next), Turn::kKept).job, std::move(what)};
}

// --- Ends ------------------------------------------------------------------------------------------------------------

std::size_t SqliteFrontier::ack(const Job& job, const Outcome& outcome, std::span<const Found> links) {
  change();
  const std::size_t added = add_all(links, job.id);
  const Held held = end_lease(job);  // a link may have been to the page itself
  HEDDLE_ASSERT(held.turn != Turn::kAhead);
  if (held.turn == Turn::kKept) store_.drop_kept(job.id);
  if (held.needs_place) {
    --places_;
    if (outcome.counts) ++pages_;
  }
  if (referrers_ && !outcome.broken.empty()) store_.set_broken(job.id, outcome.broken);
  if (outcome.complete || !held.found || !want_more(job.id, want_of(held.flags)))
    store_.set_done(job, outcome.complete ? held.flags : static_cast<JobFlags>(held.flags | kIncomplete),
                    outcome.complete && !held.found && held.turn == Turn::kQueued);
  levels_.add(held.depth, &Count::leased, -1);
  writing_ = outcome.written;
  if (held.turn != Turn::kKept) ++ended_;  // which no crash has fetched again
  commit_if_many();
  return added;
}

void SqliteFrontier::put_back(const Job& job, Nanoseconds due) {
  change();
  const Held held = end_lease(job);
  // kNever marks leases, and the wall clock's offset is added.
  store_.put_back(job.id, job.attempts + 1, std::min(due, kNever / 4) + wall_offset_ns_);
  const std::uint32_t depth = held.found ? store_.row(job.id).depth : held.depth;
  levels_.add(depth, &Count::waiting, 1);
  levels_.add(held.depth, &Count::leased, -1);
  if (depth == level_) scan_.add(job.host);
  ++ended_;
  commit_if_many();
}

void SqliteFrontier::mark_recorded(std::string_view url) {
  change();
  const UrlKey key = key_of(url, 0);
  const std::int64_t id = store_.find(key).id;
  Row row;
  if (id != 0) row = store_.row(id);
  if (row.state == State::kDone || (row.flags & kRecorded) != 0 || leased_.contains(id)) return;
  ++pages_;
  row.flags |= kRecorded;
  if (id == 0) {
    row.depth = row.hops = std::numeric_limits<std::uint32_t>::max();  // any way to find it is nearer
    row.state = State::kDone;
    row.flags |= kUnfound;
    store_.insert(key, url, row);
    bloom_.add(key);
    ++known_;
    return;
  }
  if (row.state == State::kKept) return store_.update(row, std::nullopt);
  if (row.state == State::kQueued) {
    levels_.add(row.depth, &Count::waiting, 1);
    levels_.add(row.depth, &Count::queued, -1);
  } else {
    --places_;
  }
  row.state = State::kWaiting;
  store_.update(row, 0);
  heads_.drop(row.host);
  scan_.add(row.host);
}

// --- Reports ---------------------------------------------------------------------------------------------------------

std::vector<std::string> SqliteFrontier::redirects_to(const Job& job) {
  std::vector<std::string> chain;
  Row row = store_.row(job.id);
  for (std::uint32_t hops = job.hops; hops > 0 && row.via != 0; --hops) {
    chain.push_back(store_.url(row.via));
    row = store_.row(row.via);
  }
  return chain;
}

void SqliteFrontier::visit_broken(const BrokenVisitor& visitor) {
  store_.each_broken([&](std::int64_t id, std::string_view url, std::string_view what) {
    visitor.url(url, what);
    store_.each_page_that_links(id, visitor.page);
  });
}

Statistics SqliteFrontier::statistics() const {
  const Count& total = levels_.total();
  Statistics now;
  now.known = known_;
  now.queued = total.queued;
  now.waiting = total.waiting;
  now.leased = total.leased;
  now.kept = total.kept;
  now.done = known_ - total.queued - total.waiting - total.leased - total.kept;
  now.pages = pages_;
  now.commits = commits_;
  now.level = level_;
  return now;
}

// --- Transactions ----------------------------------------------------------------------------------------------------

void SqliteFrontier::change() {
  if (changed_) return;
  store_.begin();
  changed_ = true;
}

void SqliteFrontier::commit_if_many() {
  if (kept_ && ended_ >= std::max<std::size_t>(limits_.in_flight / kPart, 1)) commit();
}

void SqliteFrontier::commit() {
  store_.commit({pages_, writing_.results_bytes, writing_.archive_bytes});
  written_ = writing_;
  ++commits_;
  changed_ = false;
  ended_ = 0;
  changed_since_ = 0;
}

Nanoseconds SqliteFrontier::tick(Nanoseconds now) {
  const Nanoseconds look_again = look_ahead(now);
  if (!changed_ || !kept_) return look_again;
  if (changed_since_ == 0) changed_since_ = now;
  if (now < changed_since_ + kCommitAfter_ns) return std::min(changed_since_ + kCommitAfter_ns, look_again);
  commit();
  return look_again;
}

void SqliteFrontier::flush() {
  if (changed_) commit();
}

}  // namespace

std::unique_ptr<Frontier> open_sqlite_frontier(const StoreOptions& options) {
  return std::make_unique<SqliteFrontier>(options);
}

}  // namespace heddle::crawler
