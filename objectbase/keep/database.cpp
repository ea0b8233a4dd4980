#include "objectbase/keep/database.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <set>
#include <utility>

#include "base/user_error.hpp"

namespace heddle::objectbase {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers in records are little-endian");

constexpr std::size_t kFirstMap = std::size_t{64} * 1024 * 1024;

template <class Number>
void append(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// Reads numbers and bytes one after the other; throws when there are not so many.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  Number number() {
    Number number;
    const std::string_view taken = take(sizeof number);
    std::copy(taken.begin(), taken.end(), reinterpret_cast<char*>(&number));
    return number;
  }
  std::string_view take(std::uint64_t length) {
    if (length > bytes_.size()) throw base::UserError("objectbase: a record that was kept is damaged");
    const std::string_view taken = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return taken;
  }
  bool is_at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

// In the order of numbers.
template <class... Numbers>
std::string key_of(Numbers... numbers) {
  std::string key;
  const auto add = [&key](auto number) {
    for (int shift = 8 * (sizeof number - 1); shift >= 0; shift -= 8) key += static_cast<char>(number >> shift & 0xff);
  };
  (add(numbers), ...);
  return key;
}

MDB_val mdb_value(std::string_view bytes) {
  return {.mv_size = bytes.size(), .mv_data = const_cast<char*>(bytes.data())};
}
std::string_view mdb_bytes(const MDB_val& value) { return {static_cast<const char*>(value.mv_data), value.mv_size}; }

class Cursor {
 public:
  Cursor(MDB_txn* transaction, MDB_dbi table) : code_(mdb_cursor_open(transaction, table, &cursor_)) {}
  ~Cursor() {
    if (cursor_ != nullptr) mdb_cursor_close(cursor_);
  }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  // MDB_SUCCESS, MDB_NOTFOUND, or what went wrong.
  int move(MDB_cursor_op operation, std::string_view key = {}) {
    if (code_ != MDB_SUCCESS) return code_;
    key_ = mdb_value(key);
    return mdb_cursor_get(cursor_, &key_, &value_, operation);
  }
  int remove() { return mdb_cursor_del(cursor_, 0); }
  std::string_view key() const { return mdb_bytes(key_); }
  std::string_view value() const { return mdb_bytes(value_); }

 private:
  MDB_cursor* cursor_ = nullptr;
  int code_;
  MDB_val key_{};
  MDB_val value_{};
};

}  // namespace

// --- Records ---

std::string encoded(const KeptVersion& version) {
  std::string bytes;
  append(bytes, version.id.number);
  append(bytes, version.commit);
  append(bytes, version.type);
  append(bytes, static_cast<std::uint32_t>(version.slots.size()));
  for (const Value& value : version.slots) {
    append(bytes, static_cast<std::uint8_t>(value.index()));
    const auto text = [&](std::string_view content) {
      append(bytes, std::uint64_t{content.size()});
      bytes += content;
    };
    if (const auto* integer = std::get_if<std::int64_t>(&value)) append(bytes, *integer);
    if (const auto* number = std::get_if<double>(&value)) append(bytes, *number);
    if (const auto* id = std::get_if<ObjectId>(&value)) append(bytes, id->number);
    if (const auto* string = std::get_if<std::string_view>(&value)) text(*string);
    if (const auto* raw = std::get_if<Bytes>(&value)) text(raw->bytes);
  }
  return bytes;
}

KeptVersion decoded(std::string_view bytes) {
  Reader reader(bytes);
  KeptVersion version;
  version.id.number = reader.number<std::uint64_t>();
  version.commit = reader.number<std::uint64_t>();
  version.type = reader.number<std::uint32_t>();
  const auto slots = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < slots; ++i) {
    switch (static_cast<Type>(reader.number<std::uint8_t>())) {
      case Type::kNone:
        version.slots.emplace_back();
        break;
      case Type::kInteger:
        version.slots.emplace_back(reader.number<std::int64_t>());
        break;
      case Type::kDouble:
        version.slots.emplace_back(reader.number<double>());
        break;
      case Type::kReference:
        version.slots.emplace_back(ObjectId{reader.number<std::uint64_t>()});
        break;
      case Type::kString:
        version.slots.emplace_back(reader.take(reader.number<std::uint64_t>()));
        break;
      case Type::kBytes:
        version.slots.emplace_back(Bytes{reader.take(reader.number<std::uint64_t>())});
        break;
      default:
        throw base::UserError("objectbase: a record that was kept is damaged");
    }
  }
  if (!reader.is_at_end() || !version.id) throw base::UserError("objectbase: a record that was kept is damaged");
  return version;
}

