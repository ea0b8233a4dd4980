// What the runs of a process leave behind, if its environment asks for it: the `run` document (HEDDLE_RUN_FILE), the
// trace (HEDDLE_TRACE), a summary on standard error (HEDDLE_SUMMARY=1), in the formats of telemetry/; and while they
// last the `run` document of now, in the folder that HEDDLE_LIVE names, where `heddle top` reads it.
//
// A site (site.hpp) is what a handler is in an event loop, and a turn of a thread, from where it is ready over where it
// starts to where it waits again, is an invocation. The session of an invocation is the number of its thread.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "pico/record/site.hpp"
#include "telemetry/live.hpp"
#include "telemetry/loop_statistics.hpp"
#include "telemetry/run_report.hpp"
#include "telemetry/trace_file.hpp"

namespace heddle::pico {

class Recorder;

// Of the process. Any kernel thread may call any function of it.
class Record {
 public:
  // Null: nobody asks for anything.
  static Record* of_the_process();

  // A run() with so many workers begins.
  void begin(std::size_t workers);

  // Null: no trace.
  telemetry::TraceFile* trace_file() { return trace_ ? &*trace_ : nullptr; }
  std::uint64_t next_sequence() { return sequence_.fetch_add(1, std::memory_order_relaxed) + 1; }
  // So many workers run threads now, this one among them; or it does not any more.
  std::size_t busy() { return busy_.fetch_add(1, std::memory_order_relaxed) + 1; }
  void idle() { busy_.fetch_sub(1, std::memory_order_relaxed); }

  // A worker that counts is there until it leaves.
  void enlist(Recorder& worker);
  void leave(Recorder& worker);

 private:
  Record();
  static void report();
  telemetry::RunFacts facts();

  const pid_t owner_;
  const base::Nanoseconds started_ns_ = base::monotonic_ns();
  std::optional<telemetry::TraceFile> trace_;  // made by the first begin()
  std::optional<telemetry::Live> live_;        // the same
  std::atomic<std::uint64_t> sequence_{0};
  std::atomic<std::size_t> busy_{0};

  std::mutex mutex_;  // guards what follows
  std::size_t most_workers_ = 0;
  std::vector<Recorder*> workers_;
  telemetry::LoopStatistics figures_;  // of those that have left
};

// What one worker has to tell. For its kernel thread, but for add_to().
class Recorder {
 public:
  Recorder(Record& record, std::size_t worker);
  ~Recorder() { record_.leave(*this); }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  struct Turn {
    const Site& site;
    std::uint64_t thread;
    std::uint64_t sequence;
    base::Nanoseconds ready;
    base::Nanoseconds start;
    base::Nanoseconds end;
  };

  // A thread of that site is ready; its turn starts, and gets a number (those of one worker start in the order in which
  // they became ready); it has ended.
  void ready(const Site& site) {
    const std::scoped_lock lock(mutex_);
    figures_.due(site.number());
  }
  std::uint64_t starts() { return trace_ != nullptr ? record_.next_sequence() : 0; }
  void ended(const Turn& turn);
  // It runs threads from now on, or not any more.
  void busy() {
    const std::scoped_lock lock(mutex_);
    figures_.started(record_.busy());
  }
  void idle() { record_.idle(); }
  void polled() {
    const std::scoped_lock lock(mutex_);
    figures_.polled();
  }

  // By any kernel thread.
  void add_to(telemetry::LoopStatistics& sum) {
    const std::scoped_lock lock(mutex_);
    sum.merge(figures_);
  }

 private:
  Record& record_;
  const unsigned worker_;
  std::mutex mutex_;  // guards figures_; nobody waits for it but who makes a document while the run goes on
  telemetry::LoopStatistics figures_;
  std::unique_ptr<telemetry::TraceBuffer> trace_;
};

}  // namespace heddle::pico
