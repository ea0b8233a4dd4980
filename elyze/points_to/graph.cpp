#include "elyze/points_to/graph.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/assert.hpp"

namespace heddle::elyze {
namespace {

constexpr std::size_t kMostEdges = 512;  // a node with more collapses, or a copy to moving places might never end
constexpr int kPatientRounds = 20;       // of copying; copies that still change something then unify both their ends

}  // namespace

Cell Graph::make(std::uint16_t flags) {
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.emplace_back();
  nodes_.back().flags = flags;
  if (flags & kShared) newly_shared_.push_back(id);
  return {id, 0, provenances_.make(id)};
}

Cell Graph::make_object(Object object, std::uint16_t flags) {
  const auto id = static_cast<ObjectId>(objects_.size());
  const std::int64_t size = object.size;
  objects_.push_back(std::move(object));
  Cell cell = make(flags);
  nodes_[cell.node].objects.push_back({id, cell.offset});
  cell.provenance = provenances_.make(cell.node, Provenances::Bytes{{0, size > 0 ? size : kFar}, false});
  return cell;
}

Cell Graph::find(Cell cell) const {
  if (!cell.valid()) return cell;
  NodeId root = cell.node;
  std::int64_t shift = 0;
  while (nodes_[root].parent != kNoNode) {
    shift += nodes_[root].shift;
    root = nodes_[root].parent;
  }
  for (NodeId at = cell.node; at != root;) {
    Node& here = nodes_[at];
    const NodeId next = here.parent;
    const std::int64_t rest = shift - here.shift;
    here.parent = root;
    here.shift = shift;
    shift = rest;
    at = next;
  }
  const std::int64_t offset = cell.node == root ? cell.offset : cell.offset + nodes_[cell.node].shift;
  return {root, offset, provenances_.find(cell.provenance)};
}

// The bytes of a provenance, in its node as it is now.
std::optional<Provenances::Bytes> Graph::bytes_of(ProvenanceId id) const {
  if (id == kNoProvenance) return Provenances::Bytes{kEverything, false};
  std::optional<Provenances::Bytes> bytes = provenances_.bytes(id);
  if (bytes) bytes->range = bytes->range.shifted(find({provenances_.node(id), 0}).offset);
  return bytes;
}

// Its pointers may be moved over more bytes than before, or other ones.
void Graph::moved_further(ProvenanceId id) {
  const NodeId node = find_node(provenances_.node(id));
  nodes_[node].stamp = ++clock_;
  if (nodes_[node].layout.moving()) mark_dirty(node);
}

// Makes one provenance of two, whose pointers lead to one node.
void Graph::unite(Cell a, Cell b) {
  if (a.provenance == kNoProvenance && b.provenance == kNoProvenance) return;
  if (a.provenance == kNoProvenance || b.provenance == kNoProvenance) {
    const ProvenanceId known = a.provenance == kNoProvenance ? b.provenance : a.provenance;
    if (provenances_.lose(known)) moved_further(known);
    return;
  }
  const NodeId node = find_node(a.node);
  if (provenances_.unify(a.provenance, b.provenance, node, bytes_of(a.provenance), bytes_of(b.provenance)))
    moved_further(a.provenance);
}

// A number and a pointer at one place are the same value.
void Graph::link_reinterpreted(NodeId id, std::int64_t where) {
  Node& node = nodes_[id];
  const std::int64_t offset = plain_offset(where);
  if (node.layout.folded(offset)) return;
  const auto pointer = node.edges.find(offset);
  const auto number = node.edges.find(offset + kNumbers);
  if (pointer == node.edges.end() || number == node.edges.end()) return;
  for (Edge* edge : {&pointer->second, &number->second}) {
    edge->strict = true;
    edge->filled = pointer->second.filled || number->second.filled;
    edge->written = pointer->second.written || number->second.written;
    for (const Cell target : edge->targets) pending_.emplace_back(pointer->second.targets.front(), target);
    edge->targets.resize(1);
  }
}

// Adds the targets of `edge` to those at `where`, which is folded already; unifies them where the edge is strict.
bool Graph::add_targets(NodeId id, std::int64_t where, const Edge& edge) {
  const auto [place, fresh] = nodes_[id].edges.try_emplace(where, edge);
  if (fresh) {
    nodes_[id].stamp = ++clock_;
    link_reinterpreted(id, where);
    return true;
  }
  Edge& known = place->second;
  bool changed = (edge.strict && !known.strict) || (edge.filled && !known.filled) || (edge.written && !known.written);
  known.strict |= edge.strict;
  known.filled |= edge.filled;
  known.written |= edge.written;
  for (const Cell target : edge.targets) {
    const Cell found = find(target);
    const auto there = std::find_if(known.targets.begin(), known.targets.end(),
                                    [&](Cell other) { return find(other).at_same_place(found); });
    if (there != known.targets.end()) {
      unite(*there, found);
      continue;
    }
    changed = true;
    known.targets.push_back(found);
  }
  if (known.strict && known.targets.size() > 1) {
    for (const Cell target : known.targets) pending_.emplace_back(known.targets.front(), target);
    known.targets.resize(1);
  }
  if (changed) nodes_[id].stamp = ++clock_;
  return changed;
}

bool Graph::add_target(Cell at, Cell target, bool number, bool written) {
  return put(at, Edge{{target}, false, true, written}, number);
}

bool Graph::put(Cell at, const Edge& edge, bool number) {
  at = find(at);
  const std::int64_t where = nodes_[at.node].layout.key(at.offset + (number ? kNumbers : 0));
  const bool shared = (nodes_[at.node].flags & kShared) != 0;
  const bool unknown = (nodes_[at.node].flags & kUnknownMemory) != 0;
  if (unknown) add_flags(edge.targets.front(), kUnknownMemory);
  const bool changed = add_targets(at.node, where, edge);
  if (shared && changed) newly_shared_.push_back(at.node);
  drain();
  return changed;
}

void Graph::mark_dirty(NodeId id) {
  if (nodes_[id].dirty) return;
  nodes_[id].dirty = true;
  dirty_.push_back(id);
}

bool Graph::add_flags(Cell cell, std::uint16_t flags) {
  cell = find(cell);
  Node& node = nodes_[cell.node];
  if ((node.flags & flags) == flags) return false;
  if ((flags & kShared) && !(node.flags & kShared)) newly_shared_.push_back(cell.node);
  if ((flags & kUnknownMemory) && !(node.flags & kUnknownMemory)) newly_unknown_.push_back(cell.node);
  node.flags |= flags;
  return true;
}

Cell Graph::add_array(Cell at, std::int64_t bytes) {
  at = find(at);
  Layout& layout = nodes_[at.node].layout;
  layout.add_array(at.offset, bytes);
  if (layout.many_arrays()) collapse(at.node);
  const Range range{at.offset, bytes == 0 ? kFar : at.offset + bytes};
  return {at.node, at.offset, provenances_.make(at.node, Provenances::Bytes{range, true})};
}

Cell Graph::made_again(Cell pointer) {
  pointer = find(pointer);
  return {pointer.node, pointer.offset, provenances_.make(pointer.node, bytes_of(pointer.provenance))};
}

void Graph::add_walk(Cell at, std::int64_t stride) {
  at = find(at);
  const Layout& layout = nodes_[at.node].layout;
  if (const auto known = layout.walk_at(at.offset)) unite({at.node, 0, *known}, at);
  if (nodes_[at.node].layout.add_walk(at.offset, stride, at.provenance)) mark_dirty(at.node);
}

// One pointer may stand at either of two offsets of a node.
bool Graph::join(Cell a, Cell b) {
  unite(a, b);
  Layout& layout = nodes_[a.node].layout;
  if (const auto known = layout.join_of(a.offset, b.offset)) unite({a.node, 0, *known}, a);
  const bool changed = layout.add_join(a.offset, b.offset, a.provenance);
  if (changed) mark_dirty(a.node);
  return changed;
}

void Graph::collapse(NodeId id) {
  if (nodes_[id].layout.collapse()) mark_dirty(id);
}

void Graph::add_type(Cell at, const llvm::DIType* type) {
  at = find(at);
  nodes_[at.node].types.try_emplace(at.offset, type);
}

void Graph::unify(Cell a, Cell b) {
  if (!a.valid() || !b.valid()) return;
  pending_.emplace_back(a, b);
  drain();
}

bool Graph::same(Cell a, Cell b) const {
  a = find(a);
  b = find(b);
  const Layout& layout = nodes_[a.node].layout;
  return a.node == b.node && (a.offset == b.offset || layout.key(a.offset) == layout.key(b.offset));
}

void Graph::drain() {
  if (draining_) return;
  draining_ = true;
  while (!pending_.empty()) {
    const auto [a, b] = pending_.back();
    pending_.pop_back();
    merge(find(a), find(b));
  }
  draining_ = false;
}

// Both are representatives.
void Graph::merge(Cell a, Cell b) {
  if (a.node == b.node) {
    if (a.offset != b.offset) {
      join(a, b);
    } else {
      unite(a, b);
    }
    return;
  }
  const auto weight = [](const Node& node) { return node.edges.size() + node.objects.size() + node.layout.walks(); };
  if (weight(nodes_[a.node]) < weight(nodes_[b.node])) std::swap(a, b);
  Node gone = std::move(nodes_[b.node]);
  const std::int64_t shift = a.offset - b.offset;
  nodes_[b.node] = Node{};
  nodes_[b.node].parent = a.node;
  nodes_[b.node].shift = shift;
  Node& node = nodes_[a.node];
  const int differ = node.flags ^ gone.flags;
  node.flags |= gone.flags;
  node.stamp = ++clock_;
  if (differ & kShared) newly_shared_.push_back(a.node);
  if (differ & kUnknownMemory) newly_unknown_.push_back(a.node);
  node.layout.find_meeting(gone.layout, shift,
                           [&](ProvenanceId one, ProvenanceId other) { unite({a.node, 0, one}, {a.node, 0, other}); });
  node.layout.absorb(gone.layout, shift);
  for (const Placed& placed : gone.objects) {
    const Placed moved{placed.object, placed.base + shift};
    const bool known = std::any_of(node.objects.begin(), node.objects.end(), [&](const Placed& other) {
      return other.object == moved.object && other.base == moved.base;
    });
    if (!known) node.objects.push_back(moved);
  }
  for (const auto& [offset, type] : gone.types) node.types.try_emplace(offset + shift, type);
  for (const auto& [offset, edge] : gone.edges) add_targets(a.node, node.layout.key(offset + shift), edge);
  unite(a, b);
  if (node.layout.moving()) mark_dirty(a.node);
  if (node.edges.size() > kMostEdges || node.layout.many_arrays()) collapse(a.node);
}

Cell Graph::edge(Cell at, bool number) {
  at = find(at);
  const std::int64_t where = nodes_[at.node].layout.key(at.offset + (number ? kNumbers : 0));
  auto place = nodes_[at.node].edges.find(where);
  if (place == nodes_[at.node].edges.end()) {
    const Cell target = make((nodes_[at.node].flags & (kShared | kUnknownMemory)));
    nodes_[at.node].edges.emplace(where, Edge{{target}, true, false, false});
    nodes_[at.node].stamp = ++clock_;
    link_reinterpreted(at.node, where);
    drain();
    return find(target);
  }
  Edge& known = place->second;
  const Cell first = known.targets.front();
  if (!known.strict) {
    known.strict = true;
    nodes_[at.node].stamp = ++clock_;
    for (const Cell target : known.targets) pending_.emplace_back(first, target);
    known.targets.resize(1);
    drain();
  }
  return find(first);
}

Cell Graph::edge_if_any(Cell at, bool number) const {
  at = find(at);
  const Node& node = nodes_[at.node];
  const auto place = node.edges.find(node.layout.key(at.offset + (number ? kNumbers : 0)));
  if (place == node.edges.end() || place->second.targets.size() != 1) return {};
  return find(place->second.targets.front());
}

bool Graph::written(Cell at, bool number) const {
  at = find(at);
  const Node& node = nodes_[at.node];
  const auto place = node.edges.find(node.layout.key(at.offset + (number ? kNumbers : 0)));
  return place != node.edges.end() && place->second.written;
}

// Computes the folds of a node, and its edges with them. True if anything changed.
bool Graph::fold(NodeId id) {
  Node& node = nodes_[id];
  if (node.layout.many_moves()) collapse(id);
  std::optional<std::int64_t> first;
  for (const Placed& placed : node.objects) first = std::min(first.value_or(placed.base), placed.base);
  if (!node.layout.refold(first, [this](ProvenanceId of) { return reach_of(of); })) return false;
  node.stamp = ++clock_;
  std::map<std::int64_t, Edge> edges;
  std::swap(edges, node.edges);
  for (const auto& [offset, edge] : edges) add_targets(id, node.layout.key(offset), edge);
  drain();
  return true;
}

void Graph::close(const std::vector<Copy>& copies) {
  std::map<std::tuple<NodeId, std::int64_t, ProvenanceId, NodeId, std::int64_t, ProvenanceId, std::int64_t>,
           std::uint64_t>
      done;
  const bool stepped = std::any_of(copies.begin(), copies.end(),
                                   [](const Copy& copy) { return copy.target_steps > 0 || copy.source_steps > 0; });
  std::vector<Copy> plain;
  int round = 0;
  for (bool changed = true; changed; ++round) {
    changed = false;
    if (stepped) plain = expanded(copies);
    while (!dirty_.empty()) {
      const NodeId id = dirty_.back();
      dirty_.pop_back();
      nodes_[id].dirty = false;
      if (nodes_[id].parent == kNoNode && fold(id)) changed = true;
    }
    for (const Copy& copy : stepped ? plain : copies) {
      // Many copies are the same once their nodes have become one, and most have nothing new to move.
      const Cell target = find(copy.target);
      const Cell source = find(copy.source);
      const auto key_of_copy = std::make_tuple(target.node, target.offset, target.provenance, source.node,
                                               source.offset, source.provenance, copy.bytes);
      const auto [place, fresh] = done.try_emplace(key_of_copy, 0);
      const std::uint64_t newest = std::max(nodes_[target.node].stamp, nodes_[source.node].stamp);
      if (!fresh && newest <= place->second) continue;
      place->second = clock_;
      if (!run_copy(copy)) continue;
      changed = true;
      if (round < kPatientRounds) continue;
      unify(target, source);
      collapse(find(target).node);
    }
    changed |= !dirty_.empty();
  }
}

bool Graph::run_copy(const Copy& copy) {
  const Cell target = find(copy.target);
  const Cell source = find(copy.source);
  Range bytes = copy.bytes >= kFar ? extent_to_end(source) : Range{source.offset, source.offset + copy.bytes};
  // Within one object, a copy whose size is known moves just these bytes.
  if (target.node == source.node && copy.bytes >= kFar) {
    const bool over = write_over(source.node, bytes);
    if (target.offset == source.offset || nodes_[target.node].edges.empty()) return over;
    return join(target, source) || over;
  }
  const bool there = copy_edges(source, target, bytes, false);
  const Cell target_now = find(target);
  const Cell source_now = find(source);
  if (target_now.node == source_now.node && target.node != source.node) return true;
  bytes = copy.bytes >= kFar ? extent_to_end(target_now) : Range{target_now.offset, target_now.offset + copy.bytes};
  return copy_edges(target_now, source_now, bytes, true) || there;
}

// What is stored in these bytes is copied to where such stands.
bool Graph::write_over(NodeId id, Range bytes) {
  bool changed = false;
  for (auto& [where, edge] : nodes_[id].edges) {
    const std::int64_t offset = plain_offset(where);
    if (edge.written || !edge.filled || !(bytes.contains(offset) || nodes_[id].layout.folded_with(offset, bytes)))
      continue;
    edge.written = changed = true;
  }
  if (changed) nodes_[id].stamp = ++clock_;
  return changed;
}

// Gives `to` the pointers of `from` within `range`, at the same distance, which writes over what stood there. What is
// loaded from `to` may come from there, so where the edge of `to` is strict, they become equal.
bool Graph::copy_edges(Cell from, Cell to, Range range, bool backwards) {
  const std::map<std::int64_t, Edge> edges = nodes_[from.node].edges;
  bool changed = false;
  for (const auto& [where, edge_there] : edges) {
    const std::int64_t offset = plain_offset(where);
    const bool inside = range.contains(offset) || node(from).layout.folded_with(offset, range);
    if (!inside || (backwards && !edge_there.strict)) continue;
    const Cell place = find(to.plus(offset - from.offset));
    if (!backwards) {
      for (const Cell target : edge_there.targets)
        changed |= put(place, Edge{{target}, false, edge_there.filled, edge_there.filled}, is_number(where));
      continue;
    }
    const Cell a = edge(place, is_number(where));
    const Cell b = find(edge_there.targets.front());
    changed |= !same(a, b);
    unify(a, b);
  }
  if (nodes_[find(to).node].edges.size() > kMostEdges) collapse(find(to).node);
  return changed;
}

std::vector<FileName> Graph::files_behind(Cell descriptor, bool if_any) const {
  const Node& memory = node(descriptor);
  std::vector<FileName> found;
  bool known = (if_any && !(memory.flags & kStored)) || (memory.flags & kWaitedFor);
  for (const Placed& placed : memory.objects) {
    const Object& object = objects_[placed.object];
    if (object.kind != ObjectKind::kOs) continue;
    known = true;
    if (object.regular && object.file != kNoFile) found.push_back(object.file);
  }
  if (!known || (memory.flags & kUnknownMemory)) found.push_back(kSomeFile);
  return found;
}

bool Graph::may_connect_to_a_path(Cell descriptor, bool if_any) const {
  const Node& memory = node(descriptor);
  bool known = if_any && !(memory.flags & kStored);
  for (const Placed& placed : memory.objects) {
    const Object& object = objects_[placed.object];
    if (object.kind != ObjectKind::kOs) continue;
    if (!object.without_paths) return true;
    known = true;
  }
  return !known || (memory.flags & kUnknownMemory);
}

bool Graph::may_be_a_socket(Cell descriptor, bool if_any) const {
  const Node& memory = node(descriptor);
  const bool known = std::any_of(memory.objects.begin(), memory.objects.end(),
                                 [&](const Placed& placed) { return objects_[placed.object].kind == ObjectKind::kOs; });
  const bool shown = std::any_of(memory.objects.begin(), memory.objects.end(), [&](const Placed& placed) {
    const Object& object = objects_[placed.object];
    return object.kind == ObjectKind::kOs && (object.site == nullptr || !object.regular);
  });
  return shown || (!known && (!if_any || (memory.flags & kStored))) || (memory.flags & kUnknownMemory);
}

bool Graph::of_unknown_origin(Cell descriptor, bool if_any) const {
  const Node& memory = node(descriptor);
  return memory.objects.empty() && !(memory.flags & kWaitedFor) &&
         (!if_any || (memory.flags & (kUnknownMemory | kStored)));
}

void Graph::share_reachable() {
  while (!newly_shared_.empty()) {
    const NodeId id = find_node(newly_shared_.back());
    newly_shared_.pop_back();
    for (const auto& [offset, edge] : nodes_[id].edges) {
      for (const Cell target : edge.targets) {
        const NodeId next = find_node(target.node);
        if (nodes_[next].flags & kShared) continue;
        nodes_[next].flags |= kShared;
        newly_shared_.push_back(next);
      }
    }
  }
}

void Graph::spread_variable() {
  std::vector<NodeId> work;
  const auto of_library = [&](const Placed& placed) {
    const ObjectKind kind = objects_[placed.object].kind;
    return kind == ObjectKind::kLibc || kind == ObjectKind::kUnknown;
  };
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    const Node& node = nodes_[id];
    if (node.parent == kNoNode && std::any_of(node.objects.begin(), node.objects.end(), of_library)) work.push_back(id);
  }
  while (!work.empty()) {
    const NodeId id = work.back();
    work.pop_back();
    for (const auto& [offset, edge] : nodes_[id].edges) {
      for (const Cell target : edge.targets) {
        Node& next = nodes_[find_node(target.node)];
        if (next.flags & kVariable) continue;
        next.flags |= kVariable;
        if (next.objects.empty()) work.push_back(find_node(target.node));
      }
    }
  }
}

