// What is kept is the state of some commit, whatever happens when.
#include "objectbase/keep/keeper.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <random>

#include "base/user_error.hpp"
#include "objectbase/keep/database.hpp"
#include "objectbase/store/testing/temporary.hpp"

namespace heddle::objectbase {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr Options kSmallStore{.limit = 1 << 24};
constexpr milliseconds kPatience{20'000};

// All objects, as text.
std::map<ObjectId, std::string> objects_of(const Store& store) {
  std::map<ObjectId, std::string> content;
  store.snapshot().each([&](const Pinned& object) {
    KeptVersion version{.id = object.id(), .type = object.type(), .commit = 0, .slots = {}};
    for (unsigned slot = 0; slot < object.slots(); ++slot) version.slots.push_back(object.get(slot));
    content[object.id()] = encoded(version);
  });
  return content;
}

std::string complaint_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "";
}

// Changes a store by chance.
class Changing {
 public:
  Changing(Store& store, unsigned seed) : store_(store), type_(store.define("Any", {"a", "b", "c"})), random_(seed) {}

  std::uint64_t commit() {
    Transaction change = store_.begin();
    for (auto i = random_() % 5; i-- > 0;) {
      const auto what = random_() % 4;
      if (alive_.empty() || what == 0) {
        alive_.push_back(change.create(type_));
      } else if (what == 1) {
        const std::size_t which = random_() % alive_.size();
        change.erase(alive_[which]);
        gone_.push_back(alive_[which]);
        alive_.erase(alive_.begin() + static_cast<std::ptrdiff_t>(which));
        continue;
      }
      const ObjectId id = alive_[random_() % alive_.size()];
      change.set(id, 0, static_cast<int>(random_() % 100));
      if (random_() % 2 == 0) change.set(id, 1, std::string(random_() % 300, 'x'));
      if (random_() % 3 == 0) change.set(id, 2, Value(alive_.back()));
    }
    return change.commit();
  }
  const std::vector<ObjectId>& gone() const { return gone_; }

 private:
  Store& store_;
  Class type_;
  std::mt19937 random_;
  std::vector<ObjectId> alive_;
  std::vector<ObjectId> gone_;
};

TEST(KeeperTest, WhatIsKeptIsMadeAgain) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const TemporaryFolder folder;
    Store store = Store::create(folder.path() / "store", kSmallStore);
    Changing changing(store, seed);
    for (int part = 0; part < 4; ++part) {
      if (part % 2 == 1)
        for (int i = 0; i < 50; ++i) changing.commit();  // without a keeper
      const Keeper keeper(folder.path() / "store", folder.path() / "kept");
      for (int i = 0; i < 100; ++i) changing.commit();
    }
    const std::uint64_t objects = make_again(folder.path() / "kept", folder.path() / "again", kSmallStore);
    Store again = Store::open(folder.path() / "again", Access::kWrite);
    EXPECT_THAT(again.verify(), testing::IsEmpty());
    EXPECT_EQ(objects_of(again), objects_of(store));
    EXPECT_EQ(objects, objects_of(store).size());
    EXPECT_EQ(again.identity(), store.identity());
    EXPECT_GE(again.commit(), store.commit());
    Transaction change = again.begin();
    for (int i = 0; i < 1000; ++i)
      EXPECT_THAT(changing.gone(), testing::Not(testing::Contains(change.create(*again.find("Any")))));
  }
}

// A process that keeps a store: LMDB lets no process have a database twice, and the test reads it meanwhile.
class KeepingProcess {
 public:
  KeepingProcess(const std::filesystem::path& store, const std::filesystem::path& database) : process_(fork()) {
    if (process_ != 0) return;
    try {
      const Keeper keeper(store, database, {.durability = Durability::kCommit});
      for (;;) pause();
    } catch (...) {
      _exit(1);  // the test sees that nothing is kept
    }
  }
  ~KeepingProcess() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  KeepingProcess(const KeepingProcess&) = delete;
  KeepingProcess& operator=(const KeepingProcess&) = delete;

 private:
  pid_t process_;
};

