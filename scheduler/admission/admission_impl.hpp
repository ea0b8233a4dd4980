// The member functions of BasicAdmission, for admission.cpp and for the tests that instantiate it with a rule missing.
#pragma once

#include <algorithm>

#include "base/assert.hpp"
#include "scheduler/admission/admission.hpp"

namespace heddle::scheduler {

template <class Rules>
BasicAdmission<Rules>::BasicAdmission(const Constraints& constraints) : constraints_(constraints) {
  learn_classes();
}

template <class Rules>
void BasicAdmission<Rules>::learn_classes() {
  const std::size_t known = classes_.size();
  classes_.resize(constraints_.size());
  for (std::size_t c = known; c < classes_.size(); ++c) {
    const auto id = static_cast<ClassId>(c);
    classes_[c].exclusive = constraints_.exclusive(id);
    classes_[c].has_session_verdicts =
        constraints_.blocked_by(id).session.any() || constraints_.blocks(id).session.any();
    classes_[c].releases_at_start = constraints_.blocked_by(id) != constraints_.blocks(id);
  }
}

template <class Rules>
void BasicAdmission<Rules>::enqueue(Invocation& x, base::Nanoseconds now) {
  HEDDLE_DCHECK(x.state == Invocation::State::kIdle);
  if (x.klass >= classes_.size()) learn_classes();
  HEDDLE_DCHECK(x.klass < classes_.size());
  x.state = Invocation::State::kReady;
  x.sequence = ++last_sequence_;
  x.ready_ns = now;
  x.held_by = Invocation::kNone;
  x.held_ns = 0;
  x.waiting = false;
  if (x.priority >= fresh_.size()) fresh_.resize(std::size_t{x.priority} + 1);
  fresh_[x.priority].insert_by_round(x);
  fresh_priorities_.set(x.priority);
  ++queued_;
}

template <class Rules>
Invocation* BasicAdmission<Rules>::take(bool allow_heavy, base::Nanoseconds now, std::uint16_t max_priority,
                                        bool allow_pinned) {
  if (Rules::kRunningBlocks && exclusive_running_) return nullptr;
  for (;;) {
    Invocation* const x = next_candidate(allow_heavy, allow_pinned);
    ++steps_;
    if (x == nullptr || x->priority > max_priority || behind_exclusive(*x)) return nullptr;
    if ((x->heavy && !allow_heavy) || (x->pinned && !allow_pinned)) {
      hold(*x, now);
      continue;
    }
    Invocation* const blocker = unopposed(*x) ? nullptr : find_blocker(*x);
    if (blocker == nullptr) {
      start(*x, now);
      return x;
    }
    park(*x, *blocker, now);
  }
}

template <class Rules>
void BasicAdmission<Rules>::complete(Invocation& x, base::Nanoseconds now) {
  HEDDLE_DCHECK(x.state == Invocation::State::kRunning);
  x.state = Invocation::State::kIdle;
  Running& hole = running_[x.running_index];
  hole = running_.back();
  hole.invocation->running_index = x.running_index;
  running_.pop_back();
  ClassState& state = classes_[x.klass];
  if (--state.running == 0) running_classes_.clear(x.klass);
  if (state.exclusive) {
    exclusive_running_ = false;
    alone_.handler = x.handler;
    alone_.end = now;
  }
  if (Rules::kCompletionRetries) release_waiters(x, now);
}

template <class Rules>
bool BasicAdmission<Rules>::cancel(Invocation& x) {
  if (x.state != Invocation::State::kReady && x.state != Invocation::State::kParked) return false;
  leave_queue(x);
  x.state = Invocation::State::kIdle;
  if (Rules::kCancelRetries) release_waiters(x, std::nullopt);
  return true;
}

template <class Rules>
void BasicAdmission<Rules>::expect_long(Invocation& x) {
  HEDDLE_DCHECK(x.state == Invocation::State::kReady || x.state == Invocation::State::kParked);
  if (x.heavy) return;
  const bool is_candidate = x.waiting && x.blocker == nullptr;
  if (is_candidate) candidates_for(x).erase(x);
  x.heavy = true;
  if (is_candidate) candidates_for(x).insert(x);
}

template <class Rules>
bool BasicAdmission<Rules>::has_ready(bool allow_heavy, bool allow_pinned) const {
  if (exclusive_running_) return false;
  const Invocation* const x = next_candidate(allow_heavy, allow_pinned);
  return x != nullptr && !behind_exclusive(*x);
}

template <class Rules>
bool BasicAdmission<Rules>::has_pinned_ready(bool allow_heavy, std::uint16_t max_priority) const {
  if (exclusive_running_) return false;
  const auto may_start = [&](const Invocation* x) {
    return x != nullptr && x->pinned && x->priority <= max_priority && !behind_exclusive(*x);
  };
  const Invocation* const fresh = first_fresh();
  return may_start(pinned_light_.first()) || (allow_heavy && may_start(pinned_heavy_.first())) ||
         (may_start(fresh) && (allow_heavy || !fresh->heavy));
}

template <class Rules>
Invocation* BasicAdmission<Rules>::first_fresh() const {
  const std::optional<std::size_t> priority = fresh_priorities_.first();
  return priority ? fresh_[*priority].first : nullptr;
}

// Returns fresh ones even if they are not allowed: take() must put them among the waiting ones before it looks at what
// stands behind them.
template <class Rules>
Invocation* BasicAdmission<Rules>::next_candidate(bool allow_heavy, bool allow_pinned) const {
  Invocation* best = first_fresh();
  const auto consider = [&best](Invocation* x) {
    if (x != nullptr && (best == nullptr || before(*x, *best))) best = x;
  };
  consider(light_.first());
  if (allow_heavy) consider(heavy_.first());
  if (allow_pinned) {
    consider(pinned_light_.first());
    if (allow_heavy) consider(pinned_heavy_.first());
  }
  return best;
}

// Whether an exclusive invocation stands before `x`. Then nothing that stands behind `x` may start either, and none of
// it needs to be parked: when the exclusive one leaves, take() finds all of it where it is.
template <class Rules>
bool BasicAdmission<Rules>::behind_exclusive(const Invocation& x) const {
  return Rules::kExclusivePredecessorBlocks && !exclusives_.empty() && before(*exclusives_.first(), x);
}

template <class Rules>
bool BasicAdmission<Rules>::unopposed(const Invocation& x) const {
  return running_.empty() && waiting_ == (x.waiting ? 1U : 0U);
}

template <class Rules>
Invocation* BasicAdmission<Rules>::find_blocker(const Invocation& x) {
  Invocation* const waiting = find_waiting_blocker(x);
  return waiting != nullptr ? waiting : find_running_blocker(x);
}

template <class Rules>
Invocation* BasicAdmission<Rules>::find_waiting_blocker(const Invocation& x) {
  Invocation* latest = nullptr;
  const auto consider = [&](const auto& set) {
    ++steps_;
    Invocation* const y = set.last_before(x);
    if (y != nullptr && (latest == nullptr || before(*latest, *y))) latest = y;
  };
  if (Rules::kPredecessorBlocks) {
    constraints_.blocks(x.klass).always.for_each_common(waiting_classes_,
                                                        [&](std::size_t c) { consider(classes_[c].waiting); });
  }
  if (Rules::kSessionPredecessorBlocks && !sessions_.empty() && uses_session_table(x)) {
    const BitRow& row = constraints_.blocks(x.klass).session;
    sessions_.for_each_cell(x.session, [&](const auto& cell) {
      if (row.test(cell.klass)) consider(cell.waiting);
    });
  }
  if (Rules::kStrandPredecessorBlocks && x.strand != 0 && !strands_.empty())
    strands_.for_each_cell(x.strand, [&](const auto& cell) { consider(cell.waiting); });
  return latest;
}

template <class Rules>
Invocation* BasicAdmission<Rules>::find_running_blocker(const Invocation& x) {
  const auto& [always, session] = constraints_.blocked_by(x.klass);
  const bool by_class = Rules::kRunningBlocks && always.intersects(running_classes_);
  const bool by_session = Rules::kRunningSessionBlocks && x.session != 0 && session.intersects(running_classes_);
  const bool by_strand = Rules::kRunningStrandBlocks && x.strand != 0;
  if (!by_class && !by_session && !by_strand) return nullptr;
  for (const Running& other : running_) {
    ++steps_;
    if (by_class && always.test(other.klass)) return other.invocation;
    if (by_session && other.session == x.session && session.test(other.klass)) return other.invocation;
    if (by_strand && other.strand == x.strand) return other.invocation;
  }
  return nullptr;
}

template <class Rules>
void BasicAdmission<Rules>::start(Invocation& x, base::Nanoseconds now) {
  const bool waited = x.waiting;
  leave_queue(x);
  x.state = Invocation::State::kRunning;
  x.start_ns = now;
  x.start_order = ++last_start_;
  x.running_index = static_cast<std::uint32_t>(running_.size());
  running_.push_back({x.session, x.strand, x.klass, &x});
  ClassState& state = classes_[x.klass];
  if (state.running++ == 0) running_classes_.set(x.klass);
  if (Rules::kStartRetries && state.releases_at_start) release_waiters(x, now);

  const bool was_behind_alone = x.ready_ns < alone_.end;
  if (was_behind_alone) {
    const base::Nanoseconds held_ns = alone_.end - std::max(x.ready_ns, alone_.since);
    if (held_ns > x.held_ns) {
      x.held_ns = held_ns;
      x.held_by = alone_.handler;
    }
  }
  if (state.exclusive) {
    exclusive_running_ = true;
    // Others have been held behind `x` since it began to wait, or since the stretch that it continues began.
    if (!was_behind_alone) alone_.since = waited ? x.first_waited_ns : now;
  }
}

template <class Rules>
void BasicAdmission<Rules>::park(Invocation& x, Invocation& blocker, base::Nanoseconds now) {
  if (x.waiting) {
    candidates_for(x).erase(x);
  } else {
    remove_fresh(x);
    enter_waiting(x, now);
  }
  x.state = Invocation::State::kParked;
  x.parked_ns = now;
  x.blocker = &blocker;
  blocker.waiters.push_back(x);
}

template <class Rules>
void BasicAdmission<Rules>::hold(Invocation& x, base::Nanoseconds now) {
  remove_fresh(x);
  enter_waiting(x, now);
  candidates_for(x).insert(x);
}

// `now` is missing when `x` was cancelled: it never ran, so the time that others waited behind it does not count as
// held.
template <class Rules>
void BasicAdmission<Rules>::release_waiters(Invocation& x, std::optional<base::Nanoseconds> now) {
  while (Invocation* const waiter = x.waiters.first) {
    ++steps_;
    x.waiters.remove(*waiter);
    waiter->blocker = nullptr;
    waiter->state = Invocation::State::kReady;
    if (now && *now - waiter->parked_ns > waiter->held_ns) {
      waiter->held_ns = *now - waiter->parked_ns;
      waiter->held_by = x.handler;
    }
    candidates_for(*waiter).insert(*waiter);
  }
}

template <class Rules>
void BasicAdmission<Rules>::leave_queue(Invocation& x) {
  if (!x.waiting) {
    remove_fresh(x);
  } else {
    if (x.blocker != nullptr) {
      x.blocker->waiters.remove(x);
      x.blocker = nullptr;
    } else {
      candidates_for(x).erase(x);
    }
    leave_waiting(x);
  }
  --queued_;
}

template <class Rules>
void BasicAdmission<Rules>::enter_waiting(Invocation& x, base::Nanoseconds now) {
  x.waiting = true;
  x.first_waited_ns = now;
  ++waiting_;
  ClassState& state = classes_[x.klass];
  if (state.exclusive) {
    exclusives_.insert(x);
    return;
  }
  if (state.waiting.empty()) waiting_classes_.set(x.klass);
  state.waiting.insert(x);
  if (uses_session_table(x)) sessions_.find_or_add(x.session, x.klass).waiting.insert(x);
  if (x.strand != 0) strands_.find_or_add(x.strand, kUnknownClass).waiting.insert(x);
}

template <class Rules>
void BasicAdmission<Rules>::leave_waiting(Invocation& x) {
  x.waiting = false;
  --waiting_;
  ClassState& state = classes_[x.klass];
  if (state.exclusive) {
    exclusives_.erase(x);
    return;
  }
  state.waiting.erase(x);
  if (state.waiting.empty()) waiting_classes_.clear(x.klass);
  const auto leave = [&x](auto& table, std::uintptr_t key, ClassId klass) {
    auto& cell = table.find_or_add(key, klass);
    cell.waiting.erase(x);
    if (cell.waiting.empty()) table.remove(cell);
  };
  if (uses_session_table(x)) leave(sessions_, x.session, x.klass);
  if (x.strand != 0) leave(strands_, x.strand, kUnknownClass);
}

template <class Rules>
void BasicAdmission<Rules>::remove_fresh(Invocation& x) {
  fresh_[x.priority].remove(x);
  if (fresh_[x.priority].empty()) fresh_priorities_.clear(x.priority);
}

template <class Rules>
bool BasicAdmission<Rules>::uses_session_table(const Invocation& x) const {
  return x.session != 0 && classes_[x.klass].has_session_verdicts;
}

}  // namespace heddle::scheduler
