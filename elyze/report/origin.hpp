// How a handler got hold of what it touches, in the names of the source: `arg`, `client->previous`.
//
// Where the derivation of a pointer is known (effects/root.hpp) the answer is exact: the loads that led from the
// handler's argument to the object. Where it is not, because the pointer came out of a global or out of several places,
// the answer is an example: a shortest way through the points-to graph, first from a global, else from the session.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "elyze/conflicts/conflicts.hpp"
#include "elyze/conflicts/naming.hpp"

namespace heddle::elyze {

// A field of the session object that leads to session objects, the own kind or another handler's.
struct SessionLink {
  std::string field;
  std::string type;  // of the session that it leads to
};

// Each place that a pointer was loaded from, root first.
struct Chain {
  std::vector<std::string> places;  // empty for what has a name of its own (a global)
  bool argument = false;            // it starts at the handler's argument, not at a global
  bool exact = false;               // followed, not an example
};

class Origins {
 public:
  Origins(const Analysis& analysis, const World& world);

  Chain chain(const Handler& handler, const HandlerAccess& access);
  std::vector<SessionLink> links(const Handler& handler) const;
  // The function that got hold of the pointer, where the handler did not do it itself.
  static const llvm::Function* taken_in(const Handler& handler, const HandlerAccess& access);

 private:
  struct Step {
    NodeId from = kNoNode;
    std::int64_t offset = 0;
  };
  using Ways = std::unordered_map<NodeId, Step>;

  Ways ways_from(const std::vector<NodeId>& starts) const;
  std::vector<std::string> way(const Ways& ways, NodeId to) const;
  std::optional<Cell> cell_of(const llvm::Function& function, RootId id) const;
  std::vector<std::string> derived(const Handler& handler, RootId id) const;
  std::string field(NodeId node, std::int64_t offset) const;
  bool is_global(NodeId node) const;
  bool in_an_event(NodeId node, std::int64_t offset) const;

  const Analysis& analysis_;
  const World& world_;
  Naming naming_;
  Ways from_globals_;
  std::unordered_map<NodeId, Ways> from_sessions_;
};

}  // namespace heddle::elyze
