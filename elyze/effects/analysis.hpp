// What the bottom-up phase works on, and what it leaves for later phases: the graph, the roots, a summary per function.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "elyze/effects/children.hpp"
#include "elyze/effects/late_points.hpp"
#include "elyze/effects/locks.hpp"
#include "elyze/effects/summary.hpp"

namespace heddle::elyze {

struct Analysis {
  Analysis(const llvm::Module& module, const Specs& specs, const CallGraph& graph)
      : points_to(module, specs),
        calls(graph),
        children(module, specs, graph),
        late_points(module, specs, graph),
        brief_locks(module, specs, graph) {
    points_to.addresses = &graph.addresses;
  }
  PointsTo points_to;
  const CallGraph& calls;
  Children children;
  LatePoints late_points;
  BriefLocks brief_locks;
  Roots roots;
  Escapes escapes;
  Witnesses witnesses;
  std::unordered_map<const llvm::Function*, Summary> summaries;
  std::unordered_map<const llvm::Function*, std::vector<Graph::Copy>> copies;  // of the function's component
  std::vector<Graph::Copy> shared_copies;
  std::size_t replaced = 0;  // how often kReplaced was new for a node that is not shared
  // Where the address of a local variable is compared with that of something else, or kept as a number.
  std::unordered_set<const llvm::Instruction*> measures_stack;
  std::vector<std::vector<const llvm::Function*>> pools;  // large recursive components
  // The cell that a root of the function stands for; invalid where the graph has none.
  Cell cell_of(const llvm::Function& function, RootId root) const;

  std::size_t steps = 0;  // effects that were looked at: what the analysis costs, whatever the machine
};

}  // namespace heddle::elyze
