#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

#include "base/on_exit.hpp"
#include "base/user_error.hpp"
#include "objectbase/objectbase.hpp"
#include "objectbase/store/space.hpp"
#include "objectbase/store/value.hpp"

namespace heddle::objectbase {
namespace {

constexpr std::uint32_t index_of(ObjectId id) { return static_cast<std::uint32_t>(id.number) - 1; }

// What Version::object of its versions is.
constexpr std::uint64_t object_of(ObjectId id) { return id.number - 1; }

// Threads begin to look for a cell at different places.
unsigned first_cell() {
  static std::atomic<unsigned> threads{0};
  thread_local const unsigned first = threads.fetch_add(7, std::memory_order_relaxed);
  return first;
}

// A reader without a pin may find that a version is no longer the one that it came for: then a commit has made the head
// lead elsewhere (acquire, with the release in Space::free() and in commits), and the reader begins again. One that
// finds the same a second time, though there was no commit meanwhile, has a damaged file before it.
class Retry {
 public:
  explicit Retry(const Header& header) : header_(header) {}

  bool in_vain(Offset place) {
    const std::uint64_t newest = header_.commit.load(std::memory_order_acquire);
    const bool before = place == place_ && newest == newest_;
    place_ = place;
    newest_ = newest;
    return before;
  }

