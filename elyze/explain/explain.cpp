#include "elyze/explain/explain.hpp"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <tuple>

#include "elyze/explain/assumptions.hpp"
#include "elyze/explain/late.hpp"
#include "elyze/explain/origin.hpp"
#include "elyze/explain/paths.hpp"
#include "elyze/explain/second_level.hpp"
#include "elyze/explain/types.hpp"
#include "elyze/explain/usage.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/marks/on_behalf.hpp"
#include "schemas/documents.hpp"

namespace heddle::elyze {
namespace {

// The function without bitcode whose effect it is; empty where the program itself reads or writes.
std::string library_function(const Witness& witness) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(innermost(witness).at);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration()) return "";
  return llvm::isa<llvm::MemSetInst>(call)        ? "memset"
         : llvm::isa<llvm::MemMoveInst>(call)     ? "memmove"
         : llvm::isa<llvm::MemTransferInst>(call) ? "memcpy"
                                                  : callee->getName().str();
}

Findings::Variable variable_of(const llvm::GlobalVariable& variable) {
  const GlobalName global = source_name(variable);
  Findings::Variable found{global.name, {global.place.file, global.place.line}, std::nullopt};
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> debug;
  variable.getDebugInfo(debug);
  if (debug.empty()) return found;
  if (const auto* scope = llvm::dyn_cast_or_null<llvm::DILocalScope>(debug.front()->getVariable()->getScope()))
    found.function = scope->getSubprogram()->getName().str();
  return found;
}

static_assert(schemas::thread_state::kAll[static_cast<std::size_t>(ThreadUse::kItself) - 1] ==
              schemas::thread_state::kThread);

class Explainer {
 public:
  Explainer(const Analysis& analysis, const World& world, const Conflicts& conflicts, const Pinned& pinned)
      : analysis_(analysis),
        world_(world),
        conflicts_(conflicts),
        pinned_(pinned),
        reached_(analysis, world),
        origins_(analysis, world),
        usages_(reached_),
        second_levels_(analysis),
        paths_(analysis, world),
        late_(analysis, world) {}

  Findings run() {
    for (std::size_t i = 0; i < world_.dispatched; ++i) {
      add_handler(world_.handlers[i]);
      for (const Pin& pin : pinned_.handlers[i])
        found_.handlers.back().pinned.push_back({thread_place(pin.place), pin.tie});
    }
    for (const Tie& tie : pinned_.ties) found_.ties.push_back({thread_place(tie.place), tie.handler});
    for (const Pair& pair : conflicts_.pairs) {
      if (pair.b < world_.dispatched) add_pair(pair);
    }
    for (const LockUse& use : conflicts_.locks) access(use.handler, use.access, use.object);
    for (std::size_t i = 0; i < conflicts_.objects.size(); ++i) add_object(i);
    found_.late_points = late_.points();
    for (const ScratchObject& one : conflicts_.scratch)
      found_.scratch.push_back({one.number, variable_of(*one.variable)});
    found_.assumptions = assumptions(analysis_, world_, conflicts_, reached_);
    found_.steps = analysis_.steps + conflicts_.steps;
    found_.graph_nodes = analysis_.points_to.graph.node_count();
    for (const llvm::Function& function : analysis_.points_to.module) note(function);
    return std::move(found_);
  }

 private:
  void note(const llvm::Function& function) {
    if (function.getSubprogram() != nullptr) found_.sources.insert(place_of(function).file);
    const std::string linkage = source_name(function);
    if (linkage.starts_with("_Z")) {
      const std::string plain = llvm::demangle(linkage);
      if (plain != linkage) found_.names[linkage] = plain;
    }
    if (function.isDeclaration() || only_calls_a_library(function)) return;
    ++found_.functions;
    found_.instructions += function.getInstructionCount();
  }

  void add_handler(const Handler& handler) {
    const SourcePlace where = place_of(*handler.function);
    Findings::Handler told;
    told.place = {source_name(*handler.function), where.file, where.line};
    told.kind = handler.kind;
    told.session = handler.session.kind;
    told.session_offset = handler.session.offset;
    told.session_type = handler.session.type;
    told.links = origins_.links(handler);
    for (const RegistrationSite& site : handler.registrations) {
      Findings::Registration one{registered_by(*site.registration), path_of(site.registration->witness)};
      if (std::find(told.registrations.begin(), told.registrations.end(), one) == told.registrations.end())
        told.registrations.push_back(std::move(one));
    }
    told.on_behalf = has_work_on_behalf(*handler.function);
    const std::vector<SecondLevel> levels = second_levels_.of(handler);
    for (const SecondLevel& next : levels) {
      const std::string name = source_name(*next.function);
      const bool shared = std::any_of(levels.begin(), levels.end(), [&](const SecondLevel& other) {
        return other.function != next.function && source_name(*other.function) == name;
      });
      told.dispatch.push_back({shared ? place_of(*next.function).file + ":" + name : name, next.argument});
    }
    found_.handlers.push_back(std::move(told));
  }

