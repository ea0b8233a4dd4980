// How memory is accessed, and which two accesses to one byte conflict.
#pragma once

#include <cstdint>

namespace heddle::elyze {

enum class Mode : std::uint8_t {
  kRead,
  kWrite,
  kAtomicRead,
  kAtomicUpdate,  // reads and writes in one step: atomicrmw, cmpxchg
  kAtomicStore,   // writes only: what others wrote between a load before it and the store is lost
  kAppend,        // adds a record to a stream, under the stream's own lock
  kLock,          // takes a lock briefly, or gives it back (effects/locks.hpp)
};

inline bool writes(Mode mode) { return mode != Mode::kRead && mode != Mode::kAtomicRead; }
inline bool atomic(Mode mode) {
  return mode == Mode::kAtomicRead || mode == Mode::kAtomicUpdate || mode == Mode::kAtomicStore;
}
// Of an invocation that makes several accesses to one object, these may be torn apart by another invocation's
// (footprint/repeats.hpp), so that where an access stands counts, not only what it does.
inline bool counted(Mode mode) { return atomic(mode) || mode == Mode::kAppend; }
// Atomic accesses don't conflict with each other, nor do records of one stream, nor those who wait for one lock.
inline bool clash(Mode a, Mode b) {
  return (writes(a) || writes(b)) && !(atomic(a) && atomic(b)) && !(a == Mode::kAppend && b == Mode::kAppend) &&
         !(a == Mode::kLock && b == Mode::kLock);
}
// What the access is to somebody who knows neither atomics nor the locks of streams.
inline Mode plain(Mode mode) { return writes(mode) ? Mode::kWrite : Mode::kRead; }

}  // namespace heddle::elyze
