#include "elyze/conflicts/conflicts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "elyze/conflicts/naming.hpp"
#include "elyze/effects/pool.hpp"
#include "elyze/ir/names.hpp"

namespace heddle::elyze {
namespace {

constexpr std::int64_t kEventBytes = 128;  // sizeof(struct event), libevent 2.1 on 64-bit systems
constexpr Range kWholeBlock{-kFar, kFar};

bool writes(Mode mode) { return mode == Mode::kWrite || mode == Mode::kAtomicWrite; }
bool atomic(Mode mode) { return mode == Mode::kAtomicRead || mode == Mode::kAtomicWrite; }
bool clash(Mode a, Mode b) { return (writes(a) || writes(b)) && !(atomic(a) && atomic(b)); }

// The functions that a handler can reach.
std::vector<const llvm::Function*> reached_functions(const Analysis& analysis, const llvm::Function& from) {
  std::vector<const llvm::Function*> found{&from};
  std::set<const llvm::Function*> seen{&from};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& [call, callee] : analysis.summaries.at(found[i]).calls) {
      if (seen.insert(callee).second) found.push_back(callee);
    }
  }
  return found;
}

// Whose memory a parameter of a member of a large recursive component is, seen from one handler (effects/pool.hpp).
class Anchors {
 public:
  enum class Value : std::uint8_t { kNone, kSession, kGlobal, kOther };

  Anchors(const Analysis& analysis, const Ownership& ownership) : analysis_(analysis), ownership_(ownership) {}

  static Value join(Value a, Value b) {
    if (a == Value::kNone || a == b) return b;
    return b == Value::kNone ? a : Value::kOther;
  }

  template <class Parameters>
  Value eval(const llvm::Function& function, const Derivation& from, const Parameters& parameters, Use use) const {
    const Root& root = analysis_.roots[from.base];
    switch (root.kind) {
      case Root::Kind::kNone:
        return Value::kNone;
      case Root::Kind::kGlobal:
        return Value::kGlobal;
      case Root::Kind::kParam:
        return root.index < parameters.size() ? parameters[root.index].at(use) : Value::kOther;
      case Root::Kind::kLoad: {
        const Value parent = eval(function, {root.parent, 0, true}, parameters, Use::kThrough);
        const bool kept = parent != Value::kSession || ownership_.exclusive_load(function, from.base);
        return kept ? parent : Value::kOther;
      }
      default:
        return Value::kOther;
    }
  }

 private:
  const Analysis& analysis_;
  const Ownership& ownership_;
};
using AnchorFlow = PooledFlow<Anchors>;

class Finder {
 public:
  Finder(const Analysis& analysis, const World& world)
      : analysis_(analysis),
        graph_(analysis.points_to.graph),
        world_(world),
        ownership_(analysis, world),
        anchors_(analysis, ownership_),
        naming_(graph_) {}

  Conflicts run() {
    for (std::size_t i = 0; i < world_.handlers.size(); ++i) collect(i);
    for (std::size_t a = 0; a < world_.handlers.size(); ++a) {
      for (std::size_t b = a; b < world_.handlers.size(); ++b) judge(a, b);
    }
    return std::move(result_);
  }

 private:
  // ---- what a handler touches ----

  void collect(std::size_t index) {
    const Handler& handler = world_.handlers[index];
    result_.accesses.emplace_back();
    known_.clear();
    if (!analysis_.summaries.at(handler.function).pooled) {
      for (const Access& access : analysis_.summaries.at(handler.function).open) take(index, access, *handler.function);
    }
    const AnchorFlow flow(analysis_, anchors_);
    for (const auto& [function, parameters] : flow.run(*handler.function, parameters_of(handler))) {
      if (!analysis_.summaries.at(function).pooled) continue;
      for (const Access& access : analysis_.summaries.at(function).open) take_pooled(index, access, *function, parameters);
    }
    for (const llvm::Function* function : reached_functions(analysis_, *handler.function)) {
      const Summary& summary = analysis_.summaries.at(function);
      for (const Access& access : summary.settled) take(index, access, *function);
      for (const UnknownUse& use : summary.unknown) note_unknown(index, use);
    }
    for (const RegistrationSite& site : handler.registrations) fired_event(index, *site.registration);
  }

