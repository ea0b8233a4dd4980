// The figures and the trace of one base, if they were asked for. Every function needs the base's mutex.
#pragma once

#include <memory>

#include "multivent/calls/callees.hpp"
#include "multivent/calls/task.hpp"
#include "telemetry/loop_statistics.hpp"
#include "telemetry/trace_file.hpp"
#include "telemetry/traced_call.hpp"

namespace heddle::multivent {

static_assert(telemetry::TracedCall::kNone == scheduler::Invocation::kNone);

class Recorder {
 public:
  Recorder(bool with_statistics, telemetry::TraceFile* trace_file) : on_(with_statistics || trace_file != nullptr) {
    if (with_statistics) statistics_ = std::make_unique<telemetry::LoopStatistics>();
    if (trace_file != nullptr) trace_ = std::make_unique<telemetry::TraceBuffer>(*trace_file);
  }

  bool on() const { return on_; }  // asked several times for each call
  bool traces() const { return trace_ != nullptr; }
  // Null if no figures are kept.
  const telemetry::LoopStatistics* statistics() const { return statistics_.get(); }

  void due(const Task& task) {
    if (statistics_ != nullptr) statistics_->due(task.handler);
  }
  void dropped(const Task& task) {
    if (statistics_ != nullptr) statistics_->dropped(task.handler);
  }
  void started(std::size_t running) {
    if (statistics_ != nullptr) statistics_->started(running);
  }
  void waited_late(Task& task, std::uint32_t holder, base::Nanoseconds duration_ns) {
    task.waited_late_ns += duration_ns;
    if (statistics_ != nullptr) statistics_->waited(task.handler, holder, duration_ns);
  }
  void resized(unsigned places) {
    if (statistics_ != nullptr) statistics_->resized(places);
  }
  void ran(bool alone, base::Nanoseconds duration_ns) {
    if (statistics_ != nullptr) statistics_->ran(alone, duration_ns);
  }
  void tried(bool gained) {
    if (statistics_ != nullptr) statistics_->tried(gained);
  }
  void polled() {
    if (statistics_ != nullptr) statistics_->polled();
  }
  void finished(const Task& task, base::Nanoseconds end_ns, base::Nanoseconds cpu_ns, unsigned thread) {
    if (statistics_ != nullptr) {
      statistics_->finished(task.handler, task.start_ns - task.ready_ns, end_ns - task.start_ns, task.stands_for);
      if (task.held_by != scheduler::Invocation::kNone) statistics_->waited(task.handler, task.held_by, task.held_ns);
    }
    if (trace_ == nullptr) return;
    trace_->add({.handler = task.handler,
                 .held_by = task.held_by,
                 .ready_ns = task.ready_ns,
                 .start_ns = task.start_ns,
                 .end_ns = end_ns,
                 .cpu_ns = cpu_ns,
                 .waited_late_ns = task.waited_late_ns,
                 .sequence = task.sequence,
                 .session = task.session,
                 .thread = thread,
                 .what = task.what,
                 .in_constraints = task.klass != scheduler::kUnknownClass,
                 .got_to_late_point = task.passed_late});
  }

  // Writes what the trace has so far.
  void flush() {
    if (trace_ != nullptr) trace_->flush();
  }
  // In a child of fork(): the parent's records are the parent's to write.
  void end_trace() {
    [[maybe_unused]] const auto* const theirs = trace_.release();
    on_ = statistics_ != nullptr;
  }

 private:
  bool on_;
  std::unique_ptr<telemetry::LoopStatistics> statistics_;
  std::unique_ptr<telemetry::TraceBuffer> trace_;
};

}  // namespace heddle::multivent
