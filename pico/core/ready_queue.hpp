// The tasks of a worker that are ready, in the order in which they are to run.
//
// With a hundred thousand threads neither the block nor the stack of the next one is in a cache, and often the address
// is in no translation buffer either: a switch would wait for memory five times, one after the other. So they are asked
// for some switches ahead, which an array allows and a list would not, for each of its links is such a wait itself.
//
// A node has a function `where()`: the lowest address of its stack that it will use first, or null. For the worker's
// kernel thread.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/assert.hpp"

namespace heddle::pico {

template <class Node>
class ReadyQueue {
 public:
  bool empty() const { return first_ == end_; }
  std::size_t size() const { return end_ - first_; }

  // There is room for as many from now on. std::bad_alloc; nothing else here throws.
  void reserve(std::size_t count) {
    while (ring_.size() < count) [[unlikely]]
      grow();
  }

  void push_back(Node& node) {
    HEDDLE_DCHECK(size() < ring_.size());
    ring_[end_++ & mask_] = &node;
  }

  void push_front(Node& node) {
    HEDDLE_DCHECK(size() < ring_.size());
    ring_[--first_ & mask_] = &node;
  }

  // Needs !empty().
  Node& pop_front() {
    HEDDLE_DCHECK(!empty());
    Node& node = *ring_[first_++ & mask_];
    if (size() >= kMany) {
      __builtin_prefetch(ring_[(first_ + kBlockAhead) & mask_]);
      prefetch_stack(*ring_[(first_ + kStackAhead) & mask_]);
    }
    return node;
  }

 private:
  static constexpr std::size_t kFirstSize = 64;
  static constexpr std::size_t kMany = 64;
  static constexpr std::size_t kStackAhead = 4;
  static constexpr std::size_t kBlockAhead = 8;

  // The registers that were kept, and the calls that return first. Always inline: GCC takes a function that does
  // nothing but prefetch for one without effect, and leaves its call out.
  [[gnu::always_inline]] static void prefetch_stack(const Node& node) {
    constexpr std::size_t kLine = 64;
    constexpr std::size_t kLines = 4;
    const auto* const where = static_cast<const char*>(node.where());
    if (where == nullptr) return;
    for (std::size_t i = 0; i < kLines; ++i) __builtin_prefetch(where + i * kLine);
  }

  void grow() {
    std::vector<Node*> larger(ring_.empty() ? kFirstSize : 2 * ring_.size());
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) larger[i] = ring_[(first_ + i) & mask_];
    ring_ = std::move(larger);
    mask_ = ring_.size() - 1;
    first_ = 0;
    end_ = count;
  }

  std::vector<Node*> ring_;  // its size is a power of two
  std::size_t mask_ = 0;
  // They count on and wrap around; their places in the ring are the lower bits.
  std::size_t first_ = 0;
  std::size_t end_ = 0;
};

}  // namespace heddle::pico
