// What holds for the whole process: the settings, the constraints, the figures of bases that are gone, all live bases.
//
// Made once and never destroyed: threads and exit handlers of the program may use events until the very end. Configured
// before the first event base is made, by startup.hpp.
#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "multivent/core/handler_registry.hpp"
#include "multivent/core/live.hpp"
#include "multivent/core/symbols.hpp"
#include "multivent/stats/loop_statistics.hpp"
#include "multivent/stats/run_report.hpp"
#include "multivent/stats/trace_file.hpp"
#include "scheduler/crew_options.hpp"

struct event_base;

namespace heddle::multivent {

#ifdef HEDDLE_CHECKS
inline constexpr bool kOracleByDefault = true;
#else
inline constexpr bool kOracleByDefault = false;
#endif

inline constexpr unsigned kMostThreads = 1024;

// How many handlers that take long may run at once: a number, or found by watching them (scheduler/crew_size.hpp).
struct Threads {
  unsigned least = 1;
  unsigned most = 1;

  // From the cores that this process may use to 64, or to four for each core if that is more.
  static Threads automatic();
  static Threads exactly(unsigned count) { return {count, count}; }
  bool found_by_watching() const { return most > least; }
};

struct Settings {
  Threads threads;
  std::string constraints_path;
  std::string run_file_path;
  std::string trace_file_path;
  std::string live_folder;  // for figures while it runs; empty: none
  bool statistics = false;
  bool summary = false;
  bool oracle = kOracleByDefault;
  scheduler::Promotion promotion = scheduler::Promotion::kAdaptive;
  std::string why_serial;  // not empty: everything on the caller's thread
};

// What the HEDDLE_ variables say, which are gone then, so that children of the program are left alone.
struct Environment {
  Settings settings;  // without a decision on how to run
  std::optional<Threads> threads;
  std::optional<bool> statistics;
  bool serial = false;
  bool quiet = false;

  // Before main. UserError if one makes no sense.
  static Environment taken();
};

class Runtime {
 public:
  // Serial, without figures, until configure() is called.
  static Runtime& get();
  // UserError if the constraints or files that the settings name are not usable. Before the first base is made.
  static void configure(const Settings& settings);
  // The same with constraints that are already read. UserError if they do not fit the program.
  static void configure(const Settings& settings, const ConstraintsFile& constraints);

  const Settings& settings() const { return settings_; }
  bool parallel() const { return settings_.why_serial.empty(); }
  // Serial, but only because the constraints allow nothing to run at once.
  bool useless() const { return useless_; }
  // Null if neither constraints nor figures are asked for.
  HandlerRegistry* registry() const { return registry_.get(); }
  stats::TraceFile* trace_file() const { return trace_file_.get(); }

  void add(event_base& base);
  // Keeps its figures.
  void remove(event_base& base);

  // So far, all bases together.
  stats::RunFacts facts();
  // The `run` document of these; there must be a registry.
  std::string document();

  // Writes the run file and the summary, if they were asked for. Only in the process that configured this.
  void report();

 private:
  Runtime();
  void open(const ConstraintsFile* constraints);
  void start_live();
  static void before_fork();
  static void after_fork(bool in_child);

  Settings settings_;
  bool useless_ = false;
  Symbols symbols_;
  std::unique_ptr<HandlerRegistry> registry_;
  std::unique_ptr<stats::TraceFile> trace_file_;
  std::unique_ptr<Live> live_;  // made with the first base, then constant
  pid_t owner_ = 0;
  base::Nanoseconds started_ns_ = 0;  // when the first base was made

  std::mutex mutex_;  // guards what follows; taken before a base's mutex
  std::vector<event_base*> bases_;
  stats::LoopStatistics finished_;
};

}  // namespace heddle::multivent
