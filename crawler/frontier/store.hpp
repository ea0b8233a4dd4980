// The tables of sqlite_frontier.hpp, and every statement that is run on them; the rules are the frontier's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crawler/frontier/job.hpp"
#include "crawler/frontier/lately_seen.hpp"
#include "crawler/frontier/sqlite.hpp"
#include "crawler/frontier/young_rows.hpp"

namespace heddle::crawler {

// Where a URL is. A lease is not among them: it is in memory only.
enum class State : std::uint8_t {
  kQueued = 0,   // was never leased
  kWaiting = 1,  // has its place among the most pages: put back, a sitemap, or recorded before
  kDone = 2,
  kKept = 3,  // fetched ahead, see Frontier::keep()
};

// A flag of rows beside those of jobs: done, but Outcome::complete was false.
inline constexpr JobFlags kIncomplete = 32;
// Another: the results have a record of it, but the page that leads to it is not known, for its end was lost in a
// crash. The row is done, and becomes a job with kRecorded when the URL is found.
inline constexpr JobFlags kUnfound = 64;

// That a URL which is looked at as less than a page shall be looked at as more, from that depth on.
struct Again {
  Want want = Want::kPage;
  std::uint32_t depth = 0;

  auto operator<=>(const Again&) const = default;
};

struct Row {
  std::int64_t id = 0;
  HostId host = 0;
  std::uint32_t depth = 0;
  std::uint32_t hops = 0;
  State state = State::kQueued;
  JobFlags flags = 0;
  std::int64_t via = 0;  // the URL that it was found at; 0 for a given one
  std::optional<Again> again;
};

struct QueuedJob {
  Job job;
  std::optional<Again> again;
};

class Store {
 public:
  // Empty: a temporary file.
  explicit Store(const std::optional<std::filesystem::path>& directory);

  // What a commit says beside what changed in rows.
  struct Numbers {
    std::uint64_t pages = 0;  // that counted
    std::uint64_t results_bytes = 0;
    std::uint64_t archive_bytes = 0;
  };
  void begin() { database_.execute("BEGIN"); }
  void commit(const Numbers& numbers);
  Numbers numbers();  // as of the last commit of an earlier run
  const UrlKeys& keys() const { return keys_; }

  HostId host_id(std::string_view name);
  std::string host_name(HostId host);

  // What is known of a URL without a look at its row: its number, and how it was found first. To be found once more in
  // a way that this covers changes nothing, whatever became of the row since: its depth only fell, unless a fetch in
  // this way is behind it. An id of 0: not known.
  LatelySeen::Entry find(const UrlKey& key);
  // Adds a URL that is not known; sets its row's id. Any way in which it is found is new to a row with kUnfound.
  void insert(const UrlKey& key, std::string_view url, Row& row);
  Row row(std::int64_t id);
  std::string url(std::int64_t id);
  // Writes all of the row; without `due_ns` (of the wall clock), that stays what it was.
  void update(const Row& row, std::optional<std::int64_t> due_ns);
  // The job is done. `plain`: its row is queued, has these flags already, and has not changed since the job was read.
  void set_done(const Job& job, JobFlags flags, bool plain);
  // A leased job that waited is not found by waiting() until its `due_ns` is set again.
  void set_due(std::int64_t id, std::int64_t due_ns);
  void put_back(std::int64_t id, std::uint32_t attempts, std::int64_t due_ns);
  // A queued job's row becomes one with State::kKept, with what its answer brought.
  void keep(std::int64_t id, std::string_view what);
  void drop_kept(std::int64_t id) { run(drop_kept_, id); }
  // One that is kept at this depth, and with what; there must be one.
  std::pair<QueuedJob, std::string> kept(std::uint32_t depth);

  // The next hosts after `after` that have queued URLs, or waiting ones, at this depth.
  std::optional<HostId> host_after(State state, std::uint32_t depth, HostId after);
  // Queued jobs of a host after the id, in the order in which they were found.
  std::vector<QueuedJob> queued(std::uint32_t depth, HostId host, std::int64_t after, std::size_t most);
  // The one of a host that is due first, and when.
  std::optional<std::pair<QueuedJob, std::int64_t>> waiting(std::uint32_t depth, HostId host);

  void add_link(std::int64_t target, std::int64_t page) { run(add_link_, target, page); }
  void set_broken(std::int64_t id, std::string_view what) { run(set_broken_, id, what); }
  void each_broken(const std::function<void(std::int64_t id, std::string_view url, std::string_view what)>& each);
  void each_page_that_links(std::int64_t target, const std::function<void(std::string_view)>& each);

  // What a store that is opened again has.
  void each_key(const std::function<void(const UrlKey&)>& each);
  void each_level(const std::function<void(State, std::uint32_t depth, std::uint64_t urls)>& each);
  std::uint64_t urls();                           // numbers are given from 1 on, and nothing is ever removed
  std::uint64_t waiting_without(JobFlags flags);  // waiting URLs that have none of these

 private:
  // A job that is done, and whose row is in `queue` still: several that follow one another leave it at once.
  struct Ended {
    std::uint32_t depth;
    HostId host;
    std::int64_t id;
    auto operator<=>(const Ended&) const = default;
  };
  static constexpr std::size_t kMostEnded = 4096;
  static constexpr std::size_t kMostJournaled = 16'384;  // commits

  static Database open(const std::optional<std::filesystem::path>& directory);
  static UrlKeys read_keys(Database& database);
  void set_numbers(const Numbers& numbers);
  void read_journal();
  LatelySeen::Entry entry_of(std::int64_t young) const;
  void add_row(std::int64_t id, const YoungRows::Young& young);
  void move_to_tables(std::int64_t id);
  void write_out();
  void tell_ended();
  void leave_queue(std::int64_t id);
  QueuedJob job_of(const Run& run);
  QueuedJob job_of(std::int64_t young);
  const std::string& referrer(std::int64_t via);

  bool kept_;
  Database database_;
  UrlKeys keys_;
  YoungRows young_;
  bool any_old_;  // `queue` may have rows
  std::vector<Ended> ended_;
  std::size_t journaled_ = 0;                             // rows of the journal
  std::pair<std::int64_t, std::string> referrer_{0, ""};  // the last one: that of a page's neighbours, too
  Statement number_, set_number_, add_to_journal_, clear_journal_;
  Statement host_id_, host_name_, add_host_;
  Statement find_, add_seen_, insert_, row_, url_, update_, set_done_, set_due_, put_back_;
  Statement set_kept_, add_kept_, drop_kept_, next_kept_;
  Statement enqueue_, dequeue_;
  Statement queued_host_after_, waiting_host_after_, queued_, waiting_;
  Statement add_link_, set_broken_;
};

}  // namespace heddle::crawler
