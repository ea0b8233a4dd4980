// Speculative execution of events, as programs use it:
//
//   speculative::Cell<int> primes, inspected;
//   speculative::Loop loop;
//   loop.post([&, first, last](speculative::Transaction& transaction) {
//     const int found = count_primes(first, last);
//     primes.set(transaction, primes.get(transaction) + found);
//     ...
//     transaction.spawn(next);                             // behind all other events
//     transaction.at_commit([text] { std::puts(text); });  // in event order
//   });
//   loop.run();                                            // the outcome is that of one thread
//
// docs/internals/speculative.md tells how it works, and what events must not do.
#pragma once

#include "base/sync.hpp"
#include "scheduler/speculative/cell.hpp"
#include "scheduler/speculative/containers.hpp"
#include "scheduler/speculative/loop.hpp"

namespace heddle::speculative {

using Transaction = BasicTransaction<base::StdSync>;
using Loop = BasicLoop<base::StdSync>;
template <class T>
using Cell = BasicCell<base::StdSync, T>;
template <class T>
using Array = BasicArray<base::StdSync, T>;
template <class Key, class Value, class Hash = std::hash<Key>>
using Map = BasicMap<base::StdSync, Key, Value, Hash>;
template <class T>
using Log = BasicLog<base::StdSync, T>;

}  // namespace heddle::speculative
