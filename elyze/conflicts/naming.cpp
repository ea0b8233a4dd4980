#include "elyze/conflicts/naming.hpp"

#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "elyze/ir/names.hpp"

namespace heddle::elyze {
namespace {

constexpr int kMostStars = 3;  // `*a->b`, `**a->b`: further in, the allocation says more

// The length by which names are compared: without a line number at the end, so that more digits change no choice.
std::size_t length(const std::string& name) { return name.find_last_not_of("0123456789") + 1; }

bool whole(Range range) { return range.low <= -kFar / 2 || range.high >= kFar / 2; }

const char* kind_name(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kGlobal:
      return "global";
    case ObjectKind::kHeap:
    case ObjectKind::kStack:
      return "heap";
    case ObjectKind::kOs:
      return "os";
    case ObjectKind::kLibc:
      return "libc";
    case ObjectKind::kFunction:
    case ObjectKind::kUnknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace

Naming::Naming(const Graph& graph) : graph_(graph) {
  for (NodeId id = 0; id < graph.node_count(); ++id) {
    if (graph.find_node(id) != id) continue;
    for (const auto& [where, edge] : graph.node({id, 0}).edges) {
      for (const Cell target : edge.targets)
        holders_[graph.find_node(target.node)].push_back({id, plain_offset(where)});
    }
  }
}

NamedObject Naming::name(NodeId node, Range range) const { return name(graph_.find_node(node), range, 0); }

bool Naming::by_global(NodeId id, Range range, NamedObject& result) const {
  const Object* found = nullptr;
  std::int64_t base = 0;
  const std::vector<Graph::Placed>& objects = graph_.node({id, 0}).objects;
  const bool shared_with_heap = std::any_of(objects.begin(), objects.end(), [&](const Graph::Placed& placed) {
    return graph_.object(placed.object).kind == ObjectKind::kHeap;
  });
  for (const Graph::Placed& placed : objects) {
    const Object& object = graph_.object(placed.object);
    if (object.kind != ObjectKind::kGlobal) continue;
    const auto* variable = llvm::cast<llvm::GlobalVariable>(object.site);
    // Where unification put a heap object into the same node, only bytes inside the global go by the global's name.
    const bool covers =
        whole(range) ? !shared_with_heap : range.low >= placed.base && range.low < placed.base + object.size;
    if (!covers && shared_with_heap) continue;
    const bool better = found == nullptr || (!variable->isConstant() && range.low >= placed.base && base > range.low);
    if (!better) continue;
    found = &object;
    base = placed.base;
  }
  if (found == nullptr) return false;
  const GlobalName global = source_name(*llvm::cast<llvm::GlobalVariable>(found->site));
  result.kind = "global";
  result.name = global.name;
  result.file = global.place.file;
  result.line = global.place.line;
  result.type = structure_name(global.type);
  result.variable = llvm::cast<llvm::GlobalVariable>(found->site);
  if (whole(range)) {
    result.bytes = {0, found->size};
    result.value = global.type;
  } else {
    result.bytes = {range.low - base, range.high - base};
    const Member member = member_at(global.type, range.low - base, range.high - range.low);
    result.value = member.type;
    if (member.type == nullptr && range.low == base && range.high - range.low >= byte_size(global.type))
      result.value = global.type;
    const std::string path = field_path(global.type, range.low - base, range.high - range.low);
    if (!path.empty()) result.name += (path.starts_with("[") ? "" : ".") + path;
  }
  return true;
}

bool Naming::by_type(NodeId id, Range range, NamedObject& result) const {
  const Graph::Node& node = graph_.node({id, 0});
  const llvm::DIType* best = nullptr;
  std::int64_t best_at = 0;
  for (const auto& [at, type] : node.types) {
    const std::int64_t size = byte_size(type);
    const bool covers = whole(range) || (at <= range.low && range.low < std::max<std::int64_t>(at + size, at + 1));
    if (!covers || structure_name(type).empty()) continue;
    if (best == nullptr || size > byte_size(best)) {
      best = type;
      best_at = at;
    }
  }
  if (best == nullptr) return false;
  const std::string structure = structure_name(best);
  result.kind = "field";
  result.type = structure;
  result.name = structure;
  const SourcePlace where = place_of(*best);
  result.file = where.file;
  result.line = where.line;
  result.bytes = whole(range) ? Range{0, byte_size(best)} : Range{range.low - best_at, range.high - best_at};
  if (!whole(range)) {
    const std::string path = field_path(best, range.low - best_at, range.high - range.low);
    if (!path.empty()) result.name += "->" + path;
    const Member member = member_at(best, range.low - best_at, range.high - range.low);
    result.value = member.type;
    if (member.type != nullptr) {
      result.file = member.place.file;
      result.line = member.place.line;
    }
  }
  return true;
}

bool Naming::by_holder(NodeId id, NamedObject& result, int depth) const {
  const auto place = holders_.find(id);
  if (place == holders_.end() || depth >= kMostStars) return false;
  const bool descriptor = result.kind == "os";
  NamedObject best;
  for (const Holder& holder : place->second) {
    if (holder.node == id) continue;
    const Graph::Node& node = graph_.node({holder.node, 0});
    const bool hidden = std::any_of(node.objects.begin(), node.objects.end(), [&](const Graph::Placed& placed) {
      return graph_.object(placed.object).kind == ObjectKind::kLibc;
    });
    if (hidden) continue;
    const NamedObject from = name(holder.node, {holder.offset, holder.offset + 1}, depth + 1);
    if (from.kind == "heap" || from.kind == "unknown" || from.name.starts_with("block ")) continue;
    if (best.name.empty() || length(from.name) < length(best.name)) best = from;
  }
  if (best.name.empty()) return false;
  result.name = (descriptor ? "file of " : "*") + best.name;
  return true;
}

NamedObject Naming::name(NodeId id, Range range, int depth) const {
  NamedObject result{"memory of unknown origin", "unknown", "", "", 0};
  if (by_global(id, range, result)) return result;
  const Graph::Node& node = graph_.node({id, 0});
  const Object* first = nullptr;
  for (const Graph::Placed& placed : node.objects) {
    const Object& object = graph_.object(placed.object);
    if (first == nullptr || object.kind == ObjectKind::kLibc || object.kind == ObjectKind::kOs) first = &object;
  }
  if (first != nullptr && first->kind == ObjectKind::kLibc) return {first->name, "libc", "", "", 0};
  if (first != nullptr && first->kind == ObjectKind::kOs && first->site == nullptr)
    return {first->name, "os", "", "", 0};
  if (by_type(id, range, result)) return result;
  if (first != nullptr) {
    result.kind = kind_name(first->kind);
    result.name = first->name;
    if (const auto* site = llvm::dyn_cast_or_null<llvm::Instruction>(first->site)) {
      const SourcePlace where = place_of(*site);
      result.file = where.file;
      result.line = where.line;
    }
  }
  by_holder(id, result, depth);
  return result;
}

}  // namespace heddle::elyze
