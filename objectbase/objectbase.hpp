// Objects that two halves of a program share: each has an identity, a class, and slots with values.
//
// Processes that exchange what they know by messages pay for each one twice, and for the wake-ups most of all. Here one
// process changes objects and the others see them, in memory that all have mapped; those that only read cannot write to
// it. A reader sees an object as it was before a transaction or after it, never a mixture, and never waits for a
// writer. A process may be killed at any instruction: the next writer puts in order what it left.
//
//   auto store = Store::create("/dev/shm/board", {.limit = 64 << 20});
//   const Class note = store.define("Note", {"text", "stars"});
//   Transaction change = store.begin();
//   const ObjectId first = change.create(note);
//   change.set(first, note.slot("text"), "buy milk");
//   change.set(first, note.slot("stars"), 3);
//   change.commit();
//   store.text(first, note.slot("text"));  // "buy milk"; in any process that has it open
//
// Errors are base::UserError: the file cannot be had, is no store, is full. Everything may be called by any thread, but
// one Transaction, Snapshot or Pinned by one at a time. A Store is not to be used in a child of fork(): open it again.
#pragma once

#include <bit>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "objectbase/store/layout.hpp"
#include "objectbase/store/pins.hpp"

namespace heddle::objectbase {

class Space;
struct WatchCell;

// Of one object of one store, for good: the number of an object that was erased is not used again.
struct ObjectId {
  std::uint64_t number = 0;  // 0: no object

  explicit operator bool() const { return number != 0; }
  friend auto operator<=>(ObjectId, ObjectId) = default;
};

struct Bytes {
  std::string_view bytes;
  friend bool operator==(const Bytes&, const Bytes&) = default;
};

// What a slot holds. Text and bytes are views: of what is passed, or of what a Pinned or a Snapshot keeps.
using Value = std::variant<std::monostate, std::int64_t, double, ObjectId, std::string_view, Bytes>;

// A class and the names of its slots, as they were when it was looked up.
class Class {
 public:
  std::uint32_t number() const { return number_; }
  const std::string& name() const { return name_; }
  const std::vector<std::string>& slots() const { return slots_; }
  // The place of a slot. Throws base::UserError, with the names that there are.
  unsigned slot(std::string_view name) const;

 private:
  friend class Store;
  std::uint32_t number_ = 0;
  std::string name_;
  std::vector<std::string> slots_;
};

// One version of an object, which stays as it is until this is gone.
class Pinned {
 public:
  Pinned() = default;
  Pinned(Pinned&& other) noexcept : space_(other.space_), cell_(other.cell_), place_(other.place_) {
    other.cell_ = nullptr;
    other.place_ = 0;
  }
  Pinned& operator=(Pinned&& other) noexcept;
  ~Pinned();

  explicit operator bool() const { return place_ != 0; }  // is there such an object?
  ObjectId id() const;
  std::uint32_t type() const;  // the number of its class
  std::uint64_t commit() const;
  unsigned slots() const;
  Value get(unsigned slot) const;  // nothing, if the object has no such slot yet

 private:
  friend class Store;
  friend class Snapshot;
  Space* space_ = nullptr;
  std::atomic<std::uint64_t>* cell_ = nullptr;  // of pins; null if a snapshot keeps the version
  Offset place_ = 0;
};

// All objects as one commit left them.
class Snapshot {
 public:
  Snapshot(Snapshot&& other) noexcept : space_(other.space_), cell_(other.cell_), commit_(other.commit_) {
    other.cell_ = nullptr;
  }
  Snapshot& operator=(Snapshot&&) = delete;
  ~Snapshot();

  std::uint64_t commit() const { return commit_; }
  // What is returned may be used as long as the snapshot.
  Pinned get(ObjectId id) const;
  void each(const std::function<void(const Pinned&)>& call) const;
  // The first object at `place` or behind it, which is moved behind it; begin with 0. False at the end.
  Pinned next(std::uint32_t& place) const;
  // Numbers that were used last where there is no object now: what a copy of the store must not use again either.
  std::vector<ObjectId> erased() const;

