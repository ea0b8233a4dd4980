#include "elyze/handlers/world.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "elyze/effects/pool.hpp"
#include "elyze/handlers/intruders.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/ir/symbols.hpp"
#include "elyze/ir/values.hpp"
#include "elyze/marks/casts.hpp"
#include "elyze/points_to/cells.hpp"

namespace heddle::elyze {
namespace {

// libevent's event flags, as its manual gives them.
constexpr std::int64_t kReadOrWrite = 0x02 | 0x04;
constexpr std::int64_t kSignal = 0x08;

// A domain for PooledFlow (effects/pool.hpp): derivations in terms of the root function.
struct Substitution {
  using Value = Derivation;
  Roots& roots;

  static Value join(const Value& a, const Value& b) { return Roots::join(a, b); }
  template <class Parameters>
  Value eval(const llvm::Function& function, const Derivation& from, const Parameters& parameters, Use use) const {
    const Value to = base(function, from.base, parameters, use);
    if (to.base == kNoRoot || to.base == kOtherRoot) return to;
    return from.exact && to.exact ? Value{to.base, to.distance + from.distance, true} : Value{to.base, 0, false};
  }

 private:
  template <class Parameters>
  Value base(const llvm::Function& function, RootId id, const Parameters& parameters, Use use) const {
    const Root root = roots[id];
    if (root.kind == Root::Kind::kParam)
      return root.index < parameters.size() ? parameters[root.index].at(use) : Value{kOtherRoot, 0, true};
    if (root.kind != Root::Kind::kLoad) return {id, 0, true};
    Value parent = base(function, root.parent, parameters, Use::kThrough);
    if (parent.exact) parent.distance += root.offset;
    return {roots.load(parent), 0, true};
  }
};

class WorldBuilder {
 public:
  explicit WorldBuilder(Analysis& analysis) : analysis_(analysis), graph_(analysis.points_to.graph) {}

  World run() {
    add_root(analysis_.points_to.module.getFunction("main"));
    for (const llvm::Function& function : analysis_.points_to.module)
      if (function.hasFnAttribute(kRunByTheLoader)) add_root(&function);
    add_found_by_name();
    add_unannounced();
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<Graph::Copy> copies = analysis_.shared_copies;
      for (const llvm::Function* root : world_.roots) {
        const auto& own = analysis_.copies.at(root);
        copies.insert(copies.end(), own.begin(), own.end());
      }
      graph_.close(copies);
      graph_.share_reachable();
      for (std::size_t i = 0; i < world_.roots.size(); ++i) changed |= follow(*world_.roots[i]);
      for (const auto& [function, registration] : passed_) changed |= pass_replaced(*function, *registration);
    }
    graph_.spread_unknown();
    graph_.spread_variable();
    note_closed();
    const auto at_any_time = [](const Handler& handler) { return handler.at_any_time; };
    std::vector<Handler> behind;
    std::copy_if(world_.handlers.begin(), world_.handlers.end(), std::back_inserter(behind), at_any_time);
    std::erase_if(world_.handlers, at_any_time);
    world_.dispatched = world_.handlers.size();
    world_.handlers.insert(world_.handlers.end(), behind.begin(), behind.end());
    world_.beside = beside_loops(analysis_, world_.handlers);
    if (world_.beside.loops && analysis_.points_to.module.getFunction("main") != nullptr) {
      Handler& main = world_.handlers.emplace_back();
      main.function = analysis_.points_to.module.getFunction("main");
      main.kind = "at any time";
      main.at_any_time = true;
    }
    for (Handler& handler : world_.handlers) settle(handler);
    return std::move(world_);
  }

 private:
  void add_root(const llvm::Function* function) {
    if (function == nullptr || function->isDeclaration()) return;
    if (std::find(world_.roots.begin(), world_.roots.end(), function) == world_.roots.end())
      world_.roots.push_back(function);
  }

  // 0, 1 and 2 lead to files once the program closes them by whatever way: the next file that is opened gets the
  // number.
  void note_closed() {
    const auto note = [&](const std::vector<Access>& accesses) {
      for (const Access& access : accesses) {
        if (!access.closes || !access.cell.valid()) continue;
        for (const Graph::Placed& placed : graph_.node(access.cell).objects)
          if (graph_.object(placed.object).standard) graph_.set_regular(placed.object);
      }
    };
    for (const auto& [function, summary] : analysis_.summaries) {
      note(summary.open);
      note(summary.settled);
    }
  }

