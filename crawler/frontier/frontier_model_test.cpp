// The frontier against a plain model of it: random links, leases, ends, delays, and kills at random moments. A kill is
// a copy of the store's files as they are at that moment, which another frontier is opened on.
#include "crawler/frontier/frontier_model.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <set>

#include "crawler/frontier/sqlite_frontier.hpp"

namespace heddle::crawler {
namespace {

namespace fs = std::filesystem;

constexpr Nanoseconds kStep_ns = 1'000'000'000;  // far longer than a thread may be kept from reading two clocks
constexpr std::uint64_t kUrls = 60;
constexpr std::uint64_t kHosts = 4;

std::string host_of(std::uint64_t url) { return "https://h" + std::to_string(url % kHosts) + ".example"; }

class Play {
 public:
  Play(std::uint64_t seed, bool kept)
      : random_(seed),
        limits_(some_limits()),
        most_kept_(random_() % 3 == 0 ? random_() % 4 : 1000),
        model_(limits_, most_kept_),
        saved_(model_) {
    if (kept) directory_ = fs::temp_directory_path() / ("frontier_model." + std::to_string(::getpid()));
    open();
  }
  ~Play() {
    frontier_.reset();
    if (directory_) fs::remove_all(*directory_);
  }
  Play(const Play&) = delete;
  Play& operator=(const Play&) = delete;

  void step() {
    now_ += kStep_ns;
    const std::uint64_t choice = random_() % 100;
    if (choice < 12)
      put();
    else if (choice < 50)
      lease();
    else if (choice < 80)
      end();
    else if (choice < 90)
      put_back();
    else if (choice < 94)
      frontier_->tick(now_ + static_cast<Nanoseconds>(random_() % 2) * 200 * kStep_ns);
    else if (choice < 96)
      frontier_->flush();
    else if (choice < 98 && directory_)
      kill();
    else
      end_kept();
    if (frontier_->statistics().commits != commits_) save();
    compare();
  }

  // Does all that is left; every page that was leased and counted has one record then, whatever was lost on the way.
  void drain() {
    for (int rounds = 0; !frontier_->finished(); ++rounds) {
      ASSERT_LT(rounds, 10'000);
      now_ += 1000 * kStep_ns;
      lease();
      while (!leased_.empty()) end(false);
      while (end_kept(false)) {
      }
      if (frontier_->statistics().commits != commits_) save();
      compare();
      if (::testing::Test::HasFatalFailure()) return;
    }
    for (const auto& [name, url] : model_.urls) {
      ASSERT_FALSE(url.leased || url.waiting || url.kept);
      if (!url.sitemap) {
        ASSERT_EQ(std::count(records_.begin(), records_.end(), name), url.done ? 1 : 0) << name;
      }
    }
    EXPECT_LE(frontier_->statistics().pages, limits_.max_pages);
  }

  int went_ahead = 0;  // jobs

 private:
  Limits some_limits() {
    Limits limits;
    if (random_() % 2 == 0) limits.max_pages = 5 + random_() % kUrls;
    if (random_() % 2 == 0) limits.max_depth = static_cast<std::uint32_t>(1 + random_() % 5);
    limits.in_flight = 1 + random_() % 30;
    return limits;
  }

  void open() {
    frontier_.reset();
    frontier_ = open_sqlite_frontier({directory_, limits_, false, {most_kept_, 0}});
    commits_ = 0;
  }

  void save() {
    saved_ = model_;
    commits_ = frontier_->statistics().commits;
    uncommitted_ = 0;
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
      switch (random_() % 12) {
        case 0:
          one.flags = kCheckOnly;
          break;
        case 1:
          one.flags = kResource;
          break;
        case 2:
          one.flags = kSitemap, one.depth = 0;
          break;
        case 3:
          one.depth = 0;
          break;  // as a sitemap's
        case 4:
          one.hops = static_cast<std::uint32_t>(random_() % 3);
          break;
        default:
          break;
      }
      found.push_back(one);
    }
    for (std::size_t each = 0; each < found.size(); ++each) {
      found[each].url = texts_[2 * each];
      found[each].host = texts_[2 * each + 1];
    }
    return found;
  }

