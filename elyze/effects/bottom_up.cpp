#include "elyze/effects/bottom_up.hpp"

#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <deque>
#include <unordered_set>

#include "elyze/effects/collect.hpp"
#include "elyze/ir/values.hpp"
#include "elyze/points_to/builder.hpp"

namespace heddle::elyze {
namespace {

// The fixed point of a pool covers only what callers learn about stores and results. A member that is collected more
// often than this, or that makes more stores, is taken to keep everything and to return anything, so the iteration
// ends.
constexpr int kMostCollections = 6;
constexpr std::size_t kMostStores = 24;

class Component {
 public:
  Component(Analysis& analysis, const Limits& limits, const std::vector<const llvm::Function*>& members)
      : analysis_(analysis),
        limits_(limits),
        graph_(analysis.points_to.graph),
        cells_(analysis.points_to, unit_),
        builder_(analysis.points_to, unit_, cells_, &analysis.calls,
                 [this](const CallSite& site, const llvm::Function& callee) { link(site, callee); }) {
    unit_.members = members;
    inside_.insert(members.begin(), members.end());
  }

  void run() {
    builder_.run();
    graph_.close(unit_.copies);
    unit_.copies = graph_.expanded(unit_.copies);
    graph_.share_reachable();
    graph_.spread_unknown();  // by local variables, which callers have no copy of
    if (!collect_precisely()) {
      collect_pool();
      analysis_.pools.push_back(unit_.members);
    }
    keep_copies();
    analysis_.escapes.shrink(graph_, *escapes_);
  }

 private:
  void link(const CallSite& site, const llvm::Function& callee) {
    if (inside_.contains(&callee) || analysis_.summaries.at(&callee).pooled) {
      builder_.link_shared(site, callee, inside_.contains(&callee));
      return;
    }
    Graph::CloneMap& map = unit_.clones[{&site, &callee}];
    const FunctionCells original = analysis_.points_to.cells(callee);
    FunctionCells copy;
    for (const Cell formal : original.formals) copy.formals.push_back(graph_.clone(formal, map));
    copy.returned = graph_.clone(original.returned, map);
    copy.variadic = graph_.clone(original.variadic, map);
    for (const Registration& registration : analysis_.summaries.at(&callee).registrations) {
      graph_.clone(registration.function, map);
      graph_.clone(registration.event, map);
      for (const Cell parameter : registration.parameters) graph_.clone(parameter, map);
      for (const Cell place : registration.kept) graph_.clone(place, map);
      graph_.clone(registration.function_kept, map);
    }
    for (const Graph::Copy& inner : analysis_.copies.at(&callee)) {
      const Cell target = graph_.cloned(inner.target, map);
      const Cell source = graph_.cloned(inner.source, map);
      if (target.valid() && source.valid()) unit_.copies.push_back({target, source, inner.bytes, 0, 0, inner.within});
    }
    builder_.link_cells(site, copy);
  }

  // Memory that callers, globals or registrations can reach.
  std::vector<bool> visible_nodes() {
    std::vector<bool> visible(graph_.node_count());
    const auto mark = [&](Cell from) {
      if (!from.valid() || visible[graph_.find_node(from.node)]) return;
      for (const NodeId node : graph_.reachable(from)) visible[node] = true;
    };
    for (const llvm::Function* member : unit_.members) {
      const FunctionCells& cells = analysis_.points_to.cells(*member);
      for (const Cell formal : cells.formals) mark(formal);
      mark(cells.returned);
      mark(cells.variadic);
    }
    for (auto& [key, map] : unit_.clones) {
      for (const Registration& registration : analysis_.summaries.at(key.second).registrations) {
        mark(graph_.cloned(registration.event, map));
        for (const Cell parameter : registration.parameters) mark(graph_.cloned(parameter, map));
        for (const Cell place : registration.kept) mark(graph_.cloned(place, map));
      }
    }
    for (const llvm::Function* member : unit_.members) {
      for (const llvm::Instruction& instruction : llvm::instructions(*member)) {
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) mark_registered(*call, mark);
      }
    }
    return visible;
  }

