// What is done when a writer died, and the check of a whole store: both begin with what can be reached.
#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "base/assert.hpp"
#include "base/user_error.hpp"
#include "objectbase/store/space.hpp"
#include "objectbase/store/value.hpp"

namespace heddle::objectbase {

// Which blocks are in use, and by which object.
struct Space::Marks {
  std::vector<bool> used;                            // by the place of the block's content, in units of kGrain
  std::unordered_map<Offset, std::uint32_t> owners;  // of versions and values, for verify()
  std::vector<std::string> problems;

  bool seen(Offset place) const { return used[place / kGrain]; }
};

namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};

}  // namespace

// A record that the header leads to is a commit that holds.
void Space::finish_commit() {
  const Offset place = header_->record.load(std::memory_order_acquire);
  if (place == 0) return;
  auto& record = needed<Record>(place);
  for (std::uint64_t i = 0; i < record.count; ++i) {
    const Record::Head& head = record.begin()[i];
    needed_entry(static_cast<std::uint32_t>(head.index)).head.store(head.version, std::memory_order_seq_cst);
  }
  header_->commit.store(std::max(header_->commit.load(std::memory_order_relaxed), record.commit),
                        std::memory_order_seq_cst);
  header_->record.store(0, std::memory_order_release);
}

void Space::recover() {
  finish_commit();
  look_at_size();
  const Offset top = header_->top.load(std::memory_order_acquire);
  if (top < kHeap || top > size_.load(std::memory_order_relaxed)) damaged();
  Marks marks;
  marks.used.resize(top / kGrain + 1);
  mark_tables(marks);
  header_->limbo_first = header_->limbo_last = 0;
  header_->limbo_count.store(0, std::memory_order_relaxed);
  header_->free_entries = 0;
  let_the_dead_go();
  // Before anybody is asked what he keeps: whoever comes afterwards must see the commit of a single object, too, whose
  // writer died before it could say its number.
  count_commits();
  const Kept kept = this->kept();
  for (std::uint32_t i = header_->entries.load(std::memory_order_relaxed); i-- > 0;) keep_chain(i, kept, marks);
  sweep(marks);
  header_->limbo_look_at = std::max(kLimboAtLeast, 2 * header_->limbo_count.load(std::memory_order_relaxed));
  tell_all();
}

void Space::count_commits() {
  std::uint64_t newest = header_->commit.load(std::memory_order_relaxed);
  for (std::uint32_t i = header_->entries.load(std::memory_order_relaxed); i-- > 0;) {
    const Offset head = needed_entry(i).head.load(std::memory_order_relaxed);
    if (head != 0) newest = std::max(newest, needed<Version>(head).commit.load(std::memory_order_relaxed));
  }
  header_->commit.store(newest, std::memory_order_seq_cst);
}

void Space::mark_tables(Marks& marks) {
  const auto mark = [&](Offset place) {
    if (place / kGrain >= marks.used.size() || marks.seen(place)) damaged();
    marks.used[place / kGrain] = true;
  };
  for (const auto& chunk : header_->chunks)
    if (const Offset place = chunk.load(std::memory_order_relaxed); place != 0) mark(place);
  if (const Offset ring = header_->changes.load(std::memory_order_relaxed); ring != 0) mark(ring);
  for (const auto& name : header_->names) {
    for (Offset place = name.load(std::memory_order_relaxed); place != 0; place = needed<ClassNames>(place).older)
      mark(place);
  }
}

// The chain of an object: the newest version stays, and older ones that somebody reads.
void Space::keep_chain(std::uint32_t index, const Kept& kept, Marks& marks) {
  Entry& entry = needed_entry(index);
  entry.pending = 0;
  entry.attempt = 0;
  const Offset head = entry.head.load(std::memory_order_relaxed);
  if (head == 0) return give_entry_back(index);
  auto& newest = needed<Version>(head);
  const std::uint64_t commit = newest.commit.load(std::memory_order_relaxed);
  Offset last = head;
  Offset place = newest.older.load(std::memory_order_relaxed);
  std::uint64_t superseded = commit;
  mark_version(marks, head, newest);
  while (place != 0) {
    auto& version = needed<Version>(place);
    if (version.superseded == 0) version.superseded = superseded;
    if (version.commit.load(std::memory_order_relaxed) >= superseded) damaged();
    superseded = version.commit.load(std::memory_order_relaxed);
    if (kept.needs(place, superseded, version.superseded)) {
      needed<Version>(last).older.store(place, std::memory_order_release);
      version.newer = last;
      mark_version(marks, place, version);
      to_limbo(place, version);
      last = place;
    }
    place = version.older.load(std::memory_order_relaxed);
  }
  needed<Version>(last).older.store(0, std::memory_order_release);
  newest.superseded = 0;
  if (newest.type.load(std::memory_order_relaxed) == 0) to_limbo(head, newest);
}

void Space::mark_version(Marks& marks, Offset place, Version& version) {
  const auto mark = [&](Offset used) {
    if (used / kGrain >= marks.used.size()) damaged();
    marks.used[used / kGrain] = true;
  };
  mark(place);
  for (unsigned i = 0; i < slots_of(place, version); ++i)
    if (const Slot& slot = version.begin()[i]; is_block(slot)) mark(slot.word.load(std::memory_order_relaxed));
}

