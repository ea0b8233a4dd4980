#include "telemetry/trace_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/user_error.hpp"
#include "telemetry/schema_check.hpp"
#include "testing/golden/golden.hpp"

namespace heddle::telemetry {
namespace {

using schemas::TraceRecord;

struct Trace {
  std::string header;
  std::string bytes;  // of the records
  std::vector<TraceRecord> records;
};

// Reads a trace file as its schema describes it.
Trace read_trace(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  schemas::TraceStart first{};
  EXPECT_GE(bytes.size(), sizeof first);
  std::memcpy(&first, bytes.data(), sizeof first);
  EXPECT_EQ(std::memcmp(first.magic, schemas::kTraceMagic, sizeof first.magic), 0);
  constexpr std::size_t kUnit = schemas::kTraceAlignment;
  const std::size_t start = (sizeof first + first.header_bytes + kUnit - 1) / kUnit * kUnit;
  EXPECT_LE(start, bytes.size());
  Trace trace{.header = bytes.substr(sizeof first, first.header_bytes), .bytes = bytes.substr(start), .records = {}};
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
  }
  void TearDown() override { unlink(path_.c_str()); }

  static TracedCall call(std::uint64_t sequence) {
    TracedCall x;
    x.handler = kKnown;
    x.sequence = sequence;
    x.ready_ns = 100;
    x.start_ns = 200;
    x.end_ns = 300;
    x.session = 0xabcd;
    return x;
  }