  AnchorFlow::Parameters parameters_of(const Handler& handler) {
    using Value = Anchors::Value;
    AnchorFlow::Parameters parameters;
    for (unsigned i = 0; i < handler.function->arg_size(); ++i) {
      const RootId root = const_cast<Analysis&>(analysis_).roots.param(i);
      const Value value = ownership_.own(handler, root) ? Value::kSession : Value::kOther;
      const bool null =
          static_cast<int>(i) == handler.session_parameter && handler.session.kind == Session::Kind::kNull;
      if (null) {
        parameters.emplace_back();
      } else if (made_for_invocation(handler, i)) {
        parameters.push_back({Value::kNone, value, Value::kNone});
      } else {
        parameters.push_back({value, value, value});
      }
    }
    return parameters;
  }

  void take_pooled(std::size_t index, const Access& access, const llvm::Function& owner,
                   const AnchorFlow::Parameters& parameters) {
    // What variable arguments point to, each caller has taken for itself.
    if (access.extent == Extent::kVariadic || access.root == kVariadicRoot) return;
    const Anchors::Value value =
        anchors_.eval(owner, {access.root, 0, true}, parameters, access.late ? Use::kLate : Use::kEarly);
    if (value == Anchors::Value::kNone) return;
    HandlerAccess here;
    here.node = graph_.find_node(access.cell.node);
    here.mode = access.mode;
    here.owner = &owner;
    here.witness = access.witness;
    here.anchor = value == Anchors::Value::kGlobal    ? Anchor::kGlobal
                  : value == Anchors::Value::kSession ? Anchor::kSession
                                                      : Anchor::kOther;
    place(index, here, access);
  }

  void take(std::size_t index, const Access& access, const llvm::Function& owner) {
    const Handler& handler = world_.handlers[index];
    const Root origin = analysis_.roots[analysis_.roots.origin(access.root)];
    if (origin.kind == Root::Kind::kParam && &owner == handler.function) {
      if (!access.late && made_for_invocation(handler, origin.index)) return;
      const bool session = static_cast<int>(origin.index) == handler.session_parameter;
      if (session && handler.session.kind == Session::Kind::kNull) return;
    }
    HandlerAccess here;
    here.node = graph_.find_node(access.cell.node);
    here.mode = access.mode;
    here.root = access.root;
    here.owner = &owner;
    here.witness = access.witness;
    here.anchor = access.root == kGlobalRoot             ? Anchor::kGlobal
                  : ownership_.own(handler, access.root) ? Anchor::kSession
                                                         : Anchor::kOther;
    place(index, here, access);
  }

  void place(std::size_t index, HandlerAccess here, const Access& access) {
    if (access.extent == Extent::kReach) {
      take_reachable(index, here, access);
      return;
    }
    here.range = range_of(access);
    record(index, here);
  }

  Range range_of(const Access& access) const {
    switch (access.extent) {
      case Extent::kExact:
        return graph_.extent(access.cell, access.size);
      case Extent::kToEnd:
        return graph_.extent_to_end(access.cell);
      default:
        return kWholeBlock;
    }
  }

  // Everything that can be reached; it stays the session's own as long as the way leads over owned objects only.
  void take_reachable(std::size_t index, HandlerAccess first, const Access& access) {
    std::set<NodeId> own;
    if (first.anchor == Anchor::kSession) {
      std::vector<NodeId> work{first.node};
      own.insert(first.node);
      while (!work.empty()) {
        const NodeId at = work.back();
        work.pop_back();
        for (const auto& [where, edge] : graph_.node({at, 0}).edges) {
          if (is_number(where)) continue;
          for (const Cell target : edge.targets) {
            const NodeId next = graph_.find_node(target.node);
            if (ownership_.exclusive(next) && own.insert(next).second) work.push_back(next);
          }
        }
      }
    }
    for (const Cell cell : graph_.pointed_to(access.cell, access.size == 1)) {
      HandlerAccess here = first;
      here.node = cell.node;
      here.range = graph_.bounded(cell) ? graph_.extent_to_end(cell) : kWholeBlock;
      if (cell.node != first.node) here.anchor = own.count(cell.node) ? Anchor::kSession : Anchor::kOther;
      record(index, here);
    }
  }

