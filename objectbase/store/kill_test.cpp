// A process is killed at any instruction of what it does to a store: others go on, see the old or the new state, and
// nothing is lost. The child is executed one instruction after the other (ptrace(2)), so each kill is exactly there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <functional>
#include <optional>

#include "objectbase/objectbase.hpp"
#include "objectbase/store/testing/temporary.hpp"

namespace heddle::objectbase {
namespace {

using ::testing::IsEmpty;

// Kills are at every so many-th instruction. All of them take minutes: HEDDLE_EVERY_INSTRUCTION.
int stride() {
  return std::getenv("HEDDLE_EVERY_INSTRUCTION") != nullptr ? 1 : 97;  // NOLINT(concurrency-mt-unsafe): one thread
}

const std::string kOld(60, 'o');
const std::string kNew(70, 'n');

class KillTest : public ::testing::Test {
 protected:
  using Change = std::function<void(Store&)>;

  void SetUp() override {
    // On one processor a step is a switch of processes; on two it is two wake-ups, which take ten times as long.
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
    sched_setaffinity(0, sizeof one, &one);
    Transaction change = store.begin();
    for (ObjectId* id : {&a, &b, &c}) {
      *id = change.create(note);
      change.set(*id, 0, 100);
      change.set(*id, 1, kOld);
    }
    change.commit();
  }

