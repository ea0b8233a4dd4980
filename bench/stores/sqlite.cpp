#include <sqlite3.h>

#include "bench/stores/figures.hpp"

namespace {

// A row for each slot, in WAL mode, not forced to the disk.
class Objects {
 public:
  Objects() {
    check(sqlite3_open((folder_.path / "store").c_str(), &database_));
    run("PRAGMA journal_mode=WAL");
    run("PRAGMA synchronous=OFF");
    run("CREATE TABLE slots (slot INTEGER PRIMARY KEY, value)");
    begin_ = prepare("BEGIN IMMEDIATE");
    end_ = prepare("COMMIT");
    put_ = prepare("INSERT OR REPLACE INTO slots VALUES (?, ?)");
    get_ = prepare("SELECT value FROM slots WHERE slot = ?");
    step(begin_);
    for (int i = 0; i < static_cast<int>(figures::kObjects); ++i) {
      check(sqlite3_bind_int64(put_, 1, i * static_cast<int>(figures::kSlots)));
      check(sqlite3_bind_int64(put_, 2, i));
      step(put_);
    }
    step(end_);
  }
  ~Objects() {
    for (sqlite3_stmt* statement : {begin_, end_, put_, get_}) sqlite3_finalize(statement);
    sqlite3_close(database_);
  }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  std::int64_t read(unsigned object) {
    check(sqlite3_bind_int64(get_, 1, std::int64_t{object} * figures::kSlots));
    if (sqlite3_step(get_) != SQLITE_ROW) std::exit(1);
    const std::int64_t number = sqlite3_column_int64(get_, 0);
    sqlite3_reset(get_);
    return number;
  }

  void commit(unsigned object) {
    text_[0] = static_cast<char>('a' + object % 26);
    step(begin_);
    for (std::int64_t slot = 0; slot < figures::kSlots; ++slot) {
      check(sqlite3_bind_int64(put_, 1, object * std::int64_t{figures::kSlots} + slot));
      check(sqlite3_bind_text(put_, 2, text_.data(), static_cast<int>(text_.size()), SQLITE_STATIC));
      step(put_);
    }
    step(end_);
  }

 private:
  void check(int result) const {
    if (result == SQLITE_OK) return;
    std::fprintf(stderr, "%s\n", sqlite3_errmsg(database_));
    std::exit(1);
  }
  void run(const char* text) { check(sqlite3_exec(database_, text, nullptr, nullptr, nullptr)); }
  sqlite3_stmt* prepare(const char* text) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database_, text, -1, &statement, nullptr));
    return statement;
  }
  void step(sqlite3_stmt* statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) check(SQLITE_ERROR);
    sqlite3_reset(statement);
  }

  figures::Folder folder_;
  sqlite3* database_ = nullptr;
  sqlite3_stmt* begin_ = nullptr;
  sqlite3_stmt* end_ = nullptr;
  sqlite3_stmt* put_ = nullptr;
  sqlite3_stmt* get_ = nullptr;
  std::string text_ = std::string(figures::kBytes, 'x');
};

}  // namespace

int main(int words, char** word) { return figures::measure<Objects>(words, word); }
