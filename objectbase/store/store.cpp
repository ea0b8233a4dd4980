// A store as its processes open it, and what they read of it: single slots, versions, snapshots.
#include <unistd.h>

#include <atomic>
#include <bit>
#include <utility>

#include "base/on_exit.hpp"
#include "base/user_error.hpp"
#include "objectbase/objectbase.hpp"
#include "objectbase/store/space.hpp"
#include "objectbase/store/value.hpp"

namespace heddle::objectbase {
namespace {

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

Store::Store(std::unique_ptr<Space> space) : space_(std::move(space)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::create(const std::filesystem::path& path, const Options& options) {
  return create_filled(path, options, [](Store&) {});
}

Store Store::create_filled(const std::filesystem::path& path, const Options& options,
                           const std::function<void(Store&)>& fill) {
  if (std::filesystem::exists(path)) throw base::UserError(path.string() + ": exists already; open it, or remove it");
  if (options.limit < kLeastLimit)
    throw base::UserError(path.string() + ": the limit is at least " + std::to_string(kLeastLimit) + " bytes");
  static std::atomic<unsigned> made{0};
  const std::filesystem::path unnamed =
      path.string() + ".new." + std::to_string(getpid()) + "." + std::to_string(made.fetch_add(1));
  Space::remove(unnamed);  // of a process with the same number that was killed
  const base::OnExit remove([&] { Space::remove(unnamed); });
  Space::create(unnamed, options);
  {
    Store filled = open(unnamed, Access::kWrite);
    fill(filled);
  }
  Space::name(unnamed, path);
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

namespace {

// A sequence lock that nobody locks. What was read is of the version that the head leads to, if that has the same
// commit before and after (the acquire fence is for the release fence of Space::free()), and the head still leads to
// it: for a block may be used again for an object that is not yet committed.
struct Look {
  bool held = false;  // else something has changed meanwhile, or there is no such slot
  std::uint64_t meta = 0;
  std::uint64_t word = 0;

  Type type() const { return static_cast<Type>(meta & 0xff); }
};
[[gnu::always_inline]] inline Look look_at(const Entry& entry, Offset place, const Version& version, ObjectId id,
                                           unsigned slot) {
  Look look;
  const std::uint64_t commit = version.commit.load(std::memory_order_acquire);
  // In the file; whether it is in the version's block shows with the commit.
  const bool there = version.object.load(std::memory_order_relaxed) == object_of(id) &&
                     slot < version.slots.load(std::memory_order_relaxed);
  look.meta = version.begin()[slot].meta.load(std::memory_order_relaxed);
  look.word = version.begin()[slot].word.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  look.held = there && commit != 0 && version.commit.load(std::memory_order_relaxed) == commit &&
              entry.head.load(std::memory_order_relaxed) == place;
  return look;
}

}  // namespace

[[gnu::noinline]] Store::FoundWord Store::word_slowly(ObjectId id, unsigned slot, Type type) const {
  Space& space = *space_;
  const Entry* entry = space.entry(index_of(id));  // of the number 0, too: none
  if (entry == nullptr) return {};
  for (Retry retry(space.header());;) {
    const Offset place = entry->head.load(std::memory_order_acquire);
    const Version* version = space.version(place, std::uint64_t{slot} + 1);
    if (version == nullptr) return {};
    const Look look = look_at(*entry, place, *version, id, slot);
    if (look.held) return FoundWord{look.type() == type, look.word};
    if (retry.in_vain(place)) return {};
  }
}

// Once, without a call of a function: what does not hold at once is left to word_slowly().
Store::FoundWord Store::word(ObjectId id, unsigned slot, Type type) const {
  Space& space = *space_;
  const Entry* entry = space.known_entry(index_of(id));
  if (entry == nullptr) [[unlikely]]
    return word_slowly(id, slot, type);
  const Offset place = entry->head.load(std::memory_order_acquire);
  const Version* version = space.known_version(place, std::uint64_t{slot} + 1);
  if (version == nullptr) [[unlikely]]
    return word_slowly(id, slot, type);
  const Look look = look_at(*entry, place, *version, id, slot);
  return look.held ? FoundWord{look.type() == type, look.word} : word_slowly(id, slot, type);
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
std::uint64_t Store::identity() const { return space_->header().identity; }
std::uint64_t Store::told() const { return space_->header().told.load(std::memory_order_acquire); }
std::uint64_t Store::kept() const { return space_->kept_commit(); }
bool Store::wait_until_kept(std::uint64_t commit, std::chrono::milliseconds most) const {
  return space_->wait_until_kept(commit, most);
}
void Store::say_kept(std::uint64_t commit) const { space_->say_kept(commit); }
std::uint64_t Store::bytes() const { return space_->header().top.load(std::memory_order_acquire); }

Figures Store::figures() const {
  const Header& header = space_->header();
  Figures figures{.commit = commit(),
                  .superseded = header.limbo_count.load(std::memory_order_relaxed),
                  .blocks = bytes(),
                  .file = space_->file_bytes(),
                  .limit = header.limit};
  space_->count_readers(figures);
  const std::uint32_t entries = header.entries.load(std::memory_order_acquire);
  for (std::uint32_t index = 0; index < entries; ++index) {
    const Entry* entry = space_->entry(index);
    const Offset head = entry == nullptr ? 0 : entry->head.load(std::memory_order_acquire);
    const Version* version = head == 0 ? nullptr : space_->version(head);
    if (version != nullptr && version->type.load(std::memory_order_relaxed) != 0) ++figures.objects;
  }
  return figures;
}

std::vector<std::string> Store::verify(std::chrono::milliseconds most) {
  space_->lock(most);
  const base::OnExit unlock([this] { space_->unlock(); });
  return space_->verify();
}

void Store::reclaim() {
  space_->lock();
  const base::OnExit unlock([this] { space_->unlock(); });
  space_->reclaim_now();
}

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
// again, by commits that are newer still: then it begins again. So may the one that says that the object is erased: its
// type is looked at with its commit, not afterwards.
Offset Snapshot::search(const Entry& entry, std::uint32_t index) const {
  Retry retry(space_->header());
  Offset place = entry.head.load(std::memory_order_acquire);
  std::uint64_t newer = ~std::uint64_t{0};
  while (place != 0) {
    const Version* version = space_->version(place);
    if (version == nullptr) return 0;
    const std::uint64_t commit = version->commit.load(std::memory_order_acquire);
    const Offset older = version->older.load(std::memory_order_acquire);
    const bool erased = version->type.load(std::memory_order_relaxed) == 0;
    const bool own = static_cast<std::uint32_t>(version->object.load(std::memory_order_relaxed)) == index;
    std::atomic_thread_fence(std::memory_order_acquire);
    if (own && commit != 0 && commit < newer && version->commit.load(std::memory_order_relaxed) == commit) {
      if (commit <= commit_) return erased ? 0 : place;
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
  if (object != kAny && version->object.load(std::memory_order_relaxed) != object) return pinned;
  pinned.space_ = space_;
  pinned.place_ = place;
  return pinned;
}

Pinned Snapshot::next(std::uint32_t& place) const {
  const std::uint32_t entries = space_->header().entries.load(std::memory_order_acquire);
  while (place < entries)
    if (Pinned found = find(place++, kAny)) return found;
  return {};
}

void Snapshot::each(const std::function<void(const Pinned&)>& call) const {
  std::uint32_t place = 0;
  while (const Pinned found = next(place)) call(found);
}

std::vector<ObjectId> Snapshot::erased() const {
  std::vector<ObjectId> numbers;
  const std::uint32_t entries = space_->header().entries.load(std::memory_order_acquire);
  for (std::uint32_t index = 0; index < entries; ++index) {
    const Entry* entry = space_->entry(index);
    if (entry == nullptr || find(index, kAny)) continue;
    // A head, and no object: one that was erased, whose versions are not all reclaimed, or one that is younger than the
    // snapshot.
    const bool has_head = entry->head.load(std::memory_order_acquire) != 0;
    const std::uint64_t next = std::uint64_t{entry->generation.load(std::memory_order_relaxed)} + (has_head ? 1 : 0);
    if (next != 0) numbers.push_back({((next - 1) << 32 | index) + 1});
  }
  return numbers;
}

}  // namespace heddle::objectbase
