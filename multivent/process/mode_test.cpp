#include "multivent/process/mode.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "schemas/reasons.hpp"

namespace heddle::multivent {
namespace {

namespace reasons = schemas::reasons;

ConstraintsFile document(scheduler::Verdict verdict) {
  ConstraintsFile file;
  file.handlers = {{"on_read", ConstraintsFile::SessionKind::kObject, 0}};
  file.pairs = {{0, 0, verdict, {}}};
  return file;
}

const ConstraintsFile kSomethingMayOverlap = document(scheduler::Verdict::kSession);
const ConstraintsFile kNothingMay = document(scheduler::Verdict::kAlways);

constexpr Threads kOneCore{.least = 1, .most = 1, .of_cores = true};

struct Case {
  const char* name;
  std::function<void(Wishes&)> wish;
  std::string_view why;  // empty: parallel
  const ConstraintsFile* file = &kSomethingMayOverlap;
};

std::string case_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }

class ModeOfAPreloadedProgram : public testing::TestWithParam<Case> {};
class ModeOfACommandedProgram : public testing::TestWithParam<Case> {};
class ModeOfALinkedProgram : public testing::TestWithParam<Case> {};

TEST_P(ModeOfAPreloadedProgram, IsParallelOrSaysTheFirstReasonThatApplies) {
  Wishes wishes{.preloaded = true, .of_environment = Threads::exactly(4)};
  GetParam().wish(wishes);
  EXPECT_EQ(decide(wishes, GetParam().file).why_serial, GetParam().why);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ModeOfAPreloadedProgram,
    testing::Values(
        Case{"Threads", [](Wishes&) {}, ""},  //
        Case{"Serial", [](Wishes& w) { w.serial = true; }, reasons::kSerialVariable},
        Case{"NoDocument", [](Wishes& w) { w.no_document = reasons::kNoConstraints; }, reasons::kNoConstraints,
             nullptr},
        Case{"NoDocumentComesBeforeOneThread",
             [](Wishes& w) { w.no_document = reasons::kNoConstraints, w.of_environment.reset(); },
             reasons::kNoConstraints, nullptr},
        Case{"OneThread", [](Wishes& w) { w.of_environment = Threads::exactly(1); }, reasons::kOneThreadAsked},
        Case{"OneThreadThatWasAskedForComesBeforeNoDocument",
             [](Wishes& w) { w.of_environment = Threads::exactly(1), w.no_document = reasons::kNoConstraints; },
             reasons::kOneThreadAsked, nullptr},
        Case{"OneCore", [](Wishes& w) { w.of_environment = kOneCore; }, reasons::kOneCore},
        Case{"NobodySaysHowMany", [](Wishes& w) { w.of_environment.reset(), w.automatic = Threads::exactly(8); },
             reasons::kOneThreadAsked},
        Case{"NothingMayOverlap", [](Wishes&) {}, reasons::kNothingMayOverlap, &kNothingMay},
        Case{"ThreadsInAnyCase", [](Wishes& w) { w.threads_in_any_case = true; }, "", &kNothingMay},
        Case{"TheDocumentIsNotReadYet", [](Wishes&) {}, "", nullptr}),
    case_name);

// What `heddle run` was asked for and found: a reason names its options.
TEST_P(ModeOfACommandedProgram, IsParallelOrSaysTheFirstReasonThatApplies) {
  Wishes wishes{.preloaded = true, .commanded = true, .of_environment = Threads::exactly(4)};
  GetParam().wish(wishes);
  EXPECT_EQ(decide(wishes, GetParam().file).why_serial, GetParam().why);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ModeOfACommandedProgram,
    testing::Values(Case{"Threads", [](Wishes&) {}, ""},  //
                    Case{"Serial", [](Wishes& w) { w.serial = true; }, "--serial was given"},
                    Case{"SerialComesFirst",
                         [](Wishes& w) {
                           w.serial = true, w.of_environment = Threads::exactly(1), w.no_document = "there is none";
                         },
                         "--serial was given", nullptr},
                    Case{"OneThread", [](Wishes& w) { w.of_environment = Threads::exactly(1); },
                         "--threads 1 was given"},
                    Case{"OneThreadComesBeforeNoDocument",
                         [](Wishes& w) { w.of_environment = Threads::exactly(1), w.no_document = "there is none"; },
                         "--threads 1 was given", nullptr},
                    Case{"OneCore", [](Wishes& w) { w.of_environment = kOneCore; },
                         "this process may use one core only (--threads N overrides)"},
                    Case{"OneCoreComesBeforeNoDocument",
                         [](Wishes& w) { w.of_environment = kOneCore, w.no_document = "there is none"; },
                         "this process may use one core only (--threads N overrides)", nullptr},
                    Case{"NoDocument", [](Wishes& w) { w.no_document = "there is none"; }, "there is none", nullptr},
                    Case{"NothingMayOverlap", [](Wishes&) {}, reasons::kNothingMayOverlap, &kNothingMay}),
    case_name);

TEST_P(ModeOfALinkedProgram, IsParallelOrSaysTheFirstReasonThatApplies) {
  Wishes wishes{.automatic = Threads::exactly(8)};
  GetParam().wish(wishes);
  EXPECT_EQ(decide(wishes, GetParam().file).why_serial, GetParam().why);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ModeOfALinkedProgram,
    testing::Values(
        Case{"AllCores", [](Wishes&) {}, ""},
        Case{"LibeventComesFirst", [](Wishes& w) { w.obstacle = "libevent comes first", w.serial = true; },
             "libevent comes first"},
        Case{"Serial", [](Wishes& w) { w.serial = true; }, reasons::kSerialVariable},
        Case{"OneCore", [](Wishes& w) { w.automatic = kOneCore; }, reasons::kOneCore},
        Case{"OneCoreWhereTheEnvironmentLeavesItToThem", [](Wishes& w) { w.of_environment = kOneCore; },
             reasons::kOneCore},
        Case{"OneThreadByTheProgram", [](Wishes& w) { w.of_program = Threads::exactly(1); }, reasons::kOneThreadAsked},
        Case{"OneThreadComesBeforeNoDocument",
             [](Wishes& w) { w.of_program = Threads::exactly(1), w.no_document = "there is none"; },
             reasons::kOneThreadAsked, nullptr},
        Case{"TheEnvironmentWinsOverTheProgram",
             [](Wishes& w) { w.of_program = Threads::exactly(1), w.of_environment = Threads::exactly(2); }, ""},
        Case{"NoDocument", [](Wishes& w) { w.no_document = "there is none"; }, "there is none", nullptr},
        Case{"NothingMayOverlap", [](Wishes&) {}, reasons::kNothingMayOverlap, &kNothingMay}),
    case_name);

TEST(Mode, ARunIsSerialWhereOnlyPinnedHandlersMayOverlap) {
  ConstraintsFile file = kSomethingMayOverlap;
  file.handlers[0].pinned_by = "gettid";
  const Wishes wishes{.preloaded = true, .of_environment = Threads::exactly(4)};
  EXPECT_EQ(decide(wishes, &file).why_serial, reasons::all_pinned("on_read", "gettid"));
  file.handlers.push_back({"on_write", ConstraintsFile::SessionKind::kObject, 0});
  file.pairs.push_back({0, 1, scheduler::Verdict::kNever, {}});
  const Mode mode = decide(wishes, &file);
  EXPECT_TRUE(mode.parallel());
  EXPECT_EQ(mode.how(), "with 4 threads (as asked); 1 of 2 handlers stay on one, such as on_read (gettid)");
}

TEST(Mode, OnlyADocumentThatLetsNothingOverlapMayBeOverruledByDeclarations) {
  const Wishes wishes{.preloaded = true, .of_environment = Threads::exactly(4)};
  EXPECT_TRUE(decide(wishes, &kNothingMay).nothing_may_overlap);
  EXPECT_FALSE(decide(wishes, &kSomethingMayOverlap).nothing_may_overlap);
  EXPECT_FALSE(decide({.preloaded = true, .serial = true}, &kNothingMay).nothing_may_overlap);
}

TEST(Mode, ThreadsAreThoseOfTheEnvironmentThenOfTheProgramThenOfTheMachine) {
  Wishes wishes{.automatic = {4, 64}};
  EXPECT_EQ(decide(wishes, nullptr).threads.most, 64U);
  wishes.of_program = Threads::exactly(3);
  EXPECT_EQ(decide(wishes, nullptr).threads.most, 3U);
  wishes.of_environment = Threads::exactly(2);
  EXPECT_EQ(decide(wishes, nullptr).threads.most, 2U);
}

TEST(Mode, IsToldInOneSentence) {
  EXPECT_EQ((Mode{.threads = Threads::exactly(4)}).how(), "with 4 threads (as asked)");
  EXPECT_EQ((Mode{.threads = {.least = 4, .most = 64, .of_cores = true}}).how(),
            "with as many threads as suit, 4 (the cores it may use) or more");
  EXPECT_EQ((Mode{.threads = Threads::exactly(4), .why_serial = "of a reason"}).how(), "serial, because of a reason");
}

}  // namespace
}  // namespace heddle::multivent
