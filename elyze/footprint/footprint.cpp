#include "elyze/footprint/footprint.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <iterator>

#include "base/assert.hpp"
#include "elyze/footprint/compare_loop.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/marks/on_behalf.hpp"

namespace heddle::elyze {
namespace {

// Bytes of PointsTo::standard_file(): 0, 1 and 2 are those of the streams with these descriptors.
constexpr std::int64_t kStandardStreams = 3;
constexpr std::int64_t kAllStreams = 3;

Anchor anchor_of(Anchors::Value value) {
  if (value == Anchors::Value::kGlobal) return Anchor::kGlobal;
  return value == Anchors::Value::kSession ? Anchor::kSession : Anchor::kOther;
}

Range range_of(const Graph& graph, const Access& access) {
  switch (access.extent) {
    case Extent::kExact:
      return graph.extent(access.cell, access.size);
    case Extent::kToEnd:
      return graph.extent_to_end(access.cell);
    default:
      return kEverything;
  }
}

}  // namespace

Footprint::Footprint(const Analysis& analysis, const World& world, const Assumed& assumed)
    : assumed_(assumed),
      analysis_(analysis),
      graph_(analysis.points_to.graph),
      world_(world),
      ownership_(analysis, world),
      anchors_(analysis, ownership_),
      records_(analysis) {
  for (const bool behind : {false, true}) {
    if (behind && !analysis.late_points.any()) break;
    for (const bool child : {false, true}) {
      for (const auto& component : analysis.calls.components) {
        for (const llvm::Function* function : component) {
          if (!child && !behind) index_[function] = functions_.size();
          functions_.emplace_back();
          functions_.back().function = function;
          functions_.back().context = {child, behind};
        }
      }
    }
  }
  for (Function& function : functions_) {
    for (const auto& [call, callee] : analysis.summaries.at(function.function).calls)
      function.callees.push_back(index_of(*callee, {function.context.child || analysis.children.executes(*call),
                                                    function.context.behind || analysis.late_points.behind(*call)}));
    std::sort(function.callees.begin(), function.callees.end());
    function.callees.erase(std::unique(function.callees.begin(), function.callees.end()), function.callees.end());
  }
  for (std::size_t i = 0; i < world.handlers.size(); ++i) collect(i);
  meet_other_ends();
  meet_any_descriptor();
  note_files_of_the_kernel();
  tell_streams_apart();
  tell_pieces_apart();
  tell_apart();
}

std::size_t Footprint::index_of(const llvm::Function& function, Context context) const {
  return index_.at(&function) + (context.child ? index_.size() : 0) + (context.behind ? 2 * index_.size() : 0);
}

bool Footprint::reaches(std::size_t handler, const llvm::Function& function) const {
  for (std::size_t at = index_.at(&function); at < functions_.size(); at += index_.size())
    if (reached_[handler].test(static_cast<unsigned>(at))) return true;
  return false;
}

bool Footprint::may_hold(std::size_t handler) const {
  const auto reached = reached_[handler].set_bits();
  return std::any_of(reached.begin(), reached.end(), [&](unsigned at) {
    return !functions_[at].context.behind && analysis_.late_points.may_hold(*functions_[at].function);
  });
}

llvm::BitVector Footprint::reached_functions(std::size_t from) const {
  llvm::BitVector seen(static_cast<unsigned>(functions_.size()));
  std::vector<std::size_t> work{from};
  seen.set(static_cast<unsigned>(from));
  while (!work.empty()) {
    const std::size_t at = work.back();
    work.pop_back();
    for (const std::size_t callee : functions_[at].callees) {
      if (seen.test(static_cast<unsigned>(callee))) continue;
      seen.set(static_cast<unsigned>(callee));
      work.push_back(callee);
    }
  }
  return seen;
}

// ---- one handler ----

void Footprint::collect(std::size_t index) {
  const Handler& handler = world_.handlers[index];
  const unsigned bit = static_cast<unsigned>(index);
  if (handler.is_main() && !analysis_.summaries.at(handler.function).pooled) {
    collect_main(index);
    return;
  }
  reached_.push_back(reached_functions(index_.at(handler.function)));
  intruders_.push_back(intruders_of(index));
  add_reached(index);
  const Summary& own = analysis_.summaries.at(handler.function);
  if (!own.pooled) {
    for (const Access& access : own.open) take(index, access);
  }
  for (const TouchId touch : pooled_touches(*handler.function, parameters_of(handler)))
    touches_[touch].handlers.set(bit);
  note_child(index);
  note_next_callback(index);
  note_variable_arguments(index);
  for (const llvm::Function* intruder : intruders_.back()) {
    for (const TouchId touch : intruder_touches(*intruder)) touches_[touch].handlers.set(bit);
  }
  note_called_by_the_loop(index);
  for (const RegistrationSite& site : handler.registrations) fired_event(index, *site.registration);
}

void Footprint::add_reached(std::size_t index) {
  const unsigned bit = static_cast<unsigned>(index);
  for (const unsigned at : reached_[index].set_bits()) {
    Function& function = functions_[at];
    expand(function);
    for (const TouchId touch : function.touches) touches_[touch].handlers.set(bit);
    steps_ += function.touches.size() + function.dependent.size() + 1;
    for (const std::size_t unknown : function.unknown)
      if (unknown_[unknown].code.name != kNextCallback || goes_on(index)) unknown_[unknown].handlers.set(bit);
  }
}

// What main does beside loops that threads run (handlers/beside.hpp), not what comes before.
void Footprint::collect_main(std::size_t index) {
  const llvm::Function& main = *world_.handlers[index].function;
  const unsigned bit = static_cast<unsigned>(index);
  const std::size_t at = index_.at(&main);
  const Summary& own = analysis_.summaries.at(&main);
  const auto beside = [&](const llvm::Instruction* instruction) { return world_.beside.of_main.contains(instruction); };
  reached_.emplace_back(static_cast<unsigned>(functions_.size()));
  for (const auto& [call, callee] : own.calls) {
    if (!beside(call)) continue;
    reached_.back() |=
        reached_functions(index_of(*callee, {analysis_.children.executes(*call), analysis_.late_points.behind(*call)}));
  }
  intruders_.push_back(intruders_of(index));
  const bool again = reached_.back().test(static_cast<unsigned>(at));
  add_reached(index);
  if (again) return;
  reached_.back().set(static_cast<unsigned>(at));
  for (const std::vector<Access>* accesses : {&own.settled, &own.open}) {
    for (const Access& access : *accesses)
      if (beside(access.witness->at)) take(index, access);
  }
  for (const UnknownUse& use : own.unknown) {
    if (!beside(use.at)) continue;
    note_unknown(functions_[at], use);
    unknown_[unknown_known_.at({use.name, use.kind})].handlers.set(bit);
  }
}

// A child that gets back into the event loop works on a copy of memory in which other invocations stand half way. So a
// handler that forks such a child conflicts with every handler.
void Footprint::note_child(std::size_t index) {
  std::vector<const llvm::Function*> roots = intruders_[index];
  roots.push_back(world_.handlers[index].function);
  for (const llvm::Function* root : roots) {
    const llvm::CallBase* fork = analysis_.children.goes_on(*root);
    if (fork == nullptr) continue;
    const UnknownUse use{fork, "process whose copy goes on", UnknownUse::Kind::kChild};
    note_unknown(functions_[index_of(*root, {})], use);
    unknown_[unknown_known_.at({use.name, use.kind})].handlers.set(static_cast<unsigned>(index));
  }
}

// Does libevent look, when the handler returns, what it is to call next, and calls that in the same call? A
// bufferevent's callbacks that are deferred are made so, a listener's connections, the parts of an answer, deliveries
// of a signal.
bool Footprint::goes_on(std::size_t index) const {
  const Handler& handler = world_.handlers[index];
  return has_work_on_behalf(*handler.function) || handler.kind == "signal";
}

// If the program puts another function or argument there, one handler's call goes on to another handler, or session,
// under the constraints of the first. So it must be alone.
void Footprint::note_next_callback(std::size_t index) {
  if (!goes_on(index)) return;
  const Handler& handler = world_.handlers[index];
  for (const RegistrationSite& site : handler.registrations) {
    const Registration& registration = *site.registration;
    bool exchanged = registration.function_kept.valid() && graph_.written(registration.function_kept);
    for (std::size_t i = 0; i < registration.kept.size(); ++i) exchanged |= replaced(graph_, registration, i);
    if (!exchanged) continue;
    const UnknownUse use{registration.call, kNextCallback, UnknownUse::Kind::kAlone};
    note_unknown(functions_[index_of(*handler.function, {})], use);
    unknown_[unknown_known_.at({use.name, use.kind})].handlers.set(static_cast<unsigned>(index));
  }
}

// What a callback makes of variable arguments is not followed.
void Footprint::note_variable_arguments(std::size_t index) {
  std::vector<const llvm::Function*> roots{world_.handlers[index].function};
  for (const Intruder& intruder : world_.intruders) {
    const auto& here = intruders_[index];
    if (intruder.registration != nullptr && std::find(here.begin(), here.end(), intruder.function) != here.end())
      roots.push_back(intruder.function);
  }
  for (const llvm::Function* root : roots) {
    if (!root->isVarArg()) continue;
    const UnknownUse use{&root->getEntryBlock().front(), "variable arguments of a callback", UnknownUse::Kind::kAlone};
    note_unknown(functions_[index_of(*root, {})], use);
    unknown_[unknown_known_.at({use.name, use.kind})].handlers.set(static_cast<unsigned>(index));
  }
}

bool Footprint::of_the_kernel(const Touch& touch) const {
  return touch.node == analysis_.points_to.contents().node && touch.range.low == Files::kernel().low &&
         touch.range.high == Files::kernel().high;
}

// Whoever reads one looks at what the others change, and whoever writes one changes what they look at.
void Footprint::note_files_of_the_kernel() {
  for (const Touch& touch : touches_) {
    if (!of_the_kernel(touch)) continue;
    for (const Touch::Source& source : touch.sources) {
      const UnknownUse use{source.witness->at, "state that files of the kernel show", UnknownUse::Kind::kAlone};
      note_unknown(functions_[index_of(*source.owner, {})], use);
      unknown_[unknown_known_.at({use.name, use.kind})].handlers |= touch.handlers;
    }
  }
}

// What the loop itself calls, it calls beside handlers of a parallel run. In the serial program that is between two
// handlers, so none may run beside another where such a function does anything.
void Footprint::note_called_by_the_loop(std::size_t index) {
  for (const Intruder& intruder : world_.intruders) {
    if (!intruder.by_the_loop) continue;
    const llvm::Function& called = *intruder.function;
    const std::size_t at = index_of(called, {});
    expand(functions_[at]);
    if (intruder_touches(called).empty() && functions_[at].touches.empty() && functions_[at].unknown.empty() &&
        analysis_.summaries.at(&called).calls.empty())
      continue;
    const UnknownUse use{&called.getEntryBlock().front(), source_name(called) + "(), which the loop calls",
                         UnknownUse::Kind::kAlone};
    note_unknown(functions_[at], use);
    unknown_[unknown_known_.at({use.name, use.kind})].handlers.set(static_cast<unsigned>(index));
  }
}

// Functions of the program that the libraries called by the handler may call back.
std::vector<const llvm::Function*> Footprint::intruders_of(std::size_t index) {
  std::vector<const llvm::Function*> found;
  if (world_.intruders.empty()) return found;
  const std::set<std::string> libraries = libraries_of(reached_[index]);
  for (const Intruder& intruder : world_.intruders) {
    if (intruder.function == world_.handlers[index].function || !intruder.enters(libraries)) continue;
    if (std::find(found.begin(), found.end(), intruder.function) == found.end()) found.push_back(intruder.function);
    const auto [known, fresh] = reached_by_intruder_.try_emplace(intruder.function);
    if (fresh) known->second = reached_functions(index_.at(intruder.function));
    reached_[index] |= known->second;
  }
  return found;
}

// The touches of a function that a library calls back, whichever handler called the library. Nothing is known of the
// function's arguments.
const std::vector<TouchId>& Footprint::intruder_touches(const llvm::Function& function) {
  const auto [known, fresh] = intruder_touches_.try_emplace(&function);
  std::vector<TouchId>& found = known->second;
  if (!fresh) return found;
  const auto add = [&](const std::vector<TouchId>& touches) {
    found.insert(found.end(), touches.begin(), touches.end());
  };
  const Summary& own = analysis_.summaries.at(&function);
  if (!own.pooled) {
    for (const Access& access : own.open)
      add(place(access, Anchor::kOther, {&function, kOtherRoot, access.witness, kAnyHandler}, {}));
  }
  using Value = Anchors::Value;
  AnchorFlow::Parameters foreign;
  for (unsigned i = 0; i < function.arg_size(); ++i) foreign.push_back({Value::kOther, Value::kOther, Value::kOther});
  add(pooled_touches(function, std::move(foreign)));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// The libraries that any of the functions calls.
std::set<std::string> Footprint::libraries_of(const llvm::BitVector& functions) {
  std::set<std::string> found;
  for (const unsigned at : functions.set_bits()) {
    const std::set<std::string>& called = libraries_of(*functions_[at].function);
    found.insert(called.begin(), called.end());
  }
  return found;
}

const std::set<std::string>& Footprint::libraries_of(const llvm::Function& function) {
  const auto [place, fresh] = libraries_.try_emplace(&function);
  if (!fresh) return place->second;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr) continue;
    for (const CallSite& site : analysis_.calls.at(*call)) {
      for (const llvm::Function* external : site.externals) {
        if (const Spec* spec = analysis_.points_to.specs.find(*external)) place->second.insert(spec->library);
      }
    }
  }
  return place->second;
}