  bool follow(const llvm::Function& root) {
    bool changed = false;
    for (const Registration* registration : registrations(root)) {
      for (const llvm::Function* function : registered(*registration))
        changed |= attach(*function, root, *registration);
    }
    return changed;
  }

  static bool takes(const llvm::Function& function, const Registration& registration) {
    const std::vector<Parameter>& given = registration.callback->parameters;
    if (function.arg_size() != given.size()) return false;
    for (const llvm::Argument& formal : function.args()) {
      const Parameter& parameter = given[formal.getArgNo()];
      const llvm::Value* argument = nullptr;
      if (parameter.kind == Parameter::Kind::kArgument &&
          static_cast<unsigned>(parameter.arg) < registration.call->arg_size())
        argument = registration.call->getArgOperand(static_cast<unsigned>(parameter.arg));
      const bool pointer = parameter.kind == Parameter::Kind::kReturned || parameter.kind == Parameter::Kind::kFresh ||
                           parameter.kind == Parameter::Kind::kLoaded || parameter.kind == Parameter::Kind::kHidden ||
                           (argument != nullptr && argument->getType()->isPointerTy());
      const bool number =
          parameter.kind == Parameter::Kind::kDescriptor || (argument != nullptr && argument->getType()->isIntegerTy());
      if ((pointer && !formal.getType()->isPointerTy()) || (number && !formal.getType()->isIntegerTy())) return false;
    }
    return true;
  }

  // What the root function registers, large recursive components included.
  const std::vector<const Registration*>& registrations(const llvm::Function& root) {
    const auto [place, fresh] = registrations_.try_emplace(&root);
    std::vector<const Registration*>& found = place->second;
    if (!fresh) return found;
    if (!analysis_.summaries.at(&root).pooled) {
      for (const Registration& registration : analysis_.summaries.at(&root).registrations)
        found.push_back(&registration);
    }
    const Substitution domain{analysis_.roots};
    const PooledFlow<Substitution> flow(analysis_, domain);
    PooledFlow<Substitution>::Parameters own;
    for (unsigned i = 0; i < root.arg_size(); ++i) {
      const Derivation parameter{analysis_.roots.param(i), 0, true};
      own.push_back({parameter, parameter, parameter});
    }
    for (const auto& [function, parameters] : flow.run(root, std::move(own))) {
      const Summary& summary = analysis_.summaries.at(function);
      if (!summary.pooled) continue;
      for (const Registration& registration : summary.registrations) {
        Registration here = registration;
        bool depends = false;
        for (Derivation& source : here.sources) {
          source = domain.eval(*function, source, parameters, Use::kThrough);
          depends |= analysis_.roots[analysis_.roots.origin(source.base)].kind == Root::Kind::kParam;
        }
        // A registration that does not depend on the root function is kept once for all root functions.
        if (!depends && !known_.insert({&registration, bases(here)}).second) continue;
        found.push_back(&world_.substituted.emplace_back(std::move(here)));
      }
    }
    return found;
  }

  static std::vector<std::pair<RootId, std::int64_t>> bases(const Registration& registration) {
    std::vector<std::pair<RootId, std::int64_t>> found;
    found.reserve(registration.sources.size());
    for (const Derivation& source : registration.sources)
      found.emplace_back(source.base, source.exact ? source.distance : kFar);
    return found;
  }

  // The functions that a registration may register: the one that the source names, or else those in the points-to set
  // that have the callback's type or that the source casts (marks/casts.hpp); C allows no other call. Where the spec
  // gives no type: those that take as many arguments of the same kinds, or all if there are none.
  std::vector<const llvm::Function*> registered(const Registration& registration) const {
    std::vector<const llvm::Function*> found = registered_at(registration, registration.function, registration.named);
    const Cell kept = registration.function_kept;
    if (!kept.valid() || !graph_.written(kept)) return found;
    for (const llvm::Function* function : registered_at(registration, graph_.edge(kept), nullptr))
      if (std::find(found.begin(), found.end(), function) == found.end()) found.push_back(function);
    return found;
  }

