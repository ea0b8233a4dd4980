#include "elyze/effects/bottom_up.hpp"

#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <stdexcept>

#include "elyze/effects/collect.hpp"

namespace heddle::elyze {
namespace {

// Rounds over a recursive component. Summaries grow from nothing to a fixed point; the chain of roots is bounded, so
// this ends by itself, and the limit only guards against a mistake here: beyond it the analysis stops with an error.
constexpr int kMostRounds = 64;

class Component {
 public:
  Component(Analysis& analysis, const std::vector<const llvm::Function*>& members)
      : analysis_(analysis),
        graph_(analysis.points_to.graph),
        builder_(analysis.points_to, unit_, &analysis.calls,
                 [this](const CallSite& site, const llvm::Function& callee) { link(site, callee); }) {
    unit_.members = members;
  }

  void run() {
    builder_.run();
    graph_.close(unit_.copies);
    graph_.share_reachable();
    collect();
    keep_copies();
  }

 private:
  void link(const CallSite& site, const llvm::Function& callee) {
    if (std::find(unit_.members.begin(), unit_.members.end(), &callee) != unit_.members.end()) {
      builder_.link_shared(site, callee);
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
    }
    for (const Graph::Copy& inner : analysis_.copies.at(&callee)) {
      const Cell target = graph_.cloned(inner.target, map);
      const Cell source = graph_.cloned(inner.source, map);
      if (target.valid() && source.valid()) unit_.copies.push_back({target, source, inner.bytes});
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
    for (const auto& [key, map] : unit_.clones) {
      for (const Registration& registration : analysis_.summaries.at(key.second).registrations) {
        mark(graph_.cloned(registration.event, map));
        for (const Cell parameter : registration.parameters) mark(graph_.cloned(parameter, map));
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
    for (const CallSite& site : analysis_.calls.at(call)) {
      for (const llvm::Function* external : site.externals) {
        const Spec* spec = analysis_.points_to.specs.find(*external);
        if (spec == nullptr) continue;
        for (const Callback& callback : spec->callbacks) {
          for (const Parameter& parameter : callback.parameters) {
            if (parameter.kind == Parameter::Kind::kArgument) mark(builder_.cell(argument(call, parameter.arg)));
            if (parameter.kind == Parameter::Kind::kReturned) mark(builder_.cell(&call));
          }
          if (callback.event == kReturnedObject) mark(builder_.cell(&call));
          if (callback.event >= 0) mark(builder_.cell(argument(call, callback.event)));
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

  // Differs whenever two summaries of a function differ, up to collisions of the hash.
  static std::size_t fingerprint(const Summary& summary) {
    std::size_t sum = summary.registrations.size() * 31 + summary.returned.base * 131 +
                      static_cast<std::size_t>(summary.returned.distance) + (summary.returned.exact ? 7 : 0);
    for (const Access& access : summary.open) sum += hash_access(access);
    for (const Access& access : summary.settled) sum += hash_access(access) * 3;
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
      for (const Derivation& source : registration.sources) sum = sum * 33 + source.base * 2 + (source.exact ? 1 : 0);
    }
    return sum;
  }

  void collect() {
    const std::vector<bool> visible = visible_nodes();
    const bool again = recursive();
    for (int round = 0; round < kMostRounds; ++round) {
      bool changed = false;
      for (const llvm::Function* member : unit_.members) {
        Summary next = Collector(analysis_, unit_, builder_, *member, visible).run();
        Summary& known = analysis_.summaries[member];
        changed |= fingerprint(next) != fingerprint(known);
        known = std::move(next);
      }
      if (!again || !changed) return;
    }
    throw std::runtime_error("no fixed point for the recursion through " + unit_.members.front()->getName().str());
  }

  void keep_copies() {
    std::vector<Graph::Copy> kept;
    for (const Graph::Copy& copy : unit_.copies) {
      const bool shared = (graph_.node(copy.target).flags & kShared) && (graph_.node(copy.source).flags & kShared);
      (shared ? analysis_.shared_copies : kept).push_back(copy);
    }
    for (const llvm::Function* member : unit_.members) analysis_.copies[member] = kept;
  }

  Analysis& analysis_;
  Graph& graph_;
  Unit unit_;
  Builder builder_;
};

}  // namespace

std::unique_ptr<Analysis> analyse_functions(const llvm::Module& module, const Specs& specs, const CallGraph& calls) {
  auto analysis = std::make_unique<Analysis>(module, specs, calls);
  for (const llvm::GlobalVariable& variable : module.globals()) analysis->points_to.global(variable);
  analysis->points_to.graph.share_reachable();
  for (const std::vector<const llvm::Function*>& component : calls.components) Component(*analysis, component).run();
  return analysis;
}

}  // namespace heddle::elyze
