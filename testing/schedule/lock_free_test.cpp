// The explorer on lock-free code: a stack and a queue that are right, and the same with one memory order too weak,
// which must be found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <deque>
#include <vector>

#include "base/sync.hpp"
#include "testing/schedule/explorer.hpp"
#include "testing/schedule/model_sync.hpp"

namespace heddle::schedule {
namespace {

using ::testing::HasSubstr;
using Order = std::memory_order;

constexpr std::uint64_t kSchedules = 2000;

// A stack of nodes that its users own and push once (Treiber, Systems Programming: Coping with Parallelism, 1986).
template <class Sync>
class Stack {
 public:
  struct Node {
    typename Sync::template Plain<int> value;
    typename Sync::template Plain<Node*> next;
  };

  Stack(Order push, Order pop) : push_(push), pop_(pop) {}

  void push(Node& node) {
    Node* top = top_.load(std::memory_order_relaxed);
    do {
      node.next.write() = top;
    } while (!top_.compare_exchange_weak(top, &node, push_, std::memory_order_relaxed));
  }

  Node* pop() {
    Node* top = top_.load(pop_);
    while (top != nullptr && !top_.compare_exchange_weak(top, top->next.read(), pop_, pop_)) {
    }
    return top;
  }

 private:
  const Order push_;  // release: whoever pops the node reads what was written to it before
  const Order pop_;   // acquire: pairs with push_
  typename Sync::template Atomic<Node*> top_{nullptr};
};

// Two threads push two numbers each and pop two of all.
template <class Sync>
int sum_through_stack(Order push, Order pop) {
  Stack<Sync> stack(push, pop);
  std::array<typename Stack<Sync>::Node, 4> nodes;
  std::array<int, 2> sums{};
  const auto work = [&](std::size_t me) {
    for (std::size_t i = 2 * me; i < 2 * me + 2; ++i) {
      nodes[i].value.write() = 1 << i;
      stack.push(nodes[i]);
    }
    for (int i = 0; i < 2; ++i) sums[me] += stack.pop()->value.read();
  };
  typename Sync::Thread other([&] { work(1); });
  work(0);
  other.join();
  return sums[0] + sums[1];
}

std::string explore_stack(Order push, Order pop) {
  return explore(kSchedules, [=] {
    if (sum_through_stack<ModelSync>(push, pop) != 15) fail("a node was lost or came twice");
  });
}

TEST(ScheduleLockFreeStack, PassesWithReleaseAndAcquire) {
  EXPECT_EQ(explore_stack(std::memory_order_release, std::memory_order_acquire), "");
  EXPECT_EQ(sum_through_stack<base::StdSync>(std::memory_order_release, std::memory_order_acquire), 15);
}

TEST(ScheduleLockFreeStack, IsFoundToNeedBoth) {
  EXPECT_THAT(explore_stack(std::memory_order_relaxed, std::memory_order_acquire), HasSubstr("race"));
  EXPECT_THAT(explore_stack(std::memory_order_release, std::memory_order_relaxed), HasSubstr("race"));
}

struct RingOrders {
  Order publish = std::memory_order_release;  // tail_, with `see`: the slot has been written
  Order see = std::memory_order_acquire;
  Order give_back = std::memory_order_release;  // head_, with `reuse`: the slot has been read
  Order reuse = std::memory_order_acquire;
};

// A ring for one producer and one consumer (Lamport, Specifying Concurrent Program Modules, 1983).
template <class Sync>
class Ring {
 public:
  explicit Ring(const RingOrders& orders) : orders_(orders) {}

  bool put(int value) {
    const unsigned tail = Sync::load_guarded(tail_);
    if (tail - head_.load(orders_.reuse) == slots_.size()) return false;
    slots_[tail % slots_.size()].write() = value;
    tail_.store(tail + 1, orders_.publish);
    return true;
  }

  bool get(int& value) {
    const unsigned head = Sync::load_guarded(head_);
    if (tail_.load(orders_.see) == head) return false;
    value = slots_[head % slots_.size()].read();
    head_.store(head + 1, orders_.give_back);
    return true;
  }

 private:
  const RingOrders orders_;
  std::array<typename Sync::template Plain<int>, 2> slots_;
  typename Sync::template Atomic<unsigned> head_{0};  // written by the consumer
  typename Sync::template Atomic<unsigned> tail_{0};  // written by the producer
};

constexpr int kNumbers = 4;

template <class Sync>
std::vector<int> send_through_ring(const RingOrders& orders) {
  Ring<Sync> ring(orders);
  typename Sync::Thread producer([&] {
    for (int i = 0; i < kNumbers; ++i)
      while (!ring.put(i)) Sync::relax();
  });
  std::vector<int> received;
  for (int value = 0; received.size() < kNumbers;) {
    if (ring.get(value)) {
      received.push_back(value);
    } else {
      Sync::relax();
    }
  }
  producer.join();
  return received;
}

std::string explore_ring(const RingOrders& orders) {
  return explore(kSchedules, [=] {
    if (send_through_ring<ModelSync>(orders) != std::vector{0, 1, 2, 3}) fail("what came is not what was sent");
  });
}

TEST(ScheduleLockFreeRing, PassesWithReleaseAndAcquire) {
  EXPECT_EQ(explore_ring({}), "");
  EXPECT_EQ(send_through_ring<base::StdSync>({}), (std::vector{0, 1, 2, 3}));
}

TEST(ScheduleLockFreeRing, IsFoundToNeedEachOfItsOrders) {
  constexpr Order kWeak = std::memory_order_relaxed;
  EXPECT_THAT(explore_ring({.publish = kWeak}), HasSubstr("a read of plain data beside a write"));
  EXPECT_THAT(explore_ring({.see = kWeak}), HasSubstr("a read of plain data beside a write"));
  EXPECT_THAT(explore_ring({.give_back = kWeak}), HasSubstr("a write of plain data beside a read"));
  EXPECT_THAT(explore_ring({.reuse = kWeak}), HasSubstr("a write of plain data beside a read"));
}

}  // namespace
}  // namespace heddle::schedule
