// What workers hand to each other, under every schedule that the explorer finds: park and unpark, the inbox and the
// sleep of its owner, the end of a thread and the one that joins it. Weakening a memory order, or leaving one step out,
// must be found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <string>

#include "pico/core/completion.hpp"
#include "pico/core/inbox.hpp"
#include "pico/core/parking.hpp"
#include "pico/testing/model_blocker.hpp"
#include "testing/schedule/explorer.hpp"
#include "testing/schedule/model_sync.hpp"

namespace heddle::pico {
namespace {

using schedule::explore;
using schedule::fail;
using schedule::ModelSync;
using ::testing::HasSubstr;

constexpr std::uint64_t kSchedules = 3000;

// Every operation as if it had no order.
template <class T>
struct RelaxedAtomic : schedule::ModelAtomic<T> {
  using schedule::ModelAtomic<T>::ModelAtomic;
  T load(std::memory_order) const { return schedule::ModelAtomic<T>::load(std::memory_order_relaxed); }
  void store(T value, std::memory_order) { schedule::ModelAtomic<T>::store(value, std::memory_order_relaxed); }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order, std::memory_order) {
    return schedule::ModelAtomic<T>::compare_exchange_weak(expected, desired, std::memory_order_relaxed,
                                                           std::memory_order_relaxed);
  }
};
struct RelaxedSync : ModelSync {
  template <class T>
  using Atomic = RelaxedAtomic<T>;
};

// A thread waits for two others to say that their part is done, each by an unpark.
template <class Sync>
struct Waits {
  Parking<Sync> parking;
  std::array<typename Sync::template Plain<int>, 2> parts;
  std::array<typename Sync::template Atomic<bool>, 2> done;
  typename Sync::Mutex mutex;  // stands for the worker's queue
  typename Sync::Condition ready;
  bool runnable = true;

  void finish(std::size_t me) {
    parts[me].write() = 1;
    done[me].store(true, std::memory_order_relaxed);  // unpark() releases it
    if (!parking.unpark()) return;
    const typename Sync::Lock lock(mutex);
    runnable = true;
    ready.notify_one();
  }

  void wait() {
    while (!done[0].load(std::memory_order_relaxed) || !done[1].load(std::memory_order_relaxed)) {
      if (!parking.park()) continue;
      {
        typename Sync::Lock lock(mutex);
        runnable = false;
        // Between park() and here others may have made it runnable: then that is the state to keep.
      }
      block();
      parking.resume();
    }
    if (parts[0].read() + parts[1].read() != 2) fail("a part is missing");
  }

  void block() {
    typename Sync::Lock lock(mutex);
    while (!runnable) ready.wait(lock);
  }
};

}  // namespace
}  // namespace heddle::pico
