#include "multivent/process/runtime.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "multivent/loop/base.hpp"
#include "multivent/loop/crew_fixture.hpp"

namespace heddle::multivent {
namespace {

using namespace testing_support;

class RuntimeTest : public InEveryMode {};
INSTANTIATE_TEST_SUITE_P(Mode, RuntimeTest, parallel_modes(), mode_name);

// Figures are not lost because somebody else looks at them for long.
TEST_P(RuntimeTest, WhoAsksForFiguresWaitsForThem) {
  Call call{[](int, short) {}};
  event* const ev = make(-1, 0, kFree, call);
  event_active(ev, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  event_free(ev);
  std::atomic<bool> has{false};
  std::thread other([&has] {
    const Runtime::Lock lock = Runtime::get().lock_unless_interrupted();
    has = lock.owns_lock();
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  });
  eventually([&] { return has.load(); });
  EXPECT_NE(Runtime::get().facts().seconds, 0);
  other.join();
}

// Whoever ends the process waits for those that compute, but not for ever.
TEST_P(RuntimeTest, PatienceWithACallThatNeverEndsIsBounded) {
  std::atomic<bool> inside{false};
  std::atomic<bool> over{false};
  Call endless{[&](int, short) {
    inside = true;
    while (!over) {
    }
  }};
  heddle::base::Wait seen{};
  Call ends{[&](int, short) {
    eventually([&] { return inside.load(); });
    event_base::Lock lock(base->mutex);
    base->await_others(lock, current_task(), {1'000'000, 1'000'000, 1'000'000, 3});
    seen = base->what_others_wait_for(lock);
    over = true;
  }};
  event* const events[] = {make(-1, 0, kFree, endless), make(-1, 0, kFree, ends)};
  for (event* ev : events) event_active(ev, EV_READ, 1);
  EXPECT_EQ(event_base_dispatch(base), 1);
  EXPECT_EQ(seen, heddle::base::Wait::kForNothing);
  for (event* ev : events) event_free(ev);
}

TEST_P(RuntimeTest, ItIsToldWhatOthersWaitFor) {
  Pair pair;
  std::atomic<bool> inside{false};
  std::atomic<bool> over{false};
  std::promise<void> kept;
  std::function<void()> waits;
  Call waiter{[&](int, short) {
    inside = true;
    waits();
  }};
  heddle::base::Wait expected{};
  std::function<void()> lets_go;
  Call asks{[&](int, short) {
    eventually([&] { return inside.load(); });
    eventually([&] {
      event_base::Lock lock(base->mutex);
      return base->what_others_wait_for(lock) == expected;
    });
    lets_go();
  }};
  const auto run = [&](heddle::base::Wait kind, std::function<void()> wait, std::function<void()> end) {
    expected = kind, waits = std::move(wait), lets_go = std::move(end);
    inside = over = false;
    event* const events[] = {make(-1, 0, kFree, waiter), make(-1, 0, kFree, asks)};
    for (event* ev : events) event_active(ev, EV_READ, 1);
    EXPECT_EQ(event_base_dispatch(base), 1);
    for (event* ev : events) event_free(ev);
  };
  using heddle::base::Wait;
  run(Wait::kForThreads, [&] { kept.get_future().wait(); }, [&] { kept.set_value(); });
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  char byte = 'x';
  run(Wait::kForOthers, [&] { EXPECT_EQ(read(ends[0], &byte, 1), 1); }, [&] { EXPECT_EQ(write(ends[1], "x", 1), 1); });
  close(ends[0]), close(ends[1]);
  run(
      Wait::kForTime,
      [&] {
        while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(50));
      },
      [&] { over = true; });
}

}  // namespace
}  // namespace heddle::multivent
