#include "objectbase/keep/keeper.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <optional>

#include "base/user_error.hpp"
#include "objectbase/keep/database.hpp"
#include "objectbase/store/file.hpp"

namespace heddle::objectbase {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kSecond{1000};
constexpr milliseconds kRetryAfter{200};  // after something could not be written
// A writer that has published a commit has told of it after so long; in so many rounds at the most, if it lives.
constexpr milliseconds kWriterEnds{2};
constexpr int kRounds = 50;

KeptVersion version_of(const Pinned& object) {
  KeptVersion version{.id = object.id(), .type = object.type(), .commit = object.commit(), .slots = {}};
  for (unsigned slot = 0; slot < object.slots(); ++slot) version.slots.push_back(object.get(slot));
  return version;
}

std::vector<std::string> names_of(const Class& type) {
  std::vector<std::string> names{type.name()};
  names.insert(names.end(), type.slots().begin(), type.slots().end());
  return names;
}

std::filesystem::path lock_of(const std::filesystem::path& database) { return database.string() + ".keeper"; }

File locked(const std::filesystem::path& database, unsigned mode) {
  const std::filesystem::path path = lock_of(database);
  File file = [&] {
    try {
      return File::create(path, mode);
    } catch (const base::UserError&) {
      return File::open(path, true);  // it is there, or says why it cannot be had
    }
  }();
  if (!file.try_lock(0)) throw base::UserError(database.string() + ": another keeper has it: end that first");
  return file;
}

}  // namespace

struct Keeper::Work {
  Work(const std::filesystem::path& store_path, const std::filesystem::path& path, const KeepOptions& wishes)
      : options(wishes),
        store(Store::open(store_path, Access::kRead)),
        lock(locked(path, wishes.mode)),
        database(path, true,
                 wishes.durability == Durability::kCommit ? Database::Sync::kEachCommit : Database::Sync::kNever,
                 wishes.mode),
        watch(store.watch()),
        stop(eventfd(0, EFD_CLOEXEC)) {
    const DatabaseTransaction seen(database, false);
    if (seen.identity() != 0 && seen.identity() != store.identity())
      throw base::UserError(path.string() + ": keeps another store than " + store_path.string() +
                            ": make the store of what was kept, or name another file");
    if (seen.state() > store.commit())
      throw base::UserError(path.string() + ": keeps a later state than that of " + store_path.string() +
                            ": make the store of what was kept, or name another file");
    written = seen.identity() == 0 ? 0 : seen.state();
    is_new = seen.identity() == 0;
  }
  ~Work() {
    if (stop >= 0) close(stop);
  }

  void run();
  void pause(milliseconds most);
  void sleep(std::optional<Clock::time_point> until);
  bool write();
  void write_state(const Snapshot& snapshot);
  void write_classes(DatabaseTransaction& change);
  void write_object(DatabaseTransaction& change, ObjectId id, const Pinned& object);
  void write_all(DatabaseTransaction& change, const Snapshot& snapshot);
  void force();

  KeepOptions options;
  Store store;
  File lock;
  Database database;
  Watch watch;
  int stop;  // an eventfd: readable when the keeper is to end
  std::thread thread;

  // The thread's alone.
  std::uint64_t written = 0;  // the commit whose state the database has
  std::uint64_t forced = 0;   // the one that is on the disk
  bool is_new = false;        // the database has nothing yet
  bool everything = true;     // any object may have changed
  bool stopping = false;
  // Changed since `written`, or in a commit after it: looked at once more.
  std::vector<ObjectId> changed;

  mutable std::mutex mutex;  // guards `trouble`, written by the thread
  std::string trouble;
};

Keeper::Keeper(const std::filesystem::path& store, const std::filesystem::path& database, const KeepOptions& options)
    : work_(std::make_unique<Work>(store, database, options)) {
  work_->thread = std::thread([work = work_.get()] { work->run(); });
}

Keeper::~Keeper() {
  const std::uint64_t one = 1;
  static_cast<void>(!::write(work_->stop, &one, sizeof one));
  work_->thread.join();
}

std::string Keeper::trouble() const {
  const std::lock_guard held(work_->mutex);
  return work_->trouble;
}

// --- The thread ---

void Keeper::Work::run() {
  std::optional<Clock::time_point> next;  // when to force it to the disk
  for (bool last = false; !last;) {
    last = stopping;
    if (!last) sleep(next);
    std::string what;
    try {
      if (write() && options.durability == Durability::kSecond && !next) next = Clock::now() + kSecond;
      if (last || (next && Clock::now() >= *next)) {
        force();
        next.reset();
      }
    } catch (const std::exception& error) {
      what = error.what();
    }
    {
      const std::lock_guard held(mutex);
      trouble = what;
    }
    if (!what.empty() && !last) pause(kRetryAfter);
  }
}

void Keeper::Work::pause(milliseconds most) {
  pollfd asked{stop, POLLIN, 0};
  if (poll(&asked, 1, static_cast<int>(most.count())) == 1) stopping = true;
}

// Until something has changed, the time has come, or the keeper is to end.
void Keeper::Work::sleep(std::optional<Clock::time_point> until) {
  if (everything || !changed.empty()) {
    const Changes changes = watch.take();  // not asleep yet: there is something to do
    changed.insert(changed.end(), changes.objects.begin(), changes.objects.end());
    everything = everything || changes.all;
    if (store.told() > written || is_new) return;
  }
  int wait = -1;
  if (until)
    wait = static_cast<int>(std::max<std::int64_t>(0, std::chrono::ceil<milliseconds>(*until - Clock::now()).count()));
  std::array<pollfd, 2> descriptors{{{watch.descriptor(), POLLIN, 0}, {stop, POLLIN, 0}}};
  poll(descriptors.data(), descriptors.size(), wait);
  if (descriptors[1].revents != 0) stopping = true;
}

