// Who wants to know of changes, and how they are told: by a byte in a pipe that the watcher has made beside the store,
// one for each transaction at most, and none to a watcher that is awake.
//
// A watcher reads what has changed from the ring of changes; then it says that it sleeps, and looks at the ring once
// more. A writer adds to the ring first, and looks afterwards who sleeps. Both sequentially consistent: so either the
// watcher sees the change, or the writer the sleeper.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace heddle::objectbase {

inline constexpr unsigned kWatches = 8;  // of a process

// NOLINTNEXTLINE(performance-enum-size): so it is in the file
enum class Watched : std::uint32_t { kAll, kType, kObject };

// In `NAME.readers`, for each process. All but `state` is written by the watcher while it is kNone, and read by writers
// that have found it kAsleep (acquire, with its release).
struct WatchCell {
  static constexpr std::uint32_t kNone = 0;
  static constexpr std::uint32_t kAwake = 1;
  static constexpr std::uint32_t kAsleep = 2;

  std::atomic<std::uint32_t> state;
  std::atomic<Watched> watched;
  std::atomic<std::uint64_t> number;      // of the type or the object
  std::atomic<std::uint64_t> generation;  // of the pipe: another one for each watch

  bool wants(std::uint64_t object, std::uint32_t type) const {
    switch (watched.load(std::memory_order_relaxed)) {
      case Watched::kAll:
        return true;
      case Watched::kType:
        return number.load(std::memory_order_relaxed) == type;
      case Watched::kObject:
        return number.load(std::memory_order_relaxed) == object;
    }
    return true;
  }
};

}  // namespace heddle::objectbase
