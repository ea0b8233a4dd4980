// What the HEDDLE_ variables ask for. How the process is run follows from that in mode.hpp.
#pragma once

#include <optional>
#include <string>

#include "scheduler/crew/crew_options.hpp"
#include "schemas/agreements.hpp"

namespace heddle::multivent {

#ifdef HEDDLE_CHECKS
inline constexpr bool kOracleByDefault = true;
#else
inline constexpr bool kOracleByDefault = false;
#endif

inline constexpr unsigned kMostThreads = schemas::limits::kMostThreads;

// How many handlers that take long may run at once: a number, or found by watching them (scheduler/crew/crew_size.hpp).
struct Threads {
  unsigned least = 1;
  unsigned most = 1;
  bool of_cores = false;  // nobody named a number: the cores decide

  // From the cores that this process may use to 64, or to four for each core if that is more.
  static Threads automatic();
  static Threads exactly(unsigned count) { return {count, count}; }
  bool found_by_watching() const { return most > least; }
};

struct Settings {
  std::string constraints_path;
  std::string run_file_path;
  std::string trace_file_path;
  std::string live_folder;  // for figures while it runs; empty: none
  bool statistics = false;
  bool summary = false;
  bool oracle = kOracleByDefault;
  scheduler::Promotion promotion = scheduler::Promotion::kAdaptive;
  bool in_turn = false;  // for tests: see Crewed
  bool metrics = false;  // figures are asked for while it runs, also of a serial run

  // Somebody will read figures.
  bool reports() const { return summary || !run_file_path.empty() || !live_folder.empty(); }
};

// What the variables say, which are gone then, so that children of the program are left alone.
struct Environment {
  Settings settings;
  std::optional<Threads> threads;
  std::optional<bool> statistics;
  bool serial = false;
  std::string program;         // as the user of `heddle run` named it; empty: that did not start it
  std::string no_constraints;  // why `heddle run` found no document
  bool quiet = false;

  // Before main. UserError if one makes no sense.
  static Environment taken();
};

}  // namespace heddle::multivent
