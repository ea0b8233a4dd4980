#include "multivent/stats/run_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "multivent/core/user_error.hpp"
#include "multivent/stats/schema_check.hpp"

namespace heddle::multivent::stats {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class RunReportTest : public testing::Test {
 protected:
  RunReportTest() {
    facts_.threads = facts_.most_threads = 4;
    facts_.constraints_path = "server.constraints.json";
    facts_.seconds = 1.5;
  }

  void finish(std::uint32_t handler, base::Nanoseconds run_ns, std::uint32_t held_by, base::Nanoseconds held_ns) {
    scheduler::Invocation x;
    x.handler = handler;
    x.start_ns = held_ns;
    x.held_by = held_by;
    x.held_ns = held_ns;
    facts_.statistics.due(handler);
    facts_.statistics.finished(x, held_ns + run_ns);
  }

  const Symbols symbols_ = Symbols::of_this_process();
  HandlerRegistry registry_{symbols_};
  const std::uint32_t first_ = registry_.find(0x10).index;
  const std::uint32_t second_ = registry_.find(0x20).index;
  RunFacts facts_;
};

TEST_F(RunReportTest, TheRunFileFollowsItsSchema) {
  finish(first_, 5'000'000, scheduler::Invocation::kNone, 0);
  finish(second_, 20'000, first_, 3'000'000);
  facts_.statistics.started(2);
  EXPECT_EQ(schema_violation(run_document(facts_, registry_, symbols_), "run.schema.json"), "");
}

TEST_F(RunReportTest, ARunInWhichNothingHappenedFollowsTheSchemaToo) {
  EXPECT_EQ(schema_violation(run_document(facts_, registry_, symbols_), "run.schema.json"), "");
  facts_.why_serial = "threads is 1";
  facts_.constraints_path.clear();
  EXPECT_EQ(schema_violation(run_document(facts_, registry_, symbols_), "run.schema.json"), "");
}

TEST_F(RunReportTest, TheRunFileGivesTimesInSeconds) {
  finish(first_, 5'000'000, scheduler::Invocation::kNone, 0);
  finish(second_, 20'000, first_, 3'000'000);
  const auto document = nlohmann::json::parse(run_document(facts_, registry_, symbols_));
  EXPECT_EQ(document["mode"], "parallel");
  EXPECT_DOUBLE_EQ(document["handlers"][0]["run"]["max"].get<double>(), 0.005);
  EXPECT_EQ(document["contention"][0]["waiter"], registry_.find(0x20).name);
  EXPECT_EQ(document["contention"][0]["holder"], registry_.find(0x10).name);
  EXPECT_EQ(document["contention"][0]["verdict"], "always");
  EXPECT_DOUBLE_EQ(document["contention"][0]["seconds"].get<double>(), 0.003);
}

TEST_F(RunReportTest, ASerialRunSaysWhyAndClaimsNoContention) {
  facts_.why_serial = "no constraints were given: run heddle analyze ./server first";
  finish(second_, 20'000, first_, 3'000'000);
  const auto document = nlohmann::json::parse(run_document(facts_, registry_, symbols_));
  EXPECT_EQ(document["mode"], "serial");
  EXPECT_EQ(document["why"], facts_.why_serial);
  EXPECT_TRUE(document["contention"].empty());
  const std::string summary = run_summary(facts_, registry_);
  EXPECT_THAT(summary, StartsWith("heddle: serial, because no constraints were given: run heddle analyze ./server "
                                  "first\n"));
  EXPECT_THAT(summary, Not(HasSubstr("held back")));
}

TEST_F(RunReportTest, TheSummaryTellsHowParallelTheRunWasAndWhatHeldItBack) {
  for (int i = 0; i < 1200; ++i) finish(first_, 5'000'000, scheduler::Invocation::kNone, 0);
  finish(second_, 20'000, first_, 3'000'000);
  facts_.statistics.started(3);
  EXPECT_EQ(run_summary(facts_, registry_),
            "heddle: parallel, 4 threads, 1,201 invocations, at most 3 at once\n"
            "  handler                           calls  run mean      p99  wait mean      p99  pending\n"
            "  +0x10 *                           1,200   5.00 ms  5.00 ms       0 ns     0 ns        1\n"
            "  +0x20 *                               1   20.0 us  20.0 us    3.00 ms  3.00 ms        1\n"
            "  * not in the constraints, so it ran alone\n"
            "  held back most:\n"
            "    +0x20 waited 3.00 ms for +0x10, 1 time\n");
}

TEST_F(RunReportTest, ANumberOfThreadsThatWasFoundByWatchingIsExplained) {
  facts_.threads = 2;
  facts_.most_threads = 64;
  finish(first_, 5'000'000, scheduler::Invocation::kNone, 0);
  EXPECT_THAT(run_summary(facts_, registry_),
              HasSubstr("\n  2 threads, because there are 2 cores, and no work waited while handlers blocked\n"));
  for (const unsigned places : {4U, 8U, 7U}) facts_.statistics.resized(places);
  EXPECT_THAT(run_summary(facts_, registry_), StartsWith("heddle: parallel, 8 threads, 1 invocations"));
  EXPECT_THAT(run_summary(facts_, registry_),
              HasSubstr("  8 threads, because work waited while handlers blocked and left some of 2 cores idle\n"));
  EXPECT_EQ(schema_violation(run_document(facts_, registry_, symbols_), "run.schema.json"), "");
  const auto settings = nlohmann::json::parse(run_document(facts_, registry_, symbols_))["settings"];
  EXPECT_EQ(settings["threads"], 8);
  EXPECT_EQ(settings["auto"]["now"], 7);
  EXPECT_EQ(settings["auto"]["grown"], 2);
  facts_.statistics.resized(64);
  EXPECT_THAT(run_summary(facts_, registry_), HasSubstr("idle; more are not tried without --threads N\n"));
}

TEST_F(RunReportTest, TheSummaryNamesHandlersThatTheProgramLacks) {
  ConstraintsFile file;
  file.build_id = symbols_.build_id();
  file.handlers = {{"main", ConstraintsFile::SessionKind::kObject, 0},
                   {"on_nothing", ConstraintsFile::SessionKind::kObject, 0}};
  const HandlerRegistry registry(symbols_, file);
  EXPECT_THAT(run_summary(facts_, registry), HasSubstr("in the constraints but not in the program: on_nothing\n"));
}

TEST_F(RunReportTest, NamesThatAreNotTextDoNotBreakTheRunFile) {
  facts_.constraints_path = "caf\xe9.json";
  EXPECT_EQ(schema_violation(run_document(facts_, registry_, symbols_), "run.schema.json"), "");
}

TEST_F(RunReportTest, ARunFileThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(write_run_file("/nonexistent/run.json", facts_, registry_, symbols_), UserError);
}

}  // namespace
}  // namespace heddle::multivent::stats
