#include "crawler/frontier/store.hpp"

#include <algorithm>
#include <limits>

#include "base/user_error.hpp"

namespace heddle::crawler {
namespace {

constexpr std::int64_t kApplicationId = 0x68646c63;  // "hdlc"
constexpr std::int64_t kVersion = 1;

// Two partial indexes, so that what is done costs nothing when jobs are looked for.
constexpr const char* kTables = R"(
  CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE host(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE url(id INTEGER PRIMARY KEY, url TEXT NOT NULL, host INTEGER NOT NULL, depth INTEGER NOT NULL,
                   hops INTEGER NOT NULL, state INTEGER NOT NULL, flags INTEGER NOT NULL, attempts INTEGER NOT NULL,
                   due INTEGER NOT NULL, via INTEGER NOT NULL, again INTEGER);
  CREATE INDEX queued ON url(depth, host, id) WHERE state = 0;
  CREATE INDEX waiting ON url(depth, host, due) WHERE state = 1;
  CREATE TABLE seen(key BLOB PRIMARY KEY, id INTEGER NOT NULL, depth INTEGER NOT NULL, hops INTEGER NOT NULL,
                    want INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE link(target INTEGER, page INTEGER, PRIMARY KEY(target, page)) WITHOUT ROWID;
  CREATE TABLE broken(id INTEGER PRIMARY KEY, what TEXT NOT NULL);
)";

#define HEDDLE_JOB_COLUMNS                                                            \
  "u.id, u.host, u.url, u.depth, u.hops, u.flags, u.attempts, u.again, u.due, v.url " \
  "FROM url u LEFT JOIN url v ON v.id = u.via "

std::optional<std::int64_t> pack(const std::optional<Again>& again) {
  if (!again) return std::nullopt;
  return static_cast<std::int64_t>(again->want) << 32 | again->depth;
}

std::optional<Again> unpack(const Run& run, int column) {
  if (run.null(column)) return std::nullopt;
  const std::int64_t packed = run.integer(column);
  return Again{static_cast<Want>(packed >> 32), static_cast<std::uint32_t>(packed)};
}

void set_up(Database& database) {
  database.execute("BEGIN");
  database.execute(kTables);
  Statement add(database, "INSERT INTO meta(name, value) VALUES ('secret', ?)");
  const UrlKeys::Secret secret = UrlKeys::new_secret();
  run(add, std::span<const unsigned char>(secret));
  database.execute(("PRAGMA application_id = " + std::to_string(kApplicationId)).c_str());
  database.execute(("PRAGMA user_version = " + std::to_string(kVersion)).c_str());
  database.execute("COMMIT");
}

}  // namespace

Database Store::open(const std::optional<std::filesystem::path>& directory) {
  if (!directory) {
    Database database("");
    database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000;");
    set_up(database);
    return database;
  }
  std::error_code error;
  std::filesystem::create_directories(*directory, error);
  if (error) throw base::UserError(directory->string() + ": " + error.message());
  const std::string file = *directory / "frontier.db";
  Database database(file);
  try {
    // A write-ahead log that reaches the disk when it is copied into the file: a kill loses nothing that was committed,
    // a power failure may lose the last commits, but does no damage.
    database.execute(
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
        "PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 4000; BEGIN EXCLUSIVE; COMMIT;");
  } catch (const base::UserError&) {
    if (sqlite3_errcode(database.handle()) != SQLITE_BUSY) throw;
    throw base::UserError(directory->string() + ": another crawl is using it");
  }
  if (database.integer("SELECT count(*) FROM sqlite_master") == 0) set_up(database);
  if (database.integer("PRAGMA application_id") != kApplicationId ||
      database.integer("PRAGMA user_version") != kVersion)
    throw base::UserError(file + ": not the state of a crawl of this version");
  return database;
}

UrlKeys Store::read_keys(Database& database) {
  Statement statement(database, "SELECT value FROM meta WHERE name = 'secret'");
  Run run(statement);
  UrlKeys::Secret secret{};
  if (!run.next() || run.text(0).size() != secret.size())
    throw base::UserError("the state of the crawl has lost its key");
  std::ranges::copy(run.text(0), secret.begin());
  return UrlKeys(secret);
}

Store::Store(const std::optional<std::filesystem::path>& directory)
    : kept_(directory.has_value()),
      database_(open(directory)),
      keys_(read_keys(database_)),
      number_(database_, "SELECT value FROM meta WHERE name = ?"),
      set_number_(database_, "INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)"),
      host_id_(database_, "SELECT id FROM host WHERE name = ?"),
      host_name_(database_, "SELECT name FROM host WHERE id = ?"),
      add_host_(database_, "INSERT INTO host(name) VALUES (?)"),
      find_(database_, "SELECT id, depth, hops, want FROM seen WHERE key = ?"),
      add_seen_(database_, "INSERT INTO seen(key, id, depth, hops, want) VALUES (?, ?, ?, ?, ?)"),
      insert_(database_,
              "INSERT INTO url(url, host, depth, hops, state, flags, attempts, due, via)"
              "VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?)"),
      row_(database_, "SELECT host, depth, hops, state, flags, via, again FROM url WHERE id = ?"),
      url_(database_, "SELECT url FROM url WHERE id = ?"),
      update_(database_,
              "UPDATE url SET host = ?, depth = ?, hops = ?, state = ?, flags = ?, via = ?, again = ?, due = "
              "coalesce(?, due) "
              "WHERE id = ?"),
      set_done_(database_, "UPDATE url SET state = 2, flags = ? WHERE id = ?"),
      set_due_(database_, "UPDATE url SET due = ? WHERE id = ?"),
      put_back_(database_, "UPDATE url SET state = 1, attempts = ?, due = ? WHERE id = ?"),
      queued_host_after_(database_,
                         "SELECT host FROM url INDEXED BY queued WHERE state = 0 AND depth = ? AND host > ? "
                         "ORDER BY host LIMIT 1"),
      waiting_host_after_(database_,
                          "SELECT host FROM url INDEXED BY waiting WHERE state = 1 AND depth = ? AND host > ? "
                          "ORDER BY host LIMIT 1"),
      queued_(database_, "SELECT " HEDDLE_JOB_COLUMNS
                         "WHERE u.state = 0 AND u.depth = ? AND u.host = ? AND u.id > ? ORDER BY u.id LIMIT ?"),
      waiting_(database_,
               "SELECT " HEDDLE_JOB_COLUMNS "WHERE u.state = 1 AND u.depth = ? AND u.host = ? ORDER BY u.due LIMIT 1"),
      add_link_(database_, "INSERT OR IGNORE INTO link(target, page) VALUES (?, ?)"),
      set_broken_(database_, "INSERT OR REPLACE INTO broken(id, what) VALUES (?, ?)") {
  // Leases of waiting jobs that a killed run held.
  Statement release(database_, "UPDATE url SET due = 0 WHERE state = 1 AND due = ?");
  run(release, std::int64_t{kNever});
}

std::int64_t Store::number(std::string_view name) {
  Run run(number_, name);
  return run.next() ? run.integer(0) : 0;
}

void Store::set_number(std::string_view name, std::int64_t value) { run(set_number_, name, value); }

HostId Store::host_id(std::string_view name) {
  {
    Run run(host_id_, name);
    if (run.next()) return run.integer(0);
  }
  run(add_host_, name);
  return database_.last_id();
}

std::string Store::host_name(HostId host) {
  Run run(host_name_, host);
  return run.next() ? std::string(run.text(0)) : std::string();
}

LatelySeen::Entry Store::find(const UrlKey& key) {
  if (const auto gathered = gathered_.find(key); gathered != gathered_.end()) return gathered->second;
  const auto bytes = key.bytes();
  Run run(find_, std::span<const unsigned char>(bytes));
  if (!run.next()) return {};
  const auto number = [&run](int column) { return static_cast<std::uint32_t>(run.integer(column)); };
  return {key, run.integer(0), number(1), number(2), static_cast<Want>(run.integer(3))};
}

void Store::insert(const UrlKey& key, std::string_view url, Row& row) {
  run(insert_, url, row.host, std::int64_t{row.depth}, std::int64_t{row.hops}, static_cast<std::int64_t>(row.state),
      std::int64_t{row.flags}, row.via);
  row.id = database_.last_id();
  const LatelySeen::Entry entry{key, row.id, row.depth, row.hops, want_of(row.flags)};
  if (kept_) return add_seen(entry);
  gathered_.emplace(key, entry);
  if (gathered_.size() == kGathered) add_gathered();
}

void Store::add_seen(const LatelySeen::Entry& entry) {
  const auto bytes = entry.key.bytes();
  run(add_seen_, std::span<const unsigned char>(bytes), entry.id, std::int64_t{entry.depth}, std::int64_t{entry.hops},
      static_cast<std::int64_t>(entry.want));
}

void Store::add_gathered() {
  std::vector<LatelySeen::Entry> entries;
  entries.reserve(gathered_.size());
  for (const auto& [key, entry] : gathered_) entries.push_back(entry);
  gathered_.clear();
  std::ranges::sort(entries, {}, [](const LatelySeen::Entry& entry) { return entry.key.bytes(); });
  for (const LatelySeen::Entry& entry : entries) add_seen(entry);
}

Row Store::row(std::int64_t id) {
  Run run(row_, id);
  Row row;
  if (!run.next()) return row;
  row.id = id;
  row.host = run.integer(0);
  row.depth = static_cast<std::uint32_t>(run.integer(1));
  row.hops = static_cast<std::uint32_t>(run.integer(2));
  row.state = static_cast<State>(run.integer(3));
  row.flags = static_cast<JobFlags>(run.integer(4));
  row.via = run.integer(5);
  row.again = unpack(run, 6);
  return row;
}

std::string Store::url(std::int64_t id) {
  Run run(url_, id);
  return run.next() ? std::string(run.text(0)) : std::string();
}

void Store::update(const Row& row, std::optional<std::int64_t> due_ns) {
  run(update_, row.host, std::int64_t{row.depth}, std::int64_t{row.hops}, static_cast<std::int64_t>(row.state),
      std::int64_t{row.flags}, row.via, pack(row.again), due_ns, row.id);
}

void Store::set_done(std::int64_t id, JobFlags flags) { run(set_done_, std::int64_t{flags}, id); }

void Store::set_due(std::int64_t id, std::int64_t due_ns) { run(set_due_, due_ns, id); }

void Store::put_back(std::int64_t id, std::uint32_t attempts, std::int64_t due_ns) {
  run(put_back_, std::int64_t{attempts}, due_ns, id);
}

std::optional<HostId> Store::host_after(State state, std::uint32_t depth, HostId after) {
  Run run(state == State::kQueued ? queued_host_after_ : waiting_host_after_, std::int64_t{depth}, after);
  return run.next() ? std::optional(run.integer(0)) : std::nullopt;
}

QueuedJob Store::job_of(const Run& run) {
  QueuedJob found;
  Job& job = found.job;
  job.id = run.integer(0);
  job.host = run.integer(1);
  job.url = run.text(2);
  job.depth = static_cast<std::uint32_t>(run.integer(3));
  job.hops = static_cast<std::uint32_t>(run.integer(4));
  job.flags = static_cast<JobFlags>(run.integer(5));
  job.attempts = static_cast<std::uint32_t>(run.integer(6));
  found.again = unpack(run, 7);
  job.referrer = run.text(9);
  return found;
}

std::vector<QueuedJob> Store::queued(std::uint32_t depth, HostId host, std::int64_t after, std::size_t most) {
  std::vector<QueuedJob> jobs;
  Run run(queued_, std::int64_t{depth}, host, after, static_cast<std::int64_t>(most));
  while (run.next()) jobs.push_back(job_of(run));
  return jobs;
}

std::optional<std::pair<QueuedJob, std::int64_t>> Store::waiting(std::uint32_t depth, HostId host) {
  Run run(waiting_, std::int64_t{depth}, host);
  if (!run.next()) return std::nullopt;
  return std::pair(job_of(run), run.integer(8));
}

void Store::each_broken(const std::function<void(std::int64_t, std::string_view, std::string_view)>& each) {
  Statement statement(database_, "SELECT u.id, u.url, b.what FROM broken b JOIN url u ON u.id = b.id ORDER BY u.id");
  Run run(statement);
  while (run.next()) each(run.integer(0), run.text(1), run.text(2));
}

void Store::each_page_that_links(std::int64_t target, const std::function<void(std::string_view)>& each) {
  Statement statement(database_,
                      "SELECT p.url FROM link l LEFT JOIN url p ON p.id = l.page WHERE l.target = ? ORDER BY l.page");
  Run run(statement, target);
  while (run.next()) each(run.text(0));
}

void Store::each_key(const std::function<void(const UrlKey&)>& each) {
  Statement statement(database_, "SELECT key FROM seen");
  Run run(statement);
  while (run.next()) {
    UrlKey key;
    if (run.text(0).size() != sizeof key) continue;
    std::memcpy(&key, run.text(0).data(), sizeof key);
    each(key);
  }
}

void Store::each_level(const std::function<void(State, std::uint32_t, std::uint64_t)>& each) {
  Statement statement(database_,
                      "SELECT 0, depth, count(*) FROM url WHERE state = 0 GROUP BY depth UNION ALL "
                      "SELECT 1, depth, count(*) FROM url WHERE state = 1 GROUP BY depth");
  Run run(statement);
  while (run.next())
    each(static_cast<State>(run.integer(0)), static_cast<std::uint32_t>(run.integer(1)),
         static_cast<std::uint64_t>(run.integer(2)));
}

std::uint64_t Store::urls() { return static_cast<std::uint64_t>(database_.integer("SELECT max(id) FROM url")); }

std::uint64_t Store::waiting_without(JobFlags flags) {
  Statement statement(database_, "SELECT count(*) FROM url WHERE state = 1 AND flags & ? = 0");
  Run run(statement, std::int64_t{flags});
  return run.next() ? static_cast<std::uint64_t>(run.integer(0)) : 0;
}

}  // namespace heddle::crawler