// Money moves between accounts, and accounts come and go: the sum is the same in every state.
TEST(KeeperTest, EveryStateOnTheDiskIsThatOfACommit) {
  constexpr int kSum = 1000;
  const TemporaryFolder folder;
  Store store = Store::create(folder.path() / "store", kSmallStore);
  const Class type = store.define("Account", {"money"});
  std::vector<ObjectId> accounts;
  {
    Transaction change = store.begin();
    accounts.push_back(change.create(type));
    change.set(accounts[0], 0, kSum);
    change.commit();
  }
  const KeepingProcess keeper(folder.path() / "store", folder.path() / "kept");
  ASSERT_TRUE(store.wait_until_kept(store.commit(), kPatience));
  std::mt19937 random(7);
  std::uint64_t last = 0;
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 50; ++i) {
      Transaction change = store.begin();
      const std::size_t from = random() % accounts.size();
      const auto money = std::get<std::int64_t>(change.get(accounts[from], 0));
      if (random() % 3 == 0) {
        accounts.push_back(change.create(type));
        change.set(accounts.back(), 0, Value(money / 2));
        change.set(accounts[from], 0, Value(money - money / 2));
      } else if (accounts.size() > 1) {
        const std::size_t to = (from + 1) % accounts.size();
        change.set(accounts[to], 0, Value(std::get<std::int64_t>(change.get(accounts[to], 0)) + money));
        change.erase(accounts[from]);
        accounts.erase(accounts.begin() + static_cast<std::ptrdiff_t>(from));
      }
      change.commit();
    }
    Database database(folder.path() / "kept", false, Database::Sync::kEachCommit, 0600);
    const DatabaseTransaction kept(database, false);
    std::int64_t sum = 0;
    for (std::uint32_t next = 0;;) {
      const auto version = kept.from(next);
      if (!version) break;
      next = place_of(version->id) + 1;
      EXPECT_LE(version->commit, kept.state());
      if (version->type != 0) sum += std::get<std::int64_t>(version->slots.at(0));
    }
    EXPECT_EQ(sum, kSum);
    EXPECT_GE(kept.state(), last);
    last = kept.state();
  }
  ASSERT_TRUE(store.wait_until_kept(store.commit(), kPatience));
}

