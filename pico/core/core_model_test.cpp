// What kernel threads hand to each other, under every schedule that the explorer finds: park and unpark, the inbox and
// the sleep of its owner, the end of a thread and the one that joins it. A memory order that is too weak, or a step
// that is left out, must be found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "pico/core/completion.hpp"
#include "pico/core/inbox.hpp"
#include "pico/core/parking.hpp"
#include "pico/testing/model_blocker.hpp"
#include "testing/schedule/explorer.hpp"
#include "testing/schedule/model_sync.hpp"

namespace heddle::pico {
namespace {

using schedule::explore;
using schedule::fail;
using schedule::ModelSync;
using ::testing::HasSubstr;
using ::testing::Not;

// --- Parking ---

// A thread waits for the parts of two others; each says that it is done, and unparks. `Sync` is what Parking is made
// of: its orders are for the wait, that it sees what it was unparked for and does not park again.
template <class Sync>
void wait_for_two_parts() {
  using Blocker = ModelBlocker<Sync>;
  typename Blocker::Waiter waiter;
  std::array<ModelSync::Plain<int>, 2> parts;
  std::array<ModelSync::Atomic<bool>, 2> done;
  const auto finish = [&](std::size_t part) {
    parts[part].write() = 1;
    done[part].store(true, std::memory_order_release);  // with over()'s acquire
    Blocker::unpark(waiter);
  };
  typename Sync::Thread first([&] { finish(0); });
  typename Sync::Thread second([&] { finish(1); });
  {
    const auto over = [&](std::size_t part) { return done[part].load(std::memory_order_acquire); };
    Blocker::enter(waiter);
    while (!over(0) || !over(1)) Blocker::park();
  }
  if (parts[0].read() + parts[1].read() != 2) fail("a part is missing");
  first.join();
  second.join();
}

TEST(PicoParkingModel, NoUnparkIsMissed) { EXPECT_EQ(explore(HEDDLE_SCHEDULES, wait_for_two_parts<ModelSync>), ""); }

TEST(PicoParkingModel, WithoutMemoryOrdersOneIsMissed) {
  EXPECT_THAT(explore(HEDDLE_SCHEDULES, wait_for_two_parts<RelaxedSync>), HasSubstr("no thread can go on"));
}

// --- The inbox ---

template <class Sync>
struct Letter {
  typename Sync::template Plain<int> value;
  typename Sync::template Plain<Letter*> next_in_inbox;
};

// Two threads push two letters each; the owner takes them, and sleeps when there are none. `offers` stands for what it
// looks for besides.
template <class Sync>
void push_to_a_sleeper(bool looks_again) {
  Inbox<Sync, Letter<Sync>> inbox;
  std::array<Letter<Sync>, 4> letters;
  typename Sync::template Atomic<int> offers{0};
  typename Sync::Mutex mutex;  // of the event that the owner sleeps for
  typename Sync::Condition rung;
  bool bell = false;
  const auto ring = [&] {
    const typename Sync::Lock lock(mutex);
    bell = true;
    rung.notify_one();
  };
  const auto send = [&](std::size_t me) {
    for (std::size_t i = 2 * me; i < 2 * me + 2; ++i) {
      letters[i].value.write() = 1 << i;
      if (inbox.push(letters[i])) ring();
    }
    if (me == 1) {
      offers.store(1, std::memory_order_seq_cst);
      if (inbox.wake()) ring();
    }
  };
  typename Sync::Thread first([&] { send(0); });
  typename Sync::Thread second([&] { send(1); });
  int sum = 0;
  bool offered = false;
  while (sum != 15 || !offered) {
    offered = offers.load(std::memory_order_relaxed) == 1;
    Letter<Sync>* letter = inbox.take_all();
    const bool nothing = letter == nullptr && !offered;
    for (; letter != nullptr; letter = letter->next_in_inbox.read()) sum += letter->value.read();
    if (!nothing && sum == 15) continue;
    const auto idle = [&] { return !looks_again || offered || offers.load(std::memory_order_seq_cst) == 0; };
    if (!inbox.rest(idle)) continue;
    {
      typename Sync::Lock lock(mutex);
      while (!bell) rung.wait(lock);
      bell = false;
    }
    inbox.get_up();
  }
  first.join();
  second.join();
}

TEST(PicoInboxModel, ASleeperIsWokenForEachLetterAndOffer) {
  EXPECT_EQ(explore(HEDDLE_SCHEDULES, [] { push_to_a_sleeper<ModelSync>(true); }), "");
}

TEST(PicoInboxModel, OneThatDoesNotLookAgainSleepsForEver) {
  EXPECT_THAT(explore(HEDDLE_SCHEDULES, [] { push_to_a_sleeper<ModelSync>(false); }), HasSubstr("no thread can go on"));
}

TEST(PicoInboxModel, WithoutMemoryOrdersALossOrRaceIsFound) {
  EXPECT_THAT(explore(HEDDLE_SCHEDULES, [] { push_to_a_sleeper<RelaxedSync>(true); }), Not(""));
}

// --- The end of a thread ---

// One thread ends, another joins it and is gone as soon as it knows; a third makes it look for no reason, and may make
// it give up.
template <class Sync>
void join_an_end() {
  using Blocker = ModelBlocker<Sync>;
  typename Blocker::Waiter joiner;
  Completion<Blocker> completion;
  typename Sync::template Plain<int> result;
  typename Sync::template Atomic<bool> cancelled{false};
  typename Sync::Mutex mutex;  // the third holds on to the joiner under it, as a handle does
  bool joined = false;
  typename Sync::Thread ends([&] {
    result.write() = 1;
    completion.end();
  });
  typename Sync::Thread cancels([&] {
    const typename Sync::Lock lock(mutex);
    if (joined) return;
    cancelled.store(true, std::memory_order_relaxed);
    Blocker::unpark(joiner);
  });
  {
    bool over = false;
    const typename Blocker::Entered me(joiner);
    over = completion.wait(joiner, [&] { return cancelled.load(std::memory_order_relaxed); });
    if (over && result.read() != 1) fail("it is not over");
    const typename Sync::Lock lock(mutex);
    joined = true;
  }
  ends.join();
  cancels.join();
  if (result.read() != 1 || !completion.over()) fail("it is not over");
}

TEST(PicoCompletionModel, TheJoinerLearnsOfTheEndAndIsLeftAloneAfterwards) {
  EXPECT_EQ(explore(HEDDLE_SCHEDULES, join_an_end<ModelSync>), "");
}

TEST(PicoCompletionModel, WithoutMemoryOrdersARaceIsFound) {
  EXPECT_THAT(explore(HEDDLE_SCHEDULES, join_an_end<RelaxedSync>), Not(""));
}

}  // namespace
}  // namespace heddle::pico