AnchorFlow::Parameters Footprint::parameters_of(const Handler& handler) const {
  using Value = Anchors::Value;
  AnchorFlow::Parameters parameters;
  for (unsigned i = 0; i < handler.function->arg_size(); ++i) {
    const Value value = ownership_.own_parameter(handler, i) ? Value::kSession : Value::kOther;
    if (static_cast<int>(i) == handler.session_parameter && handler.session.kind == Session::Kind::kNull) {
      parameters.emplace_back();
    } else if (made_for_invocation(handler, i)) {
      parameters.push_back({Value::kNone, value, Value::kGiven});
    } else {
      parameters.push_back({value, value, value});
    }
  }
  return parameters;
}

void Footprint::take(std::size_t index, const Access& access) {
  const Handler& handler = world_.handlers[index];
  const Root origin = analysis_.roots[analysis_.roots.origin(access.root)];
  bool inside = false;
  if (origin.kind == Root::Kind::kParam) {
    inside = ownership_.inside_given(*handler.function, access.root);
    // What is in a file, and the address of a socket, is seen by others, whoever has the descriptor.
    if (!access.late && inside && !access.contents && made_for_invocation(handler, origin.index)) return;
    const bool session = static_cast<int>(origin.index) == handler.session_parameter;
    if (session && handler.session.kind == Session::Kind::kNull) return;
  }
  const bool given = inside && block_for_invocation(handler, origin.index);
  const Anchor anchor = access.root == kGlobalRoot             ? Anchor::kGlobal
                        : given                                ? Anchor::kInvocation
                        : ownership_.own(handler, access.root) ? Anchor::kSession
                                                               : Anchor::kOther;
  for (const TouchId touch : place(access, anchor, {handler.function, access.root, access.witness, index}, {}))
    touches_[touch].handlers.set(static_cast<unsigned>(index));
}

