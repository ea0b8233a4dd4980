#include "base/quick_mutex.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
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

TEST(QuickMutex, OneThreadExcludesItself) {
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

TEST(QuickMutex, AThreadThatIsStartedWhileItIsHeldWaitsForIt) {
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

TEST(QuickMutex, WhoHoldsItSinceThereWasOneThreadMayWaitForACondition) {
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

TEST(QuickMutex, OneThreadMayWaitForAWhile) {
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

TEST(QuickMutex, AChildOfForkGivesBackWhatItsParentHeld) {
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

TEST(QuickMutex, WhoHoldsItSinceThereWasOneThreadIsKnownWhenThereAreOthers) {
  EXPECT_EQ(in_child([] {
              QuickMutex mutex;
              mutex.lock();
              std::atomic<bool> mine_elsewhere{true};
              std::thread([&] { mine_elsewhere = mutex.is_mine() || QuickMutex::is_any_mine(); }).join();
              std::atomic<bool> over{false};
              std::thread other([&] {
                while (!over) std::this_thread::yield();
              });
              const bool mine = mutex.is_mine() && QuickMutex::is_any_mine() && !mutex.lock_unless_mine();
              over = true;
              other.join();
              mutex.unlock();
              return mine && !mine_elsewhere && !mutex.is_mine() && !QuickMutex::is_any_mine();
            }),
            0);
}

QuickMutex* waited_with = nullptr;
std::atomic<int> interrupted{0};

// Signals come at every point of a wait, also where the thread has the C library's mutex and not this one.
TEST(QuickMutex, TheFunctionOfASignalMayInterruptWhoWaitsForACondition) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer calls the functions of signals at points of its own";
#endif
#endif
  EXPECT_EQ(in_child([] {
              constexpr int kSignals = 20'000;
              static QuickMutex mutex;
              static QuickCondition never;
              waited_with = &mutex;
              alarm(60);
              struct sigaction action{};
              action.sa_handler = [](int) {
                if (waited_with->lock_unless_mine()) waited_with->unlock();
                ++interrupted;
              };
              sigaction(SIGUSR1, &action, nullptr);
              std::thread waiter([] {
                QuickCondition::Lock lock(mutex);
                while (interrupted < kSignals) never.wait_for(lock, std::chrono::nanoseconds(1));
              });
              while (interrupted < kSignals) pthread_kill(waiter.native_handle(), SIGUSR1);
              waiter.join();
              return !QuickMutex::is_any_mine();
            }),
            0);
}

TEST(QuickMutex, ThreadsExcludeEachOther) {
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
