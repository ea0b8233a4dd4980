#include "elyze/points_to/call_graph.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

#include "elyze/ir/assembly.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/ir/symbols.hpp"
#include "elyze/ir/values.hpp"
#include "elyze/marks/casts.hpp"
#include "elyze/points_to/builder.hpp"
#include "elyze/points_to/components.hpp"

namespace heddle::elyze {
namespace {

enum class Shape : std::uint8_t { kPointer, kInteger, kReal, kOther };

Shape shape(const llvm::Type* type) {
  if (type->isPointerTy()) return Shape::kPointer;
  if (type->isIntegerTy()) return Shape::kInteger;
  if (type->isFloatingPointTy()) return Shape::kReal;
  return Shape::kOther;
}

// Can the call reach the function? With `exactly`, only if their signatures are the same; C allows no other call.
// Otherwise, if the machine's calling convention passes the arguments all the same: pointers and integers go in the
// same registers, and surplus arguments do no harm (a callback that was cast to a longer type). The looser test counts
// only where the points-to set holds no function of the same signature; elsewhere callbacks that unification has merged
// would make a large program one recursive component.
bool fits(const std::vector<Actual>& actuals, const llvm::Function& function, bool exactly) {
  if (actuals.size() < function.arg_size()) return false;
  if (exactly && actuals.size() > function.arg_size() && !function.isVarArg()) return false;
  const auto word = [](Shape shape) { return shape == Shape::kPointer || shape == Shape::kInteger; };
  for (const llvm::Argument& formal : function.args()) {
    const llvm::Value* actual = actuals[formal.getArgNo()].value;
    if (actual == nullptr) continue;
    const Shape given = shape(actual->getType());
    const Shape taken = shape(formal.getType());
    if (given != taken && (exactly || !word(given) || !word(taken))) return false;
  }
  return true;
}

// May the function call malloc() or free()? Not, if it has no state and only works on what it is given.
bool may_allocate(const Spec& spec) {
  using Op = Effect::Op;
  const auto only_works = [](const Effect& effect) {
    return effect.op == Op::kRead || effect.op == Op::kWrite || effect.op == Op::kCopy ||
           effect.op == Op::kHiddenRead || (effect.op == Op::kCall && effect.arg == kHiddenObject);
  };
  const auto fresh = [](const Result& result) { return result.kind == Result::Kind::kFresh; };
  return spec.thread != ThreadUse::kNothing || !std::all_of(spec.effects.begin(), spec.effects.end(), only_works) ||
         std::any_of(spec.results.begin(), spec.results.end(), fresh);
}

// A block that a library has made and filled; not one that it only gives out, of a size that the program asks for.
bool filled_by_library(const Object& object) {
  if (object.kind == ObjectKind::kLibc || object.kind == ObjectKind::kUnknown) return true;
  const auto* made = object.kind == ObjectKind::kHeap ? llvm::dyn_cast_or_null<llvm::CallBase>(object.site) : nullptr;
  if (made == nullptr) return false;
  const auto is_number = [](const llvm::Use& argument) { return argument->getType()->isIntegerTy(); };
  return made->arg_empty() || !std::all_of(made->arg_begin(), made->arg_end(), is_number);
}

// Does the entry say which pointers the function puts into what this argument points to?
bool says_what_it_stores(const Spec& spec, int argument) {
  return std::any_of(spec.effects.begin(), spec.effects.end(), [&](const Effect& effect) {
    using Op = Effect::Op;
    const bool stores =
        effect.op == Op::kStore || effect.op == Op::kKeep || effect.op == Op::kStoreFresh || effect.op == Op::kCopy;
    return stores && effect.arg == argument;
  });
}

// Fills memory with one number.
bool clears(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return name.contains("memset") || name.contains("bzero");
}

// The compiler makes one call of calloc() out of malloc() and memset().
const llvm::Function* zeroed_instead_of(const llvm::Function& callee) {
  const llvm::Function* other = callee.getName() == "malloc" ? callee.getParent()->getFunction("calloc") : nullptr;
  return other == nullptr || other->isDeclaration() ? nullptr : other;
}

class Resolver {
 public:
  Resolver(const llvm::Module& module, const Specs& specs, CallGraph& graph)
      : points_to_(module, specs),
        cells_(points_to_, unit_),
        builder_(points_to_, unit_, cells_, nullptr,
                 [this](const CallSite& site, const llvm::Function&) { meet(*site.call); }),
        calls_(graph) {
    points_to_.addresses = &calls_.addresses;
    for (const llvm::Function& function : module) {
      if (!function.isDeclaration()) unit_.members.push_back(&function);
      if (is_taken(function)) taken_.push_back(&function);
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (load != nullptr && load->getType()->isPointerTy()) loads_.push_back(load);
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call != nullptr && call->isInlineAsm() && !assembly_operands(*call)) unknown_.push_back(call);
      }
    }
  }