// What the members of large recursive components touch that `root` reaches, if it is given these values.
std::vector<TouchId> Footprint::pooled_touches(const llvm::Function& root, AnchorFlow::Parameters given) {
  std::vector<TouchId> found;
  const AnchorFlow flow(analysis_, anchors_);
  const auto in_parent = flow.reached_without(&PooledCall::child, root);
  const auto in_front = flow.reached_without(&PooledCall::behind, root);
  for (const auto& [reached, parameters] : flow.run(root, std::move(given))) {
    const Context context{!in_parent.contains(reached), !in_front.contains(reached)};
    Function& function = functions_[index_of(*reached, context)];
    expand(function);
    for (Dependent& dependent : function.dependent) {
      const Access& access = *dependent.access;
      Anchors::Value value =
          anchors_.eval(*reached, {access.root, 0, true}, parameters, access.late ? Use::kLate : Use::kEarly);
      // What is in a file is seen by others, whoever has the descriptor.
      const bool nobodys = value == Anchors::Value::kNone || value == Anchors::Value::kGiven;
      const bool seen = access.contents || (access.descriptor && graph_.of_unknown_origin(access.cell, access.if_any));
      if (nobodys && !seen) continue;
      if (nobodys) value = Anchors::Value::kOther;
      const auto which = static_cast<std::size_t>(anchor_of(value));
      if (!dependent.known[which]) {
        dependent.known[which] = true;
        dependent.touches[which] =
            place(access, anchor_of(value), {reached, kOtherRoot, access.witness, kAnyHandler}, context);
      }
      found.insert(found.end(), dependent.touches[which].begin(), dependent.touches[which].end());
    }
  }
  return found;
}

// The loop reads the event in order to call the handler, so whoever changes the event conflicts with the handler.
void Footprint::fired_event(std::size_t index, const Registration& registration) {
  if (!registration.event.valid()) return;
  const Handler& handler = world_.handlers[index];
  const Cell event = graph_.find(registration.event);
  const bool with_session = handler.session.kind == Session::Kind::kObject && handler.event_owned;
  const bool embedded = handler.session.cell.valid() && graph_.find_node(handler.session.cell.node) == event.node;
  const bool own = with_session && (embedded || ownership_.exclusive(event.node));
  if (own && !embedded) ownership_.follow(event.node);
  std::vector<TouchId> found;
  record(event.node, graph_.extent(event, registration.callback->event_bytes), Mode::kRead,
         own ? Anchor::kSession : Anchor::kOther, false, {handler.function, kOtherRoot, nullptr, index}, found);
  for (const TouchId touch : found) touches_[touch].handlers.set(static_cast<unsigned>(index));
}

