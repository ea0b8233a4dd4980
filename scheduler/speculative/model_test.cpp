// Small random programs under every schedule that the explorer finds, and the same with each rule switched off once,
// which must be noticed.
//
// What must hold under each schedule: the outcome is the model's, every attempt saw the cells of one moment, events
// with exclusive effects run once, all threads can be joined, and no two threads use a cell without anything that
// orders them (the cells are Sync::Plain). An event that waits for a turn that never comes shows as a deadlock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "scheduler/speculative/test_programs.hpp"
#include "testing/schedule/explorer.hpp"
#include "testing/schedule/model_sync.hpp"

namespace heddle::speculative {
namespace {

using programs::Program;
using programs::Size;
using schedule::choose;
using schedule::ModelSync;

struct WithoutInvalidation : ModelSync {};
struct ReadsBesideCommits : ModelSync {};
struct GoesOnReading : ModelSync {};
struct CommitsAllTheSame : ModelSync {};
struct CommitsOutOfOrder : ModelSync {};
struct TurnBeforeEffects : ModelSync {};
struct RemembersSpawned : ModelSync {};
struct ExclusiveAtOnce : ModelSync {};
struct CommitsBesideTurn : ModelSync {};
struct ForgetsExceptions : ModelSync {};
struct AloneBesideOthers : ModelSync {};

}  // namespace

template <>
struct RulesOf<WithoutInvalidation> : AllRules {
  static constexpr bool kInvalidates = false;
};
template <>
struct RulesOf<ReadsBesideCommits> : AllRules {
  static constexpr bool kReadsExcludeCommits = false;
};
template <>
struct RulesOf<GoesOnReading> : AllRules {
  static constexpr bool kStopsAtNextRead = false;
};
template <>
struct RulesOf<CommitsAllTheSame> : AllRules {
  static constexpr bool kChecksAtEnd = false;
};
template <>
struct RulesOf<CommitsOutOfOrder> : AllRules {
  static constexpr bool kWaitsForTurn = false;
};
template <>
struct RulesOf<TurnBeforeEffects> : AllRules {
  static constexpr bool kTurnAfterEffects = false;
};
template <>
struct RulesOf<RemembersSpawned> : AllRules {
  static constexpr bool kForgetsSpawned = false;
};
template <>
struct RulesOf<ExclusiveAtOnce> : AllRules {
  static constexpr bool kExclusiveWaits = false;
};
template <>
struct RulesOf<CommitsBesideTurn> : AllRules {
  static constexpr bool kTurnExcludesCommits = false;
};
template <>
struct RulesOf<ForgetsExceptions> : AllRules {
  static constexpr bool kExceptionStopsLater = false;
};
template <>
struct RulesOf<AloneBesideOthers> : AllRules {
  static constexpr bool kAloneIsAlone = false;
};

namespace {

// A program, and how it is run, are choices of the schedule.
template <class Sync>
std::string explore_programs(Order order, std::uint64_t schedules) {
  return schedule::explore(schedules,
                           [order] {
                             const Size size{.cells = 1 + choose(3),
                                             .roots = 2 + static_cast<unsigned>(choose(3)),
                                             .depth = 1,
                                             .steps = 1 + static_cast<unsigned>(choose(4)),
                                             .fails = choose(2) == 0};
                             const Options options{.workers = 2 + static_cast<unsigned>(choose(2)),
                                                   .order = order,
                                                   .way = choose(4) == 0 ? Way::kInTurn : Way::kParallel,
                                                   .events_at_once = 1 + static_cast<unsigned>(choose(4) / 3),
                                                   .window = 2 + static_cast<unsigned>(choose(3)),
                                                   .most_stops = 1 + static_cast<unsigned>(choose(2))};
                             const auto program = std::make_shared<Program>(choose(1'000'000), size);
                             const std::string wrong = programs::check<Sync>(*program, options);
                             if (!wrong.empty()) schedule::fail(wrong);
                           },
                           {.steps = 60'000});
}

template <class Sync>
std::string explore_with_rule_off(Order order = Order::kEvents) {
  return explore_programs<Sync>(order, 20 * HEDDLE_SCHEDULES);
}

using ::testing::HasSubstr;
using ::testing::Not;

TEST(SpeculativeModel, InEventOrderEveryScheduleLeavesWhatOneThreadLeaves) {
  EXPECT_EQ(explore_programs<ModelSync>(Order::kEvents, 3 * HEDDLE_SCHEDULES), "");
}
TEST(SpeculativeModel, InAnyOrderEveryScheduleLeavesWhatSomeOrderLeaves) {
  EXPECT_EQ(explore_programs<ModelSync>(Order::kAny, 3 * HEDDLE_SCHEDULES), "");
}

TEST(SpeculativeModel, NoticesThatACommitStopsNobody) { EXPECT_NE(explore_with_rule_off<WithoutInvalidation>(), ""); }
TEST(SpeculativeModel, NoticesThatReadsDoNotExcludeCommits) {
  EXPECT_NE(explore_with_rule_off<ReadsBesideCommits>(), "");
}
TEST(SpeculativeModel, NoticesThatOneThatHasToStopReadsOn) {
  EXPECT_THAT(explore_with_rule_off<GoesOnReading>(), HasSubstr("an attempt saw cells of two moments"));
}
TEST(SpeculativeModel, NoticesThatOneThatHasToStopCommits) {
  EXPECT_NE(explore_with_rule_off<CommitsAllTheSame>(), "");
}
TEST(SpeculativeModel, NoticesCommitsOutOfOrder) { EXPECT_NE(explore_with_rule_off<CommitsOutOfOrder>(), ""); }
TEST(SpeculativeModel, NoticesThatATurnComesBeforeTheEffectsOfTheLast) {
  EXPECT_NE(explore_with_rule_off<TurnBeforeEffects>(), "");
}
TEST(SpeculativeModel, NoticesThatWhatAStoppedOneSpawnedIsKept) {
  EXPECT_NE(explore_with_rule_off<RemembersSpawned>(), "");
}
TEST(SpeculativeModel, NoticesThatExclusiveEventsDoNotWait) { EXPECT_NE(explore_with_rule_off<ExclusiveAtOnce>(), ""); }
TEST(SpeculativeModel, NoticesThatOthersCommitBesideATurn) {
  EXPECT_NE(explore_with_rule_off<CommitsBesideTurn>(Order::kAny), "");
}
TEST(SpeculativeModel, NoticesThatAnExceptionDoesNotStopLaterEvents) {
  EXPECT_NE(explore_with_rule_off<ForgetsExceptions>(), "");
}
TEST(SpeculativeModel, NoticesThatOneThatRunsAloneDoesNot) {
  EXPECT_NE(explore_with_rule_off<AloneBesideOthers>(), "");
}

}  // namespace
}  // namespace heddle::speculative