void Graph::spread_unknown() {
  while (!newly_unknown_.empty()) {
    const NodeId id = find_node(newly_unknown_.back());
    newly_unknown_.pop_back();
    for (const auto& [offset, edge] : nodes_[id].edges)
      for (const Cell target : edge.targets) add_flags(target, kUnknownMemory);
  }
}

Range Graph::extent(Cell cell, std::int64_t size) const {
  cell = find(cell);
  return nodes_[cell.node].layout.extent(cell.offset, size);
}

Range Graph::reach_of(ProvenanceId id) const {
  const auto bytes = bytes_of(id);
  return bytes ? bytes->range : kEverything;
}

Range Graph::reach(Cell cell) const { return reach_of(find(cell).provenance); }

Range Graph::extent_to_end(Cell cell) const {
  cell = find(cell);
  const Range bytes = reach(cell);
  const std::int64_t end = bytes.contains(cell.offset) ? bytes.high : kFar;
  return extent(cell, end - cell.offset);
}

bool Graph::walked_at(Cell cell) const {
  cell = find(cell);
  return nodes_[cell.node].layout.folded(cell.offset);
}

bool Graph::bounded(Cell cell) const {
  cell = find(cell);
  const auto bytes = bytes_of(cell.provenance);
  return bytes && bytes->array && bytes->range.contains(cell.offset);
}

