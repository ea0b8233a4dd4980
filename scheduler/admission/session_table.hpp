// Which invocations wait in which session: a hash table from (session, class) to the sorted set of those that wait.
//
// All cells of one session are in one bucket, so one look-up finds everything that an invocation can conflict with
// there; a session seldom has more than a few classes waiting. Emptied cells are recycled: once the table has reached
// the size that the program needs, it allocates nothing.
//
// Invariant: a cell in a bucket is not empty, except between find_or_add() and the insertion that follows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "scheduler/admission/constraints.hpp"

namespace heddle::scheduler {

template <class WaitingSet>
class SessionTable {
 public:
  struct Cell {
    std::uintptr_t session = 0;
    ClassId klass = kUnknownClass;
    WaitingSet waiting;
    Cell* next = nullptr;
  };

  // Calls `visit` with each cell of `session`.
  template <class Visit>
  void for_each_cell(std::uintptr_t session, Visit visit) const {
    for (Cell* cell = buckets_[bucket_of(session)]; cell != nullptr; cell = cell->next) {
      if (cell->session == session) visit(*cell);
    }
  }

  Cell& find_or_add(std::uintptr_t session, ClassId klass) {
    for (Cell* cell = buckets_[bucket_of(session)]; cell != nullptr; cell = cell->next) {
      if (cell->session == session && cell->klass == klass) return *cell;
    }
    if (used_ == buckets_.size()) grow();
    Cell& cell = new_cell();
    cell.session = session;
    cell.klass = klass;
    link(cell);
    ++used_;
    return cell;
  }

  // To be called when the cell's last element has left.
  void remove(Cell& cell) {
    Cell** at = &buckets_[bucket_of(cell.session)];
    while (*at != &cell) at = &(*at)->next;
    *at = cell.next;
    cell.next = recycled_;
    recycled_ = &cell;
    --used_;
  }

  bool empty() const { return used_ == 0; }
  std::size_t cells_ever_made() const { return storage_.size(); }

 private:
  static constexpr std::size_t kFirstBuckets = 64;

  // Addresses differ in the middle bits; the multiplication (Knuth, TAOCP 3, 6.4) spreads them over the upper ones.
  std::size_t bucket_of(std::uintptr_t session) const {
    const std::uint64_t spread = std::uint64_t{session} * 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>(spread >> 32) & (buckets_.size() - 1);
  }

  Cell& new_cell() {
    if (recycled_ == nullptr) return storage_.emplace_back();
    Cell& cell = *recycled_;
    recycled_ = cell.next;
    return cell;
  }

  void link(Cell& cell) {
    Cell*& head = buckets_[bucket_of(cell.session)];
    cell.next = head;
    head = &cell;
  }

  void grow() {
    std::vector<Cell*> old(buckets_.size() * 2, nullptr);
    old.swap(buckets_);
    for (Cell* chain : old) {
      while (chain != nullptr) {
        Cell& cell = *chain;
        chain = chain->next;
        link(cell);
      }
    }
  }

  std::vector<Cell*> buckets_ = std::vector<Cell*>(kFirstBuckets, nullptr);
  std::deque<Cell> storage_;
  Cell* recycled_ = nullptr;
  std::size_t used_ = 0;
};

}  // namespace heddle::scheduler
