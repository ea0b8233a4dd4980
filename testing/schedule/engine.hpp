// The token and its rules: the part of the explorer (explorer.hpp) that ModelSync calls.
//
// Invariants: at most one task is in state kRunning, and it is the one whose code executes; a task in any other state
// is blocked in hand_over() until it is chosen.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "testing/schedule/explorer.hpp"
#include "testing/schedule/memory.hpp"

namespace heddle::schedule {

class Engine : public std::enable_shared_from_this<Engine> {
 public:
  Engine(std::uint64_t seed, const Limits& limits);

  // Called from outside: runs `body` as task 0, and returns when all tasks have ended or the schedule has failed.
  std::string run(const std::function<void()>& body);

  // All that follows is called by the task that holds the token. Objects are told apart by address. Where an operation
  // makes one task's past known to another, the caller passes the vector clock on; for the starts and ends of threads
  // the engine does.
  //
  // An operation that does not block: others may go on before it.
  void step(const char* operation) { pause(operation, State::kRunnable, nullptr); }
  // The task has nothing to do until others have gone on.
  void yield();
  void lock(const void* mutex);
  void unlock(const void* mutex);
  bool locked(const void* mutex) const;
  void wait(const void* condition, const void* mutex, bool timed);
  void notify(const void* condition, bool all);
  std::size_t start(std::function<void()> body);
  void join(std::size_t task);
  std::size_t calling_task() const;
  // What the calling task knows of the others' past.
  VectorClock& clock();
  // False if it would go on if it were chosen.
  bool waits(std::size_t task);
  std::uint64_t choose(std::uint64_t limit);
  [[noreturn]] void fail(const std::string& what);

  // The engine of the calling thread; ends the process if it is not a task.
  static Engine& current();

 private:
  enum class State : std::uint8_t {
    kRunnable,   // would go on if it were chosen
    kRunning,    // holds the token
    kBlocked,    // on a mutex that another task has, or on a task that it joins
    kWaiting,    // on a condition, until it is notified
    kTimedWait,  // on a condition, until it is notified or its time is up
    kEnded
  };

  struct Task {
    // Written by the task itself and by the one that holds the token, under gate_.
    State state = State::kRunnable;
    const void* waits_for = nullptr;
    std::condition_variable chosen;
    // Written by the task while it holds the token, and read by the one that joins it; the token passes under gate_.
    VectorClock clock;
  };

  struct Step {
    std::size_t task;
    const char* operation;
  };

  using Gate = std::unique_lock<std::mutex>;

  std::size_t add_task(std::function<void()> body);
  void live(std::size_t task, const std::function<void()>& body);
  void pause(const char* operation, State state, const void* waits_for);
  void hand_over(Gate& gate);
  void acquire(const void* mutex);
  void wake_all(State state, const void* waits_for);
  std::vector<std::size_t> tasks_in(State state) const;
  std::size_t choose_next();
  std::size_t pick(const std::vector<std::size_t>& tasks) { return tasks[draw(tasks.size())]; }
  std::uint64_t draw(std::uint64_t limit) { return random_() % limit; }
  void give_up(const std::string& what);
  std::string last_steps() const;

  const Limits limits_;
  const bool random_walk_;
  const std::uint64_t preemption_odds_;
  const int cpu_;
  std::mutex gate_;  // guards all that follows
  std::condition_variable over_changed_;
  std::mt19937_64 random_;
  std::deque<Task> tasks_;
  std::vector<const void*> locked_;
  std::deque<Step> steps_;
  std::size_t running_ = 0;
  std::size_t ended_ = 0;
  unsigned step_count_ = 0;
  unsigned spurious_left_;
  unsigned preemptions_left_;
  bool yields_ = false;  // the running task, in yield()
  bool over_ = false;
  std::string failure_;
};

}  // namespace heddle::schedule
