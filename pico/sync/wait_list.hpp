// Those that wait for one thing, the longest first; each node stands on the stack of the one that waits.
#pragma once

namespace heddle::pico {

template <class Blocker>
class WaitList;

// Guarded by the mutex of the list that it is in.
template <class Blocker>
struct Waiting {
  explicit Waiting(typename Blocker::Waiter& who) : waiter(who) {}
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  // Behind pop(): it goes on.
  void grant() {
    granted = true;
    Blocker::unpark(waiter);
  }

  typename Blocker::Waiter& waiter;
  bool granted = false;

 private:
  friend class WaitList<Blocker>;
  Waiting* before_ = nullptr;
  Waiting* behind_ = nullptr;
};

template <class Blocker>
class WaitList {
 public:
  using Node = Waiting<Blocker>;

  bool empty() const { return first_ == nullptr; }

  void push(Node& node) {
    node.before_ = last_;
    node.behind_ = nullptr;
    (last_ == nullptr ? first_ : last_->behind_) = &node;
    last_ = &node;
  }

  // Before all others: it has waited before.
  void push_first(Node& node) {
    node.before_ = nullptr;
    node.behind_ = first_;
    (first_ == nullptr ? last_ : first_->before_) = &node;
    first_ = &node;
  }

  // The one that waits longest, which is not in the list any more; null if nobody waits.
  Node* pop() {
    Node* const node = first_;
    if (node != nullptr) remove(*node);
    return node;
  }

  void remove(Node& node) {
    (node.before_ == nullptr ? first_ : node.before_->behind_) = node.behind_;
    (node.behind_ == nullptr ? last_ : node.behind_->before_) = node.before_;
  }

 private:
  Node* first_ = nullptr;
  Node* last_ = nullptr;
};

}  // namespace heddle::pico
