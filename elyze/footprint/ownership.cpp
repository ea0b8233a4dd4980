#include "elyze/footprint/ownership.hpp"

#include <algorithm>

#include "elyze/ir/addresses.hpp"

namespace heddle::elyze {
namespace {

// Does the call store the session, its argument, in this object (an argument, or kReturnedObject), or take it from
// there?
bool holds_session(const Registration& registration, const Spec& spec, int object) {
  const Parameter& session =
      registration.callback->parameters[static_cast<std::size_t>(registration.callback->session)];
  if (session.kind == Parameter::Kind::kLoaded) return session.arg == object;
  return session.kind == Parameter::Kind::kArgument &&
         std::any_of(spec.effects.begin(), spec.effects.end(), [&](const Effect& effect) {
           return effect.op == Effect::Op::kStore && effect.arg == object && effect.other == session.arg &&
                  effect.path.empty() && effect.value_path.empty() && effect.condition.arg == kNoArgument;
         });
}

}  // namespace

Ownership::Ownership(const Analysis& analysis, const World& world) : analysis_(analysis) {
  const Graph& graph = analysis.points_to.graph;
  const auto look = [&](const std::vector<Store>& stores) {
    for (const Store& store : stores) {
      note_own_address(store);
      if (store.back || store.publishes || store.keeps || store.moves ||
          (store.source.base == kUniqueRoot && !store.repeated))
        continue;
      stored_elsewhere_.insert(graph.find_node(store.value.node));
    }
  };
  for (const auto& [function, summary] : analysis.summaries) {
    look(summary.settled_stores);
    // Callers of a pool's member take over only some of its open stores, so all of them count here.
    if (!summary.pooled) continue;
    std::vector<Store> stores = summary.open_stores;
    if (!summary.keeps_all) {
      std::erase_if(stores, [&](const Store& store) { return !analysis.roots.resolved(store.source.base); });
    }
    look(stores);
  }
  // Copying a structure stores the pointers in it a second time. Copies between shared memory, and of what a handler is
  // given, are judged here and not when their function is summarised, since pointers may get to their source later: in
  // a pool from a caller, otherwise from whoever made the session.
  std::vector<Graph::Copy> copies = analysis.shared_copies;
  for (const llvm::Function* root : world.roots) {
    const auto& own = analysis.copies.at(root);
    copies.insert(copies.end(), own.begin(), own.end());
  }
  for (const Graph::Copy& copy : copies) {
    const Cell source = graph.find(copy.source);
    note_copy(copy);
    if (copy.within || !source.valid() || !copy.target.valid() || !(graph.node(copy.target).flags & kShared)) continue;
    const Range bytes = copy.bytes >= kFar ? graph.extent_to_end(source) : graph.extent(source, copy.bytes);
    for (const auto& [where, edge] : graph.node(source).edges) {
      if (!bytes.contains(plain_offset(where))) continue;
      for (const Cell target : edge.targets) stored_elsewhere_.insert(graph.find_node(target.node));
    }
  }
  for (const llvm::Function* root : world.roots) {
    const auto is_root = [&](const Handler& handler) { return handler.function == root; };
    const auto made = [&](unsigned parameter) {
      return !analysis.calls.is_given_away(*root) &&
             std::any_of(world.handlers.begin(), world.handlers.end(), is_root) &&
             std::all_of(world.handlers.begin(), world.handlers.end(), [&](const Handler& handler) {
               return !is_root(handler) || made_for_invocation(handler, parameter);
             });
    };
    std::vector<Store> stores = analysis.summaries.at(root).open_stores;
    // An accepted connection that is stored once belongs to where it is stored, like a fresh block.
    std::erase_if(stores, [&](const Store& store) {
      const Root& source = analysis.roots[store.source.base];
      return source.kind == Root::Kind::kParam && !store.repeated && store.number && made(source.index);
    });
    look(stores);
  }
  for (const Handler& handler : world.handlers) {
    for (const RegistrationSite& site : handler.registrations) {
      const Registration& registration = *site.registration;
      if (registration.descriptor_owned && handler.descriptor_owned) continue;
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
  std::unordered_set<NodeId> others;
  for (const Handler& handler : world.handlers) {
    if (!handler.session.cell.valid()) continue;
    const NodeId session = graph.find_node(handler.session.cell.node);
    const bool returns = std::all_of(handler.registrations.begin(), handler.registrations.end(),
                                     [&](const RegistrationSite& site) { return held_by_its_own(*site.registration); });
    (returns ? returning_ : others).insert(session);
  }
  std::erase_if(returning_, [&](NodeId session) { return others.contains(session); });
}

void Ownership::note_own_address(const Store& store) {
  const Graph& graph = analysis_.points_to.graph;
  if (store.publishes) return;
  const NodeId node = graph.find_node(store.value.node);
  const Cell place = graph.find(store.place);
  if (place.valid() && place.node != node) return;
  if (place.valid() && llvm::isa<llvm::StoreInst>(innermost(*store.witness).at)) {
    own_addresses_[node].emplace_back(place, store.back.has_value());
  } else {
    copied_.insert(node);
  }
}

void Ownership::note_copy(const Graph::Copy& copy) {
  const Graph& graph = analysis_.points_to.graph;
  const Cell source = graph.find(copy.source);
  const Cell target = graph.find(copy.target);
  if (!source.valid() || !target.valid() || (copy.within && source.at_same_place(target))) return;
  const Range bytes = copy.bytes >= kFar ? graph.extent_to_end(source) : graph.extent(source, copy.bytes);
  for (const auto& [where, edge] : graph.node(source).edges) {
    const std::int64_t at = plain_offset(where);
    if (!bytes.overlaps({at, at + kPointerBytes})) continue;
    for (const Cell to : edge.targets)
      if (graph.find_node(to.node) == target.node) copied_.insert(target.node);
  }
}

bool Ownership::holds_own_address(Cell place) const {
  place = analysis_.points_to.graph.find(place);
  const auto [known, fresh] = holds_own_address_.try_emplace({place.node, place.offset}, false);
  if (fresh) known->second = finds_own_address(place);
  return known->second;
}

bool Ownership::finds_own_address(Cell place) const {
  const Graph& graph = analysis_.points_to.graph;
  const Graph::Node& node = graph.node(place);
  const auto stores = own_addresses_.find(place.node);
  // What stands in a global variable from the start, or comes from the system, no store tells.
  const bool heap = std::all_of(node.objects.begin(), node.objects.end(), [&](const Graph::Placed& placed) {
    return graph.object(placed.object).kind == ObjectKind::kHeap;
  });
  if (stores == own_addresses_.end() || copied_.contains(place.node) || !heap ||
      (node.flags & (kUnknownMemory | kReplaced)))
    return false;
  const Range bytes = graph.extent(place, kPointerBytes);
  for (const auto& [where, edge] : node.edges) {
    const std::int64_t at = plain_offset(where);
    if (!bytes.overlaps({at, at + kPointerBytes})) continue;
    for (const Cell target : edge.targets)
      if (graph.find_node(target.node) != place.node) return false;
  }
  bool any = false;
  for (const auto& [where, own] : stores->second) {
    if (!bytes.overlaps(graph.extent(where, kPointerBytes))) continue;
    if (!own) return false;
    any = true;
  }
  return any;
}

bool Ownership::leads_back(const llvm::Function& function, RootId id) const {
  const Root& root = analysis_.roots[id];
  if (root.kind != Root::Kind::kLoad) return false;
  const Cell parent = analysis_.cell_of(function, root.parent);
  return parent.valid() && holds_own_address(parent.plus(root.offset));
}

// The handler is registered with an object that is kept in the session and holds it in turn: its event, its
// bufferevent.
bool Ownership::held_by_its_own(const Registration& registration) const {
  const Callback& callback = *registration.callback;
  const llvm::Function* callee = registration.call == nullptr ? nullptr : registration.call->getCalledFunction();
  const Spec* spec = callee == nullptr ? nullptr : analysis_.points_to.specs.find(*callee);
  if (spec == nullptr || callback.session < 0) return false;
  if (replaced(analysis_.points_to.graph, registration, static_cast<std::size_t>(callback.session))) return false;
  if (registration.event_owned && registration.event.valid() && exclusive(registration.event.node) &&
      holds_session(registration, *spec, callback.event))
    return true;
  for (std::size_t i = 0; i < registration.parameters.size() && i < 32; ++i) {
    const Parameter& given = callback.parameters[i];
    if (!(registration.objects_owned >> i & 1U) || !registration.parameters[i].valid()) continue;
    const int object = given.kind == Parameter::Kind::kReturned ? kReturnedObject : given.arg;
    if (exclusive(registration.parameters[i].node) && holds_session(registration, *spec, object)) return true;
  }
  return false;
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

bool Ownership::exclusive_load(const llvm::Function& function, RootId root) const {
  if (leads_back(function, root)) return true;
  const Cell cell = analysis_.cell_of(function, root);
  return cell.valid() && exclusive(cell.node);
}

bool Ownership::given_with(NodeId id) const {
  const Graph::Node& node = analysis_.points_to.graph.node({id, 0});
  return (node.objects.empty() && !(node.flags & (kUnknownMemory | kStored))) || exclusive(id);
}

bool Ownership::inside_given(const llvm::Function& function, RootId root) const {
  for (RootId at = root; analysis_.roots[at].kind == Root::Kind::kLoad; at = analysis_.roots[at].parent) {
    const Cell cell = analysis_.cell_of(function, at);
    if (cell.valid() && !given_with(cell.node)) return false;
  }
  return true;
}

bool Ownership::own_load(const llvm::Function& function, RootId root) {
  if (leads_back(function, root)) return true;
  if (!exclusive_load(function, root)) return false;
  follow(analysis_.points_to.graph.find_node(analysis_.cell_of(function, root).node));
  return true;
}

bool Ownership::own(const Handler& handler, RootId id) {
  const auto loads = [&](auto&& holds) {
    for (RootId at = id; analysis_.roots[at].kind == Root::Kind::kLoad; at = analysis_.roots[at].parent)
      if (!holds(at)) return false;
    return true;
  };
  const Root& origin = analysis_.roots[analysis_.roots.origin(id)];
  return origin.kind == Root::Kind::kParam && own_parameter(handler, origin.index) &&
         loads([&](RootId at) { return exclusive_load(*handler.function, at); }) &&
         loads([&](RootId at) { return own_load(*handler.function, at); });
}

bool Ownership::own_parameter(const Handler& handler, unsigned index) const {
  if (handler.session.kind != Session::Kind::kObject) return false;
  if (static_cast<int>(index) == handler.session_parameter) return true;
  // The parameter is the descriptor that fired, or the object that the library hands back. It is the session's own if
  // each registration names it together with the session that keeps it, and nobody else keeps it.
  const auto is_descriptor = [&](const RegistrationSite& site) {
    const Callback& callback = *site.registration->callback;
    return index < callback.parameters.size() && callback.parameters[index].kind == Parameter::Kind::kArgument &&
           callback.parameters[index].arg == callback.descriptor;
  };
  const bool descriptor = handler.descriptor_owned &&
                          std::all_of(handler.registrations.begin(), handler.registrations.end(), is_descriptor);
  const bool object = !handler.registrations.empty() && index < 32 && (handler.objects_owned >> index & 1U);
  if (!descriptor && !object) return false;
  const std::vector<Cell>& formals = analysis_.points_to.cells(*handler.function).formals;
  return index < formals.size() && formals[index].valid() && exclusive(formals[index].node);
}

std::unordered_set<NodeId> Ownership::belongings(const Handler& handler) const {
  const Graph& graph = analysis_.points_to.graph;
  std::unordered_set<NodeId> found;
  if (handler.session.kind != Session::Kind::kObject) return found;
  const std::vector<Cell>& formals = analysis_.points_to.cells(*handler.function).formals;
  const NodeId session = graph.find_node(handler.session.cell.node);
  std::vector<NodeId> work{session};
  for (unsigned i = 0; i < formals.size(); ++i) {
    if (!formals[i].valid() || static_cast<int>(i) == handler.session_parameter || !own_parameter(handler, i)) continue;
    const NodeId given = graph.find_node(formals[i].node);
    if (found.insert(given).second) work.push_back(given);
  }
  while (!work.empty()) {
    const NodeId from = work.back();
    work.pop_back();
    for (const auto& [where, edge] : graph.node({from, 0}).edges) {
      for (const Cell target : edge.targets) {
        const NodeId next = graph.find_node(target.node);
        if (next == session && returning_.contains(session)) continue;
        if (followed_.contains(next) && exclusive(next) && found.insert(next).second) work.push_back(next);
      }
    }
  }
  return found;
}

}  // namespace heddle::elyze
