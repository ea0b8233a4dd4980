// How memory is accessed, and which two accesses to one byte conflict.
#pragma once

#include <cstdint>

namespace heddle::elyze {

enum class Mode : std::uint8_t {
  kRead,
  kWrite,
  kAtomicRead,
  kAtomicAdd,     // adds or subtracts in one step
  kAtomicAdds,    // several of these, of one invocation that does not look at the results: others may add between them
  kAtomicUpdate,  // reads and writes in one step: any other atomicrmw, cmpxchg
  kAtomicStore,   // writes only: what others wrote between a load before it and the store is lost
  kAppend,        // adds a record to a stream, under the stream's own lock
  kFlush,         // writes out what was added to a stream, whoever added it
  kLock,          // takes a lock briefly, or gives it back (effects/locks.hpp)
  kMake,          // makes a directory entry, if there is none
  kPart,          // reads and writes a part that nobody else has at that time
};

inline bool writes(Mode mode) { return mode != Mode::kRead && mode != Mode::kAtomicRead; }
inline bool atomic(Mode mode) { return mode >= Mode::kAtomicRead && mode <= Mode::kAtomicStore; }
inline bool of_stream(Mode mode) { return mode == Mode::kAppend || mode == Mode::kFlush; }
// Of an invocation that makes several accesses to one object, these may be torn apart by another invocation's
// (footprint/repeats.hpp), so that where an access stands counts, not only what it does.
inline bool counted(Mode mode) { return atomic(mode) || mode == Mode::kAppend; }
// Single steps on an atomic don't conflict with each other, nor do records of one stream, nor those who wait for one
// lock, nor those who want an entry to be there, nor those who keep to parts of their own.
inline bool clash(Mode a, Mode b) {
  if (!writes(a) && !writes(b)) return false;
  if (of_stream(a) && of_stream(b)) return false;
  if (a == b && (a == Mode::kLock || a == Mode::kMake || a == Mode::kPart)) return false;
  if (!atomic(a) || !atomic(b)) return true;
  const auto replaces = [](Mode mode) { return mode == Mode::kAtomicUpdate || mode == Mode::kAtomicStore; };
  return (a == Mode::kAtomicAdds && replaces(b)) || (b == Mode::kAtomicAdds && replaces(a));
}
// What the access is to somebody who knows neither atomics nor the locks of streams.
inline Mode plain(Mode mode) { return writes(mode) ? Mode::kWrite : Mode::kRead; }

}  // namespace heddle::elyze
