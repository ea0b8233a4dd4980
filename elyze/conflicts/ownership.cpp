#include "elyze/conflicts/ownership.hpp"

#include <algorithm>

namespace heddle::elyze {

Ownership::Ownership(const Analysis& analysis, const World& world) : analysis_(analysis) {
  const Graph& graph = analysis.points_to.graph;
  const auto look = [&](const std::vector<Store>& stores) {
    for (const Store& store : stores) {
      if (store.publishes || (store.source.base == kUniqueRoot && !store.repeated)) continue;
      stored_elsewhere_.insert(graph.find_node(store.value.node));
    }
  };
  for (const auto& [function, summary] : analysis.summaries) {
    look(summary.settled_stores);
    // Of the stores that still depend on the caller, callers of a pool's member only learn of those they must.
    if (!summary.pooled) continue;
    std::vector<Store> stores = summary.open_stores;
    if (!summary.keeps_all) {
      std::erase_if(stores, [&](const Store& store) { return !analysis.roots.resolved(store.source.base); });
    }
    look(stores);
  }
  // Moving a structure moves the pointers in it. Copies between shared memory are seen here and not where they stand,
  // for what is stored at their source may have come there later (in a pool: from a caller).
  for (const Graph::Copy& copy : analysis.shared_copies) {
    const Cell source = graph.find(copy.source);
    if (!source.valid() || !copy.target.valid() || !(graph.node(copy.target).flags & kShared)) continue;
    const Range bytes = copy.bytes >= kFar ? graph.extent_to_end(source) : graph.extent(source, copy.bytes);
    for (const auto& [where, edge] : graph.node(source).edges) {
      if (!bytes.contains(plain_offset(where))) continue;
      for (const Cell target : edge.targets) stored_elsewhere_.insert(graph.find_node(target.node));
    }
  }
  for (const llvm::Function* root : world.roots) {
    const auto handler = std::find_if(world.handlers.begin(), world.handlers.end(),
                                      [&](const Handler& candidate) { return candidate.function == root; });
    std::vector<Store> stores = analysis.summaries.at(root).open_stores;
    // An accepted connection that is stored once belongs to where it is stored, like a fresh block.
    std::erase_if(stores, [&](const Store& store) {
      const Root& source = analysis.roots[store.source.base];
      return handler != world.handlers.end() && source.kind == Root::Kind::kParam && !store.repeated && store.number &&
             made_for_invocation(*handler, source.index);
    });
    look(stores);
  }
  for (const Handler& handler : world.handlers) {
    for (const RegistrationSite& site : handler.registrations) {
      const Registration& registration = *site.registration;
      if (registration.descriptor_owned) continue;
      for (std::size_t i = 0; i < registration.parameters.size(); ++i) {
        const Parameter& parameter = registration.callback->parameters[i];
        const bool descriptor =
            parameter.kind == Parameter::Kind::kArgument && parameter.arg == registration.callback->descriptor;
        if (descriptor && registration.parameters[i].valid()) {
          stored_elsewhere_.insert(graph.find_node(registration.parameters[i].node));
        }
      }
    }
  }
}

bool Ownership::exclusive(NodeId id) const {
  const Graph& graph = analysis_.points_to.graph;
  id = graph.find_node(id);
  const Graph::Node& node = graph.node({id, 0});
  if (stored_elsewhere_.count(id) != 0 || (node.flags & kUnknownMemory) || node.objects.empty()) return false;
  return std::all_of(node.objects.begin(), node.objects.end(), [&](const Graph::Placed& placed) {
    const ObjectKind kind = graph.object(placed.object).kind;
    return kind == ObjectKind::kHeap || kind == ObjectKind::kOs;
  });
}

Cell Ownership::cell_of(const llvm::Function& function, RootId id) const {
  const Root& root = analysis_.roots[id];
  Graph& graph = const_cast<Analysis&>(analysis_).points_to.graph;
  if (root.kind == Root::Kind::kParam) {
    const FunctionCells& cells = const_cast<Analysis&>(analysis_).points_to.cells(function);
    return root.index < cells.formals.size() ? graph.find(cells.formals[root.index]) : Cell{};
  }
  if (root.kind != Root::Kind::kLoad) return {};
  const Cell parent = cell_of(function, root.parent);
  if (!parent.valid()) return {};
  const Cell pointer = graph.edge_if_any(parent.plus(root.offset));
  return pointer.valid() ? pointer : graph.edge_if_any(parent.plus(root.offset), true);
}

bool Ownership::exclusive_load(const llvm::Function& function, RootId root) const {
  const Cell cell = cell_of(function, root);
  return cell.valid() && exclusive(cell.node);
}

bool Ownership::own(const Handler& handler, RootId id) const {
  for (RootId at = id; analysis_.roots[at].kind == Root::Kind::kLoad; at = analysis_.roots[at].parent) {
    if (!exclusive_load(*handler.function, at)) return false;
  }
  const Root& origin = analysis_.roots[analysis_.roots.origin(id)];
  if (origin.kind != Root::Kind::kParam || handler.session.kind != Session::Kind::kObject) return false;
  if (static_cast<int>(origin.index) == handler.session_parameter) return true;
  // The descriptor that fired, or the object that the library hands back, where each registration pairs it with the
  // session that keeps it: stored there, and nowhere else.
  const auto is_descriptor = [&](const RegistrationSite& site) {
    const Callback& callback = *site.registration->callback;
    return origin.index < callback.parameters.size() &&
           callback.parameters[origin.index].kind == Parameter::Kind::kArgument &&
           callback.parameters[origin.index].arg == callback.descriptor;
  };
  const bool descriptor = handler.descriptor_owned &&
                          std::all_of(handler.registrations.begin(), handler.registrations.end(), is_descriptor);
  const bool object =
      !handler.registrations.empty() && origin.index < 32 && (handler.objects_owned >> origin.index & 1U);
  if (!descriptor && !object) return false;
  const Cell cell = cell_of(*handler.function, analysis_.roots.origin(id));
  return cell.valid() && exclusive(cell.node);
}

}  // namespace heddle::elyze