  static Findings::ThreadPlace thread_place(const ThreadPlace& place) {
    Findings::ThreadPlace told;
    told.by = place.name;
    told.state = schemas::thread_state::kAll.at(static_cast<std::size_t>(place.use) - 1);
    for (const llvm::CallBase* call : place.way) told.path.push_back(frame_of(*call));
    told.path.push_back(frame_of(*place.at));
    return told;
  }

  static Frame frame_of(const llvm::Instruction& at) {
    const SourcePlace where = place_of(at);
    return {source_name(*at.getFunction()), where.file, where.line};
  }

  void add_object(std::size_t index) {
    const NamedObject& object = conflicts_.objects[index];
    Findings::Object told;
    told.name = object.name;
    told.kind = object.kind;
    told.type = object.type;
    told.place = {object.file, object.line};
    if (object.variable != nullptr) told.variable = variable_of(*object.variable);
    if (strip_qualifiers(object.value) != nullptr)
      told.value = Findings::Value{type_kind(object.value), type_text(object.value), byte_size(object.value)};
    if (const auto place = touching_.find(index); place != touching_.end())
      told.use = usages_.of(object, place->second);
    found_.objects.push_back(std::move(told));
  }

  std::size_t access(std::size_t handler, std::size_t index, std::size_t object) {
    const auto [place, fresh] = known_.try_emplace({handler, index, object}, found_.accesses.size());
    if (!fresh) return place->second;
    const HandlerAccess& access = conflicts_.accesses[handler][index];
    const Handler& owner = world_.handlers[handler];
    Findings::Access told{handler, object, access.mode, access.anchor, {}, "", "", paths_.to(handler, access)};
    if (access.witness != nullptr) {
      told.alias = origins_.chain(owner, access);
      if (const llvm::Function* taken = Origins::taken_in(owner, access)) told.taken_in = source_name(*taken);
      told.by = library_function(*access.witness);
    } else if (access.node != kNoNode) {
      told.by = "event loop";
    }
    found_.accesses.push_back(std::move(told));
    return place->second;
  }

  void add_pair(const Pair& pair) {
    Findings::Pair told{pair.a, pair.b, pair.verdict, pair.a_starts, pair.b_starts, pair.apart, {}, pair.unlisted};
    for (const Conflict& conflict : pair.conflicts) {
      const HandlerAccess& a = conflicts_.accesses[pair.a][conflict.a];
      const HandlerAccess& b = conflicts_.accesses[pair.b][conflict.b];
      if (conflict.verdict == Verdict::kAlways) {
        touching_[conflict.object].push_back(&a);
        touching_[conflict.object].push_back(&b);
      }
      const std::size_t a_access = access(pair.a, conflict.a, conflict.object);
      const std::size_t b_access = access(pair.b, conflict.b, conflict.object);
      told.conflicts.push_back(
          {conflict.object, conflict.verdict, a_access, b_access, conflict.a_late, conflict.b_late});
      if (conflict.a_late) late_.note(pair.a, a, conflict.object);
      if (conflict.b_late) late_.note(pair.b, b, conflict.object);
    }
    found_.pairs.push_back(std::move(told));
  }

  const Analysis& analysis_;
  const World& world_;
  const Conflicts& conflicts_;
  const Pinned& pinned_;
  Reached reached_;
  Origins origins_;
  Usages usages_;
  SecondLevels second_levels_;
  Paths paths_;
  LateUses late_;
  Findings found_;
  std::map<std::size_t, std::vector<const HandlerAccess*>> touching_;  // per object that is in an `always` conflict
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> known_;
};

}  // namespace

Findings explain(const Analysis& analysis, const World& world, const Conflicts& conflicts, const Pinned& pinned) {
  return Explainer(analysis, world, conflicts, pinned).run();
}

}  // namespace heddle::elyze
