#include "elyze/points_to/graph.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/assert.hpp"

namespace heddle::elyze {
namespace {

constexpr std::size_t kMostEdges = 512;  // a node with more is folded completely: a moving copy could add them forever
constexpr std::size_t kMostWalks = 48;
constexpr std::size_t kMostArrays = 128;
constexpr int kPatientRounds = 20;  // of copying; what still changes then becomes one node, which ends it
constexpr std::int64_t kPointerBytes = 8;

template <class Items, class Item>
bool add_unique(Items& items, const Item& item) {
  if (std::find(items.begin(), items.end(), item) != items.end()) return false;
  items.push_back(item);
  return true;
}

std::int64_t modulo(std::int64_t value, std::int64_t by) {
  const std::int64_t rest = value % by;
  return rest < 0 ? rest + by : rest;
}

}  // namespace

Range array_around(const std::vector<Range>& arrays, std::int64_t offset) {
  Range best = kEverything;
  for (const Range& array : arrays) {
    if (array.contains(offset) && array.high - array.low < best.high - best.low) best = array;
  }
  return best;
}

Cell Graph::make(std::uint16_t flags) {
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.emplace_back();
  nodes_.back().flags = flags;
  if (flags & kShared) newly_shared_.push_back(id);
  return {id, 0};
}

Cell Graph::make_object(Object object, std::uint16_t flags) {
  const auto id = static_cast<ObjectId>(objects_.size());
  objects_.push_back(std::move(object));
  const Cell cell = make(flags);
  place_object(cell, id);
  return cell;
}

void Graph::place_object(Cell cell, ObjectId object) {
  cell = find(cell);
  nodes_[cell.node].objects.push_back({object, cell.offset});
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
  return {root, cell.node == root ? cell.offset : cell.offset + nodes_[cell.node].shift};
}

bool Graph::folded(const Node& node, std::int64_t offset) {
  return std::any_of(node.folds.begin(), node.folds.end(),
                     [&](const Fold& fold) { return fold.range.contains(offset); });
}

std::int64_t Graph::key(const Node& node, std::int64_t wanted) {
  const std::int64_t offset = plain_offset(wanted);
  const std::int64_t space = wanted - offset;
  for (const Fold& fold : node.folds) {
    if (!fold.range.contains(offset)) continue;
    const std::int64_t low = fold.range.low <= -kFar ? 0 : fold.range.low;
    return space + (fold.stride < kPointerBytes ? low : low + modulo(offset - low, fold.stride));
  }
  return wanted;
}

// A number and a pointer at one place are the same value.
void Graph::link_reinterpreted(NodeId id, std::int64_t where) {
  Node& node = nodes_[id];
  const std::int64_t offset = plain_offset(where);
  if (folded(node, offset)) return;
  const auto pointer = node.edges.find(offset);
  const auto number = node.edges.find(offset + kNumbers);
  if (pointer == node.edges.end() || number == node.edges.end()) return;
  for (Edge* edge : {&pointer->second, &number->second}) {
    edge->strict = true;
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
  bool changed = edge.strict && !known.strict;
  known.strict |= edge.strict;
  for (const Cell target : edge.targets) {
    const Cell found = find(target);
    const bool there =
        std::any_of(known.targets.begin(), known.targets.end(), [&](Cell other) { return find(other) == found; });
    if (there) continue;
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

bool Graph::add_target(Cell at, Cell target, bool number) {
  at = find(at);
  const std::int64_t where = key(nodes_[at.node], at.offset + (number ? kNumbers : 0));
  const bool shared = (nodes_[at.node].flags & kShared) != 0;
  const bool unknown = (nodes_[at.node].flags & kUnknownMemory) != 0;
  if (unknown) add_flags(target, kUnknownMemory);
  const bool changed = add_targets(at.node, where, Edge{{target}, false});
  if (shared && changed) newly_shared_.push_back(at.node);
  drain();
  return changed;
}

void Graph::mark_dirty(NodeId id) {
  if (nodes_[id].dirty) return;
  nodes_[id].dirty = true;
  dirty_.push_back(id);
}

void Graph::add_flags(Cell cell, std::uint16_t flags) {
  cell = find(cell);
  Node& node = nodes_[cell.node];
  if ((flags & kShared) && !(node.flags & kShared)) newly_shared_.push_back(cell.node);
  node.flags |= flags;
}

void Graph::add_array(Cell at, std::int64_t bytes) {
  at = find(at);
  Node& node = nodes_[at.node];
  if (node.collapsed) return;
  const std::int64_t high = bytes == 0 ? kFar : at.offset + bytes;
  if (node.arrays.size() >= kMostArrays) {
    collapse(at.node);
    return;
  }
  if (add_unique(node.arrays, Range{at.offset, high}) && !(node.walks.empty() && node.joins.empty())) {
    mark_dirty(at.node);
  }
}

void Graph::add_walk(Cell at, std::int64_t stride) {
  at = find(at);
  Node& node = nodes_[at.node];
  if (node.collapsed) return;
  stride = std::max<std::int64_t>(1, stride < 0 ? -stride : stride);
  for (Walk& walk : node.walks) {
    if (walk.at != at.offset) continue;
    const std::int64_t both = std::gcd(walk.stride, stride);
    if (both == walk.stride) return;
    walk.stride = both;
    mark_dirty(at.node);
    return;
  }
  node.walks.push_back({at.offset, stride});
  mark_dirty(at.node);
}

void Graph::collapse(NodeId id) {
  Node& node = nodes_[id];
  if (node.collapsed) return;
  node.collapsed = true;
  node.arrays.clear();
  node.joins.clear();
  node.walks = {{-kFar, 1}};
  mark_dirty(id);
}

void Graph::add_join(NodeId node, std::int64_t a, std::int64_t b) {
  if (nodes_[node].collapsed) return;
  if (add_unique(nodes_[node].joins, Join{std::min(a, b), std::max(a, b)})) mark_dirty(node);
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
    if (a.offset != b.offset) add_join(a.node, a.offset, b.offset);
    return;
  }
  const auto weight = [](const Node& node) { return node.edges.size() + node.objects.size() + node.walks.size(); };
  if (weight(nodes_[a.node]) < weight(nodes_[b.node])) std::swap(a, b);
  Node gone = std::move(nodes_[b.node]);
  const std::int64_t shift = a.offset - b.offset;
  nodes_[b.node] = Node{};
  nodes_[b.node].parent = a.node;
  nodes_[b.node].shift = shift;
  Node& node = nodes_[a.node];
  const bool becomes_shared = ((node.flags ^ gone.flags) & kShared) != 0;
  node.flags |= gone.flags;
  node.stamp = ++clock_;
  if (gone.collapsed) collapse(a.node);
  if (becomes_shared) newly_shared_.push_back(a.node);
  for (const Range& array : gone.arrays) {
    if (node.collapsed) break;
    add_unique(node.arrays,
               Range{array.low <= -kFar ? -kFar : array.low + shift, array.high >= kFar ? kFar : array.high + shift});
  }
  for (const Walk& walk : gone.walks) add_walk({a.node, walk.at + shift}, walk.stride);
  for (const Join& join : gone.joins) add_join(a.node, join.low + shift, join.high + shift);
  for (const Placed& placed : gone.objects) {
    const Placed moved{placed.object, placed.base + shift};
    const bool known = std::any_of(node.objects.begin(), node.objects.end(), [&](const Placed& other) {
      return other.object == moved.object && other.base == moved.base;
    });
    if (!known) node.objects.push_back(moved);
  }
  for (const auto& [offset, type] : gone.types) node.types.try_emplace(offset + shift, type);
  for (const auto& [offset, edge] : gone.edges) add_targets(a.node, key(node, offset + shift), edge);
  if (!node.walks.empty() || !node.joins.empty()) mark_dirty(a.node);
  if (node.edges.size() > kMostEdges || node.arrays.size() > kMostArrays) collapse(a.node);
}

Cell Graph::edge(Cell at, bool number) {
  at = find(at);
  const std::int64_t where = key(nodes_[at.node], at.offset + (number ? kNumbers : 0));
  auto place = nodes_[at.node].edges.find(where);
  if (place == nodes_[at.node].edges.end()) {
    const Cell target = make((nodes_[at.node].flags & (kShared | kUnknownMemory)));
    nodes_[at.node].edges.emplace(where, Edge{{target}, true});
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
  const auto place = node.edges.find(key(node, at.offset + (number ? kNumbers : 0)));
  if (place == node.edges.end() || place->second.targets.size() != 1) return {};
  return find(place->second.targets.front());
}

// Recomputes the folds of a node from its walks and arrays, and its edges with them. True if anything changed.
bool Graph::fold(NodeId id) {
  Node& node = nodes_[id];
  // More places than it is worth telling apart.
  if (node.walks.size() + node.joins.size() > kMostWalks) collapse(id);
  std::vector<Fold> folds;
  folds.reserve(node.walks.size() + node.joins.size());
  for (const Walk& walk : node.walks) folds.push_back({array_around(node.arrays, walk.at), walk.stride});
  for (const Join& join : node.joins) {
    // Inside known arrays the pointer reaches both and what lies between; else nothing bounds what it reaches.
    const Range low = array_around(node.arrays, join.low);
    const Range high = array_around(node.arrays, join.high);
    folds.push_back({{std::min(low.low, high.low), std::max(low.high, high.high)}, join.high - join.low});
  }
  for (bool merged = true; merged;) {
    merged = false;
    for (std::size_t i = 0; i < folds.size() && !merged; ++i) {
      for (std::size_t j = i + 1; j < folds.size() && !merged; ++j) {
        if (!folds[i].range.overlaps(folds[j].range)) continue;
        Fold both{
            {std::min(folds[i].range.low, folds[j].range.low), std::max(folds[i].range.high, folds[j].range.high)},
            std::gcd(folds[i].stride, folds[j].stride)};
        if (folds[i].range.low > -kFar && folds[j].range.low > -kFar) {
          both.stride = std::gcd(both.stride, folds[i].range.low - folds[j].range.low);
        }
        folds[i] = both;
        folds.erase(folds.begin() + static_cast<std::ptrdiff_t>(j));
        merged = true;
      }
    }
  }
  // An element's address minus one is the element before it: where the array is the start of every object, what lies
  // before the objects is in the array.
  const auto first = std::min_element(node.objects.begin(), node.objects.end(),
                                      [](const Placed& a, const Placed& b) { return a.base < b.base; });
  for (Fold& one : folds) {
    if (first != node.objects.end() && one.range.low <= first->base) one.range.low = -kFar;
  }
  const auto same = [](const Fold& a, const Fold& b) { return a.range == b.range && a.stride == b.stride; };
  if (std::equal(folds.begin(), folds.end(), node.folds.begin(), node.folds.end(), same)) return false;
  node.folds = std::move(folds);
  node.stamp = ++clock_;
  std::map<std::int64_t, Edge> edges;
  std::swap(edges, node.edges);
  for (const auto& [offset, edge] : edges) add_targets(id, key(node, offset), edge);
  drain();
  return true;
}

void Graph::close(const std::vector<Copy>& copies) {
  std::map<std::tuple<NodeId, std::int64_t, NodeId, std::int64_t, std::int64_t>, std::uint64_t> done;
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
      const auto key_of_copy = std::make_tuple(target.node, target.offset, source.node, source.offset, copy.bytes);
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
    if (target.offset == source.offset || nodes_[target.node].edges.empty()) return false;
    const std::size_t before = nodes_[target.node].joins.size();
    add_join(target.node, target.offset, source.offset);
    return nodes_[target.node].joins.size() != before;
  }
  const bool there = copy_edges(source, target, bytes, false);
  const Cell target_now = find(target);
  const Cell source_now = find(source);
  if (target_now.node == source_now.node && target.node != source.node) return true;
  bytes = copy.bytes >= kFar ? extent_to_end(target_now) : Range{target_now.offset, target_now.offset + copy.bytes};
  return copy_edges(target_now, source_now, bytes, true) || there;
}

// Gives `to` the pointers of `from` within `range`, at the same distance. What is loaded from `to` may come from there,
// so where the edge of `to` is strict, they become equal.
bool Graph::copy_edges(Cell from, Cell to, Range range, bool backwards) {
  const std::map<std::int64_t, Edge> edges = nodes_[from.node].edges;
  bool changed = false;
  for (const auto& [where, edge_there] : edges) {
    const std::int64_t offset = plain_offset(where);
    bool inside = range.contains(offset);
    for (const Fold& fold : nodes_[find(from).node].folds) {
      inside |= fold.range.contains(offset) && fold.range.overlaps(range);
    }
    if (!inside || (backwards && !edge_there.strict)) continue;
    const Cell place = find(to.plus(offset - from.offset));
    if (!backwards) {
      for (const Cell target : edge_there.targets) changed |= add_target(place, target, is_number(where));
      continue;
    }
    const Cell a = edge(place, is_number(where));
    const Cell b = find(edge_there.targets.front());
    if (a == b || (a.node == b.node && key(nodes_[a.node], a.offset) == key(nodes_[b.node], b.offset))) continue;
    unify(a, b);
    changed = true;
  }
  if (nodes_[find(to).node].edges.size() > kMostEdges) collapse(find(to).node);
  return changed;
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

void Graph::spread_unknown() {
  std::vector<NodeId> work;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    if (nodes_[id].parent == kNoNode && (nodes_[id].flags & kUnknownMemory)) work.push_back(id);
  }
  while (!work.empty()) {
    const NodeId id = work.back();
    work.pop_back();
    for (const auto& [offset, edge] : nodes_[id].edges) {
      for (const Cell target : edge.targets) {
        const NodeId next = find_node(target.node);
        if (nodes_[next].flags & kUnknownMemory) continue;
        nodes_[next].flags |= kUnknownMemory;
        work.push_back(next);
      }
    }
  }
}

Range Graph::extent(Cell cell, std::int64_t size) const {
  cell = find(cell);
  const Node& node = nodes_[cell.node];
  if (node.collapsed) return kEverything;
  Range range{cell.offset, cell.offset + std::max<std::int64_t>(size, 1)};
  for (bool grown = true; grown;) {
    grown = false;
    const auto include = [&](const Range& other) {
      if (!range.overlaps(other) || (range.low <= other.low && other.high <= range.high)) return;
      range = {std::min(range.low, other.low), std::max(range.high, other.high)};
      grown = true;
    };
    for (const Range& array : node.arrays) include(array);
    for (const Fold& fold : node.folds) include(fold.range);
  }
  return range;
}

Range Graph::extent_to_end(Cell cell) const {
  cell = find(cell);
  const Range array = array_around(nodes_[cell.node].arrays, cell.offset);
  const std::int64_t high = array.low <= -kFar ? kFar : array.high;
  return extent(cell, high - cell.offset);
}

bool Graph::walked_at(Cell cell) const {
  cell = find(cell);
  return folded(nodes_[cell.node], cell.offset);
}

}  // namespace heddle::elyze