  // Runs `change` in a child that is killed after so many instructions. False if it had ended before.
  bool killed_after(int instructions, const Change& change) {
    const pid_t child = fork();
    if (child == 0) {
      {
        Store mine = Store::open(path, Access::kWrite);
        ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
        raise(SIGSTOP);
        change(mine);
        raise(SIGSTOP);
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    bool over = false;
    for (int i = 0; i < instructions && !over; ++i) {
      ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr);
      waitpid(child, &status, 0);
      over = !WIFSTOPPED(status) || WSTOPSIG(status) == SIGSTOP;
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return !over;
  }

  std::int64_t number(ObjectId id) { return store.integer(id, 0).value_or(-1); }
  std::string text(ObjectId id) { return store.text(id, 1).value_or(""); }

  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "store";
  Store store = Store::create(path, {.limit = 4 << 20});
  Class note = store.define("Note", {"number", "text"});
  ObjectId a;
  ObjectId b;
  ObjectId c;
};

// Each kill leaves the state before or after; `check` looks at it and makes the state before again.
#define EXPECT_WHOLE_AFTER_EACH_KILL(change, check)                                \
  do {                                                                             \
    int kills = 0;                                                                 \
    for (int at = 1; killed_after(at, change); at += stride(), ++kills) {          \
      ASSERT_THAT(store.verify(), IsEmpty()) << "killed after instruction " << at; \
      check();                                                                     \
      if (HasFailure()) FAIL() << "killed after instruction " << at;               \
      ASSERT_THAT(store.verify(), IsEmpty()) << "after " << at << ", later";       \
    }                                                                              \
    EXPECT_GT(kills* stride(), 500);                                               \
    std::printf("%d kills\n", kills);                                              \
  } while (false)

TEST_F(KillTest, AChangeOfOneObject) {
  const Change change = [this](Store& mine) {
    Transaction transaction = mine.begin();
    transaction.set(a, 0, 50);
    transaction.set(a, 1, kNew);
    transaction.commit();
  };
  // Who watches is told of what has changed, though its writer was killed before it could.
  Watch watch = store.watch(a);
  watch.take();
  const auto check = [&] {
    const bool changed = number(a) == 50;
    EXPECT_EQ(text(a), changed ? kNew : kOld);
    pollfd look{watch.descriptor(), POLLIN, 0};
    const bool told = poll(&look, 1, 0) == 1;
    const Changes changes = watch.take();
    EXPECT_TRUE(!changed || (told && (changes.all || !changes.objects.empty())));
    Transaction back = store.begin();
    back.set(a, 0, 100);
    back.set(a, 1, kOld);
    back.commit();
    watch.take();
  };
  EXPECT_WHOLE_AFTER_EACH_KILL(change, check);
}

// With readers that keep the state before it, in this process.
TEST_F(KillTest, ATransactionOverThreeObjects) {
  const Snapshot before = store.snapshot();
  const Change change = [this](Store& mine) {
    Transaction transaction = mine.begin();
    transaction.set(a, 0, 70);
    transaction.set(b, 0, 130);
    transaction.set(b, 1, kNew);
    transaction.set(c, 1, "short");
    transaction.commit();
  };
  const auto check = [&] {
    const bool done = number(a) == 70;
    EXPECT_EQ(number(a) + number(b), 200);
    EXPECT_EQ(text(b), done ? kNew : kOld);
    EXPECT_EQ(text(c), done ? "short" : kOld);
    for (const ObjectId id : {a, b, c}) {
      EXPECT_EQ(std::get<std::int64_t>(before.get(id).get(0)), 100);
      EXPECT_EQ(std::get<std::string_view>(before.get(id).get(1)), kOld);
    }
    Transaction back = store.begin();
    for (const ObjectId id : {a, b, c}) {
      back.set(id, 0, 100);
      back.set(id, 1, kOld);
    }
    back.commit();
  };
  EXPECT_WHOLE_AFTER_EACH_KILL(change, check);
}

TEST_F(KillTest, MakingErasingAndGivingUp) {
  const Change change = [this](Store& mine) {
    {
      Transaction never = mine.begin();
      never.set(a, 1, kNew);
      never.erase(b);
      never.create(note);
    }
    Transaction transaction = mine.begin();
    transaction.erase(c);
    const ObjectId made = transaction.create(note);
    transaction.set(made, 0, 7);
    transaction.set(made, 1, kNew);
    transaction.commit();
    mine.reclaim();
  };
  const auto check = [&] {
    ObjectId made;
    std::size_t count = 0;
    store.snapshot().each([&](const Pinned& each) {
      ++count;
      if (std::get<std::int64_t>(each.get(0)) != 7) return;
      EXPECT_EQ(std::get<std::string_view>(each.get(1)), kNew);
      made = each.id();
    });
    EXPECT_EQ(count, 3U);
    EXPECT_EQ(text(a), kOld);
    EXPECT_EQ(text(b), kOld);
    EXPECT_EQ(static_cast<bool>(store.pin(c)), !made);
    if (!made) return;
    Transaction back = store.begin();
    back.erase(made);
    c = back.create(note);
    back.set(c, 0, 100);
    back.set(c, 1, kOld);
    back.commit();
  };
  EXPECT_WHOLE_AFTER_EACH_KILL(change, check);
}

TEST_F(KillTest, WhoPutsInOrderIsKilledToo) {
  const Change change = [this](Store& mine) {
    Transaction transaction = mine.begin();
    transaction.set(a, 0, 50);
    transaction.set(b, 0, 150);
    transaction.set(b, 1, kNew);
    transaction.commit();
  };
  // The first dies where it holds a transaction half made.
  int length = 1;
  while (killed_after(length, change)) length += 400;
  const Change order = [](Store& mine) { mine.begin(); };
  int kills = 0;
  for (const int first : {length / 3, length / 2, 3 * length / 4}) {
    for (int at = 1;; at += 1 + stride() / 4) {
      killed_after(first, change);
      if (!killed_after(at, order)) break;
      ++kills;
      ASSERT_THAT(store.verify(), IsEmpty()) << "killed after instruction " << at;
      EXPECT_EQ(number(a) + number(b), 200);
      Transaction back = store.begin();
      back.set(a, 0, 100);
      back.set(b, 0, 100);
      back.set(b, 1, kOld);
      back.commit();
    }
  }
  EXPECT_GT(kills, 20);
  std::printf("%d kills\n", kills);
}

}  // namespace
}  // namespace heddle::objectbase
