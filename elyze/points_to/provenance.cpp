#include "elyze/points_to/provenance.hpp"

#include <algorithm>

namespace heddle::elyze {

ProvenanceId Provenances::make(NodeId node, std::optional<Bytes> bytes) {
  all_.push_back({kNoProvenance, node, bytes});
  return static_cast<ProvenanceId>(all_.size() - 1);
}

ProvenanceId Provenances::find(ProvenanceId id) const {
  if (id == kNoProvenance) return id;
  ProvenanceId root = id;
  while (all_[root].parent != kNoProvenance) root = all_[root].parent;
  while (id != root) {
    const ProvenanceId next = all_[id].parent;
    all_[id].parent = root;
    id = next;
  }
  return root;
}

bool Provenances::unify(ProvenanceId a, ProvenanceId b, NodeId node, const std::optional<Bytes>& of_a,
                        const std::optional<Bytes>& of_b) {
  a = find(a);
  b = find(b);
  if (a == b) return false;
  Provenance& stays = all_[a];
  all_[b].parent = a;
  stays.node = node;
  if (of_a && of_b) {
    const Range& one = of_a->range;
    const Range& other = of_b->range;
    stays.bytes = Bytes{{std::min(one.low, other.low), std::max(one.high, other.high)}, of_a->array && of_b->array};
    return stays.bytes->range != one || stays.bytes->range != other;
  }
  stays.bytes = of_a ? of_a : of_b;
  return of_a.has_value() != of_b.has_value();
}

bool Provenances::lose(ProvenanceId id) {
  std::optional<Bytes>& bytes = all_[find(id)].bytes;
  if (bytes && bytes->range == kEverything) return false;
  bytes = Bytes{kEverything, false};
  return true;
}

}  // namespace heddle::elyze
