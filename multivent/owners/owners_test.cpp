// Callbacks of bufferevents and listeners run beside each other where their constraints allow it, and never at once for
// one bufferevent, pair or chain of filters, which libevent gives no lock.
#include <arpa/inet.h>
#include <event2/thread.h>
#include <netinet/in.h>

#include <cstring>
#include <list>

#include "multivent/loop/base.hpp"
#include "multivent/loop/crew_fixture.hpp"

namespace heddle::multivent {
namespace {

using namespace testing_support;

class CallbacksOfLibevent : public InEveryMode {
 protected:
  void TearDown() override {
    for (bufferevent* object : made_) bufferevent_free(object);
    event_base_loop(base, EVLOOP_NONBLOCK);
    InEveryMode::TearDown();
  }

  bufferevent* keep(bufferevent* object) {
    EXPECT_NE(object, nullptr);
    made_.push_back(object);
    return object;
  }

  // Reads from the pair's first end, and calls `call` as a handler of `kind`.
  bufferevent* reader(const Pair& pair, Kind kind, Call& call) {
    bufferevent* const object = keep(bufferevent_socket_new(base, pair.fd[0], 0));
    set(object, kind, call);
    return object;
  }
  static void set(bufferevent* object, Kind kind, Call& call) {
    const Callbacks functions = callbacks(kind);
    bufferevent_setcb(object, functions.data, nullptr, functions.event, &call);
    bufferevent_enable(object, EV_READ);
  }

  // A call that waits inside until another one is inside too.
  Call meets() {
    return {nullptr, [this](void* object, int) {
              drain(object);
              ++inside_;
              eventually([&] { return inside_ >= 2; });
            }};
  }
  // A call that fails the test if another one is inside at the same time.
  Call keeps_apart() {
    return {nullptr, [this](void* object, int) {
              drain(object);
              EXPECT_EQ(++inside_, 1);
              std::this_thread::sleep_for(std::chrono::milliseconds(10));
              --inside_;
              ++calls_;
            }};
  }
  static void drain(void* object) {
    evbuffer* const input = bufferevent_get_input(static_cast<bufferevent*>(object));
    evbuffer_drain(input, evbuffer_get_length(input));
  }
  // Runs the loop until there is nothing to do for a while.
  void run() {
    const timeval quiet = milliseconds(200);
    event_base_loopexit(base, &quiet);
    event_base_dispatch(base);
  }

  std::atomic<int> inside_{0};
  std::atomic<int> calls_{0};

