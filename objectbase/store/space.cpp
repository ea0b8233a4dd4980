#include "objectbase/store/space.hpp"

#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <random>

#include "base/assert.hpp"
#include "base/on_exit.hpp"
#include "base/user_error.hpp"
#include "objectbase/store/value.hpp"

namespace heddle::objectbase {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kMostGrowth = std::uint64_t{64} << 20;
constexpr std::uint64_t kReadersMagic = 0x32'72'64'61'65'72'62'6f;  // "obreadr2"
constexpr std::uint64_t kReadersBytes = kPage + kMostProcesses * sizeof(Process);

std::filesystem::path readers_of(const std::filesystem::path& path) { return path.string() + ".readers"; }

std::string this_boot() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  file >> id;
  if (id.empty()) throw base::UserError("objectbase: cannot read /proc/sys/kernel/random/boot_id: mount /proc");
  return id;
}

std::uint64_t by_chance() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

// FNV-1a, of the header's constant part.
std::uint64_t checksum_of(const Header& header) {
  std::uint64_t sum = 0xcbf29ce484222325;
  const auto* bytes = reinterpret_cast<const unsigned char*>(&header);
  for (std::size_t i = 0; i < offsetof(Header, checksum); ++i) sum = (sum ^ bytes[i]) * 0x100000001b3;
  return sum;
}

void make_mutex(pthread_mutex_t& mutex) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  HEDDLE_ASSERT(pthread_mutex_init(&mutex, &attributes) == 0);
  pthread_mutexattr_destroy(&attributes);
}

}  // namespace

void Space::create(const std::filesystem::path& path, const Options& options) {
  File file = File::create(path, options.mode);
  File readers = File::create(readers_of(path), options.mode);
  if (!file.reserve(kHeap) || !readers.reserve(kReadersBytes))
    throw base::UserError(path.string() + ": no room on the disk");
  readers.map(kReadersBytes, true);
  new (readers.start()) ReadersHeader{kReadersMagic, {}, {}, {}, {}, {}};
  file.map(kHeap, true);
  auto* header = new (file.start()) Header{};
  header->magic = kMagic;
  header->layout = kLayout;
  header->header_bytes = sizeof(Header);
  header->limit = options.limit / kPage * kPage;
  header->identity = options.identity != 0 ? options.identity : by_chance();
  header->commit.store(options.first_commit, std::memory_order_relaxed);
  header->told.store(options.first_commit, std::memory_order_relaxed);
  header->checksum = checksum_of(*header);
  header->top.store(kHeap, std::memory_order_relaxed);
  header->limbo_look_at = kLimboAtLeast;
  header->ready.store(1, std::memory_order_release);
}

void Space::remove(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  std::filesystem::remove(readers_of(path), ignored);
}

void Space::name(const std::filesystem::path& from, const std::filesystem::path& path) {
  // Neither takes a name that is taken: of several processes that make the store at once, one does.
  const bool first = link(readers_of(from).c_str(), readers_of(path).c_str()) == 0;
  const bool named = first && link(from.c_str(), path.c_str()) == 0;
  const std::string why = base::errno_text();
  if (named) return;
  if (first) std::filesystem::remove(readers_of(path));
  if (!first && !std::filesystem::exists(path))
    throw base::UserError(readers_of(path).string() + ": " + why +
                          ", without its store: another process is making it; if none is, remove it");
  throw base::UserError(path.string() + ": cannot be created: " + why);
}

Space::Space(const std::filesystem::path& path, bool write)
    : file_(File::open(path, write)), readers_(File::open(readers_of(path), true)), writes_(write) {
  const std::uint64_t size = file_.size();
  if (size < kHeap) throw base::UserError(file_.about("is no store: too short"));
  file_.map(kHeap, write);
  const auto* seen = reinterpret_cast<const Header*>(file_.start());
  if (seen->magic != kMagic) throw base::UserError(file_.about("is no store"));
  if (seen->layout != kLayout || seen->header_bytes != sizeof(Header))
    throw base::UserError(file_.about("has layout " + std::to_string(seen->layout) + "; this program knows layout " +
                                      std::to_string(kLayout) + " only: open it with the program that made it"));
  if (seen->checksum != checksum_of(*seen) || seen->ready.load(std::memory_order_acquire) != 1)
    throw base::UserError(file_.about("is damaged: the header's checksum is wrong"));
  if (seen->top.load(std::memory_order_acquire) > file_.size())
    throw base::UserError(file_.about("is damaged: shorter than it says"));
  const std::uint64_t limit = seen->limit;
  File whole = File::open(path, write);
  whole.map(limit, write);
  file_ = std::move(whole);
  start_ = file_.start();
  header_ = reinterpret_cast<Header*>(start_);
  size_.store(size, std::memory_order_relaxed);

  if (readers_.size() < kReadersBytes) throw base::UserError(readers_.about("is damaged: too short"));
  readers_.map(kReadersBytes, true);
  all_readers_ = reinterpret_cast<ReadersHeader*>(readers_.start());
  if (all_readers_->magic != kReadersMagic) throw base::UserError(readers_.about("is damaged"));
  while (process_ < kMostProcesses && !readers_.try_lock(process_)) ++process_;
  if (process_ == kMostProcesses)
    throw base::UserError(readers_.about(std::to_string(kMostProcesses) + " processes have the store open already"));
  mine_ = all_readers_->begin() + process_;
  for (auto& cell : mine_->pins.cells) cell.store(kNothing, std::memory_order_seq_cst);
  forget_watches(process_);
  std::uint64_t processes = all_readers_->processes.load(std::memory_order_seq_cst);
  while (processes <= process_ &&
         !all_readers_->processes.compare_exchange_weak(processes, process_ + 1, std::memory_order_seq_cst)) {
  }
  if (write) make_ready(this_boot());
}

