// Changes: new versions beside the old ones, and the commit that makes them the newest.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/user_error.hpp"
#include "objectbase/objectbase.hpp"
#include "objectbase/store/space.hpp"
#include "objectbase/store/value.hpp"

namespace heddle::objectbase {

Transaction::Transaction(Space& space) : space_(&space) {
  space.lock();
  ++space.header().attempt;
  touched_.swap(space.spare().touched);
}

// Another transaction may begin.
void Transaction::end() {
  constexpr std::size_t kMostSpare = 1 << 16;
  Space::Spare& spare = space_->spare();
  touched_.clear();
  if (touched_.capacity() <= kMostSpare) touched_.swap(spare.touched);
  if (spare.changed.capacity() > kMostSpare) spare.changed = {};
  space_->unlock();
  space_ = nullptr;
}

// Frees the value's block if this transaction made it.
[[gnu::always_inline]] inline void Transaction::free_fresh(const Slot& slot, const Version* base, unsigned index) {
  if (!is_block(slot)) return;
  const Offset block = slot.word.load(std::memory_order_relaxed);
  if (!has_block(base, index, block)) space_->free(block);
}

Transaction::~Transaction() {
  if (space_ == nullptr) return;
  Header& header = space_->header();
  for (const std::uint32_t index : touched_) {
    Entry& entry = space_->needed_entry(index);
    auto& version = space_->needed<Version>(entry.pending);
    const Offset head = entry.head.load(std::memory_order_relaxed);
    const Version* base = head == 0 ? nullptr : space_->version(head);
    for (unsigned i = 0; i < version.slots.load(std::memory_order_relaxed); ++i)
      free_fresh(version.begin()[i], base, i);
    space_->free(entry.pending);
    entry.pending = 0;
    if (head == 0) forget(index);
  }
  ++header.attempt;
  end();
}

// An object that never was: its number is not used again.
void Transaction::forget(std::uint32_t index) {
  space_->needed_entry(index).generation.fetch_add(1, std::memory_order_relaxed);
  space_->give_entry_back(index);
}

// The version that the transaction sees; 0 if there is no such object.
Offset Transaction::current(ObjectId id) const {
  const Entry* entry = id ? space_->entry(index_of(id)) : nullptr;
  if (entry == nullptr) return 0;
  const bool ours = entry->pending != 0 && entry->attempt == space_->header().attempt;
  const Offset place = ours ? entry->pending : entry->head.load(std::memory_order_relaxed);
  const Version* version = place == 0 ? nullptr : space_->version(place);
  const bool there = version != nullptr && version->type.load(std::memory_order_relaxed) != 0 &&
                     version->object.load(std::memory_order_relaxed) == object_of(id);
  return there ? place : 0;
}

Offset Transaction::make_version(std::uint64_t object, std::uint32_t type, unsigned slots) {
  const Offset place = space_->allocate(sizeof(Version) + slots * sizeof(Slot), Kind::kVersion);
  auto& version = space_->needed<Version>(place);
  version.commit.store(0, std::memory_order_relaxed);
  version.older.store(0, std::memory_order_relaxed);
  version.newer = 0;
  version.superseded = 0;
  version.next_in_limbo = 0;
  version.object.store(object, std::memory_order_relaxed);
  version.type.store(type, std::memory_order_relaxed);
  version.slots.store(slots, std::memory_order_relaxed);
  return place;
}

ObjectId Transaction::create(const Class& type) {
  touched_.reserve(touched_.size() + 1);
  const std::uint32_t index = space_->take_entry();
  const std::uint64_t generation = space_->needed_entry(index).generation.load(std::memory_order_relaxed);
  const std::uint64_t object = generation << 32 | index;
  make_object(index, object, type);
  return {object + 1};
}

// Takes the entry of a number that has not been used here.
void Transaction::take_number(ObjectId id) {
  if (!id) throw base::UserError("objectbase: no object has the number 0");
  const std::uint32_t index = index_of(id);
  const auto generation = static_cast<std::uint32_t>(object_of(id) >> 32);
  space_->take_entry_at(index);
  Entry& entry = space_->needed_entry(index);
  if (generation < entry.generation.load(std::memory_order_relaxed)) {
    space_->give_entry_back(index);
    throw base::UserError("objectbase: the number " + std::to_string(id.number) + " was used already");
  }
  entry.generation.store(generation, std::memory_order_relaxed);
}

void Transaction::restore(ObjectId id, const Class& type) {
  touched_.reserve(touched_.size() + 1);
  take_number(id);
  make_object(index_of(id), object_of(id), type);
}

void Transaction::retire(ObjectId id) {
  take_number(id);
  forget(index_of(id));
}

// Throws base::UserError; then the entry is free again.
void Transaction::make_object(std::uint32_t index, std::uint64_t object, const Class& type) {
  const auto slots = static_cast<unsigned>(type.slots().size());
  Entry& entry = space_->needed_entry(index);
  Offset place = 0;
  try {
    place = make_version(object, type.number(), slots);
  } catch (...) {
    space_->give_entry_back(index);
    throw;
  }
  auto& version = space_->needed<Version>(place);
  for (unsigned i = 0; i < slots; ++i) store_slot(version.begin()[i], 0, 0);
  entry.pending = place;
  entry.attempt = space_->header().attempt;
  touched_.push_back(index);
}

// The version that the transaction makes of the object, with at least so many slots.
Version& Transaction::writable(ObjectId id, unsigned slots) {
  const Offset now = current(id);
  if (now == 0) throw base::UserError("objectbase: there is no object " + std::to_string(id.number));
  Entry& entry = space_->needed_entry(index_of(id));
  auto& version = space_->needed<Version>(now);
  const bool ours = now == entry.pending && entry.attempt == space_->header().attempt;
  const unsigned has = version.slots.load(std::memory_order_relaxed);
  if (ours && slots <= has) return version;
  touched_.reserve(touched_.size() + 1);
  const unsigned all = std::max(slots, has);
  const Offset place = make_version(object_of(id), version.type.load(std::memory_order_relaxed), all);
  auto& copy = space_->needed<Version>(place);
  for (unsigned i = 0; i < has; ++i)
    store_slot(copy.begin()[i], version.begin()[i].meta.load(std::memory_order_relaxed),
               version.begin()[i].word.load(std::memory_order_relaxed));
  for (unsigned i = has; i < all; ++i) store_slot(copy.begin()[i], 0, 0);
  if (ours) {
    space_->free(now);
  } else {
    entry.attempt = space_->header().attempt;
    touched_.push_back(index_of(id));
  }
  entry.pending = place;
  return copy;
}

// Finds the object that is changed now.
[[gnu::noinline]] void Transaction::turn_to(ObjectId id, unsigned slot) {
  constexpr unsigned kMostSlots = 1 << 16;
  if (slot >= kMostSlots) throw base::UserError("objectbase: a class has at most 65536 slots");
  Version& version = writable(id, slot + 1);
  const Offset head = space_->needed_entry(index_of(id)).head.load(std::memory_order_relaxed);
  last_ = {.id = id,
           .version = &version,
           .slots = version.slots.load(std::memory_order_relaxed),
           .base = head == 0 ? nullptr : space_->version(head)};
}

void Transaction::set(ObjectId id, unsigned slot, const Value& value) {
  if (last_.id != id || slot >= last_.slots) turn_to(id, slot);  // of the number 0, too
  Word word = word_of(value);
  if (!word.bytes.empty()) {
    word.word = space_->allocate(word.bytes.size(), Kind::kValue);
    std::memcpy(space_->of_block(word.word), word.bytes.data(), word.bytes.size());
  }
  Slot& place = last_.version->begin()[slot];
  free_fresh(place, last_.base, slot);
  store_slot(place, word.meta, word.word);
}

void Transaction::erase(ObjectId id) {
  const Offset now = current(id);
  if (now == 0) throw base::UserError("objectbase: there is no object " + std::to_string(id.number));
  Entry& entry = space_->needed_entry(index_of(id));
  const Offset head = entry.head.load(std::memory_order_relaxed);
  last_ = {};
  Version& version = writable(id, 0);
  const Version* base = head == 0 ? nullptr : space_->version(head);
  for (unsigned i = 0; i < version.slots.load(std::memory_order_relaxed); ++i) free_fresh(version.begin()[i], base, i);
  version.slots.store(0, std::memory_order_relaxed);
  version.type.store(0, std::memory_order_relaxed);
}

Value Transaction::get(ObjectId id, unsigned slot) const {
  if (id && id == last_.id) return slot < last_.slots ? value_of(*space_, last_.version->begin()[slot]) : Value{};
  const Offset now = current(id);
  if (now == 0) throw base::UserError("objectbase: there is no object " + std::to_string(id.number));
  const auto& version = space_->needed<Version>(now);
  return slot < version.slots.load(std::memory_order_relaxed) ? value_of(*space_, version.begin()[slot]) : Value{};
}

std::uint64_t Transaction::commit() {
  Header& header = space_->header();
  const std::uint64_t number = header.commit.load(std::memory_order_relaxed) + 1;
  // What was made and erased again never was.
  std::erase_if(touched_, [&](std::uint32_t index) {
    Entry& entry = space_->needed_entry(index);
    const bool never = entry.head.load(std::memory_order_relaxed) == 0 &&
                       space_->needed<Version>(entry.pending).type.load(std::memory_order_relaxed) == 0;
    if (!never) return false;
    space_->free(entry.pending);
    entry.pending = 0;
    forget(index);
    return true;
  });
  if (touched_.empty()) {
    end();
    return number - 1;
  }
  Offset record = 0;
  if (touched_.size() > 1)
    record = space_->allocate(sizeof(Record) + touched_.size() * sizeof(Record::Head), Kind::kRecord);
  std::size_t count = 0;
  for (const std::uint32_t index : touched_) {
    const Entry& entry = space_->needed_entry(index);
    auto& version = space_->needed<Version>(entry.pending);
    version.older.store(entry.head.load(std::memory_order_relaxed), std::memory_order_relaxed);
    version.commit.store(number, std::memory_order_release);  // with the acquire of whoever finds it
    if (record != 0) space_->needed<Record>(record).begin()[count++] = {index, entry.pending};
  }
  if (record != 0) {
    auto& all = space_->needed<Record>(record);
    all.commit = number;
    all.count = count;
    header.record.store(record, std::memory_order_release);  // from here on the commit holds
  }
  std::vector<Changed>& changed = space_->spare().changed;
  changed.clear();
  changed.reserve(touched_.size());
  for (const std::uint32_t index : touched_) {
    Entry& entry = space_->needed_entry(index);
    const Offset old = entry.head.load(std::memory_order_relaxed);
    entry.head.store(entry.pending, std::memory_order_seq_cst);  // see pins.hpp
    const auto& made = space_->needed<Version>(entry.pending);
    const std::uint32_t type = made.type.load(std::memory_order_relaxed);
    changed.push_back({made.object.load(std::memory_order_relaxed) + 1,
                       type != 0 ? type : space_->needed<Version>(old).type.load(std::memory_order_relaxed)});
    if (old != 0) space_->supersede(old, entry.pending, number);
  }
  header.commit.store(number, std::memory_order_seq_cst);
  header.record.store(0, std::memory_order_release);
  if (record != 0) space_->free(record);
  for (const std::uint32_t index : touched_) {
    Entry& entry = space_->needed_entry(index);
    if (space_->needed<Version>(entry.pending).type.load(std::memory_order_relaxed) == 0) space_->erased(entry.pending);
    entry.pending = 0;
  }
  space_->tell(changed);
  space_->reclaim();
  end();
  return number;
}

}  // namespace heddle::objectbase