  void run() {
    builder_.run();
    resolve();
    // A call that is still without a target reaches functions of other signatures in its points-to set, or else every
    // function of its signature. These new edges can make more pointers flow, hence resolve() once more.
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      CallSite& site = site_of(pending_[i]);
      if (!site.bodies.empty() || !site.externals.empty()) continue;
      bool found = false;
      for (const llvm::Function* function : functions_at(pending_[i].pointer, pending_[i].reachable)) {
        if (fits(site.actuals, *function, false)) found |= connect(pending_[i], *function);
      }
      if (found || pending_[i].kept) continue;
      site.assumed = true;
      for (const llvm::Function* function : taken_) {
        if (fits(site.actuals, *function, true)) connect(pending_[i], *function);
      }
    }
    resolve();
    for (const Pending& pending : pending_) {
      CallSite& site = site_of(pending);
      site.outside = !pending.reachable && from_outside(pending.pointer, site);
    }
    find_given_away();
    for (const Registered& registered : registered_)
      if (!registered.linked.empty()) calls_.registering.insert(registered.call);
    calls_.numbers_read.add(points_to_.numbers_read);
  }

 private:
  struct Pending {
    const llvm::CallBase* call;
    std::size_t site;
    Cell pointer;
    bool reachable;  // any function reachable from the pointer
    bool kept;       // the library calls only what the program stored, no other function of that signature
  };
  struct Registered {
    const llvm::CallBase* call;
    const Callback* callback;
    std::vector<const llvm::Function*> linked;
  };

  // May the target be a function without bitcode that nothing names? Then an unknown function returned its address, or
  // keeps it in memory in which the program never stored a function.
  bool from_outside(Cell pointer, const CallSite& site) const {
    if (!pointer.valid()) return false;
    const Graph::Node& node = points_to_.graph.node(pointer);
    const auto is = [&](ObjectKind kind) {
      return std::any_of(node.objects.begin(), node.objects.end(), [&](const Graph::Placed& placed) {
        return points_to_.graph.object(placed.object).kind == kind;
      });
    };
    if (is(ObjectKind::kUnknown)) return true;
    return site.assumed && (node.flags & kUnknownMemory) && !is(ObjectKind::kFunction);
  }

  CallSite& site_of(const Pending& pending) { return calls_.sites[pending.call][pending.site]; }

  void meet(const llvm::CallBase& call) {
    if (const Callback* callback = points_to_.specs.dispatched(call)) {
      registered_.push_back({&call, callback, {}});
      return;
    }
    std::vector<CallSite>& sites = calls_.sites[&call];
    CallSite site{&call, nullptr, {}, {}, {}, false, false};
    for (const llvm::Use& actual : call.args()) site.actuals.push_back({actual.get()});
    sites.push_back(site);
    const auto* direct = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
    if (const llvm::Function* wrapped = direct == nullptr ? nullptr : wrapped_by(*direct)) direct = wrapped;
    const llvm::Function* wrapper = direct == nullptr ? nullptr : wrapper_of(*direct);
    if (wrapper != nullptr && wrapper != call.getFunction()) {
      sites[0].bodies.push_back(wrapper);
      builder_.link_shared(sites[0], *wrapper);
    }
    if (direct == nullptr) {
      pending_.push_back({&call, 0, cells_.of(call.getCalledOperand()), false, false});
    } else if (!direct->isDeclaration()) {
      sites[0].bodies.push_back(direct);
      builder_.link_shared(sites[0], *direct);
      if (const llvm::Function* other = zeroed_instead_of(*direct)) {
        sites[0].bodies.push_back(other);
        builder_.link_shared(sites[0], *other);
      }
    } else {
      sites[0].externals.push_back(direct);
      meet_external(call, *direct);
    }
  }

  void meet_external(const llvm::CallBase& call, const llvm::Function& callee) {
    builder_.call_external(call, callee);
    const Spec* spec = points_to_.specs.find(callee);
    if (spec == nullptr && !callee.isIntrinsic()) unknown_.push_back(&call);
    if (spec == nullptr) return;
    note_written(call, callee, *spec);
    for (const Effect& effect : spec->effects) {
      if (effect.op != Effect::Op::kCall && effect.op != Effect::Op::kCallReachable) continue;
      const bool hidden = effect.arg == kHiddenObject;
      const Cell place = hidden ? points_to_.hidden(effect.name) : cells_.of(argument(call, effect.arg));
      const bool loaded = !effect.path.empty();
      const Cell pointer = loaded                    ? cells_.loaded(place, effect.path)
                           : hidden && place.valid() ? points_to_.graph.edge(place.plus(effect.offset))
                                                     : place;
      if (!pointer.valid()) continue;
      CallSite site{&call, &effect, {}, {}, {}, false, false};
      for (const Effect::Actual& actual : effect.actuals) {
        const bool kept = actual.arg == kHiddenObject;
        const llvm::Value* value = actual.arg == kReturnedObject ? &call : argument(call, actual.arg);
        site.actuals.push_back({value, actual.inside, kept ? &effect.name : nullptr, actual.offset, actual.path});
      }
      std::vector<CallSite>& sites = calls_.sites[&call];
      sites.push_back(std::move(site));
      pending_.push_back({&call, sites.size() - 1, pointer, effect.op == Effect::Op::kCallReachable, hidden || loaded});
    }
    for (const Callback& callback : spec->callbacks) registered_.push_back({&call, &callback, {}});
    if (callee.isIntrinsic() || points_to_.allocators(*spec).empty() || !may_allocate(*spec)) return;
    static const Effect allocates = [] {
      Effect effect{};
      effect.op = Effect::Op::kCall;
      return effect;
    }();
    CallSite site{&call, &allocates, {}, points_to_.allocators(*spec), {}, false, false};
    for (const llvm::Function* own : site.bodies) builder_.link_shared(site, *own);
    calls_.sites[&call].push_back(std::move(site));
  }

  std::vector<const llvm::Function*> functions_at(Cell pointer, bool reachable) {
    std::vector<const llvm::Function*> found;
    const auto look = [&](NodeId node) {
      for (const Graph::Placed& placed : points_to_.graph.node({node, 0}).objects) {
        const Object& object = points_to_.graph.object(placed.object);
        if (object.kind == ObjectKind::kFunction) found.push_back(llvm::cast<llvm::Function>(object.site));
      }
    };
    if (!pointer.valid()) return found;
    if (reachable) {
      for (const NodeId node : points_to_.graph.reachable(pointer)) look(node);
    } else {
      look(points_to_.graph.find_node(pointer.node));
    }
    return found;
  }

  // True if the target is new.
  bool connect(const Pending& pending, const llvm::Function& target) {
    CallSite& site = site_of(pending);
    auto& targets = target.isDeclaration() ? site.externals : site.bodies;
    if (std::find(targets.begin(), targets.end(), &target) != targets.end()) return false;
    targets.push_back(&target);
    if (!target.isDeclaration()) {
      builder_.link_shared(site, target);
    } else if (site.callback == nullptr) {
      builder_.call_external(*pending.call, target);
    }
    return true;
  }

  // A library's function, which other libraries can call without being given it; not the loop, which calls the program.
  bool is_anybodys(const llvm::Function& function) const {
    llvm::StringRef name = function.getName();
    if (!name.consume_front(kCallerOf)) return false;
    const auto known = points_to_.specs.all().find(std::string_view(name));
    return known == points_to_.specs.all().end() || !known->second.resumes;
  }

  // What a function without a spec, or assembly, is given, by an argument or in what that leads to, or finds in what it
  // has returned, or in a variable that the program only declares.
  void find_given_away() {
    std::vector<Cell> ends;
    for (const llvm::CallBase* call : unknown_) {
      ends.push_back(cells_.of(call));
      for (const llvm::Use& operand : call->args()) ends.push_back(cells_.of(operand.get()));
    }
    for (const llvm::GlobalVariable& variable : points_to_.module.globals())
      if (variable.isDeclaration() && points_to_.specs.variable(variable) == nullptr)
        ends.push_back(points_to_.global(variable));
    for (const Pending& pending : pending_) {
      const CallSite& site = site_of(pending);
      const bool unknown = site.outside || std::any_of(site.externals.begin(), site.externals.end(), [&](auto* target) {
                             return points_to_.specs.find(*target) == nullptr;
                           });
      if (!unknown) continue;
      for (const Actual& actual : site.actuals) ends.push_back(cells_.of(actual));
    }
    std::set<const llvm::Function*> found;
    for (const Cell end : ends) {
      for (const llvm::Function* function : functions_at(end, true))
        if (!function->isDeclaration() && !is_anybodys(*function)) found.insert(function);
    }
    for (const llvm::Function& function : points_to_.module)
      if (found.contains(&function)) calls_.given_away.push_back(&function);
  }

  // Pointers that the program finds where a library may have put them. The library may have them from anywhere in the
  // program: signal() gives back the function that was there before.
  void find_handed_back() {
    Graph& graph = points_to_.graph;
    for (const llvm::LoadInst* load : loads_) {
      const Cell from = cells_.of(load->getPointerOperand());
      if (!from.valid()) continue;
      const std::vector<Graph::Placed>& objects = graph.node(from).objects;
      const auto filled = [&](const Graph::Placed& placed) { return filled_by_library(graph.object(placed.object)); };
      if (std::any_of(objects.begin(), objects.end(), filled)) graph.add_flags(cells_.of(load), kFromLibrary);
    }
    for (const Written& written : written_) {
      const Cell place = cells_.of(written.to);
      if (!place.valid()) continue;
      const Range bytes = written.bytes > 0 ? graph.extent(place, written.bytes) : graph.extent_to_end(place);
      const std::map<std::int64_t, Graph::Edge>& edges = graph.node(place).edges;
      for (const auto& [where, edge] : edges) {
        if (is_number(where) || !bytes.contains(where)) continue;
        for (const Cell target : edge.targets) graph.add_flags(target, kFromLibrary);
      }
    }
  }

  // Memory that the function writes without a word in its entry on the pointers there.
  void note_written(const llvm::CallBase& call, const llvm::Function& callee, const Spec& spec) {
    if (clears(callee)) return;
    for (const Effect& effect : spec.effects) {
      using Op = Effect::Op;
      if (effect.op != Op::kWrite && effect.op != Op::kReach) continue;
      const llvm::Value* to = argument(call, effect.arg);
      if (to == nullptr || !effect.path.empty() || says_what_it_stores(spec, effect.arg)) continue;
      const llvm::ConstantInt* bytes = points_to_.number(call, argument(call, effect.bytes_arg));
      written_.push_back({to, bytes != nullptr ? bytes->getSExtValue() : effect.bytes});
    }
  }

  bool connect_callback(Registered& registered) {
    bool changed = false;
    Graph& graph = points_to_.graph;
    const Cell pointer = cells_.function_of(*registered.call, *registered.callback);
    std::vector<const llvm::Function*> functions = functions_at(pointer, false);
    const Cell kept = cells_.field(*registered.call, registered.callback->kept);
    if (kept.valid() && graph.written(kept)) {
      for (const llvm::Function* function : functions_at(graph.edge(kept), false)) functions.push_back(function);
    }
    for (const llvm::Function* function : registered.linked) changed |= pass_replaced(registered, *function);
    for (const llvm::Function* function : functions) {
      if (function->isDeclaration()) continue;
      const std::optional<Signature>& type = registered.callback->type;
      if (type && !may_be_called_by(*type, *function)) continue;
      if (std::find(registered.linked.begin(), registered.linked.end(), function) != registered.linked.end()) continue;
      registered.linked.push_back(function);
      changed = true;
      for (std::size_t i = 0; i < registered.callback->parameters.size(); ++i)
        pass(points_to_, *function, i, cells_.given(*registered.call, registered.callback->parameters[i]));
      pass_replaced(registered, *function);
    }
    return changed;
  }

  // What the program has put in the place of an argument that it registered.
  bool pass_replaced(const Registered& registered, const llvm::Function& function) {
    bool changed = false;
    for (std::size_t i = 0; i < registered.callback->parameters.size(); ++i)
      changed |=
          pass_kept(points_to_, function, i, cells_.field(*registered.call, registered.callback->parameters[i].kept));
    return changed;
  }

  void resolve() {
    for (bool changed = true; changed;) {
      points_to_.graph.close(unit_.copies);
      points_to_.graph.spread_unknown();
      find_handed_back();
      changed = false;
      for (std::size_t i = 0; i < pending_.size(); ++i) {
        const Pending pending = pending_[i];
        if (!pending.pointer.valid()) continue;
        const bool reachable = pending.reachable;
        for (const llvm::Function* function : functions_at(pending.pointer, reachable)) {
          const std::vector<Actual>& actuals = site_of(pending).actuals;
          if (fits(actuals, *function, true) || (is_cast(*function) && fits(actuals, *function, false)))
            changed |= connect(pending, *function);
        }
        const std::uint16_t flags = points_to_.graph.node(pending.pointer).flags;
        const bool unknown = (flags & kUnknownMemory) != 0 || ((flags & kFromLibrary) != 0 && !pending.kept);
        if (!unknown || site_of(pending).assumed) continue;
        site_of(pending).assumed = true;
        for (const llvm::Function* function : taken_) {
          if (fits(site_of(pending).actuals, *function, true)) changed |= connect(pending, *function);
        }
      }
      for (std::size_t i = 0; i < registered_.size(); ++i) changed |= connect_callback(registered_[i]);
      if (changed) continue;
      for (const llvm::Instruction* instruction : calls_.addresses.update(points_to_, cells_, calls_, unit_.copies)) {
        builder_.revisit(*instruction);
        changed = true;
      }
    }
  }

  struct Written {
    const llvm::Value* to;
    std::int64_t bytes;  // 0: not known
  };

  PointsTo points_to_;
  Unit unit_;
  Cells cells_;
  Builder builder_;
  CallGraph& calls_;
  std::vector<const llvm::Function*> taken_;
  std::vector<const llvm::LoadInst*> loads_;  // of pointers
  std::vector<Written> written_;
  std::vector<Pending> pending_;
  std::vector<Registered> registered_;
  std::vector<const llvm::CallBase*> unknown_;  // of functions without a spec, and assembly that may do anything
};

}  // namespace

CallGraph build_call_graph(const llvm::Module& module, const Specs& specs) {
  CallGraph graph;
  Resolver(module, specs, graph).run();
  graph.components = components(module, graph);
  return graph;
}

std::unordered_set<const llvm::Function*> functions_that_do(const llvm::Module& module, const CallGraph& calls,
                                                            llvm::function_ref<bool(const llvm::Function&)> does) {
  std::unordered_set<const llvm::Function*> found;
  std::unordered_map<const llvm::Function*, std::vector<const llvm::Function*>> callers;
  std::vector<const llvm::Function*> work;
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& at : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
      if (call == nullptr) continue;
      for (const CallSite& site : calls.at(*call))
        for (const llvm::Function* body : site.bodies) callers[body].push_back(&function);
    }
    if (does(function) && found.insert(&function).second) work.push_back(&function);
  }
  while (!work.empty()) {
    const llvm::Function* callee = work.back();
    work.pop_back();
    for (const llvm::Function* caller : callers[callee])
      if (found.insert(caller).second) work.push_back(caller);
  }
  return found;
}

}  // namespace heddle::elyze