 private:
  friend class Store;
  Snapshot(Space& space, std::atomic<std::uint64_t>& cell, std::uint64_t commit)
      : space_(&space), cell_(&cell), commit_(commit) {}
  Offset search(const Entry& entry, std::uint32_t index) const;
  Pinned find(std::uint32_t index, std::uint64_t object) const;

  Space* space_;
  std::atomic<std::uint64_t>* cell_;
  std::uint64_t commit_;
};

// Changes that are made together or not at all. As long as it is there, other writers wait, of all processes. It is the
// thread's that began it, which ends it, too, before it begins another.
class Transaction {
 public:
  Transaction(Transaction&& other) noexcept
      : space_(other.space_), touched_(std::move(other.touched_)), last_(other.last_) {
    other.space_ = nullptr;
  }
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();  // without commit(): nothing has happened

  ObjectId create(const Class& type);
  // An object with the number that it had in another store. Throws base::UserError if this one has used it. Quick where
  // numbers rise.
  void restore(ObjectId id, const Class& type);
  // The number is not used for an object, as if one had been erased. The same.
  void retire(ObjectId id);
  void set(ObjectId id, unsigned slot, const Value& value);
  void set(ObjectId id, unsigned slot, std::int64_t number) { set(id, slot, Value(number)); }
  void set(ObjectId id, unsigned slot, int number) { set(id, slot, Value(std::int64_t{number})); }
  void set(ObjectId id, unsigned slot, double number) { set(id, slot, Value(number)); }
  void set(ObjectId id, unsigned slot, std::string_view text) { set(id, slot, Value(text)); }
  void set(ObjectId id, unsigned slot, const char* text) { set(id, slot, Value(std::string_view(text))); }
  void set(ObjectId id, unsigned slot, const std::string& text) { set(id, slot, Value(std::string_view(text))); }
  void erase(ObjectId id);
  // With the changes made so far. Valid until the object's next change.
  Value get(ObjectId id, unsigned slot) const;

  // Returns the number of the commit: 1 more than the one before. Nothing may be called afterwards.
  std::uint64_t commit();

 private:
  friend class Store;
  explicit Transaction(Space& space);
  void end();
  void take_number(ObjectId id);
  void make_object(std::uint32_t index, std::uint64_t object, const Class& type);
  Offset current(ObjectId id) const;
  Version& writable(ObjectId id, unsigned slots);
  void turn_to(ObjectId id, unsigned slot);
  Offset make_version(std::uint64_t object, std::uint32_t type, unsigned slots);
  void free_fresh(const Slot& slot, const Version* base, unsigned index);
  void forget(std::uint32_t index);

  // The object that was changed last: its version that is being made, and the newest that was committed, if any.
  struct Last {
    ObjectId id;
    Version* version = nullptr;
    unsigned slots = 0;  // of `version`
    const Version* base = nullptr;
  };

  Space* space_;
  std::vector<std::uint32_t> touched_;
  Last last_;
};

// What has changed since it was last asked for.
struct Changes {
  bool all = false;               // more than could be noted, or a writer died: any object may have changed
  std::vector<ObjectId> objects;  // made, changed or erased, each once
};

// Tells of changes. `descriptor` is readable when there are some (poll(2), epoll(7), libevent, asyncio): once for any
// number of transactions until take() is called, which must be called first of all, and again each time. It may be
// readable though nothing has changed.
class Watch {
 public:
  Watch(Watch&& other) noexcept;
  Watch& operator=(Watch&&) = delete;
  ~Watch();

  int descriptor() const { return descriptor_; }
  Changes take();

 private:
  friend class Store;
  Watch(Space& space, std::uint32_t watched, std::uint64_t number);