  void put() {
    std::vector<Found> found = some_links(0);
    for (Found& each : found)
      if (random_() % 2 == 0) each.flags = kGiven;
    const std::size_t before = model_.urls.size();
    for (const Found& each : found) model_.add(each);
    ASSERT_EQ(frontier_->put(found), model_.urls.size() - before);
  }

  static std::string name_of(const Job& job) { return ((job.flags & kSitemap) != 0 ? "sitemap " : "") + job.url; }

  // Leases what there is of every host that has something, or of some host.
  void lease() {
    std::set<std::string> named;
    for (;;) {
      const std::vector<HostId> hosts = frontier_->hosts(2);
      for (const HostId host : hosts) {
        named.insert(frontier_->host_name(host));
        known_hosts_.insert(host);
      }
      if (hosts.empty()) break;
    }
    for (const HostId host : known_hosts_) {
      const std::uint64_t most = random_() % 4;
      for (std::uint64_t each = 0; each < most; ++each) lease(host);
    }
    for (const auto& [name, url] : model_.urls) {
      if (!model_.free(url, now_) && !model_.free_ahead(url)) continue;
      const HostId host = frontier_->host_id(url.host);
      ASSERT_TRUE(known_hosts_.contains(host)) << name << " is at a host that was not named";
    }
  }

  void lease(HostId host) {
    const std::string host_name = frontier_->host_name(host);
    Nanoseconds due = kNever;
    bool any = false;
    std::optional<std::uint32_t> ahead;
    for (const auto& [name, url] : model_.urls) {
      if (url.host != host_name) continue;
      any = any || model_.free(url, now_);
      if (model_.free_ahead(url)) ahead = std::min(ahead.value_or(kNoDepth), url.next().depth);
      if (url.waiting && !url.leased && url.next().depth == model_.level()) due = std::min(due, url.due);
    }
    const bool full = model_.count(&FrontierModel::Url::leased) + (directory_ ? uncommitted_ : 0) >= limits_.in_flight;
    ASSERT_EQ(frontier_->full(), full);
    ASSERT_EQ(frontier_->ready_at(host, now_) <= now_, any);
    const Lease lease = frontier_->lease(host, now_);
    ASSERT_EQ(lease.job.has_value(), (any || ahead) && !full) << host_name;
    if (!lease.job) {
      if (!full && due != kNever) {
        ASSERT_NEAR(double(lease.ask_again_ns), double(due), 0.4 * kStep_ns);
      }
      return;
    }
    const Job& job = *lease.job;
    FrontierModel::Url& url = model_.urls.at(name_of(job));
    ASSERT_EQ(job.ahead, !any);
    if (job.ahead) {
      ASSERT_TRUE(model_.free_ahead(url)) << job.url;
      ASSERT_EQ(job.depth, *ahead);
      ++went_ahead;
    } else {
      ASSERT_TRUE(model_.free(url, now_)) << job.url;
    }
    ASSERT_EQ(std::tuple(job.depth, job.flags, job.attempts, host_name),
              std::tuple(url.next().depth, url.flags(), url.attempts, url.host));
    ASSERT_EQ(job.hops, url.next().hops);
    model_.lease(url, job.ahead);
    leased_.push_back(job);
  }

  std::optional<Job> take_leased() {
    if (leased_.empty()) return std::nullopt;
    std::swap(leased_[random_() % leased_.size()], leased_.back());
    Job job = std::move(leased_.back());
    leased_.pop_back();
    return job;
  }

  void end(bool with_links = true) {
    const std::optional<Job> job = take_leased();
    if (!job) return;
    ++uncommitted_;
    if (!job->ahead) return end(*job, with_links);
    const std::vector<Found> links = with_links ? some_links(job->depth + 1) : std::vector<Found>();
    for (const Found& each : links) model_.add(each);
    model_.keep(model_.urls.at(name_of(*job)));
    frontier_->keep(*job, "what " + job->url + " brought", {records_.size(), 0}, links);
  }

  void end(const Job& job, bool with_links) {
    const bool counts = random_() % 8 != 0;
    const bool complete = random_() % 2 == 0;
    if ((job.flags & (kSitemap | kRecorded)) == 0) records_.push_back(job.url);
    Outcome outcome;
    outcome.counts = counts;
    outcome.complete = complete;
    outcome.written.results_bytes = records_.size();
    const std::vector<Found> links = with_links ? some_links(job.depth + 1) : std::vector<Found>();
    for (const Found& each : links) model_.add(each);
    model_.ack(model_.urls.at(name_of(job)), counts, complete);
    frontier_->ack(job, outcome, links);
  }

