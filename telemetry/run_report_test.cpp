#include "telemetry/run_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/user_error.hpp"
#include "telemetry/schema_check.hpp"
#include "testing/golden/golden.hpp"

namespace heddle::telemetry {
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
    facts_.program = {"server", "abc1"};
    facts_.handlers = {{"on_lookup", true}, {"+0x20", false}};
  }

  void finish(std::uint32_t handler, base::Nanoseconds run_ns) {
    facts_.statistics.due(handler);
    facts_.statistics.finished(handler, 0, run_ns);
  }

  // The second handler was held back by the first.
  void finish_second_held_back() {
    facts_.statistics.due(kSecond);
    facts_.statistics.finished(kSecond, 3'000'000, 20'000);
    facts_.statistics.waited(kSecond, kFirst, 3'000'000);
    facts_.held_back = {{facts_.statistics.contention().at(0), /*within_session=*/false, {"cache.lru", "stats"}}};
  }

  static constexpr std::uint32_t kFirst = 0;
  static constexpr std::uint32_t kSecond = 1;
  RunFacts facts_;
};

TEST_F(RunReportTest, TheRunFileFollowsItsSchema) {
  finish(kFirst, 5'000'000);
  finish_second_held_back();
  facts_.statistics.started(2);
  EXPECT_EQ(schema_violation(run_document(facts_), "run.schema.json"), "");
}

TEST_F(RunReportTest, ARunInWhichNothingHappenedFollowsTheSchemaToo) {
  EXPECT_EQ(schema_violation(run_document(facts_), "run.schema.json"), "");
  facts_.why_serial = "threads is 1";
  facts_.constraints_path.clear();
  EXPECT_EQ(schema_violation(run_document(facts_), "run.schema.json"), "");
}

// What depends on the machine, on this test program and on the release is set to what the golden file has.
TEST_F(RunReportTest, TheRunFileIsTheOneThatReadersRead) {
  facts_.handlers = {{"+0x10", false}, {"+0x20", false}};
  finish(kFirst, 5'000'000);
  finish_second_held_back();
  facts_.held_back.at(0).objects.clear();
  facts_.statistics.started(2);
  facts_.most_threads = 64;
  facts_.statistics.resized(8);
  facts_.statistics.ran(/*alone=*/true, 750'000'000);
  facts_.statistics.ran(/*alone=*/false, 750'000'000);
  for (const bool gained : {false, true}) facts_.statistics.tried(gained);
  auto document = nlohmann::ordered_json::parse(run_document(facts_));
  document["tool"]["version"] = "0";
  document["program"] = {{"name", "server"}, {"build_id", "00"}, {"arguments", {"-p", "80"}}};
  document["machine"] = {
      {"system", "Linux"}, {"release", "6"}, {"architecture", "x86_64"}, {"cores", 4}, {"model", "a processor"}};
  document["cpu_seconds"] = 2.5;
  golden::Files(HEDDLE_GOLDEN).expect_same("native.run.json", document.dump(2) + "\n");
}

TEST_F(RunReportTest, TheRunFileGivesTimesInSeconds) {
  finish(kFirst, 5'000'000);
  finish_second_held_back();
  const auto document = nlohmann::json::parse(run_document(facts_));
  EXPECT_EQ(document["mode"], "parallel");
  EXPECT_DOUBLE_EQ(document["handlers"][0]["run"]["max"].get<double>(), 0.005);
  EXPECT_EQ(document["contention"][0]["waiter"], "+0x20");
  EXPECT_EQ(document["contention"][0]["holder"], "on_lookup");
  EXPECT_EQ(document["contention"][0]["verdict"], "always");
  EXPECT_EQ(document["contention"][0]["objects"], nlohmann::json({"cache.lru", "stats"}));
  EXPECT_DOUBLE_EQ(document["contention"][0]["seconds"].get<double>(), 0.003);
}

TEST_F(RunReportTest, ASerialRunSaysWhyAndClaimsNoContention) {
  facts_.why_serial = "no constraints were given: run heddle analyze ./server first";
  finish_second_held_back();
  const auto document = nlohmann::json::parse(run_document(facts_));
  EXPECT_EQ(document["mode"], "serial");
  EXPECT_EQ(document["why"], facts_.why_serial);
  EXPECT_TRUE(document["contention"].empty());
  const std::string summary = run_summary(facts_);
  EXPECT_THAT(summary, StartsWith("heddle: serial, because no constraints were given: run heddle analyze ./server "
                                  "first\n"));
  EXPECT_THAT(summary, Not(HasSubstr("held back")));
}