// ---- copying a part for a calling context, and following edges ----

ProvenanceId Graph::clone_of(ProvenanceId id, NodeId node, CloneMap& map) {
  id = provenances_.find(id);
  if (id == kNoProvenance) return id;
  const auto [place, fresh] = map.provenances.try_emplace(id);
  if (fresh) place->second = provenances_.make(node, bytes_of(id));
  return place->second;
}

Cell Graph::clone(Cell cell, CloneMap& map) {
  cell = find(cell);
  if (!cell.valid() || (nodes_[cell.node].flags & kShared)) return cell;
  std::vector<NodeId> work;
  const auto node_of = [&](NodeId original) {
    const auto [place, fresh] = map.nodes.try_emplace(original);
    if (fresh) {
      place->second = make().node;
      work.push_back(original);
    }
    return place->second;
  };
  const auto clone_here = [&](Cell original) {
    const NodeId node = node_of(original.node);
    return Cell{node, original.offset, clone_of(original.provenance, node, map)};
  };
  const Cell made = clone_here(cell);
  while (!work.empty()) {
    const NodeId from = work.back();
    work.pop_back();
    const NodeId to = map.nodes.at(from);
    // Copied field by field: make() may move the arena.
    const Node original = nodes_[from];
    nodes_[to].flags = original.flags;
    nodes_[to].layout = original.layout;
    nodes_[to].layout.rename([&](ProvenanceId id) { return clone_of(id, to, map); });
    nodes_[to].objects = original.objects;
    nodes_[to].types = original.types;
    for (const auto& [offset, edge] : original.edges) {
      Edge copy{{}, edge.strict, edge.filled, edge.written};
      for (const Cell target : edge.targets) {
        const Cell reached = find(target);
        const bool shared = (nodes_[reached.node].flags & kShared) != 0;
        copy.targets.push_back(shared ? reached : clone_here(reached));
      }
      nodes_[to].edges.emplace(offset, std::move(copy));
    }
  }
  return made;
}

