#include "elyze/explain/origin.hpp"

#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <set>

#include "elyze/ir/names.hpp"

namespace heddle::elyze {
namespace {

constexpr std::int64_t kEventBytes = 128;  // sizeof(struct event), libevent 2.1 on 64-bit systems
constexpr std::size_t kLongestWay = 6;     // an example that is longer explains nothing

std::string parameter_name(const llvm::Function& function, unsigned index) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    for (const llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      const llvm::DILocalVariable* variable = record.getVariable();
      if (variable->getArg() == index + 1 && !record.getDebugLoc().getInlinedAt()) return variable->getName().str();
    }
  }
  return "argument " + std::to_string(index + 1);
}

}  // namespace

Origins::Origins(const Analysis& analysis, const World& world)
    : analysis_(analysis), world_(world), naming_(analysis.points_to.graph) {
  const Graph& graph = analysis_.points_to.graph;
  std::vector<NodeId> globals;
  for (NodeId id = 0; id < graph.node_count(); ++id) {
    if (graph.find_node(id) == id && is_global(id)) globals.push_back(id);
  }
  from_globals_ = ways_from(globals);
}

bool Origins::is_global(NodeId node) const {
  const Graph& graph = analysis_.points_to.graph;
  const std::vector<Graph::Placed>& objects = graph.node({node, 0}).objects;
  return std::any_of(objects.begin(), objects.end(), [&](const Graph::Placed& placed) {
    const Object& object = graph.object(placed.object);
    if (object.kind != ObjectKind::kGlobal) return false;
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object.site);
    return variable != nullptr && !variable->isConstant();
  });
}

Origins::Ways Origins::ways_from(const std::vector<NodeId>& starts) const {
  const Graph& graph = analysis_.points_to.graph;
  Ways ways;
  std::vector<NodeId> work;
  for (const NodeId start : starts) {
    if (ways.try_emplace(start, Step{}).second) work.push_back(start);
  }
  for (std::size_t i = 0; i < work.size(); ++i) {
    const NodeId from = work[i];
    for (const auto& [where, edge] : graph.node({from, 0}).edges) {
      for (const Cell target : edge.targets) {
        const NodeId to = graph.find_node(target.node);
        if (ways.try_emplace(to, Step{from, plain_offset(where)}).second) work.push_back(to);
      }
    }
  }
  return ways;
}

std::string Origins::field(NodeId node, std::int64_t offset) const {
  return naming_.name(node, {offset, offset + 1}).name;
}

std::vector<std::string> Origins::way(const Ways& ways, NodeId to) const {
  std::vector<std::string> chain;
  for (auto place = ways.find(to); place != ways.end() && place->second.from != kNoNode;
       place = ways.find(place->second.from)) {
    chain.insert(chain.begin(), field(place->second.from, place->second.offset));
  }
  if (chain.size() > kLongestWay) chain.clear();
  return chain;
}

std::vector<std::string> Origins::derived(const Handler& handler, RootId id) const {
  const Root& root = analysis_.roots[id];
  if (root.kind == Root::Kind::kParam) return {parameter_name(*handler.function, root.index)};
  std::vector<std::string> chain = derived(handler, root.parent);
  const Cell parent = analysis_.cell_of(*handler.function, root.parent);
  if (parent.valid()) {
    const Cell at = analysis_.points_to.graph.find(parent.plus(root.offset));
    chain.push_back(field(at.node, at.offset));
  } else {
    chain.push_back("byte " + std::to_string(root.offset));
  }
  return chain;
}

Chain Origins::chain(const Handler& handler, const HandlerAccess& access) {
  if (access.node == kNoNode) return {};
  const Graph& graph = analysis_.points_to.graph;
  const NodeId node = graph.find_node(access.node);
  if (is_global(node) && access.anchor != Anchor::kSession) return {};
  const Root& origin = analysis_.roots[analysis_.roots.origin(access.root)];
  if (origin.kind == Root::Kind::kParam && access.owner == handler.function) {
    return {derived(handler, access.root), true, true};
  }
  std::vector<std::string> global = way(from_globals_, node);
  if (access.root == kGlobalRoot || handler.session.kind != Session::Kind::kObject) return {global};
  // Each node is in this map once, the session itself as the start: what leads back to it is one of its links.
  const NodeId session = graph.find_node(handler.session.cell.node);
  std::vector<std::string> own;
  if (node == session) {
    const std::vector<SessionLink> known = links(handler);
    if (!known.empty() && known.front().type == handler.session.type) own = {known.front().field};
  } else {
    const auto [place, fresh] = from_sessions_.try_emplace(session);
    if (fresh) place->second = ways_from({session});
    own = way(place->second, node);
  }
  if (own.empty() || (!global.empty() && global.size() <= own.size())) return {global};
  own.insert(own.begin(), parameter_name(*handler.function, static_cast<unsigned>(handler.session_parameter)));
  return {own, true};
}

// Is the place inside an event? The argument that an event holds leads from a session back to itself, which is no link.
bool Origins::in_an_event(NodeId node, std::int64_t offset) const {
  const Graph& graph = analysis_.points_to.graph;
  return std::any_of(world_.handlers.begin(), world_.handlers.end(), [&](const Handler& handler) {
    return std::any_of(handler.registrations.begin(), handler.registrations.end(), [&](const RegistrationSite& site) {
      if (!site.registration->event.valid()) return false;
      const Cell event = graph.find(site.registration->event);
      return event.node == node && event.offset <= offset && offset < event.offset + kEventBytes;
    });
  });
}

std::vector<SessionLink> Origins::links(const Handler& handler) const {
  const Graph& graph = analysis_.points_to.graph;
  std::vector<SessionLink> found;
  if (handler.session.kind != Session::Kind::kObject) return found;
  const NodeId session = graph.find_node(handler.session.cell.node);
  std::set<std::string> seen;
  for (const auto& [where, edge] : graph.node({session, 0}).edges) {
    if (is_number(where) || in_an_event(session, where)) continue;
    for (const Cell target : edge.targets) {
      const NodeId to = graph.find_node(target.node);
      const auto other = std::find_if(world_.handlers.begin(), world_.handlers.end(), [&](const Handler& candidate) {
        return candidate.session.kind == Session::Kind::kObject && graph.find_node(candidate.session.cell.node) == to;
      });
      if (other == world_.handlers.end()) continue;
      SessionLink link{field(session, where), to == session ? handler.session.type : other->session.type};
      if (seen.insert(link.field).second) found.push_back(std::move(link));
    }
  }
  return found;
}

const llvm::Function* Origins::taken_in(const Handler& handler, const HandlerAccess& access) {
  return access.owner == handler.function || access.node == kNoNode ? nullptr : access.owner;
}

}  // namespace heddle::elyze