// ---- one function ----

// Makes the touches of the effects that do not depend on the caller; for a pool's member also lists those that do.
void Footprint::expand(Function& function) {
  if (function.expanded) return;
  function.expanded = true;
  const Summary& summary = analysis_.summaries.at(function.function);
  for (const Access& access : summary.settled) {
    const Anchor anchor = access.root == kGlobalRoot ? Anchor::kGlobal : Anchor::kOther;
    const Touch::Source source{function.function, access.root, access.witness, kAnyHandler};
    for (const TouchId touch : place(access, anchor, source, function.context)) function.touches.push_back(touch);
  }
  std::sort(function.touches.begin(), function.touches.end());
  function.touches.erase(std::unique(function.touches.begin(), function.touches.end()), function.touches.end());
  if (summary.pooled) {
    for (const Access& access : summary.open) {
      // Accesses to variable arguments are among each caller's own effects.
      if (access.extent == Extent::kVariadic || access.root == kVariadicRoot) continue;
      function.dependent.emplace_back();
      function.dependent.back().access = &access;
    }
  }
  for (const UnknownUse& use : summary.unknown) {
    if (use.name == kProcessorTime && !assumed_.strict) {
      rests_on_.processor_time_unread = true;
      continue;
    }
    const bool of_the_child = use.kind == UnknownUse::Kind::kAlone && function.context.child;  // its own loop and end
    if (!of_the_child) note_unknown(function, use);
  }
}

void Footprint::note_unknown(Function& function, const UnknownUse& use) {
  const auto [place, fresh] = unknown_known_.try_emplace({use.name, use.kind}, unknown_.size());
  if (fresh) {
    unknown_.push_back(
        {{use.name, use.kind, 0, use.at, {}}, llvm::BitVector(static_cast<unsigned>(world_.handlers.size())), {}});
  }
  if (uses_counted_.insert(use.at).second) ++unknown_[place->second].code.count;
  if (std::find(function.unknown.begin(), function.unknown.end(), place->second) == function.unknown.end()) {
    function.unknown.push_back(place->second);
    unknown_[place->second].uses.emplace_back(function.function, witnesses_.add(*use.at));
  }
}

// ---- touches ----

std::vector<TouchId> Footprint::place(const Access& made, Anchor anchor, const Touch::Source& source, Context context) {
  std::vector<TouchId> found;
  Access access = made;
  access.child |= context.child;
  access.behind |= context.behind;
  if (access.contents) {
    place_contents(access, anchor, source, found);
  } else if (access.extent == Extent::kReach) {
    place_reachable(access, anchor, source, found);
  } else {
    record_access(graph_.find_node(access.cell.node), range_of(graph_, access), access, anchor, source, found);
  }
  return found;
}

// As what the parent sees an access that the child of fork() makes: a mode, or nothing at all.
std::optional<Mode> Footprint::mode_in_child(NodeId node, const Access& access) const {
  if (access.mode == Mode::kRead || access.mode == Mode::kAtomicRead) return access.mode;
  if (access.closes) return std::nullopt;
  const Graph::Node& memory = graph_.node({node, 0});
  const bool common = std::any_of(memory.objects.begin(), memory.objects.end(), [&](const Graph::Placed& placed) {
    const Object& object = graph_.object(placed.object);
    return object.shared || object.kind == ObjectKind::kOs || object.kind == ObjectKind::kUnknown;
  });
  if (common || (memory.flags & kUnknownMemory)) return access.mode;
  // The write is to the child's copy, but a library function that writes may read as well.
  if (llvm::isa<llvm::StoreInst>(innermost(*access.witness).at)) return std::nullopt;
  return atomic(access.mode) ? Mode::kAtomicRead : Mode::kRead;
}

void Footprint::record_access(NodeId node, Range range, const Access& access, Anchor anchor,
                              const Touch::Source& source, std::vector<TouchId>& found) {
  const Graph::Node& memory = graph_.node({node, 0});
  if (access.if_any && memory.objects.empty() && !(memory.flags & (kUnknownMemory | kStored))) return;
  if (assumed_.files_apart && node == analysis_.points_to.entries().node) return;
  const std::optional<Mode> mode = access.child ? mode_in_child(node, access) : access.mode;
  if (!mode) return;
  record(node, range, *mode, anchor, access.behind, source, found);
  if (has_a_peer(node)) {
    rests_on_.peers_apart = true;
    if (assumed_.strict)
      record(analysis_.points_to.peers().node, kEverything, *mode, Anchor::kGlobal, access.behind, source, found);
  }
  if (!access.closes && holds_a_standard_descriptor(node)) use_standard_file(node, *mode, access, source, found);
  // A stream of such a descriptor has no lock in common with others that lead to the same file.
  if (access.descriptor && graph_.of_unknown_origin({node, 0}, access.if_any))
    record(analysis_.points_to.any_descriptor().node, kEverything, plain(*mode), Anchor::kOther, access.behind, source,
           found);
  if (assumed_.files_apart || !maps_a_file(node)) return;
  record(analysis_.points_to.contents().node, kEverything, plain(*mode), Anchor::kGlobal, access.behind, source, found);
}

