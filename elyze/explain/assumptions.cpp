#include "elyze/explain/assumptions.hpp"

#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <map>

#include "elyze/ir/names.hpp"

namespace heddle::elyze {
namespace {

using AssumptionKind = Findings::Assumption::Kind;

class Collector {
 public:
  Collector(const Analysis& analysis, const World& world, const Conflicts& conflicts, const Reached& reached)
      : analysis_(analysis), world_(world), conflicts_(conflicts), reached_(reached) {}

  std::vector<Findings::Assumption> run() {
    add_unknown_code();
    for (const auto& pool : analysis_.pools)
      add(AssumptionKind::kLimit, source_name(*pool.front()), pool.size(), place_of(*pool.front()));
    add_what_runs_at_any_time();
    for (const llvm::Function& function : analysis_.points_to.module) {
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) add_assumed_targets(*call);
      }
    }
    for (const llvm::Function* root : world_.roots) {
      if (!analysis_.summaries.at(root).pooled) add_unresolved(*root);
    }
    for (const auto& pool : analysis_.pools) {
      for (const llvm::Function* member : pool) add_unresolved(*member);
    }
    return std::move(found_);
  }

 private:
  void add(AssumptionKind kind, const std::string& name, std::size_t count, const SourcePlace& where,
           std::vector<std::size_t> handlers = {}) {
    found_.push_back({kind, name, count, {where.file, where.line}, std::move(handlers)});
  }

  // Keeps the handlers that the loop calls: those that run at any time come behind them and are not in the document.
  std::vector<std::size_t> dispatched(std::vector<std::size_t> handlers) const {
    std::erase_if(handlers, [&](std::size_t index) { return index >= world_.dispatched; });
    return handlers;
  }

  void add_unknown_code() {
    for (const UnknownCode& code : conflicts_.unknown) {
      if (UnknownUse::known(code.kind)) continue;  // no assumption: its conflicts name it
      const bool assembly = code.kind == UnknownUse::Kind::kAssembly;
      add(assembly ? AssumptionKind::kInlineAssembly : AssumptionKind::kUnknownExternal, code.name, code.count,
          place_of(*code.first), dispatched(code.handlers));
    }
  }

  void add_what_runs_at_any_time() {
    std::map<std::size_t, std::vector<std::size_t>> met;
    for (const Pair& pair : conflicts_.pairs) {
      if (pair.b >= world_.dispatched && pair.verdict != Verdict::kNever) met[pair.b].push_back(pair.a);
    }
    for (std::size_t i = world_.dispatched; i < world_.handlers.size(); ++i) {
      const llvm::Function& function = *world_.handlers[i].function;
      std::string name = source_name(function);
      const std::size_t given_away = analysis_.calls.given_away.size();
      if (world_.handlers[i].by_unknown_code && given_away > 1)
        name += " and what else unknown code was given: " + std::to_string(given_away) + " functions";
      add(AssumptionKind::kAtAnyTime, std::move(name), met[i].size(), place_of(function), met[i]);
    }
  }

  void add_assumed_targets(const llvm::CallBase& call) {
    for (const CallSite& site : analysis_.calls.at(call)) {
      if (!site.assumed) continue;
      add(AssumptionKind::kIndirectCall, source_name(*call.getFunction()), site.bodies.size() + site.externals.size(),
          place_of(call), dispatched(reached_.handlers_of(*call.getFunction())));
    }
  }

  void add_unresolved(const llvm::Function& function) {
    for (const Registration& registration : analysis_.summaries.at(&function).registrations) {
      if (!names_no_function(registration)) continue;
      add(AssumptionKind::kUnknownHandler, registered_by(registration), 1, place_of(*registration.call));
    }
  }

  // Is the registered function unknown? Not if the source names it; nor if the library calls what the program stores,
  // for it calls nothing where nothing is stored.
  bool names_no_function(const Registration& registration) const {
    if (!registration.function.valid() || registration.callback->stored ||
        llvm::isa_and_nonnull<llvm::Function>(registration.named)) {
      return false;
    }
    const Graph& graph = analysis_.points_to.graph;
    const std::vector<Graph::Placed>& objects = graph.node(registration.function).objects;
    return std::none_of(objects.begin(), objects.end(), [&](const Graph::Placed& placed) {
      return graph.object(placed.object).kind == ObjectKind::kFunction;
    });
  }

  const Analysis& analysis_;
  const World& world_;
  const Conflicts& conflicts_;
  const Reached& reached_;
  std::vector<Findings::Assumption> found_;
};

}  // namespace

std::vector<Findings::Assumption> assumptions(const Analysis& analysis, const World& world, const Conflicts& conflicts,
                                              const Reached& reached) {
  return Collector(analysis, world, conflicts, reached).run();
}

std::string registered_by(const Registration& registration) {
  if (registration.callback->function == kCalledFunction) return source_name(*registration.call->getFunction());
  const llvm::Function* api = registration.call->getCalledFunction();
  return api == nullptr ? "?" : api->getName().str();
}

}  // namespace heddle::elyze