  static constexpr std::uint32_t kKnown = 1;
  std::string path_;
  const Program program_{"server", "abc1"};
  const std::vector<HandlerName> handlers_{{"on_lookup", true}, {"+0x10", false}};
};

TEST_F(TraceFileTest, TheHeaderFollowsItsSchemaAndNamesTheHandlers) {
  {
    const TraceFile file(path_, program_, handlers_, 4);
  }
  const Trace trace = read_trace(path_);
  EXPECT_EQ(schema_violation(trace.header, "trace.schema.json"), "");
  EXPECT_EQ(nlohmann::json::parse(trace.header)["handlers"][kKnown], "+0x10");
  EXPECT_TRUE(trace.records.empty());
}

TEST_F(TraceFileTest, EveryInvocationIsInTheFileOnceTheBufferIsGone) {
  TraceFile file(path_, program_, handlers_, 4);
  {
    TraceBuffer buffer(file);
    for (std::uint64_t i = 1; i <= 2500; ++i) {
      TracedCall x = call(i);
      x.cpu_ns = 50;
      x.thread = 2;
      x.what = 0x02;
      buffer.add(x);
    }
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
  EXPECT_EQ(record.handler, kKnown);
  EXPECT_EQ(record.thread, 2U);
  EXPECT_EQ(record.waited_for, TraceRecord::kNone);
  EXPECT_EQ(record.what, 2);
  EXPECT_EQ(record.flags, TraceRecord::kUnknownHandler);
}

TEST_F(TraceFileTest, HandlersMetAfterTheFileWasOpenedHaveNoIndex) {
  TraceFile file(path_, program_, handlers_, 4);
  {
    TraceBuffer buffer(file);
    TracedCall late = call(1);
    late.handler = kKnown + 1;
    late.held_by = kKnown;
    buffer.add(late);
  }
  const Trace trace = read_trace(path_);
  EXPECT_EQ(trace.records.at(0).handler, TraceRecord::kNone);
  EXPECT_EQ(trace.records.at(0).waited_for, kKnown);
}

TEST_F(TraceFileTest, WhoGotToALatePointHasTheTimeThatItWaitedThere) {
  TraceFile file(path_, program_, handlers_, 4);
  {
    TraceBuffer buffer(file);
    TracedCall x = call(1);
    x.in_constraints = true;
    x.got_to_late_point = true;
    x.waited_late_ns = 2'500'000;
    buffer.add(x);
    x.waited_late_ns = 5'000'000'000'000;
    buffer.add(x);
  }
  const Trace trace = read_trace(path_);
  EXPECT_EQ(trace.records.at(0).flags, TraceRecord::kGotToLatePoint);
  EXPECT_EQ(trace.records.at(0).late_us, 2500U);
  EXPECT_EQ(trace.records.at(1).late_us, 0xffffffffU);
}

// The name and the build of this test are not those of the golden file; all else is.
TEST_F(TraceFileTest, HasTheBytesThatReadersOfAllLanguagesRead) {
  const golden::Files files(HEDDLE_GOLDEN);
  const nlohmann::json values = files.values("native.trace");
  const std::vector<HandlerName> handlers{{"+0x10", false}, {"+0x20", false}};
  {
    TraceFile file(path_, program_, handlers, values["threads"]);
    TraceBuffer buffer(file);
    for (const auto& value : values["records"]) {
      const unsigned flags = value["flags"];
      TracedCall x;
      x.ready_ns = value["ready_ns"];
      x.start_ns = value["start_ns"];
      x.end_ns = value["end_ns"];
      x.cpu_ns = value["cpu_ns"];
      x.session = value["session"];
      x.sequence = value["sequence"];
      x.handler = value["handler"];
      x.held_by = value["waited_for"];
      x.waited_late_ns = value["late_us"].get<base::Nanoseconds>() * 1000;
      x.thread = value["thread"];
      x.what = value["what"];
      x.in_constraints = (flags & TraceRecord::kUnknownHandler) == 0;
      x.got_to_late_point = (flags & TraceRecord::kGotToLatePoint) != 0;
      buffer.add(x);
    }
  }
  const Trace written = read_trace(path_);
  nlohmann::ordered_json header = nlohmann::ordered_json::parse(written.header);
  EXPECT_EQ(header["program"]["name"], program_.name);
  header["program"] = {{"name", "server"}, {"build_id", "00"}};
  header["tool"]["version"] = "0";
  const std::string text = header.dump();
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string bytes(schemas::kTraceMagic, sizeof schemas::kTraceMagic);
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += text;
  bytes.resize((bytes.size() + schemas::kTraceAlignment - 1) / schemas::kTraceAlignment * schemas::kTraceAlignment);
  files.expect_same("native.trace", bytes + written.bytes);
}

TEST_F(TraceFileTest, AForkedChildAddsNothing) {
  TraceFile file(path_, program_, handlers_, 4);
  TraceBuffer buffer(file);
  buffer.add(call(1));
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

// As a daemon does that closes all that it may have inherited, and then opens a file of its own.
TEST_F(TraceFileTest, AFileThatTheProgramHasClosedIsOpenedAgain) {
  TraceFile file(path_, program_, handlers_, 4);
  TraceBuffer buffer(file);
  struct stat own{};
  ASSERT_EQ(stat(path_.c_str(), &own), 0);
  int number = 3;
  for (struct stat found{}; fstat(number, &found) != 0 || found.st_ino != own.st_ino;) ++number;
  const std::string name = path_ + ".data";
  const int data = open(name.c_str(), O_RDWR | O_CREAT, 0600);
  dup2(data, number);
  buffer.add(call(1));
  buffer.flush();
  EXPECT_EQ(lseek(data, 0, SEEK_END), 0);
  EXPECT_EQ(read_trace(path_).records.size(), 1U);
  close(number);
  buffer.add(call(2));
  buffer.flush();
  EXPECT_EQ(read_trace(path_).records.size(), 2U);
  close(data);
  unlink(name.c_str());
}

TEST_F(TraceFileTest, ALimitOfItsSizeEndsTheTraceAndNotTheProgram) {
  TraceFile file(path_, program_, handlers_, 4);
  TraceBuffer buffer(file);
  const pid_t child = fork();
  if (child == 0) {
    file.take_over();
    close(STDERR_FILENO);  // for what is said
    const rlimit none{0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
    buffer.add(call(1));
    buffer.flush();
    _exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

TEST_F(TraceFileTest, AFileThatCannotBeMadeIsAnError) {
  EXPECT_THROW(TraceFile("/nonexistent/trace", program_, handlers_, 1), base::UserError);
}

TEST_F(TraceFileTest, AFullDiskEndsTheTraceAndNotTheProgram) {
  EXPECT_THROW(TraceFile("/dev/full", program_, handlers_, 1), base::UserError);
}

}  // namespace
}  // namespace heddle::telemetry
