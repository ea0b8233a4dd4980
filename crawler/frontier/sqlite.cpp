#include "crawler/frontier/sqlite.hpp"

#include "base/user_error.hpp"

namespace heddle::crawler {

Database::Database(const std::string& file) : name_(file.empty() ? "the temporary store" : file) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail();
}

void Database::fail() const {
  const char* what = handle_ == nullptr ? "out of memory" : sqlite3_errmsg(handle_.get());
  throw base::UserError(name_ + ": " + what);
}

void Database::execute(const char* statements) {
  if (sqlite3_exec(handle_.get(), statements, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Database::integer(const char* query) {
  Statement statement(*this, query);
  Run run(statement);
  return run.next() ? run.integer(0) : 0;
}

Statement::Statement(const Database& database, std::string_view text) : database_(&database) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(database.handle(), text.data(), static_cast<int>(text.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  if (code != SQLITE_OK) database.fail();
  handle_.reset(handle);
}

bool Run::next() {
  const int code = sqlite3_step(handle());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) statement_.database_->fail();
  return false;
}

std::string_view Run::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(handle(), column));
  const int length = sqlite3_column_bytes(handle(), column);
  return bytes == nullptr ? std::string_view() : std::string_view(bytes, static_cast<std::size_t>(length));
}

void Run::bind(int at, std::string_view text) {
  // An empty view may have no bytes, and SQLite would take that as NULL.
  const char* bytes = text.empty() ? "" : text.data();
  check(sqlite3_bind_text(handle(), at, bytes, static_cast<int>(text.size()), SQLITE_STATIC));
}

void Run::bind(int at, std::span<const unsigned char> blob) {
  check(sqlite3_bind_blob(handle(), at, blob.data(), static_cast<int>(blob.size()), SQLITE_STATIC));
}

void Run::bind(int at, std::optional<std::int64_t> value) {
  check(value ? sqlite3_bind_int64(handle(), at, *value) : sqlite3_bind_null(handle(), at));
}

}  // namespace heddle::crawler
