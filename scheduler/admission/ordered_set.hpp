// A sorted set of elements that carry their own links: it allocates nothing, removes from anywhere, and finds the last
// element that stands before a given one.
//
// It is a treap (Seidel and Aragon, Randomized Search Trees, 1996): a search tree by `before(a, b)` and at the same
// time a heap by `heap_weight(x)`, which must look random. Both are found by argument-dependent look-up. Unlike the
// textbook's, it remembers both ends, because elements mostly arrive at the end and leave at the front: both cost O(1)
// there, and O(log n) expected elsewhere.
//
// Invariants: no two elements are equal by `before`; an element is in at most one set per node member; the elements do
// not refer to the set, so the set object may be moved.
#pragma once

#include <utility>

namespace heddle::scheduler {

template <class T>
struct OrderedNode {
  T* parent = nullptr;
  T* left = nullptr;
  T* right = nullptr;
};

template <class T, OrderedNode<T> T::* kNode>
class OrderedSet {
 public:
  bool empty() const { return root_ == nullptr; }
  T* first() const { return first_; }

  // The last element that stands before `x`, which may but need not be in the set; nullptr if there is none.
  T* last_before(const T& x) const {
    if (empty() || !before(*first_, x)) return nullptr;
    if (before(*last_, x)) return last_;
    T* found = nullptr;
    for (T* at = root_; at != nullptr;) {
      if (before(*at, x)) {
        found = at;
        at = (at->*kNode).right;
      } else {
        at = (at->*kNode).left;
      }
    }
    return found;
  }

  void insert(T& x) {
    x.*kNode = {};
    if (empty()) {
      root_ = first_ = last_ = &x;
      return;
    }
    if (before(*last_, x)) {
      attach(x, *last_, &OrderedNode<T>::right);
      last_ = &x;
    } else {
      descend(x);
    }
    while ((x.*kNode).parent != nullptr && heap_weight(*(x.*kNode).parent) < heap_weight(x)) rotate_up(x);
  }

  void erase(T& x) {
    if (first_ == &x) first_ = neighbour(x, &OrderedNode<T>::right, &OrderedNode<T>::left);
    if (last_ == &x) last_ = neighbour(x, &OrderedNode<T>::left, &OrderedNode<T>::right);
    while ((x.*kNode).left != nullptr && (x.*kNode).right != nullptr) {
      T* const left = (x.*kNode).left;
      T* const right = (x.*kNode).right;
      rotate_up(heap_weight(*left) < heap_weight(*right) ? *right : *left);
    }
    T* const child = (x.*kNode).left != nullptr ? (x.*kNode).left : (x.*kNode).right;
    if (child != nullptr) (child->*kNode).parent = (x.*kNode).parent;
    replace_in_parent(x, child);
    x.*kNode = {};
  }

 private:
  using Side = T* OrderedNode<T>::*;

  static void attach(T& x, T& parent, Side side) {
    (parent.*kNode).*side = &x;
    (x.*kNode).parent = &parent;
  }

  void descend(T& x) {
    if (before(x, *first_)) first_ = &x;
    T* at = root_;
    for (;;) {
      const Side side = before(x, *at) ? &OrderedNode<T>::left : &OrderedNode<T>::right;
      T* const next = (at->*kNode).*side;
      if (next == nullptr) {
        attach(x, *at, side);
        return;
      }
      at = next;
    }
  }

  void replace_in_parent(T& x, T* replacement) {
    T* const parent = (x.*kNode).parent;
    if (parent == nullptr) {
      root_ = replacement;
    } else if ((parent->*kNode).left == &x) {
      (parent->*kNode).left = replacement;
    } else {
      (parent->*kNode).right = replacement;
    }
  }

  void rotate_up(T& x) {
    T& parent = *(x.*kNode).parent;
    const bool is_left = (parent.*kNode).left == &x;
    const Side near = is_left ? &OrderedNode<T>::left : &OrderedNode<T>::right;
    const Side far = is_left ? &OrderedNode<T>::right : &OrderedNode<T>::left;
    T* const middle = (x.*kNode).*far;
    replace_in_parent(parent, &x);
    (x.*kNode).parent = (parent.*kNode).parent;
    (parent.*kNode).*near = middle;
    if (middle != nullptr) (middle->*kNode).parent = &parent;
    attach(parent, x, far);
  }

  // The next element in the direction `away`; `back` is the opposite one.
  static T* neighbour(T& x, Side away, Side back) {
    if (T* at = (x.*kNode).*away; at != nullptr) {
      while ((at->*kNode).*back != nullptr) at = (at->*kNode).*back;
      return at;
    }
    T* from = &x;
    T* at = (x.*kNode).parent;
    while (at != nullptr && (at->*kNode).*away == from) from = std::exchange(at, (at->*kNode).parent);
    return at;
  }

  T* root_ = nullptr;
  T* first_ = nullptr;
  T* last_ = nullptr;
};

}  // namespace heddle::scheduler
