#include "telemetry/loop_statistics.hpp"

#include <gtest/gtest.h>

namespace heddle::telemetry {
namespace {

TEST(LoopStatistics, KeepsWaitingApartFromRunning) {
  LoopStatistics statistics;
  statistics.due(3);
  statistics.finished(3, 400, 1000);
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
  statistics.finished(0, 1, 1);
  statistics.due(0);
  EXPECT_EQ(statistics.figures(0)->most_pending, 3U);
  EXPECT_EQ(statistics.figures(0)->pending, 2U);
}

TEST(LoopStatistics, AddsUpHowLongOneHandlerHeldAnotherBack) {
  LoopStatistics statistics;
  for (const base::Nanoseconds held_ns : {300, 500}) statistics.waited(1, 2, held_ns);
  const std::vector<Contention> contention = statistics.contention();
  ASSERT_EQ(contention.size(), 1U);
  EXPECT_EQ(contention[0].waiter, 1U);
  EXPECT_EQ(contention[0].holder, 2U);
  EXPECT_EQ(contention[0].count, 2U);
  EXPECT_EQ(contention[0].total_ns, 800);
}

TEST(LoopStatistics, TheWorstContentionComesFirst) {
  LoopStatistics statistics;
  for (const std::uint32_t holder : {5U, 6U, 7U}) statistics.waited(1, holder, holder == 6 ? 900 : 100);
  EXPECT_EQ(statistics.contention()[0].holder, 6U);
}

TEST(LoopStatistics, FiguresOfSeveralBasesAddUp) {
  LoopStatistics a;
  LoopStatistics b;
  for (LoopStatistics* base : {&a, &b}) {
    base->due(4);
    base->waited(4, 4, 10);
    base->finished(4, 10, 10);
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
}  // namespace heddle::telemetry
