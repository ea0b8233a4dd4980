// Pointers that a function, or one that it calls, puts where others see them, although nothing says how it came by
// them.
//
// A caller learns of stores by the parameters that they depend on (Summary::open_stores). A pointer of unknown
// derivation depends on none, but it may be any pointer to the same node, also one to an object of the caller's. So
// each function has the set of those nodes. Only shared nodes count: what the function does with others, its callers
// see in their own copy of the graph.
#pragma once

#include <llvm/ADT/BitVector.h>

#include <unordered_map>
#include <vector>

#include "elyze/points_to/graph.hpp"

namespace heddle::elyze {

class Escapes {
 public:
  using Set = llvm::BitVector;  // by number()

  void add(const Graph& graph, NodeId node, Set& to) {
    const auto [place, fresh] = numbers_.try_emplace(graph.find_node(node), static_cast<unsigned>(nodes_.size()));
    if (fresh) nodes_.push_back(place->first);
    if (to.size() <= place->second) to.resize(static_cast<unsigned>(nodes_.size()));
    to.set(place->second);
  }
  // The nodes that the set stands for in the graph as it is now.
  template <class Visit>
  void each(const Graph& graph, const Set& set, const Visit& visit) const {
    for (const unsigned number : set.set_bits()) visit(graph.find_node(nodes_[number]));
  }
  // Nodes become one as the graph grows: leaves one number for each.
  void shrink(const Graph& graph, Set& set) {
    Set small;
    each(graph, set, [&](NodeId node) { add(graph, node, small); });
    set = std::move(small);
  }

 private:
  std::unordered_map<NodeId, unsigned> numbers_;
  std::vector<NodeId> nodes_;
};

}  // namespace heddle::elyze
