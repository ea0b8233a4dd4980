#include "objectbase/store/watches.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

#include "base/user_error.hpp"
#include "objectbase/objectbase.hpp"
#include "objectbase/store/space.hpp"

namespace heddle::objectbase {

std::filesystem::path Space::pipe_of(unsigned process, unsigned watch) const {
  return file_.path().string() + ".watch." + std::to_string(process) + "." + std::to_string(watch);
}

// --- The writers' side ---

void Space::tell(const std::vector<Changed>& changed) {
  auto* changes = &needed<Change>(header_->changes.load(std::memory_order_relaxed));
  std::uint64_t at = header_->changes_written.load(std::memory_order_relaxed);
  const bool fits = changed.size() <= kChanges / 2;
  const std::uint64_t end = at + (fits ? changed.size() : 2 * kChanges);  // too many: watchers look at everything
  header_->changes_claimed.store(end, std::memory_order_relaxed);
  // Release fence: its partner is the acquire fence of changes_since().
  std::atomic_thread_fence(std::memory_order_release);
  if (fits) {
    for (const Changed& each : changed) {
      Change& change = changes[at++ % kChanges];
      change.object.store(each.object, std::memory_order_relaxed);
      change.type.store(each.type, std::memory_order_relaxed);
    }
  }
  header_->changes_written.store(end, std::memory_order_seq_cst);
  header_->told.store(header_->commit.load(std::memory_order_relaxed), std::memory_order_release);
  if (all_readers_->watches.load(std::memory_order_seq_cst) == 0) return;
  const auto processes = static_cast<unsigned>(
      std::min<std::uint64_t>(all_readers_->processes.load(std::memory_order_seq_cst), kMostProcesses));
  for (unsigned process = 0; process < processes; ++process) {
    for (unsigned watch = 0; watch < kWatches; ++watch) {
      const WatchCell& cell = all_readers_->begin()[process].watches[watch];
      if (cell.state.load(std::memory_order_seq_cst) != WatchCell::kAsleep) continue;
      const auto wanted = [&](const Changed& each) { return cell.wants(each.object, each.type); };
      if (!fits || std::any_of(changed.begin(), changed.end(), wanted)) wake(process, watch);
    }
  }
}

// After a writer's death: what it may have changed, and told nobody, or only said that it would.
void Space::tell_all() {
  const std::uint64_t end = std::max(header_->changes_claimed.load(std::memory_order_relaxed),
                                     header_->changes_written.load(std::memory_order_relaxed)) +
                            2 * kChanges;
  header_->changes_claimed.store(end, std::memory_order_relaxed);
  header_->changes_written.store(end, std::memory_order_seq_cst);
  header_->told.store(header_->commit.load(std::memory_order_relaxed), std::memory_order_release);
  const auto processes = static_cast<unsigned>(
      std::min<std::uint64_t>(all_readers_->processes.load(std::memory_order_seq_cst), kMostProcesses));
  for (unsigned process = 0; process < processes; ++process)
    for (unsigned watch = 0; watch < kWatches; ++watch)
      if (all_readers_->begin()[process].watches[watch].state.load(std::memory_order_acquire) != WatchCell::kNone)
        ring(process, watch);
}

void Space::wake(unsigned process, unsigned watch) {
  WatchCell& cell = all_readers_->begin()[process].watches[watch];
  std::uint32_t asleep = WatchCell::kAsleep;
  if (cell.state.compare_exchange_strong(asleep, WatchCell::kAwake, std::memory_order_seq_cst)) ring(process, watch);
}

void Space::ring(unsigned process, unsigned watch) {
  const WatchCell& cell = all_readers_->begin()[process].watches[watch];
  Pipe& pipe = pipes_[{process, watch}];
  const std::uint64_t generation = cell.generation.load(std::memory_order_relaxed);
  if (pipe.generation != generation) {
    if (pipe.descriptor >= 0) close(pipe.descriptor);
    pipe.descriptor = ::open(pipe_of(process, watch).c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    pipe.generation = generation;
    struct stat status{};
    if (pipe.descriptor >= 0 && (fstat(pipe.descriptor, &status) != 0 || !S_ISFIFO(status.st_mode))) {
      close(pipe.descriptor);
      pipe.descriptor = -1;
    }
  }
  // A full pipe has woken it already. It is open to read, too: so no SIGPIPE, if the watcher has died.
  if (pipe.descriptor >= 0) static_cast<void>(!write(pipe.descriptor, "", 1));
}

// --- Who waits until a commit is on the disk ---

void Space::say_kept(std::uint64_t commit) {
  all_readers_->kept.store(commit, std::memory_order_release);
  all_readers_->kept_turn.fetch_add(1, std::memory_order_seq_cst);
  syscall(SYS_futex, &all_readers_->kept_turn, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool Space::wait_until_kept(std::uint64_t commit, std::chrono::milliseconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  for (;;) {
    const std::uint32_t turn = all_readers_->kept_turn.load(std::memory_order_seq_cst);
    if (kept_commit() >= commit) return true;
    const auto left =
        std::chrono::duration_cast<std::chrono::nanoseconds>(end - std::chrono::steady_clock::now()).count();
    if (left <= 0) return false;
    const timespec time{.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
    // Not FUTEX_PRIVATE_FLAG: the keeper is another process.
    syscall(SYS_futex, &all_readers_->kept_turn, FUTEX_WAIT, turn, &time, nullptr, 0);
  }
}

// --- The watchers' side ---

void Space::forget_watches(unsigned process) {
  for (unsigned watch = 0; watch < kWatches; ++watch) {
    WatchCell& cell = all_readers_->begin()[process].watches[watch];
    if (cell.state.exchange(WatchCell::kNone, std::memory_order_seq_cst) == WatchCell::kNone) continue;
    all_readers_->watches.fetch_sub(1, std::memory_order_seq_cst);
    unlink(pipe_of(process, watch).c_str());
  }
}

WatchCell& Space::take_watch(Watched watched, std::uint64_t number, int& descriptor) {
  for (unsigned watch = 0; watch < kWatches; ++watch) {
    WatchCell& cell = mine_->watches[watch];
    std::uint32_t none = WatchCell::kNone;
    if (!cell.state.compare_exchange_strong(none, WatchCell::kAwake, std::memory_order_seq_cst)) continue;
    const std::filesystem::path path = pipe_of(process_, watch);
    unlink(path.c_str());
    struct stat status{};
    const bool made = stat(file_.path().c_str(), &status) == 0 && mkfifo(path.c_str(), status.st_mode & 0666) == 0;
    descriptor = made ? ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC) : -1;
    if (descriptor < 0) {
      const std::string why = base::errno_text();
      cell.state.store(WatchCell::kNone, std::memory_order_release);
      throw base::UserError(path.string() + ": cannot be made, to be told of changes: " + why);
    }
    cell.watched.store(watched, std::memory_order_relaxed);
    cell.number.store(number, std::memory_order_relaxed);
    cell.generation.store(all_readers_->generations.fetch_add(1, std::memory_order_relaxed) + 1,
                          std::memory_order_relaxed);
    all_readers_->watches.fetch_add(1, std::memory_order_seq_cst);
    return cell;
  }
  throw base::UserError("objectbase: this process has " + std::to_string(kWatches) + " watches already: let some go");
}

void Space::give_watch_back(WatchCell& cell, int descriptor) {
  cell.state.store(WatchCell::kNone, std::memory_order_seq_cst);
  all_readers_->watches.fetch_sub(1, std::memory_order_seq_cst);
  unlink(pipe_of(process_, static_cast<unsigned>(&cell - mine_->watches.data())).c_str());
  close(descriptor);
}

bool Space::changes_since(std::uint64_t& position, std::vector<Changed>& changed) {
  const std::uint64_t written = header_->changes_written.load(std::memory_order_seq_cst);
  const std::uint64_t from = std::exchange(position, written);
  if (written - from > kChanges) return false;
  const auto* ring = at<Change>(header_->changes.load(std::memory_order_acquire), kChanges * sizeof(Change));
  if (ring == nullptr) return false;
  const std::size_t before = changed.size();
  for (std::uint64_t at = from; at != written; ++at) {
    const Change& change = ring[at % kChanges];
    changed.push_back({change.object.load(std::memory_order_relaxed), change.type.load(std::memory_order_relaxed)});
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  if (header_->changes_claimed.load(std::memory_order_relaxed) - from <= kChanges) return true;
  changed.resize(before);
  return false;
}

// --- What programs use ---

Watch::Watch(Space& space, std::uint32_t watched, std::uint64_t number) : space_(&space) {
  position_ = space.header().changes_written.load(std::memory_order_seq_cst);
  cell_ = &space.take_watch(static_cast<Watched>(watched), number, descriptor_);
}

Watch::Watch(Watch&& other) noexcept
    : space_(other.space_),
      cell_(std::exchange(other.cell_, nullptr)),
      descriptor_(other.descriptor_),
      position_(other.position_) {}

Watch::~Watch() {
  if (cell_ != nullptr) space_->give_watch_back(*cell_, descriptor_);
}

Changes Watch::take() {
  Changes changes;
  std::array<char, 64> bytes{};
  // Less than there was room for: that was all, or what came meanwhile makes it readable again.
  while (read(descriptor_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) {
  }
  std::vector<Changed> found;
  do {
    cell_->state.store(WatchCell::kAwake, std::memory_order_seq_cst);
    if (!space_->changes_since(position_, found)) changes.all = true;
    cell_->state.store(WatchCell::kAsleep, std::memory_order_seq_cst);
  } while (space_->header().changes_written.load(std::memory_order_seq_cst) != position_);
  for (const Changed& each : found)
    if (cell_->wants(each.object, each.type)) changes.objects.push_back({each.object});
  std::sort(changes.objects.begin(), changes.objects.end());
  changes.objects.erase(std::unique(changes.objects.begin(), changes.objects.end()), changes.objects.end());
  return changes;
}

Watch Store::watch() const { return {*space_, static_cast<std::uint32_t>(Watched::kAll), 0}; }
Watch Store::watch(const Class& type) const {
  return {*space_, static_cast<std::uint32_t>(Watched::kType), type.number()};
}
Watch Store::watch(ObjectId id) const { return {*space_, static_cast<std::uint32_t>(Watched::kObject), id.number}; }

}  // namespace heddle::objectbase