 private:
  std::vector<bufferevent*> made_;
};
INSTANTIATE_TEST_SUITE_P(Mode, CallbacksOfLibevent, parallel_modes(), mode_name);

TEST_P(CallbacksOfLibevent, TwoBuffereventsOfDifferentSessionsRunAtOnce) {
  Pair pairs[2];
  Call calls[2] = {meets(), meets()};
  for (int i = 0; i < 2; ++i) reader(pairs[i], kSession, calls[i]);
  for (const Pair& pair : pairs) pair.send();
  run();
  EXPECT_EQ(inside_, 2);
  EXPECT_EQ(oracle().most(), 2);
}

TEST_P(CallbacksOfLibevent, TwoBuffereventsOfOneSessionTakeTurns) {
  Pair pairs[2];
  Call call = keeps_apart();
  for (const Pair& pair : pairs) reader(pair, kSession, call);
  for (const Pair& pair : pairs) pair.send();
  run();
  EXPECT_EQ(calls_, 2);
}

TEST_P(CallbacksOfLibevent, OneUnknownCallbackOfABuffereventMakesItRunAlone) {
  Pair pairs[2];
  Call calls[2] = {keeps_apart(), keeps_apart()};
  reader(pairs[0], kFree, calls[0]);
  bufferevent* const other = reader(pairs[1], kFree, calls[1]);
  other->errorcb = callbacks(kUnknown).event;
  for (const Pair& pair : pairs) pair.send();
  run();
  EXPECT_EQ(calls_, 2);
}

TEST_P(CallbacksOfLibevent, CallbacksStoredIntoTheFieldsCountAsThoseThatAreSet) {
  Pair pairs[2];
  Call calls[2] = {meets(), meets()};
  for (int i = 0; i < 2; ++i) {
    bufferevent* const object = keep(bufferevent_socket_new(base, pairs[i].fd[0], 0));
    object->readcb = callbacks(kSession).data;
    object->cbarg = &calls[i];
    bufferevent_enable(object, EV_READ);
    pairs[i].send();
  }
  run();
  EXPECT_EQ(inside_, 2);
}

TEST_P(CallbacksOfLibevent, ReadingAndWritingOneBuffereventTakeTurns) {
  Pair pair;
  Call call = keeps_apart();
  bufferevent* const object = keep(bufferevent_socket_new(base, pair.fd[0], 0));
  const Callbacks functions = callbacks(kFree);
  bufferevent_setcb(object, functions.data, functions.data, functions.event, &call);
  bufferevent_enable(object, EV_READ | EV_WRITE);
  pair.send();
  bufferevent_write(object, "x", 1);
  run();
  EXPECT_EQ(calls_, 2);
}

TEST_P(CallbacksOfLibevent, DeferredCallbacksOfTwoBuffereventsRunAtOnce) {
  evthread_use_pthreads();
  for (const int options : {BEV_OPT_DEFER_CALLBACKS | 0, BEV_OPT_DEFER_CALLBACKS | BEV_OPT_THREADSAFE,
                            BEV_OPT_DEFER_CALLBACKS | BEV_OPT_THREADSAFE | BEV_OPT_UNLOCK_CALLBACKS}) {
    inside_ = 0;
    Pair pairs[2];
    Call calls[2] = {meets(), meets()};
    bufferevent* objects[2];
    for (int i = 0; i < 2; ++i) {
      objects[i] = bufferevent_socket_new(base, pairs[i].fd[0], options);
      set(objects[i], kSession, calls[i]);
      pairs[i].send();
    }
    run();
    EXPECT_EQ(inside_, 2) << options;
    for (bufferevent* object : objects) bufferevent_free(object);
    event_base_loop(base, EVLOOP_NONBLOCK);
  }
}

TEST_P(CallbacksOfLibevent, TheEndsOfAPairTakeTurnsAndTwoPairsDoNot) {
  bufferevent* ends[2][2];
  Call calls[2][2];
  std::atomic<int> busy[2] = {0, 0};
  std::atomic<bool> met{false};
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(bufferevent_pair_new(base, 0, ends[i]), 0);
    for (int end = 0; end < 2; ++end) {
      calls[i][end].run_for = [&, i](void* object, int) {
        drain(object);
        EXPECT_EQ(++busy[i], 1);
        for (int tries = 0; tries < 200 && !met; ++tries) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          if (busy[1 - i] != 0) met = true;
        }
        --busy[i];
        ++calls_;
      };
      set(keep(ends[i][end]), kFree, calls[i][end]);
    }
  }
  for (auto& pair : ends)
    for (bufferevent* end : pair) bufferevent_write(end, "x", 1);
  run();
  EXPECT_EQ(calls_, 4);
  EXPECT_TRUE(met);
}

TEST_P(CallbacksOfLibevent, ChainsOfFiltersRunAtOnceAndTheirPartsTakeTurns) {
  Pair pairs[2];
  Call calls[2] = {meets(), meets()};
  for (int i = 0; i < 2; ++i) {
    bufferevent* const below = bufferevent_socket_new(base, pairs[i].fd[0], 0);
    bufferevent* const middle =
        bufferevent_filter_new(below, filter(), filter(), BEV_OPT_CLOSE_ON_FREE, nullptr, nullptr);
    set(keep(bufferevent_filter_new(middle, filter(), nullptr, BEV_OPT_CLOSE_ON_FREE, nullptr, nullptr)), kSession,
        calls[i]);
    pairs[i].send();
  }
  run();
  EXPECT_EQ(inside_, 2);
}