// What 0, 1 and 2 lead to may be one file. Records of the three streams have a byte in common, and each stream one of
// its own (tell_pieces_apart).
void Footprint::use_standard_file(NodeId descriptor, Mode mode, const Access& access, const Touch::Source& source,
                                  std::vector<TouchId>& found) {
  const NodeId file = analysis_.points_to.standard_file().node;
  if (!of_stream(mode) || assumed_.strict) {
    record(file, kEverything, mode, Anchor::kGlobal, access.behind, source, found);
    return;
  }
  source_stream_ = descriptor;
  record(file, {kAllStreams, kAllStreams + 1}, mode, Anchor::kGlobal, access.behind, source, found);
  for (const Graph::Placed& placed : graph_.node({descriptor, 0}).objects) {
    const Object& object = graph_.object(placed.object);
    if (!object.standard) continue;
    const std::int64_t own = object.name.back() - '0';
    record(file, {own, own + 1}, mode, Anchor::kGlobal, access.behind, source, found);
  }
  source_stream_ = kNoNode;
}

// Is a mapping of a file among the blocks of the node?
bool Footprint::holds_a_standard_descriptor(NodeId node) {
  const auto [place, fresh] = holds_a_standard_descriptor_.try_emplace(node, false);
  if (fresh) {
    const auto& objects = graph_.node({node, 0}).objects;
    place->second = std::any_of(objects.begin(), objects.end(),
                                [&](const Graph::Placed& placed) { return graph_.object(placed.object).standard; });
  }
  return place->second;
}

bool Footprint::maps_a_file(NodeId node) {
  const auto [place, fresh] = maps_a_file_.try_emplace(node, false);
  if (fresh) {
    const std::vector<Graph::Placed>& objects = graph_.node({node, 0}).objects;
    place->second = std::any_of(objects.begin(), objects.end(), [&](const Graph::Placed& placed) {
      const Object& object = graph_.object(placed.object);
      return object.kind == ObjectKind::kHeap && object.regular;
    });
  }
  return place->second;
}

// What is in a file is nobody's own, whoever opened it.
void Footprint::place_contents(Access access, Anchor anchor, const Touch::Source& source, std::vector<TouchId>& found) {
  if (access.address != Access::Address::kNone) {
    const std::optional<Mode> mode = mode_of_address(analysis_.points_to, access);
    if (!mode) return;
    access.mode = *mode;
    access.if_any = false;
    record_access(analysis_.points_to.socket_addresses().node, kEverything, access, Anchor::kGlobal, source, found);
    return;
  }
  if (assumed_.files_apart) return;
  const NodeId stream = graph_.find_node(access.cell.node);
  if (of_stream(access.mode) && !one_stream(stream, anchor)) access.mode = plain(access.mode);
  if (!assumed_.strict && of_stream(access.mode)) source_stream_ = stream;
  if (access.entry) {
    for (const Range bytes : entries_behind(analysis_.points_to, access))
      record_access(analysis_.points_to.entries().node, bytes, access, Anchor::kGlobal, source, found);
    return;
  }
  const NodeId all = analysis_.points_to.contents().node;
  std::vector<FileName> files = {access.file};
  if (graph_.find_node(access.cell.node) != all) files = graph_.files_behind(access.cell, access.if_any);
  access.if_any = false;
  for (const FileName file : files) {
    if (file == kNoFile) continue;
    for (const Range bytes : analysis_.points_to.files.bytes(file))
      record_access(all, bytes, access, Anchor::kGlobal, source, found);
    if (file == kKernelFile) record_access(all, Files::kernel(), access, Anchor::kGlobal, source, found);
    // It may be a directory, or what watches one (inotify(7)).
    if ((file == kSomeFile || file == kKernelFile) && !writes(access.mode))
      record_access(analysis_.points_to.entries().node, kEverything, access, Anchor::kGlobal, source, found);
  }
  source_stream_ = kNoNode;
}

// Is there one variable alone, no element of an array or of a list, in which whoever uses the stream of this descriptor
// finds it? Then that is one stream at a time.
bool Footprint::kept_in_one_variable(NodeId descriptor) const {
  std::set<NodeId> streams;
  const auto each_edge = [&](const auto& visit) {
    for (NodeId id = 0; id < graph_.node_count(); ++id) {
      if (graph_.find_node(id) != id) continue;
      for (const auto& [where, edge] : graph_.node({id, 0}).edges)
        for (const Cell target : edge.targets) visit(id, where, graph_.find_node(target.node));
    }
  };
  each_edge([&](NodeId holder, std::int64_t where, NodeId target) {
    const auto is_stream = [&](const Graph::Placed& placed) {
      const ObjectKind kind = graph_.object(placed.object).kind;
      return kind == ObjectKind::kHeap || kind == ObjectKind::kLibc;
    };
    const auto& objects = graph_.node({holder, 0}).objects;
    if (target == descriptor && is_number(where) && std::any_of(objects.begin(), objects.end(), is_stream))
      streams.insert(holder);
  });
  std::set<std::pair<NodeId, std::int64_t>> places;
  bool known = true;
  each_edge([&](NodeId holder, std::int64_t where, NodeId target) {
    const Graph::Node& node = graph_.node({holder, 0});
    if (is_number(where) || !streams.contains(target) || !(node.flags & kShared)) return;
    places.insert({holder, where});
    const bool variable = node.objects.size() == 1 && !node.layout.folded(where) &&
                          (graph_.object(node.objects.front().object).kind == ObjectKind::kGlobal ||
                           graph_.object(node.objects.front().object).kind == ObjectKind::kLibc);
    known = known && variable;
  });
  return known && places.size() <= 1;
}

// Records are whole only under one lock. Is the stream of this descriptor one and the same whenever it is used: that of
// one variable, or one that is opened once, before the loop?
bool Footprint::one_stream(NodeId descriptor, Anchor anchor) {
  const auto [place, fresh] = one_stream_.try_emplace({descriptor, anchor == Anchor::kGlobal}, false);
  if (!fresh) return place->second;
  Repeats::Places opened;
  std::size_t files = 0;
  for (const Graph::Placed& placed : graph_.node({descriptor, 0}).objects) {
    const Object& object = graph_.object(placed.object);
    if (object.kind != ObjectKind::kOs) return false;
    if (object.site == nullptr) continue;  // standard output
    ++files;
    if (const auto* at = llvm::dyn_cast<llvm::Instruction>(object.site)) opened.insert(at);
  }
  if (files > 1) return false;
  if (files == 0 || (anchor == Anchor::kGlobal && kept_in_one_variable(descriptor))) return place->second = true;
  const Repeats repeats(analysis_, opened);
  unsigned times = 0;
  for (const llvm::Function* root : world_.roots) times += repeats.most(*root);
  const auto opens = [&](const auto& called) { return repeats.most(*called.function) != 0; };
  const bool in_handlers = std::any_of(world_.handlers.begin(), world_.handlers.end(), opens) ||
                           std::any_of(world_.intruders.begin(), world_.intruders.end(), opens);
  return place->second = opened.size() == 1 && times <= 1 && !in_handlers;
}

