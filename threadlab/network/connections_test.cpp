#include "threadlab/network/connections.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "threadlab/commands/work.hpp"
#include "threadlab/models/task.hpp"

namespace heddle::threadlab {
namespace {

class ThreadlabConnections : public testing::Test {
 protected:
  Task& task() { return tasks_.emplace_back(tasks_.size(), std::make_unique<Sleep>("sleep", 0), 0); }

  std::deque<Task> tasks_;
};

TEST_F(ThreadlabConnections, TheSlotThatWasGivenBackLastIsTakenFirst) {
  Connections connections(3);
  Slot* const one = connections.take(task());
  Slot* const other = connections.take(task());
  EXPECT_NE(one, other);
  EXPECT_EQ(connections.give_back(*one), nullptr);
  EXPECT_EQ(connections.give_back(*other), nullptr);
  EXPECT_EQ(connections.take(task()), other);
  EXPECT_EQ(connections.take(task()), one);
}

TEST_F(ThreadlabConnections, WhoIsFirstInLineIsHandedTheNextOne) {
  Connections connections(1);
  Slot* const slot = connections.take(task());
  Task& first = task();
  Task& second = task();
  EXPECT_EQ(connections.take(first), nullptr);
  EXPECT_EQ(connections.take(second), nullptr);
  EXPECT_EQ(connections.handed_to(first), nullptr);
  EXPECT_EQ(connections.give_back(*slot), &first);
  EXPECT_EQ(connections.handed_to(second), nullptr);
  EXPECT_EQ(connections.handed_to(first), slot);
  EXPECT_EQ(connections.handed_to(first), nullptr);
}

TEST_F(ThreadlabConnections, WhoLeavesTheLineIsHandedNothingAndHandsOnWhatItHas) {
  Connections connections(1);
  Slot* const slot = connections.take(task());
  Task& first = task();
  Task& second = task();
  Task& third = task();
  for (Task* const each : {&first, &second, &third}) EXPECT_EQ(connections.take(*each), nullptr);
  EXPECT_EQ(connections.leave(first), nullptr);
  EXPECT_EQ(connections.give_back(*slot), &second);
  EXPECT_EQ(connections.leave(second), &third);
  EXPECT_EQ(connections.handed_to(third), slot);
}

}  // namespace
}  // namespace heddle::threadlab
