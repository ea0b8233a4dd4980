// Pointers that a function, or one that it calls, puts where others see them, although nothing says how it came by
// them.
//
// A caller learns of stores by the parameters that they depend on (Summary::open_stores). A pointer of unknown
// derivation depends on none, but it may be any pointer to the same node, also one to an object of the caller's. So
// each function has the set of those nodes. Only shared nodes count: what the function does with others, its callers
// see in their own copy of the graph. The same holds for copies of what such a pointer leads to: which pointers stand
// there, only the callers know. And it holds for places of unknown derivation that the function stores to: each may be
// in any object at the node, also in one whose pointers a caller believes to know.
#pragma once

#include <llvm/ADT/BitVector.h>

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "elyze/points_to/graph.hpp"

namespace heddle::elyze {

class Escapes {
 public:
  enum class What : std::uint8_t {
    kPointer,   // to what the node stands for
    kContents,  // not the pointer, but those in what it points to
    kReplaced,  // nothing of it; what stands in it is replaced
  };
  struct Escape {
    NodeId node;
    What what;
    auto operator<=>(const Escape&) const = default;
  };
  using Set = llvm::BitVector;  // by the index in all_

  void add(const Graph& graph, Escape escape, Set& to) {
    escape.node = graph.find_node(escape.node);
    const auto [place, fresh] = numbers_.try_emplace(escape, static_cast<unsigned>(all_.size()));
    if (fresh) all_.push_back(escape);
    if (to.size() <= place->second) to.resize(static_cast<unsigned>(all_.size()));
    to.set(place->second);
  }
  // What the set stands for in the graph as it is now.
  template <class Visit>
  void each(const Graph& graph, const Set& set, const Visit& visit) const {
    for (const unsigned number : set.set_bits()) visit(Escape{graph.find_node(all_[number].node), all_[number].what});
  }
  // Nodes become one as the graph grows: leaves one number for each.
  void shrink(const Graph& graph, Set& set) {
    Set small;
    each(graph, set, [&](const Escape& escape) { add(graph, escape, small); });
    set = std::move(small);
  }

 private:
  std::map<Escape, unsigned> numbers_;
  std::vector<Escape> all_;
};

}  // namespace heddle::elyze
