// What pointers were made from: the bytes of a node that they may be moved over.
//
// In C, arithmetic on a pointer stays inside the array object that it was made from (C17 6.5.6p8); one to a structure
// may walk over all of its bytes (6.3.2.3p7), also where an array is its first member and has the same address. So
// where a pointer stands does not say how far it gets. Every pointer has a provenance beside its place: pointers that
// may be equal share it, as they share their node, and it grows by what each of them was made from. A pointer that is
// derived from another one keeps its provenance, but that to an array member, or to its elements, starts a new one
// (ir/arrays.hpp). A parameter has none of its own: it gets the caller's, and until then nothing bounds it.
//
// All pointers of a provenance lead into one node. Its bytes are counted from where that node was when the provenance
// was made.
#pragma once

#include <optional>
#include <vector>

#include "elyze/points_to/cell.hpp"

namespace heddle::elyze {

class Provenances {
 public:
  struct Bytes {
    Range range;
    bool array = false;  // all were made from arrays
  };

  ProvenanceId make(NodeId node, std::optional<Bytes> bytes = std::nullopt);
  ProvenanceId find(ProvenanceId id) const;
  NodeId node(ProvenanceId id) const { return all_[find(id)].node; }
  // Where the node's own bytes are counted from, nullopt if it has none.
  const std::optional<Bytes>& bytes(ProvenanceId id) const { return all_[find(id)].bytes; }
  // Makes one of two whose bytes are counted from one place, which is `node` from now on. True if either has more bytes
  // than before.
  bool unify(ProvenanceId a, ProvenanceId b, NodeId node, const std::optional<Bytes>& of_a,
             const std::optional<Bytes>& of_b);
  // Pointers of it come from somewhere that is not known. True if that is new.
  bool lose(ProvenanceId id);

 private:
  struct Provenance {
    ProvenanceId parent = kNoProvenance;
    NodeId node = kNoNode;
    std::optional<Bytes> bytes;
  };
  mutable std::vector<Provenance> all_;
};

}  // namespace heddle::elyze
