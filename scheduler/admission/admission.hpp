// Which due invocation may start now.
//
// An event loop calls its handlers one at a time, in order. To run several at once and still give each program the
// results that it would have had, an invocation may start if and only if it conflicts
//   1. with no running invocation, and
//   2. with no queued invocation that stands before it in (priority, round, arrival) order.
// Rule 2 keeps conflicting invocations in order and lets nobody starve: readers cannot overtake a queued writer. Two
// invocations conflict by the verdict of their classes (constraints.hpp), or because they are on one strand.
//
// Late points. Some handlers touch part of what they share only behind a late point. The class of such a handler has a
// weaker verdict for starting, and the rules use that one: rule 1 the verdict for the invocation that starts, rule 2
// the verdict for the queued one that is overtaken, since it will start later. An invocation that reaches a late point
// waits until no running invocation that started before it conflicts with it by the whole verdict. So of two that
// conflict, the one that started later does nothing that they conflict by while the other runs, and the effects are
// those of one after the other in the order of their starts. No such wait lasts for ever: whoever waits, waits for
// running invocations that started earlier, and the earliest waits for nobody.
//
// No thread waits here. An invocation that may not start is parked on one blocker, namely the latest queued
// predecessor that it conflicts with, or else a running invocation, and take() looks at it again when the blocker
// completes or is cancelled. Parking on the latest makes a chain: when thousands conflict with each other, one
// completion releases one.
//
// Who may run it. Whoever calls take() says whether it may have what is predicted to run long, and what is pinned to
// the thread that entered the loop. An invocation that is held back only for one of these reasons keeps its place in
// the order: it blocks those behind it that it conflicts with.
//
// A queued invocation is in one of these places:
//   fresh      in the list of its priority; take() has never looked at it
//   candidate  waiting, in the set of its kind (heavy or not, pinned or not): looked at, and to be looked at again
//   parked     waiting, in the list of its blocker
// A waiting one is also in the sorted set of its class (in exclusives_ if its class conflicts with everything), in that
// of its session if that can matter, and in that of its strand. Since take() goes through fresh ones in order, all
// queued predecessors of the one that it looks at are waiting, and rule 2 has to be checked against those sets only.
//
// Cost: while nothing runs and nothing waits, take() and complete() are O(1). Otherwise they take two tests of bit
// rows, one look-up in the session table, and a search in the set of each class that is waiting and conflicts: O(1) at
// either end of the set, else O(log n). Nothing is allocated once the tables have reached their size.
//
// Not thread-safe: every call is made under the mutex of the event base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "scheduler/admission/constraints.hpp"
#include "scheduler/admission/invocation.hpp"
#include "scheduler/admission/session_table.hpp"

namespace heddle::scheduler {

// Each switch is one part of the rules above. The model test turns them off one by one, to show that it would notice.
struct AllRules {
  static constexpr bool kRunningBlocks = true;
  static constexpr bool kRunningSessionBlocks = true;
  static constexpr bool kPredecessorBlocks = true;
  static constexpr bool kSessionPredecessorBlocks = true;
  static constexpr bool kExclusivePredecessorBlocks = true;
  static constexpr bool kRunningStrandBlocks = true;
  static constexpr bool kStrandPredecessorBlocks = true;
  static constexpr bool kCompletionRetries = true;
  static constexpr bool kCancelRetries = true;
  static constexpr bool kStartRetries = true;
};

template <class Rules>
class BasicAdmission {
 public:
  // `constraints` must outlive this object. Classes may be added to it; the verdicts between classes that this object
  // has seen may not change.
  explicit BasicAdmission(const Constraints& constraints);

  BasicAdmission(const BasicAdmission&) = delete;
  BasicAdmission& operator=(const BasicAdmission&) = delete;

  // idle -> ready.
  void enqueue(Invocation& x, base::Nanoseconds now);

  // The first invocation in order that may start, which becomes running; nullptr if there is none. Heavy ones only if
  // `allow_heavy`, pinned ones only if `allow_pinned`, and only priorities up to `max_priority`.
  Invocation* take(bool allow_heavy, base::Nanoseconds now, std::uint16_t max_priority = 0xffff,
                   bool allow_pinned = true);

  // running -> idle; what was parked on it becomes ready.
  void complete(Invocation& x, base::Nanoseconds now);

  // ready or parked -> idle; what was parked on it becomes ready. False, and no change, if it is running or idle.
  bool cancel(Invocation& x);

  // A queued invocation turns out to be heavy.
  void expect_long(Invocation& x);

  // For `x`, which runs and has reached a late point: of the running invocations for whose end it must wait and for
  // which `counts` holds, the one that started first; nullptr if there is none.
  template <class Counts>
  Invocation* late_blocker(const Invocation& x, Counts counts) const {
    const Running* found = nullptr;
    for (const Running& other : running_) {
      if (other.invocation->start_order >= x.start_order || !overlap_conflicts(x, other) || !counts(*other.invocation))
        continue;
      if (found == nullptr || other.invocation->start_order < found->invocation->start_order) found = &other;
    }
    return found == nullptr ? nullptr : found->invocation;
  }

