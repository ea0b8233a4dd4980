#include "base/quick_mutex.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

// Each test begins in a process of one thread, where the C library says so: a child that gtest has not made threads in.
namespace heddle::base {
namespace {

// The exit status of a child that runs `function`, which returns whether all was well.
template <class Function>
int in_child(Function function) {
  const pid_t child = fork();
  if (child == 0) _exit(function() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(QuickMutex, one_thread_excludes_itself) {
  EXPECT_EQ(in_child([] {
              QuickMutex mutex;
              mutex.lock();
              const bool twice = mutex.try_lock();
              mutex.unlock();
              const bool again = mutex.try_lock();
              return !twice && again;
            }),
            0);
}

TEST(QuickMutex, a_thread_that_is_started_while_it_is_held_waits_for_it) {
  EXPECT_EQ(in_child([] {
              QuickMutex mutex;
              int guarded = 0;
              mutex.lock();
              std::thread other([&] {
                const std::lock_guard guard(mutex);
                guarded *= 2;
              });
              std::this_thread::sleep_for(std::chrono::milliseconds(20));
              guarded = 21;
              mutex.unlock();
              other.join();
              const std::lock_guard guard(mutex);
              return guarded == 42;
            }),
            0);
}

TEST(QuickMutex, who_holds_it_since_there_was_one_thread_may_wait_for_a_condition) {
  EXPECT_EQ(in_child([] {
              QuickMutex mutex;
              QuickCondition changed;
              bool done = false;
              QuickCondition::Lock lock(mutex);
              std::thread other([&] {
                const std::lock_guard guard(mutex);
                done = true;
                changed.notify_all();
              });
              while (!done) changed.wait(lock);
              lock.unlock();
              other.join();
              return mutex.try_lock();
            }),
            0);
}

TEST(QuickMutex, one_thread_may_wait_for_a_while) {
  EXPECT_EQ(in_child([] {
              QuickMutex mutex;
              QuickCondition changed;
              QuickCondition::Lock lock(mutex);
              changed.wait_for(lock, std::chrono::milliseconds(1));
              const bool held = !mutex.try_lock();
              lock.unlock();
              return held && mutex.try_lock();
            }),
            0);
}

TEST(QuickMutex, a_child_of_fork_gives_back_what_its_parent_held) {
  EXPECT_EQ(in_child([] {
              QuickMutex alone;
              alone.lock();
              std::thread([] {}).join();
              QuickMutex among_others;
              among_others.lock();
              return in_child([&] {
                       alone.unlock();
                       among_others.unlock();
                       return alone.try_lock() && among_others.try_lock();
                     }) == 0;
            }),
            0);
}

TEST(QuickMutex, threads_exclude_each_other) {
  constexpr int kThreads = 4;
  constexpr int kTimes = 20'000;
  QuickMutex mutex;
  long count = 0;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < kTimes; ++j) {
        const std::lock_guard guard(mutex);
        ++count;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, long{kThreads} * kTimes);
}

}  // namespace
}  // namespace heddle::base
