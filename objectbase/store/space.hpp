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

#include "base/assert.hpp"
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
  // Of an object's number; null if there is no room for such an object yet. One that never was has no head.
  Entry* entry(std::uint32_t index) {
    Entry* known = known_entry(index);
    if (known == nullptr) [[unlikely]]
      find_chunk(chunk_of(index));
    return known == nullptr ? known_entry(index) : known;
  }
  // The same of what this process knows already: null if it has to look at the file.
  Entry* known_entry(std::uint32_t index) {
    const unsigned chunk = chunk_of(index);
    Entry* entries = chunks_[chunk].load(std::memory_order_acquire);
    return entries == nullptr ? nullptr : entries + (index - chunk_start(chunk));
  }
  Version* known_version(Offset offset, std::uint64_t slots) {
    const std::uint64_t size = size_.load(std::memory_order_relaxed);
    const bool known = offset % kGrain == 0 && offset >= kHeap && offset < size &&
                       sizeof(Version) + slots * sizeof(Slot) <= size - offset;
    return known ? reinterpret_cast<Version*>(start_ + offset) : nullptr;
  }
  // Null if there is none at that place with room for so many slots; and how many it has, as far as its block goes.
  Version* version(Offset offset, std::uint64_t slots = 0) {
    return offset % kGrain == 0 ? at<Version>(offset, sizeof(Version) + slots * sizeof(Slot)) : nullptr;
  }
  unsigned slots_of(Offset offset, const Version& version);

  // --- For writers, under the mutex ---

  // Recovers first, if the last writer died. Throws base::UserError if it takes longer than `most`.
  void lock(std::optional<std::chrono::milliseconds> most = std::nullopt);
  void unlock();
  // The place behind the block's head. Throws base::UserError if the store is as large as it may be, or the disk full.
  Offset allocate(std::uint64_t bytes, Kind kind) {
    const unsigned size_class = class_of(bytes + sizeof(Block));
    const Offset place = size_class < kSizeClasses ? header_->free_blocks[size_class] : 0;
    if (place == 0) [[unlikely]]
      return allocate_new(bytes, size_class, kind);
    Block& block = block_of(place);
    header_->free_blocks[size_class] = block.next_free;
    // What the next allocation will take comes into the cache meanwhile: nobody has touched it, but for its head, since
    // it was filled. It may be any address, for nothing is read.
    const std::uintptr_t next = reinterpret_cast<std::uintptr_t>(start_) + block.next_free;
    __builtin_prefetch(reinterpret_cast<const void*>(next + 48), 1);
    __builtin_prefetch(reinterpret_cast<const void*>(next + 112), 1);
    __builtin_prefetch(reinterpret_cast<const void*>(next + 176), 1);
    block.kind = kind;
    block.next_free = 0;
    return place;
  }
  // Where a block is that has just been allocated.
  char* of_block(Offset place) { return start_ + place; }
  void free(Offset place) {
    Block& block = block_of(place);
    HEDDLE_DCHECK(block.kind != Kind::kFree);
    // Release fence: whoever reads something of its next use finds, behind an acquire fence, that this version is gone.
    if (block.kind == Kind::kVersion) {
      needed<Version>(place).commit.store(0, std::memory_order_release);
      std::atomic_thread_fence(std::memory_order_release);
    }
    block.kind = Kind::kFree;
    block.next_free = header_->free_blocks[block.size_class];
    header_->free_blocks[block.size_class] = place;
  }
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
  // Memory that transactions use one after the other, under the mutex.
  struct Spare {
    std::vector<std::uint32_t> touched;
    std::vector<Changed> changed;
  };
  Spare& spare() { return spare_; }

 private:
  bool is_known(Offset offset, std::uint64_t bytes) const {
    const std::uint64_t size = size_.load(std::memory_order_relaxed);
    return offset >= kHeap && offset % 8 == 0 && offset < size && bytes <= size - offset;
  }
  void look_at_size();
  void find_chunk(unsigned chunk);
  Offset allocate_new(std::uint64_t bytes, unsigned size_class, Kind kind);
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

  // What each read needs stands together.
  char* start_ = nullptr;
  // Of the file, when a thread of this process last asked. Relaxed: it only grows, and guards nothing.
  std::atomic<std::uint64_t> size_{0};
  Header* header_ = nullptr;
  // Chunks of entries that lie in the file; null before one is used. Release when it has been found there, with the
  // acquire of entry(): entries are filled with zeros before the header leads to them. Longer than kChunks, so that
  // each 32-bit index has its place.
  std::array<std::atomic<Entry*>, chunk_of(~std::uint32_t{0}) + 1> chunks_{};
  File file_;
  File readers_;
  bool writes_;
  ReadersHeader* all_readers_ = nullptr;
  Process* mine_ = nullptr;
  unsigned process_ = 0;
  // Of watchers, as far as they were woken; used under the writers' mutex.
  struct Pipe {
    std::uint64_t generation = 0;
    int descriptor = -1;
  };
  std::map<std::pair<unsigned, unsigned>, Pipe> pipes_;
  Spare spare_;
};

}  // namespace heddle::objectbase
