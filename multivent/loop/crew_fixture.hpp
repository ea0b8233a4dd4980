// For tests of the parallel core: a process configured with handlers whose constraints are known.
//
// Each handler takes a Call as its argument and does what that says, so a test is written as lambdas; which handler
// carries a lambda says what it may run beside. The oracle here is part of the handlers, and independent of admission:
// each counts who is inside and notes any overlap that its constraints forbid.
#pragma once

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/dns.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include "multivent/calls/watcher_fields.hpp"
#include "multivent/process/runtime.hpp"
#include "multivent/program/constraints_file.hpp"
#include "multivent/program/symbols.hpp"

// ThreadSanitizer has a thread of its own that wakes up, and cannot start threads in a child of a process with several.
#if defined(__SANITIZE_THREAD__)
#define HEDDLE_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HEDDLE_UNDER_TSAN 1
#endif
#endif
#ifndef HEDDLE_UNDER_TSAN
#define HEDDLE_UNDER_TSAN 0
#endif

namespace heddle::multivent::testing_support {

// The handlers of the test program, in the order of their classes.
enum Kind : std::uint8_t {
  kFree,
  kSession,
  kAlone,
  kLate,
  kPinned,
  kUnknown
};  // conflicts: none; with its own session; with itself; with itself and kAlone, behind late points; none, but only
    // the thread that entered the loop may run it; with everything

// The same for functions that libevent's other parts call, by their types. They conflict with their own kind, whichever
// of them they are, and with nothing else.
struct Callbacks {
  bufferevent_data_cb data;
  bufferevent_event_cb event;
  evconnlistener_cb accept;
  void (*request)(evhttp_request*, void*);
  void (*close)(evhttp_connection*, void*);
  evdns_callback_type answer;
  evdns_getaddrinfo_cb address;
  bufferevent* (*carrier)(event_base*, void*);
};

struct Call {
  std::function<void(evutil_socket_t, short)> run;
  // What the call does as the callback of a bufferevent, listener, request, connection or question, whose object
  // it is given (of a question: the addresses); `what` is 0 for data, the socket for a listener, a question's error.
  std::function<void(void* object, int what)> run_for = {};
};

// Who is inside now, and whether that was ever against the constraints.
class Oracle {
 public:
  void enter(Kind kind, const void* session);
  void leave(Kind kind, const void* session);
  int most() const { return most_; }
  int violations() const { return violations_; }
  void reset();

 private:
  std::mutex mutex_;  // guards the rest
  std::multiset<std::pair<Kind, const void*>> inside_;
  int most_ = 0;
  int violations_ = 0;
};
Oracle& oracle();

// The function to register for `kind`.
event_callback_fn handler(Kind kind);
Callbacks callbacks(Kind kind);
// The same for watchers of libev, whose `data` is a Call: its run_for() gets the watcher and what happened.
using WatcherFunction = void (*)(ev_loop*, void*, int);
WatcherFunction watcher_function(Kind kind);
// Passes everything on, and conflicts with nothing.
bufferevent_filter_cb filter();

// From here on bases are run by that many threads with the constraints above; 1 is a serial run. `in_turn`: by a crew
// and by one thread alone in turn.
void configure(Threads threads, scheduler::Promotion promotion = scheduler::Promotion::kAdaptive, bool in_turn = false);
inline void configure(unsigned threads, scheduler::Promotion promotion = scheduler::Promotion::kAdaptive,
                      bool in_turn = false) {
  configure(Threads::exactly(threads), promotion, in_turn);
}

inline timeval milliseconds(int ms) { return {ms / 1000, ms % 1000 * 1000L}; }

// A connected pair of non-blocking sockets.
struct Pair {
  Pair();
  ~Pair();
  void send(char byte = 'x') const;  // waits while the socket is full
  void drain() const;
  int fd[2];
};

// Waits for something another thread will do; fails the test if that takes absurdly long.
template <class Condition>
bool eventually(Condition&& condition) {
  for (int i = 0; i < 20'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ADD_FAILURE() << "waited for 20 s in vain";
  return false;
}

// A way to run a base. Tests run under each of them, and what libevent promises must hold under all.
struct WayToRun {
  const char* name;
  unsigned threads;
  scheduler::Promotion promotion;
  bool in_turn = false;
};

class InEveryMode : public ::testing::TestWithParam<WayToRun> {
 protected:
  void SetUp() override {
    configure(GetParam().threads, GetParam().promotion, GetParam().in_turn);
    oracle().reset();
    base = event_base_new();
    ASSERT_NE(base, nullptr);
  }
  void TearDown() override {
    if (base != nullptr) event_base_free(base);
    EXPECT_EQ(oracle().violations(), 0);
  }
  event* make(int fd, short what, Kind kind, Call& call) { return event_new(base, fd, what, handler(kind), &call); }
  bool parallel() const { return GetParam().threads > 1; }

  event_base* base = nullptr;
};

inline auto every_mode() {
  return ::testing::Values(
      WayToRun{"Serial", 1, scheduler::Promotion::kAdaptive}, WayToRun{"Adaptive", 3, scheduler::Promotion::kAdaptive},
      WayToRun{"Shared", 3, scheduler::Promotion::kShared}, WayToRun{"Forced", 3, scheduler::Promotion::kAlways},
      WayToRun{"InTurn", 3, scheduler::Promotion::kAdaptive, true});
}
inline auto parallel_modes() {
  return ::testing::Values(WayToRun{"Adaptive", 3, scheduler::Promotion::kAdaptive},
                           WayToRun{"Shared", 3, scheduler::Promotion::kShared},
                           WayToRun{"Forced", 3, scheduler::Promotion::kAlways});
}
inline std::string mode_name(const ::testing::TestParamInfo<WayToRun>& info) { return info.param.name; }

}  // namespace heddle::multivent::testing_support
