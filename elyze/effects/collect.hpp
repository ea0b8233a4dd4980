// Makes the summary of one function, once the graph of its component is finished and its callees have summaries.
#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "elyze/effects/analysis.hpp"
#include "elyze/points_to/cells.hpp"

namespace heddle::elyze {

struct Collected {
  Summary summary;
  std::unordered_set<NodeId> nodes;  // of the objects that the function allocates, or was given
};

// `visible`: by node, what callers, globals and registrations can reach of the component's part of the graph.
// `escapes`: what is known so far for the component; grows.
Collected collect(Analysis& analysis, Unit& unit, Cells& cells, const llvm::Function& function,
                  const std::vector<bool>& visible, const std::shared_ptr<Escapes::Set>& escapes);

}  // namespace heddle::elyze
