// What base::StdSync is (base/sync.hpp), over the explorer: code that is a template over Sync runs under it unchanged,
// and at every operation another thread may go on.
//
// For use by the explorer's threads only. An object must not outlive the schedule that it was made in.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "testing/schedule/engine.hpp"
#include "testing/schedule/memory.hpp"

namespace heddle::schedule {

class ModelMutex {
 public:
  ModelMutex() = default;
  ModelMutex(const ModelMutex&) = delete;
  ModelMutex& operator=(const ModelMutex&) = delete;

  void lock() {
    Engine::current().lock(this);
    acquired();
  }

  void unlock() {
    release();
    Engine::current().unlock(this);
  }

  // For conditions, which give the mutex up and take it again.
  void release() { released_ = Engine::current().clock(); }
  void acquired() const { Engine::current().clock().join(released_); }

 private:
  VectorClock released_;  // the clock of the task that had it last; used by the task that has it
};

class ModelCondition {
 public:
  ModelCondition() = default;
  ModelCondition(const ModelCondition&) = delete;
  ModelCondition& operator=(const ModelCondition&) = delete;

  void wait(std::unique_lock<ModelMutex>& lock) { wait(lock, false); }
  void wait_for_a_while(std::unique_lock<ModelMutex>& lock) { wait(lock, true); }

  template <class Predicate>
  void wait(std::unique_lock<ModelMutex>& lock, Predicate done) {
    while (!done()) wait(lock);
  }

  void notify_one() { Engine::current().notify(this, false); }
  void notify_all() { Engine::current().notify(this, true); }

 private:
  void wait(std::unique_lock<ModelMutex>& lock, bool timed) {
    lock.mutex()->release();
    Engine::current().wait(this, lock.mutex(), timed);
    lock.mutex()->acquired();
  }
};

// The face of std::atomic. Each operation is a step; which store a load reads is a choice (memory.hpp).
template <class T>
class ModelAtomic {
 public:
  explicit ModelAtomic(T value = {}) : values_{value} {}
  ModelAtomic(const ModelAtomic&) = delete;
  ModelAtomic& operator=(const ModelAtomic&) = delete;

  T load(std::memory_order order = std::memory_order_seq_cst) const { return values_[history_.load(order)]; }

  void store(T value, std::memory_order order = std::memory_order_seq_cst) {
    history_.store(order);
    values_.push_back(value);
  }

  T fetch_add(T by, std::memory_order order = std::memory_order_seq_cst) {
    Engine::current().step("adds");
    const T before = values_.back();
    change(before + by, order);
    return before;
  }

  // Fails if it reads a store of another value, which need not be the last one; and now and then even otherwise.
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success, std::memory_order failure) {
    Engine::current().step("compares and exchanges");
    std::vector<std::size_t> unequal;
    for (std::size_t i = history_.oldest_visible(failure); i <= history_.last(); ++i)
      if (values_[i] != expected) unequal.push_back(i);
    const bool equal = values_.back() == expected;
    const std::uint64_t choice = Engine::current().choose(unequal.size() + (equal ? 1 : 0));
    if (choice < unequal.size()) {
      history_.read(unequal[choice], failure);
      expected = values_[unequal[choice]];
      return false;
    }
    if (Engine::current().choose(kSpuriousFailureOdds) == 0) {
      history_.read(history_.last(), failure);
      return false;
    }
    change(desired, success);
    return true;
  }

  // By a thread that excludes all writers, which is checked; so not a step.
  T load_guarded() const {
    history_.check_guarded();
    return values_.back();
  }

 private:
  static constexpr std::uint64_t kSpuriousFailureOdds = 8;

  void change(T value, std::memory_order order) {
    history_.change(order);
    values_.push_back(value);
  }

  AtomicHistory history_;
  std::vector<T> values_;  // that its stores wrote
};

// The face of base::Plain.
template <class T>
class ModelPlain {
 public:
  ModelPlain() = default;
  explicit ModelPlain(T value) : value_(std::move(value)) {}

  const T& read() const {
    history_.read();
    return value_;
  }
  T& write() {
    history_.write();
    return value_;
  }

 private:
  PlainHistory history_;
  T value_{};
};

class ModelThread {
 public:
  ModelThread() = default;

  template <class Function>
  explicit ModelThread(Function body) : task_(Engine::current().start(std::move(body))), joinable_(true) {}

  ModelThread(ModelThread&& other) noexcept : task_(other.task_), joinable_(std::exchange(other.joinable_, false)) {}

  ModelThread& operator=(ModelThread&& other) noexcept {
    HEDDLE_ASSERT(!joinable_);
    task_ = other.task_;
    joinable_ = std::exchange(other.joinable_, false);
    return *this;
  }

  ~ModelThread() { HEDDLE_ASSERT(!joinable_); }

  void join() {
    HEDDLE_ASSERT(joinable_);
    Engine::current().join(task_);
    joinable_ = false;
  }

 private:
  std::size_t task_ = 0;
  bool joinable_ = false;
};

// The explorer has no time: every look finds that a thread has computed as long as anybody could ask for.
class ModelThreadProbe {
 public:
  static ModelThreadProbe of_this_thread() {
    ModelThreadProbe probe;
    probe.task_ = Engine::current().calling_task();
    return probe;
  }
  std::chrono::nanoseconds cpu_time() const { return cpu_ += std::chrono::seconds(1); }
  std::optional<bool> blocked() const { return Engine::current().waits(task_); }

 private:
  std::size_t task_ = 0;
  mutable std::chrono::nanoseconds cpu_{};
};

struct ModelSync {
  using Mutex = ModelMutex;
  using Lock = std::unique_lock<ModelMutex>;
  using Condition = ModelCondition;
  using Thread = ModelThread;
  using ThreadProbe = ModelThreadProbe;
  template <class T>
  using Atomic = ModelAtomic<T>;
  template <class T>
  using Plain = ModelPlain<T>;

  // Any time is as likely as any other, so a thread may give up spinning at each look at the clock.
  static constexpr std::chrono::hours kSpinTime{300};
  static constexpr int kMostSpins = 6;
  static constexpr int kSpinsPerLookAtClock = 1;
  static std::chrono::nanoseconds now() { return std::chrono::hours(Engine::current().choose(1000)); }

  static void wait_for(Condition& condition, Lock& lock, std::chrono::nanoseconds) { condition.wait_for_a_while(lock); }
  static void relax() { Engine::current().yield(); }

  template <class T>
  static T load_guarded(const ModelAtomic<T>& atomic) {
    return atomic.load_guarded();
  }
};

}  // namespace heddle::schedule
