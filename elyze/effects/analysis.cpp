#include "elyze/effects/analysis.hpp"

namespace heddle::elyze {

Cell Analysis::cell_of(const llvm::Function& function, RootId id) const {
  const Root& root = roots[id];
  const Graph& graph = points_to.graph;
  if (root.kind == Root::Kind::kParam) {
    const FunctionCells& cells = points_to.cells(function);
    return root.index < cells.formals.size() ? graph.find(cells.formals[root.index]) : Cell{};
  }
  if (root.kind != Root::Kind::kLoad) return {};
  const Cell parent = cell_of(function, root.parent);
  if (!parent.valid()) return {};
  const Cell pointer = graph.edge_if_any(parent.plus(root.offset));
  return pointer.valid() ? pointer : graph.edge_if_any(parent.plus(root.offset), true);
}

}  // namespace heddle::elyze