// --- The environment ---

namespace {

// LMDB's locks are those of POSIX, which do not hold against the own process: who opens a database a second time takes
// it for unused, and forgets what its readers read ("Do not have open an LMDB database twice in the same process at the
// same time", lmdb.h, Caveats). So one process has a file once.
std::mutex opened_mutex;  // also held while a file is opened, which may make it
std::set<std::pair<dev_t, ino_t>> opened;

std::optional<std::pair<dev_t, ino_t>> file_of(const std::filesystem::path& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

}  // namespace

Database::Database(const std::filesystem::path& path, bool write, Sync sync, unsigned mode) : path_(path) {
  const std::lock_guard held(opened_mutex);
  if (const auto file = file_of(path); file && opened.contains(*file))
    throw base::UserError(path.string() + ": this process has it open already: end its keeper first, or use another " +
                          "process");
  check(mdb_env_create(&environment_));
  try {
    check(mdb_env_set_maxdbs(environment_, 4));
    check(mdb_env_set_mapsize(environment_, kFirstMap));
    const unsigned flags = MDB_NOSUBDIR | MDB_NOTLS | (write ? 0U : MDB_RDONLY) |
                           (sync == Sync::kNever ? static_cast<unsigned>(MDB_NOSYNC) : 0U);
    check(mdb_env_open(environment_, path.c_str(), flags, mode));
    MDB_txn* transaction = nullptr;
    check(mdb_txn_begin(environment_, nullptr, write ? 0 : MDB_RDONLY, &transaction));
    int code = MDB_SUCCESS;
    const unsigned making = write ? MDB_CREATE : 0;
    for (const auto& [name, table] : {std::pair("about", &about_), std::pair("classes", &classes_),
                                      std::pair("objects", &objects_), std::pair("history", &history_)})
      if (code == MDB_SUCCESS) code = mdb_dbi_open(transaction, name, making, table);
    if (code != MDB_SUCCESS) {
      mdb_txn_abort(transaction);
      fail(code);
    }
    check(mdb_txn_commit(transaction));
    file_ = file_of(path).value_or(file_);
    opened.insert(file_);
  } catch (...) {
    mdb_env_close(environment_);
    throw;
  }
}

Database::~Database() {
  const std::lock_guard held(opened_mutex);
  mdb_env_close(environment_);
  opened.erase(file_);
}

void Database::sync() { check(mdb_env_sync(environment_, 1)); }

void Database::grow() {
  MDB_envinfo info;
  check(mdb_env_info(environment_, &info));
  check(mdb_env_set_mapsize(environment_, 2 * info.me_mapsize));
}

void Database::fail(int code) const {
  const char* why = code == MDB_NOTFOUND ? "keeps no store" : mdb_strerror(code);
  throw base::UserError(path_.string() + ": " + why);
}

// --- Transactions ---

DatabaseTransaction::DatabaseTransaction(Database& database, bool write) : database_(database) {
  int code = MDB_SUCCESS;
  // Another process has made it larger: take its size.
  while ((code = mdb_txn_begin(database.environment_, nullptr, write ? 0 : MDB_RDONLY, &transaction_)) ==
         MDB_MAP_RESIZED)
    database.check(mdb_env_set_mapsize(database.environment_, 0));
  database.check(code);
}

DatabaseTransaction::~DatabaseTransaction() {
  if (transaction_ != nullptr) mdb_txn_abort(transaction_);
}

void DatabaseTransaction::commit() {
  MDB_txn* transaction = std::exchange(transaction_, nullptr);
  check(mdb_txn_commit(transaction));
}

void DatabaseTransaction::check(int code) const {
  if (code == MDB_MAP_FULL) throw DatabaseFull();
  database_.check(code);
}

std::optional<std::string_view> DatabaseTransaction::get(MDB_dbi table, std::string_view key) const {
  MDB_val name = mdb_value(key);
  MDB_val value;
  const int code = mdb_get(transaction_, table, &name, &value);
  if (code == MDB_NOTFOUND) return std::nullopt;
  check(code);
  return mdb_bytes(value);
}

void DatabaseTransaction::put(MDB_dbi table, std::string_view key, std::string_view value) {
  MDB_val name = mdb_value(key);
  MDB_val content = mdb_value(value);
  check(mdb_put(transaction_, table, &name, &content, 0));
}

std::uint64_t DatabaseTransaction::about(const char* name) const {
  const auto found = get(database_.about_, name);
  return found ? Reader(*found).number<std::uint64_t>() : 0;
}

void DatabaseTransaction::set_about(std::uint64_t identity, std::uint64_t commit) {
  const auto set = [this](const char* name, std::uint64_t number) {
    std::string bytes;
    append(bytes, number);
    put(database_.about_, name, bytes);
  };
  set("identity", identity);
  set("commit", commit);
}

std::vector<std::string> DatabaseTransaction::names(std::uint32_t type) const {
  std::vector<std::string> names;
  const auto found = get(database_.classes_, key_of(type));
  if (!found) return names;
  for (Reader reader(*found); !reader.is_at_end();) names.emplace_back(reader.take(reader.number<std::uint32_t>()));
  return names;
}

void DatabaseTransaction::set_names(std::uint32_t type, const std::vector<std::string>& names) {
  std::string bytes;
  for (const std::string& name : names) {
    append(bytes, static_cast<std::uint32_t>(name.size()));
    bytes += name;
  }
  put(database_.classes_, key_of(type), bytes);
}

std::optional<KeptVersion> DatabaseTransaction::at(std::uint32_t index) const {
  const auto found = get(database_.objects_, key_of(index));
  return found ? std::optional(decoded(*found)) : std::nullopt;
}

void DatabaseTransaction::set(std::uint32_t index, const KeptVersion& version) {
  put(database_.objects_, key_of(index), encoded(version));
}

std::optional<KeptVersion> DatabaseTransaction::from(std::uint32_t index) const {
  Cursor cursor(transaction_, database_.objects_);
  const std::string key = key_of(index);
  const int code = cursor.move(MDB_SET_RANGE, key);
  if (code == MDB_NOTFOUND) return std::nullopt;
  check(code);
  return decoded(cursor.value());
}

void DatabaseTransaction::remember(const KeptVersion& version, unsigned most) {
  put(database_.history_, key_of(version.id.number, version.commit), encoded(version));
  Cursor cursor(transaction_, database_.history_);
  const std::string object = key_of(version.id.number);
  unsigned count = 0;
  for (int code = cursor.move(MDB_SET_RANGE, object); code != MDB_NOTFOUND; code = cursor.move(MDB_NEXT)) {
    check(code);
    if (!cursor.key().starts_with(object)) break;
    ++count;
  }
  for (; count > most; --count) {
    check(cursor.move(MDB_SET_RANGE, object));
    check(cursor.remove());
  }
}

std::vector<KeptVersion> DatabaseTransaction::history(ObjectId id) const {
  std::vector<KeptVersion> versions;
  Cursor cursor(transaction_, database_.history_);
  const std::string object = key_of(id.number);
  for (int code = cursor.move(MDB_SET_RANGE, object); code != MDB_NOTFOUND; code = cursor.move(MDB_NEXT)) {
    check(code);
    if (!cursor.key().starts_with(object)) break;
    versions.push_back(decoded(cursor.value()));
  }
  return versions;
}

}  // namespace heddle::objectbase