// Writes the newest state, if it is newer than the one that the database has.
bool Keeper::Work::write() {
  const Snapshot snapshot = store.snapshot();
  // The changes of the snapshot's commit are told by its writer a moment after they can be seen. If it has died before,
  // nobody may tell of them: then all objects are looked at.
  for (int round = 0;; ++round) {
    const bool is_told = store.told() >= snapshot.commit();
    const Changes changes = watch.take();
    changed.insert(changed.end(), changes.objects.begin(), changes.objects.end());
    everything = everything || changes.all || round == kRounds;
    if (is_told || everything) break;
    pause(kWriterEnds);
  }
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  if (snapshot.commit() == written && !is_new) return false;
  for (;;) {
    try {
      write_state(snapshot);
      break;
    } catch (const DatabaseFull&) {
      database.grow();
    }
  }
  // Those that changed after the snapshot was taken are among `changed` only now.
  std::erase_if(changed, [&](ObjectId id) {
    const Pinned now = store.pin(id);
    return now ? now.commit() <= snapshot.commit() : !snapshot.get(id);
  });
  everything = false;
  is_new = false;
  written = snapshot.commit();
  if (options.durability != Durability::kSecond) {
    forced = written;
    store.say_kept(written);
  }
  return true;
}

void Keeper::Work::write_state(const Snapshot& snapshot) {
  DatabaseTransaction change(database, true);
  write_classes(change);
  if (everything) {
    write_all(change, snapshot);
  } else {
    for (const ObjectId id : changed) write_object(change, id, snapshot.get(id));
  }
  change.set_about(store.identity(), snapshot.commit());
  change.commit();
}

void Keeper::Work::write_classes(DatabaseTransaction& change) {
  for (std::uint32_t number = 1; number <= store.types(); ++number) {
    const std::vector<std::string> names = names_of(store.type(number));
    if (change.names(number) != names) change.set_names(number, names);
  }
}

void Keeper::Work::write_object(DatabaseTransaction& change, ObjectId id, const Pinned& object) {
  const std::uint32_t place = place_of(id);
  const std::optional<KeptVersion> before = change.at(place);
  if (before && before->id > id) return;  // the place has had another object since
  if (object && before && before->id == id && before->commit == object.commit()) return;
  if (!object && before && before->id == id && before->type == 0) return;
  const KeptVersion now = object ? version_of(object) : KeptVersion{.id = id, .type = 0, .commit = 0, .slots = {}};
  if (options.history != 0 && before && before->type != 0) change.remember(*before, options.history);
  change.set(place, now);
}

// Places of the snapshot and of the database, side by side.
void Keeper::Work::write_all(DatabaseTransaction& change, const Snapshot& snapshot) {
  std::uint32_t next = 0;
  std::uint32_t begin = 0;  // of the places that have not been looked at in the database
  const auto erase_between = [&](std::uint32_t end) {
    for (auto before = change.from(begin); before && place_of(before->id) < end; before = change.from(begin)) {
      begin = place_of(before->id) + 1;
      if (before->type != 0) write_object(change, before->id, {});
    }
  };
  while (const Pinned object = snapshot.next(next)) {
    const std::uint32_t place = place_of(object.id());
    erase_between(place);
    write_object(change, object.id(), object);
    begin = place + 1;
  }
  erase_between(~std::uint32_t{0});
  for (const ObjectId id : snapshot.erased()) write_object(change, id, {});
}

void Keeper::Work::force() {
  if (forced == written) return;
  database.sync();
  forced = written;
  store.say_kept(forced);
}

// --- After a restart ---

std::uint64_t make_again(const std::filesystem::path& path, const std::filesystem::path& store_path,
                         const Options& options) {
  constexpr std::uint64_t kEach = 10'000;
  if (!std::filesystem::exists(path)) throw base::UserError(path.string() + ": is not there");
  Database database(path, false, Database::Sync::kEachCommit, 0600);
  const DatabaseTransaction kept(database, false);
  if (kept.identity() == 0) throw base::UserError(path.string() + ": keeps no store");
  Options made = options;
  made.identity = kept.identity();
  made.first_commit = kept.state();
  std::uint64_t objects = 0;
  Store::create_filled(store_path, made, [&](Store& store) {
    std::vector<Class> classes(1);
    for (std::uint32_t number = 1;; ++number) {
      const std::vector<std::string> names = kept.names(number);
      if (names.empty()) break;
      const std::vector<std::string_view> slots(names.begin() + 1, names.end());
      classes.push_back(store.define(names.front(), slots));
    }
    std::uint32_t next = 0;
    for (bool more = true; more;) {
      Transaction change = store.begin();
      for (std::uint64_t i = 0; i < kEach && more; ++i) {
        const std::optional<KeptVersion> version = kept.from(next);
        more = version.has_value();
        if (!more) break;
        next = place_of(version->id) + 1;
        if (version->type == 0) {
          change.retire(version->id);
          continue;
        }
        change.restore(version->id, classes.at(version->type));
        for (unsigned slot = 0; slot < version->slots.size(); ++slot)
          if (version->slots[slot].index() != 0) change.set(version->id, slot, version->slots[slot]);
        ++objects;
      }
      change.commit();
    }
  });
  return objects;
}

}  // namespace heddle::objectbase