const std::vector<Cell>& Footprint::reached_from(Cell cell, bool one_step) {
  cell = graph_.find(cell);
  const auto [place, fresh] = reached_cells_.try_emplace({cell.node, cell.offset, cell.provenance, one_step});
  if (fresh) place->second = graph_.pointed_to(cell, one_step);
  return place->second;
}

// Does a pointer in what was reached lead back to the node of the first cell, but to another object than the one that
// the way began in? `own`: the nodes on ways over owned objects.
bool Footprint::leads_to_another(const std::vector<Cell>& reached, bool one_step, const std::set<NodeId>& own) {
  const NodeId first = reached.front().node;
  for (const Cell cell : reached) {
    const Range bytes = graph_.bounded(cell) ? graph_.extent_to_end(cell) : kEverything;
    for (const auto& [where, edge] : graph_.node(cell).edges) {
      if (is_number(where) || !bytes.contains(where)) continue;
      const bool back = std::any_of(edge.targets.begin(), edge.targets.end(),
                                    [&](Cell target) { return graph_.find_node(target.node) == first; });
      if (!back || (cell.node == first && ownership_.holds_own_address({first, where}))) continue;
      if (!own.contains(cell.node) || !ownership_.exclusive(first)) return true;
      ownership_.follow(first);
    }
    if (one_step) break;
  }
  return false;
}