  // One that was fetched ahead has its turn; false if there is none.
  bool end_kept(bool with_links = true) {
    const auto has_turn = [&](const auto& url) { return url.kept && url.depth() == model_.level(); };
    const bool any = model_.places() && model_.count(has_turn) > 0;
    const std::optional<Kept> kept = frontier_->take_kept(false);
    EXPECT_EQ(kept.has_value(), any);
    if (!kept || !any) return false;
    const Job& job = kept->job;
    FrontierModel::Url& url = model_.urls.at(name_of(job));
    EXPECT_TRUE(has_turn(url));
    EXPECT_EQ(kept->what, "what " + job.url + " brought");
    EXPECT_EQ(std::tuple(job.depth, job.flags, job.hops, job.attempts, job.ahead),
              std::tuple(url.next().depth, url.flags(), url.next().hops, 0U, false));
    model_.lease(url);
    end(job, with_links);
    return true;
  }

  void put_back() {
    const std::optional<Job> job = take_leased();
    if (!job) return;
    const Nanoseconds due = now_ + static_cast<Nanoseconds>(random_() % 20) * kStep_ns + kStep_ns / 2;
    model_.put_back(model_.urls.at(name_of(*job)), due);
    ++uncommitted_;
    frontier_->put_back(*job, due);
  }

  void kill() {
    ASSERT_LE(leased_.size() + uncommitted_, limits_.in_flight);
    const fs::path copy = directory_->string() + ".copy";
    fs::remove_all(copy);
    fs::copy(*directory_, copy);
    frontier_.reset();
    fs::remove_all(*directory_);
    fs::rename(copy, *directory_);
    open();
    model_ = saved_;
    model_.restart();
    leased_.clear();
    known_hosts_.clear();
    uncommitted_ = 0;
    for (std::size_t at = frontier_->written().results_bytes; at < records_.size(); ++at) {
      frontier_->mark_recorded(records_[at]);
      model_.mark_recorded(records_[at]);
    }
    frontier_->flush();
    save();
  }

  void compare() {
    const Statistics is = frontier_->statistics();
    const auto count = [this](auto property) { return model_.count(property); };
    using Url = FrontierModel::Url;
    ASSERT_EQ(is.known, model_.urls.size());
    ASSERT_EQ(is.pages, model_.pages);
    ASSERT_EQ(is.leased, count(&Url::leased));
    ASSERT_EQ(is.waiting, count([](const Url& url) { return url.waiting && !url.leased; }));
    ASSERT_EQ(is.queued, count(&Url::queued));
    ASSERT_EQ(is.kept, count(&Url::kept));
    ASSERT_EQ(is.done, count(&Url::done));
    ASSERT_EQ(frontier_->finished(), !model_.level().has_value());
  }

  static constexpr std::uint32_t kNoDepth = std::numeric_limits<std::uint32_t>::max();

  std::mt19937_64 random_;
  Limits limits_;
  std::uint64_t most_kept_;
  std::optional<fs::path> directory_;
  std::unique_ptr<Frontier> frontier_;
  FrontierModel model_;
  FrontierModel saved_;  // as of the last commit
  std::uint64_t commits_ = 0;
  std::size_t uncommitted_ = 0;
  Nanoseconds now_ = 1'000'000 * kStep_ns;
  std::vector<Job> leased_;
  std::set<HostId> known_hosts_;
  std::vector<std::string> records_;  // the results file
  std::vector<std::string> texts_;
};

void play(std::uint64_t first, std::uint64_t last, bool kept) {
  int ahead = 0;
  for (std::uint64_t seed = first; seed < last; ++seed) {
    Play game(seed, kept);
    for (int step = 0; step < 300; ++step) {
      game.step();
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "seed " << seed << " step " << step;
    }
    game.drain();
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
    ahead += game.went_ahead;
  }
  EXPECT_GT(ahead, 100);
}

TEST(FrontierModel, TheTemporaryStoreDoesWhatTheModelDoes) { play(1, 60, false); }

TEST(FrontierModel, AKilledStoreGoesOnFromItsLastCommitAndEveryPageHasOneRecord) { play(1000, 1040, true); }

}  // namespace
}  // namespace heddle::crawler
