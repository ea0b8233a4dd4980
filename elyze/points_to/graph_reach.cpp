// What hangs together in the graph: copying a part of it for a calling context, and following its edges.
#include <algorithm>

#include "elyze/points_to/graph.hpp"

namespace heddle::elyze {

Cell Graph::clone(Cell cell, CloneMap& map) {
  cell = find(cell);
  if (!cell.valid() || (nodes_[cell.node].flags & kShared)) return cell;
  const auto known = map.find(cell.node);
  if (known != map.end()) return known->second.plus(cell.offset);
  std::vector<NodeId> work{cell.node};
  map.emplace(cell.node, make());
  while (!work.empty()) {
    const NodeId from = work.back();
    work.pop_back();
    const NodeId to = map.at(from).node;
    // Copied field by field: make() below may move the arena.
    const Node original = nodes_[from];
    nodes_[to].flags = original.flags;
    nodes_[to].collapsed = original.collapsed;
    nodes_[to].arrays = original.arrays;
    nodes_[to].walks = original.walks;
    nodes_[to].joins = original.joins;
    nodes_[to].folds = original.folds;
    nodes_[to].objects = original.objects;
    nodes_[to].types = original.types;
    for (const auto& [offset, edge] : original.edges) {
      Edge copy{{}, edge.strict};
      for (const Cell target : edge.targets) {
        const Cell reached = find(target);
        if (nodes_[reached.node].flags & kShared) {
          copy.targets.push_back(reached);
          continue;
        }
        auto place = map.find(reached.node);
        if (place == map.end()) {
          place = map.emplace(reached.node, make()).first;
          work.push_back(reached.node);
        }
        copy.targets.push_back(place->second.plus(reached.offset));
      }
      nodes_[to].edges.emplace(offset, std::move(copy));
    }
  }
  return map.at(cell.node).plus(cell.offset);
}

Cell Graph::cloned(Cell cell, const CloneMap& map) const {
  cell = find(cell);
  if (!cell.valid() || (nodes_[cell.node].flags & kShared)) return cell;
  const auto place = map.find(cell.node);
  return place == map.end() ? Cell{} : place->second.plus(cell.offset);
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
  // Per node: the bytes seen already; a pointer that no array bounds stands for the whole block.
  std::map<NodeId, std::vector<Range>> seen;
  const auto visit = [&](Cell cell) {
    cell = find(cell);
    const Range array = array_around(nodes_[cell.node].arrays, cell.offset);
    const Range bytes = array.low <= -kFar ? kEverything : extent_to_end(cell);
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
    const Node& node = nodes_[cell.node];
    const Range array = array_around(node.arrays, cell.offset);
    const Range bytes = array.low <= -kFar ? kEverything : extent_to_end(cell);
    for (const auto& [where, edge] : node.edges) {
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
      for (const Cell source : sources) plain.push_back({target, source, copy.bytes});
    }
  }
  return plain;
}

bool Graph::bounded(Cell cell) const {
  cell = find(cell);
  return array_around(nodes_[cell.node].arrays, cell.offset).low > -kFar;
}

}  // namespace heddle::elyze