Space::~Space() {
  if (mine_ == nullptr) return;
  for (auto& cell : mine_->pins.cells) cell.store(kNothing, std::memory_order_release);
  for (const auto& [cell, pipe] : pipes_)
    if (pipe.descriptor >= 0) close(pipe.descriptor);
}

// The mutex is of one run of the machine: who held it when that ended will not give it back.
void Space::make_ready(const std::string& boot) {
  file_.lock(0);
  const base::OnExit unlock_file([this] { file_.unlock(0); });
  if (std::strncmp(header_->boot.data(), boot.c_str(), header_->boot.size()) == 0) return;
  make_mutex(header_->writers);
  lock();
  {
    const base::OnExit unlock_writers([this] { unlock(); });
    if (header_->changes.load(std::memory_order_relaxed) == 0) {
      const Offset ring = allocate(kChanges * sizeof(Change), Kind::kChanges);
      std::memset(start_ + ring, 0, kChanges * sizeof(Change));
      header_->changes.store(ring, std::memory_order_release);
    }
    recover();
  }
  std::memset(header_->boot.data(), 0, header_->boot.size());
  std::memcpy(header_->boot.data(), boot.c_str(), std::min(boot.size(), header_->boot.size() - 1));
}

void Space::damaged() const { throw base::UserError(file_.about("is damaged: something leads out of it")); }

void Space::look_at_size() {
  const std::uint64_t size = std::min(file_.size(), header_->limit);
  std::uint64_t known = size_.load(std::memory_order_relaxed);
  while (known < size && !size_.compare_exchange_weak(known, size, std::memory_order_relaxed)) {
  }
}

void Space::find_chunk(unsigned chunk) {
  if (chunk >= kChunks) return;
  const Offset start = header_->chunks[chunk].load(std::memory_order_acquire);
  auto* entries = start == 0 ? nullptr : at<Entry>(start, std::uint64_t{chunk_entries(chunk)} * sizeof(Entry));
  if (entries != nullptr) chunks_[chunk].store(entries, std::memory_order_release);
}

unsigned Space::slots_of(Offset offset, const Version& version) {
  const Block& block = block_of(offset);
  if (block.size_class >= kSizeClasses) return 0;
  const std::uint64_t bytes = class_bytes(block.size_class);
  if (bytes < sizeof(Block) + sizeof(Version)) return 0;
  const std::uint64_t room = (bytes - sizeof(Block) - sizeof(Version)) / sizeof(Slot);
  const auto slots =
      static_cast<unsigned>(std::min<std::uint64_t>(room, version.slots.load(std::memory_order_relaxed)));
  return at<Version>(offset, sizeof(Version) + slots * sizeof(Slot)) == nullptr ? 0 : slots;
}

// --- Blocks ---

void Space::lock(std::optional<std::chrono::milliseconds> most) {
  int result = 0;
  if (most) {
    timespec end{};
    clock_gettime(CLOCK_MONOTONIC, &end);
    const auto nanoseconds = end.tv_nsec + std::chrono::nanoseconds(*most).count();
    end.tv_sec += nanoseconds / 1'000'000'000;
    end.tv_nsec = nanoseconds % 1'000'000'000;
    result = pthread_mutex_clocklock(&header_->writers, CLOCK_MONOTONIC, &end);
  } else {
    result = pthread_mutex_lock(&header_->writers);
  }
  if (result == 0) return;
  if (result == ETIMEDOUT)
    throw base::UserError(file_.about("a writer has been at work for long; if there is none, it is damaged"));
  if (result == EDEADLK) throw base::UserError(file_.about("this thread has a transaction already: end that first"));
  if (result != EOWNERDEAD) damaged();
  try {
    recover();
  } catch (...) {
    pthread_mutex_unlock(&header_->writers);  // not made consistent: nobody can lock it any more
    throw;
  }
  pthread_mutex_consistent(&header_->writers);
}