  // To call the handler the loop reads its event: whoever changes that event conflicts with it.
  void fired_event(std::size_t index, const Registration& registration) {
    if (!registration.event.valid()) return;
    const Handler& handler = world_.handlers[index];
    const Cell event = graph_.find(registration.event);
    HandlerAccess here;
    here.node = event.node;
    here.range = graph_.extent(event, kEventBytes);
    here.owner = handler.function;
    const bool with_session = handler.session.kind == Session::Kind::kObject && handler.event_owned;
    const bool embedded = handler.session.cell.valid() && graph_.find_node(handler.session.cell.node) == event.node;
    if (with_session && (embedded || ownership_.exclusive(event.node))) here.anchor = Anchor::kSession;
    record(index, here);
  }

  void record(std::size_t index, const HandlerAccess& access) {
    const Graph::Node& node = graph_.node({access.node, 0});
    if ((node.flags & kConstant) && !(node.flags & kVariable)) return;
    const auto key = std::make_tuple(access.node, access.range.low, access.range.high, access.mode, access.anchor);
    if (known_.insert(key).second) result_.accesses[index].push_back(access);
  }

  void note_unknown(std::size_t index, const UnknownUse& use) {
    auto place = std::find_if(result_.unknown.begin(), result_.unknown.end(),
                              [&](const UnknownCode& code) { return code.name == use.name && code.kind == use.kind; });
    if (place == result_.unknown.end()) {
      place = result_.unknown.insert(place, UnknownCode{use.name, use.kind, 0, use.call, {}});
    }
    if (calls_counted_.insert(use.call).second) ++place->count;
    if (!place->handlers.empty() && place->handlers.back() == index) return;
    place->handlers.push_back(index);
    HandlerAccess here;
    here.mode = Mode::kWrite;
    here.range = kWholeBlock;
    here.owner = use.call->getFunction();
    here.witness = result_.witnesses.add(*use.call);
    unknown_access_[{static_cast<std::size_t>(place - result_.unknown.begin()), index}] =
        result_.accesses[index].size();
    result_.accesses[index].push_back(here);
  }

  // ---- pairs ----

  Verdict verdict(std::size_t a, std::size_t b, const HandlerAccess& first, const HandlerAccess& second) const {
    if (first.anchor != Anchor::kSession || second.anchor != Anchor::kSession) return Verdict::kAlways;
    const NodeId one = graph_.find_node(world_.handlers[a].session.cell.node);
    const NodeId other = graph_.find_node(world_.handlers[b].session.cell.node);
    return one == other ? Verdict::kSession : Verdict::kNever;
  }

  std::size_t object(const NamedObject& named) {
    const auto [place, fresh] = objects_.try_emplace(
        named.kind + " " + named.name + " " + named.file + std::to_string(named.line), result_.objects.size());
    if (fresh) result_.objects.push_back(named);
    return place->second;
  }

  void note(Pair& pair, std::size_t object, Verdict verdict, std::size_t a, std::size_t b) {
    pair.verdict = std::max(pair.verdict, verdict);
    for (Conflict& conflict : pair.conflicts) {
      if (conflict.object != object) continue;
      if (verdict > conflict.verdict) conflict = {object, verdict, a, b};
      return;
    }
    pair.conflicts.push_back({object, verdict, a, b});
  }

  void judge(std::size_t a, std::size_t b) {
    Pair pair;
    pair.a = a;
    pair.b = b;
    judge_unknown(pair);
    std::map<NodeId, std::vector<std::size_t>> second;
    for (std::size_t j = 0; j < result_.accesses[b].size(); ++j) second[result_.accesses[b][j].node].push_back(j);
    for (std::size_t i = 0; i < result_.accesses[a].size(); ++i) {
      const HandlerAccess first = result_.accesses[a][i];
      if (first.node == kNoNode) continue;
      const bool outside = (graph_.node({first.node, 0}).flags & kUnknownMemory) != 0;
      for (const auto& [node, indices] : second) {
        if (node == kNoNode) continue;
        // Two pieces of unknown memory may be the same.
        const bool same = node == first.node;
        if (!same && !(outside && (graph_.node({node, 0}).flags & kUnknownMemory))) continue;
        for (const std::size_t j : indices) meet(pair, i, j, same);
      }
    }
    result_.pairs.push_back(std::move(pair));
  }