  template <class Mark>
  void mark_registered(const llvm::CallBase& call, const Mark& mark) {
    if (const Callback* callback = analysis_.points_to.specs.dispatched(call)) {
      for (const Parameter& parameter : callback->parameters) mark(cells_.given(call, parameter));
    }
    for (const CallSite& site : analysis_.calls.at(call)) {
      for (const llvm::Function* external : site.externals) {
        const Spec* spec = analysis_.points_to.specs.find(*external);
        if (spec == nullptr) continue;
        for (const Callback& callback : spec->callbacks) {
          for (const Parameter& parameter : callback.parameters) {
            mark(cells_.given(call, parameter));
            mark(cells_.field(call, parameter.kept));
          }
          if (callback.event == kReturnedObject) mark(cells_.of(&call));
          if (callback.event >= 0) mark(cells_.of(argument(call, callback.event)));
        }
      }
    }
  }

  bool recursive() const {
    if (unit_.members.size() > 1) return true;
    for (const llvm::Instruction& instruction : llvm::instructions(*unit_.members.front())) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr) continue;
      for (const CallSite& site : analysis_.calls.at(*call)) {
        if (std::find(site.bodies.begin(), site.bodies.end(), unit_.members.front()) != site.bodies.end()) return true;
      }
    }
    return false;
  }

  // Two summaries of a function that differ in what callers learn have different fingerprints, but for collisions.
  static std::size_t fingerprint(const Summary& summary) {
    std::size_t sum = summary.registrations.size() * 31 + std::size_t{summary.returned.base} * 131 +
                      static_cast<std::size_t>(summary.returned.distance) + (summary.returned.exact ? 7 : 0);
    sum += summary.replaced.size() * 13;
    for (const Access& access : summary.open) sum += hash_access(access);
    for (const Access& access : summary.settled) sum += hash_access(access) * 3;
    for (const Access& access : summary.numbers) sum += hash_access(access) * 7;
    for (const auto* stores : {&summary.open_stores, &summary.settled_stores}) {
      for (const Store& store : *stores) {
        Access key;
        key.cell = store.value;
        key.size = store.target.base;
        key.root = store.source.base;
        key.late = store.repeated;
        sum += hash_access(key) * 5;
      }
    }
    for (const Registration& registration : summary.registrations) {
      for (const Derivation& source : registration.sources)
        sum = sum * 33 + std::size_t{source.base} * 2 + (source.exact ? 1 : 0);
    }
    for (const PooledCall& call : summary.pooled_calls) {
      for (const PooledActual& actual : call.actuals) {
        for (const Derivation* use : {&actual.early, &actual.late, &actual.through})
          sum = sum * 33 + std::size_t{use->base} * 2 + (use->exact ? 1 : 0);
      }
    }
    return sum;
  }

  // The recursion follows pointers on and on, until their chain is too long to be told from any other. A pool knows
  // more: whether each of them is owned.
  bool follows_links() const {
    return std::any_of(unit_.members.begin(), unit_.members.end(), [&](const llvm::Function* member) {
      const Summary& summary = analysis_.summaries.at(member);
      return std::any_of(summary.open.begin(), summary.open.end(),
                         [&](const Access& access) { return analysis_.roots[access.root].depth >= kLongestChain; });
    });
  }

  // False if the component exceeds the limits, or is better off as one: it must become a pool.
  bool collect_precisely() {
    if (unit_.members.size() > limits_.members) return false;
    const std::vector<bool> visible = visible_nodes();
    const bool again = recursive();
    for (int round = 0; round < limits_.rounds; ++round) {
      bool changed = false;
      std::size_t effects = 0;
      for (const llvm::Function* member : unit_.members) {
        const auto escaped = escapes_->count();
        const auto replaced = analysis_.replaced;
        Summary next = collect(analysis_, unit_, cells_, *member, visible, escapes_).summary;
        Summary& known = analysis_.summaries[member];
        changed |= again && (fingerprint(next) != fingerprint(known) || escapes_->count() != escaped ||
                             analysis_.replaced != replaced);
        effects += next.open.size() + next.open_stores.size() + next.registrations.size();
        known = std::move(next);
      }
      if (!again) return true;
      if (!changed) return !follows_links();
      if (effects > limits_.effects) return false;
    }
    return false;
  }

  // ---- large recursive components ----

  void share_all() {
    const std::vector<bool> visible = visible_nodes();
    for (NodeId node = 0; node < visible.size(); ++node) {
      if (visible[node]) graph_.add_flags({node, 0}, kShared);
    }
    graph_.share_reachable();
  }

  // A fingerprint of what callers learn from a member of a pool; see Gatherer::use_pooled().
  std::size_t interface(const Summary& summary) const {
    std::size_t sum = std::size_t{summary.returned.base} * 131 +
                      static_cast<std::size_t>(summary.returned.distance) * 5 + (summary.returned.exact ? 7 : 0) +
                      (summary.keeps_all ? 11 : 0) + summary.replaced.size() * 13;
    for (const Access& access : summary.numbers) sum += hash_access(access) * 7;
    for (const Access& access : summary.open) {
      const Root::Kind kind = analysis_.roots[access.root].kind;
      if (access.extent == Extent::kVariadic || kind == Root::Kind::kVariadic) sum += hash_access(access);
    }
    if (summary.keeps_all) return sum;
    for (const Store& store : summary.open_stores) {
      Access key;
      key.cell = store.place;
      key.size = static_cast<std::int64_t>(store.target.base) * 65536 + store.target.distance;
      key.root = store.source.base;
      key.late = store.repeated;
      key.extent = store.contents ? Extent::kReach : store.publishes ? Extent::kWhole : Extent::kExact;
      sum += hash_access(key) * 5 + static_cast<std::size_t>(store.source.distance) * 17;
    }
    return sum;
  }

  // Gives up precision so that the fixed point is reached: from here on what callers learn from `member` only grows,
  // within a finite set. Of what it replaces, they learn in which objects it stands.
  void settle(const llvm::Function& member, Summary& next, const Summary& known) {
    if (carries(member.getReturnType())) next.returned = {kOtherRoot, 0, true};
    for (const ReplacedWord& word : next.replaced)
      analysis_.escapes.add(graph_, {word.place.node, Escapes::What::kReplaced}, *escapes_);
    next.replaced.clear();
    for (const Access& access : known.numbers) {
      const bool there = std::any_of(next.numbers.begin(), next.numbers.end(), [&](const Access& other) {
        return other.root == access.root && other.mode == access.mode && other.child == access.child &&
               other.behind == access.behind && other.closes == access.closes;
      });
      if (!there) next.numbers.push_back(access);
    }
    for (const Access& access : known.open) {
      if (access.extent != Extent::kVariadic && access.root != kVariadicRoot) continue;
      const bool there = std::any_of(next.open.begin(), next.open.end(),
                                     [&](const Access& other) { return same_access(access, other); });
      if (!there) next.open.push_back(access);
    }
  }

  // What was known of the component's escapes when a member was collected, and which nodes its objects have.
  struct Looked {
    Escapes::Set escapes;
    std::unordered_set<NodeId> nodes;
  };

  // Members whose objects may have escaped in calls that were not known to do that. False if there are none.
  bool look_again(std::unordered_map<const llvm::Function*, Looked>& looked, std::deque<const llvm::Function*>& work,
                  std::unordered_set<const llvm::Function*>& waiting) const {
    for (const llvm::Function* member : unit_.members) {
      Looked& before = looked.at(member);
      if (!escapes_->test(before.escapes)) continue;
      Escapes::Set since = *escapes_;
      since.reset(before.escapes);
      bool concerned = false;
      analysis_.escapes.each(graph_, since,
                             [&](const Escapes::Escape& escape) { concerned |= before.nodes.contains(escape.node); });
      before.escapes = *escapes_;
      if (concerned && waiting.insert(member).second) work.push_back(member);
    }
    return !work.empty();
  }

  void collect_pool() {
    share_all();
    const std::vector<bool> visible;  // all that is visible is shared
    std::unordered_map<const llvm::Function*, std::vector<const llvm::Function*>> callers;
    for (const llvm::Function* member : unit_.members) analysis_.summaries[member] = Summary();
    for (const llvm::Function* member : unit_.members) {
      analysis_.summaries[member].pooled = true;
      analysis_.summaries[member].escapes = escapes_;
    }
    std::deque<const llvm::Function*> work(unit_.members.begin(), unit_.members.end());
    std::unordered_set<const llvm::Function*> waiting(unit_.members.begin(), unit_.members.end());
    std::unordered_map<const llvm::Function*, int> collections;
    std::unordered_map<const llvm::Function*, Looked> looked;
    while (!work.empty() || look_again(looked, work, waiting)) {
      const llvm::Function* member = work.front();
      work.pop_front();
      waiting.erase(member);
      const Escapes::Set escaped = *escapes_;
      Collected collected = collect(analysis_, unit_, cells_, *member, visible, escapes_);
      looked[member] = {escaped, std::move(collected.nodes)};
      Summary next = std::move(collected.summary);
      next.pooled = true;
      Summary& known = analysis_.summaries[member];
      const int times = ++collections[member];
      next.keeps_all = known.keeps_all || next.open_stores.size() > kMostStores || times > kMostCollections;
      if (times > kMostCollections) settle(*member, next, known);
      if (times == 1) {
        for (const auto& [call, callee] : next.calls) {
          if (analysis_.summaries.count(callee)) callers[callee].push_back(member);
        }
      }
      const bool changed = times == 1 || interface(next) != interface(known);
      known = std::move(next);
      if (!changed) continue;
      for (const llvm::Function* caller : callers[member]) {
        if (waiting.insert(caller).second) work.push_back(caller);
      }
    }
  }

  void keep_copies() {
    std::vector<Graph::Copy> kept;
    const bool pooled = analysis_.summaries.at(unit_.members.front()).pooled;
    for (const Graph::Copy& copy : unit_.copies) {
      const bool shared = (graph_.node(copy.target).flags & kShared) && (graph_.node(copy.source).flags & kShared);
      (shared || pooled ? analysis_.shared_copies : kept).push_back(copy);
      // What callers learn of it.
      if (pooled) graph_.add_flags(copy.target, kReplaced);
      if (shared) analysis_.escapes.add(graph_, {copy.target.node, Escapes::What::kReplaced}, *escapes_);
    }
    for (const llvm::Function* member : unit_.members) analysis_.copies[member] = kept;
  }

  Analysis& analysis_;
  const Limits& limits_;
  Graph& graph_;
  Unit unit_;
  std::unordered_set<const llvm::Function*> inside_;
  Cells cells_;
  Builder builder_;
  const std::shared_ptr<Escapes::Set> escapes_ = std::make_shared<Escapes::Set>();
};

}  // namespace

std::unique_ptr<Analysis> analyse_functions(const llvm::Module& module, const Specs& specs, const CallGraph& calls,
                                            const Limits& limits) {
  auto analysis = std::make_unique<Analysis>(module, specs, calls);
  for (const llvm::GlobalVariable& variable : module.globals()) analysis->points_to.global(variable);
  analysis->points_to.graph.share_reachable();
  for (const std::vector<const llvm::Function*>& component : calls.components)
    Component(*analysis, limits, component).run();
  return analysis;
}

}  // namespace heddle::elyze