TEST_P(CallbacksOfLibevent, MembersOfARateLimitGroupRunAlone) {
  const timeval tick = milliseconds(100);
  ev_token_bucket_cfg* const limit = ev_token_bucket_cfg_new(1000, 1000, 1000, 1000, &tick);
  bufferevent_rate_limit_group* const group = bufferevent_rate_limit_group_new(base, limit);
  Pair pairs[2];
  Call calls[2] = {keeps_apart(), keeps_apart()};
  bufferevent* members[2];
  for (int i = 0; i < 2; ++i) {
    members[i] = reader(pairs[i], kFree, calls[i]);
    bufferevent_add_to_rate_limit_group(members[i], group);
    pairs[i].send();
  }
  const timeval quiet = milliseconds(200);
  event_base_loopexit(base, &quiet);
  event_base_dispatch(base);
  EXPECT_EQ(calls_, 2);
  for (bufferevent* member : members) bufferevent_remove_from_rate_limit_group(member);
  bufferevent_rate_limit_group_free(group);
  ev_token_bucket_cfg_free(limit);
  event_base_loop(base, EVLOOP_NONBLOCK);
}

TEST_P(CallbacksOfLibevent, CallbacksThatChangeWhileTheCallWaitsAreTheOnesThatCount) {
  Pair pairs[2];
  std::atomic<bool> changed{false};
  Call first;
  Call then = keeps_apart();
  bufferevent* const object = reader(pairs[0], kSession, first);
  // This call is of the session of `first`, so what becomes due for the bufferevent meanwhile waits for it, and is then
  // a call of `then`.
  first.run = [&](int, short) {
    pairs[0].send();
    pairs[1].send();
    eventually([&] { return inside_ == 1; });
    set(object, kAlone, then);
    changed = true;
  };
  event* changes = make(-1, 0, kSession, first);
  Call other{nullptr, [&](void* own, int) {
               drain(own);
               EXPECT_EQ(++inside_, 1);
               eventually([&] { return changed.load(); });
               std::this_thread::sleep_for(std::chrono::milliseconds(20));
               --inside_;
               ++calls_;
             }};
  reader(pairs[1], kAlone, other);
  event_active(changes, EV_READ, 1);
  run();
  EXPECT_EQ(calls_, 2);
  event_free(changes);
}

TEST_P(CallbacksOfLibevent, ABuffereventIsFreedBesideALongCallbackOfAnother) {
  Pair pairs[2];
  std::atomic<bool> freed{false};
  Call slow{nullptr, [&](void* object, int) {
              drain(object);
              eventually([&] { return freed.load(); });
            }};
  Call ends{nullptr, [](void* object, int) { bufferevent_free(static_cast<bufferevent*>(object)); }};
  reader(pairs[0], kSession, slow);
  bufferevent* const other = bufferevent_socket_new(base, pairs[1].fd[0], 0);
  set(other, kSession, ends);
  bufferevent_disable(other, EV_WRITE);
  evbuffer_add_reference(
      bufferevent_get_output(other), "x", 1,
      [](const void*, std::size_t, void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }, &freed);
  for (const Pair& pair : pairs) pair.send();
  run();
  EXPECT_TRUE(freed);
}

TEST_P(CallbacksOfLibevent, WhoMakesABuffereventIsDoneWithItBeforeItsFirstCallback) {
  Pair pair;
  std::atomic<bool> made{false};
  Call call{nullptr, [&](void* object, int) {
              drain(object);
              EXPECT_TRUE(made);
              ++calls_;
            }};
  Call maker{[&](int, short) {
    pair.send();
    reader(pair, kFree, call);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    made = true;
  }};
  event* makes = make(-1, 0, kFree, maker);
  event_active(makes, EV_READ, 1);
  run();
  EXPECT_EQ(calls_, 1);
  event_free(makes);
}

