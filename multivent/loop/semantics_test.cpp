// What libevent promises a program, in one thread, with a crew, and with a crew that changes threads at every call.
#include <fcntl.h>

#include <csignal>
#include <cstring>

#include "multivent/libevent/abi.hpp"
#include "multivent/loop/crew_fixture.hpp"

namespace heddle::multivent {
namespace {

using namespace testing_support;

class Semantics : public InEveryMode {};
INSTANTIATE_TEST_SUITE_P(Mode, Semantics, every_mode(), mode_name);

TEST_P(Semantics, LoopWithoutEventsReturnsOne) { EXPECT_EQ(event_base_dispatch(base), 1); }

TEST_P(Semantics, LoopReturnsOneWhenTheLastEventIsDone) {
  int calls = 0;
  Call call{[&](int, short what) { calls += what == EV_TIMEOUT; }};
  event* ev = make(-1, 0, kFree, call);
  const timeval soon = milliseconds(5);
  event_add(ev, &soon);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(calls, 1);
  event_free(ev);
}

TEST_P(Semantics, OnceReturnsZeroAfterOneRoundAndNonblockWithoutWaiting) {
  Pair pair;
  int calls = 0;
  Call call{[&](int, short) { ++calls, pair.drain(); }};
  event* ev = make(pair.fd[0], EV_READ | EV_PERSIST, kFree, call);
  event_add(ev, nullptr);
  EXPECT_EQ(event_base_loop(base, EVLOOP_NONBLOCK), 0);
  EXPECT_EQ(calls, 0);
  pair.send();
  EXPECT_EQ(event_base_loop(base, EVLOOP_ONCE), 0);
  EXPECT_EQ(calls, 1);
  event_free(ev);
}

TEST_P(Semantics, OnceDrainsWhatOnePollFoundBeforeItReturns) {
  std::vector<Pair> pairs(8);
  std::atomic<int> done{0};
  Call call{[&](int fd, short) {
    char byte;
    EXPECT_EQ(read(fd, &byte, 1), 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ++done;
  }};
  std::vector<Call> calls(pairs.size(), call);
  std::vector<event*> events;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].send();
    events.push_back(make(pairs[i].fd[0], EV_READ | EV_PERSIST, kFree, calls[i]));
    event_add(events.back(), nullptr);
  }
  EXPECT_EQ(event_base_loop(base, EVLOOP_ONCE), 0);
  EXPECT_EQ(done, 8);
  for (event* ev : events) event_free(ev);
}

TEST_P(Semantics, OnceMakesTheCallsThatWereDueBeforeItAndReturns) {
  int calls = 0;
  Call call{[&](int, short) { ++calls; }};
  event* due = make(-1, 0, kFree, call);
  event* much_later = make(-1, 0, kFree, call);
  const timeval minutes = milliseconds(600'000);
  event_add(much_later, &minutes);
  event_active(due, EV_READ, 1);
  EXPECT_EQ(event_base_loop(base, EVLOOP_ONCE), 0);
  EXPECT_EQ(calls, 1);
  event_free(due);
  event_free(much_later);
}

TEST_P(Semantics, EnteringTheLoopAgainFromItsOwnCallbackFails) {
  int inner = 0;
  Call call{[&](int, short) { inner = event_base_loop(base, EVLOOP_NONBLOCK); }};
  event* ev = make(-1, 0, kUnknown, call);
  event_active(ev, EV_TIMEOUT, 1);
  event_base_dispatch(base);
  EXPECT_EQ(inner, -1);
  event_free(ev);
}

TEST_P(Semantics, ActivatingAQueuedEventMergesTheReasons) {
  short seen = 0;
  int calls = 0;
  Call call{[&](int, short what) { seen = what, ++calls; }};
  event* ev = make(-1, 0, kFree, call);
  event_active(ev, EV_READ, 1);
  event_active(ev, EV_WRITE, 1);
  EXPECT_EQ(event_pending(ev, EV_READ | EV_WRITE, nullptr), EV_READ | EV_WRITE);
  event_base_dispatch(base);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(seen, EV_READ | EV_WRITE);
  event_free(ev);
}

TEST_P(Semantics, ActivatingARunningEventRunsItOnceMoreAndNeverBesideItself) {
  std::atomic<int> calls{0};
  event* ev = nullptr;
  Call call{[&](int, short) {
    if (++calls > 5) return;
    event_active(ev, EV_READ, 1);
    event_active(ev, EV_READ, 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }};
  ev = make(-1, 0, kFree, call);
  event_active(ev, EV_READ, 1);
  event_base_dispatch(base);
  EXPECT_EQ(calls, 6);
  event_free(ev);
}

TEST_P(Semantics, DeletingFromTheOwnCallbackNeverWaits) {
  Pair pair;
  event* ev = nullptr;
  int calls = 0;
  Call call{[&](int, short) {
    ++calls;
    EXPECT_EQ(event_del(ev), 0);
    EXPECT_EQ(event_del_block(ev), 0);
  }};
  ev = make(pair.fd[0], EV_READ | EV_PERSIST, kFree, call);
  event_add(ev, nullptr);
  pair.send();
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(calls, 1);
  event_free(ev);
}

TEST_P(Semantics, AnEventMayBeFreedInItsOwnCallbackAndItsAddressUsedAgain) {
  Pair pair;
  pair.send();
  int rounds = 0;
  std::function<void()> again;
  event* ev = nullptr;
  Call call{[&](int, short) {
    event_free(ev);
    if (++rounds < 200) again();
  }};
  again = [&] {
    ev = make(pair.fd[0], EV_READ | EV_PERSIST, kAlone, call);
    event_add(ev, nullptr);
  };
  again();
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(rounds, 200);
}

TEST_P(Semantics, AnEventMayBeAssignedAnewInItsOwnCallback) {
  Pair pair;
  pair.send();
  event ev;
  std::vector<int> order;
  Call second{[&](int, short) { order.push_back(2); }};
  Call first{[&](int, short) {
    order.push_back(1);
    event_assign(&ev, base, pair.fd[0], EV_READ, handler(kFree), &second);
    event_add(&ev, nullptr);
  }};
  event_assign(&ev, base, pair.fd[0], EV_READ, handler(kFree), &first);
  event_add(&ev, nullptr);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_P(Semantics, AOneShotMayBeFreedWithoutDeletingIt) {
  Pair pair;
  pair.send();
  for (int i = 0; i < 50; ++i) {
    auto* ev = static_cast<event*>(std::malloc(sizeof(event)));
    Call call{[&](int, short) {
      std::memset(static_cast<void*>(ev), 0xdd, sizeof *ev);
      std::free(ev);
    }};
    event_assign(ev, base, pair.fd[0], EV_READ, handler(kFree), &call);
    event_add(ev, nullptr);
    EXPECT_EQ(event_base_dispatch(base), 1);
  }
}

TEST_P(Semantics, BreakStartsNothingMoreAndKeepsWhatIsQueued) {
  int calls = 0;
  std::vector<Call> what(6, Call{[&](int, short) {
                           if (++calls == 2) event_base_loopbreak(base);
                         }});
  std::vector<event*> events;
  for (Call& call : what) {
    events.push_back(make(-1, 0, kUnknown, call));
    event_active(events.back(), EV_READ, 1);
  }
  EXPECT_EQ(event_base_dispatch(base), 0);
  EXPECT_EQ(calls, 2);
  EXPECT_TRUE(event_base_got_break(base));
  EXPECT_EQ(event_base_get_num_events(base, EVENT_BASE_COUNT_ACTIVE), 4);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(calls, 6);
  for (event* ev : events) event_free(ev);
}

TEST_P(Semantics, ExitMakesTheCallsThatAreDue) {
  std::atomic<int> calls{0};
  std::vector<Call> what(6, Call{[&](int, short) {
                           if (++calls == 2) event_base_loopexit(base, nullptr);
                         }});
  std::vector<event*> events;
  for (Call& call : what) {
    events.push_back(make(-1, 0, kUnknown, call));
    event_active(events.back(), EV_READ, 1);
  }
  EXPECT_EQ(event_base_dispatch(base), 0);
  EXPECT_EQ(calls, 6);
  EXPECT_TRUE(event_base_got_exit(base));
  for (event* ev : events) event_free(ev);
}

TEST_P(Semantics, PersistentTimersGoOnAndCanBeStoppedInTheCallback) {
  int calls = 0;
  event* ev = nullptr;
  Call call{[&](int, short) {
    if (++calls == 4) event_del(ev);
  }};
  ev = make(-1, EV_PERSIST, kFree, call);
  const timeval often = milliseconds(2);
  event_add(ev, &often);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(calls, 4);
  event_free(ev);
}

TEST_P(Semantics, ATimeoutThatIsReadInTimeStartsItsIntervalAnew) {
  Pair pair;
  std::vector<short> seen;
  event* ev = nullptr;
  Call call{[&](int, short what) {
    pair.drain();
    seen.push_back(what);
    if (what & EV_TIMEOUT) event_del(ev);
  }};
  ev = make(pair.fd[0], EV_READ | EV_PERSIST, kFree, call);
  const timeval timeout = milliseconds(60);
  event_add(ev, &timeout);
  pair.send();
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(seen, (std::vector<short>{EV_READ, EV_TIMEOUT}));
  event_free(ev);
}

TEST_P(Semantics, HigherPrioritiesGoFirstAndAreCheckedBetweenCalls) {
  event_base_free(base);
  base = event_base_new();
  ASSERT_EQ(event_base_priority_init(base, 3), 0);
  std::vector<int> order;
  event* urgent = nullptr;
  Call urgent_call{[&](int, short) { order.push_back(0); }};
  Call low_call{[&](int, short) { order.push_back(2); }};
  Call low_call_2{[&](int, short) {
    order.push_back(2);
    event_active(urgent, EV_READ, 1);
  }};
  urgent = make(-1, 0, kAlone, urgent_call);
  event* low = make(-1, 0, kAlone, low_call);
  event* low_2 = make(-1, 0, kAlone, low_call_2);
  event_priority_set(urgent, 0);
  event_priority_set(low, 2);
  event_priority_set(low_2, 2);
  event_active(low_2, EV_READ, 1);
  event_active(low, EV_READ, 1);
  event_active(urgent, EV_READ, 1);
  event_base_dispatch(base);
  EXPECT_EQ(order, (std::vector<int>{0, 2, 0, 2}));
  for (event* ev : {urgent, low, low_2}) event_free(ev);
}

TEST_P(Semantics, EdgesThatComeWhileTheCallbackRunsAreNotLost) {
  Pair pair;
  std::atomic<int> read_bytes{0};
  constexpr int kBytes = 300;
  Call call{[&](int fd, short) {
    // One byte per edge would be a bug of the program; all that is there per edge is the contract.
    char byte;
    while (read(fd, &byte, 1) == 1)
      if (++read_bytes == kBytes) event_base_loopexit(base, nullptr);
    std::this_thread::yield();
  }};
  event* ev = make(pair.fd[0], EV_READ | EV_ET | EV_PERSIST, kFree, call);
  event_add(ev, nullptr);
  std::thread writer([&] {
    for (int i = 0; i < kBytes; ++i) pair.send();
  });
  const timeval patience = milliseconds(20'000);
  event_base_loopexit(base, &patience);
  event_base_dispatch(base);
  writer.join();
  EXPECT_EQ(read_bytes, kBytes);
  event_free(ev);
}

TEST_P(Semantics, APeerThatClosesIsReportedAsClosed) {
  Pair pair;
  short seen = 0;
  Call call{[&](int, short what) { seen = what; }};
  event* ev = make(pair.fd[0], EV_CLOSED, kFree, call);
  event_add(ev, nullptr);
  close(std::exchange(pair.fd[1], -1));
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(seen, EV_CLOSED);
  event_free(ev);
}

TEST_P(Semantics, AFinaliserRunsAfterTheCallThatAskedForIt) {
  static std::vector<int> order;
  order.clear();
  Pair pair;
  pair.send();
  event* ev = nullptr;
  Call call{[&](int, short) {
    event_free_finalize(0, ev, [](event*, void*) { order.push_back(2); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    order.push_back(1);
  }};
  ev = make(pair.fd[0], EV_READ | EV_PERSIST | EV_FINALIZE, kFree, call);
  event_add(ev, nullptr);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_P(Semantics, FreeingTheBaseRunsFinalisersThatAreDue) {
  static int finalised;
  finalised = 0;
  Call call;
  event_free_finalize(0, make(-1, 0, kFree, call), [](event*, void*) { ++finalised; });
  event_base_free(std::exchange(base, nullptr));
  EXPECT_EQ(finalised, 1);
}

TEST_P(Semantics, OnceEventsAreCalledInOrderAndFreeThemselves) {
  std::vector<int> order;
  Call first{[&](int, short what) { order.push_back(what == EV_TIMEOUT ? 1 : 0); }};
  Call second{[&](int, short) { order.push_back(2); }};
  const timeval soon = milliseconds(3);
  event_base_once(base, -1, EV_TIMEOUT, handler(kAlone), &second, &soon);
  event_base_once(base, -1, EV_TIMEOUT, handler(kAlone), &first, nullptr);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_EQ(event_base_once(base, 1, EV_READ | EV_PERSIST, handler(kAlone), &first, nullptr), -1);
}

TEST_P(Semantics, AFileIsAlwaysReadyForAProgramThatWantsPoll) {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  Call never{[](int, short) { ADD_FAILURE(); }};
  event* refused = make(null, EV_READ, kFree, never);
  EXPECT_EQ(event_add(refused, nullptr), -1) << "epoll takes no files";
  event_free(refused);

  event_config* config = event_config_new();
  event_config_avoid_method(config, "epoll");
  event_base* polling = event_base_new_with_config(config);
  event_config_free(config);
  ASSERT_STREQ(event_base_get_method(polling), "poll");
  int reads = 0;
  int writes = 0;
  event* reader = nullptr;
  Call read_often{[&](int, short what) {
    EXPECT_EQ(what, EV_READ);
    if (++reads == 3) event_del(reader);
  }};
  reader = event_new(polling, null, EV_READ | EV_PERSIST, handler(kFree), &read_often);
  Call write_once{[&](int, short what) { writes += what == EV_WRITE; }};
  event* writer = event_new(polling, null, EV_WRITE, handler(kAlone), &write_once);
  event_add(reader, nullptr);
  event_add(writer, nullptr);
  EXPECT_EQ(event_base_dispatch(polling), 1);
  EXPECT_EQ(reads, 3);
  EXPECT_EQ(writes, 1);

  // The same number stands for a socket now, which has nothing to read.
  Pair pair;
  ASSERT_EQ(dup3(pair.fd[0], null, O_CLOEXEC), null);
  Call late{[&](int, short what) { EXPECT_EQ(what, EV_TIMEOUT); }};
  event* waiting = event_new(polling, null, EV_READ, handler(kFree), &late);
  const timeval soon = milliseconds(5);
  event_add(waiting, &soon);
  EXPECT_EQ(event_base_dispatch(polling), 1);
  for (event* ev : {reader, writer, waiting}) event_free(ev);
  event_base_free(polling);
  close(null);
}

// What was reported last of the number's old descriptor, and was good for one report, is still known to epoll.
TEST_P(Semantics, AFileWithTheNumberOfASocketThatWasReportedIsReadyToo) {
  event_config* config = event_config_new();
  event_config_avoid_method(config, "epoll");
  event_base* polling = event_base_new_with_config(config);
  event_config_free(config);
  Pair pair;
  const int number = dup(pair.fd[0]);
  int reads = 0;
  Call read_once{[&](int, short) { ++reads; }};
  event* reader = event_new(polling, number, EV_READ, handler(kFree), &read_once);
  event_add(reader, nullptr);
  ASSERT_EQ(write(pair.fd[1], "x", 1), 1);
  EXPECT_EQ(event_base_dispatch(polling), 1);
  event_free(reader);

  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  ASSERT_EQ(dup3(null, number, O_CLOEXEC), number);
  int writes = 0;
  Call write_once{[&](int, short what) { writes += what == EV_WRITE; }};
  event* writer = event_new(polling, number, EV_WRITE, handler(kFree), &write_once);
  EXPECT_EQ(event_add(writer, nullptr), 0);
  EXPECT_EQ(event_base_dispatch(polling), 1);
  EXPECT_EQ(reads, 1);
  EXPECT_EQ(writes, 1);
  event_free(writer);
  event_base_free(polling);
  close(number);
  close(null);
}

TEST_P(Semantics, CommonTimeoutsLeaveInTheOrderOfTheirArrival) {
  const timeval plain = milliseconds(4);
  const timeval* common = event_base_init_common_timeout(base, &plain);
  EXPECT_EQ(common, event_base_init_common_timeout(base, &plain));
  std::vector<int> order;
  std::vector<Call> calls;
  calls.reserve(20);
  for (int i = 0; i < 20; ++i) calls.push_back({[&order, i](int, short) { order.push_back(i); }});
  std::vector<event*> events;
  events.reserve(calls.size());
  for (Call& call : calls) {
    events.push_back(make(-1, 0, kAlone, call));
    event_add(events.back(), common);
  }
  EXPECT_EQ(event_base_dispatch(base), 1);
  ASSERT_EQ(order.size(), 20U);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  for (event* ev : events) event_free(ev);
}

base::Nanoseconds time_of(event_base* base) {
  timeval time{};
  EXPECT_EQ(event_gettime_monotonic(base, &time), 0);
  return to_nanoseconds(time);
}

// evutil_configure_monotonic_time_() of libevent.
TEST_P(Semantics, TheClockIsTheOneThatLibeventAsks) {
  const auto whole = [](base::Nanoseconds time) { return time / 1000 * 1000; };  // microseconds
  const auto lies_between = [&](event_base* of, clockid_t clock) {
    const base::Nanoseconds before = whole(base::clock_now_ns(clock));
    const base::Nanoseconds time = time_of(of);
    EXPECT_GE(time, before);
    EXPECT_LE(time, whole(base::clock_now_ns(clock)));
  };
  event_config* const config = event_config_new();
  event_config_set_flag(config, EVENT_BASE_FLAG_PRECISE_TIMER);
  event_base* const precise = event_base_new_with_config(config);
  event_config_free(config);
  for (int i = 0; i < 20; ++i) {
    if (!parallel()) lies_between(base, CLOCK_MONOTONIC_COARSE);
    lies_between(precise, CLOCK_MONOTONIC);
    std::this_thread::sleep_for(std::chrono::microseconds(700));
  }
  event_base_free(precise);
}

TEST_P(Semantics, TimeDoesNotGoBackWhoeverRunsTheLoop) {
  Pair pair;
  base::Nanoseconds last = time_of(base);
  const base::Nanoseconds end = last + 100'000'000;
  event* ev = nullptr;
  Call call{[&](int, short) {
    const base::Nanoseconds time = time_of(base);
    EXPECT_GE(time, last);
    last = time;
    if (time > end) event_del(ev);
  }};
  ev = make(pair.fd[0], EV_READ | EV_PERSIST, kAlone, call);
  event_add(ev, nullptr);
  pair.send();
  EXPECT_EQ(event_base_dispatch(base), 1);
  event_free(ev);
}

TEST_P(Semantics, ATimeoutEndsNoEarlierThanTheClockSays) {
  base::Nanoseconds ended = 0;
  Call call{[&](int, short) { ended = time_of(base); }};
  event* const ev = make(-1, 0, kFree, call);
  for (const int length_us : {1, 500, 999, 1000, 1001, 3000, 4000, 7500}) {
    const timeval length{0, length_us};
    const base::Nanoseconds began = time_of(base);
    event_add(ev, &length);
    EXPECT_EQ(event_base_dispatch(base), 1);
    EXPECT_GE(ended, began + length_us * base::Nanoseconds{1000});
    EXPECT_LT(ended, began + 1'000'000'000);
  }
  event_free(ev);
}

}  // namespace
}  // namespace heddle::multivent
