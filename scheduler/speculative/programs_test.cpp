// Random programs on threads leave what the model leaves, in each way of running them.
#include <gtest/gtest.h>

#include "base/sync.hpp"
#include "scheduler/speculative/test_programs.hpp"

namespace heddle::speculative::programs {
namespace {

constexpr Value kPrograms = 1500;

void run_programs(const Options& options, const Size& size) {
  for (Value seed = 0; seed < kPrograms; ++seed) {
    const std::string wrong = check<base::StdSync>(Program(seed, size), options);
    ASSERT_EQ(wrong, "") << "program " << seed;
  }
}

constexpr Size kSmall{.cells = 4, .roots = 8, .depth = 2, .steps = 6, .spin = 400};
constexpr Size kFailing{.cells = 4, .roots = 8, .depth = 2, .steps = 6, .spin = 400, .fails = true};
constexpr Size kWide{.cells = 40, .roots = 30, .depth = 2, .steps = 5, .spin = 200};

TEST(SpeculativePrograms, LeaveWhatOneThreadLeaves) {
  run_programs({.workers = 3, .way = Way::kParallel, .events_at_once = 1}, kSmall);
}
TEST(SpeculativePrograms, LeaveItWhereManyEventsShareATransaction) {
  run_programs({.workers = 3, .way = Way::kParallel, .events_at_once = 4, .window = 3}, kSmall);
}
TEST(SpeculativePrograms, LeaveItWhereMemoryIsShort) {
  run_programs({.workers = 3, .way = Way::kParallel, .events_at_once = 3, .window = 4}, kFailing);
}
TEST(SpeculativePrograms, LeaveItWhereFewEventsConflict) {
  run_programs({.workers = 2, .way = Way::kParallel, .events_at_once = 1}, kWide);
}
TEST(SpeculativePrograms, LeaveItWhereOneThreadAndSeveralTakeTurns) {
  run_programs({.workers = 3, .way = Way::kInTurn, .events_at_once = 2}, kWide);
}
TEST(SpeculativePrograms, LeaveItWhereTheWayIsMeasured) { run_programs({.workers = 2}, kWide); }
TEST(SpeculativePrograms, LeaveItOnOneThread) {
  run_programs({.workers = 1, .way = Way::kOneThread, .events_at_once = 1}, kSmall);
}
TEST(SpeculativePrograms, InAnyOrderLeaveWhatTheOrderOfTheirCommitsLeaves) {
  run_programs({.workers = 3, .order = Order::kAny, .way = Way::kParallel, .events_at_once = 1, .most_stops = 1},
               kFailing);
}

}  // namespace
}  // namespace heddle::speculative::programs