  std::vector<const llvm::Function*> registered_at(const Registration& registration, Cell pointer,
                                                   const llvm::Value* name) const {
    if (const auto* named = llvm::dyn_cast_or_null<llvm::Function>(name)) {
      if (named->isDeclaration()) return {};
      return {named};
    }
    std::vector<const llvm::Function*> found;
    if (!pointer.valid()) return found;
    for (const Graph::Placed& placed : graph_.node(pointer).objects) {
      const Object& object = graph_.object(placed.object);
      if (object.kind != ObjectKind::kFunction) continue;
      const auto* function = llvm::cast<llvm::Function>(object.site);
      if (!function->isDeclaration()) found.push_back(function);
    }
    if (registration.callback->type) {
      std::erase_if(found, [&](const llvm::Function* function) {
        return !may_be_called_by(*registration.callback->type, *function);
      });
      return found;
    }
    const auto fits = [&](const llvm::Function* function) { return takes(*function, registration); };
    if (std::any_of(found.begin(), found.end(), fits)) std::erase_if(found, [&](auto* other) { return !fits(other); });
    return found;
  }

  Handler& handler_for(const llvm::Function& function, bool at_any_time) {
    for (Handler& handler : world_.handlers) {
      if (handler.function == &function && handler.at_any_time == at_any_time) return handler;
    }
    Handler handler;
    handler.function = &function;
    handler.at_any_time = at_any_time;
    world_.handlers.push_back(std::move(handler));
    add_root(&function);
    return world_.handlers.back();
  }

  // May the invocation go on behind a call of the function? Not, if that always ends the process.
  static bool comes_back(const llvm::Function& function) {
    constexpr std::array<const char*, 6> jumps = {"longjmp",       "_longjmp",   "siglongjmp",
                                                  "__longjmp_chk", "setcontext", "__cxa_throw"};
    const llvm::Module& module = *function.getParent();
    return std::any_of(jumps.begin(), jumps.end(), [&](auto* name) { return module.getFunction(name) != nullptr; }) ||
           std::any_of(function.begin(), function.end(), [](const llvm::BasicBlock& block) {
             return llvm::isa_and_nonnull<llvm::ReturnInst>(block.getTerminator());
           });
  }

  bool attach(const llvm::Function& function, const llvm::Function& root, const Registration& registration) {
    const Callback::When when = registration.callback->when;
    if (registration.callback->anywhere && !comes_back(function)) return false;
    if (when == Callback::When::kInHandlers || registration.callback->kind == "log") {
      const auto known = std::find_if(world_.intruders.begin(), world_.intruders.end(), [&](const Intruder& other) {
        return other.function == &function && other.registration == &registration;
      });
      const bool fresh = known == world_.intruders.end();
      if (fresh) world_.intruders.push_back(intruder(function, registration));
      if (when == Callback::When::kInHandlers) {
        if (!fresh) return false;
        add_root(&function);
        pass_parameters(function, registration);
        return true;
      }
    }
    Handler& handler = handler_for(function, when == Callback::When::kAnyTime);
    for (const RegistrationSite& known : handler.registrations) {
      if (known.registration == &registration) return false;
    }
    handler.registrations.push_back({&root, &registration});
    const std::string kind = kind_of(registration);
    if (handler.kind.empty()) handler.kind = kind;
    if (handler.kind != kind) handler.kind = "event";
    if (handler.session_parameter < 0) handler.session_parameter = registration.callback->session;
    pass_parameters(function, registration);
    return true;
  }

  Intruder intruder(const llvm::Function& function, const Registration& registration) const {
    Intruder made{&function, &registration};
    const llvm::Function* api = registration.call->getCalledFunction();
    const Spec* spec = api == nullptr ? nullptr : analysis_.points_to.specs.find(*api);
    if (spec != nullptr) made.libraries.insert(spec->library);
    made.anywhere = spec == nullptr || registration.callback->anywhere;
    return made;
  }

  // Nothing is known of what the function is given.
  void add_root_of_unknown_code(const llvm::Function& function) {
    add_root(&function);
    const FunctionCells& cells = analysis_.points_to.cells(function);
    for (const Cell formal : cells.formals)
      if (formal.valid()) graph_.add_flags(formal, kUnknownMemory);
    if (cells.variadic.valid()) graph_.add_flags(cells.variadic, kUnknownMemory);
  }

  // Whoever calls such a function is unknown code itself, but before the loop that counts for nothing.
  void add_found_by_name() {
    for (const llvm::Function& function : analysis_.points_to.module)
      if (!function.isDeclaration() && analysis_.points_to.found_by_name(function)) add_root_of_unknown_code(function);
  }

  // These are called inside of handlers, too.
  void add_unannounced() {
    for (Intruder& intruder : unannounced_intruders(analysis_)) {
      add_root_of_unknown_code(*intruder.function);
      world_.intruders.push_back(std::move(intruder));
    }
    if (analysis_.calls.given_away.empty()) return;
    // Each is called inside of what the others do, as inside of every handler: so they have the same effects.
    Handler& all = handler_for(*analysis_.calls.given_away.front(), true);
    all.kind = "at any time";
    all.by_unknown_code = true;
  }

