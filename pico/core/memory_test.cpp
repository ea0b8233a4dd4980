// What happens where there is no memory: each allocation of a program that uses all of pico fails once, in a run of its
// own. The run ends by std::bad_alloc, or goes on without it; nothing hangs, and nothing is left behind.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>
#include <optional>
#include <system_error>
#include <vector>

#include "pico/pico.hpp"

namespace {

std::atomic<long> allocated{0};
std::atomic<long> until_refused{-1};  // how many succeed; below 0 they all do
std::atomic<long> refused_in_a_row{0};

bool refused() {
  long left = until_refused.load();
  while (left >= 0)
    if (until_refused.compare_exchange_weak(left, left - 1)) break;
  if (left == 0) {
    --refused_in_a_row;
    if (refused_in_a_row.load() > 0) until_refused = 0;
  }
  return left == 0;
}

}  // namespace

void* operator new(std::size_t size) {
  void* const memory = refused() ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  ++allocated;
  return memory;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  void* const memory = refused() ? nullptr : std::malloc(size);
  if (memory != nullptr) ++allocated;
  return memory;
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr) --allocated;
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace heddle::pico {
namespace {

using std::chrono::microseconds;

// More than a ready queue has room for at first.
constexpr int kThreads = 150;

void threads_that_sleep(Scope::Options options) {
  Scope scope(options);
  std::vector<Thread<int>> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.push_back(scope.spawn([i] {
      sleep_for(microseconds(i % 3));
      return i;
    }));
  for (Thread<int>& thread : threads) thread.join();
  scope.join();
}

void threads_that_talk() {
  Channel<int> values(3);
  Mutex mutex;
  Condition changed;
  int seen = 0;
  Scope scope;
  scope.spawn([&] {
    for (int i = 0; i < 10; ++i) values.send(i);
    values.close();
  });
  scope.spawn([&] {
    for (bool more = true; more;)
      Select()
          .receive(values,
                   [&](std::optional<int> value) {
                     more = value.has_value();
                     const std::unique_lock lock(mutex);
                     ++seen;
                     changed.notify_all();
                   })
          .at(Clock::now() + std::chrono::seconds(10), [] { FAIL() << "no value has come"; })
          .wait();
  });
  std::unique_lock lock(mutex);
  // Until then only: a thread of the scope may have ended by what this is about.
  changed.wait_until(lock, Clock::now() + std::chrono::milliseconds(20), [&] { return seen == 11; });
  lock.unlock();
  scope.join();
}

void sockets() {
  int both[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, both), 0);
  std::optional<Socket> left;
  try {
    left.emplace(both[0]);
  } catch (const std::bad_alloc&) {
    ::close(both[1]);
    throw;
  }
  Socket right(both[1]);
  Scope scope;
  scope.spawn([&] {
    char byte;
    right.read({&byte, 1});
  });
  yield();
  left->write("x");
  scope.join();
  EXPECT_EQ(on_helper([] { return 7; }), 7);
}

// Runs it with one allocation after the other refused, `in_a_row` of them, until there are not so many.
template <class Program>
void refuse_each(std::size_t workers, long in_a_row, Program program) {
  Options options;
  options.workers = workers;
  const auto run_it = [&] { pico::run(options, program); };
  run_it();
  run_it();  // what is kept for ever has been allocated
  bool was_refused = true;
  for (long at = 0; was_refused; ++at) {
    const long before = allocated.load();
    refused_in_a_row = in_a_row;
    until_refused = at;
    try {
      run_it();
    } catch (const std::bad_alloc&) {
    } catch (const std::system_error&) {  // no helper could be started
    }
    until_refused = -1;
    was_refused = refused_in_a_row.load() < in_a_row;
    ASSERT_EQ(allocated.load(), before) << "behind allocation " << at;
  }
}

TEST(PicoMemory, ThreadsThatCannotBeSpawnedAreNotThere) {
  for (const long in_a_row : {1, 3}) refuse_each(1, in_a_row, [] { threads_that_sleep({}); });
}

TEST(PicoMemory, NorAreThoseThatSeveralWorkersShare) {
  for (const long in_a_row : {1, 3}) refuse_each(2, in_a_row, [] { threads_that_sleep({.spread = true}); });
}

TEST(PicoMemory, ThreadsThatTalkEndAllTheSame) { refuse_each(1, 1, threads_that_talk); }

TEST(PicoMemory, SocketsAndHelpersDoToo) { refuse_each(1, 1, sockets); }

TEST(PicoMemory, ASpawnThatFailsLeavesTheScopeAsItWas) {
  pico::run([] {
    Scope scope;
    int ended = 0;
    int spawned = 0;
    for (int i = 0; i < kThreads; ++i) {
      refused_in_a_row = 1;
      until_refused = i % 2;  // the task's own block, or what comes next if anything does
      try {
        scope.spawn([&] { ++ended; });
        ++spawned;
      } catch (const std::bad_alloc&) {
      }
      until_refused = -1;
    }
    scope.join();
    EXPECT_EQ(ended, spawned);
    EXPECT_LE(spawned, kThreads / 2);
  });
}

}  // namespace
}  // namespace heddle::pico
