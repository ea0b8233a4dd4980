// What several processes read and write, with times: each read is of a state that was the newest at some moment between
// its begin and its end (Herlihy and Wing, "Linearizability", 1990). Writers follow each other, and the number of a
// commit says its place; so a history is checked by comparing times, without a search.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <new>
#include <random>
#include <span>
#include <vector>

#include "base/assert.hpp"
#include "objectbase/objectbase.hpp"
#include "objectbase/store/testing/temporary.hpp"

namespace heddle::objectbase {
namespace {

constexpr std::size_t kObjects = 3;
constexpr unsigned kWriters = 2;
constexpr unsigned kReaders = 4;
constexpr std::size_t kMost = 60'000;  // of a process

struct Operation {
  enum Kind : std::uint8_t { kCommit, kSlot, kPinned, kSnapshot } kind;
  std::uint64_t begin;  // nanoseconds
  std::uint64_t end;
  std::uint64_t commit;            // made, or of the state that was seen
  std::size_t object;              // that was read
  std::uint64_t values[kObjects];  // the commit that wrote each object; 0: not written, or not read
};

struct Log {
  std::size_t count;
  Operation operations[kMost];
};

std::uint64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

void commit_often(Store& store, std::span<const ObjectId> ids, unsigned seed, Log& log) {
  std::mt19937 random(seed);
  for (int i = 0; i < 4000; ++i) {
    Operation operation{.kind = Operation::kCommit, .begin = 0, .end = 0, .commit = 0, .object = 0, .values = {}};
    Transaction change = store.begin();
    const std::uint64_t number = store.commit() + 1;
    for (std::size_t object = 0; object < kObjects; ++object) {
      if (random() % 2 == 0 && object != number % kObjects) continue;
      change.set(ids[object], 0, Value(static_cast<std::int64_t>(number)));
      operation.values[object] = number;
    }
    operation.begin = now();
    operation.commit = change.commit();
    operation.end = now();
    HEDDLE_ASSERT(operation.commit == number);
    log.operations[log.count++] = operation;
    if (random() % 16 == 0) usleep(static_cast<unsigned>(random() % 100));
  }
}

std::uint64_t number_of(const Pinned& version) {
  const Value value = version.get(0);
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? 0 : static_cast<std::uint64_t>(*number);
}

void read_often(const Store& store, std::span<const ObjectId> ids, unsigned seed, std::uint64_t end, Log& log) {
  std::mt19937 random(seed);
  while (log.count < kMost && store.commit() < end) {
    Operation operation{.kind = static_cast<Operation::Kind>(1 + random() % 3),
                        .begin = now(),
                        .end = 0,
                        .commit = 0,
                        .object = random() % kObjects,
                        .values = {}};
    const ObjectId id = ids[operation.object];
    if (operation.kind == Operation::kSlot) {
      operation.commit = static_cast<std::uint64_t>(store.integer(id, 0).value_or(0));
      operation.end = now();
    } else if (operation.kind == Operation::kPinned) {
      const Pinned version = store.pin(id);
      operation.end = now();
      operation.commit = version.commit();
      HEDDLE_ASSERT(number_of(version) == version.commit());
    } else {
      const Snapshot snapshot = store.snapshot();
      operation.end = now();
      operation.commit = snapshot.commit();
      for (std::size_t object = 0; object < kObjects; ++object)
        operation.values[object] = number_of(snapshot.get(ids[object]));
    }
    log.operations[log.count++] = operation;
  }
}

struct Interval {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};
using Writes = std::map<std::uint64_t, Interval>;  // by the number of the commit

// Could a read have seen the write `seen`, if these are all the writes of what it read?
::testing::AssertionResult could_be_seen(const Writes& writes, std::uint64_t seen, const Operation& read) {
  const auto found = writes.find(seen);
  if (found == writes.end()) return ::testing::AssertionFailure() << "nobody wrote " << seen;
  if (found->second.begin > read.end) return ::testing::AssertionFailure() << seen << " was written afterwards";
  const auto next = std::next(found);
  if (next != writes.end() && next->second.end < read.begin)
    return ::testing::AssertionFailure() << seen << " had been overwritten by " << next->first;
  return ::testing::AssertionSuccess();
}

// Reads that follow each other in time must not go back.
::testing::AssertionResult never_goes_back(std::vector<Operation> reads) {
  std::sort(reads.begin(), reads.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  std::vector<Operation> by_end = reads;
  std::sort(by_end.begin(), by_end.end(), [](const auto& a, const auto& b) { return a.end < b.end; });
  std::uint64_t newest = 0;
  std::size_t ended = 0;
  for (const Operation& read : reads) {
    for (; ended < by_end.size() && by_end[ended].end < read.begin; ++ended)
      newest = std::max(newest, by_end[ended].commit);
    if (read.commit < newest) return ::testing::AssertionFailure() << read.commit << " was seen after " << newest;
  }
  return ::testing::AssertionSuccess();
}

TEST(LinearizabilityTest, EachReadIsOfAStateThatWasTheNewestMeanwhile) {
  const TemporaryFolder folder;
  std::vector<ObjectId> ids;
  const auto path = folder.path() / "store";
  {
    Store store = Store::create(path, {.limit = 1 << 24});
    const Class type = store.define("Any", {"number"});
    Transaction change = store.begin();
    for (std::size_t i = 0; i < kObjects; ++i) {
      ids.push_back(change.create(type));
      change.set(ids.back(), 0, Value(std::int64_t{1}));
    }
    ASSERT_EQ(change.commit(), 1U);
  }
  constexpr std::size_t kProcesses = kWriters + kReaders;
  auto* logs = static_cast<Log*>(mmap(nullptr, kProcesses * sizeof(Log), PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  ASSERT_NE(logs, MAP_FAILED);
  const std::uint64_t last = 1 + kWriters * 4000;
  for (unsigned process = 0; process < kProcesses; ++process) {
    if (fork() != 0) continue;
    Store store = Store::open(path, process < kWriters ? Access::kWrite : Access::kRead);
    if (process < kWriters)
      commit_often(store, ids, process, logs[process]);
    else
      read_often(store, ids, process, last, logs[process]);
    _exit(0);
  }
  for (unsigned process = 0; process < kProcesses; ++process) {
    int status = 0;
    ASSERT_GT(wait(&status), 0);
    ASSERT_EQ(status, 0);
  }

  Writes all{{1, {0, 0}}};
  std::vector<Writes> of_object(kObjects, Writes{{1, {0, 0}}});
  for (unsigned writer = 0; writer < kWriters; ++writer) {
    for (const Operation& write : std::span(logs[writer].operations, logs[writer].count)) {
      all[write.commit] = {write.begin, write.end};
      for (std::size_t object = 0; object < kObjects; ++object)
        if (write.values[object] != 0) of_object[object][write.commit] = {write.begin, write.end};
    }
  }
  ASSERT_EQ(all.size(), last);
  std::vector<Operation> snapshots;
  std::vector<std::vector<Operation>> reads(kObjects);
  for (unsigned reader = kWriters; reader < kProcesses; ++reader) {
    for (const Operation& read : std::span(logs[reader].operations, logs[reader].count)) {
      if (read.kind != Operation::kSnapshot) {
        ASSERT_TRUE(could_be_seen(of_object[read.object], read.commit, read));
        reads[read.object].push_back(read);
        continue;
      }
      ASSERT_TRUE(could_be_seen(all, read.commit, read));
      snapshots.push_back(read);
      for (std::size_t object = 0; object < kObjects; ++object) {
        const auto newest = std::prev(of_object[object].upper_bound(read.commit));
        ASSERT_EQ(read.values[object], newest->first) << "object " << object << " in the snapshot of " << read.commit;
      }
    }
  }
  EXPECT_GT(snapshots.size(), 100U);
  EXPECT_TRUE(never_goes_back(snapshots));
  for (const auto& of_one : reads) {
    EXPECT_GT(of_one.size(), 100U);
    EXPECT_TRUE(never_goes_back(of_one));
  }
  munmap(logs, kProcesses * sizeof(Log));
}

}  // namespace
}  // namespace heddle::objectbase