  bool pass_replaced(const llvm::Function& function, const Registration& registration) {
    bool changed = false;
    for (std::size_t i = 0; i < registration.kept.size(); ++i)
      changed |= pass_kept(analysis_.points_to, function, i, registration.kept[i]);
    return changed;
  }

  void pass_parameters(const llvm::Function& function, const Registration& registration) {
    passed_.emplace_back(&function, &registration);
    const FunctionCells cells = analysis_.points_to.cells(function);
    if (registration.callback->function == kCalledFunction && cells.returned.valid())
      graph_.add_flags(cells.returned, kUnknownMemory);
    if (!registration.callback->result.empty() && cells.returned.valid())
      graph_.unify(cells.returned, analysis_.points_to.hidden(registration.callback->result));
    for (std::size_t i = 0; i < registration.parameters.size(); ++i) {
      pass(analysis_.points_to, function, i, registration.parameters[i]);
      if (i >= cells.formals.size() || !cells.formals[i].valid()) continue;
      const Parameter& given = registration.callback->parameters[i];
      if (given.kind == Parameter::Kind::kArgument && given.arg == registration.callback->descriptor &&
          registration.callback->waits(registration.flags) && !analysis_.points_to.waits_for_files())
        graph_.add_flags(cells.formals[i], kWaitedFor);
      if (given.kind == Parameter::Kind::kDescriptor) {
        const std::string name = "file that " + source_name(function) + " was given";
        graph_.unify(cells.formals[i],
                     graph_.make_object({ObjectKind::kOs, function.getArg(static_cast<unsigned>(i)), name, nullptr, 0},
                                        kVariable));
      }
    }
  }

  static std::string kind_of(const Registration& registration) {
    const std::string& kind = registration.callback->kind;
    if (kind != "event") return kind;
    if (registration.flags && (*registration.flags & kSignal)) return "signal";
    if (registration.flags && !(*registration.flags & (kReadOrWrite | kSignal)) &&
        registration.descriptor.value_or(0) == -1) {
      return "timer";
    }
    return kind;
  }

  // The offset of the registered argument in its block, from the argument's derivation: known for fresh blocks, and for
  // a handler's own session that is passed on.
  std::optional<std::int64_t> derived_offset(const RegistrationSite& site, int session,
                                             std::set<const llvm::Function*>& busy) const {
    const Derivation source = site.registration->sources[static_cast<std::size_t>(session)];
    if (!source.exact || replaced(graph_, *site.registration, static_cast<std::size_t>(session))) return std::nullopt;
    const Root root = analysis_.roots[source.base];
    if (root.kind == Root::Kind::kUnique || root.kind == Root::Kind::kFresh) return source.distance;
    if (root.kind != Root::Kind::kParam) return std::nullopt;
    for (const Handler& handler : world_.handlers) {
      if (handler.function != site.root || handler.session_parameter != static_cast<int>(root.index)) continue;
      if (!busy.insert(handler.function).second) return kFar;  // a cycle says nothing new
      std::int64_t all = kFar;
      for (const RegistrationSite& other : handler.registrations) {
        const auto outer = derived_offset(other, handler.session_parameter, busy);
        if (!outer || (all != kFar && *outer != kFar && *outer != all)) return std::nullopt;
        if (*outer != kFar) all = *outer;
      }
      return all == kFar ? kFar : all + source.distance;
    }
    return std::nullopt;
  }

  bool descriptor_replaced(const Registration& registration) const {
    const std::vector<Parameter>& parameters = registration.callback->parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const bool descriptor =
          parameters[i].kind == Parameter::Kind::kArgument && parameters[i].arg == registration.callback->descriptor;
      if (descriptor && replaced(graph_, registration, i)) return true;
    }
    return false;
  }

