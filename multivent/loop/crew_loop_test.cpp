// What a crew adds: calls run at once where constraints allow it, and nothing that one thread guaranteed is lost.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cfenv>
#include <csignal>
#include <random>

#include "multivent/loop/base.hpp"
#include "multivent/loop/crew_fixture.hpp"

namespace heddle::multivent {
namespace {

using namespace testing_support;

class ParallelLoop : public InEveryMode {};
INSTANTIATE_TEST_SUITE_P(Mode, ParallelLoop, parallel_modes(), mode_name);

TEST_P(ParallelLoop, FreeHandlersRunAtOnceOnceTheyAreKnownToBeLong) {
  std::atomic<int> inside{0};
  std::atomic<bool> met{false};
  Call call{[&](int, short) {
    ++inside;
    eventually([&] { return inside >= 3 || met; });
    met = true;
  }};
  std::vector<Call> calls(3, call);
  std::vector<event*> events;
  for (Call& each : calls) {
    events.push_back(make(-1, 0, kFree, each));
    event_active(events.back(), EV_READ, 1);
  }
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(inside, 3);
  EXPECT_EQ(oracle().most(), 3);
  for (event* ev : events) event_free(ev);
}

// What a thread has of its own, as far as threads inherit it.
struct ThreadState {
  int rounding = std::fegetround();
  bool blocked = blocks_user_signal();

  static bool blocks_user_signal() {
    sigset_t mask;
    return pthread_sigmask(SIG_SETMASK, nullptr, &mask) == 0 && sigismember(&mask, SIGUSR2) == 1;
  }
};

void block_user_signal(bool block) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGUSR2);
  pthread_sigmask(block ? SIG_BLOCK : SIG_UNBLOCK, &only, nullptr);
}

