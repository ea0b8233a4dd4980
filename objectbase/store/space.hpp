// The memory of a store as its processes see it, and who may change it: blocks, entries, the writers' mutex, what is
// reclaimed, and what is done when a writer died.
//
// Free lists, the limbo of superseded versions and the links between versions are the writers' and not trusted after a
// death: recover() makes them anew from what the heads lead to and what readers keep. What is trusted is each single
// store into a head, and the record of a commit of several objects.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/sync.hpp"
#include "objectbase/store/file.hpp"
#include "objectbase/store/layout.hpp"
#include "objectbase/store/pins.hpp"
#include "objectbase/store/watches.hpp"

namespace heddle::objectbase {

// What stands in `NAME.readers` for each process: its pins, and what it watches. A process has the lock of the byte
// with its number as long as it lives.
using ProcessCells = PinCells<base::StdSync>;
struct Process {
  ProcessCells pins;
  std::array<WatchCell, kWatches> watches;
};
inline constexpr unsigned kMostProcesses = 256;
struct ReadersHeader {
  std::uint64_t magic;
  std::atomic<std::uint64_t> processes;    // what is behind so many has never been used
  std::atomic<std::uint64_t> watches;      // of all processes, those of dead ones too
  std::atomic<std::uint64_t> generations;  // of pipes
  // The newest commit that was written to disk, and how often that was said (a futex). Written by the keeper, read by
  // whoever waits for it.
  std::atomic<std::uint64_t> kept;
  std::atomic<std::uint32_t> kept_turn;

  Process* begin() { return reinterpret_cast<Process*>(reinterpret_cast<char*>(this) + 4096); }
};

// An object that a commit has changed.
struct Changed {
  std::uint64_t object = 0;
  std::uint32_t type = 0;
};

struct Figures;
struct Options;

class Space {
 public:
  // Throws base::UserError; some of its files may be there then.
  static void create(const std::filesystem::path& path, const Options& options);
  static void remove(const std::filesystem::path& path);
  // Gives the files another name, too. Throws base::UserError if that is taken.
  static void name(const std::filesystem::path& from, const std::filesystem::path& path);
  Space(const std::filesystem::path& path, bool write);
  ~Space();
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;

  Header& header() { return *header_; }
  bool writes() const { return writes_; }
  ProcessCells& cells() { return mine_->pins; }
  // A cell for a watch, whose pipe is made; throws base::UserError if the process has kWatches already.
  WatchCell& take_watch(Watched watched, std::uint64_t number, int& descriptor);
  void give_watch_back(WatchCell& cell, int descriptor);
  std::uint64_t file_bytes() const { return file_.size(); }
  void count_readers(Figures& figures);
  std::uint64_t kept_commit() const { return all_readers_->kept.load(std::memory_order_acquire); }
  void say_kept(std::uint64_t commit);
  bool wait_until_kept(std::uint64_t commit, std::chrono::milliseconds most);
  // What has changed since `position`, which is moved; false if some of it has been overwritten.
  bool changes_since(std::uint64_t& position, std::vector<Changed>& changed);

  bool is_inside(Offset offset, std::uint64_t bytes) {
    if (is_known(offset, bytes)) [[likely]]
      return true;
    look_at_size();
    return is_known(offset, bytes);
  }
  // A place in the file; null if `bytes` from there on are not in it, as after damage from outside.
  template <class T>
  T* at(Offset offset, std::uint64_t bytes = sizeof(T)) {
    return is_inside(offset, bytes) ? reinterpret_cast<T*>(start_ + offset) : nullptr;
  }
  // The same where it must be there. Throws base::UserError if it is not.
  template <class T>
  T& needed(Offset offset) {
    T* place = at<T>(offset);
    if (place == nullptr) [[unlikely]]
      damaged();
    return *place;
  }
  Entry& needed_entry(std::uint32_t index) {
    Entry* entry = this->entry(index);
    if (entry == nullptr) [[unlikely]]
      damaged();
    return *entry;
  }
  // Of an object's number; null if there never was such an object.
  Entry* entry(std::uint32_t index) {
    if (index >= header_->entries.load(std::memory_order_acquire)) return nullptr;
    const unsigned chunk = chunk_of(index);
    if (chunk >= kChunks) return nullptr;
    const Offset start = header_->chunks[chunk].load(std::memory_order_acquire);
    return start == 0 ? nullptr : at<Entry>(start + std::uint64_t{index - chunk_start(chunk)} * sizeof(Entry));
  }
  // Null if there is none at that place; and how many slots it has, as far as its block goes.
  Version* version(Offset offset) { return offset % kGrain == 0 ? at<Version>(offset) : nullptr; }
  unsigned slots_of(Offset offset, const Version& version);

