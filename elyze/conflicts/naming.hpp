// Names memory as a programmer would: `cache.lru`, `client->state`, `*client->body`, `file of client->fd`.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "elyze/conflicts/conflicts.hpp"

namespace heddle::elyze {

class Naming {
 public:
  explicit Naming(const Graph& graph);
  NamedObject name(NodeId node, Range range) const;

 private:
  NamedObject name(NodeId node, Range range, int depth) const;
  bool by_global(NodeId node, Range range, NamedObject& result) const;
  bool by_type(NodeId node, Range range, NamedObject& result) const;
  bool by_holder(NodeId node, NamedObject& result, int depth) const;

  struct Holder {
    NodeId node;
    std::int64_t offset;
  };
  const Graph& graph_;
  std::unordered_map<NodeId, std::vector<Holder>> holders_;
};

}  // namespace heddle::elyze
