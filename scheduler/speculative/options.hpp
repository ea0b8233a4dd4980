// What the user of a loop may choose, and what a loop tells of its runs.
#pragma once

#include <cstdint>

namespace heddle::speculative {

enum class Order : std::uint8_t {
  kEvents,  // events commit in the order in which a loop of one thread runs them: the outcome is that program's
  kAny,     // in any order, as in the 2011 thesis: the outcome is that of some order of the events
};

enum class Way : std::uint8_t {
  kMeasured,   // whichever is found to be faster, again and again
  kParallel,   // always speculate
  kOneThread,  // never
  kInTurn,     // for tests: both, changing after a few events
};

struct Options {
  unsigned workers = 0;  // threads, the one that calls run() among them; 0: one for each core
  Order order = Order::kEvents;
  Way way = Way::kMeasured;
  unsigned events_at_once = 0;  // in a transaction, at most; 0: by how long they take
  unsigned window = 0;          // transactions that have begun and not committed, at most; 0: four for each worker
  unsigned most_stops = 3;      // an event that was stopped so often runs when its turn has come, and nobody stops it
};

struct Figures {
  std::uint64_t events = 0;    // that have run and count
  std::uint64_t direct = 0;    // of these, without a transaction
  std::uint64_t commits = 0;   // transactions
  std::uint64_t stopped = 0;   // transactions that had to run again
  std::uint64_t waited = 0;    // reads that waited for their turn
  std::uint64_t alone = 0;     // events that needed to run with nobody beside, for want of memory or for an exception
  std::uint64_t switches = 0;  // between one thread and several
};

}  // namespace heddle::speculative