  void meet(Pair& pair, std::size_t i, std::size_t j, bool same) {
    const HandlerAccess& first = result_.accesses[pair.a][i];
    const HandlerAccess& second = result_.accesses[pair.b][j];
    if (!clash(first.mode, second.mode) || (same && !first.range.overlaps(second.range))) return;
    const Verdict here = verdict(pair.a, pair.b, first, second);
    if (here == Verdict::kNever) return;
    Range common = first.range;
    if (same) common = {std::max(first.range.low, second.range.low), std::min(first.range.high, second.range.high)};
    note(pair, object(naming_.name(first.node, common)), here, i, j);
  }

  void judge_unknown(Pair& pair) {
    for (std::size_t u = 0; u < result_.unknown.size(); ++u) {
      const UnknownCode& code = result_.unknown[u];
      const auto reaches = [&](std::size_t handler) {
        return std::find(code.handlers.begin(), code.handlers.end(), handler) != code.handlers.end();
      };
      if (!reaches(pair.a) && !reaches(pair.b)) continue;
      const std::size_t what = object(
          {(code.kind == UnknownUse::Kind::kAssembly ? "" : "unknown external ") + code.name, "unknown", "", "", 0});
      note(pair, what, Verdict::kAlways, unknown_access(u, pair.a), unknown_access(u, pair.b));
    }
  }

  // The access that stands for a handler where it meets unknown code; the handler itself, if it does not call it.
  std::size_t unknown_access(std::size_t code, std::size_t handler) {
    const auto [place, fresh] = unknown_access_.try_emplace({code, handler}, result_.accesses[handler].size());
    if (fresh) {
      HandlerAccess here;
      here.owner = world_.handlers[handler].function;
      here.range = kWholeBlock;
      result_.accesses[handler].push_back(here);
    }
    return place->second;
  }

  const Analysis& analysis_;
  const Graph& graph_;
  const World& world_;
  Ownership ownership_;
  Anchors anchors_;
  Naming naming_;
  Conflicts result_;
  std::set<std::tuple<NodeId, std::int64_t, std::int64_t, Mode, Anchor>> known_;
  std::set<const llvm::CallBase*> calls_counted_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> unknown_access_;
  std::map<std::string, std::size_t> objects_;
};

}  // namespace

Conflicts find_conflicts(const Analysis& analysis, const World& world) { return Finder(analysis, world).run(); }

std::vector<Frame> path_of(const Witness* witness) {
  std::vector<Frame> frames;
  for (; witness != nullptr; witness = witness->callee) {
    const SourcePlace where = place_of(*witness->at);
    frames.push_back({source_name(*witness->at->getFunction()), where.file, where.line});
  }
  return frames;
}

std::vector<Frame> path_of(const Analysis& analysis, const Handler& handler, const HandlerAccess& access) {
  if (access.witness == nullptr) {
    const SourcePlace where = place_of(*handler.function);
    return {{source_name(*handler.function), where.file, where.line}};
  }
  // Calls from the handler to the function whose effect it is: a shortest way.
  std::vector<Frame> frames;
  if (access.owner != handler.function) {
    std::map<const llvm::Function*, const llvm::CallBase*> from{{handler.function, nullptr}};
    std::vector<const llvm::Function*> work{handler.function};
    for (std::size_t i = 0; i < work.size() && !from.count(access.owner); ++i) {
      for (const auto& [call, callee] : analysis.summaries.at(work[i]).calls) {
        if (from.try_emplace(callee, call).second) work.push_back(callee);
      }
    }
    for (const llvm::Function* at = access.owner; at != handler.function && from.count(at);) {
      const llvm::CallBase* call = from.at(at);
      const SourcePlace where = place_of(*call);
      frames.insert(frames.begin(), {source_name(*call->getFunction()), where.file, where.line});
      at = call->getFunction();
    }
  }
  const std::vector<Frame> rest = path_of(access.witness);
  frames.insert(frames.end(), rest.begin(), rest.end());
  return frames;
}

}  // namespace heddle::elyze
