// What libevent promises beyond plain events: signals, deferred callbacks, other threads, looking at a base.
#include <csignal>
#include <cstdlib>
#include <set>

#include "multivent/libevent/abi.hpp"
#include "multivent/loop/crew_fixture.hpp"

namespace heddle::multivent {
namespace {

using namespace testing_support;

class WholeLibrary : public InEveryMode {};
INSTANTIATE_TEST_SUITE_P(Mode, WholeLibrary, every_mode(), mode_name);

TEST_P(WholeLibrary, ASignalCallsAsOftenAsItWasDeliveredUntilItIsDeleted) {
  int calls = 0;
  event* ev = nullptr;
  Call call{[&](int signal, short what) {
    EXPECT_EQ(signal, SIGUSR1);
    EXPECT_EQ(what, EV_SIGNAL);
    if (++calls == 3) event_del(ev);
  }};
  ev = make(SIGUSR1, EV_SIGNAL | EV_PERSIST, kFree, call);
  event_add(ev, nullptr);
  for (int i = 0; i < 5; ++i) raise(SIGUSR1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(calls, 3);
  event_free(ev);
}

TEST_P(WholeLibrary, DeletingASignalRestoresItsDisposition) {
  struct sigaction before{};
  sigaction(SIGUSR2, nullptr, &before);
  Call call;
  event* ev = make(SIGUSR2, EV_SIGNAL, kFree, call);
  event_add(ev, nullptr);
  struct sigaction during{};
  sigaction(SIGUSR2, nullptr, &during);
  EXPECT_NE(during.sa_handler, before.sa_handler);
  event_free(ev);
  struct sigaction after{};
  sigaction(SIGUSR2, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
}

TEST_P(WholeLibrary, BreakFromASignalHandlerEndsAWaitingLoop) {
  static event_base* to_break;
  to_break = base;
  Pair pair;
  Call call;
  event* ev = make(pair.fd[0], EV_READ, kFree, call);
  event_add(ev, nullptr);
  struct sigaction action{};
  struct sigaction before{};
  action.sa_handler = [](int) { event_base_loopbreak(to_break); };
  sigaction(SIGALRM, &action, &before);
  ualarm(20'000, 0);
  EXPECT_EQ(event_base_dispatch(base), 0);
  sigaction(SIGALRM, &before, nullptr);
  event_free(ev);
}

TEST_P(WholeLibrary, DeferredCallbacksThatScheduleEachOtherDoNotKeepTheLoopFromPolling) {
  struct Deferred {
    event_callback callback;
    event_base* base;
    Deferred* other;
    int calls = 0;
  } a, b;
  const auto bounce = [](event_callback*, void* argument) {
    auto* me = static_cast<Deferred*>(argument);
    ++me->calls;
    event_deferred_cb_schedule_(me->base, &me->other->callback);
  };
  a.base = b.base = base;
  a.other = &b;
  b.other = &a;
  event_deferred_cb_init_(&a.callback, 0, bounce, &a);
  event_deferred_cb_init_(&b.callback, 0, bounce, &b);
  Pair pair;
  pair.send();
  Call call{[&](int, short) { event_base_loopbreak(base); }};
  event* ev = make(pair.fd[0], EV_READ, kUnknown, call);
  event_add(ev, nullptr);
  event_deferred_cb_schedule_(base, &a.callback);
  EXPECT_EQ(event_base_dispatch(base), 0);
  EXPECT_LT(a.calls + b.calls, 200);
  event_deferred_cb_cancel_(base, &a.callback);
  event_deferred_cb_cancel_(base, &b.callback);
  event_free(ev);
}

TEST_P(WholeLibrary, VirtualEventsKeepTheLoopUntilTheyEnd) {
  event_base_add_virtual_(base);
  std::thread ender([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    event_base_del_virtual_(base);
  });
  EXPECT_EQ(event_base_dispatch(base), 1);
  ender.join();
}

TEST_P(WholeLibrary, AnotherThreadsActivationAndTimerWakeAWaitingLoop) {
  Pair pair;
  Call never;
  event* waiting = make(pair.fd[0], EV_READ, kFree, never);
  event_add(waiting, nullptr);
  std::atomic<int> calls{0};
  Call call{[&](int, short) { ++calls; }};
  Call stop{[&](int, short) { event_base_loopexit(base, nullptr); }};
  event* activated = make(-1, 0, kFree, call);
  event* timer = make(-1, 0, kUnknown, stop);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    event_active(activated, EV_READ, 1);
    eventually([&] { return calls == 1; });
    const timeval soon = milliseconds(5);
    event_add(timer, &soon);
  });
  EXPECT_EQ(event_base_dispatch(base), 0);
  other.join();
  EXPECT_EQ(calls, 1);
  for (event* ev : {waiting, activated, timer}) event_free(ev);
}

TEST_P(WholeLibrary, CountsAndIterationShowWhatIsThere) {
  Pair pair;
  Call call;
  event* reader = make(pair.fd[0], EV_READ | EV_PERSIST, kFree, call);
  event* timer = make(-1, 0, kFree, call);
  event_add(reader, nullptr);
  const timeval later = milliseconds(60'000);
  event_add(timer, &later);
  EXPECT_EQ(event_base_get_num_events(base, EVENT_BASE_COUNT_ADDED), 2);
  std::set<const event*> seen;
  event_base_foreach_event(
      base,
      [](const event_base* of, const event* ev, void* argument) {
        static_cast<std::set<const event*>*>(argument)->insert(ev);
        return event_get_base(ev) == of && event_pending(ev, EV_READ | EV_TIMEOUT, nullptr) ? 0 : 1;
      },
      &seen);
  EXPECT_EQ(seen, (std::set<const event*>{reader, timer}));
  timeval when{};
  EXPECT_EQ(event_pending(timer, EV_TIMEOUT, &when), EV_TIMEOUT);
  EXPECT_GT(when.tv_sec, time(nullptr) + 30);
  event_base_assert_ok_(base);
  event_free(reader);
  event_free(timer);
  EXPECT_EQ(event_base_get_num_events(base, EVENT_BASE_COUNT_ADDED), 0);
  EXPECT_EQ(event_base_get_max_events(base, EVENT_BASE_COUNT_ADDED, 0), 2);
}

TEST_P(WholeLibrary, TheRunningEventIsTheOneOfThisThread) {
  event* ev = nullptr;
  event* seen = nullptr;
  Call call{[&](int, short) { seen = event_base_get_running_event(base); }};
  ev = make(-1, 0, kFree, call);
  event_active(ev, EV_READ, 1);
  event_base_dispatch(base);
  EXPECT_EQ(seen, ev);
  EXPECT_EQ(event_base_get_running_event(base), nullptr);
  event_free(ev);
}

TEST_P(WholeLibrary, TwoBasesInTwoThreadsDoNotDisturbEachOther) {
  event_base* other = event_base_new();
  const auto tick = [](event_base* of, int& calls) {
    return Call{[of, &calls](int, short) {
      if (++calls == 20) event_base_loopbreak(of);  // an exit would make a next call that is due by then
    }};
  };
  int here = 0;
  int there = 0;
  Call call_here = tick(base, here);
  Call call_there = tick(other, there);
  event* ev_here = event_new(base, -1, EV_PERSIST, handler(kSession), &call_here);
  event* ev_there = event_new(other, -1, EV_PERSIST, handler(kSession), &call_there);
  const timeval often = milliseconds(1);
  event_add(ev_here, &often);
  event_add(ev_there, &often);
  std::thread thread([&] { EXPECT_EQ(event_base_dispatch(other), 0); });
  EXPECT_EQ(event_base_dispatch(base), 0);
  thread.join();
  EXPECT_EQ(here, 20);
  EXPECT_EQ(there, 20);
  event_free(ev_here);
  event_free(ev_there);
  event_base_free(other);
}

extern "C" evthread_lock_callbacks* evthread_get_lock_callbacks();

// Several buffers count in it, whenever it was made.
TEST(LocksOfLibevent, AFileSegmentThatIsMadeBeforeTheFirstBaseHasOne) {
  if (evthread_get_lock_callbacks()->alloc != nullptr) GTEST_SKIP() << "another test has made a base in this process";
  configure(3);
  evbuffer_file_segment* const segment = evbuffer_file_segment_new(0, 0, 10, 0);
  EXPECT_NE(evthread_get_lock_callbacks()->alloc, nullptr);
  evbuffer_file_segment_free(segment);
}

// What libevent has locks for goes on to be locked.
TEST_P(WholeLibrary, AProgramTakesNoLocksAwayThatItHasNotGiven) {
  if (!parallel()) return;
  evbuffer_file_segment* const segment = evbuffer_file_segment_new(0, 0, 10, 0);
  EXPECT_EQ(evthread_set_lock_callbacks(nullptr), 0);
  EXPECT_NE(evthread_get_lock_callbacks()->alloc, nullptr);
  evbuffer_file_segment_free(segment);
}

// A program of one thread may give libevent locks that lock nothing.
TEST(LocksOfLibevent, WhatTheProgramsLocksDoNotLockIsLocked) {
  if (evthread_get_lock_callbacks()->alloc != nullptr) GTEST_SKIP() << "another test has made a base in this process";
  configure(3);
  static std::atomic<int> calls{0};
  const evthread_lock_callbacks none{EVTHREAD_LOCK_API_VERSION,
                                     EVTHREAD_LOCKTYPE_RECURSIVE,
                                     [](unsigned) -> void* { return new char; },
                                     [](void* lock, unsigned) { delete static_cast<char*>(lock); },
                                     [](unsigned, void*) { return ++calls, 0; },
                                     [](unsigned, void*) { return 0; }};
  ASSERT_EQ(evthread_set_lock_callbacks(&none), 0);
  EXPECT_EQ(evthread_set_lock_callbacks(&none), 0);
  evbuffer* const buffer = evbuffer_new();
  ASSERT_EQ(evbuffer_enable_locking(buffer, nullptr), 0);
  evbuffer_lock(buffer);
  evbuffer_lock(buffer);
  std::atomic<bool> came{false};
  std::atomic<bool> has_it{false};
  std::thread other([&] {
    came = true;
    evbuffer_lock(buffer);
    has_it = true;
    evbuffer_unlock(buffer);
  });
  while (!came) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  evbuffer_unlock(buffer);
  EXPECT_FALSE(has_it);
  evbuffer_unlock(buffer);
  other.join();
  EXPECT_GE(calls, 3);
  evbuffer_free(buffer);
}

// One thread tells the program's function of what goes wrong in its loop between two handlers.
TEST_P(WholeLibrary, TheProgramsLogFunctionRunsBesideNoHandler) {
  static std::atomic<int> told{0};
  static std::atomic<int> inside{0};
  static std::atomic<bool> met{false};
  told = inside = 0;
  met = false;
  event_set_log_callback([](int, const char*) {
    if (inside != 0) met = true;
    ++told;
  });
  constexpr int kEvents = 10;
  Call none;
  std::vector<event*> events;
  {
    Pair pairs[kEvents];  // closed while events wait for them
    for (int i = 0; i < kEvents; ++i) {
      for (const short what : {short{EV_READ}, short{EV_CLOSED}})
        events.push_back(make(pairs[i].fd[0], what, kFree, none));
      const timeval soon = milliseconds(5 + 2 * i);
      event_add(events[events.size() - 2], &soon);
      event_add(events.back(), nullptr);
    }
  }
  Call works[3];
  for (Call& work : works) {
    work.run = [](int, short) {
      ++inside;
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      --inside;
    };
    event_base_once(base, -1, EV_TIMEOUT, handler(kFree), &work, nullptr);
  }
  const timeval end = milliseconds(120);
  event_base_loopexit(base, &end);
  event_base_dispatch(base);
  for (event* ev : events) event_free(ev);
  event_set_log_callback(nullptr);
  EXPECT_GE(told, kEvents);
  EXPECT_FALSE(met);
}

// libevent would find no locks of its kind where it has ours.
TEST_P(WholeLibrary, LocksThatTheProgramHasNotGivenAreNotWatched) {
  if (!parallel()) return;
  evbuffer_file_segment* const segment = evbuffer_file_segment_new(0, 0, 10, 0);
  evthread_enable_lock_debugging();
  evbuffer* const buffer = evbuffer_new();
  EXPECT_EQ(evbuffer_enable_locking(buffer, nullptr), 0);
  evbuffer_free(buffer);
  evbuffer_file_segment_free(segment);
}

// The constraints of a function say nothing of what the program's allocator does when libevent gives its event back.
TEST_P(WholeLibrary, TheProgramsAllocatorGetsOnceEventsBackOneByOne) {
  static std::atomic<int> inside{0};
  static std::atomic<int> most{0};
  static std::atomic<int> freed{0};
  inside = most = freed = 0;
  constexpr int kEvents = 6;
  event_set_mem_functions([](std::size_t size) { return std::malloc(size); },
                          [](void* memory, std::size_t size) { return std::realloc(memory, size); },
                          [](void* memory) {
                            const int now = ++inside;
                            if (now > most) most = now;
                            std::this_thread::sleep_for(std::chrono::milliseconds(5));
                            ++freed;
                            --inside;
                            std::free(memory);
                          });
  Call calls[kEvents];
  for (Call& call : calls) event_base_once(base, -1, EV_TIMEOUT, handler(kFree), &call, nullptr);
  EXPECT_EQ(event_base_dispatch(base), 1);
  event_set_mem_functions(nullptr, nullptr, nullptr);
  EXPECT_EQ(freed, kEvents);
  EXPECT_EQ(most, 1);
}

// tmux blocks all signals around fork(), and gives the child the mask that it found.
TEST_P(WholeLibrary, AHandlerFindsTheSignalMaskOfTheLoopsThread) {
  struct sigaction action{};
  struct sigaction before{};
  static std::atomic<int> signals{0};
  signals = 0;
  action.sa_handler = [](int) { ++signals; };
  sigaction(SIGUSR2, &action, &before);
  sigset_t hangup;
  sigemptyset(&hangup);
  sigaddset(&hangup, SIGHUP);
  sigset_t old;
  pthread_sigmask(SIG_BLOCK, &hangup, &old);
  std::set<pthread_t> threads;
  Call call{[&](int, short) {
    threads.insert(pthread_self());
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, nullptr, &now);
    EXPECT_EQ(sigismember(&now, SIGUSR2), 0);
    EXPECT_EQ(sigismember(&now, SIGHUP), 1);
    const int so_far = signals;
    raise(SIGUSR2);
    EXPECT_EQ(signals, so_far + 1);
    if (so_far + 1 == 200) event_base_loopbreak(base);
  }};
  event* ev = make(-1, EV_PERSIST, kAlone, call);
  const timeval at_once{0, 100};
  event_add(ev, &at_once);
  event_base_dispatch(base);
  event_free(ev);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  sigaction(SIGUSR2, &before, nullptr);
  EXPECT_TRUE(threads.size() > 1 || GetParam().promotion != scheduler::Promotion::kAlways);
}

}  // namespace
}  // namespace heddle::multivent
