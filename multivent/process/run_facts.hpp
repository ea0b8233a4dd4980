// What telemetry is told of the program: names and conflicts as plain data, for it knows no symbols and no constraints.
#pragma once

#include <vector>

#include "multivent/program/handler_registry.hpp"
#include "multivent/program/symbols.hpp"
#include "telemetry/program.hpp"
#include "telemetry/run_report.hpp"

namespace heddle::multivent {

telemetry::Program described(const Symbols& program);

// All handlers that are known now, by index.
std::vector<telemetry::HandlerName> handler_names(const HandlerRegistry& registry);

// Adds the names of all that `facts.statistics` counts by number, and what the handlers conflict on.
void add_names(telemetry::RunFacts& facts, const HandlerRegistry& registry, const Symbols& program);

}  // namespace heddle::multivent
