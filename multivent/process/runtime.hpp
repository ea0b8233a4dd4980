// What holds for the whole process: settings, mode, constraints, all live bases, the figures of those that are gone.
//
// Made once and never destroyed: threads and exit handlers of the program may use events until the very end. Configured
// before the first event base is made, by startup.hpp.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/quick_mutex.hpp"
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
  // Before each event_base_loop(). The process that runs the loop is the one that reports: a daemon is a child of the
  // process that was started.
  //
  // Threads of ours exist as long as a thread that has run a loop does: a process ends with its last thread, also where
  // that is left by pthread_exit().
  void runs_loop();
  // Keeps its figures.
  void remove(event_base& base);

  // A crew may run a loop, or it may not.
  bool crew_may_run() const { return parallel() && runs_loop_.load(std::memory_order_relaxed); }
  using Lock = std::unique_lock<base::QuickMutex>;
  // The mutex, unless a function of a signal runs that has interrupted this thread with it, or with that of a base,
  // which the holder of this one may wait for.
  Lock lock_unless_interrupted();
  // The bases that there are; with the mutex.
  const std::vector<event_base*>& bases() const { return bases_; }

  // So far, all bases together.
  telemetry::RunFacts facts();
  // The `run` document of these; there must be a registry.
  std::string document();

  // True once in a process and its children.
  static bool may_say_how_it_runs() { return !family().said_how_it_runs.exchange(true, std::memory_order_relaxed); }

  // Writes the run file and the summary, if they were asked for: in a process that has run a loop, or if it has not
  // and has no child either, in the one that configured this. Where several processes run loops, the first that ends
  // writes the run file, and the others files of their own beside it, with their numbers in the names.
  void report();

 private:
  Runtime();
  void open(const ConstraintsFile* constraints);
  void takes_over();
  void thread_begins();
  static void thread_ends(void* runtime);
  bool one_crew_is_let_go();
  void start_live();
  static void look(bool for_good);
  std::string run_file_of_this_process();
  void collect(telemetry::RunFacts& facts);
  void write_traces();
  static void before_fork();
  static void after_fork(bool in_child);

  Settings settings_;
  Mode mode_;
  bool signals_are_tied_ = false;  // see ConstraintsFile
  Symbols symbols_;
  std::unique_ptr<HandlerRegistry> registry_;
  std::unique_ptr<telemetry::TraceFile> trace_file_;
  pid_t owner_ = 0;
  // Set by takes_over(); cleared in children, while there is one thread. Relaxed: nothing else is handed over with it.
  std::atomic<bool> runs_loop_{false};
  std::atomic<bool> has_children_{false};  // relaxed, as above
  // What children share with their parent. Relaxed: nothing else is handed over with it.
  struct Family {
    std::atomic<bool> traced{false};     // a process has run a loop: that one has the trace
    std::atomic<unsigned> run_files{0};  // written so far
    std::atomic<bool> said_how_it_runs{false};
  };
  static Family& family();
  base::Nanoseconds started_ns_ = 0;  // when the first base was made

  pthread_key_t loop_thread_{};  // its destructor is thread_ends()

  bool locked_for_fork_ = false;           // by the thread that forks
  base::QuickMutex mutex_;                 // guards what follows; taken before a base's mutex
  int loop_threads_ = 0;                   // that exist and have run a loop, but in the middle of a handler
  std::unique_ptr<telemetry::Live> live_;  // while there are any
  std::vector<event_base*> bases_;
  telemetry::LoopStatistics finished_;
};

}  // namespace heddle::multivent
