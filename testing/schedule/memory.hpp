// What a task of the explorer may see of memory that it shares with others.
//
// Each task has a vector clock: of every task, how far its past is known here, that is, which of its events happen
// before what this task does next (Mattern, Virtual Time and Global States of Distributed Systems, 1989). Mutexes,
// release stores that an acquire load reads, and the starts and ends of threads pass clocks on. From them follow
//   - the stores that a load may read: not only the newest one, but every one that nothing forbids by happens-before,
//     by coherence or, between seq_cst operations, by their order (Norris and Demsky, CDSChecker, OOPSLA 2013);
//   - races: two accesses to plain data, one of them a write, of which neither happens before the other.
//
// What C++ allows and this does not show: a load reads no store that is made later in the schedule (load buffering),
// stores to one location take effect in the order in which they are made, only the last kWindow of them are offered,
// and there are no fences.
//
// All of it is used by the task that holds the token.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::schedule {

// One operation of a task: the count-th.
struct Event {
  std::size_t task = 0;
  std::uint64_t count = 0;
};

class VectorClock {
 public:
  bool knows(const Event& event) const { return event.task < counts_.size() && counts_[event.task] >= event.count; }
  void join(const VectorClock& other);
  // The next event of `task`, whose clock this is.
  Event advance(std::size_t task);

 private:
  std::vector<std::uint64_t> counts_;  // by task
};

// The history of an atomic: its stores in modification order, numbered from 0, which is its initialisation.
class AtomicHistory {
 public:
  AtomicHistory();  // initialises

  // The number of the store that the load reads.
  std::size_t load(std::memory_order order) const;
  void store(std::memory_order order);
  // A read-modify-write, which reads the last store: passes on what that had released, and what `order` releases.
  void change(std::memory_order order);

  // For compare-exchange: the numbers of the stores that a load may read now, first and last. Not a step.
  std::size_t oldest_visible(std::memory_order order) const;
  std::size_t last() const { return stores_.size() - 1; }
  void read(std::size_t store, std::memory_order order) const;

  // Reports a race unless the last store happens before this. Not a step.
  void check_guarded() const;

 private:
  struct Store {
    Event event;
    VectorClock released;  // what an acquire load of it learns
  };
  // Who has read or written which store, or a later one.
  struct Sight {
    Event event;
    std::size_t store;
  };

  void append(std::memory_order order, VectorClock released);
  void saw(const Event& event, std::size_t store) const;

  std::vector<Store> stores_;
  mutable std::vector<std::vector<Sight>> sights_;  // by task, in its order; those that raise the number
  mutable std::size_t last_seq_cst_ = 0;            // the latest store that a seq_cst operation has written or read
};

// The accesses to plain data, as far as they are needed to find the next race.
class PlainHistory {
 public:
  PlainHistory();  // counts as a write

  void read() const;
  void write();

 private:
  void check(const Event& earlier, const char* what) const;

  Event last_write_;
  mutable std::vector<Event> reads_;  // since then; the last of each task
};

}  // namespace heddle::schedule