void Space::unlock() { pthread_mutex_unlock(&header_->writers); }

Offset Space::from_free(unsigned first, unsigned last) {
  for (unsigned size_class = first; size_class <= std::min(last, kSizeClasses - 1); ++size_class) {
    const Offset place = header_->free_blocks[size_class];
    if (place == 0) continue;
    header_->free_blocks[size_class] = block_of(place).next_free;
    return place;
  }
  return 0;
}

void Space::grow(std::uint64_t bytes) {
  const std::uint64_t size = file_.size();
  const std::uint64_t least = (header_->top.load(std::memory_order_relaxed) + bytes + kPage - 1) / kPage * kPage;
  if (least <= size) return;
  const std::uint64_t wished = std::max(least, size + std::min(size / 2 / kPage * kPage, kMostGrowth));
  if (least > header_->limit)
    throw base::UserError(file_.about("is full: its limit is " + std::to_string(header_->limit) +
                                      " bytes; make one with a higher limit"));
  if (!file_.reserve(std::min(wished, header_->limit)) && !file_.reserve(least))
    throw base::UserError(file_.about("cannot grow: no room on the disk"));
}

// Where there is no free block of that size.
Offset Space::allocate_new(std::uint64_t bytes, unsigned size_class, Kind kind) {
  if (size_class == kSizeClasses)
    throw base::UserError(file_.about("a value of " + std::to_string(bytes) + " bytes is too large"));
  const std::uint64_t size = class_bytes(size_class);
  const Offset top = header_->top.load(std::memory_order_relaxed);
  Offset place = 0;
  if (!is_inside(top, size)) {
    try {
      grow(size);
    } catch (const base::UserError&) {
      reclaim_now();
      place = from_free(size_class, size_class + 4);
      if (place == 0) throw;
    }
  }
  if (place == 0) {
    place = top + sizeof(Block);
    block_of(place).size_class = size_class;
    header_->top.store(top + size, std::memory_order_release);  // with the acquire of who walks over all blocks
  }
  Block& block = block_of(place);
  block.kind = kind;
  block.next_free = 0;
  return place;
}

std::uint32_t Space::take_entry() {
  if (header_->free_entries != 0) {
    const std::uint32_t index = header_->free_entries - 1;
    header_->free_entries = needed_entry(index).next_free;
    return index;
  }
  return append_entry();
}

std::uint32_t Space::append_entry() {
  const std::uint32_t index = header_->entries.load(std::memory_order_relaxed);
  const unsigned chunk = chunk_of(index);
  if (chunk >= kChunks) throw base::UserError(file_.about("has as many objects as it can have"));
  if (header_->chunks[chunk].load(std::memory_order_relaxed) == 0) {
    const std::uint64_t bytes = std::uint64_t{chunk_entries(chunk)} * sizeof(Entry);
    const Offset place = allocate(bytes, Kind::kEntries);
    std::memset(start_ + place, 0, bytes);
    header_->chunks[chunk].store(place, std::memory_order_release);
  }
  header_->entries.store(index + 1, std::memory_order_release);
  return index;
}

void Space::take_entry_at(std::uint32_t index) {
  std::uint32_t appended = 0;
  while ((appended = header_->entries.load(std::memory_order_relaxed)) <= index) {
    append_entry();
    if (appended < index) give_entry_back(appended);
    if (appended == index) return;
  }
  std::uint32_t* link = &header_->free_entries;
  while (*link != 0 && *link != index + 1) link = &needed_entry(*link - 1).next_free;
  if (*link == 0) throw base::UserError(file_.about("has an object in place " + std::to_string(index) + " already"));
  *link = needed_entry(index).next_free;
}

void Space::give_entry_back(std::uint32_t index) {
  Entry& entry = needed_entry(index);
  entry.next_free = header_->free_entries;
  header_->free_entries = index + 1;
}

// --- Versions that are no longer the newest ---

