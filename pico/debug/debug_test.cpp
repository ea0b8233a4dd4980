// What helps to find out where threads are: backtraces on a signal, the report of a call that stops a worker, and the
// commands for gdb.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "pico/pico.hpp"

// Their names are exported, so that backtraces have them.
extern "C" {
[[gnu::noinline]] void pico_test_waits_here() {
  heddle::pico::sleep_for(std::chrono::milliseconds(50));
  std::fflush(stdout);
}
[[gnu::noinline]] void pico_test_stops_its_worker() {
  poll(nullptr, 0, 300);
  std::fflush(stdout);
}
}

namespace heddle::pico {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::internal::CaptureStderr;
using ::testing::internal::GetCapturedStderr;

Options on_signal(std::size_t workers) {
  Options options;
  options.workers = workers;
  options.backtrace_signal = SIGQUIT;
  return options;
}

TEST(PicoBacktraces, ASignalPrintsWhereEachThreadWaits) {
  CaptureStderr();
  pico::run(on_signal(1), [] {
    spawn(pico_test_waits_here);
    yield();
    std::raise(SIGQUIT);
    sleep_for(milliseconds(10));
  });
  EXPECT_THAT(GetCapturedStderr(),
              AllOf(HasSubstr("pico: thread 1\n"), HasSubstr("pico: thread 3\n"), HasSubstr("pico_test_waits_here")));
}

TEST(PicoBacktraces, WorkersThatSleepPrintToo) {
  CaptureStderr();
  pico::run(on_signal(3), [] {
    Scope scope({.spread = true});
    for (int i = 0; i < 3; ++i) scope.spawn(pico_test_waits_here);
    sleep_for(milliseconds(10));
    std::raise(SIGQUIT);
    scope.join();
  });
  const std::string text = GetCapturedStderr();
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find("pico_test_waits_here", at)) != std::string::npos; ++at) ++found;
  EXPECT_EQ(found, 3U) << text;
}

// Uses so much of its stack, and waits below that.
extern "C" [[gnu::noinline]] void pico_test_waits_deep(std::size_t bytes) {
  auto* const used = static_cast<volatile char*>(__builtin_alloca(bytes));
  for (std::size_t i = 0; i < bytes; i += 256) used[i] = 1;
  sleep_for(milliseconds(30));
}

#if !defined(HEDDLE_PICO_ASAN) && !defined(HEDDLE_PICO_TSAN)
class PicoDeepBacktraces : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(KilobytesOf60, PicoDeepBacktraces, ::testing::Values(40, 50, 52, 54, 56, 57, 58));

TEST_P(PicoDeepBacktraces, AThreadThatHasLittleStackLeftGoesOn) {
  const std::size_t kilobytes = GetParam();
  CaptureStderr();
  bool gone_on = false;
  pico::run(on_signal(1), [&] {
    spawn([&] {
      pico_test_waits_deep(kilobytes << 10);
      gone_on = true;
    });
    sleep_for(milliseconds(10));
    std::raise(SIGQUIT);
    sleep_for(milliseconds(1));
  });
  EXPECT_TRUE(gone_on);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr(kilobytes <= 50 ? "pico_test_waits_deep" : "pico: thread 3"));
}
#endif

Options watched() {
  Options options;
  options.report_blocking = milliseconds(40);
  return options;
}

TEST(PicoWatch, ReportsACallThatStopsTheWorkerOnceWithItsPlace) {
  CaptureStderr();
  pico::run(watched(), [] { pico_test_stops_its_worker(); });
  const std::string text = GetCapturedStderr();
  EXPECT_THAT(text, AllOf(HasSubstr("pico: thread 2 stops worker 0 in a call of the kernel"),
                          HasSubstr("pico_test_stops_its_worker")));
  EXPECT_EQ(text.find("stops worker"), text.rfind("stops worker")) << text;
}

TEST(PicoWatch, IsSilentAboutThreadsThatWaitByPicoOrCompute) {
  CaptureStderr();
  pico::run(watched(), [] {
    sleep_for(milliseconds(100));
    const Time end = Clock::now() + milliseconds(100);
    while (Clock::now() < end) {
    }
    on_helper([] { poll(nullptr, 0, 100); });
  });
  EXPECT_EQ(GetCapturedStderr(), "");
}

#if !defined(HEDDLE_PICO_ASAN) && !defined(HEDDLE_PICO_TSAN)
// What gdb says when the program has stopped where all of its threads wait.
std::string said_by_gdb(const std::string& command) {
  const std::string call =
      "gdb -nx -batch -ex 'set startup-with-shell off' -ex 'set debuginfod enabled off' -ex 'source " PICO_GDB
      "' -ex 'break all_wait' -ex run -ex '" +
      command + "' " PICO_DEBUGGED " 2>&1";
  const auto close = [](std::FILE* stream) { pclose(stream); };
  const std::unique_ptr<std::FILE, decltype(close)> gdb(popen(call.c_str(), "r"));
  std::string text;
  std::array<char, 4096> part{};
  for (std::size_t count = 1; count > 0;) {
    count = std::fread(part.data(), 1, part.size(), gdb.get());
    text.append(part.data(), count);
  }
  return text;
}

class PicoGdb : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("gdb --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "gdb is not installed";
  }
};

TEST_F(PicoGdb, ThreadsListsWhereEachOneWaits) {
  EXPECT_THAT(said_by_gdb("pico threads"),
              AllOf(HasSubstr("thread 1, worker 0: waits in pico itself\n"), HasSubstr("thread 2, worker 0: running\n"),
                    ContainsRegex("thread 3, worker 0: waits in [^\n]*waits_for_a_value\n"),
                    ContainsRegex("thread 4, worker 0: waits in [^\n]*waits_for_its_time\n")));
}

TEST_F(PicoGdb, BacktraceHasAllCallsOfAThread) {
  const std::string text = said_by_gdb("pico bt 3");
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find("calls_what_waits", at)) != std::string::npos; ++at) ++found;
  EXPECT_EQ(found, 3U) << text;
  EXPECT_THAT(text, AllOf(HasSubstr("debugged.cpp:"), HasSubstr("heddle::pico::Worker::enter"),
                          HasSubstr("heddle::pico::Worker::park")));
}

TEST_F(PicoGdb, AThreadThatIsNotThereIsSaidToBe) {
  EXPECT_THAT(said_by_gdb("pico bt 77"), HasSubstr("there is no thread 77"));
}
#endif

}  // namespace
}  // namespace heddle::pico
