// How readers keep what they read: a version by a pin, the state after a commit by a snapshot.
//
// A reader never waits, and a writer never waits for one: what is pinned is not reclaimed, that is all. A process has a
// fixed number of cells, so a reader that sleeps for ever keeps so many versions, or, by a snapshot, one of each
// object.
//
// A pin is a hazard pointer (Michael 2004): the reader writes what it is about to read into a cell, and then looks
// whether the head still leads there. A writer changes the head first and looks at the cells afterwards. Both in the
// order of all sequentially consistent operations: so either the reader sees the new head, or the writer the pin.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "objectbase/store/layout.hpp"

namespace heddle::objectbase {

// What is in a cell; versions begin at multiples of 16.
inline constexpr std::uint64_t kNothing = 0;
inline constexpr std::uint64_t kEverything = 3;  // of a reader that is about to find out which commit is the newest
constexpr std::uint64_t pin_of(Offset version) { return version | 1; }
constexpr std::uint64_t snapshot_of(std::uint64_t commit) { return commit << 2 | 2; }

inline constexpr unsigned kCells = 64;  // of a process

template <class Sync>
struct PinCells {
  using Cell = typename Sync::template Atomic<std::uint64_t>;

  std::array<Cell, kCells> cells;

  // A cell with `value` in it, where `first` is the one to begin with; null if all are in use.
  Cell* take(std::uint64_t value, unsigned first) {
    for (unsigned i = 0; i < kCells; ++i) {
      Cell& cell = cells[(first + i) % kCells];
      std::uint64_t found = cell.load(std::memory_order_relaxed);
      while (found == kNothing)
        if (cell.compare_exchange_weak(found, value, std::memory_order_seq_cst, std::memory_order_relaxed))
          return &cell;
    }
    return nullptr;
  }

  // What `head` leads to, and it stays until the cell is let go; 0, and the cell holds nothing, if it leads nowhere.
  template <class Head>
  static Offset pin(Cell& cell, const Head& head, Offset found) {
    for (;;) {
      const Offset now = head.load(std::memory_order_seq_cst);
      if (now == found) return found;
      cell.store(now == 0 ? kNothing : pin_of(now), std::memory_order_seq_cst);
      if (now == 0) return 0;
      found = now;
    }
  }

  // Release: what was read of the version is read; with the acquire of Kept::add().
  static void let_go(Cell& cell) { cell.store(kNothing, std::memory_order_release); }

  // The newest commit; its state stays until the cell, which holds kEverything, is let go.
  template <class Commit>
  static std::uint64_t snapshot(Cell& cell, const Commit& commit) {
    const std::uint64_t newest = commit.load(std::memory_order_seq_cst);
    cell.store(snapshot_of(newest), std::memory_order_seq_cst);
    return newest;
  }
};

// What the readers of all processes keep at a moment.
class Kept {
 public:
  template <class Sync>
  void add(const PinCells<Sync>& cells) {
    for (const auto& cell : cells.cells) {
      const std::uint64_t value = cell.load(std::memory_order_seq_cst);
      if (value == kNothing) continue;
      if (value == kEverything) everything_ = true;
      if ((value & 3) == 1) pins_.push_back(value & ~std::uint64_t{3});
      if ((value & 3) == 2) snapshots_.push_back(value >> 2);
    }
  }

  // Does anybody need a version that came with the commit `from` and was superseded by the commit `until`?
  bool needs(Offset version, std::uint64_t from, std::uint64_t until) const {
    if (everything_) return true;
    for (const Offset pin : pins_)
      if (pin == version) return true;
    for (const std::uint64_t commit : snapshots_)
      if (from <= commit && commit < until) return true;
    return false;
  }
  bool nothing() const { return !everything_ && pins_.empty() && snapshots_.empty(); }

 private:
  bool everything_ = false;
  std::vector<Offset> pins_;
  std::vector<std::uint64_t> snapshots_;
};

}  // namespace heddle::objectbase
