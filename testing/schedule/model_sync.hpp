// The face of base::StdSync (base/sync.hpp) over the explorer: code that is a template over Sync runs under it
// unchanged, and every operation is a place where another thread may go on.
//
// For use by the explorer's threads only; an object must not outlive the schedule that it was made in.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "base/assert.hpp"
#include "testing/schedule/engine.hpp"

namespace heddle::schedule {

class ModelMutex {
 public:
  ModelMutex() = default;
  ModelMutex(const ModelMutex&) = delete;
  ModelMutex& operator=(const ModelMutex&) = delete;

  void lock() { Engine::current().lock(this); }
  void unlock() { Engine::current().unlock(this); }
};

class ModelCondition {
 public:
  ModelCondition() = default;
  ModelCondition(const ModelCondition&) = delete;
  ModelCondition& operator=(const ModelCondition&) = delete;

  void wait(std::unique_lock<ModelMutex>& lock) { Engine::current().wait(this, lock.mutex(), false); }

  template <class Predicate>
  void wait(std::unique_lock<ModelMutex>& lock, Predicate done) {
    while (!done()) wait(lock);
  }

  void notify_one() { Engine::current().notify(this, false); }
  void notify_all() { Engine::current().notify(this, true); }
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

  bool joinable() const { return joinable_; }

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
struct ModelThreadProbe {
  std::chrono::nanoseconds cpu = {};

  std::size_t task = 0;

  static ModelThreadProbe of_this_thread() { return {.task = Engine::current().calling_task()}; }
  std::chrono::nanoseconds cpu_time() { return cpu += std::chrono::seconds(1); }
  std::optional<bool> blocked() const { return Engine::current().waits(task); }
};

// Who listens goes on when it rings, or at any choice as if nobody had rung.
class ModelBell {
 public:
  void ring() {
    ++rung_;
    if (listening_ > 0) Engine::current().notify(this, true);
  }

  bool listen(std::unique_lock<ModelMutex>& lock) {
    const std::uint64_t before = rung_;
    ++listening_;
    Engine::current().wait(this, lock.mutex(), true);
    --listening_;
    return rung_ != before;
  }

 private:
  std::uint64_t rung_ = 0;
  unsigned listening_ = 0;
};

struct ModelSync {
  using Mutex = ModelMutex;
  using Lock = std::unique_lock<ModelMutex>;
  using Condition = ModelCondition;
  using Thread = ModelThread;
  using ThreadProbe = ModelThreadProbe;
  using Bell = ModelBell;

  // Any time is as likely as any other.
  static std::chrono::nanoseconds now() { return std::chrono::hours(Engine::current().choose(1000)); }

  static void wait_for(Condition& condition, Lock& lock, std::chrono::nanoseconds) {
    Engine::current().wait(&condition, lock.mutex(), true);
  }
};

}  // namespace heddle::schedule
