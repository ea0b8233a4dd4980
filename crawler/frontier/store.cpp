#include "crawler/frontier/store.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/assert.hpp"
#include "base/user_error.hpp"

namespace heddle::crawler {
namespace {

constexpr std::int64_t kApplicationId = 0x68646c63;  // "hdlc"
constexpr std::int64_t kVersion = 3;

// A job that is done costs no change of its row in `url`: it leaves `queue`.
constexpr const char* kTables = R"(
  CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE host(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE url(id INTEGER PRIMARY KEY, url TEXT NOT NULL, host INTEGER NOT NULL, depth INTEGER NOT NULL,
                   hops INTEGER NOT NULL, state INTEGER NOT NULL, flags INTEGER NOT NULL, attempts INTEGER NOT NULL,
                   due INTEGER NOT NULL, via INTEGER NOT NULL, again INTEGER);
  CREATE TABLE queue(depth INTEGER, host INTEGER, id INTEGER, PRIMARY KEY(depth, host, id)) WITHOUT ROWID;
  CREATE INDEX waiting ON url(depth, host, due) WHERE state = 1;
  CREATE INDEX kept_at ON url(depth) WHERE state = 3;
  CREATE TABLE kept(id INTEGER PRIMARY KEY, what BLOB NOT NULL);
  CREATE TABLE seen(key BLOB PRIMARY KEY, id INTEGER NOT NULL, depth INTEGER NOT NULL, hops INTEGER NOT NULL,
                    want INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE link(target INTEGER, page INTEGER, PRIMARY KEY(target, page)) WITHOUT ROWID;
  CREATE TABLE broken(id INTEGER PRIMARY KEY, what TEXT NOT NULL);
  CREATE TABLE journal(id INTEGER PRIMARY KEY, changes BLOB NOT NULL);
)";

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
    database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000;");
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
      young_(database_.integer("SELECT max(id) FROM url")),
      any_old_(young_.first() > 1),
      number_(database_, "SELECT value FROM meta WHERE name = ?"),
      set_number_(database_, "INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)"),
      add_to_journal_(database_, "INSERT INTO journal(changes) VALUES (?)"),
      clear_journal_(database_, "DELETE FROM journal"),
      host_id_(database_, "SELECT id FROM host WHERE name = ?"),
      host_name_(database_, "SELECT name FROM host WHERE id = ?"),
      add_host_(database_, "INSERT INTO host(name) VALUES (?)"),
      find_(database_, "SELECT id, depth, hops, want FROM seen WHERE key = ?"),
      add_seen_(database_, "INSERT INTO seen(key, id, depth, hops, want) VALUES (?, ?, ?, ?, ?)"),
      insert_(database_,
              "INSERT INTO url(id, url, host, depth, hops, state, flags, attempts, due, via)"
              "VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?)"),
      row_(database_,
           "SELECT host, depth, hops, state, flags, via, again, EXISTS(SELECT 1 FROM queue q WHERE q.depth = u.depth "
           "AND q.host = u.host AND q.id = u.id) FROM url u WHERE id = ?"),
      url_(database_, "SELECT url FROM url WHERE id = ?"),
      update_(database_,
              "UPDATE url SET host = ?, depth = ?, hops = ?, state = ?, flags = ?, via = ?, again = ?, due = "
              "coalesce(?, due) "
              "WHERE id = ?"),
      set_done_(database_, "UPDATE url SET state = 2, flags = ? WHERE id = ?"),
      set_due_(database_, "UPDATE url SET due = ? WHERE id = ?"),
      put_back_(database_, "UPDATE url SET state = 1, attempts = ?, due = ? WHERE id = ?"),
      set_kept_(database_, "UPDATE url SET state = 3 WHERE id = ?"),
      add_kept_(database_, "INSERT INTO kept(id, what) VALUES (?, ?)"),
      drop_kept_(database_, "DELETE FROM kept WHERE id = ?"),
      next_kept_(database_,
                 "SELECT u.id, u.host, u.url, u.depth, u.hops, u.flags, u.attempts, u.again, u.due, u.via, k.what "
                 "FROM url u INDEXED BY kept_at CROSS JOIN kept k ON k.id = u.id WHERE u.state = 3 AND u.depth = ? "
                 "ORDER BY u.id LIMIT 1"),
      enqueue_(database_, "INSERT OR IGNORE INTO queue(depth, host, id) VALUES (?, ?, ?)"),
      dequeue_(database_, "DELETE FROM queue WHERE depth = ? AND host = ? AND id >= ? AND id <= ?"),
      queued_host_after_(database_, "SELECT host FROM queue WHERE depth = ? AND host > ? ORDER BY host LIMIT 1"),
      waiting_host_after_(database_,
                          "SELECT host FROM url INDEXED BY waiting WHERE state = 1 AND depth = ? AND host > ? "
                          "ORDER BY host LIMIT 1"),
      queued_(database_,
              "SELECT q.id, q.host, u.url, q.depth, u.hops, u.flags, u.attempts, u.again, u.due, u.via FROM queue q "
              "CROSS JOIN url u ON u.id = q.id WHERE q.depth = ? AND q.host = ? AND q.id > ? ORDER BY q.id LIMIT ?"),
      waiting_(database_,
               "SELECT id, host, url, depth, hops, flags, attempts, again, due, via FROM url INDEXED BY waiting "
               "WHERE state = 1 AND depth = ? AND host = ? ORDER BY due LIMIT 1"),
      add_link_(database_, "INSERT OR IGNORE INTO link(target, page) VALUES (?, ?)"),
      set_broken_(database_, "INSERT OR REPLACE INTO broken(id, what) VALUES (?, ?)") {
  read_journal();
  // Leases of waiting jobs that a killed run held.
  Statement release(database_, "UPDATE url SET due = 0 WHERE state = 1 AND due = ?");
  run(release, std::int64_t{kNever});
}

// --- Commits ---

Store::Numbers Store::numbers() {
  const auto number = [this](std::string_view name) {
    Run run(number_, name);
    return run.next() ? static_cast<std::uint64_t>(run.integer(0)) : 0;
  };
  return {number("pages"), number("results_bytes"), number("archive_bytes")};
}

void Store::set_numbers(const Numbers& numbers) {
  const auto set = [this](std::string_view name, std::uint64_t value) {
    run(set_number_, name, static_cast<std::int64_t>(value));
  };
  set("pages", numbers.pages);
  set("results_bytes", numbers.results_bytes);
  set("archive_bytes", numbers.archive_bytes);
}

void Store::commit(const Numbers& numbers) {
  tell_ended();
  if (kept_ && !young_.full() && journaled_ < kMostJournaled) {
    std::string changes(sizeof numbers, '\0');
    std::memcpy(changes.data(), &numbers, sizeof numbers);
    changes += young_.encode();
    run(add_to_journal_, std::span(reinterpret_cast<const unsigned char*>(changes.data()), changes.size()));
    ++journaled_;
  } else if (kept_) {
    write_out();
    set_numbers(numbers);
  }
  database_.execute("COMMIT");
}

// What an earlier run has left there goes to the tables.
void Store::read_journal() {
  Numbers numbers;
  bool any = false;
  {
    Statement statement(database_, "SELECT changes FROM journal ORDER BY id");
    for (Run run(statement); run.next(); any = true) {
      std::string_view changes = run.text(0);
      bool good = changes.size() >= sizeof numbers;
      if (good) {
        std::memcpy(&numbers, changes.data(), sizeof numbers);
        changes.remove_prefix(sizeof numbers);
        good = young_.decode(changes);
      }
      if (!good) throw base::UserError("the state of the crawl is damaged");
    }
  }
  if (!any) return;
  begin();
  write_out();
  set_numbers(numbers);
  database_.execute("COMMIT");
}

// --- Hosts ---

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

// --- Rows in memory, and their way to the tables ---

LatelySeen::Entry Store::entry_of(std::int64_t young) const {
  const YoungRows::Young& row = young_.any(young);
  return {row.key, young, row.depth, row.hops, want_of(row.flags)};
}

LatelySeen::Entry Store::find(const UrlKey& key) {
  if (const std::int64_t id = young_.find(key); id != 0) return entry_of(id);
  const auto bytes = key.bytes();
  Run run(find_, std::span<const unsigned char>(bytes));
  if (!run.next()) return {};
  const auto number = [&run](int column) { return static_cast<std::uint32_t>(run.integer(column)); };
  return {key, run.integer(0), number(1), number(2), static_cast<Want>(run.integer(3))};
}

void Store::insert(const UrlKey& key, std::string_view url, Row& row) {
  if (young_.full()) write_out();
  YoungRows::Young young;
  young.key = key;
  young.host = row.host;
  young.via = row.via;
  young.depth = row.depth;
  young.hops = row.hops;
  young.flags = row.flags;
  young.state = row.state == State::kDone ? YoungRows::State::kDone : YoungRows::State::kQueued;
  row.id = young_.add(young, url);
  if (row.state == State::kWaiting) update(row, 0);
}

void Store::add_row(std::int64_t id, const YoungRows::Young& young) {
  const bool done = young.state == YoungRows::State::kDone;
  run(insert_, id, young_.url(young), young.host, std::int64_t{young.depth}, std::int64_t{young.hops},
      static_cast<std::int64_t>(done ? State::kDone : State::kQueued), std::int64_t{young.flags}, young.via);
  if (done) return;
  run(enqueue_, std::int64_t{young.depth}, young.host, id);
  any_old_ = true;
}

void Store::move_to_tables(std::int64_t id) {
  const YoungRows::Young* const young = young_.row(id);
  if (young == nullptr) return;
  add_row(id, *young);
  young_.set_moved(id);
}

// Keys are random, so each one that is added on its own goes to another page of the file: they are added in their
// order.
void Store::write_out() {
  std::vector<std::int64_t> ids;
  ids.reserve(static_cast<std::size_t>(young_.end() - young_.first()));
  for (std::int64_t id = young_.first(); id < young_.end(); ++id) {
    ids.push_back(id);
    if (const YoungRows::Young* const young = young_.row(id)) add_row(id, *young);
  }
  std::ranges::sort(ids, {}, [this](std::int64_t id) { return young_.any(id).key.bytes(); });
  for (const std::int64_t id : ids) {
    const LatelySeen::Entry entry = entry_of(id);
    const auto bytes = entry.key.bytes();
    run(add_seen_, std::span<const unsigned char>(bytes), entry.id, std::int64_t{entry.depth}, std::int64_t{entry.hops},
        static_cast<std::int64_t>(entry.want));
  }
  young_.clear();
  if (kept_) run(clear_journal_);
  journaled_ = 0;
}

// --- Rows ---

Row Store::row(std::int64_t id) {
  Row row;
  if (const YoungRows::Young* const young = young_.row(id)) {
    row.id = id;
    row.host = young->host;
    row.depth = young->depth;
    row.hops = young->hops;
    row.state = young->state == YoungRows::State::kDone ? State::kDone : State::kQueued;
    row.flags = young->flags;
    row.via = young->via;
    return row;
  }
  tell_ended();
  Run run(row_, id);
  if (!run.next()) return row;
  row.id = id;
  row.host = run.integer(0);
  row.depth = static_cast<std::uint32_t>(run.integer(1));
  row.hops = static_cast<std::uint32_t>(run.integer(2));
  row.state = static_cast<State>(run.integer(3));
  row.flags = static_cast<JobFlags>(run.integer(4));
  row.via = run.integer(5);
  row.again = unpack(run, 6);
  if (row.state == State::kQueued && run.integer(7) == 0) row.state = State::kDone;
  return row;
}

std::string Store::url(std::int64_t id) {
  if (const YoungRows::Young* const young = young_.row(id)) return std::string(young_.url(*young));
  Run run(url_, id);
  return run.next() ? std::string(run.text(0)) : std::string();
}

const std::string& Store::referrer(std::int64_t via) {
  if (referrer_.first != via) referrer_ = {via, url(via)};
  return referrer_.second;
}

void Store::leave_queue(std::int64_t id) {
  if (const Row before = row(id); before.state == State::kQueued)
    run(dequeue_, std::int64_t{before.depth}, before.host, id, id);
}

void Store::update(const Row& row, std::optional<std::int64_t> due_ns) {
  move_to_tables(row.id);
  leave_queue(row.id);
  run(update_, row.host, std::int64_t{row.depth}, std::int64_t{row.hops}, static_cast<std::int64_t>(row.state),
      std::int64_t{row.flags}, row.via, pack(row.again), due_ns, row.id);
  if (row.state == State::kQueued) run(enqueue_, std::int64_t{row.depth}, row.host, row.id);
}

void Store::set_done(const Job& job, JobFlags flags, bool plain) {
  if (young_.row(job.id) != nullptr) return young_.set_done(job.id, flags);
  if (plain) {
    ended_.push_back({job.depth, job.host, job.id});
    if (ended_.size() >= kMostEnded) tell_ended();
    return;
  }
  leave_queue(job.id);
  run(set_done_, std::int64_t{flags}, job.id);
}

void Store::tell_ended() {
  if (ended_.empty()) return;
  std::ranges::sort(ended_);
  for (auto at = ended_.begin(); at != ended_.end();) {
    const Ended first = *at;
    std::int64_t last = first.id;
    for (++at; at != ended_.end() && *at == Ended{first.depth, first.host, last + 1}; ++at) ++last;
    run(dequeue_, std::int64_t{first.depth}, first.host, first.id, last);
  }
  ended_.clear();
}

void Store::set_due(std::int64_t id, std::int64_t due_ns) { run(set_due_, due_ns, id); }

void Store::put_back(std::int64_t id, std::uint32_t attempts, std::int64_t due_ns) {
  move_to_tables(id);
  leave_queue(id);
  run(put_back_, std::int64_t{attempts}, due_ns, id);
}

void Store::keep(std::int64_t id, std::string_view what) {
  move_to_tables(id);
  leave_queue(id);
  run(set_kept_, id);
  run(add_kept_, id, std::span(reinterpret_cast<const unsigned char*>(what.data()), what.size()));
}

std::pair<QueuedJob, std::string> Store::kept(std::uint32_t depth) {
  Run run(next_kept_, std::int64_t{depth});
  HEDDLE_ASSERT(run.next());
  return {job_of(run), std::string(run.text(10))};
}

std::optional<HostId> Store::host_after(State state, std::uint32_t depth, HostId after) {
  const bool queued = state == State::kQueued;
  HostId next = queued ? young_.host_after(depth, after) : 0;
  if (!queued || any_old_) {
    Run run(queued ? queued_host_after_ : waiting_host_after_, std::int64_t{depth}, after);
    if (run.next() && (next == 0 || run.integer(0) < next)) next = run.integer(0);
  }
  return next == 0 ? std::nullopt : std::optional(next);
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
  job.referrer = referrer(run.integer(9));
  return found;
}

QueuedJob Store::job_of(std::int64_t young) {
  const YoungRows::Young& row = young_.any(young);
  QueuedJob found;
  Job& job = found.job;
  job.id = young;
  job.host = row.host;
  job.url = young_.url(row);
  job.depth = row.depth;
  job.hops = row.hops;
  job.flags = row.flags;
  job.referrer = referrer(row.via);
  return found;
}

std::vector<QueuedJob> Store::queued(std::uint32_t depth, HostId host, std::int64_t after, std::size_t most) {
  std::vector<std::int64_t> young;
  young_.queued(depth, host, after, most, young);
  std::vector<QueuedJob> jobs;
  auto next = young.begin();
  const auto add_young_before = [&](std::int64_t end) {
    for (; next != young.end() && *next < end && jobs.size() < most; ++next) jobs.push_back(job_of(*next));
  };
  if (any_old_) {
    if (after == 0) tell_ended();  // behind that, those that have ended were read before
    Run run(queued_, std::int64_t{depth}, host, after, static_cast<std::int64_t>(most));
    while (jobs.size() < most && run.next()) {
      add_young_before(run.integer(0));
      if (jobs.size() < most) jobs.push_back(job_of(run));
    }
  }
  add_young_before(kNever);
  return jobs;
}

std::optional<std::pair<QueuedJob, std::int64_t>> Store::waiting(std::uint32_t depth, HostId host) {
  Run run(waiting_, std::int64_t{depth}, host);
  if (!run.next()) return std::nullopt;
  return std::pair(job_of(run), run.integer(8));
}

void Store::each_broken(const std::function<void(std::int64_t, std::string_view, std::string_view)>& each) {
  Statement statement(database_, "SELECT id, what FROM broken ORDER BY id");
  for (Run run(statement); run.next();) each(run.integer(0), url(run.integer(0)), run.text(1));
}

void Store::each_page_that_links(std::int64_t target, const std::function<void(std::string_view)>& each) {
  Statement statement(database_, "SELECT page FROM link WHERE target = ? ORDER BY page");
  for (Run run(statement, target); run.next();) each(url(run.integer(0)));
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
                      "SELECT 0, depth, count(*) FROM queue GROUP BY depth UNION ALL "
                      "SELECT 1, depth, count(*) FROM url WHERE state = 1 GROUP BY depth UNION ALL "
                      "SELECT 3, depth, count(*) FROM url WHERE state = 3 GROUP BY depth");
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
