#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "base/user_error.hpp"
#include "objectbase/objectbase.hpp"
#include "objectbase/store/testing/temporary.hpp"

namespace heddle::objectbase {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class WatchTest : public ::testing::Test {
 protected:
  ObjectId make(const Class& type) {
    Transaction change = store.begin();
    const ObjectId id = change.create(type);
    change.commit();
    return id;
  }
  void touch(std::initializer_list<ObjectId> ids) {
    Transaction change = store.begin();
    for (const ObjectId id : ids) change.set(id, 0, 1);
    change.commit();
  }
  static bool readable(const Watch& watch, int milliseconds = 0) {
    pollfd look{watch.descriptor(), POLLIN, 0};
    return poll(&look, 1, milliseconds) == 1;
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "store";
  Store store = Store::create(path, {.limit = 8 << 20});
  Class note = store.define("Note", {"number"});
  Class link = store.define("Link", {"number"});
  ObjectId a = make(note);
  ObjectId b = make(note);
  ObjectId c = make(link);
};

TEST_F(WatchTest, TellsWhatHasChangedSinceItWasAsked) {
  const Store reader = Store::open(path, Access::kRead);
  Watch watch = reader.watch();
  EXPECT_THAT(watch.take().objects, IsEmpty());
  EXPECT_FALSE(readable(watch));
  touch({b, a});
  touch({b});
  EXPECT_TRUE(readable(watch));
  const Changes changes = watch.take();
  EXPECT_FALSE(changes.all);
  EXPECT_THAT(changes.objects, ElementsAre(a, b));
  EXPECT_FALSE(readable(watch));
}

TEST_F(WatchTest, OneByteForAnyNumberOfTransactions) {
  Watch watch = store.watch();
  watch.take();
  for (int i = 0; i < 100; ++i) touch({a, b, c});
  int bytes = 0;
  ASSERT_EQ(ioctl(watch.descriptor(), FIONREAD, &bytes), 0);
  EXPECT_EQ(bytes, 1);
  EXPECT_THAT(watch.take().objects, ElementsAre(a, b, c));
}

TEST_F(WatchTest, OfAClassOrOfOneObject) {
  Watch links = store.watch(link);
  Watch one = store.watch(b);
  links.take();
  one.take();
  touch({a});
  EXPECT_FALSE(readable(links));
  EXPECT_FALSE(readable(one));
  touch({a, b});
  EXPECT_FALSE(readable(links));
  EXPECT_TRUE(readable(one));
  EXPECT_THAT(one.take().objects, ElementsAre(b));
  Transaction change = store.begin();
  change.erase(c);
  change.commit();
  EXPECT_TRUE(readable(links));
  EXPECT_THAT(links.take().objects, ElementsAre(c));
  EXPECT_FALSE(readable(one));
}

TEST_F(WatchTest, WhoSleepsTooLongLooksAtEverything) {
  Watch watch = store.watch(c);
  watch.take();
  for (std::uint64_t i = 0; i <= kChanges; ++i) touch({a});
  EXPECT_TRUE(watch.take().all);
  touch({c});
  const Changes changes = watch.take();
  EXPECT_FALSE(changes.all);
  EXPECT_THAT(changes.objects, ElementsAre(c));
  Transaction change = store.begin();
  for (std::uint64_t i = 0; i < kChanges; ++i) change.create(note);
  change.commit();
  EXPECT_TRUE(readable(watch));
  EXPECT_TRUE(watch.take().all);
}

TEST_F(WatchTest, AWritersDeathIsToldToAll) {
  Watch watch = store.watch();
  watch.take();
  const pid_t child = fork();
  if (child == 0) {
    Store mine = Store::open(path, Access::kWrite);
    const Transaction change = mine.begin();
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(readable(watch));
  EXPECT_THAT(store.verify(), IsEmpty());
  EXPECT_TRUE(readable(watch));
  EXPECT_TRUE(watch.take().all);
}

TEST_F(WatchTest, PipesGoWithTheirWatchers) {
  const auto pipes = [&] {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) count += entry.is_fifo() ? 1 : 0;
    return count;
  };
  {
    const Watch watch = store.watch();
    EXPECT_EQ(pipes(), 1);
  }
  EXPECT_EQ(pipes(), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Store mine = Store::open(path, Access::kRead);
    Watch watch = mine.watch();
    watch.take();
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(pipes(), 1);
  touch({a});                                           // nobody reads its byte
  const Store next = Store::open(path, Access::kRead);  // has the number that the dead one had
  EXPECT_EQ(pipes(), 0);
}

TEST_F(WatchTest, AWatcherThatIsKilledHarmsNoWriter) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Store mine = Store::open(path, Access::kRead);
    Watch watch = mine.watch();
    for (;;) {
      watch.take();
      static_cast<void>(!write(pipe[1], "", 1));
      readable(watch, 60'000);
    }
  }
  char asleep = 0;
  for (int i = 0; i < 2; ++i) {  // the second time the writer has its pipe open
    ASSERT_EQ(read(pipe[0], &asleep, 1), 1);
    if (i == 0) touch({a});
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  for (int i = 0; i < 3; ++i) touch({a});
  EXPECT_THAT(store.verify(), IsEmpty());
  close(pipe[0]);
  close(pipe[1]);
}

TEST_F(WatchTest, NoChangeIsMissed) {
  constexpr int kChangesMade = 5'000;
  const Store reader = Store::open(path, Access::kRead);
  Watch watch = reader.watch(a);
  watch.take();
  std::thread writer([&] {
    for (std::int64_t i = 1; i <= kChangesMade; ++i) {
      Transaction change = store.begin();
      change.set(a, 0, Value(i));
      change.commit();
      if (i % 64 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  while (reader.integer(a, 0) != kChangesMade) {
    ASSERT_TRUE(readable(watch, 60'000)) << "at " << reader.integer(a, 0).value_or(0);
    watch.take();
  }
  writer.join();
}

}  // namespace
}  // namespace heddle::objectbase
