// One due call of a handler, as admission control sees it.
//
// The owner embeds it in its own record, whose address must not change from enqueue() to complete() or cancel(). All
// fields are read and written under the mutex that guards the Admission object.
#pragma once

#include <cstdint>

#include "base/clock.hpp"
#include "scheduler/admission/constraints.hpp"
#include "scheduler/admission/ordered_set.hpp"

namespace heddle::scheduler {

struct Invocation;

// First in, first out, with removal from anywhere. An invocation is in at most one list: the fresh ones of its
// priority, or those parked on its blocker.
struct InvocationList {
  Invocation* first = nullptr;
  Invocation* last = nullptr;

  bool empty() const { return first == nullptr; }
  void push_back(Invocation& x);
  // Before those of later rounds.
  void insert_by_round(Invocation& x);
  void remove(Invocation& x);
};

struct Invocation {
  static constexpr std::uint32_t kNone = 0xffffffff;

  enum class State : std::uint8_t {
    kIdle,    // not known to Admission
    kReady,   // queued, and take() may consider it
    kParked,  // queued, and known not to be admissible before its blocker has completed or is cancelled
    kRunning  // returned by take()
  };

  // Written by the owner before enqueue(), then constant until the invocation is idle again; but see expect_long().
  ClassId klass = kUnknownClass;
  std::uint16_t priority = 0;  // lower goes first
  // Within a priority, earlier rounds go first. A round is what one poll of the outside world made due, together with
  // what its handlers make due in turn: one thread would have dealt with all of it before it polled again.
  std::uint64_t round = 0;
  bool heavy = false;             // predicted to run long
  bool pinned = false;            // only the thread that entered the loop may run it
  std::uint32_t handler = kNone;  // the owner's index, only passed on to `held_by` of others
  std::uintptr_t session = 0;     // start of the session object, 0: no session
  // An object that the library works on without a lock; 0: none. Two on one strand conflict, whatever their classes.
  std::uintptr_t strand = 0;

  // Written by Admission, read by the owner.
  State state = State::kIdle;
  std::uint64_t sequence = 0;     // order of arrival, from 1
  std::uint64_t start_order = 0;  // from 1
  base::Nanoseconds ready_ns = 0;
  base::Nanoseconds start_ns = 0;
  std::uint32_t held_by = kNone;  // `handler` of whoever held it back longest, kNone if nobody did
  base::Nanoseconds held_ns = 0;  // for how long

  // Private to Admission; admission.hpp describes the sets that these link.
  bool waiting = false;
  std::uint32_t running_index = 0;
  base::Nanoseconds parked_ns = 0;
  base::Nanoseconds first_waited_ns = 0;
  Invocation* blocker = nullptr;
  InvocationList waiters;
  Invocation* previous = nullptr;
  Invocation* next = nullptr;
  OrderedNode<Invocation> candidate_node;
  OrderedNode<Invocation> class_node;
  OrderedNode<Invocation> session_node;
  OrderedNode<Invocation> strand_node;
};

// The order in which invocations have a right to start.
inline bool before(const Invocation& a, const Invocation& b) {
  if (a.priority != b.priority) return a.priority < b.priority;
  return a.round != b.round ? a.round < b.round : a.sequence < b.sequence;
}

// The finaliser of splitmix64 (Steele, Lea and Flood, 2014): consecutive sequence numbers get unrelated weights.
inline std::uint64_t heap_weight(const Invocation& x) {
  std::uint64_t z = x.sequence * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

inline void InvocationList::push_back(Invocation& x) {
  x.previous = last;
  x.next = nullptr;
  (last != nullptr ? last->next : first) = &x;
  last = &x;
}

inline void InvocationList::insert_by_round(Invocation& x) {
  Invocation* behind = first != nullptr && x.round < first->round ? nullptr : last;
  while (behind != nullptr && behind->round > x.round) behind = behind->previous;
  if (behind == last) {
    push_back(x);
    return;
  }
  x.previous = behind;
  x.next = behind != nullptr ? behind->next : first;
  x.next->previous = &x;
  (behind != nullptr ? behind->next : first) = &x;
}

inline void InvocationList::remove(Invocation& x) {
  (x.previous != nullptr ? x.previous->next : first) = x.next;
  (x.next != nullptr ? x.next->previous : last) = x.previous;
  x.previous = x.next = nullptr;
}

}  // namespace heddle::scheduler
