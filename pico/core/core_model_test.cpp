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
#include "pico/core/offers.hpp"
#include "pico/core/parking.hpp"
#include "pico/core/timers.hpp"
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

// --- New threads that any worker may take ---

// One worker offers three nodes, and takes what is left; two others steal, and rest where there is nothing.
// `looks_again`: they look once more before they rest.
template <class Sync>
void offer_to_two(bool looks_again) {
  struct Node {
    typename Sync::template Plain<int> value;
    typename Sync::template Plain<Node*> next_in_inbox;
  };
  struct Worker {
    Offers<Sync, Node> offers;
    Inbox<Sync, Node> inbox;
    typename Sync::Mutex mutex;  // of the event that it sleeps for
    typename Sync::Condition rung;
    bool bell = false;
  };
  std::array<Worker, 3> workers;
  std::array<Node, 3> nodes;
  typename Sync::template Atomic<int> taken{0};  // a bit for each; seq_cst, as the end of a runtime
  const auto wake = [&](Worker& worker) {
    if (!worker.inbox.wake()) return false;
    const typename Sync::Lock lock(worker.mutex);
    worker.bell = true;
    worker.rung.notify_one();
    return true;
  };
  const auto take_from = [&](Worker& me) {
    Node* const node = me.offers.take([] {});
    if (node == nullptr) return false;
    const int bit = node->value.read();
    int before = taken.load(std::memory_order_seq_cst);
    while (!taken.compare_exchange_weak(before, before | bit, std::memory_order_seq_cst, std::memory_order_seq_cst)) {
    }
    if ((before & bit) != 0) fail("one was taken twice");
    if ((before | bit) == 7)
      for (Worker& other : workers) wake(other);
    return true;
  };
  const auto serve = [&](std::size_t index) {
    Worker& me = workers[index];
    while (taken.load(std::memory_order_seq_cst) != 7) {
      bool some = take_from(me);
      for (std::size_t i = 1; !some && i < workers.size(); ++i)
        some = me.offers.steal_from(workers[(index + i) % workers.size()].offers) && take_from(me);
      if (some) continue;
      const auto idle = [&] {
        if (!looks_again) return true;
        for (const Worker& other : workers)
          if (!other.offers.empty()) return false;
        return taken.load(std::memory_order_seq_cst) != 7;
      };
      if (!me.inbox.rest(idle)) continue;
      {
        typename Sync::Lock lock(me.mutex);
        while (!me.bell) me.rung.wait(lock);
        me.bell = false;
      }
      me.inbox.get_up();
    }
  };
  typename Sync::Thread first([&] { serve(1); });
  typename Sync::Thread second([&] { serve(2); });
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].value.write() = 1 << i;
    workers[0].offers.push(nodes[i]);
    if (!wake(workers[1])) wake(workers[2]);
  }
  serve(0);
  first.join();
  second.join();
}

TEST(PicoOffersModel, EachIsTakenOnceAndNobodySleepsBesideOne) {
  EXPECT_EQ(explore(HEDDLE_SCHEDULES, [] { offer_to_two<ModelSync>(true); }), "");
}

TEST(PicoOffersModel, OneThatDoesNotLookAgainSleepsForEver) {
  EXPECT_THAT(explore(HEDDLE_SCHEDULES, [] { offer_to_two<ModelSync>(false); }), HasSubstr("no thread can go on"));
}

TEST(PicoOffersModel, WithoutMemoryOrdersALossOrRaceIsFound) {
  EXPECT_THAT(explore(HEDDLE_SCHEDULES, [] { offer_to_two<RelaxedSync>(true); }), Not(""));
}

// --- Timers ---

// What a worker's loop does for a thread that waits until a time, while another kernel thread unparks it: the timer and
// the inbox both want to make it ready, and it must be so once for each time that it has parked.
template <class Sync>
void wait_until_a_time() {
  struct Task {
    Parking<Sync> parking;
    typename Sync::template Plain<Task*> next_in_inbox;
    Timer<Task> timer;
    int ready = 0;  // by the worker
  };
  Inbox<Sync, Task> inbox;
  Timers<Task> timers;
  Task task;
  typename Sync::template Plain<int> news;
  typename Sync::template Atomic<bool> told{false};
  typename Sync::Thread other([&] {
    news.write() = 1;
    told.store(true, std::memory_order_release);
    if (task.parking.unpark()) static_cast<void>(inbox.push(task));  // the worker of this test never sleeps
  });
  // Worker::park_until(), with a time that has come whenever the loop looks.
  for (int wait = 0; wait < 2; ++wait) {
    task.timer.owner = &task;
    timers.reserve(1);
    timers.add(task.timer, wait);
    if (task.parking.park()) {
      while (task.ready == 0) {
        for (Task* one = inbox.take_all(); one != nullptr; one = one->next_in_inbox.read()) ++one->ready;
        if (Task* const due = timers.take_due(wait)) {
          due->timer.owner = nullptr;
          if (due->parking.unpark()) ++due->ready;
        }
        Sync::relax();
      }
      if (--task.ready != 0) fail("it was made ready twice");
      task.parking.resume();
    }
    if (task.timer.owner != nullptr) timers.remove(task.timer);
    if (!timers.empty()) fail("a timer is left");
    if (told.load(std::memory_order_acquire) && news.read() != 1) fail("the news is missing");
  }
  other.join();
  for (Task* one = inbox.take_all(); one != nullptr; one = one->next_in_inbox.read()) fail("it is ready and runs");
}

TEST(PicoTimerModel, AThreadIsMadeReadyOnceByItsTimeOrByAnother) {
  EXPECT_EQ(explore(HEDDLE_SCHEDULES, wait_until_a_time<ModelSync>), "");
}

TEST(PicoTimerModel, WithoutMemoryOrdersARaceIsFound) {
  EXPECT_THAT(explore(HEDDLE_SCHEDULES, wait_until_a_time<RelaxedSync>), Not(""));
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

// Two join one end: at most one of them is told that it is the second, and the other learns of the end.
void join_one_end_twice() {
  using Blocker = ModelBlocker<>;
  std::array<Blocker::Waiter, 2> joiners;
  Completion<Blocker> completion;
  ModelSync::Plain<int> result;
  std::array<bool, 2> refused{};
  const auto join = [&](std::size_t me) {
    const Blocker::Entered entered(joiners[me]);
    try {
      completion.wait(joiners[me], [] { return false; });
      if (result.read() != 1) fail("it is not over");
    } catch (const std::logic_error&) {
      refused[me] = true;
    }
  };
  ModelSync::Thread ends([&] {
    result.write() = 1;
    completion.end();
  });
  ModelSync::Thread other([&] { join(0); });
  join(1);
  ends.join();
  other.join();
  if (refused[0] && refused[1]) fail("both were refused");
}

TEST(PicoCompletionModel, OfTwoThatJoinOneIsToldSo) { EXPECT_EQ(explore(HEDDLE_SCHEDULES, join_one_end_twice), ""); }

TEST(PicoCompletionModel, WithoutMemoryOrdersARaceIsFound) {
  EXPECT_THAT(explore(HEDDLE_SCHEDULES, join_an_end<RelaxedSync>), Not(""));
}

}  // namespace
}  // namespace heddle::pico
