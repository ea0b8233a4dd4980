// What a store looks like in its file, and so in the memory of all processes that have it open.
//
// The file is mapped at another address in each process: what leads from one place to another is an offset from the
// start of the file, 0 for none. It begins with the header; behind it blocks lie end to end up to `Header::top`. A
// block keeps its size for good, whatever it is used for: so whoever reads from a block that has meanwhile become
// something else reads rubbish, and sees that, but never beyond the block.
//
// An object is an entry, whose head leads to its newest version. A version is never changed once a head has led to it;
// versions that share a value share its block. Older versions stay in a chain behind the newest as long as somebody
// may still read them.
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace heddle::objectbase {

using Offset = std::uint64_t;

inline constexpr std::uint64_t kMagic = 0x31'65'73'61'62'6a'62'6f;  // "objbase1", little-endian
inline constexpr std::uint32_t kLayout = 2;

// --- Blocks ---

// NOLINTNEXTLINE(performance-enum-size): so it is in the file
enum class Kind : std::uint32_t { kFree, kVersion, kValue, kEntries, kClass, kRecord, kChanges };

struct Block {
  std::uint32_t size_class;  // written once, before `top` moves behind the block
  Kind kind;                 // written under the writers' mutex, read by nobody else
  Offset next_free;          // of the free blocks of this size; the same
};
inline constexpr std::size_t kGrain = 16;
static_assert(sizeof(Block) == kGrain);

// Sizes, their block's head included: in steps of 16 bytes up to 1 KB, then four to each doubling.
inline constexpr unsigned kSmallClasses = 63;
inline constexpr unsigned kSizeClasses = kSmallClasses + 4 * 30;
constexpr std::uint64_t class_bytes(unsigned size_class) {
  if (size_class < kSmallClasses) return 32 + kGrain * size_class;
  const unsigned step = size_class - kSmallClasses;
  return (std::uint64_t{1024} << step / 4) / 4 * (5 + step % 4);
}
// The least class with so many bytes; kSizeClasses if there is none.
constexpr unsigned class_of(std::uint64_t bytes) {
  if (bytes <= 32) return 0;
  if (bytes <= 1024) return static_cast<unsigned>((bytes - 32 + kGrain - 1) / kGrain);
  const unsigned doublings = static_cast<unsigned>(std::bit_width(bytes - 1)) - 11;
  unsigned size_class = kSmallClasses + 4 * doublings;
  while (size_class < kSizeClasses && class_bytes(size_class) < bytes) ++size_class;
  return size_class < kSizeClasses ? size_class : kSizeClasses;
}

// --- Objects ---

enum class Type : std::uint8_t { kNone, kInteger, kDouble, kReference, kString, kBytes };

// Up to 8 bytes lie in `word` itself; a longer string is a block of its own. Atomic, because a reader that has no pin
// may read them while their block is used again; it looks at Version::commit before and after.
struct Slot {
  std::atomic<std::uint64_t> meta;  // the type in the lowest byte, above it the length in bytes
  std::atomic<std::uint64_t> word;
};
inline constexpr std::uint64_t kInPlace = 8;

struct Version {
  // The number of the commit that made it; 0 while the block is being filled. Written with release when the rest of the
  // version has been; its partner is the acquire of whoever reads the version.
  std::atomic<std::uint64_t> commit;
  std::atomic<Offset> older;  // written under the writers' mutex, read by snapshots
  // The following are the writers', under their mutex.
  Offset newer;
  std::uint64_t superseded;  // the number of the commit that made a newer one; 0 if there is none
  Offset next_in_limbo;
  // Constant once it can be found.
  std::atomic<std::uint64_t> object;  // index below, generation above
  std::atomic<std::uint32_t> type;    // the number of its class; 0: the object is erased
  std::atomic<std::uint32_t> slots;

  Slot* begin() { return reinterpret_cast<Slot*>(this + 1); }
  const Slot* begin() const { return reinterpret_cast<const Slot*>(this + 1); }
};
static_assert(sizeof(Version) % kGrain == 8 || sizeof(Version) % kGrain == 0);

struct Entry {
  std::atomic<Offset> head;  // written by a commit, read by all
  // The writers', under their mutex.
  Offset pending;  // the version that a transaction is making, if `attempt` is that of the transaction
  std::uint64_t attempt;
  std::atomic<std::uint32_t> generation;  // of the object that has the entry, or of the next one; read by all
  std::uint32_t next_free;                // entry + 1; 0: none
};
static_assert(sizeof(Entry) == 32);

// Entries lie in chunks, each twice as long as the one before, so that none ever moves.
inline constexpr unsigned kFirstChunk = 1024;
inline constexpr unsigned kChunks = 21;
constexpr unsigned chunk_of(std::uint32_t index) {
  return static_cast<unsigned>(std::bit_width(std::uint64_t{index} / kFirstChunk + 1)) - 1;
}
constexpr std::uint32_t chunk_start(unsigned chunk) { return ((1U << chunk) - 1) * kFirstChunk; }
constexpr std::uint32_t chunk_entries(unsigned chunk) { return kFirstChunk << chunk; }

// What a commit of several objects is about to store. Once Header::record leads here the commit holds: whoever finds
// that its writer is dead stores the heads.
struct Record {
  std::uint64_t commit;
  std::uint64_t count;
  struct Head {
    std::uint64_t index;
    Offset version;
  };
  Head* begin() { return reinterpret_cast<Head*>(this + 1); }
};

// Names of a class: its own, then those of its slots, each with its length (16 bits) before it. Never changed; a class
// that gets more slots has a new block, which keeps the old one in `older`, for somebody may be reading that.
struct ClassNames {
  Offset older;
  std::uint32_t slots;
  std::uint32_t bytes;
  char* text() { return reinterpret_cast<char*>(this + 1); }
  const char* text() const { return reinterpret_cast<const char*>(this + 1); }
};

// The objects that the newest commits have changed, oldest first, in a ring. `claimed` is moved before entries are
// written, `written` afterwards: so whoever has read entries sees by `claimed` whether they were still those.
struct Change {
  std::atomic<std::uint64_t> object;  // ObjectId::number
  std::atomic<std::uint32_t> type;
  std::uint32_t unused;
};
inline constexpr std::uint64_t kChanges = 4096;

// --- The header ---

inline constexpr unsigned kMostClasses = 1024;

struct Header {
  // Constant. `checksum` is of all before it.
  std::uint64_t magic;
  std::uint32_t layout;
  std::uint32_t header_bytes;
  std::uint64_t limit;     // of the file, in bytes
  std::uint64_t identity;  // by chance; what is kept of the store elsewhere has it, too
  std::uint64_t checksum;

  // Set by whoever creates the store, when all else is ready: release, with the acquire of whoever opens it.
  std::atomic<std::uint64_t> ready;
  // Of the machine's run in which the mutex was made ready: no mutex outlives it. Written under a lock of the file.
  std::array<char, 40> boot;
  pthread_mutex_t writers;  // robust, shared by processes

  // Written under `writers`, read by all.
  std::atomic<std::uint64_t> commit;   // the number of the newest commit
  std::atomic<std::uint32_t> entries;  // so many have been used
  std::atomic<std::uint32_t> classes;
  std::array<std::atomic<Offset>, kChunks> chunks;
  std::array<std::atomic<Offset>, kMostClasses> names;  // ClassNames of class 1 and so on
  std::atomic<Offset> top;                              // where the next block will begin
  std::atomic<Offset> changes;                          // kChanges of Change
  std::atomic<std::uint64_t> changes_claimed;           // since the store was made
  std::atomic<std::uint64_t> changes_written;
  std::atomic<std::uint64_t> told;  // the newest commit whose changes have been written; after changes_written

  // Written and read under `writers` alone.
  std::atomic<Offset>
      record;             // a commit that holds and is not yet carried out; atomic, for a kill may come at any point
  std::uint64_t attempt;  // the number of the newest transaction, committed or not
  std::uint32_t free_entries;  // entry + 1; 0: none
  std::uint32_t unused;
  std::array<Offset, kSizeClasses> free_blocks;
  // Versions that were superseded, in the order in which they were, but those first that were found to be in use.
  Offset limbo_first;
  Offset limbo_last;
  std::atomic<std::uint64_t> limbo_count;  // read by all
  std::uint64_t limbo_look_at;             // at this count all of them are looked at
};
// So many wait before they are looked at: readers' cells are then read once for all of them.
inline constexpr std::uint64_t kLimboAtLeast = 16;
inline constexpr Offset kHeap = 16384;  // where the first block begins
// Room for the ring of changes, for the places of the first objects, and for some versions of them.
inline constexpr std::uint64_t kLeastLimit = std::uint64_t{256} * 1024;
static_assert(sizeof(Header) <= kHeap);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace heddle::objectbase