// All that is not marked is free.
void Space::sweep(const Marks& marks) {
  header_->free_blocks.fill(0);
  const Offset top = header_->top.load(std::memory_order_relaxed);
  std::uint64_t size = 0;
  for (Offset block = kHeap; block < top; block += size) {
    const Offset place = block + sizeof(Block);
    if (block_of(place).size_class >= kSizeClasses) damaged();
    size = class_bytes(block_of(place).size_class);
    if (size > top - block) damaged();
    if (marks.seen(place)) continue;
    block_of(place).kind = Kind::kRecord;  // whatever it was; free() looks
    auto* version = at<Version>(place);
    if (size >= sizeof(Block) + sizeof(Version)) {
      version->commit.store(0, std::memory_order_release);
      std::atomic_thread_fence(std::memory_order_release);
    }
    free(place);
  }
}

// --- The check ---

std::vector<std::string> Space::verify() {
  Marks marks;
  look_at_size();
  const Offset top = header_->top.load(std::memory_order_acquire);
  const auto say = [&](const std::string& what, std::uint64_t where) {
    marks.problems.push_back(what + " " + std::to_string(where));
  };
  marks.used.resize(top / kGrain + 1);
  std::vector<bool> starts(top / kGrain + 1);
  for (Offset block = kHeap; block < top;) {
    const std::uint32_t size_class = block_of(block + sizeof(Block)).size_class;
    if (size_class >= kSizeClasses || class_bytes(size_class) > top - block) {
      say("a block without a size at", block);
      return marks.problems;
    }
    starts[(block + sizeof(Block)) / kGrain] = true;
    block += class_bytes(size_class);
  }
  const auto use = [&](Offset place, Kind kind, std::uint32_t owner) {
    if (place % kGrain != 0 || place >= top || !starts[place / kGrain]) {
      say("something leads to no block, to", place);
      return false;
    }
    if (block_of(place).kind != kind) say("a block of another kind at", place);
    const auto [known, first] = marks.owners.try_emplace(place, owner);
    if (!first && (known->second != owner || owner == kNobody)) {
      say("a block that two have at", place);
      return false;
    }
    marks.used[place / kGrain] = true;
    return true;
  };
  for (const auto& chunk : header_->chunks)
    if (const Offset place = chunk.load(std::memory_order_relaxed); place != 0) use(place, Kind::kEntries, kNobody);
  if (const Offset ring = header_->changes.load(std::memory_order_relaxed); ring != 0)
    use(ring, Kind::kChanges, kNobody);
  for (const auto& name : header_->names) {
    Offset place = name.load(std::memory_order_relaxed);
    while (place != 0 && use(place, Kind::kClass, kNobody)) place = needed<ClassNames>(place).older;
  }
  if (header_->record.load(std::memory_order_relaxed) != 0)
    say("a commit that was not carried out, of record", header_->record);
  std::uint64_t limbo = 0;
  std::uint64_t free_entries = 0;
  const std::uint32_t entries = header_->entries.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < entries; ++i) {
    const Entry* entry = this->entry(i);
    if (entry == nullptr) {
      say("no place for object", i);
      break;
    }
    Offset place = entry->head.load(std::memory_order_relaxed);
    if (place == 0) ++free_entries;
    std::uint64_t before = ~std::uint64_t{0};
    for (Offset newer = 0; place != 0;
         newer = place, place = needed<Version>(place).older.load(std::memory_order_relaxed)) {
      if (!use(place, Kind::kVersion, i)) break;
      const auto& version = needed<Version>(place);
      const std::uint64_t commit = version.commit.load(std::memory_order_relaxed);
      if (commit == 0 || commit >= before || commit > header_->commit.load(std::memory_order_relaxed))
        say("versions out of order of object", i);
      if (static_cast<std::uint32_t>(version.object.load(std::memory_order_relaxed)) != i)
        say("a version of another object in the chain of", i);
      if (newer != 0 && version.newer != newer) say("a chain that does not lead back of object", i);
      if (newer != 0 || version.type.load(std::memory_order_relaxed) == 0) ++limbo;
      if (version.slots.load(std::memory_order_relaxed) != slots_of(place, version))
        say("more slots than room in object", i);
      if (commit >= before) break;
      before = commit;
      for (unsigned s = 0; s < slots_of(place, version); ++s) {
        const Slot& slot = version.begin()[s];
        const std::uint64_t length = slot.meta.load(std::memory_order_relaxed) >> 8;
        if (!is_block(slot)) continue;
        const Offset value = slot.word.load(std::memory_order_relaxed);
        if (use(value, Kind::kValue, i) && length > class_bytes(block_of(value).size_class) - sizeof(Block))
          say("a value longer than its block in object", i);
      }
    }
  }
  if (limbo != header_->limbo_count.load(std::memory_order_relaxed))
    say("versions that wait to be reclaimed, not counted:", limbo);
  for (std::uint32_t next = header_->free_entries; next != 0; next = needed_entry(next - 1).next_free) {
    if (next > entries || free_entries == 0 || needed_entry(next - 1).head.load(std::memory_order_relaxed) != 0) {
      say("an entry that is free and is not,", next);
      break;
    }
    --free_entries;
  }
  if (free_entries != 0) say("entries that were lost:", free_entries);
  for (unsigned size_class = 0; size_class < kSizeClasses; ++size_class) {
    for (Offset place = header_->free_blocks[size_class]; place != 0; place = block_of(place).next_free) {
      if (!use(place, Kind::kFree, kNobody)) break;
      if (block_of(place).size_class != size_class) say("a block among those of another size at", place);
    }
  }
  for (Offset block = kHeap; block < top; block += class_bytes(block_of(block + sizeof(Block)).size_class))
    if (!marks.seen(block + sizeof(Block))) say("a block that was lost at", block);
  return marks.problems;
}

}  // namespace heddle::objectbase