TEST_F(RunReportTest, TheSummaryTellsHowParallelTheRunWasAndWhatHeldItBack) {
  for (int i = 0; i < 1200; ++i) finish(kFirst, 5'000'000);
  finish_second_held_back();
  facts_.statistics.started(3);
  EXPECT_EQ(run_summary(facts_),
            "heddle: parallel, 4 threads, 1,201 invocations, at most 3 at once\n"
            "  handler                           calls  run mean      p99  wait mean      p99  pending\n"
            "  on_lookup                         1,200   5.00 ms  5.00 ms       0 ns     0 ns        1\n"
            "  +0x20 *                               1   20.0 us  20.0 us    3.00 ms  3.00 ms        1\n"
            "  * not in the constraints, so it ran alone\n"
            "  held back most:\n"
            "    +0x20 waited 3.00 ms for on_lookup, 1 time: cache.lru, stats\n");
}

TEST_F(RunReportTest, ANumberOfThreadsThatWasFoundByWatchingIsExplained) {
  facts_.threads = 2;
  facts_.most_threads = 64;
  finish(kFirst, 5'000'000);
  EXPECT_THAT(run_summary(facts_),
              HasSubstr("\n  2 threads, because there are 2 cores, and no work waited while handlers blocked\n"));
  for (const unsigned places : {4U, 8U, 7U}) facts_.statistics.resized(places);
  EXPECT_THAT(run_summary(facts_), StartsWith("heddle: parallel, 8 threads, 1 invocations"));
  EXPECT_THAT(run_summary(facts_),
              HasSubstr("  8 threads, because work waited while handlers blocked and left some of 2 cores idle\n"));
  EXPECT_EQ(schema_violation(run_document(facts_), "run.schema.json"), "");
  const auto settings = nlohmann::json::parse(run_document(facts_))["settings"];
  EXPECT_EQ(settings["threads"], 8);
  EXPECT_EQ(settings["auto"]["now"], 7);
  EXPECT_EQ(settings["auto"]["grown"], 2);
  facts_.statistics.resized(64);
  EXPECT_THAT(run_summary(facts_), HasSubstr("idle; more are not tried without --threads N\n"));
}

TEST_F(RunReportTest, TheSummaryCallsFunctionsAsTheSourceDoes) {
  facts_.missing = {"_ZN6Server7on_readEisPv", "_ZN12_GLOBAL__N_17on_tickEisPv", "_ZNK6ServerclEv", "_Znothing"};
  EXPECT_THAT(run_summary(facts_), HasSubstr("not in the program: Server::on_read (anonymous namespace)::on_tick "
                                             "Server::operator() _Znothing\n"));
}

TEST_F(RunReportTest, WhoWaitsThoughNothingIsSharedIsToldWhy) {
  facts_.handlers = {{"on_state", true}, {"on_root", true}};
  facts_.held_back = {{{0, 1, 2, 3'000'000}, false, {}}};
  EXPECT_THAT(run_summary(facts_), HasSubstr("on_state waited 3.00 ms for on_root, 2 times: until it was known which "
                                             "handlers these calls of libevent go on to\n"));
}

TEST_F(RunReportTest, ARunThatFoundOutWhoRunsTheLoopSaysWho) {
  facts_.most_threads = 64;
  finish(kFirst, 5'000);
  facts_.statistics.ran(/*alone=*/true, 9'000'000'000);
  EXPECT_THAT(run_summary(facts_),
              HasSubstr("\n  one thread ran the loop, because its handlers were too light to share\n"));
  facts_.statistics.ran(/*alone=*/false, 1'000'000'000);
  for (const bool gained : {false, true}) facts_.statistics.tried(gained);
  EXPECT_THAT(run_summary(facts_),
              HasSubstr("\n  one thread ran the loop 90 % of the time; several were faster in 1 of 2 trials\n"));
  EXPECT_EQ(schema_violation(run_document(facts_), "run.schema.json"), "");
  const auto turns = nlohmann::json::parse(run_document(facts_))["settings"]["turns"];
  EXPECT_DOUBLE_EQ(turns["one_thread"].get<double>(), 0.9);
  EXPECT_EQ(turns["trials"], 2);
  EXPECT_EQ(turns["gained"], 1);
}

TEST_F(RunReportTest, TheSummaryNamesHandlersThatTheProgramLacks) {
  facts_.missing = {"on_nothing"};
  EXPECT_THAT(run_summary(facts_), HasSubstr("in the constraints but not in the program: on_nothing\n"));
}

TEST_F(RunReportTest, NamesThatAreNotTextDoNotBreakTheRunFile) {
  facts_.constraints_path = "caf\xe9.json";
  EXPECT_EQ(schema_violation(run_document(facts_), "run.schema.json"), "");
}

TEST_F(RunReportTest, ARunFileThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(write_run_file("/nonexistent/run.json", facts_), base::UserError);
}

}  // namespace
}  // namespace heddle::telemetry