// libevent lets a server's connection have the loop before it says what the connection is for.
TEST_P(CallbacksOfLibevent, WhatIsReportedOfAnUnfinishedBuffereventWaitsForItsMakerOnly) {
  Pair pair;
  Call call{nullptr, [&](void* object, int) {
              drain(object);
              ++calls_;
              // Not by a time that is set beforehand: the loop's end conflicts with everything, and where it becomes
              // due before this call, `waits` and it would wait for each other.
              const timeval quiet = milliseconds(50);
              event_base_loopexit(base, &quiet);
            }};
  Call waits{[&](int, short) {
    if (!eventually([&] { return calls_ == 1; })) event_base_loopbreak(base);
  }};
  Call maker{[&](int, short) {
    pair.send();
    bufferevent* const object = keep(bufferevent_socket_new(base, pair.fd[0], 0));
    bufferevent_enable(object, EV_READ);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_EQ(calls_, 0);
    set(object, kFree, call);
  }};
  event* events[] = {make(-1, 0, kFree, waits), make(-1, 0, kFree, maker)};
  for (event* ev : events) event_active(ev, EV_READ, 1);
  event_base_dispatch(base);
  EXPECT_EQ(calls_, 1);
  for (event* ev : events) event_free(ev);
}

struct Listening {
  Listening(event_base* base, Kind kind, Call& call) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = evconnlistener_new_bind(base, callbacks(kind).accept, &call, LEV_OPT_CLOSE_ON_FREE, -1,
                                       reinterpret_cast<sockaddr*>(&address), sizeof address);
    EXPECT_NE(listener, nullptr);
    socklen_t length = sizeof address;
    getsockname(evconnlistener_get_fd(listener), reinterpret_cast<sockaddr*>(&address), &length);
    client = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~Listening() {
    evconnlistener_free(listener);
    close(client);
  }
  evconnlistener* listener;
  int client;
};

// Filters over TLS do, with no lock of libevent's.
TEST_P(CallbacksOfLibevent, EventsAreAskedWhetherTheyAreAssignedWhileOthersAddThem) {
  std::atomic<bool> begun{false};
  std::atomic<bool> done{false};
  Call nothing{[](int, short) {}};
  event* const changes = make(-1, 0, kFree, nothing);
  Call asks{[&](int, short) {
    begun = true;
    while (!done) EXPECT_TRUE(event_initialized(changes));
  }};
  Call adds{[&](int, short) {
    eventually([&] { return begun.load(); });
    const timeval later{60, 0};
    for (int i = 0; i < 1000; ++i) {
      event_add(changes, &later);
      event_del(changes);
    }
    done = true;
  }};
  event* const events[] = {make(-1, 0, kFree, asks), make(-1, 0, kFree, adds)};
  for (event* ev : events) event_active(ev, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  for (event* ev : events) event_free(ev);
  event_free(changes);
}

TEST_P(CallbacksOfLibevent, TwoListenersAcceptAtOnceIfTheirCallbacksMay) {
  Call call{nullptr, [&](void*, int fd) {
              close(fd);
              ++inside_;
              eventually([&] { return inside_ >= 2; });
            }};
  Call calls[2] = {call, call};
  Listening one(base, kSession, calls[0]);
  Listening other(base, kSession, calls[1]);
  run();
  EXPECT_EQ(inside_, 2);
}

TEST_P(CallbacksOfLibevent, TwoListenersOfOneSessionTakeTurns) {
  Call call{nullptr, [&](void*, int fd) {
              close(fd);
              EXPECT_EQ(++inside_, 1);
              std::this_thread::sleep_for(std::chrono::milliseconds(10));
              --inside_;
              ++calls_;
            }};
  Listening one(base, kSession, call);
  Listening other(base, kSession, call);
  run();
  EXPECT_EQ(calls_, 2);
}

}  // namespace
}  // namespace heddle::multivent