// Nobody is there yet who could make the calls: the thread that asks for them must not be taken for a model.
TEST_P(ParallelLoop, ThreadsOfTheLoopDoNotTakeAfterWhoGivesThemWork) {
  std::atomic<int> done{0};
  Call slow{[&](int, short) { eventually([&] { return done == 6; }); }};
  Call work{[&](int, short) {
    EXPECT_EQ(ThreadState().rounding, FE_TONEAREST);
    EXPECT_FALSE(ThreadState().blocked);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    ++done;
  }};
  std::vector<Call> calls(6, work);
  std::vector<event*> events;
  for (Call& each : calls) events.push_back(make(-1, 0, kFree, each));
  event* const first = make(-1, 0, kFree, slow);
  event_active(first, EV_READ, 1);
  std::atomic<bool> begun{false};
  std::thread giver([&] {
    std::fesetround(FE_UPWARD);
    block_user_signal(true);
    eventually([&] { return begun.load(); });
    for (event* ev : events) {
      event_active(ev, EV_READ, 1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  begun = true;
  event_base_dispatch(base);
  giver.join();
  EXPECT_EQ(done, 6);
  event_free(first);
  for (event* ev : events) event_free(ev);
}

TEST_P(ParallelLoop, ThreadsOfTheLoopHaveTheStateOfWhoEntersIt) {
  int rounding = FE_UPWARD;
  bool blocked = false;
  Call work{[&](int, short) {
    EXPECT_EQ(ThreadState().rounding, rounding);
    EXPECT_EQ(ThreadState().blocked, blocked);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }};
  std::vector<Call> calls(6, work);
  std::vector<event*> events;
  for (Call& each : calls) events.push_back(make(-1, 0, kFree, each));
  const auto loop = [&] {
    for (event* ev : events) event_active(ev, EV_READ, 1);
    event_base_dispatch(base);
  };
  std::atomic<bool> begun{false};
  std::thread another([&] {
    eventually([&] { return begun.load(); });
    loop();
  });
  std::fesetround(FE_UPWARD);
  loop();
  std::fesetround(FE_TONEAREST);
  rounding = FE_TONEAREST;
  begun = true;
  another.join();
  blocked = true;
  block_user_signal(true);
  loop();
  blocked = false;
  block_user_signal(false);
  loop();
  for (event* ev : events) event_free(ev);
}

// The pinned ones wait until another has run elsewhere.
TEST_P(ParallelLoop, PinnedHandlersRunOnTheThreadThatEnteredTheLoopAndOthersBesideThem) {
  std::atomic<bool> elsewhere{false};
  std::atomic<int> pinned_calls{0};
  std::atomic<int> free_calls{0};
  const std::thread::id owner = std::this_thread::get_id();
  Call pinned{[&](int, short) {
    EXPECT_EQ(std::this_thread::get_id(), owner);
    ++pinned_calls;
    eventually([&] { return elsewhere.load(); });
  }};
  Call free{[&](int, short) {
    ++free_calls;
    if (std::this_thread::get_id() != owner) elsewhere = true;
  }};
  std::vector<Call> calls;
  for (int i = 0; i < 20; ++i) {
    calls.push_back(pinned);
    calls.push_back(free);
  }
  std::vector<event*> events;
  for (std::size_t i = 0; i < calls.size(); ++i) events.push_back(make(-1, 0, i % 2 == 0 ? kPinned : kFree, calls[i]));
  for (event* ev : events) event_active(ev, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(pinned_calls, 20);
  EXPECT_EQ(free_calls, 20);
  EXPECT_TRUE(elsewhere);
  for (event* ev : events) event_free(ev);
}

// The thread of the loop may sleep while others lead, or be in a handler of its own.
TEST_P(ParallelLoop, APinnedHandlerThatComesUpElsewhereGetsItsThreadBack) {
  const std::thread::id owner = std::this_thread::get_id();
  std::atomic<int> done{0};
  Call pinned{[&](int, short) {
    EXPECT_EQ(std::this_thread::get_id(), owner);
    ++done;
  }};
  event* const ev = make(-1, 0, kPinned, pinned);
  constexpr int kRounds = 50;
  std::atomic<int> rounds{0};
  std::vector<Pair> pairs(4);
  std::vector<Call> calls(4);
  std::vector<event*> events;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    calls[i].run = [&, i](int, short) {
      pairs[i].drain();
      const int mine = ++rounds;
      if (mine > kRounds) {
        event_del(events[i]);
        return;
      }
      const int before = done;
      event_active(ev, EV_READ, 1);
      // Where this is another thread, the pinned call is made beside this one.
      if (std::this_thread::get_id() != owner && i % 2 == 0)
        eventually([&] { return done > before || mine == kRounds; });
      pairs[(i + 1) % pairs.size()].send();
      pairs[i].send();
    };
    events.push_back(make(pairs[i].fd[0], EV_READ | EV_PERSIST, kFree, calls[i]));
    event_add(events[i], nullptr);
    pairs[i].send();
  }
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_GT(done, 0);
  for (event* each : events) event_free(each);
  event_free(ev);
}

TEST_P(ParallelLoop, WhatIsPinnedGoesWithTheLoopFromThreadToThread) {
  std::thread::id ran;
  Call first{[&](int, short) {
    ran = std::this_thread::get_id();
    event_base_loopbreak(base);
  }};
  Call second{[&](int, short) { ran = std::this_thread::get_id(); }};
  event* const one = make(-1, 0, kPinned, first);
  event* const other = make(-1, 0, kPinned, second);
  event_active(one, EV_READ, 1);
  event_active(other, EV_READ, 1);
  event_base_dispatch(base);
  EXPECT_EQ(ran, std::this_thread::get_id());
  std::thread::id next;
  std::thread([&] {
    next = std::this_thread::get_id();
    event_base_dispatch(base);
  }).join();
  EXPECT_EQ(ran, next);
  event_free(one);
  event_free(other);
}

TEST(Crew, HandlersQueuedBeforeTheyWereKnownToBeLongStillGetHelp) {
  configure(4);
  oracle().reset();
  event_base* base = event_base_new();
  // Each call is too short for the watchdog to find it late, and all are due before any has run: that they are long
  // shows only in the time that the first ones took.
  Call call{[](int, short) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }};
  std::vector<Call> calls(200, call);
  std::vector<event*> events;
  for (Call& each : calls) {
    events.push_back(event_new(base, -1, 0, handler(kFree), &each));
    event_active(events.back(), EV_READ, 1);
  }
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(oracle().most(), 4);
  for (event* ev : events) event_free(ev);
  event_base_free(base);
}

TEST(AutomaticThreads, AsManyHandlersRunAtOnceAsBlockOnEachOther) {
  configure(Threads{2, 64});
  oracle().reset();
  event_base* base = event_base_new();
  constexpr int kAll = 16;
  std::atomic<int> inside{0};
  Call call{[&](int, short) {
    ++inside;
    eventually([&] { return inside >= kAll; });
  }};
  std::vector<Call> calls(kAll, call);
  std::vector<Pair> pairs(kAll);
  std::vector<event*> events;
  for (std::size_t i = 0; i < kAll; ++i) {  // some are due, others the kernel has to tell
    const bool due = i % 2 == 0;
    events.push_back(event_new(base, due ? -1 : pairs[i].fd[0], due ? 0 : EV_READ, handler(kFree), &calls[i]));
    if (due) {
      event_active(events.back(), EV_READ, 1);
    } else {
      event_add(events.back(), nullptr);
      pairs[i].send();
    }
  }
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(inside, kAll);
  EXPECT_EQ(oracle().most(), kAll);
  const telemetry::RunFacts facts = Runtime::get().facts();
  EXPECT_GE(facts.places(), static_cast<unsigned>(kAll - 1));  // and one thread more
  EXPECT_THAT(
      telemetry::run_summary(facts),
      testing::HasSubstr(" threads, because work waited while handlers blocked and left some of 2 cores idle\n"));
  for (event* ev : events) event_free(ev);
  event_base_free(base);
}

TEST(AutomaticThreads, HandlersThatComputeHaveOnePlaceForEachCore) {
  // As many places as handlers really compute. Where others use the machine, these handlers also wait for a processor,
  // and that counts as computing.
  configure(Threads{2, 64});
  oracle().reset();
  event_base* base = event_base_new();
  std::atomic<int> left{200};
  Call call{[&](int, short) {
    --left;
    volatile unsigned spin = 0;
    while (spin < 2'000'000) spin = spin + 1;
  }};
  std::vector<Call> calls(8, call);
  std::vector<event*> events;
  events.reserve(calls.size());
  for (Call& each : calls) events.push_back(event_new(base, -1, EV_PERSIST, handler(kFree), &each));
  while (left > 0) {
    for (event* ev : events) event_active(ev, EV_READ, 1);
    EXPECT_EQ(event_base_loop(base, 0), 1);
  }
  EXPECT_LE(base->recorder.statistics()->places().most, 4U);  // one may block for a moment, where the machine is busy
  for (event* ev : events) event_free(ev);
  event_base_free(base);
}

TEST_P(ParallelLoop, AHandlerThatBlocksDoesNotStopTheLoop) {
  std::atomic<bool> ticked{false};
  Call blocker{[&](int, short) { eventually([&] { return ticked.load(); }); }};
  Call timer{[&](int, short) { ticked = true; }};
  event* blocks = make(-1, 0, kFree, blocker);
  event* ticks = make(-1, 0, kAlone, timer);
  const timeval soon = milliseconds(10);
  event_add(ticks, &soon);
  event_active(blocks, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_TRUE(ticked);
  event_free(blocks);
  event_free(ticks);
}

TEST_P(ParallelLoop, DeletingAnEventThatAnotherThreadIsInWaitsForItUnlessToldNotTo) {
  std::atomic<bool> entered{false};
  std::atomic<bool> left{false};
  std::atomic<bool> release{false};
  Call slow{[&](int, short) {
    entered = true;
    eventually([&] { return release.load(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    left = true;
  }};
  event* running = make(-1, EV_PERSIST, kFree, slow);
  Call deleter{[&](int, short) {
    eventually([&] { return entered.load(); });
    event_del_noblock(running);
    EXPECT_FALSE(left);
    release = true;
    event_del(running);
    EXPECT_TRUE(left);
  }};
  event* deletes = make(-1, 0, kAlone, deleter);
  event_active(running, EV_READ, 1);
  event_active(deletes, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  event_free(running);
  event_free(deletes);
}

TEST_P(ParallelLoop, DeletingAFinalizableEventDoesNotWait) {
  std::atomic<bool> entered{false};
  std::atomic<bool> deleted{false};
  Call slow{[&](int, short) {
    entered = true;
    eventually([&] { return deleted.load(); });
  }};
  event* running = make(-1, EV_PERSIST | EV_FINALIZE, kFree, slow);
  Call deleter{[&](int, short) {
    eventually([&] { return entered.load(); });
    event_del(running);
    deleted = true;
  }};
  event* deletes = make(-1, 0, kAlone, deleter);
  event_active(running, EV_READ, 1);
  event_active(deletes, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  event_free(running);
  event_free(deletes);
}

TEST_P(ParallelLoop, TwoHandlersThatDeleteEachOthersEventDoNotDeadlock) {
  for (int round = 0; round < 20; ++round) {
    event* events[2] = {};
    std::atomic<int> inside{0};
    const auto delete_other = [&](int mine) {
      return Call{[&, mine](int, short) {
        ++inside;
        // Meet, or find that the other was deleted before it started.
        for (int i = 0; i < 50 && inside < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        event_del(events[1 - mine]);
      }};
    };
    Call calls[2] = {delete_other(0), delete_other(1)};
    for (int i = 0; i < 2; ++i) events[i] = make(-1, EV_PERSIST, kFree, calls[i]);
    for (event* ev : events) event_active(ev, EV_READ, 1);
    EXPECT_EQ(event_base_dispatch(base), 1);
    for (event* ev : events) event_free(ev);
  }
}

TEST_P(ParallelLoop, WhatACallMakesDueGoesBeforeWhatAPollBesideItFound) {
  for (const Kind kind : {kAlone, kUnknown}) {
    Pair pair;
    std::string order;
    event* chain[3] = {};
    const auto link = [&](int i) {
      return Call{[&, i](int, short) {
        if (i == 0) pair.send();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        order += static_cast<char>('1' + i);
        if (i < 2) event_active(chain[i + 1], EV_READ, 1);
      }};
    };
    Call calls[3] = {link(0), link(1), link(2)};
    for (int i = 0; i < 3; ++i) chain[i] = make(-1, 0, kind, calls[i]);
    Call outside{[&](int, short) { order += 'p'; }};
    event* polled = make(pair.fd[0], EV_READ, kind, outside);
    event_add(polled, nullptr);
    event_active(chain[0], EV_READ, 1);
    EXPECT_EQ(event_base_dispatch(base), 1);
    EXPECT_EQ(order, "123p");
    for (event* ev : {chain[0], chain[1], chain[2], polled}) event_free(ev);
  }
}

// Nothing may start before the loop has looked again, and whoever looks already must come back for that.
TEST_P(ParallelLoop, AnotherLookIsTakenThoughAThreadWaitsForDescriptors) {
  Pair pair;
  Call never{[](int, short) { ADD_FAILURE(); }};
  event* const silent = make(pair.fd[1], EV_READ | EV_PERSIST, kFree, never);
  event_add(silent, nullptr);
  Call asks{[&](int, short) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // another thread waits for descriptors meanwhile
    event_base_loopcontinue(base);
  }};
  int called = 0;
  Call behind{[&](int, short) {
    ++called;
    event_base_loopbreak(base);
  }};
  event* const first = make(-1, EV_PERSIST, kAlone, asks);
  event* const second = make(-1, EV_PERSIST, kAlone, behind);
  for (int i = 1; i <= 5; ++i) {
    event_active(first, EV_READ, 1);
    event_active(second, EV_READ, 1);
    EXPECT_EQ(event_base_dispatch(base), 0);
    EXPECT_EQ(called, i);
  }
  for (event* ev : {silent, first, second}) event_free(ev);
}

// No call starts before a loop has looked once; with threads that are there already, the one that looks must be told.
TEST_P(ParallelLoop, WhatAThreadMakesDueDuringTheFirstLookIsCalled) {
  Call slow{[](int, short) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }};
  std::vector<Call> calls(6, slow);
  std::vector<event*> events;
  for (Call& each : calls) {
    events.push_back(make(-1, 0, kFree, each));
    event_active(events.back(), EV_READ, 1);
  }
  Call never{[](int, short) { ADD_FAILURE(); }};
  events.push_back(make(-1, 0, kFree, never));
  const timeval late = milliseconds(60'000);
  event_add(events.back(), &late);
  event_base_loop(base, EVLOOP_ONCE);
  constexpr int kLoops = 20;
  std::atomic<int> entered{0};
  int called = 0;
  Call work{[&](int, short) { ++called; }};
  event* const given = make(-1, EV_PERSIST, kFree, work);
  std::thread giver([&] {
    for (int i = 1; i <= kLoops; ++i) {
      eventually([&] { return entered >= i; });
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      event_active(given, EV_READ, 1);
    }
  });
  for (int i = 1; i <= kLoops; ++i) {
    entered = i;
    event_base_loop(base, EVLOOP_ONCE);
    EXPECT_EQ(called, i);
  }
  giver.join();
  events.push_back(given);
  for (event* ev : events) event_free(ev);
}

// The structure of an event is public: what stands in it when the call starts counts, not what stood there when it
// became due.
TEST_P(ParallelLoop, CallsAreKeptApartByTheArgumentThatTheyAreMadeWith) {
  int rounds = 0;
  Call client{[](int, short) { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }};
  Call stranger = client;
  event* const worker = make(-1, 0, kSession, client);
  event* const handed_on = make(-1, 0, kSession, stranger);
  event* again = nullptr;
  Call hand_on{[&](int, short) {
    argument_of(*handed_on) = &stranger;
    event_active(handed_on, EV_READ, 1);
    argument_of(*handed_on) = &client;
    event_active(worker, EV_READ, 1);
    if (++rounds < 8) event_active(again, EV_READ, 1);
  }};
  again = make(-1, 0, kUnknown, hand_on);
  event_active(again, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(rounds, 8);
  for (event* ev : {worker, handed_on, again}) event_free(ev);
}

TEST_P(ParallelLoop, BreakWaitsForRunningHandlersAndLeavesTheRestQueued) {
  std::atomic<int> started{0};
  std::atomic<int> finished{0};
  std::vector<Call> calls(10, Call{[&](int, short) {
                            if (++started == 2) event_base_loopbreak(base);
                            eventually([&] { return started >= 2; });
                            std::this_thread::sleep_for(std::chrono::milliseconds(5));
                            ++finished;
                          }});
  std::vector<event*> events;
  for (Call& call : calls) {
    events.push_back(make(-1, 0, kFree, call));
    event_active(events.back(), EV_READ, 1);
  }
  EXPECT_EQ(event_base_dispatch(base), 0);
  EXPECT_EQ(started, finished);
  EXPECT_LE(finished, 4);
  EXPECT_EQ(event_base_get_num_events(base, EVENT_BASE_COUNT_ACTIVE), 10 - finished);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(finished, 10);
  for (event* ev : events) event_free(ev);
}

TEST_P(ParallelLoop, EveryByteIsSeenHoweverReadinessAndCallsOverlap) {
  constexpr int kPairs = 12;
  constexpr int kBytes = 150;
  std::vector<Pair> pairs(kPairs);
  std::atomic<int> total{0};
  std::vector<Call> calls(kPairs, Call{[&](int fd, short) {
                            char byte;
                            if (read(fd, &byte, 1) != 1) return;
                            if (byte % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
                            if (++total == kPairs * kBytes) event_base_loopexit(base, nullptr);
                          }});
  std::vector<event*> events;
  for (int i = 0; i < kPairs; ++i) {
    const Kind kind = std::array{kFree, kSession, kAlone, kUnknown}[static_cast<std::size_t>(i % 4)];
    events.push_back(
        make(pairs[static_cast<std::size_t>(i)].fd[0], EV_READ | EV_PERSIST, kind, calls[static_cast<std::size_t>(i)]));
    event_add(events.back(), nullptr);
  }
  std::thread writer([&] {
    for (int byte = 0; byte < kBytes; ++byte)
      for (Pair& pair : pairs) pair.send(static_cast<char>(byte));
  });
  const timeval patience = milliseconds(30'000);
  event_base_loopexit(base, &patience);
  EXPECT_EQ(event_base_dispatch(base), 0);
  writer.join();
  EXPECT_EQ(total, kPairs * kBytes);
  for (event* ev : events) event_free(ev);
}

// A descriptor that stays ready while its handler runs, or hangs up, must not make the poller turn in circles.
TEST_P(ParallelLoop, PollsAreBoundedWhileAHandlerIgnoresAReadyOrHungUpDescriptor) {
  Pair ready;
  Pair hung_up;
  ready.send();
  close(std::exchange(hung_up.fd[1], -1));
  std::atomic<int> slow{0};
  std::vector<Call> calls(2, Call{[&](int, short) {
                            std::this_thread::sleep_for(std::chrono::milliseconds(60));
                            if (++slow == 2) event_base_loopbreak(base);
                          }});
  event* reads = make(ready.fd[0], EV_READ | EV_PERSIST, kFree, calls[0]);
  event* hangs = make(hung_up.fd[0], EV_READ | EV_PERSIST, kFree, calls[1]);
  event_add(reads, nullptr);
  event_add(hangs, nullptr);
  EXPECT_EQ(event_base_dispatch(base), 0);
  EXPECT_LT(base->recorder.statistics()->polls(), 60U);
  event_free(reads);
  event_free(hangs);
}

TEST_P(ParallelLoop, AnIdleProcessWakesUpForNothing) {
  if (HEDDLE_UNDER_TSAN) GTEST_SKIP() << "the sanitizer's own thread wakes up";
  Pair pair;
  std::vector<Call> calls(3, Call{[&](int, short) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }});
  std::vector<event*> events;
  for (Call& call : calls) {
    events.push_back(make(-1, 0, kFree, call));
    event_active(events.back(), EV_READ, 1);
  }
  Call idle;
  event* waits = make(pair.fd[0], EV_READ, kFree, idle);
  event_add(waits, nullptr);
  const auto switches = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nvcsw;
  };
  long idle_switches = -1;
  std::thread watcher([&] {
    // The watchdog gives up after some ticks without a handler.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const long before = switches();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    idle_switches = switches() - before;
    event_base_loopbreak(base);
  });
  EXPECT_EQ(event_base_dispatch(base), 0);
  watcher.join();
  EXPECT_LE(idle_switches, 3);  // the watcher's own
  for (event* ev : events) event_free(ev);
  event_free(waits);
}

TEST_P(ParallelLoop, ALoopWithinACallbackOfAnotherBaseIsRunByThatThreadAlone) {
  event_base* inner = event_base_new();
  const auto here = std::make_shared<std::thread::id>();
  int inner_calls = 0;
  Call inner_call{[&](int, short) {
    ++inner_calls;
    EXPECT_EQ(std::this_thread::get_id(), *here);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }};
  std::vector<event*> events;
  for (int i = 0; i < 6; ++i) {
    events.push_back(event_new(inner, -1, 0, handler(kFree), &inner_call));
    event_active(events.back(), EV_READ, 1);
  }
  // The oracle would take the nested calls for an overlap with the outer one, so the outer one is not a handler of its.
  std::function<void()> outer_call = [&] {
    *here = std::this_thread::get_id();
    EXPECT_EQ(event_base_dispatch(inner), 1);
  };
  event_base_once(
      base, -1, EV_TIMEOUT, [](int, short, void* argument) { (*static_cast<std::function<void()>*>(argument))(); },
      &outer_call, nullptr);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(inner_calls, 6);
  for (event* ev : events) event_free(ev);
  event_base_free(inner);
}

TEST_P(ParallelLoop, AForkedChildCanGoOnWithItsCopyOfTheBase) {
  if (HEDDLE_UNDER_TSAN) GTEST_SKIP() << "the sanitizer does not let the child start threads";
  std::vector<Call> warm_up(3, Call{[](int, short) { std::this_thread::sleep_for(std::chrono::milliseconds(3)); }});
  std::vector<event*> events;
  for (Call& call : warm_up) {
    events.push_back(make(-1, 0, kFree, call));
    event_active(events.back(), EV_READ, 1);
  }
  event_base_dispatch(base);
  const auto run_all = [&] {
    for (event* ev : events) event_active(ev, EV_READ, 1);
    return event_base_dispatch(base) == 1;
  };
  const pid_t child = fork();
  if (child == 0) _exit(event_reinit(base) == 0 && run_all() && run_all() ? 0 : 1);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_TRUE(run_all());
  for (event* ev : events) event_free(ev);
}

// As a daemon does: the base's own descriptors are among those that it has closed, and the new ones get their numbers.
TEST_P(ParallelLoop, AForkedChildMayHaveClosedEveryDescriptor) {
  if (HEDDLE_UNDER_TSAN) GTEST_SKIP() << "the sanitizer does not let the child start threads";
  Call woken{[](int, short) {}};
  event* ev = make(-1, 0, kFree, woken);
  const pid_t child = fork();
  if (child == 0) {
    for (int fd = 3; fd < 1024; ++fd) close(fd);
    if (event_reinit(base) != 0) _exit(1);
    std::thread another([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      event_active(ev, EV_READ, 1);
    });
    const timeval late{20, 0};
    event_base_loopexit(base, &late);
    alarm(10);
    event* waits = event_new(
        base, -1, 0, [](int, short, void* given) { event_base_loopbreak(static_cast<event_base*>(given)); }, base);
    std::thread end([&] {
      another.join();
      event_active(waits, EV_READ, 1);
    });
    const int result = event_base_dispatch(base);
    end.join();
    _exit(result == 0 ? 0 : 2);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  event_free(ev);
}

TEST_P(ParallelLoop, HandlersMayForkWhileOthersRun) {
  std::atomic<int> children_done{0};
  std::vector<Call> calls(6, Call{[&](int, short) {
                            const pid_t child = fork();
                            if (child == 0) _exit(7);
                            int status = 0;
                            if (waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7) ++children_done;
                          }});
  std::vector<event*> events;
  for (Call& call : calls) {
    events.push_back(make(-1, 0, kFree, call));
    event_active(events.back(), EV_READ, 1);
  }
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(children_done, 6);
  for (event* ev : events) event_free(ev);
}

// Random handlers that delete, add, activate and free events of their own and of others, for a second's worth of calls.
class Stress {
 public:
  Stress(event_base* base, unsigned seed, int calls_left) : base_(base), random_(seed), calls_left_(calls_left) {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      slots_[i].call.run = [this, i](int, short) { act(i); };
      create(i);
    }
  }

  void run() {
    const timeval often = milliseconds(1);
    Call drive{[this](int, short) { stir(); }};
    event* driver = event_new(base_, -1, EV_PERSIST, handler(kUnknown), &drive);
    event_add(driver, &often);
    EXPECT_EQ(event_base_dispatch(base_), 0);
    event_free(driver);
    for (Slot& slot : slots_)
      if (slot.ev != nullptr) event_free(slot.ev);
    EXPECT_EQ(event_base_get_num_events(base_, EVENT_BASE_COUNT_ADDED), 0);
    EXPECT_LE(calls_left_, 0);
  }

 private:
  struct Slot {
    Pair pair;
    Call call;
    std::mutex mutex;  // guards ev and its life against other handlers, as a program's own lock would
    event* ev = nullptr;
  };

  unsigned pick(unsigned limit) {
    const std::lock_guard guard(random_mutex_);
    return std::uniform_int_distribution<unsigned>(0, limit - 1)(random_);
  }

  void create(std::size_t i) {
    const Kind kind = std::array{kFree, kSession, kAlone, kUnknown}[pick(4)];
    slots_[i].ev =
        event_new(base_, slots_[i].pair.fd[0], static_cast<short>(EV_READ | (pick(2) ? EV_PERSIST : 0) | EV_FINALIZE),
                  handler(kind), &slots_[i].call);
    event_add(slots_[i].ev, nullptr);
  }

  void act(std::size_t i) {
    slots_[i].pair.drain();
    if (--calls_left_ <= 0) {
      event_base_loopexit(base_, nullptr);
      return;
    }
    if (pick(8) == 0) std::this_thread::sleep_for(std::chrono::microseconds(pick(400)));
    Slot& other = slots_[pick(static_cast<unsigned>(slots_.size()))];
    const std::lock_guard guard(other.mutex);
    if (other.ev == nullptr) return;
    const timeval soon = milliseconds(1);
    switch (pick(5)) {
      case 0:
        event_del_noblock(other.ev);
        break;
      case 1:
        event_add(other.ev, pick(2) ? &soon : nullptr);
        break;
      case 2:
        event_active(other.ev, EV_READ, 1);
        break;
      case 3:
        event_free_finalize(0, other.ev, [](event*, void*) {});
        other.ev = nullptr;
        break;
      default:
        break;
    }
  }

  // Runs alone: keeps all slots alive and everybody supplied.
  void stir() {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const std::lock_guard guard(slots_[i].mutex);
      if (slots_[i].ev == nullptr) create(i);
      event_add(slots_[i].ev, nullptr);
      slots_[i].pair.drain();
      slots_[i].pair.send();
    }
  }

  event_base* base_;
  std::mutex random_mutex_;
  std::mt19937 random_;  // guarded by it
  std::array<Slot, 10> slots_;
  std::atomic<int> calls_left_;
};

TEST_P(ParallelLoop, SurvivesRandomDeletesAddsActivationsAndFrees) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    Stress(base, seed, 1500).run();
    EXPECT_EQ(oracle().violations(), 0);
  }
}

}  // namespace
}  // namespace heddle::multivent
