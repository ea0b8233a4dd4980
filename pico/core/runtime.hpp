// The workers of one pico::run(), and what they share.
//
// The kernel thread that calls run() is the first worker; the others are hired from a pool (scheduler/workers/pool.hpp)
// and stay up until the end, for a worker of ours waits for descriptors itself. The function that run() was given is
// the first thread, in the root scope. When that scope has joined all its threads, the runtime has ended.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/sync.hpp"
#include "pico/core/helpers.hpp"
#include "pico/core/worker.hpp"
#include "scheduler/workers/pool.hpp"

namespace heddle::pico {

struct Options {
  // Kernel threads that run threads. With 1, no two threads ever run at once.
  std::size_t workers = 1;
  // Measure how long threads run and wait; costs a look at the clock per switch.
  bool statistics = false;
  // Report a thread that keeps its worker in a call of the kernel for as long; 0: do not look. A thread of its own
  // looks, by a signal: calls that no signal restarts (signal(7): sleep, poll, select) then end early, with EINTR.
  std::chrono::milliseconds report_blocking{0};
  // The signal on which every thread prints where it is, such as SIGQUIT; 0: none.
  int backtrace_signal = 0;
};

// What all threads together did, if Options::statistics asks for it.
struct Statistics {
  std::uint64_t threads = 0;  // that have ended
  std::uint64_t switches = 0;
  base::Nanoseconds ran = 0;
  base::Nanoseconds waited = 0;
  base::Nanoseconds queued = 0;
  // Known when the run has ended, measured or not: how often a worker took a new thread that another one had offered.
  std::uint64_t stolen = 0;
};

class Runtime {
 public:
  explicit Runtime(const Options& options);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // Runs `main` as the first thread; returns when all threads have ended. Rethrows what no thread has caught.
  // std::logic_error if the calling kernel thread runs another one already.
  void run(const std::function<void()>& main);

  const Options& options() const { return options_; }
  std::size_t workers() const { return workers_.size(); }
  Worker& worker(std::size_t index) { return *workers_[index]; }
  bool ended() const { return ended_.load(std::memory_order_seq_cst); }

  // By anybody: an exception that no thread will ask for. All are cancelled, and run() throws the first one.
  void fail(std::exception_ptr error);
  // Scope::adopt() by the root scope; where that has ended, run() throws what the task has left.
  void adopt(Task& failed);

  Helpers& helpers() { return helpers_; }
  std::uint64_t next_number() { return numbers_.fetch_add(1, std::memory_order_relaxed) + 1; }

  // Wakes a worker that sleeps, if there is one, because there are offers.
  void wake_one();

  Statistics statistics() const;
  void count(const TaskStatistics& task);
  void count_stolen(std::uint64_t tasks);

  // By anybody, signal handlers too: each worker of each runtime prints where its threads are.
  static void request_backtraces_of_all();
  // seq_cst, on both sides: a worker looks before it rests (Inbox).
  static std::uint64_t backtraces_requested() { return backtraces.load(std::memory_order_seq_cst); }

 private:
  friend struct debug::Layout;
  struct Kernel : workers::Worker<base::StdSync> {
    using workers::Worker<base::StdSync>::Worker;
  };
  using Pool = workers::Pool<base::StdSync, Kernel>;

  static constexpr std::size_t kMostListed = 64;  // runtimes that backtraces are asked of
  static std::atomic<std::uint64_t> backtraces;   // how often they were asked for
  static std::atomic<unsigned> looking;           // how many go through the list now
  static std::array<std::atomic<Runtime*>, kMostListed> listed;

  void set_root(Scope* root);
  void hire();
  void end();

  const Options options_;
  std::vector<std::unique_ptr<Worker>> workers_;  // made before the first of them runs
  std::atomic<bool> ended_{false};                // seq_cst: a worker looks before it rests (Inbox)
  std::atomic<std::uint64_t> numbers_{0};

  mutable std::mutex mutex_;  // guards the pool and what follows
  Pool pool_;
  Helpers helpers_;        // has a mutex of its own
  Scope* root_ = nullptr;  // while it lives
  std::exception_ptr error_;
  Statistics statistics_;
};

}  // namespace heddle::pico
