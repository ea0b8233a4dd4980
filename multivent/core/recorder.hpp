// The figures and the trace of one base, if they were asked for. Every function needs the base's mutex.
#pragma once

#include <memory>

#include "multivent/core/callees.hpp"
#include "multivent/core/task.hpp"
#include "multivent/stats/loop_statistics.hpp"
#include "multivent/stats/trace_file.hpp"

namespace heddle::multivent {

struct Recorder {
  std::unique_ptr<stats::LoopStatistics> statistics;
  std::unique_ptr<stats::TraceBuffer> trace;

  bool on() const { return statistics != nullptr || trace != nullptr; }

  void due(const Task& task) {
    if (statistics != nullptr) statistics->due(task.handler);
  }
  void dropped(const Task& task) {
    if (statistics != nullptr) statistics->dropped(task.handler);
  }
  void started(std::size_t running) {
    if (statistics != nullptr) statistics->started(running);
  }
  void waited_late(Task& task, std::uint32_t holder, base::Nanoseconds duration_ns) {
    task.waited_late_ns += duration_ns;
    if (statistics != nullptr) statistics->waited(task.handler, holder, duration_ns);
  }
  void resized(unsigned places) {
    if (statistics != nullptr) statistics->resized(places);
  }
  void polled() {
    if (statistics != nullptr) statistics->polled();
  }
  void finished(const Task& task, base::Nanoseconds end_ns, base::Nanoseconds cpu_ns, unsigned thread) {
    if (statistics != nullptr) statistics->finished(task, end_ns);
    if (trace == nullptr) return;
    trace->add(task, {.at_ns = end_ns,
                      .cpu_ns = cpu_ns,
                      .thread = thread,
                      .what = task.what,
                      .got_to_late_point = task.passed_late,
                      .waited_late_ns = task.waited_late_ns});
  }
};

}  // namespace heddle::multivent