 private:
  const Header& header_;
  Offset place_ = 0;
  std::uint64_t newest_ = 0;
};

std::atomic<std::uint64_t>& take_cell(Space& space, std::uint64_t value) {
  std::atomic<std::uint64_t>* cell = space.cells().take(value, first_cell());
  if (cell == nullptr)
    throw base::UserError("objectbase: this process has " + std::to_string(kCells) +
                          " pins and snapshots already: let some go");
  return *cell;
}

}  // namespace

// --- Classes ---

unsigned Class::slot(std::string_view name) const {
  for (unsigned i = 0; i < slots_.size(); ++i)
    if (slots_[i] == name) return i;
  std::string known;
  for (const std::string& each : slots_) known += (known.empty() ? "" : ", ") + each;
  throw base::UserError("objectbase: class " + name_ + " has no slot " + std::string(name) + "; it has: " + known);
}

Class Store::type(std::uint32_t number) const {
  Class type;
  if (number == 0 || number > types()) return type;
  const Offset place = space_->header().names[number - 1].load(std::memory_order_acquire);
  const auto* names = space_->at<ClassNames>(place);
  if (names == nullptr || space_->at<char>(place, sizeof(ClassNames) + names->bytes) == nullptr) return type;
  const char* text = names->text();
  const char* const end = text + names->bytes;
  for (unsigned i = 0; i <= names->slots && end - text >= 2; ++i) {
    std::uint16_t length = 0;
    std::memcpy(&length, text, sizeof length);
    text += sizeof length;
    if (length > end - text) break;
    (i == 0 ? type.name_ : type.slots_.emplace_back()).assign(text, length);
    text += length;
  }
  type.number_ = number;
  return type;
}

std::uint32_t Store::types() const {
  return std::min(space_->header().classes.load(std::memory_order_acquire), std::uint32_t{kMostClasses});
}

std::optional<Class> Store::find(std::string_view name) const {
  for (std::uint32_t number = 1; number <= types(); ++number)
    if (Class found = type(number); found.name_ == name) return found;
  return std::nullopt;
}

Class Store::define(std::string_view name, std::initializer_list<std::string_view> slots) {
  if (!space_->writes()) throw base::UserError("objectbase: the store was opened to read");
  if (name.empty()) throw base::UserError("objectbase: a class has a name");
  space_->lock();
  const base::OnExit unlock([this] { space_->unlock(); });
  Class type = find(name).value_or(Class{});
  const bool known = type.number_ != 0;
  bool changed = !known;
  type.name_ = name;
  for (const std::string_view slot : slots) {
    if (std::find(type.slots_.begin(), type.slots_.end(), slot) != type.slots_.end()) continue;
    type.slots_.emplace_back(slot);
    changed = true;
  }
  if (!changed) return type;
  Header& header = space_->header();
  if (!known && header.classes.load(std::memory_order_relaxed) == kMostClasses)
    throw base::UserError("objectbase: a store has at most " + std::to_string(kMostClasses) + " classes");
  std::string text;
  const auto add = [&](const std::string& word) {
    if (word.size() > 0xffff) throw base::UserError("objectbase: a name has at most 65535 bytes");
    const auto length = static_cast<std::uint16_t>(word.size());
    text.append(reinterpret_cast<const char*>(&length), sizeof length).append(word);
  };
  add(type.name_);
  for (const std::string& slot : type.slots_) add(slot);
  const Offset place = space_->allocate(sizeof(ClassNames) + text.size(), Kind::kClass);
  auto& names = space_->needed<ClassNames>(place);
  if (!known) type.number_ = header.classes.load(std::memory_order_relaxed) + 1;
  names.older = header.names[type.number_ - 1].load(std::memory_order_relaxed);
  names.slots = static_cast<std::uint32_t>(type.slots_.size());
  names.bytes = static_cast<std::uint32_t>(text.size());
  std::memcpy(names.text(), text.data(), text.size());
  header.names[type.number_ - 1].store(place, std::memory_order_release);  // with the acquire in type()
  if (!known) header.classes.store(type.number_, std::memory_order_release);
  return type;
}

// --- The store ---

Store::Store(std::unique_ptr<Space> space) : space_(std::move(space)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::create(const std::filesystem::path& path, const Options& options) {
  Space::create(path, options.limit, options.mode);
  return open(path, Access::kWrite);
}

Store Store::open(const std::filesystem::path& path, Access access) {
  return Store(std::make_unique<Space>(path, access == Access::kWrite));
}

Transaction Store::begin() {
  if (!space_->writes()) throw base::UserError("objectbase: the store was opened to read");
  return Transaction(*space_);
}

Snapshot Store::snapshot() const {
  auto& cell = take_cell(*space_, kEverything);
  return {*space_, cell, ProcessCells::snapshot(cell, space_->header().commit)};
}

Pinned Store::pin(ObjectId id) const {
  Pinned pinned;
  const Entry* entry = id ? space_->entry(index_of(id)) : nullptr;
  const Offset found = entry == nullptr ? 0 : entry->head.load(std::memory_order_acquire);
  if (found == 0) return pinned;
  pinned.space_ = space_.get();
  pinned.cell_ = &take_cell(*space_, pin_of(found));
  pinned.place_ = ProcessCells::pin(*pinned.cell_, entry->head, found);
  if (pinned.place_ == 0) pinned.cell_ = nullptr;
  const Version* version = pinned.place_ == 0 ? nullptr : space_->version(pinned.place_);
  const bool there = version != nullptr && version->type.load(std::memory_order_relaxed) != 0 &&
                     version->object.load(std::memory_order_relaxed) == object_of(id);
  if (!there) return {};
  return pinned;
}

// A sequence lock that nobody locks. What was read is of the version that the head leads to, if that has the same
// commit before and after (the acquire fence is for the release fence of Space::free()), and the head still leads to
// it: for a block may be used again for an object that is not yet committed.
std::optional<std::uint64_t> Store::word(ObjectId id, unsigned slot, Type type) const {
  const Entry* entry = id ? space_->entry(index_of(id)) : nullptr;
  if (entry == nullptr) return std::nullopt;
  for (Retry retry(space_->header());;) {
    const Offset place = entry->head.load(std::memory_order_acquire);
    const Version* version = place == 0 ? nullptr : space_->version(place);
    if (version == nullptr) return std::nullopt;
    const std::uint64_t commit = version->commit.load(std::memory_order_acquire);
    // In the file; whether it is in the version's block shows with the commit.
    const bool there = version->object.load(std::memory_order_relaxed) == object_of(id) &&
                       slot < version->slots.load(std::memory_order_relaxed) &&
                       space_->is_inside(place, sizeof(Version) + (slot + 1) * sizeof(Slot));
    const std::uint64_t meta = there ? version->begin()[slot].meta.load(std::memory_order_relaxed) : 0;
    const std::uint64_t word = there ? version->begin()[slot].word.load(std::memory_order_relaxed) : 0;
    std::atomic_thread_fence(std::memory_order_acquire);
    if (commit != 0 && version->commit.load(std::memory_order_relaxed) == commit &&
        entry->head.load(std::memory_order_relaxed) == place)
      return static_cast<Type>(meta & 0xff) == type ? std::optional(word) : std::nullopt;
    if (retry.in_vain(place)) return std::nullopt;
  }
}

std::optional<std::int64_t> Store::integer(ObjectId id, unsigned slot) const {
  const auto found = word(id, slot, Type::kInteger);
  return found ? std::optional(static_cast<std::int64_t>(*found)) : std::nullopt;
}

std::optional<double> Store::number(ObjectId id, unsigned slot) const {
  const auto found = word(id, slot, Type::kDouble);
  return found ? std::optional(std::bit_cast<double>(*found)) : std::nullopt;
}

std::optional<ObjectId> Store::reference(ObjectId id, unsigned slot) const {
  const auto found = word(id, slot, Type::kReference);
  return found ? std::optional(ObjectId{*found}) : std::nullopt;
}

std::optional<std::string> Store::text(ObjectId id, unsigned slot) const {
  const Pinned pinned = pin(id);
  if (!pinned) return std::nullopt;
  const Value value = pinned.get(slot);
  if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
  if (const auto* bytes = std::get_if<Bytes>(&value)) return std::string(bytes->bytes);
  return std::nullopt;
}

std::uint64_t Store::commit() const { return space_->header().commit.load(std::memory_order_acquire); }
std::uint64_t Store::bytes() const { return space_->header().top.load(std::memory_order_acquire); }

std::vector<std::string> Store::verify() {
  space_->lock();
  const base::OnExit unlock([this] { space_->unlock(); });
  return space_->verify();
}

void Store::reclaim() {
  space_->lock();
  const base::OnExit unlock([this] { space_->unlock(); });
  space_->reclaim_now();
}

// --- What is read ---

Pinned& Pinned::operator=(Pinned&& other) noexcept {
  std::swap(space_, other.space_);
  std::swap(cell_, other.cell_);
  std::swap(place_, other.place_);
  return *this;
}

Pinned::~Pinned() {
  if (cell_ != nullptr) ProcessCells::let_go(*cell_);
}

ObjectId Pinned::id() const { return {space_->needed<Version>(place_).object.load(std::memory_order_relaxed) + 1}; }
std::uint32_t Pinned::type() const { return space_->needed<Version>(place_).type.load(std::memory_order_relaxed); }
std::uint64_t Pinned::commit() const { return space_->needed<Version>(place_).commit.load(std::memory_order_relaxed); }
unsigned Pinned::slots() const { return space_->slots_of(place_, space_->needed<Version>(place_)); }
Value Pinned::get(unsigned slot) const {
  return slot < slots() ? value_of(*space_, space_->needed<Version>(place_).begin()[slot]) : Value{};
}

Snapshot::~Snapshot() {
  if (cell_ != nullptr) ProcessCells::let_go(*cell_);
}

Pinned Snapshot::get(ObjectId id) const { return id ? find(index_of(id), object_of(id)) : Pinned{}; }

// The version that the snapshot has of an object, or 0. Newer ones may be reclaimed on the way, and their blocks used
// again, by commits that are newer still: then it begins again.
Offset Snapshot::search(const Entry& entry, std::uint32_t index) const {
  Retry retry(space_->header());
  Offset place = entry.head.load(std::memory_order_acquire);
  std::uint64_t newer = ~std::uint64_t{0};
  while (place != 0) {
    const Version* version = space_->version(place);
    if (version == nullptr) return 0;
    const std::uint64_t commit = version->commit.load(std::memory_order_acquire);
    const Offset older = version->older.load(std::memory_order_acquire);
    const bool own = static_cast<std::uint32_t>(version->object.load(std::memory_order_relaxed)) == index;
    std::atomic_thread_fence(std::memory_order_acquire);
    if (own && commit != 0 && commit < newer && version->commit.load(std::memory_order_relaxed) == commit) {
      if (commit <= commit_) return place;
      place = older;
      newer = commit;
    } else {
      if (retry.in_vain(place)) return 0;
      place = entry.head.load(std::memory_order_acquire);
      newer = ~std::uint64_t{0};
    }
  }
  return 0;
}

Pinned Snapshot::find(std::uint32_t index, std::uint64_t object) const {
  Pinned pinned;
  const Entry* entry = space_->entry(index);
  const Offset place = entry == nullptr ? 0 : search(*entry, index);
  if (place == 0) return pinned;
  const Version* version = space_->version(place);
  if (version->type.load(std::memory_order_relaxed) == 0) return pinned;
  if (object != kAny && version->object.load(std::memory_order_relaxed) != object) return pinned;
  pinned.space_ = space_;
  pinned.place_ = place;
  return pinned;
}

void Snapshot::each(const std::function<void(const Pinned&)>& call) const {
  const std::uint32_t entries = space_->header().entries.load(std::memory_order_acquire);
  for (std::uint32_t index = 0; index < entries; ++index)
    if (const Pinned found = find(index, kAny)) call(found);
}

// --- Transactions ---

Transaction::Transaction(Space& space) : space_(&space) {
  space.lock();
  ++space.header().attempt;
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
  space_->unlock();
}

// An object that never was: its number is not used again.
void Transaction::forget(std::uint32_t index) {
  ++space_->needed_entry(index).generation;
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
  const auto slots = static_cast<unsigned>(type.slots().size());
  touched_.reserve(touched_.size() + 1);
  const std::uint32_t index = space_->take_entry();
  Entry& entry = space_->needed_entry(index);
  const std::uint64_t object = std::uint64_t{entry.generation} << 32 | index;
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
  return {object + 1};
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
  for (unsigned i = 0; i < all; ++i) {
    if (i < has)
      store_slot(copy.begin()[i], version.begin()[i].meta.load(std::memory_order_relaxed),
                 version.begin()[i].word.load(std::memory_order_relaxed));
    else
      store_slot(copy.begin()[i], 0, 0);
  }
  if (ours) {
    space_->free(now);
  } else {
    entry.attempt = space_->header().attempt;
    touched_.push_back(index_of(id));
  }
  entry.pending = place;
  return copy;
}

// Frees the value's block if this transaction made it.
void Transaction::free_fresh(const Slot& slot, const Version* base, unsigned index) {
  if (!is_block(slot)) return;
  const Offset block = slot.word.load(std::memory_order_relaxed);
  const bool kept = base != nullptr && index < base->slots.load(std::memory_order_relaxed) &&
                    is_block(base->begin()[index]) &&
                    base->begin()[index].word.load(std::memory_order_relaxed) == block;
  if (!kept) space_->free(block);
}

void Transaction::set(ObjectId id, unsigned slot, const Value& value) {
  constexpr unsigned kMostSlots = 1 << 16;
  if (slot >= kMostSlots) throw base::UserError("objectbase: a class has at most 65536 slots");
  const std::string_view bytes = bytes_of(value);
  Version& version = writable(id, slot + 1);
  std::uint64_t word = word_of(value);
  if (bytes.size() > kInPlace) {
    word = space_->allocate(bytes.size(), Kind::kValue);
    std::memcpy(space_->at<char>(word, bytes.size()), bytes.data(), bytes.size());
  }
  const Offset head = space_->needed_entry(index_of(id)).head.load(std::memory_order_relaxed);
  free_fresh(version.begin()[slot], head == 0 ? nullptr : space_->version(head), slot);
  store_slot(version.begin()[slot], meta_of(value), word);
}

void Transaction::erase(ObjectId id) {
  const Offset now = current(id);
  if (now == 0) throw base::UserError("objectbase: there is no object " + std::to_string(id.number));
  Entry& entry = space_->needed_entry(index_of(id));
  const Offset head = entry.head.load(std::memory_order_relaxed);
  Version& version = writable(id, 0);
  const Version* base = head == 0 ? nullptr : space_->version(head);
  for (unsigned i = 0; i < version.slots.load(std::memory_order_relaxed); ++i) free_fresh(version.begin()[i], base, i);
  version.slots.store(0, std::memory_order_relaxed);
  version.type.store(0, std::memory_order_relaxed);
}

Value Transaction::get(ObjectId id, unsigned slot) const {
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
    space_->unlock();
    space_ = nullptr;
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
  std::vector<Changed> changed;
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
  space_->unlock();
  space_ = nullptr;
  return number;
}

}  // namespace heddle::objectbase
