// How a handler got hold of what it touches, in the names of the source: `arg`, `client->previous`.
//
// Where the derivation of a pointer is known (effects/root.hpp) the answer is exact: the loads that led from the
// handler's argument to the object. Where it is not, because the pointer came out of a global or out of several places,
// the answer is an example: a shortest way through the points-to graph, first from a global, else from the session.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "elyze/conflicts/naming.hpp"
#include "elyze/explain/findings.hpp"
#include "elyze/footprint/footprint.hpp"

namespace heddle::elyze {

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