// A process that writes and keeps is killed; what it was told to be kept is there, and nothing of half a transaction.
TEST(KeeperTest, NothingThatWasKeptIsLostByAKill) {
  std::mt19937 random(3);
  std::uint64_t most = 0;
  for (int round = 0; round < 12; ++round) {
    const TemporaryFolder folder;
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = fork();
    if (child == 0) {
      close(pipe[0]);
      Store store = Store::create(folder.path() / "store", kSmallStore);
      const Class type = store.define("Pair", {"number"});
      ObjectId pair[2];
      const Keeper keeper(folder.path() / "store", folder.path() / "kept", {.durability = Durability::kCommit});
      for (std::int64_t number = 1;; ++number) {
        Transaction change = store.begin();
        for (ObjectId& each : pair) {
          if (!each) each = change.create(type);
          change.set(each, 0, Value(number));
        }
        if (!store.wait_until_kept(change.commit(), kPatience)) _exit(1);
        if (write(pipe[1], &number, sizeof number) != sizeof number) _exit(1);
      }
    }
    close(pipe[1]);
    std::int64_t told = 0;
    // The first one, so that there is something; then a while.
    ASSERT_EQ(read(pipe[0], &told, sizeof told), static_cast<ssize_t>(sizeof told));
    usleep(static_cast<unsigned>(random() % 30'000));
    kill(child, SIGKILL);
    while (read(pipe[0], &told, sizeof told) == sizeof told) {
    }
    close(pipe[0]);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    make_again(folder.path() / "kept", folder.path() / "again", kSmallStore);
    const Store again = Store::open(folder.path() / "again", Access::kRead);
    std::vector<std::int64_t> numbers;
    again.snapshot().each([&](const Pinned& each) { numbers.push_back(std::get<std::int64_t>(each.get(0))); });
    ASSERT_EQ(numbers.size(), 2U);
    EXPECT_EQ(numbers[0], numbers[1]);
    EXPECT_GE(numbers[0], told);
    most = std::max(most, static_cast<std::uint64_t>(told));
    // Another keeper goes on with the store that is still there, whoever died while it wrote.
    Store store = Store::open(folder.path() / "store", Access::kWrite);
    store.begin().commit();
    {
      const Keeper keeper(folder.path() / "store", folder.path() / "kept");
    }
    make_again(folder.path() / "kept", folder.path() / "more", kSmallStore);
    EXPECT_EQ(objects_of(Store::open(folder.path() / "more", Access::kRead)), objects_of(store));
  }
  EXPECT_GT(most, 1U);
}

TEST(KeeperTest, WhatIsOfAnotherStoreIsRefused) {
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return folder.path() / name; };
  Store store = Store::create(path("store"), kSmallStore);
  Changing changing(store, 1);
  for (int i = 0; i < 20; ++i) changing.commit();
  EXPECT_THAT(complaint_of([&] { make_again(path("kept"), path("again"), kSmallStore); }), HasSubstr("is not there"));
  {
    const Keeper keeper(path("store"), path("kept"));
    EXPECT_THAT(complaint_of([&] { const Keeper second(path("store"), path("kept")); }), HasSubstr("another keeper"));
    EXPECT_THAT(complaint_of([&] { make_again(path("kept"), path("again"), kSmallStore); }),
                HasSubstr("this process has it open already"));
  }
  Store other = Store::create(path("other"), kSmallStore);
  EXPECT_THAT(complaint_of([&] { const Keeper keeper(path("other"), path("kept")); }),
              HasSubstr("keeps another store"));
  make_again(path("kept"), path("again"), kSmallStore);
  {
    Store again = Store::open(path("again"), Access::kWrite);
    for (int i = 0; i < 50; ++i) Changing(again, 2).commit();
    const Keeper keeper(path("again"), path("kept"));
  }
  EXPECT_THAT(complaint_of([&] { const Keeper keeper(path("store"), path("kept")); }),
              HasSubstr("keeps a later state"));
  EXPECT_THAT(complaint_of([&] { make_again(path("kept"), path("store"), kSmallStore); }), HasSubstr("exists already"));
  EXPECT_THAT(complaint_of([&] { make_again(path("kept"), path("small"), {.limit = 1 << 15}); }),
              HasSubstr("the limit is at least"));
  EXPECT_FALSE(std::filesystem::exists(path("small")));
  EXPECT_NE(complaint_of([&] { make_again(path("store"), path("small"), kSmallStore); }), "");
}

TEST(KeeperTest, HistoryHasTheLastVersions) {
  const TemporaryFolder folder;
  Store store = Store::create(folder.path() / "store", kSmallStore);
  const Class type = store.define("Any", {"number"});
  ObjectId id;
  {
    const Keeper keeper(folder.path() / "store", folder.path() / "kept",
                        {.durability = Durability::kCommit, .history = 3});
    for (int number = 1; number <= 6; ++number) {
      Transaction change = store.begin();
      if (!id) id = change.create(type);
      change.set(id, 0, number);
      ASSERT_TRUE(store.wait_until_kept(change.commit(), kPatience));
    }
  }
  Database database(folder.path() / "kept", false, Database::Sync::kEachCommit, 0600);
  const DatabaseTransaction kept(database, false);
  std::vector<std::int64_t> numbers;
  for (const KeptVersion& version : kept.history(id)) numbers.push_back(std::get<std::int64_t>(version.slots.at(0)));
  EXPECT_THAT(numbers, testing::ElementsAre(3, 4, 5));
  EXPECT_EQ(kept.at(place_of(id))->slots.at(0), Value(std::int64_t{6}));
}

TEST(KeeperTest, WhatCannotBeWrittenIsWrittenLater) {
  const TemporaryFolder folder;
  Store store = Store::create(folder.path() / "store", kSmallStore);
  const Class type = store.define("Any", {"text"});
  const Keeper keeper(folder.path() / "store", folder.path() / "kept", {.durability = Durability::kCommit});
  {
    Transaction change = store.begin();
    for (int i = 0; i < 100; ++i) change.set(change.create(type), 0, std::string(10'000, 'x'));
    ASSERT_TRUE(store.wait_until_kept(change.commit(), kPatience));
  }
  // A full disk, as far as a process can make one for itself.
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = std::filesystem::file_size(folder.path() / "kept"), .rlim_max = before.rlim_max};
  Transaction change = store.begin();
  for (int i = 0; i < 400; ++i) change.set(change.create(type), 0, std::string(10'000, 'y'));
  setrlimit(RLIMIT_FSIZE, &small);
  const std::uint64_t commit = change.commit();
  for (int i = 0; i < 2000 && keeper.trouble().empty(); ++i) usleep(10'000);
  EXPECT_THAT(keeper.trouble(), HasSubstr("kept: "));
  EXPECT_FALSE(store.wait_until_kept(commit, milliseconds(1)));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_TRUE(store.wait_until_kept(commit, kPatience));
  for (int i = 0; i < 2000 && !keeper.trouble().empty(); ++i) usleep(10'000);
  EXPECT_EQ(keeper.trouble(), "");
}

TEST(KeeperTest, DamagedRecordsAreNoRecords) {
  KeptVersion version{.id = {7}, .type = 1, .commit = 5, .slots = {Value(std::int64_t{1}), Value(2.0), Value()}};
  version.slots.emplace_back(std::string_view("text"));
  const std::string bytes = encoded(version);
  EXPECT_EQ(encoded(decoded(bytes)), bytes);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THAT(complaint_of([&] { decoded(bytes.substr(0, length)); }), HasSubstr("damaged"));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const unsigned bits : {1U, 0x80U, 0xffU}) {
      std::string other = bytes;
      other[at] = static_cast<char>(other[at] ^ static_cast<char>(bits));
      complaint_of([&] { decoded(other); });  // under sanitizers: reads nothing beyond
    }
  }
}

}  // namespace
}  // namespace heddle::objectbase
