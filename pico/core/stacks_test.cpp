// Stacks, their guards, and what happens to a thread that needs more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "pico/pico.hpp"

namespace heddle::pico {
namespace {

using ::testing::HasSubstr;

// Uses about `bytes` of stack, all of them.
[[gnu::noinline]] int use_stack(std::size_t bytes) {
  volatile char frame[1024];
  std::memset(const_cast<char*>(frame), 1, sizeof frame);
  return bytes <= sizeof frame ? frame[0] : frame[1] + use_stack(bytes - sizeof frame);
}

TEST(PicoStacks, AreDistinctAndUsedAgain) {
  std::vector<Stack> stacks;
  StackSource::of_the_process().take(1000, stacks);
  StackSource::of_the_process().take(1000, stacks);
  std::set<char*> bottoms;
  for (const Stack& stack : stacks) {
    EXPECT_TRUE(stack.intact());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(stack.top()) % 16, 0U);
    bottoms.insert(stack.bottom());
  }
  EXPECT_EQ(bottoms.size(), 2000U);
  StackSource::of_the_process().give_back(2000, stacks);
  StackSource::of_the_process().take(1, stacks);
  EXPECT_TRUE(bottoms.contains(stacks.front().bottom()));
  StackSource::of_the_process().give_back(1, stacks);
}

TEST(PicoStacks, WithoutAGuardAWrittenBottomIsNoticed) {
  alignas(16) static char memory[Stack::kBytes];
  const Stack stack(memory, false);
  EXPECT_TRUE(stack.intact());
  memory[100] = 0;
  EXPECT_TRUE(stack.intact());
  memory[Stack::kGuard - 1] = 1;
  EXPECT_FALSE(stack.intact());
}

#ifdef HEDDLE_PICO_TSAN
constexpr int kMany = 100;  // it keeps megabytes for each
#else
constexpr int kMany = 3000;
#endif

TEST(PicoStacks, ManyThreadsOfRandomDepthEnd) {
  pico::run([] {
    std::mt19937 random(7);
    Scope scope;
    for (int i = 0; i < kMany; ++i)
      scope.spawn([bytes = random() % 40'000] {
        use_stack(bytes);
        yield();
        use_stack(bytes / 2);
      });
    scope.join();
  });
}

TEST(PicoStacks, OnBigStackThereIsMore) {
  pico::run([] {
    EXPECT_GT(on_big_stack([] { return use_stack(1 << 20); }), 0);
    EXPECT_THROW(on_big_stack([]() -> int { throw std::runtime_error("broken"); }), std::runtime_error);
  });
}

// Sanitizers have memory of their own for each stack, much address space, and handlers of faults.
#if !defined(HEDDLE_PICO_ASAN) && !defined(HEDDLE_PICO_TSAN)
std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  file >> pages >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(PicoStacks, AThreadThatWaitsHasAPageAndOneThatHasNotStartedHasNone) {
  constexpr std::size_t kThreads = 20'000;
  pico::run([] {
    Scope scope;
    const std::size_t before = resident_bytes();
    for (std::size_t i = 0; i < kThreads; ++i) scope.spawn([] { sleep_for(std::chrono::hours(1)); });
    const std::size_t unstarted = (resident_bytes() - before) / kThreads;
    sleep_for(std::chrono::milliseconds(1));  // all others run before this one goes on
    const std::size_t waiting = (resident_bytes() - before) / kThreads;
    EXPECT_LE(unstarted, 256U);
    EXPECT_LE(waiting, 4500U);
    scope.cancel();
  });
}

TEST(PicoStacksDeathTest, AnOverflowEndsTheProcessAndNamesTheThread) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(pico::run([] { use_stack(2 * Stack::kBytes); }), ::testing::KilledBySignal(SIGABRT),
              "pico: thread 2 ran over the end of its stack");
}

TEST(PicoStacksDeathTest, WithoutAddressSpaceTheMessageSaysWhatToDo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto many = [] {
    const rlimit few{std::size_t{1} << 30, std::size_t{1} << 30};
    setrlimit(RLIMIT_AS, &few);
    pico::run([] {
      for (int i = 0; i < 40'000; ++i) spawn([] { sleep_for(std::chrono::hours(1)); });
    });
  };
  EXPECT_EXIT(many(), ::testing::KilledBySignal(SIGABRT), "no address space for one more stack");
}
#endif

}  // namespace
}  // namespace heddle::pico
