#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "base/user_error.hpp"
#include "objectbase/objectbase.hpp"
#include "objectbase/store/layout.hpp"
#include "objectbase/store/testing/temporary.hpp"

namespace heddle::objectbase {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kLong(100, 'x');

class StoreTest : public ::testing::Test {
 protected:
  template <class Call>
  static std::string error_of(Call call) {
    try {
      call();
    } catch (const base::UserError& error) {
      return error.what();
    }
    return "";
  }

  ObjectId make(std::int64_t number, std::string_view text) {
    Transaction change = store.begin();
    const ObjectId id = change.create(note);
    change.set(id, 0, number);
    change.set(id, 1, text);
    change.commit();
    return id;
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "store";
  Store store = Store::create(path, {.limit = 4 << 20});
  Class note = store.define("Note", {"number", "text"});
};

TEST_F(StoreTest, AnotherHandleSeesWhatWasCommitted) {
  const ObjectId id = make(3, "short");
  const Store reader = Store::open(path, Access::kRead);
  EXPECT_EQ(reader.integer(id, 0), 3);
  EXPECT_EQ(reader.text(id, 1), "short");
  {
    Transaction change = store.begin();
    change.set(id, 0, 4);
    change.set(id, 1, kLong);
    EXPECT_EQ(reader.integer(id, 0), 3);
    EXPECT_EQ(std::get<std::int64_t>(change.get(id, 0)), 4);
    change.commit();
  }
  EXPECT_EQ(reader.integer(id, 0), 4);
  EXPECT_EQ(reader.text(id, 1), kLong);
  EXPECT_THAT(store.verify(), IsEmpty());
}

TEST_F(StoreTest, EachKindOfValueComesBack) {
  const ObjectId other = make(0, "");
  const ObjectId id = make(0, "");
  Transaction change = store.begin();
  change.set(id, 0, Value(-2.5));
  change.set(id, 1, Value(other));
  change.set(id, 2, Value(Bytes{std::string_view("\0a", 2)}));
  change.set(id, 3, Value(Bytes{kLong}));
  change.set(id, 5, std::string_view("12345678"));
  change.commit();
  EXPECT_EQ(store.number(id, 0), -2.5);
  EXPECT_EQ(store.reference(id, 1), other);
  const Pinned pinned = store.pin(id);
  EXPECT_EQ(pinned.slots(), 6U);
  EXPECT_EQ(std::get<Bytes>(pinned.get(2)).bytes, std::string_view("\0a", 2));
  EXPECT_EQ(std::get<Bytes>(pinned.get(3)).bytes, kLong);
  EXPECT_EQ(pinned.get(4), Value{});
  EXPECT_EQ(std::get<std::string_view>(pinned.get(5)), "12345678");
  EXPECT_EQ(pinned.get(6), Value{});
  EXPECT_EQ(store.integer(id, 0), std::nullopt);
}

TEST_F(StoreTest, WithoutCommitNothingHasHappened) {
  const ObjectId id = make(1, kLong);
  const std::uint64_t before = store.commit();
  {
    Transaction change = store.begin();
    change.set(id, 0, 2);
    change.set(id, 1, kLong + "2");
    const ObjectId fresh = change.create(note);
    change.set(fresh, 1, kLong);
    change.erase(fresh);
    change.create(note);
    change.erase(id);
  }
  EXPECT_EQ(store.commit(), before);
  EXPECT_EQ(store.integer(id, 0), 1);
  EXPECT_EQ(store.text(id, 1), kLong);
  EXPECT_THAT(store.verify(), IsEmpty());
}

TEST_F(StoreTest, AnErasedObjectIsGoneAndItsNumberIsNotUsedAgain) {
  const ObjectId id = make(1, kLong);
  {
    const Snapshot before = store.snapshot();
    Transaction change = store.begin();
    change.erase(id);
    change.commit();
    EXPECT_FALSE(store.pin(id));
    EXPECT_EQ(store.integer(id, 0), std::nullopt);
    EXPECT_EQ(std::get<std::string_view>(before.get(id).get(1)), kLong);
    store.reclaim();
    EXPECT_TRUE(before.get(id));
    EXPECT_FALSE(store.snapshot().get(id));
  }
  store.reclaim();
  EXPECT_THAT(store.verify(), IsEmpty());
  const ObjectId next = make(2, "");
  EXPECT_NE(next, id);
  EXPECT_EQ(next.number & 0xffffffff, id.number & 0xffffffff) << "the entry is used again";
  EXPECT_FALSE(store.pin(id));
  EXPECT_THAT(error_of([&] { store.begin().set(id, 0, 1); }), HasSubstr("there is no object"));
}

TEST_F(StoreTest, ASnapshotIsOneCommit) {
  const ObjectId a = make(1, kLong + "a");
  const ObjectId b = make(2, "b");
  const Snapshot snapshot = store.snapshot();
  for (int i = 0; i < 100; ++i) {
    Transaction change = store.begin();
    change.set(a, 0, 10 + i);
    change.set(a, 1, kLong + std::to_string(i));
    change.set(b, 0, 20 + i);
    change.commit();
  }
  make(3, "c");
  std::vector<std::int64_t> numbers;
  snapshot.each([&](const Pinned& each) { numbers.push_back(std::get<std::int64_t>(each.get(0))); });
  EXPECT_THAT(numbers, ElementsAre(1, 2));
  EXPECT_EQ(std::get<std::string_view>(snapshot.get(a).get(1)), kLong + "a");
  EXPECT_THAT(store.verify(), IsEmpty());
}

TEST_F(StoreTest, AReaderThatSleepsKeepsNoMoreThanWhatItPinned) {
  const ObjectId id = make(0, kLong);
  const Pinned pinned = store.pin(id);
  const Snapshot snapshot = store.snapshot();
  const auto change = [&](int i) {
    Transaction transaction = store.begin();
    transaction.set(id, 0, i);
    transaction.set(id, 1, kLong + std::to_string(i));
    transaction.commit();
  };
  for (int i = 0; i < 200; ++i) change(i);
  const std::uint64_t bytes = store.bytes();
  for (int i = 0; i < 20'000; ++i) change(i);
  EXPECT_EQ(store.bytes(), bytes);
  EXPECT_EQ(std::get<std::string_view>(pinned.get(1)), kLong);
  EXPECT_THAT(store.verify(), IsEmpty());
}

TEST_F(StoreTest, WhatAProcessPinnedIsGivenBackWhenItIsKilled) {
  const ObjectId id = make(1, kLong);
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Store reader = Store::open(path, Access::kRead);
    const Pinned pinned = reader.pin(id);
    const Snapshot snapshot = reader.snapshot();
    if (pinned && snapshot.commit() != 0) static_cast<void>(!write(pipe[1], "x", 1));
    for (;;) pause();
  }
  char ready = 0;
  ASSERT_EQ(read(pipe[0], &ready, 1), 1);
  close(pipe[0]);
  close(pipe[1]);
  {
    Transaction change = store.begin();
    change.set(id, 1, kLong + "2");
    change.commit();
  }
  store.reclaim();
  const Store look = Store::open(path, Access::kRead);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  // What is left is one version: in the same store, without that reader.
  const std::uint64_t bytes = store.bytes();
  store.reclaim();
  for (int i = 0; i < 5'000; ++i) {
    Transaction change = store.begin();
    change.set(id, 1, kLong + std::to_string(i % 10));
    change.commit();
  }
  store.reclaim();
  EXPECT_LT(store.bytes() - bytes, 100U * 256);
  EXPECT_THAT(store.verify(), IsEmpty());
}

TEST_F(StoreTest, AFullStoreSaysSoAndLosesNothing) {
  const ObjectId id = make(1, kLong);
  const std::string large(1 << 20, 'y');
  std::vector<ObjectId> made;
  std::string error;
  while (error.empty()) {
    error = error_of([&] {
      Transaction change = store.begin();
      const ObjectId fresh = change.create(note);
      change.set(fresh, 1, large);
      change.commit();
      made.push_back(fresh);
    });
  }
  EXPECT_THAT(error, HasSubstr("is full: its limit is 4194304 bytes"));
  EXPECT_GE(made.size(), 2U);
  EXPECT_EQ(store.text(id, 1), kLong);
  EXPECT_THAT(store.verify(), IsEmpty());
  {
    Transaction change = store.begin();
    change.erase(made.back());
    change.commit();
  }
  Transaction change = store.begin();
  const ObjectId again = change.create(note);
  change.set(again, 1, large);
  change.commit();
  EXPECT_EQ(store.text(again, 1), large);
}

// As far as a process can make a full disk for itself.
TEST_F(StoreTest, AFullDiskIsToldAndNothingIsLost) {
  const ObjectId id = make(1, kLong);
  const std::string large(1 << 20, 'y');
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = std::filesystem::file_size(path), .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = error_of([&] { make(2, large); });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_THAT(error, HasSubstr("no room on the disk"));
  EXPECT_EQ(store.text(id, 1), kLong);
  EXPECT_THAT(store.verify(), IsEmpty());
  EXPECT_EQ(store.text(make(2, large), 1), large);
}

TEST_F(StoreTest, ManyObjectsInOneTransaction) {
  constexpr int kMany = 5'000;  // more than two chunks of entries
  std::vector<ObjectId> ids;
  Transaction change = store.begin();
  for (int i = 0; i < kMany; ++i) {
    ids.push_back(change.create(note));
    change.set(ids.back(), 0, i);
  }
  change.commit();
  int sum = 0;
  store.snapshot().each([&](const Pinned& each) { sum += static_cast<int>(std::get<std::int64_t>(each.get(0))); });
  EXPECT_EQ(sum, kMany * (kMany - 1) / 2);
  EXPECT_EQ(store.integer(ids[4'321], 0), 4'321);
  EXPECT_THAT(store.verify(), IsEmpty());
}

TEST_F(StoreTest, AClassGetsMoreSlots) {
  const ObjectId id = make(1, "a");
  const Class wider = store.define("Note", {"text", "stars"});
  EXPECT_EQ(wider.number(), note.number());
  EXPECT_THAT(wider.slots(), ElementsAre("number", "text", "stars"));
  Transaction change = store.begin();
  change.set(id, wider.slot("stars"), 5);
  change.commit();
  EXPECT_EQ(store.integer(id, 2), 5);
  EXPECT_EQ(store.text(id, 1), "a");
  EXPECT_EQ(store.find("Note").value_or(Class{}).slots(), wider.slots());
  EXPECT_EQ(store.find("Nota"), std::nullopt);
  EXPECT_THAT(error_of([&] { static_cast<void>(wider.slot("moons")); }), HasSubstr("it has: number, text, stars"));
  EXPECT_THAT(store.verify(), IsEmpty());
}

TEST_F(StoreTest, FilesAreOnesOwn) {
  struct stat status{};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_THAT(error_of([&] { Store::create(path); }), HasSubstr("exists already"));
  EXPECT_THAT(error_of([&] { Store::open(folder.path() / "none", Access::kRead); }), HasSubstr("cannot be opened"));
  Store reader = Store::open(path, Access::kRead);
  EXPECT_THAT(error_of([&] { reader.begin(); }), HasSubstr("was opened to read"));
}

// Who comes second must not put a file of readers of its own beside the first one's store.
TEST_F(StoreTest, ReadersOfAnotherStoreAreNotReplaced) {
  const auto other = folder.path() / "other";
  std::ofstream(other.string() + ".readers") << "another's";
  EXPECT_THAT(error_of([&] { Store::create(other); }), HasSubstr("without its store"));
  std::ifstream kept(other.string() + ".readers");
  std::string word;
  kept >> word;
  EXPECT_EQ(word, "another's");
  EXPECT_FALSE(std::filesystem::exists(other));
}

TEST_F(StoreTest, AReadersMappingCannotBeWritten) {
  const ObjectId id = make(1, kLong);
  const Store reader = Store::open(path, Access::kRead);
  const Pinned pinned = reader.pin(id);
  const auto text = std::get<std::string_view>(pinned.get(1));
  EXPECT_DEATH(const_cast<char&>(text[0]) = 'y', "");
}

TEST_F(StoreTest, TooManyPinsAreAnError) {
  const ObjectId id = make(1, "");
  std::vector<Pinned> pins;
  EXPECT_THAT(error_of([&] {
                for (;;) pins.push_back(store.pin(id));
              }),
              HasSubstr("64 pins"));
  EXPECT_EQ(pins.size(), 64U);
  pins.clear();
  EXPECT_TRUE(store.pin(id));
}

TEST_F(StoreTest, AThreadHasOneTransaction) {
  const Transaction first = store.begin();
  EXPECT_THAT(error_of([&] { store.begin(); }), HasSubstr("has a transaction already"));
}

TEST_F(StoreTest, ATruncatedFileIsRefused) {
  make(1, kLong);
  const auto cut = folder.path() / "cut";
  std::filesystem::copy_file(path, cut);
  std::filesystem::copy_file(path.string() + ".readers", cut.string() + ".readers");
  std::filesystem::resize_file(cut, kHeap + 64);
  EXPECT_THAT(error_of([&] { Store::open(cut, Access::kRead); }), HasSubstr("shorter than it says"));
  std::filesystem::resize_file(cut, 100);
  EXPECT_THAT(error_of([&] { Store::open(cut, Access::kWrite); }), HasSubstr("is no store: too short"));
}

TEST_F(StoreTest, AnotherLayoutAndADamagedHeaderAreRefused) {
  const ObjectId id = make(1, kLong);
  const auto with = [&](std::size_t place) {
    const auto other = folder.path() / ("at" + std::to_string(place));
    std::filesystem::copy_file(path, other);
    std::filesystem::copy_file(path.string() + ".readers", other.string() + ".readers");
    std::fstream file(other, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(place)).put('\x7f');
    file.close();
    const std::string why = error_of([&] { Store::open(other, Access::kWrite); });
    EXPECT_EQ(error_of([&] { Store::open(other, Access::kRead); }), why);
    return why;
  };
  EXPECT_THAT(with(offsetof(Header, magic)), HasSubstr("is no store"));
  EXPECT_THAT(with(offsetof(Header, layout)), HasSubstr("has layout 127; this program knows layout"));
  EXPECT_THAT(with(offsetof(Header, limit) + 1), HasSubstr("the header's checksum is wrong"));
  EXPECT_EQ(store.text(id, 1), kLong);
}

TEST_F(StoreTest, AnotherUsersFileIsNotOpened) {
  if (geteuid() != 0) GTEST_SKIP() << "only root becomes another user";
  const ObjectId id = make(1, kLong);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  constexpr uid_t kNobody = 65534;
  ASSERT_EQ(seteuid(kNobody), 0);
  const std::string read = error_of([&] { Store::open(path, Access::kRead); });
  const std::string write = error_of([&] { Store::open(path, Access::kWrite); });
  ASSERT_EQ(seteuid(0), 0);
  EXPECT_THAT(read, HasSubstr("cannot be opened: Permission denied"));
  EXPECT_THAT(write, HasSubstr("cannot be opened: Permission denied"));
  EXPECT_EQ(store.text(id, 1), kLong);
}

// A file that is damaged anywhere is refused or read without harm: with any word of it replaced.
TEST_F(StoreTest, ADamagedFileDoesNoHarmToReaders) {
  std::vector<ObjectId> ids(20);
  for (ObjectId& id : ids) id = make(1, kLong);
  const auto damaged = folder.path() / "damaged";
  std::mt19937_64 random(1);
  const std::uint64_t words = store.bytes() / 8;
  for (int round = 0; round < 3'000; ++round) {
    std::filesystem::copy_file(path, damaged, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::copy_file(path.string() + ".readers", damaged.string() + ".readers",
                               std::filesystem::copy_options::skip_existing);
    {
      std::fstream file(damaged, std::ios::in | std::ios::out | std::ios::binary);
      const std::array<std::uint64_t, 4> values{random(), random() % store.bytes(), random() % store.bytes() / 16 * 16,
                                                ~std::uint64_t{0}};
      // Half of them in what readers follow first.
      const std::uint64_t word = round % 2 == 0 ? random() % words : (kHeap / 8) + random() % (words - kHeap / 8);
      file.seekp(static_cast<std::streamoff>(8 * word));
      file.write(reinterpret_cast<const char*>(&values[random() % values.size()]), 8);
    }
    try {
      const Store reader = Store::open(damaged, Access::kRead);
      Store::open(damaged, Access::kWrite).verify(std::chrono::milliseconds(300));
      const Snapshot snapshot = reader.snapshot();
      for (const ObjectId id : ids) {
        static_cast<void>(reader.integer(id, 0));
        static_cast<void>(snapshot.get(id));
        if (const Pinned pinned = reader.pin(id))
          for (unsigned slot = 0; slot < std::min(pinned.slots(), 100U); ++slot) static_cast<void>(pinned.get(slot));
      }
    } catch (const base::UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr("damaged"));
    }
  }
}

// Against a model: a map of what each object should hold.
TEST_F(StoreTest, RandomTransactionsLeaveWhatAModelSays) {
  using Slots = std::map<unsigned, std::string>;
  std::map<ObjectId, Slots> model;
  std::mt19937_64 random(7);
  std::vector<std::pair<Snapshot, std::map<ObjectId, Slots>>> snapshots;
  const auto text_of = [](const Value& value) {
    const auto* text = std::get_if<std::string_view>(&value);
    return text == nullptr ? std::string() : std::string(*text);
  };
  for (int round = 0; round < 3'000; ++round) {
    std::map<ObjectId, Slots> next = model;
    Transaction change = store.begin();
    for (std::uint64_t i = random() % 6; i-- > 0;) {
      auto chosen = next.begin();
      if (!next.empty()) std::advance(chosen, random() % next.size());
      switch (next.empty() ? 0 : random() % 5) {
        case 0:
          if (next.size() < 50) next.try_emplace(change.create(note));
          break;
        case 1:
          change.erase(chosen->first);
          next.erase(chosen);
          break;
        default: {
          const auto slot = static_cast<unsigned>(random() % 4);
          std::string text(random() % 40, static_cast<char>('a' + random() % 26));
          change.set(chosen->first, slot, text);
          EXPECT_EQ(text_of(change.get(chosen->first, slot)), text);
          chosen->second[slot] = std::move(text);
        }
      }
    }
    if (random() % 4 != 0) {
      change.commit();
      model = std::move(next);
    } else {
      const Transaction never = std::move(change);
    }
    const auto check = [&](const std::map<ObjectId, Slots>& expected, const Snapshot& snapshot) {
      std::size_t count = 0;
      snapshot.each([&](const Pinned& each) {
        ++count;
        const auto found = expected.find(each.id());
        ASSERT_NE(found, expected.end());
        for (const auto& [slot, text] : found->second) EXPECT_EQ(text_of(each.get(slot)), text);
      });
      EXPECT_EQ(count, expected.size());
    };
    if (random() % 20 == 0) snapshots.emplace_back(store.snapshot(), model);
    if (snapshots.size() > 5) {
      const auto chosen = snapshots.begin() + static_cast<std::ptrdiff_t>(random() % snapshots.size());
      check(chosen->second, chosen->first);
      std::vector<std::pair<Snapshot, std::map<ObjectId, Slots>>> rest;
      for (auto each = snapshots.begin(); each != snapshots.end(); ++each)
        if (each != chosen) rest.emplace_back(std::move(each->first), std::move(each->second));
      snapshots.swap(rest);
    }
    check(model, store.snapshot());
    if (HasFailure()) break;
    if (round % 100 == 0) {
      ASSERT_THAT(store.verify(), IsEmpty());
    }
  }
}

// Readers of other threads see whole objects, and transactions over two objects whole in snapshots.
TEST_F(StoreTest, ThreadsReadWhileOneWrites) {
  const ObjectId a = make(0, kLong);
  const ObjectId b = make(0, kLong);
  const auto text_of = [](std::int64_t number) {
    return std::string(20 + static_cast<std::size_t>(number % 50), static_cast<char>('a' + number % 26));
  };
  std::atomic<bool> over{false};
  std::vector<std::thread> readers;
  readers.reserve(3);
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&, i] {
      const Store mine = Store::open(path, Access::kRead);
      std::int64_t last = 0;
      const Store& reader = i == 0 ? store : mine;
      while (!over) {
        const std::int64_t now = reader.integer(a, 0).value();
        EXPECT_GE(now, last);
        last = now;
        const Pinned pinned = reader.pin(b);
        const auto number = std::get<std::int64_t>(pinned.get(0));
        EXPECT_EQ(std::get<std::string_view>(pinned.get(1)), number == 0 ? kLong : text_of(number));
        const Snapshot snapshot = reader.snapshot();
        EXPECT_EQ(snapshot.get(a).get(0), snapshot.get(b).get(0));
      }
    });
  }
  int full = 0;
  for (std::int64_t i = 1; i < 20'000;) try {
      Transaction change = store.begin();
      for (const ObjectId id : {a, b}) {
        change.set(id, 0, Value(i));
        change.set(id, 1, text_of(i));
      }
      change.commit();
      ++i;
    } catch (const base::UserError&) {
      // A reader that loses its processor while it takes a snapshot keeps all versions until it has one again.
      if (++full == 100'000) throw;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  over = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_THAT(store.verify(), IsEmpty());
}

}  // namespace
}  // namespace heddle::objectbase
