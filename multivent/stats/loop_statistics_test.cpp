#include "multivent/stats/loop_statistics.hpp"

#include <gtest/gtest.h>

namespace heddle::multivent::stats {
namespace {

scheduler::Invocation invocation(std::uint32_t handler, base::Nanoseconds ready_ns, base::Nanoseconds start_ns) {
  scheduler::Invocation x;
  x.handler = handler;
  x.ready_ns = ready_ns;
  x.start_ns = start_ns;
  return x;
}

TEST(LoopStatistics, CountsTimeFromReadyToStartAsWaitingAndFromStartToEndAsRunning) {
  LoopStatistics statistics;
  statistics.due(3);
  statistics.finished(invocation(3, 1000, 1400), 2400);
  const HandlerFigures* figures = statistics.figures(3);
  ASSERT_NE(figures, nullptr);
  EXPECT_EQ(figures->invocations, 1U);
  EXPECT_EQ(figures->wait.max_ns(), 400U);
  EXPECT_EQ(figures->run.max_ns(), 1000U);
  EXPECT_EQ(statistics.figures(2), nullptr);
}

TEST(LoopStatistics, MostPendingCountsWhatIsDueAndNotFinished) {
  LoopStatistics statistics;
  for (int i = 0; i < 3; ++i) statistics.due(0);
  statistics.dropped(0);
  statistics.finished(invocation(0, 0, 1), 2);
  statistics.due(0);
  EXPECT_EQ(statistics.figures(0)->most_pending, 3U);
  EXPECT_EQ(statistics.figures(0)->pending, 2U);
}

TEST(LoopStatistics, AddsUpHowLongOneHandlerHeldAnotherBack) {
  LoopStatistics statistics;
  for (const base::Nanoseconds held_ns : {300, 500}) {
    scheduler::Invocation x = invocation(1, 0, held_ns);
    x.held_by = 2;
    x.held_ns = held_ns;
    statistics.due(1);
    statistics.finished(x, held_ns + 10);
  }
  const std::vector<Contention> contention = statistics.contention();
  ASSERT_EQ(contention.size(), 1U);
  EXPECT_EQ(contention[0].waiter, 1U);
  EXPECT_EQ(contention[0].holder, 2U);
  EXPECT_EQ(contention[0].count, 2U);
  EXPECT_EQ(contention[0].total_ns, 800);
}

TEST(LoopStatistics, TheWorstContentionComesFirst) {
  LoopStatistics statistics;
  for (const std::uint32_t holder : {5U, 6U, 7U}) {
    scheduler::Invocation x = invocation(1, 0, 1000);
    x.held_by = holder;
    x.held_ns = holder == 6 ? 900 : 100;
    statistics.due(1);
    statistics.finished(x, 1001);
  }
  EXPECT_EQ(statistics.contention()[0].holder, 6U);
}

TEST(LoopStatistics, FiguresOfSeveralBasesAddUp) {
  LoopStatistics a;
  LoopStatistics b;
  for (LoopStatistics* base : {&a, &b}) {
    scheduler::Invocation x = invocation(4, 0, 10);
    x.held_by = 4;
    x.held_ns = 10;
    base->due(4);
    base->finished(x, 20);
    base->polled();
  }
  a.started(2);
  b.started(5);
  a.merge(b);
  EXPECT_EQ(a.invocations(), 2U);
  EXPECT_EQ(a.figures(4)->run.count(), 2U);
  EXPECT_EQ(a.contention()[0].total_ns, 20);
  EXPECT_EQ(a.polls(), 2U);
  EXPECT_EQ(a.peak_parallel(), 5U);
}

}  // namespace
}  // namespace heddle::multivent::stats
