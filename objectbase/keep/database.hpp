// What is kept of a store on disk: LMDB, with one record for each place of an object.
//
// Tables: `about` (what the state is: the store's identity, the commit), `classes` (by number), `objects` (by the index
// of the entry, in the order of bytes), `history` (by object and commit). A record is the object's number, its class
// (0: erased), the commit that made this version, and its slots.
#pragma once

#include <lmdb.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "objectbase/objectbase.hpp"

namespace heddle::objectbase {

// A version of an object as it was kept; values are views of `bytes`.
struct KeptVersion {
  ObjectId id;
  std::uint32_t type = 0;  // the number of its class; 0: the object is erased
  std::uint64_t commit = 0;
  std::vector<Value> slots;
};

// As bytes, and back. Throws base::UserError if they are no record.
std::string encoded(const KeptVersion& version);
KeptVersion decoded(std::string_view bytes);

// The environment. Throws base::UserError with the file's name and the reason; one is that this process has the file
// open already.
class Database {
 public:
  enum class Sync : std::uint8_t { kNever, kEachCommit };

  // `write`: makes it, if it is not there.
  Database(const std::filesystem::path& path, bool write, Sync sync, unsigned mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void sync();  // to the disk, also where commits are not
  // Twice the room that it may take, when it has none left and no transaction is open.
  void grow();
  const std::filesystem::path& path() const { return path_; }

  [[noreturn]] void fail(int code) const;
  void check(int code) const {
    if (code != MDB_SUCCESS) fail(code);
  }

 private:
  friend class DatabaseTransaction;
  std::filesystem::path path_;
  std::pair<dev_t, ino_t> file_{};
  MDB_env* environment_ = nullptr;
  MDB_dbi about_ = 0;
  MDB_dbi classes_ = 0;
  MDB_dbi objects_ = 0;
  MDB_dbi history_ = 0;
};

// The database has as much as its map holds: Database::grow(), and again.
struct DatabaseFull {};

// One state of the database, or one change of it. Views are valid until it ends, or until its next change.
class DatabaseTransaction {
 public:
  DatabaseTransaction(Database& database, bool write);
  ~DatabaseTransaction();  // without commit(): nothing has happened
  DatabaseTransaction(const DatabaseTransaction&) = delete;
  DatabaseTransaction& operator=(const DatabaseTransaction&) = delete;
  void commit();

  std::uint64_t identity() const { return about("identity"); }  // 0: nothing has been kept yet
  std::uint64_t state() const { return about("commit"); }       // the commit whose state this is
  void set_about(std::uint64_t identity, std::uint64_t commit);

  // Names as the store has them: the class's, then those of its slots.
  std::vector<std::string> names(std::uint32_t type) const;  // empty: there is no such class
  void set_names(std::uint32_t type, const std::vector<std::string>& names);

  std::optional<KeptVersion> at(std::uint32_t index) const;
  void set(std::uint32_t index, const KeptVersion& version);
  // The first at `index` or behind it.
  std::optional<KeptVersion> from(std::uint32_t index) const;

  // Adds a version to the object's history, and drops the oldest beyond `most`.
  void remember(const KeptVersion& version, unsigned most);
  // Oldest first.
  std::vector<KeptVersion> history(ObjectId id) const;

 private:
  std::uint64_t about(const char* name) const;
  std::optional<std::string_view> get(MDB_dbi table, std::string_view key) const;
  void put(MDB_dbi table, std::string_view key, std::string_view value);
  void check(int code) const;

  Database& database_;
  MDB_txn* transaction_ = nullptr;
};

constexpr std::uint32_t place_of(ObjectId id) { return static_cast<std::uint32_t>(id.number) - 1; }

}  // namespace heddle::objectbase
