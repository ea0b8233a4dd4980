// The tables of sqlite_frontier.hpp, and every statement that is run on them; the rules are the frontier's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "crawler/frontier/job.hpp"
#include "crawler/frontier/lately_seen.hpp"
#include "crawler/frontier/sqlite.hpp"

namespace heddle::crawler {

// Where a URL is. A lease is not among them: it is in memory only.
enum class State : std::uint8_t {
  kQueued = 0,   // was never leased
  kWaiting = 1,  // has its place among the most pages: put back, a sitemap, or recorded before
  kDone = 2,
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

  void begin() { database_.execute("BEGIN"); }
  void commit() { database_.execute("COMMIT"); }

  std::int64_t number(std::string_view name);  // of meta; 0 if it is not there
  void set_number(std::string_view name, std::int64_t value);
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
  void set_done(std::int64_t id, JobFlags flags);
  // A leased job that waited is not found by waiting() until its `due_ns` is set again.
  void set_due(std::int64_t id, std::int64_t due_ns);
  void put_back(std::int64_t id, std::uint32_t attempts, std::int64_t due_ns);

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
  // Keys are random, so each one that is added on its own goes to another page of the file. A store that is not kept
  // gathers so many, and adds them in their order.
  static constexpr std::size_t kGathered = 65'536;

  static Database open(const std::optional<std::filesystem::path>& directory);
  static UrlKeys read_keys(Database& database);
  static QueuedJob job_of(const Run& run);
  void add_seen(const LatelySeen::Entry& entry);
  void add_gathered();

  bool kept_;
  Database database_;
  UrlKeys keys_;
  std::unordered_map<UrlKey, LatelySeen::Entry, UrlKey::Hash> gathered_;  // not in the table yet
  Statement number_, set_number_;
  Statement host_id_, host_name_, add_host_;
  Statement find_, add_seen_, insert_, row_, url_, update_, set_done_, set_due_, put_back_;
  Statement queued_host_after_, waiting_host_after_, queued_, waiting_;
  Statement add_link_, set_broken_;
};

}  // namespace heddle::crawler
