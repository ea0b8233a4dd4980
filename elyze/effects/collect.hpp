// Makes the summary of one function, once the graph of its component is finished and its callees have summaries.
#pragma once

#include <vector>

#include "elyze/effects/analysis.hpp"
#include "elyze/points_to/cells.hpp"

namespace heddle::elyze {

// `visible`: by node, what callers, globals and registrations can reach of the component's part of the graph.
Summary collect(Analysis& analysis, Unit& unit, Cells& cells, const llvm::Function& function,
                const std::vector<bool>& visible);

}  // namespace heddle::elyze
