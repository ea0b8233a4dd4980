// What a run did, for people (a summary on stderr) and for tools (the `run` document, schemas/run.schema.json).
//
// Both are made at exit from the figures of all event bases put together.
#pragma once

#include <string>

#include "multivent/core/handler_registry.hpp"
#include "multivent/core/symbols.hpp"
#include "multivent/stats/loop_statistics.hpp"

namespace heddle::multivent::stats {

struct RunFacts {
  unsigned threads = 1;
  std::string constraints_path;  // empty: none
  bool oracle = false;
  std::string why_serial;  // empty: the run was parallel
  double seconds = 0;      // since the first event base was made
  LoopStatistics statistics;
};

std::string run_document(const RunFacts& facts, const HandlerRegistry& registry, const Symbols& program);

// Writes the document to `path`. UserError if that fails.
void write_run_file(const std::string& path, const RunFacts& facts, const HandlerRegistry& registry,
                    const Symbols& program);

// Several lines, each ended by a newline; the first begins with "heddle: " and says whether the run was parallel.
std::string run_summary(const RunFacts& facts, const HandlerRegistry& registry);

}  // namespace heddle::multivent::stats
