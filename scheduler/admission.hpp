// Which due invocation may start now.
//
// Event loops call handlers one at a time, in order. To run several at once and still give each program the results it
// would have had, an invocation may start if and only if it conflicts
//   1. with no running invocation, and
//   2. with no queued invocation that stands before it in (priority, round, arrival) order.
// Two conflict by the verdict of their classes, or if they are on one strand. Where a class has a weaker verdict for
// starting, because it touches the rest only behind late points, that one counts: in 1 for the one that
// starts, and in 2 for the one that it leaves behind, which will start later.
//
// Whoever reaches a late point waits until no running invocation that started before it conflicts with it by the whole
// verdict. So of two that conflict, the one that started later never does what they conflict by while the other runs:
// the effects are those of one after the other, in the order in which they started. And nobody waits for ever, for the
// one that started first waits for nobody, and only what runs already is waited for.
// Rule 2 keeps conflicting invocations in order and lets nobody starve: readers cannot overtake a queued writer.
//
// Nobody waits for a lock. An invocation that may not start is parked on one blocker, namely the latest queued
// predecessor it conflicts with or else a running one, and is looked at again when that one completes or is cancelled.
// Parking on the latest makes a chain: when thousands conflict with each other, one completion wakes one.
//
// A queued invocation is in one of these places:
//   fresh      in the list of its priority; take() has never looked at it
//   candidate  waiting, in light_ or heavy_: looked at, to be looked at again, or held because it is heavy
//   parked     waiting, in the list of its blocker
// Waiting ones are also in the sorted set of their class (in exclusives_ if their class conflicts with everything), and
// in that of their session if that can matter, and in that of their strand. Since take() goes through fresh ones in
// order, the queued predecessors of the one that it looks at are all waiting, and those sets are all that rule 2 has to
// be checked against.
//
// Cost: while nothing runs and nothing waits, take() and complete() are O(1). Otherwise two tests of bit rows, one
// look-up in the session table, and a search in the set of each class that is waiting and conflicts: O(1) at either end
// of the set, else O(log n). Nothing is allocated once the tables have reached their size.
//
// Not thread-safe: every call is made under the event base's one mutex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "scheduler/constraints.hpp"
#include "scheduler/invocation.hpp"
#include "scheduler/session_table.hpp"

namespace heddle::scheduler {

// Each switch is one part of the rules above. The model test turns them off one by one to show that it would notice.
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
  // `constraints` must outlive this object. Classes may be added to it; the verdicts between those that this object has
  // seen may not change.
  explicit BasicAdmission(const Constraints& constraints);

  BasicAdmission(const BasicAdmission&) = delete;
  BasicAdmission& operator=(const BasicAdmission&) = delete;

  // idle -> ready.
  void enqueue(Invocation& x, base::Nanoseconds now);

  // The first admissible invocation in order, which becomes running; nullptr if there is none. Heavy ones only if
  // `allow_heavy`, and only priorities up to `max_priority`. One that is held back only by `allow_heavy` still blocks
  // those behind it that it conflicts with.
  Invocation* take(bool allow_heavy, base::Nanoseconds now, std::uint16_t max_priority = 0xffff);

  // running -> idle; what was parked on it becomes ready.
  void complete(Invocation& x, base::Nanoseconds now);

  // ready or parked -> idle, and true; what was parked on it becomes ready. A running or idle one is left alone: false.
  bool cancel(Invocation& x);

  // A queued invocation turns out to be heavy.
  void expect_long(Invocation& x);

  // For `x`, which runs and has reached a late point: a running invocation for whose end it must wait, of those for
  // which `counts` holds; nullptr if there is none.
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

  // False if take(allow_heavy) would find nothing now. True may be optimistic.
  bool has_ready(bool allow_heavy) const;

  std::size_t running() const { return running_.size(); }
  std::size_t queued() const { return queued_; }

  // The lowest number among the priorities of queued invocations.
  std::optional<std::uint16_t> best_priority() const;

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
    bool releases_at_start = false;  // queued it may hold back what it does not when it runs
    std::uint32_t running = 0;
    ClassSet waiting;
  };

  struct Level {
    std::size_t queued = 0;
    InvocationList fresh;
  };

  // Beside the pointer what a conflict test needs, so that scanning the running ones touches one array.
  struct Running {
    std::uintptr_t session;
    std::uintptr_t strand;
    ClassId klass;
    Invocation* invocation;
  };

  // The last stretch of time in which invocations of exclusive classes ran back to back. Nothing is parked on these
  // (it would be a needless detour), so this tells how long they held others back.
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
  Invocation* next_candidate(bool allow_heavy) const;
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
  CandidateSet& candidates_for(const Invocation& x) { return x.heavy ? heavy_ : light_; }

  const Constraints& constraints_;
  std::uint64_t last_sequence_ = 0;
  std::uint64_t last_start_ = 0;
  std::uint64_t steps_ = 0;
  std::size_t queued_ = 0;
  std::size_t waiting_ = 0;

  std::vector<Level> levels_;  // by priority
  BitRow fresh_levels_;        // those with fresh invocations
  BitRow queued_levels_;       // those with queued invocations

  std::vector<ClassState> classes_;
  BitRow waiting_classes_;  // those with a non-empty set; exclusive classes are never in it
  ClassSet exclusives_;
  SessionTable<SessionSet> sessions_;
  SessionTable<StrandSet> strands_;  // by strand, all of the unknown class
  CandidateSet light_;
  CandidateSet heavy_;

  std::vector<Running> running_;
  BitRow running_classes_;
  bool exclusive_running_ = false;
  Alone alone_;
};

using Admission = BasicAdmission<AllRules>;
extern template class BasicAdmission<AllRules>;

}  // namespace heddle::scheduler
