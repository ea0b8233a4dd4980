#include "threadlab/models/watch.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "threadlab/commands/work.hpp"

namespace heddle::threadlab {
namespace {

constexpr base::Nanoseconds kMillisecond = 1'000'000;

class ThreadlabWatch : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pipe(pipe_.data()), 0); }
  void TearDown() override {
    for (const int end : pipe_) close(end);
  }
  Task& task() { return tasks_.emplace_back(tasks_.size(), std::make_unique<Sleep>("sleep", 0), 0); }
  static base::Nanoseconds in_ms(base::Nanoseconds time) { return base::monotonic_ns() + time * kMillisecond; }
  void write_byte() { ASSERT_EQ(write(pipe_[1], "x", 1), 1); }

  std::array<int, 2> pipe_{};
  std::deque<Task> tasks_;
  std::mutex mutex_;
  Watch::Lock lock_{mutex_};
  Watch watch_;
};

using Tasks = Board::Tasks;

TEST_F(ThreadlabWatch, ADescriptorThatCanBeReadEndsTheWait) {
  Task& reader = task();
  watch_.add(reader, Step::socket(pipe_[0], Step::kNever), Step::kNever);
  EXPECT_EQ(watch_.wait(lock_, in_ms(1)), Tasks{});
  write_byte();
  EXPECT_EQ(watch_.wait(lock_, in_ms(5000)), Tasks{&reader});
  EXPECT_EQ(watch_.wait(lock_, in_ms(1)), Tasks{});  // once
  watch_.add(reader, Step::socket(pipe_[0], Step::kNever), Step::kNever);
  EXPECT_EQ(watch_.wait(lock_, in_ms(5000)), Tasks{&reader});
}

TEST_F(ThreadlabWatch, TimesComeInTheirOrder) {
  Task& late = task();
  Task& early = task();
  watch_.add(late, Step::timer(in_ms(30)), Step::kNever);
  watch_.add(early, Step::timer(in_ms(1)), Step::kNever);
  EXPECT_EQ(watch_.wait(lock_, in_ms(5000)), Tasks{&early});
  EXPECT_EQ(watch_.wait(lock_, in_ms(5000)), Tasks{&late});
}

TEST_F(ThreadlabWatch, NobodyWaitsBeyondTheDeadline) {
  Task& reader = task();
  watch_.add(reader, Step::socket(pipe_[0], Step::kNever), in_ms(2));
  EXPECT_EQ(watch_.wait(lock_, in_ms(5000)), Tasks{&reader});
  write_byte();  // of a wait that is over
  EXPECT_EQ(watch_.wait(lock_, in_ms(1)), Tasks{});
}

TEST_F(ThreadlabWatch, AKickEndsAWaitThatIsAboutToBegin) {
  watch_.kick();
  const base::Nanoseconds start = base::monotonic_ns();
  EXPECT_EQ(watch_.wait(lock_, in_ms(20'000)), Tasks{});
  EXPECT_LT(base::monotonic_ns() - start, 10'000 * kMillisecond);
}

TEST_F(ThreadlabWatch, WhoAddsAnEarlierTimeIsToldThatTheWaitIsTooLong) {
  EXPECT_EQ(watch_.wait(lock_, in_ms(1)), Tasks{});
  EXPECT_FALSE(watch_.add(task(), Step::timer(in_ms(5000)), Step::kNever));
  std::thread other([this] {
    for (bool outdated = false; !outdated;) {
      const std::lock_guard lock(mutex_);
      outdated = watch_.add(tasks_[1], Step::timer(in_ms(1)), Step::kNever);
      if (outdated) watch_.kick();
    }
  });
  task();
  Tasks due;
  while (due.empty()) due = watch_.wait(lock_, in_ms(20'000));
  EXPECT_EQ(due, Tasks{&tasks_[1]});
  lock_.unlock();
  other.join();
}

TEST_F(ThreadlabWatch, ADescriptorThatCannotBeWatchedIsTheTasksMatter) {
  Task& reader = task();
  watch_.add(reader, Step::socket(12345, Step::kNever), Step::kNever);
  EXPECT_EQ(watch_.wait(lock_, in_ms(5000)), Tasks{&reader});
}

TEST_F(ThreadlabWatch, AllCanBeTaken) {
  Task& reader = task();
  Task& sleeper = task();
  watch_.add(reader, Step::socket(pipe_[0], Step::kNever), Step::kNever);
  watch_.add(sleeper, Step::timer(in_ms(5000)), Step::kNever);
  EXPECT_EQ(watch_.take_all().size(), 2U);
  EXPECT_TRUE(watch_.take_all().empty());
}

}  // namespace
}  // namespace heddle::threadlab
