#include <lmdb.h>

#include "bench/stores/figures.hpp"

namespace {

// A key for each slot: object and slot.
class Objects {
 public:
  Objects() {
    check(mdb_env_create(&environment_));
    check(mdb_env_set_mapsize(environment_, std::size_t{1} << 30));
    check(mdb_env_open(environment_, folder_.path.c_str(), MDB_NOSYNC | MDB_WRITEMAP, 0600));
    MDB_txn* change = nullptr;
    check(mdb_txn_begin(environment_, nullptr, 0, &change));
    check(mdb_dbi_open(change, nullptr, MDB_INTEGERKEY, &database_));
    for (std::uint64_t i = 0; i < figures::kObjects; ++i) put(change, i * figures::kSlots, &i, sizeof i);
    check(mdb_txn_commit(change));
    check(mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &reads_));
    mdb_txn_reset(reads_);
  }
  ~Objects() {
    mdb_txn_abort(reads_);
    mdb_env_close(environment_);
  }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  std::int64_t read(unsigned object) {
    std::uint64_t slot = std::uint64_t{object} * figures::kSlots;
    MDB_val key{sizeof slot, &slot};
    MDB_val value{};
    check(mdb_txn_renew(reads_));
    check(mdb_get(reads_, database_, &key, &value));
    std::int64_t number = 0;
    std::memcpy(&number, value.mv_data, sizeof number);
    mdb_txn_reset(reads_);
    return number;
  }

  void commit(unsigned object) {
    text_[0] = static_cast<char>('a' + object % 26);
    MDB_txn* change = nullptr;
    check(mdb_txn_begin(environment_, nullptr, 0, &change));
    for (std::uint64_t slot = 0; slot < figures::kSlots; ++slot)
      put(change, object * std::uint64_t{figures::kSlots} + slot, text_.data(), text_.size());
    check(mdb_txn_commit(change));
  }

 private:
  static void check(int result) {
    if (result == 0) return;
    std::fprintf(stderr, "%s\n", mdb_strerror(result));
    std::exit(1);
  }
  void put(MDB_txn* change, std::uint64_t slot, void* bytes, std::size_t size) const {
    MDB_val key{sizeof slot, &slot};
    MDB_val value{size, bytes};
    check(mdb_put(change, database_, &key, &value, 0));
  }

  figures::Folder folder_;
  MDB_env* environment_ = nullptr;
  MDB_dbi database_ = 0;
  MDB_txn* reads_ = nullptr;
  std::string text_ = std::string(figures::kBytes, 'x');
};

}  // namespace

int main(int words, char** word) { return figures::measure<Objects>(words, word); }
