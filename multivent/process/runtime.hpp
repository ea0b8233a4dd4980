// What holds for the whole process: settings, mode, constraints, all live bases, the figures of those that are gone.
//
// Made once and never destroyed: threads and exit handlers of the program may use events until the very end. Configured
// before the first event base is made, by startup.hpp.
#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "multivent/loop/loop_options.hpp"
#include "multivent/process/mode.hpp"
#include "multivent/process/settings.hpp"
#include "multivent/program/handler_registry.hpp"
#include "multivent/program/symbols.hpp"
#include "telemetry/live.hpp"
#include "telemetry/loop_statistics.hpp"
#include "telemetry/run_report.hpp"
#include "telemetry/trace_file.hpp"

struct event_base;

namespace heddle::multivent {

class Runtime {
 public:
  // Serial, without figures, until configure() is called.
  static Runtime& get();
  // Before the first base is made. A serial run takes from the constraints only names and sessions for its figures, and
  // may have none (null). UserError if they do not fit the program, or a file to write cannot be made.
  static void configure(const Settings& settings, const Mode& mode, const ConstraintsFile* constraints);

  const Settings& settings() const { return settings_; }
  // For the next base.
  LoopOptions loop_options() const;
  const Mode& mode() const { return mode_; }
  bool parallel() const { return mode_.parallel(); }
  // Null if neither constraints nor figures are asked for.
  HandlerRegistry* registry() const { return registry_.get(); }
  telemetry::TraceFile* trace_file() const { return trace_file_.get(); }

  void add(event_base& base);
  // Keeps its figures.
  void remove(event_base& base);

  // So far, all bases together.
  telemetry::RunFacts facts();
  // The `run` document of these; there must be a registry.
  std::string document();

  // Writes the run file and the summary, if they were asked for. Only in the process that configured this.
  void report();

 private:
  Runtime();
  void open(const ConstraintsFile* constraints);
  void start_live();
  void collect(telemetry::RunFacts& facts);
  static void before_fork();
  static void after_fork(bool in_child);

  Settings settings_;
  Mode mode_;
  bool signals_are_tied_ = false;  // see ConstraintsFile
  Symbols symbols_;
  std::unique_ptr<HandlerRegistry> registry_;
  std::unique_ptr<telemetry::TraceFile> trace_file_;
  std::unique_ptr<telemetry::Live> live_;  // made with the first base, then constant
  pid_t owner_ = 0;
  base::Nanoseconds started_ns_ = 0;  // when the first base was made

  std::mutex mutex_;  // guards what follows; taken before a base's mutex
  std::vector<event_base*> bases_;
  telemetry::LoopStatistics finished_;
};

}  // namespace heddle::multivent