Cell Graph::cloned(Cell cell, CloneMap& map) {
  cell = find(cell);
  if (!cell.valid() || (nodes_[cell.node].flags & kShared)) return cell;
  const auto place = map.nodes.find(cell.node);
  if (place == map.nodes.end()) return {};
  return {place->second, cell.offset, clone_of(cell.provenance, place->second, map)};
}

std::vector<NodeId> Graph::reachable(Cell from) const {
  std::vector<NodeId> found;
  if (!from.valid()) return found;
  std::vector<bool> seen(nodes_.size());
  found.push_back(find(from).node);
  seen[found.front()] = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& [where, edge] : nodes_[found[i]].edges) {
      for (const Cell target : edge.targets) {
        const NodeId next = find_node(target.node);
        if (seen[next]) continue;
        seen[next] = true;
        found.push_back(next);
      }
    }
  }
  return found;
}

std::vector<Cell> Graph::pointed_to(Cell from, bool one_step) const {
  std::vector<Cell> found;
  if (!from.valid()) return found;
  // A pointer that points into no array of known size stands for the whole block.
  const auto reach = [&](Cell cell) { return bounded(cell) ? extent_to_end(cell) : kEverything; };
  // Per node: the bytes seen already.
  std::map<NodeId, std::vector<Range>> seen;
  const auto visit = [&](Cell cell) {
    cell = find(cell);
    const Range bytes = reach(cell);
    std::vector<Range>& known = seen[cell.node];
    for (const Range& other : known) {
      if (other.low <= bytes.low && bytes.high <= other.high) return;
    }
    known.push_back(bytes);
    found.push_back(cell);
  };
  visit(from);
  for (std::size_t i = 0; i < (one_step ? 1 : found.size()); ++i) {
    const Cell cell = found[i];
    const Range bytes = reach(cell);
    for (const auto& [where, edge] : nodes_[cell.node].edges) {
      if (is_number(where) || !bytes.contains(where)) continue;
      for (const Cell target : edge.targets) visit(target);
    }
  }
  return found;
}

std::vector<Graph::Copy> Graph::expanded(const std::vector<Copy>& copies) const {
  const auto follow = [&](Cell from, int steps) {
    std::vector<Cell> found{find(from)};
    for (int step = 0; step < steps; ++step) {
      std::vector<Cell> next;
      for (const Cell cell : found) {
        for (const auto& [where, edge] : nodes_[cell.node].edges) {
          if (is_number(where)) continue;
          for (const Cell target : edge.targets) {
            const Cell there = find(target);
            if (std::find(next.begin(), next.end(), there) == next.end()) next.push_back(there);
          }
        }
      }
      found = std::move(next);
    }
    return found;
  };
  std::vector<Copy> plain;
  for (const Copy& copy : copies) {
    const std::vector<Cell> sources = follow(copy.source, copy.source_steps);
    for (const Cell target : follow(copy.target, copy.target_steps)) {
      for (const Cell source : sources) plain.push_back({target, source, copy.bytes, 0, 0, copy.within});
    }
  }
  return plain;
}

}  // namespace heddle::elyze