  void settle(Handler& handler) {
    const int session = handler.session_parameter;
    const auto index = static_cast<std::size_t>(session);
    Session& result = handler.session;
    bool all_null = session >= 0;
    bool complete = session >= 0;
    std::optional<std::int64_t> offset;
    bool derived = true;
    for (const RegistrationSite& site : handler.registrations) {
      handler.event_owned &= site.registration->event_owned;
      handler.descriptor_owned &= site.registration->descriptor_owned && !descriptor_replaced(*site.registration);
      handler.objects_owned &= site.registration->objects_owned;
      if (site.registration->callback->session != session || index >= site.registration->sources.size()) {
        complete = false;
        continue;
      }
      const bool other = replaced(graph_, *site.registration, index);
      if (site.registration->sources[index].base == kNoRoot && !other) continue;
      all_null = false;
      if (other) derived = false;
      std::set<const llvm::Function*> busy{};
      const auto here = derived_offset(site, session, busy);
      if (!here || (offset && *here != kFar && *here != *offset)) derived = false;
      if (here && *here != kFar) offset = here;
    }
    if (handler.registrations.empty() || !complete) return;
    if (all_null) {
      result.kind = Session::Kind::kNull;
      return;
    }
    const FunctionCells& cells = analysis_.points_to.cells(*handler.function);
    const bool passed = index < cells.formals.size() && cells.formals[index].valid();
    if (index < cells.formals.size() && !passed) return;
    result.cell = passed ? graph_.find(cells.formals[index]) : argument_of(handler, index);
    if (!result.cell.valid()) return;
    place_in_object(result, derived ? offset : std::nullopt);
  }

  // What a handler is registered with that has no parameter for it, so that it cannot touch it by that; the runtime
  // needs it as a key. Invalid if it is not always the same kind of object.
  Cell argument_of(const Handler& handler, std::size_t index) const {
    const auto given = [&](const RegistrationSite& site) {
      const Registration& registration = *site.registration;
      return replaced(graph_, registration, index) ? Cell{} : graph_.find(registration.parameters[index]);
    };
    const Cell first = given(handler.registrations.front());
    const bool one = std::all_of(handler.registrations.begin(), handler.registrations.end(), [&](const auto& site) {
      return first.valid() && given(site).valid() && graph_.same(first, given(site));
    });
    return one ? first : Cell{};
  }

  void place_in_object(Session& session, std::optional<std::int64_t> derived) {
    const Graph::Node& node = graph_.node(session.cell);
    std::set<std::int64_t> bases;
    bool objects = true;
    for (const Graph::Placed& placed : node.objects) {
      const ObjectKind kind = graph_.object(placed.object).kind;
      objects &= kind == ObjectKind::kHeap || kind == ObjectKind::kGlobal || kind == ObjectKind::kStack;
      bases.insert(placed.base);
    }
    std::optional<std::int64_t> offset;
    if (derived) {
      offset = derived;
    } else if (bases.size() == 1 && !graph_.walked_at(session.cell) && !(node.flags & kUnknownMemory)) {
      offset = session.cell.offset - *bases.begin();
    }
    if (!offset || bases.empty() || !objects || *offset < 0) return;
    session.kind = Session::Kind::kObject;
    session.offset = *offset;
    const auto type = node.types.find(session.cell.offset - *offset);
    if (type != node.types.end()) session.type = structure_name(type->second);
  }

  Analysis& analysis_;
  Graph& graph_;
  World world_;
  std::map<const llvm::Function*, std::vector<const Registration*>> registrations_;
  std::vector<std::pair<const llvm::Function*, const Registration*>> passed_;  // which got its parameters
  std::set<std::pair<const Registration*, std::vector<std::pair<RootId, std::int64_t>>>> known_;
};

}  // namespace

bool replaced(const Graph& graph, const Registration& registration, std::size_t parameter) {
  if (parameter >= registration.kept.size() || !registration.kept[parameter].valid()) return false;
  const Cell place = registration.kept[parameter];
  return graph.written(place) || graph.written(place, true);
}

bool made_for_invocation(const Handler& handler, unsigned parameter) {
  return !handler.by_unknown_code &&
         std::all_of(handler.registrations.begin(), handler.registrations.end(), [&](const RegistrationSite& site) {
           const std::vector<Parameter>& parameters = site.registration->callback->parameters;
           return parameter < parameters.size() && (parameters[parameter].kind == Parameter::Kind::kDescriptor ||
                                                    parameters[parameter].kind == Parameter::Kind::kFresh);
         });
}

bool block_for_invocation(const Handler& handler, unsigned parameter) {
  return !handler.by_unknown_code &&
         std::all_of(handler.registrations.begin(), handler.registrations.end(), [&](const RegistrationSite& site) {
           const std::vector<Parameter>& parameters = site.registration->callback->parameters;
           return static_cast<int>(parameter) == site.registration->callback->handed ||
                  (parameter < parameters.size() && parameters[parameter].kind == Parameter::Kind::kFresh);
         });
}

World build_world(Analysis& analysis) { return WorldBuilder(analysis).run(); }

}  // namespace heddle::elyze
