// SQLite (https://sqlite.org/c3ref) for code that keeps its statements: prepared once, bound and run many times.
//
//   Statement find(database, "SELECT id FROM seen WHERE key = ?");
//   Run run(find, key.bytes());
//   if (run.next()) use(run.integer(0));
//
// A Run resets its statement when it ends, so that no lock and no pointer into the caller's texts is left behind. Any
// error is a base::UserError with SQLite's words: a store that fails, be it a full disk or a damaged file, ends the
// run.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heddle::crawler {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

class Database {
 public:
  // An empty name is a temporary file that no other process can see; SQLite puts it where TMPDIR says.
  explicit Database(const std::string& file);

  void execute(const char* statements);
  std::int64_t integer(const char* query);  // the first column of the first row
  std::int64_t last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }
  sqlite3* handle() const { return handle_.get(); }
  [[noreturn]] void fail() const;

 private:
  std::string name_;
  std::unique_ptr<sqlite3, CloseDatabase> handle_;
};

class Statement {
 public:
  Statement(const Database& database, std::string_view text);

 private:
  friend class Run;
  const Database* database_;
  std::unique_ptr<sqlite3_stmt, FinalizeStatement> handle_;
};

class Run {
 public:
  // The values of the statement's parameters, in order; texts and blobs have to live as long as this.
  template <class... Values>
  explicit Run(Statement& statement, const Values&... values) : statement_(statement) {
    int at = 0;
    (bind(++at, values), ...);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() { sqlite3_reset(handle()); }

  bool next();  // true: there is a row
  void finish() {
    while (next()) {
    }
  }

  std::int64_t integer(int column) const { return sqlite3_column_int64(handle(), column); }
  bool null(int column) const { return sqlite3_column_type(handle(), column) == SQLITE_NULL; }
  // Until the next call of next().
  std::string_view text(int column) const;

 private:
  sqlite3_stmt* handle() const { return statement_.handle_.get(); }
  void bind(int at, std::int64_t value) { check(sqlite3_bind_int64(handle(), at, value)); }
  void bind(int at, std::string_view text);
  void bind(int at, std::span<const unsigned char> blob);
  void bind(int at, std::optional<std::int64_t> value);
  void check(int code) const {
    if (code != SQLITE_OK) statement_.database_->fail();
  }

  Statement& statement_;
};

// Runs a statement that has no rows, or whose rows do not matter.
template <class... Values>
void run(Statement& statement, const Values&... values) {
  Run(statement, values...).finish();
}

}  // namespace heddle::crawler