  // --- For writers, under the mutex ---

  // Recovers first, if the last writer died. Throws base::UserError if it takes longer than `most`.
  void lock(std::optional<std::chrono::milliseconds> most = std::nullopt);
  void unlock();
  // The place behind the block's head. Throws base::UserError if the store is as large as it may be, or the disk full.
  Offset allocate(std::uint64_t bytes, Kind kind);
  void free(Offset place);
  std::uint32_t take_entry();
  // The one with that index; all before it exist then, too. Throws base::UserError if it is in use.
  void take_entry_at(std::uint32_t index);
  void give_entry_back(std::uint32_t index);
  // `version` is no longer the newest.
  void supersede(Offset version, Offset newer, std::uint64_t commit);
  void erased(Offset version);  // a version that says that its object is erased: it goes, when all before it are gone
  void reclaim() {              // if it is time
    if (header_->limbo_count >= header_->limbo_look_at) reclaim_now();
  }
  void reclaim_now();
  void recover();
  // Adds to the ring of changes, and wakes whoever sleeps for one of them.
  void tell(const std::vector<Changed>& changed);
  // What is wrong, a line each; nothing if all is well.
  std::vector<std::string> verify();

 private:
  bool is_known(Offset offset, std::uint64_t bytes) const {
    const std::uint64_t size = size_.load(std::memory_order_relaxed);
    return offset >= kHeap && offset % 8 == 0 && offset < size && bytes <= size - offset;
  }
  void look_at_size();
  [[noreturn]] void damaged() const;
  Block& block_of(Offset place) { return *reinterpret_cast<Block*>(start_ + place - sizeof(Block)); }
  void to_limbo(Offset place, Version& version);
  bool try_to_drop(Offset place, const Kept& kept);
  void free_values(const Version& version, const Version* newer, const Version* older);
  void forget_object(Offset place, const Version& version);
  Kept kept();
  bool let_the_dead_go();
  std::filesystem::path pipe_of(unsigned process, unsigned watch) const;
  void forget_watches(unsigned process);
  void wake(unsigned process, unsigned watch);  // if it sleeps
  void ring(unsigned process, unsigned watch);  // puts a byte into its pipe
  void tell_all();
  void finish_commit();
  void count_commits();
  void make_ready(const std::string& boot);
  std::uint32_t append_entry();
  void grow(std::uint64_t bytes);
  Offset from_free(unsigned first, unsigned last);

  struct Marks;
  void keep_chain(std::uint32_t index, const Kept& kept, Marks& marks);
  void mark_tables(Marks& marks);
  void mark_version(Marks& marks, Offset place, Version& version);
  void sweep(const Marks& marks);

  File file_;
  File readers_;
  bool writes_;
  char* start_ = nullptr;
  // Of the file, when a thread of this process last asked. Relaxed: it only grows, and guards nothing.
  std::atomic<std::uint64_t> size_{0};
  Header* header_ = nullptr;
  ReadersHeader* all_readers_ = nullptr;
  Process* mine_ = nullptr;
  unsigned process_ = 0;
  // Of watchers, as far as they were woken; used under the writers' mutex.
  struct Pipe {
    std::uint64_t generation = 0;
    int descriptor = -1;
  };
  std::map<std::pair<unsigned, unsigned>, Pipe> pipes_;
};

}  // namespace heddle::objectbase
