// What a run did, for people (a summary on stderr) and for tools (the `run` document, schemas/run.schema.json).
//
// Both are made from the figures of all event bases put together, at exit and whenever somebody asks meanwhile.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "telemetry/loop_statistics.hpp"
#include "telemetry/program.hpp"

namespace heddle::telemetry {

// Who waited for whom, and what the constraints say of the two.
struct HeldBack : Contention {
  bool within_session = false;       // they conflict only in one session
  std::vector<std::string> objects;  // what they conflict on, most important first
};

struct RunFacts {
  Program program;
  std::vector<HandlerName> handlers;  // by number
  std::vector<std::string> missing;   // handlers of the constraints that the program lacks
  std::vector<HeldBack> held_back;    // the worst first

  // Places for handlers that take long, and how high their number may go if it is found by watching.
  unsigned threads = 1;
  unsigned most_threads = 1;
  std::string constraints_path;  // empty: none
  bool oracle = false;
  std::string why_serial;  // empty: the run was parallel
  double seconds = 0;      // since the first event base was made
  LoopStatistics statistics;

  bool found_by_watching() const { return most_threads > threads; }
  // Whether a crew or one thread runs a loop was found out while it ran.
  bool took_turns() const { return statistics.turns().alone_ns + statistics.turns().crew_ns > 0; }
  // The highest number of places there was.
  unsigned places() const { return std::max(threads, statistics.places().most); }
};

// Why there were that many places, in a run that found their number by watching: words that follow "because".
std::string why_so_many(const RunFacts& facts);
// Who ran the loops, in a run that found that out: a sentence.
std::string who_ran(const LoopStatistics::Turns& turns);

std::string run_document(const RunFacts& facts);

// Writes the document to `path`. UserError if that fails.
void write_run_file(const std::string& path, const RunFacts& facts);

// Several lines, each ended by a newline; the first begins with "heddle: " and says whether the run was parallel.
std::string run_summary(const RunFacts& facts);

}  // namespace heddle::telemetry
