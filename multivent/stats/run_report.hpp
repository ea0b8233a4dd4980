// What a run did, for people (a summary on stderr) and for tools (the `run` document, schemas/run.schema.json).
//
// Both are made at exit from the figures of all event bases put together.
#pragma once

#include <algorithm>
#include <string>

#include "multivent/core/handler_registry.hpp"
#include "multivent/core/symbols.hpp"
#include "multivent/stats/loop_statistics.hpp"

namespace heddle::multivent::stats {

struct RunFacts {
  // Places for handlers that take long, and how high their number may go if it is found by watching.
  unsigned threads = 1;
  unsigned most_threads = 1;
  std::string constraints_path;  // empty: none
  bool oracle = false;
  std::string why_serial;  // empty: the run was parallel
  double seconds = 0;      // since the first event base was made
  LoopStatistics statistics;

  bool found_by_watching() const { return most_threads > threads; }
  // The highest number of places there was.
  unsigned places() const { return std::max(threads, statistics.places().most); }
};

// Why it was that many, where that was found by watching; in words that follow "because".
std::string why_so_many(const RunFacts& facts);

std::string run_document(const RunFacts& facts, const HandlerRegistry& registry, const Symbols& program);

// Writes the document to `path`. UserError if that fails.
void write_run_file(const std::string& path, const RunFacts& facts, const HandlerRegistry& registry,
                    const Symbols& program);

// Several lines, each ended by a newline; the first begins with "heddle: " and says whether the run was parallel.
std::string run_summary(const RunFacts& facts, const HandlerRegistry& registry);

}  // namespace heddle::multivent::stats