  // Of the running invocations that keep `x`, which is idle, from starting, one for which `counts` holds; nullptr if
  // there is none.
  template <class Counts>
  Invocation* running_blocker(const Invocation& x, Counts counts) {
    if (x.klass >= classes_.size()) learn_classes();
    const auto& [always, session] = constraints_.blocked_by(x.klass);
    for (const Running& other : running_) {
      const bool blocks = always.test(other.klass) ||
                          (x.session != 0 && other.session == x.session && session.test(other.klass)) ||
                          (x.strand != 0 && other.strand == x.strand);
      if (blocks && counts(*other.invocation)) return other.invocation;
    }
    return nullptr;
  }

  // False if take() with these permissions would find nothing now. True may be optimistic.
  bool has_ready(bool allow_heavy, bool allow_pinned = true) const;
  // False if take() would find nothing pinned now. True may be optimistic, except that it looks at no fresh invocation
  // but the first: whoever takes that one will look further.
  bool has_pinned_ready(bool allow_heavy, std::uint16_t max_priority = 0xffff) const;

  std::size_t running() const { return running_.size(); }
  std::size_t queued() const { return queued_; }

  // Elementary steps made so far, by which tests measure complexity independently of the machine.
  std::uint64_t steps() const { return steps_; }

 private:
  using CandidateSet = OrderedSet<Invocation, &Invocation::candidate_node>;
  using ClassSet = OrderedSet<Invocation, &Invocation::class_node>;
  using SessionSet = OrderedSet<Invocation, &Invocation::session_node>;
  using StrandSet = OrderedSet<Invocation, &Invocation::strand_node>;

  struct ClassState {
    bool exclusive = false;
    bool has_session_verdicts = false;
    bool releases_at_start = false;  // while queued it may block invocations that it does not block once it runs
    std::uint32_t running = 0;
    ClassSet waiting;
  };

  // The pointer, and beside it what a conflict test needs: scanning the running ones touches one array.
  struct Running {
    std::uintptr_t session;
    std::uintptr_t strand;
    ClassId klass;
    Invocation* invocation;
  };

  // The last stretch of time in which invocations of exclusive classes ran back to back. While they run, take() starts
  // nothing and so parks nothing on them; how long they held others back follows from this record.
  struct Alone {
    std::uint32_t handler = Invocation::kNone;
    base::Nanoseconds since = 0;
    base::Nanoseconds end = 0;
  };

  bool overlap_conflicts(const Invocation& x, const Running& other) const {
    const Verdict verdict = constraints_.verdict(x.klass, other.klass);
    return verdict == Verdict::kAlways ||
           (verdict == Verdict::kSession && x.session != 0 && x.session == other.session);
  }
  void learn_classes();
  Invocation* first_fresh() const;
  Invocation* next_candidate(bool allow_heavy, bool allow_pinned) const;
  bool behind_exclusive(const Invocation& x) const;
  bool unopposed(const Invocation& x) const;
  Invocation* find_blocker(const Invocation& x);
  Invocation* find_waiting_blocker(const Invocation& x);
  Invocation* find_running_blocker(const Invocation& x);

  void start(Invocation& x, base::Nanoseconds now);
  void park(Invocation& x, Invocation& blocker, base::Nanoseconds now);
  void hold(Invocation& x, base::Nanoseconds now);
  void release_waiters(Invocation& x, std::optional<base::Nanoseconds> now);
  void leave_queue(Invocation& x);

  void enter_waiting(Invocation& x, base::Nanoseconds now);
  void leave_waiting(Invocation& x);
  void remove_fresh(Invocation& x);
  bool uses_session_table(const Invocation& x) const;
  CandidateSet& candidates_for(const Invocation& x) {
    return x.pinned ? (x.heavy ? pinned_heavy_ : pinned_light_) : (x.heavy ? heavy_ : light_);
  }

  const Constraints& constraints_;
  std::uint64_t last_sequence_ = 0;
  std::uint64_t last_start_ = 0;
  std::uint64_t steps_ = 0;
  std::size_t queued_ = 0;
  std::size_t waiting_ = 0;

  std::vector<InvocationList> fresh_;  // by priority
  BitRow fresh_priorities_;            // those whose list is not empty

  std::vector<ClassState> classes_;
  BitRow waiting_classes_;  // those with a non-empty set; exclusive classes are never in it
  ClassSet exclusives_;
  SessionTable<SessionSet> sessions_;
  SessionTable<StrandSet> strands_;  // by strand, all of the unknown class
  CandidateSet light_;
  CandidateSet heavy_;
  CandidateSet pinned_light_;
  CandidateSet pinned_heavy_;

  std::vector<Running> running_;
  BitRow running_classes_;
  bool exclusive_running_ = false;
  Alone alone_;
};

using Admission = BasicAdmission<AllRules>;
extern template class BasicAdmission<AllRules>;

}  // namespace heddle::scheduler