void Space::to_limbo(Offset place, Version& version) {
  version.next_in_limbo = 0;
  if (header_->limbo_last == 0)
    header_->limbo_first = place;
  else
    needed<Version>(header_->limbo_last).next_in_limbo = place;
  header_->limbo_last = place;
  header_->limbo_count.store(header_->limbo_count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void Space::supersede(Offset version, Offset newer, std::uint64_t commit) {
  auto& old = needed<Version>(version);
  old.superseded = commit;
  old.newer = newer;
  to_limbo(version, old);
}

void Space::erased(Offset version) { to_limbo(version, needed<Version>(version)); }

Kept Space::kept() {
  Kept kept;
  const std::uint64_t processes =
      std::min<std::uint64_t>(all_readers_->processes.load(std::memory_order_seq_cst), kMostProcesses);
  for (std::uint64_t i = 0; i < processes; ++i) kept.add(all_readers_->begin()[i].pins);
  return kept;
}

void Space::count_readers(Figures& figures) {
  const std::uint64_t processes =
      std::min<std::uint64_t>(all_readers_->processes.load(std::memory_order_seq_cst), kMostProcesses);
  for (unsigned i = 0; i < processes; ++i) {
    if (i != process_ && readers_.try_lock(i)) {  // nobody has it
      readers_.unlock(i);
      continue;
    }
    ++figures.processes;
    for (const auto& cell : all_readers_->begin()[i].pins.cells) {
      const std::uint64_t value = cell.load(std::memory_order_relaxed);
      if (value == kNothing) continue;
      ++((value & 3) == 1 ? figures.pins : figures.snapshots);
    }
    for (const WatchCell& watch : all_readers_->begin()[i].watches)
      if (watch.state.load(std::memory_order_relaxed) != WatchCell::kNone) ++figures.watches;
  }
}

// Empties the cells of processes that have ended without doing so. Has anybody been let go?
bool Space::let_the_dead_go() {
  bool any = false;
  const std::uint64_t processes =
      std::min<std::uint64_t>(all_readers_->processes.load(std::memory_order_seq_cst), kMostProcesses);
  for (unsigned i = 0; i < processes; ++i) {
    if (i == process_) continue;
    ProcessCells& cells = all_readers_->begin()[i].pins;
    const auto used = [](const auto& cell) { return cell.load(std::memory_order_relaxed) != kNothing; };
    if (std::none_of(cells.cells.begin(), cells.cells.end(), used) || !readers_.try_lock(i)) continue;
    for (auto& cell : cells.cells) cell.store(kNothing, std::memory_order_relaxed);
    forget_watches(i);
    readers_.unlock(i);
    any = true;
  }
  return any;
}

void Space::reclaim_now() {
  for (bool again = true; again;) {
    const Kept kept = this->kept();
    Offset next = header_->limbo_first;
    header_->limbo_first = header_->limbo_last = 0;
    header_->limbo_count.store(0, std::memory_order_relaxed);
    while (next != 0) {
      const Offset place = next;
      auto& version = needed<Version>(place);
      next = version.next_in_limbo;
      if (!try_to_drop(place, kept)) to_limbo(place, version);
    }
    again = !kept.nothing() && header_->limbo_first != 0 && let_the_dead_go();
  }
  header_->limbo_look_at = std::max(kLimboAtLeast, 2 * header_->limbo_count.load(std::memory_order_relaxed));
}

bool Space::try_to_drop(Offset place, const Kept& kept) {
  auto& version = needed<Version>(place);
  const Offset older_place = version.older.load(std::memory_order_relaxed);
  if (version.superseded == 0) {  // the last word on an object that is erased
    if (older_place != 0 || kept.needs(place, 0, 0)) return false;
    forget_object(place, version);
    return true;
  }
  if (kept.needs(place, version.commit.load(std::memory_order_relaxed), version.superseded)) return false;
  Version* newer = at<Version>(version.newer);
  Version* older = older_place == 0 ? nullptr : at<Version>(older_place);
  newer->older.store(older_place, std::memory_order_release);
  if (older != nullptr) older->newer = version.newer;
  free_values(version, newer, older);
  free(place);
  return true;
}

void Space::forget_object(Offset place, const Version& version) {
  const auto index = static_cast<std::uint32_t>(version.object.load(std::memory_order_relaxed));
  Entry& entry = needed_entry(index);
  entry.generation.fetch_add(1, std::memory_order_relaxed);
  entry.head.store(0, std::memory_order_seq_cst);
  free(place);
  give_entry_back(index);
}

// The blocks of values that no neighbour in the chain has: what a version shares, it shares with its neighbours.
void Space::free_values(const Version& version, const Version* newer, const Version* older) {
  const unsigned slots = version.slots.load(std::memory_order_relaxed);
  for (unsigned i = 0; i < slots; ++i) {
    const Slot& slot = version.begin()[i];
    if (!is_block(slot)) continue;
    const Offset block = slot.word.load(std::memory_order_relaxed);
    if (!has_block(newer, i, block) && !has_block(older, i, block)) free(block);
  }
}

}  // namespace heddle::objectbase
