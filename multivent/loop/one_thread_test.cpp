// A loop begins in a process of one thread, whose mutexes cost nothing (base/quick_mutex.hpp), and threads appear
// later: in a handler, in a function that looks at the events, before libevent is told of threads or after.
//
// Each test is a child of fork(), which has one thread.
#include <event2/thread.h>
#include <gtest/gtest.h>
#include <sys/single_threaded.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "multivent/libevent/abi.hpp"

namespace heddle::multivent {
namespace {

// ThreadSanitizer has a thread of its own.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HEDDLE_HAS_ANOTHER_THREAD
#endif
#endif
#ifdef HEDDLE_HAS_ANOTHER_THREAD
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

constexpr int kTimes = 2'000;

struct Shared {
  event_base* base = nullptr;
  event* counted = nullptr;  // made active by the other thread
  event* tick = nullptr;
  event* guard = nullptr;
  std::thread other;
  int calls = 0;
};

// What another thread of a program does with a base: activates, adds and deletes events, asks, and ends the loop.
void work(Shared& shared) {
  const timeval soon{0, 1};
  for (int i = 0; i < kTimes; ++i) {
    event_active(shared.counted, EV_READ, 1);
    event_add(shared.guard, &soon);
    event_del(shared.guard);
    event_base_get_num_events(shared.base, EVENT_BASE_COUNT_ADDED);
  }
  event_base_loopexit(shared.base, nullptr);
}

void on_counted(evutil_socket_t, short, void* shared) { ++static_cast<Shared*>(shared)->calls; }
void on_guard(evutil_socket_t, short, void*) {}

void on_tick(evutil_socket_t, short, void* argument) {
  auto& shared = *static_cast<Shared*>(argument);
  const timeval soon{0, 100};
  event_add(shared.tick, &soon);
}

void start_thread(Shared& shared) {
  if (!shared.other.joinable()) shared.other = std::thread([&shared] { work(shared); });
}

void on_first(evutil_socket_t, short, void* shared) { start_thread(*static_cast<Shared*>(shared)); }

void on_first_tells_libevent(evutil_socket_t, short, void* shared) {
  evthread_use_pthreads();
  start_thread(*static_cast<Shared*>(shared));
}

int on_look(const event_base*, const event*, void* shared) {
  start_thread(*static_cast<Shared*>(shared));
  usleep(1'000);  // the other thread finds the base's mutex taken
  return 0;
}

void on_first_looks(evutil_socket_t, short, void* shared) {
  event_base_foreach_event(static_cast<Shared*>(shared)->base, on_look, shared);
}

// Whether a loop in which `first` starts a thread calls what that makes due, and ends when it says so.
bool goes_well(event_callback_fn first) {
  if (!__libc_single_threaded && !kSanitized) return false;
  Shared shared;
  shared.base = event_base_new();
  shared.counted = event_new(shared.base, -1, EV_PERSIST, on_counted, &shared);
  shared.guard = event_new(shared.base, -1, 0, on_guard, &shared);
  shared.tick = event_new(shared.base, -1, 0, on_tick, &shared);
  const timeval soon{0, 100};
  event_add(shared.tick, &soon);
  event_base_once(shared.base, -1, EV_TIMEOUT, first, &shared, nullptr);
  const int result = event_base_loop(shared.base, EVLOOP_NO_EXIT_ON_EMPTY);
  shared.other.join();
  const bool called = shared.calls > 0;
  for (event* each : {shared.counted, shared.guard, shared.tick}) event_free(each);
  event_base_free(shared.base);
  return result == 0 && called;
}

int in_child(event_callback_fn first) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(goes_well(first) ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(OneThread, AHandlerMayStartAThreadThatUsesTheBase) { EXPECT_EQ(in_child(on_first), 0); }

TEST(OneThread, LibeventMayBeToldOfThreadsAfterTheBaseWasMade) { EXPECT_EQ(in_child(on_first_tells_libevent), 0); }

TEST(OneThread, AFunctionThatLooksAtTheEventsMayStartOne) { EXPECT_EQ(in_child(on_first_looks), 0); }

}  // namespace
}  // namespace heddle::multivent
