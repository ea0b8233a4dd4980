#include "multivent/stats/trace_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "multivent/core/user_error.hpp"
#include "multivent/stats/schema_check.hpp"

namespace heddle::multivent::stats {
namespace {

using schemas::TraceRecord;

struct Trace {
  std::string header;
  std::vector<TraceRecord> records;
};

// Reads a trace file as its schema describes it.
Trace read_trace(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(bytes.substr(0, 8), "HEDTRC01");
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, sizeof length);
  const std::size_t start = (std::size_t{length} + 12 + 63) / 64 * 64;
  EXPECT_LE(start, bytes.size());
  Trace trace{.header = bytes.substr(12, length), .records = {}};
  trace.records.resize((bytes.size() - start) / sizeof(TraceRecord));
  for (std::size_t i = 0; i < trace.records.size(); ++i) {
    std::memcpy(&trace.records[i], bytes.data() + start + i * sizeof(TraceRecord), sizeof(TraceRecord));
  }
  return trace;
}

class TraceFileTest : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/heddle-trace-XXXXXX";
    const int fd = mkstemp(pattern);
    ASSERT_GE(fd, 0);
    close(fd);
    path_ = pattern;
    known_ = registry_.find(0x10).index;
  }
  void TearDown() override { unlink(path_.c_str()); }

  scheduler::Invocation invocation(std::uint64_t sequence) const {
    scheduler::Invocation x;
    x.handler = known_;
    x.sequence = sequence;
    x.ready_ns = 100;
    x.start_ns = 200;
    x.session = 0xabcd;
    return x;
  }

  std::string path_;
  const Symbols symbols_ = Symbols::of_this_process();
  HandlerRegistry registry_{symbols_};
  std::uint32_t known_ = 0;
};

TEST_F(TraceFileTest, TheHeaderFollowsItsSchemaAndNamesTheHandlers) {
  {
    const TraceFile file(path_, symbols_, registry_, 4);
  }
  const Trace trace = read_trace(path_);
  EXPECT_EQ(schema_violation(trace.header, "trace.schema.json"), "");
  EXPECT_EQ(nlohmann::json::parse(trace.header)["handlers"][known_], "+0x10");
  EXPECT_TRUE(trace.records.empty());
}

TEST_F(TraceFileTest, EveryInvocationIsInTheFileOnceTheBufferIsGone) {
  TraceFile file(path_, symbols_, registry_, 4);
  {
    TraceBuffer buffer(file);
    for (std::uint64_t i = 1; i <= 2500; ++i)
      buffer.add(invocation(i), {.at_ns = 300, .cpu_ns = 50, .thread = 2, .what = 0x02});
  }
  const Trace trace = read_trace(path_);
  ASSERT_EQ(trace.records.size(), 2500U);
  for (std::uint64_t i = 0; i < 2500; ++i) ASSERT_EQ(trace.records[i].sequence, i + 1);
  const TraceRecord& record = trace.records[0];
  EXPECT_EQ(record.ready_ns, 100U);
  EXPECT_EQ(record.start_ns, 200U);
  EXPECT_EQ(record.end_ns, 300U);
  EXPECT_EQ(record.cpu_ns, 50U);
  EXPECT_EQ(record.session, 0xabcdU);
  EXPECT_EQ(record.handler, known_);
  EXPECT_EQ(record.thread, 2U);
  EXPECT_EQ(record.waited_for, TraceRecord::kNone);
  EXPECT_EQ(record.what, 2);
  EXPECT_EQ(record.flags, TraceRecord::kUnknownHandler);
}

TEST_F(TraceFileTest, HandlersMetAfterTheFileWasOpenedHaveNoIndex) {
  TraceFile file(path_, symbols_, registry_, 4);
  {
    TraceBuffer buffer(file);
    scheduler::Invocation late = invocation(1);
    late.handler = registry_.find(0x20).index;
    late.held_by = known_;
    buffer.add(late, {.at_ns = 300});
  }
  const Trace trace = read_trace(path_);
  EXPECT_EQ(trace.records.at(0).handler, TraceRecord::kNone);
  EXPECT_EQ(trace.records.at(0).waited_for, known_);
}

TEST_F(TraceFileTest, WhoGotToALatePointHasTheTimeThatItWaitedThere) {
  TraceFile file(path_, symbols_, registry_, 4);
  {
    TraceBuffer buffer(file);
    scheduler::Invocation x = invocation(1);
    x.klass = 1;
    buffer.add(x, {.at_ns = 9'000'000, .got_to_late_point = true, .waited_late_ns = 2'500'000});
    buffer.add(x, {.at_ns = 9'000'000, .got_to_late_point = true, .waited_late_ns = 5'000'000'000'000});
  }
  const Trace trace = read_trace(path_);
  EXPECT_EQ(trace.records.at(0).flags, TraceRecord::kGotToLatePoint);
  EXPECT_EQ(trace.records.at(0).late_us, 2500U);
  EXPECT_EQ(trace.records.at(1).late_us, 0xffffffffU);
}

TEST_F(TraceFileTest, AForkedChildAddsNothing) {
  TraceFile file(path_, symbols_, registry_, 4);
  TraceBuffer buffer(file);
  buffer.add(invocation(1), {.at_ns = 300});
  const pid_t child = fork();
  if (child == 0) {
    buffer.flush();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(read_trace(path_).records.empty());
  buffer.flush();
  EXPECT_EQ(read_trace(path_).records.size(), 1U);
}

TEST_F(TraceFileTest, AFileThatCannotBeMadeIsAnError) {
  EXPECT_THROW(TraceFile("/nonexistent/trace", symbols_, registry_, 1), UserError);
}

TEST_F(TraceFileTest, AFullDiskEndsTheTraceAndNotTheProgram) {
  EXPECT_THROW(TraceFile("/dev/full", symbols_, registry_, 1), UserError);
}

}  // namespace
}  // namespace heddle::multivent::stats
