#include "pico/core/ready_queue.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <vector>

namespace heddle::pico {
namespace {

struct Node {
  const void* where() const { return number % 2 == 0 ? nullptr : this; }
  int number = 0;
};

TEST(PicoReadyQueue, KeepsTheOrderOfADequeWhileItGrowsAndTurns) {
  std::mt19937 random(3);
  std::vector<Node> nodes(1000);
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].number = static_cast<int>(i);
  ReadyQueue<Node> queue;
  std::deque<int> expected;
  for (int step = 0; step < 50'000; ++step) {
    Node& node = nodes[random() % nodes.size()];
    queue.reserve(expected.size() + 1);
    // Grows to hundreds and shrinks again.
    const unsigned choice = random() % 16;
    if (choice == 0) {
      queue.push_front(node);
      expected.push_front(node.number);
    } else if (choice < (step / 5000 % 2 == 0 ? 9U : 7U)) {
      queue.push_back(node);
      expected.push_back(node.number);
    } else if (!expected.empty()) {
      ASSERT_EQ(queue.pop_front().number, expected.front());
      expected.pop_front();
    }
    ASSERT_EQ(queue.size(), expected.size());
    ASSERT_EQ(queue.empty(), expected.empty());
  }
}

}  // namespace
}  // namespace heddle::pico