  Space* space_;
  WatchCell* cell_ = nullptr;
  int descriptor_ = -1;
  std::uint64_t position_ = 0;
};

struct Options {
  std::uint64_t limit = std::uint64_t{1} << 30;  // of the file, in bytes; what is not used takes no room
  unsigned mode = 0600;                          // permissions of the files
  // Of a store that is made again from what was kept of it; 0: chosen by chance.
  std::uint64_t identity = 0;
  std::uint64_t first_commit = 0;  // commits are counted on from here
};

enum class Access : std::uint8_t { kRead, kWrite };

// What a store is like at a moment; while others use it, not all of the same moment.
struct Figures {
  std::uint64_t commit = 0;
  std::uint64_t objects = 0;
  std::uint64_t superseded = 0;  // versions that are kept, for readers or until there are more of them
  std::uint64_t blocks = 0;      // bytes of blocks, free ones included
  std::uint64_t file = 0;        // bytes of the file
  std::uint64_t limit = 0;
  std::uint32_t processes = 0;  // that have it open, this one included
  std::uint32_t pins = 0;       // of all of them
  std::uint32_t snapshots = 0;
  std::uint32_t watches = 0;
};

class Store {
 public:
  static Store create(const std::filesystem::path& path, const Options& options = {});
  // One that gets its name when `fill` has filled it; if that throws, there is none.
  static Store create_filled(const std::filesystem::path& path, const Options& options,
                             const std::function<void(Store&)>& fill);
  static Store open(const std::filesystem::path& path, Access access);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // The class of that name with at least these slots; makes it, or adds what is missing behind those that it has.
  Class define(std::string_view name, std::span<const std::string_view> slots);
  Class define(std::string_view name, std::initializer_list<std::string_view> slots) {
    return define(name, std::span(slots.begin(), slots.size()));
  }
  std::optional<Class> find(std::string_view name) const;
  Class type(std::uint32_t number) const;
  // How many that class has; 0 if there is no such class.
  std::size_t slots(std::uint32_t number) const;
  std::uint32_t types() const;  // numbers are 1 to this

  Transaction begin();
  Snapshot snapshot() const;
  // The newest version. Throws base::UserError if the process has kCells pins and snapshots already.
  Pinned pin(ObjectId id) const;

  // One slot as it is now, without a pin; nothing if there is no such object, or the slot holds something else.
  std::optional<std::int64_t> integer(ObjectId id, unsigned slot) const {
    return as<std::int64_t>(word(id, slot, Type::kInteger));
  }
  std::optional<double> number(ObjectId id, unsigned slot) const { return as<double>(word(id, slot, Type::kDouble)); }
  std::optional<ObjectId> reference(ObjectId id, unsigned slot) const {
    return as<ObjectId>(word(id, slot, Type::kReference));
  }
  // A copy.
  std::optional<std::string> text(ObjectId id, unsigned slot) const;

  // Changes of everything, of the objects of a class, of one object. The folder of the store gets a named pipe for
  // each.
  Watch watch() const;
  Watch watch(const Class& type) const;
  Watch watch(ObjectId id) const;

  std::uint64_t commit() const;    // the number of the newest
  std::uint64_t identity() const;  // the store's own, by chance
  // A watch that is asked now tells of all changes up to this commit, which may be one older than the newest.
  std::uint64_t told() const;
  // The newest commit that is on the disk, as the process with a Keeper says; 0: none. The second returns false if that
  // took longer than `most`.
  std::uint64_t kept() const;
  bool wait_until_kept(std::uint64_t commit, std::chrono::milliseconds most) const;
  void say_kept(std::uint64_t commit) const;  // for a Keeper
  std::uint64_t bytes() const;                // in use by blocks, free ones included
  Figures figures() const;
  // What is wrong, a line each. Other writers wait meanwhile. Throws base::UserError if they do not let it begin for so
  // long, as when the file says that one is at work, and there is none.
  std::vector<std::string> verify(std::chrono::milliseconds most = std::chrono::seconds(10));
  // Gives back what nobody reads any more, now instead of with one of the next commits.
  void reclaim();

 private:
  explicit Store(std::unique_ptr<Space> space);
  struct FoundWord {
    bool there;
    std::uint64_t word;
  };
  template <class Kind>
  static std::optional<Kind> as(FoundWord found) {
    return found.there ? std::optional(std::bit_cast<Kind>(found.word)) : std::nullopt;
  }
  FoundWord word(ObjectId id, unsigned slot, Type type) const;
  FoundWord word_slowly(ObjectId id, unsigned slot, Type type) const;

  std::unique_ptr<Space> space_;
};

}  // namespace heddle::objectbase

namespace objectbase = heddle::objectbase;
