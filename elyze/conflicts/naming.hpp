// Conflicts are on ranges of bytes in nodes of the graph. This names such memory as a programmer would: `cache.lru`,
// `client->state`, `*client->body`, `file of client->fd`.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "elyze/points_to/graph.hpp"

namespace llvm {
class GlobalVariable;
}  // namespace llvm

namespace heddle::elyze {

struct NamedObject {
  std::string name;
  std::string kind;
  std::string type;
  std::string file;
  unsigned line = 0;
  // What the name was made of, for reports; never part of which object it is.
  const llvm::GlobalVariable* variable = nullptr;
  Range bytes{};                        // of the variable, or of the structure
  const llvm::DIType* value = nullptr;  // the type of just these bytes, where one member is meant
};

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