// Touches everything reachable from the access. Objects count as the session's own as long as the path to them leads
// over owned objects only.
void Footprint::place_reachable(const Access& access, Anchor anchor, const Touch::Source& source,
                                std::vector<TouchId>& found) {
  const NodeId first = graph_.find_node(access.cell.node);
  std::set<NodeId> own;
  if (anchor == Anchor::kSession) {
    std::vector<NodeId> work{first};
    own.insert(first);
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
  const std::vector<Cell>& reached = reached_from(access.cell, access.size == 1);
  const Anchor at_first =
      anchor == Anchor::kSession && leads_to_another(reached, access.size == 1, own) ? Anchor::kOther : anchor;
  for (const Cell cell : reached) {
    Anchor here = at_first;
    if (cell.node != first) here = own.count(cell.node) ? Anchor::kSession : Anchor::kOther;
    if (cell.node != first && here == Anchor::kSession) ownership_.follow(cell.node);
    record_access(cell.node, graph_.bounded(cell) ? graph_.extent_to_end(cell) : kEverything, access, here, source,
                  found);
  }
}

void Footprint::record(NodeId node, Range range, Mode mode, Anchor anchor, bool behind, const Touch::Source& source,
                       std::vector<TouchId>& found) {
  const std::uint16_t flags = graph_.node({node, 0}).flags;
  if ((flags & kConstant) && !(flags & kVariable)) return;
  if (!assumed_.strict && node == analysis_.points_to.numbers_of_descriptors().node) {
    rests_on_.descriptors_suffice = true;
    return;
  }
  if (assumed_.strict && mode != Mode::kLock) mode = plain(mode);
  const auto [place, fresh] = known_.try_emplace(std::make_tuple(node, range.low, range.high, mode, anchor, behind),
                                                 static_cast<TouchId>(touches_.size()));
  if (fresh) {
    llvm::BitVector nobody(static_cast<unsigned>(world_.handlers.size()));
    touches_.push_back({node, range, mode, anchor, behind, std::move(nobody), {}, {}, {}});
  }
  if (source_stream_ != kNoNode) touches_[place->second].streams.insert(source_stream_);
  if (counted(mode) && source.witness != nullptr) touches_[place->second].places.insert(innermost(*source.witness).at);
  std::vector<Touch::Source>& sources = touches_[place->second].sources;
  const bool again =
      !sources.empty() && sources.back().owner == source.owner && sources.back().handler == source.handler;
  if (!again) sources.push_back(source);
  found.push_back(place->second);
}

// What goes in at one end of a pipe comes out at the other, so what is done to one end is done to the other, too. Ends
// are the open files that one call makes.
void Footprint::meet_other_ends() {
  std::map<const llvm::Value*, std::map<ObjectId, std::set<NodeId>>> pipes;
  for (NodeId id = 0; id < graph_.node_count(); ++id) {
    if (graph_.find_node(id) != id) continue;
    for (const Graph::Placed& placed : graph_.node({id, 0}).objects) {
      const Object& object = graph_.object(placed.object);
      if (object.kind == ObjectKind::kOs && object.site != nullptr) pipes[object.site][placed.object].insert(id);
    }
  }
  std::map<NodeId, std::set<NodeId>> others;
  for (const auto& [site, ends] : pipes) {
    for (const auto& [one, here] : ends) {
      for (const auto& [other, there] : ends) {
        if (one == other) continue;
        for (const NodeId id : here) others[id].insert(there.begin(), there.end());
      }
    }
  }
  const std::size_t known = touches_.size();
  for (std::size_t i = 0; i < known; ++i) {
    const auto place = others.find(touches_[i].node);
    if (place == others.end()) continue;
    for (const NodeId node : place->second) {
      const bool own = touches_[i].anchor == Anchor::kSession;
      if (node == touches_[i].node && !own) continue;
      Touch also = touches_[i];
      also.node = node;
      also.range = kEverything;
      if (own) also.anchor = Anchor::kOtherEnd;
      touches_.push_back(std::move(also));
    }
  }
}

// One of the objects that stand for what all files, directories or sockets have in common?
bool Footprint::of_all_files(NodeId node) const {
  const PointsTo& points_to = analysis_.points_to;
  return node == points_to.contents().node || node == points_to.entries().node ||
         node == points_to.socket_addresses().node || node == points_to.peers().node;
}

// May the node be a socket or the like whose other end is not known? Both ends of a pipe or a pair are
// (meet_other_ends).
bool Footprint::has_a_peer(NodeId node) {
  const auto [place, fresh] = has_a_peer_.try_emplace(node, false);
  if (!fresh) return place->second;
  const Graph::Node& memory = graph_.node({node, 0});
  const auto alone = [&](const Graph::Placed& placed) {
    const Object& object = graph_.object(placed.object);
    return object.kind == ObjectKind::kOs && object.site != nullptr && !object.regular && ends_of(object.site) < 2;
  };
  const bool waited = (memory.flags & kWaitedFor) && memory.objects.empty();
  return place->second = waited || std::any_of(memory.objects.begin(), memory.objects.end(), alone);
}

// How many open files the call makes.
std::size_t Footprint::ends_of(const llvm::Value* call) {
  if (ends_.empty()) {
    std::map<const llvm::Value*, std::set<ObjectId>> made;
    for (NodeId id = 0; id < graph_.node_count(); ++id) {
      if (graph_.find_node(id) != id) continue;
      for (const Graph::Placed& placed : graph_.node({id, 0}).objects) {
        const Object& object = graph_.object(placed.object);
        if (object.kind == ObjectKind::kOs && object.site != nullptr) made[object.site].insert(placed.object);
      }
    }
    for (const auto& [site, objects] : made) ends_[site] = objects.size();
  }
  return ends_[call];
}

// A descriptor of unknown origin may be any, so what is done to it meets what is done to each open file. Each of these
// has a byte of the object that stands for all.
void Footprint::meet_any_descriptor() {
  const NodeId any = analysis_.points_to.any_descriptor().node;
  const std::size_t known = touches_.size();
  const auto used = [&](const Touch& touch) { return touch.node == any; };
  if (std::none_of(touches_.begin(), touches_.end(), used)) return;
  for (std::size_t i = 0; i < known; ++i) {
    const NodeId node = touches_[i].node;
    if (node == any || of_all_files(node)) continue;
    const Graph::Node& memory = graph_.node({node, 0});
    const bool open = std::any_of(memory.objects.begin(), memory.objects.end(), [&](const Graph::Placed& placed) {
      return graph_.object(placed.object).kind == ObjectKind::kOs;
    });
    if (!open && !(memory.flags & kWaitedFor)) continue;
    Touch also = touches_[i];
    also.node = any;
    also.range = {static_cast<std::int64_t>(node), static_cast<std::int64_t>(node) + 1};
    touches_.push_back(std::move(also));
  }
}

// Two streams of one file have no lock in common, so a record of one may stand in the middle of a record of the other.
// Where both write to the end of the file only, each buffer that is written out stays together.
void Footprint::tell_streams_apart() {
  const NodeId all = analysis_.points_to.contents().node;
  std::vector<Touch*> records;
  for (Touch& touch : touches_)
    if (touch.node == all && of_stream(touch.mode)) records.push_back(&touch);
  const auto at_end = [&](NodeId stream) {
    const std::vector<Graph::Placed>& objects = graph_.node({stream, 0}).objects;
    return std::all_of(objects.begin(), objects.end(), [&](const Graph::Placed& placed) {
      const Object& object = graph_.object(placed.object);
      return object.site == nullptr || object.appends;
    });
  };
  const auto whole = [&](const Touch& a, const Touch& b) {
    std::set<NodeId> streams = a.streams;
    streams.insert(b.streams.begin(), b.streams.end());
    const bool one = streams.size() <= 1;
    if (one && !two_streams(a)) return true;
    Repeats::Places pieces;
    return (one || std::all_of(streams.begin(), streams.end(), at_end)) && !in_pieces(a, pieces) &&
           !in_pieces(b, pieces);
  };
  std::set<Touch*> torn;
  for (Touch* const one : records) {
    for (Touch* const other : records)
      if (one->range.overlaps(other->range) && !whole(*one, *other)) torn.insert({one, other});
  }
  for (Touch* const touch : torn) touch->mode = Mode::kWrite;
}

// The records among these that may be several writes.
bool Footprint::in_pieces(const Touch& touch, Repeats::Places& pieces) {
  for (const NodeId stream : touch.streams) {
    const Records::Buffers buffers = records_.buffers_of(stream);
    for (const llvm::Instruction* place : touch.places)
      if (records_.in_pieces(*place, buffers)) pieces.insert(place);
  }
  return !pieces.empty();
}

bool Footprint::two_streams(const Touch& touch) {
  return std::any_of(touch.streams.begin(), touch.streams.end(),
                     [&](NodeId stream) { return records_.two_streams(stream); });
}

// The lock of a standard stream does not keep those of the others out of the middle of a record that is several writes,
// so each of these touches their bytes as well. Among each other, such records of one stream have its lock.
void Footprint::tell_pieces_apart() {
  if (assumed_.streams_unordered) return;
  const NodeId file = analysis_.points_to.standard_file().node;
  std::map<std::int64_t, std::vector<TouchId>> streams;
  for (TouchId id = 0; id < touches_.size(); ++id) {
    const Touch& touch = touches_[id];
    const bool own = touch.range.low >= 0 && touch.range.low < kStandardStreams;
    if (touch.node == file && of_stream(touch.mode) && own) streams[touch.range.low].push_back(id);
  }
  for (const auto& [stream, ids] : streams) {
    for (const TouchId id : ids) {
      Repeats::Places pieces;
      const bool again = two_streams(touches_[id]);
      if ((streams.size() < 2 && !again) || !in_pieces(touches_[id], pieces)) continue;
      Touch also = touches_[id];
      also.handlers &= passing(pieces, 1);
      if (also.handlers.none()) continue;
      also.places.clear();
      also.mode = again ? Mode::kWrite : Mode::kPart;
      for (std::int64_t other = 0; other < kStandardStreams; ++other) {
        also.range = {other, other + 1};
        if (other != stream || again) touches_.push_back(also);
      }
    }
  }
}

// An access to an atomic, or a record, is one step only if it is the invocation's only access to that object: what
// others do between two accesses gives what no serial run does, and what they add between two records comes apart from
// both. For handlers that may make several, the touches become plain. Two exceptions: a loop around a compare-and-swap
// is one step, and sums that nobody looks at may have others' sums between them.
void Footprint::tell_apart() {
  std::map<NodeId, std::vector<TouchId>> nodes;
  constexpr NodeId kAnywhereUnknown = kNoNode;  // any two pieces of unknown memory may be one
  for (TouchId id = 0; id < touches_.size(); ++id) {
    if (!counted(touches_[id].mode)) continue;
    const bool unknown = (graph_.node({touches_[id].node, 0}).flags & kUnknownMemory) != 0;
    nodes[unknown ? kAnywhereUnknown : touches_[id].node].push_back(id);
  }
  for (const auto& [node, here] : nodes) {
    for (const TouchId id : here) {
      const bool stream = touches_[id].mode == Mode::kAppend;
      if (stream && assumed_.streams_unordered) continue;
      Repeats::Places places;
      bool written = false;
      bool one_width = true;  // sums of two widths do not commute: the smaller one drops its carry
      for (const TouchId other : here) {
        const Touch& near = touches_[other];
        if ((near.mode == Mode::kAppend) != stream) continue;
        if (node != kAnywhereUnknown && !near.range.overlaps(touches_[id].range)) continue;
        written |= writes(near.mode);
        one_width &= near.range == touches_[id].range;
        places.insert(near.places.begin(), near.places.end());
      }
      if (!written) continue;
      if (stream) {
        split(id, passing(places, Repeats::kSeveral), Mode::kWrite);
      } else {
        tell_atomics_apart(id, places, one_width);
      }
    }
  }
}

void Footprint::tell_atomics_apart(TouchId id, Repeats::Places places, bool one_width) {
  Repeats::Places looking;  // those after which the invocation knows, or sets, what the atomic holds
  for (const llvm::Instruction* place : Repeats::Places(places)) {
    const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(place);
    const llvm::LoadInst* load = exchange == nullptr ? nullptr : load_before_loop(*exchange);
    if (load != nullptr && places.contains(load)) places.erase(place);
  }
  std::copy_if(places.begin(), places.end(), std::inserter(looking, looking.end()), [](const llvm::Instruction* place) {
    const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(place);
    const bool sum = update != nullptr && (update->getOperation() == llvm::AtomicRMWInst::Add ||
                                           update->getOperation() == llvm::AtomicRMWInst::Sub);
    return !sum || !update->use_empty();
  });
  const llvm::BitVector several = passing(places, Repeats::kSeveral);
  if (several.none()) return;
  llvm::BitVector torn = passing(looking, 1);
  torn &= several;
  llvm::BitVector sums = several;
  sums.reset(torn);
  split(id, std::move(torn), plain(touches_[id].mode));
  if (touches_[id].mode != Mode::kAtomicAdd) return;
  split(id, std::move(sums), one_width ? Mode::kAtomicAdds : plain(Mode::kAtomicAdd));
}

// The handlers whose invocations may pass so many of the places.
const llvm::BitVector& Footprint::passing(const Repeats::Places& places, unsigned times) {
  const auto [known, fresh] =
      passing_.try_emplace({places, times}, llvm::BitVector(static_cast<unsigned>(world_.handlers.size())));
  llvm::BitVector& found = known->second;
  if (!fresh || places.empty()) return found;
  const Repeats repeats(analysis_, places);
  for (unsigned i = 0; i < world_.handlers.size(); ++i) {
    const auto again = [&](const llvm::Function* intruder) { return repeats.most(*intruder) != 0; };
    const unsigned most = repeats.most(*world_.handlers[i].function);
    if (most >= times || (most > 0 && i < world_.dispatched && goes_on(i)) ||
        std::any_of(intruders_[i].begin(), intruders_[i].end(), again))
      found.set(i);
  }
  return found;
}

// Gives the touch another mode for some of its handlers.
void Footprint::split(TouchId id, llvm::BitVector handlers, Mode mode) {
  handlers &= touches_[id].handlers;
  if (handlers.none()) return;
  Touch other = touches_[id];
  touches_[id].handlers.reset(handlers);
  other.mode = mode;
  other.handlers = std::move(handlers);
  touches_.push_back(std::move(other));
}

HandlerAccess Footprint::access(TouchId id, std::size_t handler) const {
  const Touch& touch = touches_[id];
  HandlerAccess access;
  access.node = touch.node;
  access.range = touch.range;
  access.mode = touch.mode;
  access.anchor = touch.anchor;
  const Touch::Source* best = nullptr;
  for (const Touch::Source& source : touch.sources) {
    const bool own = source.handler == handler;
    const bool any = source.handler == kAnyHandler && reaches(handler, *source.owner);
    if (!own && !any) continue;
    best = &source;
    if (own) break;
  }
  HEDDLE_ASSERT(best != nullptr);  // a touch is listed for a handler only if one of its sources is that handler's
  access.root = best->root;
  access.owner = best->owner;
  access.witness = best->witness;
  return access;
}

HandlerAccess Footprint::unknown_access(std::size_t unknown, std::size_t handler) const {
  HandlerAccess access;
  access.owner = world_.handlers[handler].function;
  access.range = kEverything;
  for (const auto& [function, witness] : unknown_[unknown].uses) {
    if (!reaches(handler, *function)) continue;
    access.mode = Mode::kWrite;
    access.owner = function;
    access.witness = witness;
    break;
  }
  return access;
}

}  // namespace heddle::elyze
