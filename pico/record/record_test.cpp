// What a program leaves behind: each test is a process of its own, for the environment is read before main().
#include "pico/record/record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pico/pico.hpp"
#include "schemas/environment.hpp"
#include "schemas/trace_record.hpp"
#include "telemetry/schema_check.hpp"

namespace heddle::pico {
namespace {

constexpr int kThreads = 50;
constexpr std::size_t kTurns = 3;  // of each: a thread that waits twice

struct Waits {
  static constexpr const char* kPicoSite = "waits twice";
  void operator()() const {
    sleep_for(std::chrono::microseconds(10));
    sleep_for(std::chrono::microseconds(10));
  }
};

void program(std::size_t workers) {
  Options options;
  options.workers = workers;
  pico::run(options, [] {
    Scope scope({.spread = true});
    for (int i = 0; i < kThreads; ++i) scope.spawn(Waits());
    scope.spawn([] { on_big_stack([] {}); });
    scope.join();
  });
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class PicoRecordDeathTest : public ::testing::TestWithParam<std::size_t> {
 protected:
  PicoRecordDeathTest() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    setenv(schemas::environment::kRunFile, run_file_.c_str(), 1);
    setenv(schemas::environment::kTrace, trace_file_.c_str(), 1);
    setenv(schemas::environment::kSummary, "1", 1);
  }
  ~PicoRecordDeathTest() override {
    for (const char* name :
         {schemas::environment::kRunFile, schemas::environment::kTrace, schemas::environment::kSummary})
      unsetenv(name);
    std::remove(run_file_.c_str());
    std::remove(trace_file_.c_str());
  }

  // Tests run side by side, so each has files of its own. The child of the death test writes to those of its parent: it
  // has inherited the variables, which are read before main().
  const std::string stem_ = ::testing::TempDir() + "pico_record_test." + std::to_string(getpid());
  const std::string run_file_ = stem_ + ".run.json";
  const std::string trace_file_ = stem_ + ".trace";
};
INSTANTIATE_TEST_SUITE_P(Workers, PicoRecordDeathTest, ::testing::Values(1, 3));

TEST_P(PicoRecordDeathTest, EachTurnOfEachThreadIsInTheFiguresAndInTheTrace) {
  const auto run_twice = [] {
    program(GetParam());
    program(GetParam());
    std::exit(0);
  };
  EXPECT_EXIT(run_twice(), ::testing::ExitedWithCode(0), "waits twice +300 ");

  const std::string text = read(run_file_);
  EXPECT_EQ(telemetry::schema_violation(text, "run.schema.json"), "");
  const auto run = nlohmann::json::parse(text);
  EXPECT_EQ(run["program"]["name"], "pico_test");
  EXPECT_EQ(run["mode"], GetParam() == 1 ? "serial" : "parallel");
  EXPECT_EQ(run["settings"]["threads"], GetParam());
  EXPECT_GE(run["peak_parallel"], 1);
  EXPECT_LE(run["peak_parallel"], GetParam());
  std::map<std::string, std::size_t> turns;
  for (const auto& site : run["handlers"]) {
    turns[site["name"]] = site["invocations"];
    EXPECT_EQ(site["pending"], 0) << site;
    EXPECT_LE(site["wait"]["min"], site["wait"]["max"]) << site;
  }
  EXPECT_EQ(turns["waits twice"], 2 * kThreads * kTurns);
  EXPECT_GE(turns["the function of pico::run()"], 2U);

  const std::string trace = read(trace_file_);
  ASSERT_GT(trace.size(), sizeof(schemas::TraceStart));
  schemas::TraceStart start;
  std::memcpy(&start, trace.data(), sizeof start);
  const std::string header_text = trace.substr(sizeof start, start.header_bytes);
  EXPECT_EQ(telemetry::schema_violation(header_text, "trace.schema.json"), "");
  const auto header = nlohmann::json::parse(header_text);
  const std::size_t behind = sizeof start + start.header_bytes;
  const std::size_t at = (behind + schemas::kTraceAlignment - 1) / schemas::kTraceAlignment * schemas::kTraceAlignment;
  std::vector<schemas::TraceRecord> records((trace.size() - at) / sizeof(schemas::TraceRecord));
  std::memcpy(records.data(), trace.data() + at, records.size() * sizeof(schemas::TraceRecord));

  std::map<std::string, std::size_t> traced;
  std::set<std::uint64_t> sequences;
  std::map<unsigned, std::vector<std::pair<std::uint64_t, std::uint64_t>>> of_worker;
  for (const schemas::TraceRecord& record : records) {
    ++traced[header["handlers"].at(record.handler)];
    sequences.insert(record.sequence);
    EXPECT_NE(record.session, 0U);
    EXPECT_LT(record.thread, GetParam());
    EXPECT_LE(record.ready_ns, record.start_ns);
    EXPECT_LE(record.start_ns, record.end_ns);
    of_worker[record.thread].emplace_back(record.start_ns, record.end_ns);
  }
  EXPECT_EQ(traced, turns);
  EXPECT_EQ(sequences.size(), records.size());
  EXPECT_EQ(*sequences.rbegin(), records.size());
  for (auto& [worker, spans] : of_worker) {
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 1; i < spans.size(); ++i)
      EXPECT_LE(spans[i - 1].second, spans[i].first) << "two ran at once on worker " << worker;
  }
}

TEST(PicoSites, AreNamedAsInTheSourceAndEachOnce) {
  const auto lambda = [] {};
  EXPECT_THAT(SiteOf<decltype(lambda)>::site().name(), ::testing::HasSubstr("TestBody()"));
  EXPECT_EQ(SiteOf<Waits>::site().name(), "waits twice");
  std::set<std::uint32_t> numbers;
  std::size_t count = 0;
  for (const Site* site = Site::newest(); site != nullptr; site = site->older(), ++count)
    numbers.insert(site->number());
  EXPECT_EQ(numbers.size(), count);
  EXPECT_EQ(*numbers.rbegin(), count - 1);
}

}  // namespace
}  // namespace heddle::pico
