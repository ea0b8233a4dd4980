// Events outlive their base: programs free the base with work left in it, and what they had there afterwards. libevent
// then deletes nothing, and returns.
#include <csignal>
#include <cstdlib>
#include <vector>

#include "multivent/libevent/abi.hpp"
#include "multivent/loop/crew_fixture.hpp"

namespace heddle::multivent {
namespace {

using namespace testing_support;

class FreedBases : public InEveryMode {
 protected:
  // One of each kind that a base holds on to; none of them is ever called.
  void make_all() {
    const timeval later = milliseconds(60'000);
    const timeval* const common = event_base_init_common_timeout(base, &later);
    add(make(pair_.fd[0], EV_READ, kFree, call_), nullptr);
    add(make(pair_.fd[1], EV_READ | EV_PERSIST, kSession, call_), &later);
    add(make(SIGUSR1, EV_SIGNAL | EV_PERSIST, kFree, call_), nullptr);
    add(make(-1, 0, kUnknown, call_), &later);
    add(make(-1, EV_PERSIST, kAlone, call_), common);
    add(make(-1, 0, kAlone, call_), common);
    events.push_back(make(-1, 0, kFree, call_));  // never added
    events.push_back(make(-1, 0, kFree, call_));
    event_active(events.back(), EV_READ, 1);
    events.push_back(make(-1, 0, kUnknown, call_));
    event_active_later_(events.back(), EV_READ);
    event_base_once(base, -1, EV_TIMEOUT, handler(kFree), &call_, &later);
    event_base_once(base, -1, EV_TIMEOUT, handler(kFree), &call_, nullptr);
  }

  void free_base() {
    event_base_free(base);
    base = nullptr;
  }

  std::vector<event*> events;

 private:
  void add(event* ev, const timeval* timeout) {
    EXPECT_EQ(event_add(ev, timeout), 0);
    events.push_back(ev);
  }

  Pair pair_;
  Call call_{[](int, short) { ADD_FAILURE() << "no loop ran"; }};
};
INSTANTIATE_TEST_SUITE_P(Mode, FreedBases, every_mode(), mode_name);

TEST_P(FreedBases, EventsMayBeFreedBeforeTheirBase) {
  make_all();
  for (event* ev : events) event_free(ev);
  free_base();
}

TEST_P(FreedBases, EventsMayBeFreedAfterTheirBase) {
  make_all();
  free_base();
  for (event* ev : events) event_free(ev);
}

TEST_P(FreedBases, EventsMayBeDeletedAndAskedAfterTheirBase) {
  make_all();
  event_base* const was = base;
  free_base();
  for (event* ev : events) {
    EXPECT_EQ(event_pending(ev, EV_READ | EV_TIMEOUT | EV_SIGNAL, nullptr), 0);
    EXPECT_EQ(event_get_base(ev), was);
    EXPECT_EQ(event_del(ev), 0);
    EXPECT_EQ(event_del_noblock(ev), 0);
    EXPECT_EQ(event_del_block(ev), 0);
    EXPECT_EQ(event_remove_timer(ev), 0);
    event_free(ev);
  }
}

TEST_P(FreedBases, EventsOfAFreedBaseAreNothingToTheNextOne) {
  make_all();
  free_base();
  base = event_base_new();
  int calls = 0;
  Call call{[&](int, short) { ++calls; }};
  event* ev = make(-1, 0, kFree, call);
  event_active(ev, EV_READ, 1);
  for (event* old : events) event_free(old);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(calls, 1);
  event_base_assert_ok_(base);
  event_free(ev);
}

TEST_P(FreedBases, AnEventOfAFreedBaseMayBeGivenToAnother) {
  int calls = 0;
  Call call{[&](int, short) { ++calls; }};
  event* ev = make(-1, 0, kFree, call);
  event_active(ev, EV_READ, 1);
  event_base* const other = event_base_new();
  free_base();
  EXPECT_EQ(event_base_set(other, ev), 0);
  event_active(ev, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(other), 1);
  EXPECT_EQ(calls, 1);
  event_free(ev);
  event_base_free(other);
}

TEST_P(FreedBases, GiveBackWhatTheProgramsAllocatorGaveThem) {
  static std::size_t blocks;
  blocks = 0;
  event_set_mem_functions(
      [](std::size_t size) {
        ++blocks;
        return std::malloc(size);
      },
      [](void* old, std::size_t size) { return std::realloc(old, size); },
      [](void* block) {
        blocks -= block != nullptr ? 1 : 0;
        std::free(block);
      });
  event_base* const own = event_base_new();
  event* const ev = event_new(own, -1, EV_TIMEOUT, handler(kFree), nullptr);
  EXPECT_GT(blocks, 0U);
  event_free(ev);
  event_base_free(own);
  event_set_mem_functions(nullptr, nullptr, nullptr);
  EXPECT_EQ(blocks, 0U);
}

TEST_P(FreedBases, AListenerMayBeFreedAfterItsBase) {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  ASSERT_GE(fd, 0);
  sockaddr address{};
  address.sa_family = AF_UNIX;
  ASSERT_EQ(bind(fd, &address, sizeof address.sa_family), 0);  // a name of the kernel's choice
  Call call;
  evconnlistener* const listener =
      evconnlistener_new(base, callbacks(kFree).accept, &call, LEV_OPT_CLOSE_ON_FREE, 1, fd);
  ASSERT_NE(listener, nullptr);
  free_base();
  evconnlistener_free(listener);
}

}  // namespace
}  // namespace heddle::multivent
