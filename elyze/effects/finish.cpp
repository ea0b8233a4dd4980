#include "elyze/effects/finish.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <set>

namespace heddle::elyze {
namespace {

constexpr std::ptrdiff_t kMostPooledCalls = 8;  // calls of one callee by one function that are told apart
constexpr std::size_t kMostReplaced = 16;       // words that a library replaces, by their way from a parameter

}  // namespace

bool Finisher::shared(Cell cell) const { return (analysis_.points_to.graph.node(cell).flags & kShared) != 0; }

bool Finisher::visible(Cell cell) const {
  const NodeId node = analysis_.points_to.graph.find_node(cell.node);
  return shared(cell) || (node < visible_.size() && visible_[node]);
}

// ---- accesses ----

void Finisher::emit(const Access& access) {
  if (!emitted_.insert(access).second) return;
  note_number(summary_.numbers, access, analysis_.roots, function_);
  const bool settled = shared(access.cell) && analysis_.roots.resolved(access.root);
  (settled ? summary_.settled : summary_.open).push_back(access);
}

void Finisher::finish_access(Access access) {
  const llvm::Instruction& at = *access.witness->at;
  const RootId original = access.root;
  if (access.contents) {
    finish_contents(access);
    return;
  }
  if (access.extent == Extent::kReach) {
    finish_reach(access);
    return;
  }
  if (access.descriptor && !visible(access.cell) &&
      analysis_.points_to.graph.of_unknown_origin(access.cell, access.if_any)) {
    access.cell = analysis_.points_to.any_descriptor();
    access.root = kGlobalRoot;
    access.late = access.descriptor = access.if_any = false;
    emit(access);
    return;
  }
  access.root = local_.judged(original, access.late, access.given, at);
  if (access.root == kNoRoot || !visible(access.cell)) return;
  access.late = is_late(access, at);
  emit(access);
}

// An access through a parameter is late once the parameter's object is published: from then on others can reach all
// that it leads to.
bool Finisher::is_late(const Access& access, const llvm::Instruction& at) const {
  const RootId origin = analysis_.roots.origin(access.root);
  return analysis_.roots[origin].kind == Root::Kind::kParam &&
         (access.late || publication_.after(origin, at) || publication_.meanwhile(origin, at, access.given) ||
          (origin != access.root && publication_.contents_after(origin, at)));
}

// An access to everything reachable from memory of this function only: each pointer that is stored in that memory is
// followed with its own root.
void Finisher::finish_reach(const Access& first) {
  const Graph& graph = analysis_.points_to.graph;
  const llvm::Instruction& at = *first.witness->at;
  std::vector<Access> work{first};
  std::set<std::pair<NodeId, RootId>> seen;
  std::set<NodeId> covered;
  std::set<NodeId> inside;
  while (!work.empty()) {
    Access access = work.back();
    work.pop_back();
    access.root = local_.resolve(access.root, at).base;
    access.cell = graph.find(access.cell);
    if (!seen.insert({access.cell.node, access.root}).second) continue;
    const RootId judgement = local_.judged(access.root, access.late, access.given, at);
    if (judgement != kNoRoot) {
      access.root = judgement;
      access.late = is_late(access, at);
      covered.insert(access.cell.node);
      if (visible(access.cell)) emit(access);
      if (visible(access.cell)) continue;
    }
    // Still private to this invocation: follow what was stored in it.
    if (access.extent != Extent::kReach) continue;
    inside.insert(access.cell.node);
    for (const Store& store : gathered_.stores) {
      if (store.publishes || store.number || store.target.base != access.root) continue;
      Access next = access;
      next.cell = store.value;
      next.root = store.source.base;
      next.late = false;
      if (first.size == 1) next.extent = Extent::kToEnd;
      if (next.root == kNoRoot || next.root == kUniqueRoot) next.root = kOtherRoot;
      work.push_back(next);
    }
  }
  // Edges of this memory that no followed store accounts for: their targets got there in some other way.
  for (const NodeId from : inside) {
    for (const auto& [where, edge] : graph.node({from, 0}).edges) {
      if (is_number(where)) continue;
      for (const Cell target : edge.targets) {
        const NodeId reached = graph.find_node(target.node);
        if (covered.count(reached) == 0 && inside.count(reached) == 0)
          finish_unfollowed(first, target, covered, inside);
      }
    }
  }
}

void Finisher::finish_unfollowed(const Access& first, Cell from, const std::set<NodeId>& covered,
                                 const std::set<NodeId>& inside) {
  const Graph& graph = analysis_.points_to.graph;
  for (const Cell cell : graph.pointed_to(from)) {
    if (covered.count(cell.node) || inside.count(cell.node) || !visible(cell)) continue;
    Access access = first;
    access.cell = cell;
    access.extent = graph.bounded(cell) ? Extent::kToEnd : Extent::kWhole;
    access.root = kOtherRoot;
    access.late = false;
    emit(access);
  }
}

// A file that only this function has open has contents that others may see, whatever becomes of the descriptor. A
// stream of its own has no lock that others take too.
void Finisher::finish_contents(const Access& first) {
  const Cell all = analysis_.points_to.contents();
  const llvm::Instruction& at = *first.witness->at;
  Access access = first;
  access.late = false;
  if (analysis_.points_to.graph.find(first.cell) == all) {
    emit(access);
    return;
  }
  access.root = local_.judged(first.root, first.late, first.given, at);
  if (access.root != kNoRoot && visible(first.cell)) {
    access.late = is_late(access, at);
    // Of a stream that came from nobody knows where no record is known to be whole.
    if (access.root == kOtherRoot || access.root == kUniqueRoot) access.mode = plain(first.mode);
    emit(access);
    return;
  }
  if (access.address != Access::Address::kNone) {
    const std::optional<Mode> mode = mode_of_address(analysis_.points_to, first);
    if (!mode) return;
    access.mode = *mode;
    access.address = Access::Address::kNone;
    access.contents = false;
    access.cell = analysis_.points_to.socket_addresses();
    access.root = kGlobalRoot;
    emit(access);
    return;
  }
  if (access.entry) {
    access.contents = access.entry = false;
    access.root = kGlobalRoot;
    for (const Range bytes : entries_behind(analysis_.points_to, first)) {
      access.cell = analysis_.points_to.entries().plus(bytes == kEverything ? 0 : bytes.low);
      access.extent = bytes == kEverything ? Extent::kWhole : Extent::kExact;
      access.size = bytes == kEverything ? 0 : 1;
      emit(access);
    }
    return;
  }
  // What it flushes is what this invocation has added, which counts already.
  if (first.mode == Mode::kFlush) return;
  access.mode = plain(first.mode);
  access.cell = all;
  access.root = kGlobalRoot;
  for (const FileName file : analysis_.points_to.graph.files_behind(first.cell, first.if_any)) {
    access.file = file;
    emit(access);
  }
}

void Finisher::finish_variadic(const Access& access) {
  const Graph& graph = analysis_.points_to.graph;
  const Root root = analysis_.roots[access.root];
  if (root.kind == Root::Kind::kParam) {
    if (visible(access.cell)) emit(access);
    return;
  }
  const Cell values = graph.edge_if_any(access.cell.plus(8));
  if (!values.valid()) return;
  const Cell own = analysis_.points_to.cells(function_).variadic;
  Access read = access;
  read.extent = Extent::kToEnd;
  if (own.valid() && graph.find_node(own.node) == values.node) {
    // Each caller substitutes its own variable arguments for this cell.
    read.cell = values;
    read.root = kVariadicRoot;
    emit(read);
    return;
  }
  read.root = kOtherRoot;
  for (const auto& [where, edge] : graph.node(values).edges) {
    for (const Cell target : edge.targets) {
      read.cell = graph.find(target);
      finish_access(read);
    }
  }
}

// ---- stores, registrations, the result ----

// The derivation as callers may see it: a fresh object of this function means nothing to them, unless it is returned.
Derivation Finisher::escaping(const Derivation& from) const {
  const RootId origin = analysis_.roots.origin(from.base);
  if (analysis_.roots[origin].kind != Root::Kind::kFresh || origin == summary_.returned.base) return from;
  return kAnywhere;
}

// Callers that share the node do not see the store.
void Finisher::escape(Cell value, Escapes::What what) {
  analysis_.escapes.add(analysis_.points_to.graph, {value.node, what}, *unit_escapes_);
}

// A place of unknown derivation may be in memory of a caller, which must know that something else stands there now.
// Callers have their own copy of a node that is not shared.
void Finisher::note_replaced(const Derivation& at, Cell place) {
  const Root::Kind origin = analysis_.roots[analysis_.roots.origin(at.base)].kind;
  const bool known = origin != Root::Kind::kOther && origin != Root::Kind::kVariadic && origin != Root::Kind::kUnique;
  if (known || !place.valid() || !visible(place)) return;
  if (shared(place)) {
    escape(analysis_.points_to.graph.find(place), Escapes::What::kReplaced);
  } else if (analysis_.points_to.graph.add_flags(place, kReplaced)) {
    ++analysis_.replaced;
  }
}

// The same for a store that keeps nothing, but publishes what the value, of unknown derivation, points to, or the
// pointers in that.
void Finisher::finish_publishing(const Store& store) {
  if (!visible(store.value)) return;
  if (shared(store.value)) {
    escape(store.value, store.contents ? Escapes::What::kContents : Escapes::What::kPointer);
  } else {
    emit_store(store);
  }
}

void Finisher::emit_store(Store store) {
  if (!store.publishes && !visible(store.value)) return;
  // Where the target is a caller's memory, the caller must know what stands there now.
  const bool settled = !store.publishes && shared(store.value) && analysis_.roots.resolved(store.source.base) &&
                       analysis_.roots.resolved(store.target.base);
  if (settled && store.source.base == kOtherRoot && !store.apart && !store.moves)
    escape(store.value, Escapes::What::kPointer);
  auto& list = settled ? summary_.settled_stores : summary_.open_stores;
  for (Store& known : list) {
    if (known.value != store.value || known.source != store.source || known.target != store.target ||
        known.publishes != store.publishes || known.owner_at != store.owner_at || known.place != store.place ||
        known.contents != store.contents || known.steps != store.steps || known.keeps != store.keeps ||
        known.apart != store.apart || known.hands != store.hands || known.moves != store.moves ||
        known.back != store.back) {
      continue;
    }
    // A function that stores what it allocates stores another block in each call, which is no repetition.
    const bool elsewhere = known.witness->at != store.witness->at || known.witness->callee != store.witness->callee;
    if (elsewhere && store.source.base != kUniqueRoot) known.repeated = true;
    return;
  }
  list.push_back(store);
}

// Objects of this function whose bytes callers may find: published ones, blocks that something which callers see leads
// to, and what is copied into such objects.
std::set<RootId> Finisher::find_leaving() const {
  const Graph& graph = analysis_.points_to.graph;
  const auto leaves = [&](RootId id) {
    if (publication_.published(id) || publication_.bytes_published(id) || id == summary_.returned.base) return true;
    const llvm::Value* site = analysis_.roots[id].site;
    if (llvm::isa<llvm::AllocaInst>(site)) return false;  // it ends with the function
    const Cell cell = cells_.of(site);
    return !cell.valid() || visible(cell);
  };
  std::map<RootId, NodeId> objects;
  const auto note = [&](RootId id) {
    id = analysis_.roots.origin(id);
    if (analysis_.roots[id].kind != Root::Kind::kFresh) return;
    const Cell cell = cells_.of(analysis_.roots[id].site);
    objects[id] = cell.valid() ? graph.find_node(cell.node) : kNoNode;
  };
  std::vector<std::pair<Store, RootId>> copies;  // and where they go
  for (const Store& store : gathered_.stores) {
    const llvm::Instruction& at = *store.witness->at;
    const Derivation source = local_.resolve(store.source, at);
    const RootId into = analysis_.roots.origin(local_.resolve(store.target, at).base);
    note(source.base);
    note(into);
    // What is copied elsewhere is published, and the publication knows it.
    if (!store.contents || analysis_.roots[into].kind != Root::Kind::kFresh) continue;
    copies.emplace_back(store, into);
    copies.back().first.source = source;
  }
  std::set<RootId> found;
  for (const auto& [id, node] : objects) {
    if (leaves(id)) found.insert(id);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [copy, into] : copies) {
      if (!found.contains(into)) continue;
      if (copy.steps > 0) {  // the bytes of what the source leads to, which may be any of them
        for (const auto& [id, node] : objects) changed |= found.insert(id).second;
        continue;
      }
      const RootId from = analysis_.roots.origin(copy.source.base);
      if (analysis_.roots[from].kind == Root::Kind::kFresh) changed |= found.insert(from).second;
      if (analysis_.roots[copy.source.base].kind != Root::Kind::kLoad && from != kOtherRoot) continue;
      if (copy.apart || !copy.value.valid()) continue;
      const NodeId node = graph.find_node(copy.value.node);
      for (const auto& [id, other] : objects) {
        if (other == node) changed |= found.insert(id).second;
      }
    }
  }
  return found;
}

void Finisher::finish_stores() {
  leaving_ = find_leaving();
  std::map<RootId, std::size_t> count;
  for (const Store& store : gathered_.stores) {
    if (!store.publishes) ++count[store.source.base];
  }
  for (Store store : gathered_.stores) {
    const llvm::Instruction& at = *store.witness->at;
    const Store* const only = store.publishes ? nullptr : publication_.only_store(store.source.base);
    const bool unique = only != nullptr && only->witness == store.witness && only->value == store.value &&
                        store.source.base != summary_.returned.base;
    const RootId source_before = store.source.base;
    store.source = local_.resolve(store.source, at);
    store.target = local_.resolve(store.target, at);
    if (store.publishes) {
      const Root::Kind origin = analysis_.roots[analysis_.roots.origin(store.source.base)].kind;
      const bool unknown = origin == Root::Kind::kOther && !store.apart;
      if (origin != Root::Kind::kParam && !unknown) continue;
      const RootId into = analysis_.roots.origin(store.target.base);
      if ((store.contents || store.hands) && analysis_.roots[into].kind == Root::Kind::kFresh) {
        if (!leaving_.contains(into)) continue;
        if (into != summary_.returned.base || !store.hands) store.target = kAnywhere;
      }
      if (unknown) {
        finish_publishing(store);
      } else {
        emit_store(store);
      }
      continue;
    }
    const Root source = analysis_.roots[store.source.base];
    const Root target = analysis_.roots[store.target.base];
    const bool into_local = target.kind == Root::Kind::kFresh && llvm::isa<llvm::AllocaInst>(target.site) &&
                            !leaving_.contains(store.target.base);
    if (into_local || store.source.base == kNoRoot) continue;
    note_replaced(store.target, store.place);
    // A pointer that moves within one object is still owned by that object. Callers must know what stands there now.
    store.moves |= source.kind == Root::Kind::kLoad && source.parent == store.target.base &&
                   (target.kind == Root::Kind::kParam || target.kind == Root::Kind::kFresh);
    if (unique && source.kind == Root::Kind::kFresh && !llvm::isa<llvm::AllocaInst>(source.site)) {
      store.source = {kUniqueRoot, 0, true};
    } else if (source.kind == Root::Kind::kParam) {
      store.repeated |= count[source_before] > 1 || publication_.paths().lead(at, at, nullptr);
    } else if (source.kind == Root::Kind::kFresh && store.source.base == summary_.returned.base) {
      store.source = kAnywhere;
    }
    store.apart |= analysis_.roots[analysis_.roots.origin(store.source.base)].kind == Root::Kind::kFresh;
    store.source = escaping(store.source);
    store.target = escaping(store.target);
    emit_store(store);
  }
}

// Callers know what they have stored in the memory that they pass. Of a function that has much replaced, they know only
// in which objects: functions that call each other find ever longer ways there.
void Finisher::finish_replaced() {
  for (ReplacedWord word : gathered_.replaced) {
    word.at = local_.resolve(word.at, *word.by);
    note_replaced(word.at, word.place);
    if (analysis_.roots[analysis_.roots.origin(word.at.base)].kind != Root::Kind::kParam || !visible(word.place))
      continue;
    const auto known = [&](const ReplacedWord& other) { return other.same(word); };
    if (std::any_of(summary_.replaced.begin(), summary_.replaced.end(), known)) continue;
    if (summary_.replaced.size() < kMostReplaced) {
      summary_.replaced.push_back(word);
    } else {
      note_replaced(kAnywhere, word.place);
    }
  }
}

// What the value stands in: what it was loaded from, or what it is stored in alone; otherwise it stands for itself.
RootId Finisher::owner(RootId id) const {
  const Root& root = analysis_.roots[id];
  if (root.kind == Root::Kind::kLoad) return root.parent;
  if (!analysis_.roots.names_one_value(id)) return id;
  RootId found = kNoRoot;
  for (const Store& store : gathered_.stores) {
    if (store.publishes || store.source.base != id || store.target.base == id) continue;
    if (found != kNoRoot && found != store.target.base) return id;
    found = store.target.base;
  }
  return found == kNoRoot ? id : found;
}

bool Finisher::stored_here(RootId value) const {
  return std::any_of(gathered_.stores.begin(), gathered_.stores.end(),
                     [&](const Store& store) { return !store.publishes && store.source.base == value; });
}

// Is what a library's object keeps the property of the object's owner, as far as this function shows?
bool Finisher::kept_by_owner(const Store& keep) const {
  const RootId value = keep.source.base;
  const RootId holder = keep.target.base;
  const RootId whole = owner(holder);
  const auto same = [&](RootId other) { return other == whole && analysis_.roots.names_one_value(other); };
  const Root& root = analysis_.roots[value];
  const Root& origin = analysis_.roots[analysis_.roots.origin(value)];
  const bool from_local = origin.kind == Root::Kind::kFresh && llvm::isa<llvm::AllocaInst>(origin.site);
  if (root.kind == Root::Kind::kLoad && !from_local) return root.parent == holder || same(root.parent);
  if (root.kind != Root::Kind::kFresh && root.kind != Root::Kind::kParam && !from_local) return false;
  // What a library has put into the local variable, another one of its objects has as well.
  const bool put_there =
      std::any_of(gathered_.replaced.begin(), gathered_.replaced.end(),
                  [&](const ReplacedWord& word) { return word.at.base == analysis_.roots.origin(value); });
  if (from_local && put_there) return false;
  return std::all_of(gathered_.stores.begin(), gathered_.stores.end(),
                     [&](const Store& store) {
                       return store.publishes || store.source.base != value || store.target.base == holder ||
                              same(store.target.base);
                     }) &&
         std::all_of(gathered_.keeps.begin(), gathered_.keeps.end(), [&](const Store& other) {
           return other.source.base != value || other.target.base == holder || same(owner(other.target.base));
         });
}

// What is kept by an object that is not its owner's counts as stored there. Of a parameter, the callers know.
void Finisher::finish_keeps() {
  for (Store store : gathered_.keeps) {
    const bool owned = kept_by_owner(store);
    const bool ours = analysis_.roots[store.source.base].kind != Root::Kind::kParam || stored_here(store.source.base);
    if (owned && ours) continue;
    store.source = owned ? store.source : kAnywhere;
    store.target = owned ? escaping({owner(store.target.base), 0, false}) : kAnywhere;
    store.keeps = owned;
    emit_store(store);
  }
}

// Copying a structure stores the pointers in it a second time.
void Finisher::finish_copies() {
  const Graph& graph = analysis_.points_to.graph;
  for (const Graph::Copy& copy : unit_.copies) {
    const Cell source = graph.find(copy.source);
    if (copy.within || !visible(copy.target)) continue;
    const Range bytes = copy.bytes >= kFar ? graph.extent_to_end(source) : graph.extent(source, copy.bytes);
    for (const auto& [where, edge] : graph.node(source).edges) {
      if (!bytes.contains(plain_offset(where))) continue;
      for (const Cell target : edge.targets) {
        Store store;
        store.value = graph.find(target);
        store.place = graph.find(copy.target);
        store.number = is_number(where);
        store.apart = true;
        store.source = kAnywhere;
        store.target = kAnywhere;
        store.witness = analysis_.witnesses.add(function_.getEntryBlock().front());
        emit_store(store);
      }
    }
  }
}

// A descriptor that was opened here and goes nowhere but into events of one session belongs to that session, as if it
// had been stored in it.
bool Finisher::kept_with(const Registration& registration, const Derivation& descriptor,
                         const Derivation& session) const {
  if (!analysis_.roots.names_one_value(session.base) || descriptor.base == summary_.returned.base) return false;
  const Root& root = analysis_.roots[descriptor.base];
  if (root.kind != Root::Kind::kFresh || llvm::isa<llvm::AllocaInst>(root.site)) return false;
  const llvm::Instruction& at = *registration.witness->at;
  if (publication_.paths().lead(at, at, llvm::cast<llvm::Instruction>(root.site))) return false;
  const auto elsewhere = [&](const Store& store) {
    return store.source.base == descriptor.base && store.target.base != session.base && !store.hands;
  };
  const auto of_another = [&](const Registration& other) {
    const auto index = static_cast<std::size_t>(other.callback->session);
    const bool same = index < other.sources.size() && other.sources[index].base == session.base;
    return !same && std::any_of(other.sources.begin(), other.sources.end(),
                                [&](const Derivation& source) { return source.base == descriptor.base; });
  };
  const auto kept_elsewhere = [&](const Store& keep) {
    return keep.source.base == descriptor.base && owner(keep.target.base) != session.base;
  };
  return std::none_of(gathered_.stores.begin(), gathered_.stores.end(), elsewhere) &&
         std::none_of(gathered_.keeps.begin(), gathered_.keeps.end(), kept_elsewhere) &&
         std::none_of(summary_.registrations.begin(), summary_.registrations.end(), of_another);
}

void Finisher::finish_registrations() {
  for (Registration& registration : summary_.registrations) {
    const int session = registration.callback->session;
    const auto index = static_cast<std::size_t>(session);
    if (session < 0 || index >= registration.sources.size()) continue;
    const auto owned = [&](const Derivation& part, const Derivation& whole) {
      if (!analysis_.roots.names_one_value(part.base) || !analysis_.roots.names_one_value(whole.base)) return false;
      const Root root = analysis_.roots[part.base];
      if (part.base == whole.base || (root.kind == Root::Kind::kLoad && root.parent == whole.base)) return true;
      return std::any_of(gathered_.stores.begin(), gathered_.stores.end(), [&](const Store& store) {
        return !store.publishes && store.source.base == part.base && store.target.base == whole.base;
      });
    };
    const Derivation whole = registration.sources[index];
    registration.event_owned |= owned(registration.event_source, whole);
    for (std::size_t i = 0; i < registration.sources.size(); ++i) {
      const Parameter& parameter = registration.callback->parameters[i];
      const bool handed_back =
          parameter.kind == Parameter::Kind::kArgument || parameter.kind == Parameter::Kind::kReturned;
      if (handed_back && i != index && owned(registration.sources[i], whole)) registration.objects_owned |= 1U << i;
      if (parameter.kind != Parameter::Kind::kArgument || parameter.arg != registration.callback->descriptor) continue;
      registration.descriptor_owned |=
          owned(registration.sources[i], whole) ||
          (registration.event_owned && kept_with(registration, registration.sources[i], whole));
    }
  }
  // Only now, for the questions above compare registrations with each other.
  for (Registration& registration : summary_.registrations) {
    const int session = registration.callback->session;
    if (session < 0 || static_cast<std::size_t>(session) >= registration.sources.size()) continue;
    const llvm::Instruction& at = *registration.witness->at;
    for (Derivation& source : registration.sources) {
      source = local_.resolve(source, at);
      // Callers need to know that the session is the start of a block, not of which block.
      if (analysis_.roots[source.base].kind == Root::Kind::kFresh && source.base != summary_.returned.base) {
        source.base = kUniqueRoot;
      }
      if (analysis_.roots[analysis_.roots.origin(source.base)].kind == Root::Kind::kFresh &&
          analysis_.roots[source.base].kind == Root::Kind::kLoad) {
        source = kAnywhere;
      }
    }
    registration.event_source = escaping(registration.event_source);
  }
}

Derivation Finisher::finish_return() const {
  Derivation all;
  bool fresh_only = true;
  for (const llvm::BasicBlock& block : function_) {
    const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (leave == nullptr || leave->getReturnValue() == nullptr) continue;
    const Derivation here = local_.resolve(derivations_.of(leave->getReturnValue()), *leave);
    if (here.base == kNoRoot) continue;
    const Root root = analysis_.roots[here.base];
    const bool fresh = root.kind == Root::Kind::kFresh && !llvm::isa<llvm::AllocaInst>(root.site) &&
                       publication_.stores_of(here.base).empty() && !publication_.stored_unseen(here.base) &&
                       !publication_.published(here.base);
    fresh_only &= fresh;
    if (all.base != kNoRoot && fresh_only && here.exact == all.exact && here.distance == all.distance) continue;
    all = Roots::join(all, here);
  }
  if (analysis_.roots[analysis_.roots.origin(all.base)].kind == Root::Kind::kFresh && !fresh_only) return kAnywhere;
  return all;
}

// Rewrites the derivations of pooled calls into terms of this function's callers, as finish_access() does for accesses.
void Finisher::finish_pooled_calls() {
  for (auto& [at, call, given] : gathered_.pooled_calls) {
    const auto seen = [&](const Derivation& from, bool late) -> Derivation {
      const RootId judgement = local_.judged(from.base, late, kNoRoot, *at);
      if (judgement == kNoRoot || judgement == from.base) return judgement == kNoRoot ? Derivation{} : from;
      return {judgement, 0, false};
    };
    for (std::size_t i = 0; i < call.actuals.size(); ++i) {
      PooledActual& actual = call.actuals[i];
      const bool meanwhile = publication_.meanwhile(actual.early.base, *at, given[i]);
      const bool own =
          analysis_.roots[actual.late.base].kind == Root::Kind::kFresh && !publication_.published(actual.late.base);
      actual.early = seen(actual.early, actual.early_is_late || meanwhile);
      actual.late = own ? Derivation{} : seen(actual.late, true);
      actual.early_is_late |= analysis_.roots[actual.early.base].kind == Root::Kind::kParam &&
                              (publication_.after(actual.early.base, *at) || meanwhile);
      actual.through = local_.resolve(actual.through, *at);
      if (analysis_.roots[actual.through.base].kind == Root::Kind::kFresh) {
        actual.through.base = kUniqueRoot;  // callers need to know that it is the start of a block, not which
      } else if (analysis_.roots[analysis_.roots.origin(actual.through.base)].kind == Root::Kind::kFresh) {
        actual.through = kAnywhere;
      }
    }
    std::vector<PooledCall>& calls = summary_.pooled_calls;
    if (std::find(calls.begin(), calls.end(), call) != calls.end()) continue;
    const auto same = [&](const PooledCall& other) {
      return other.callee == call.callee && other.child == call.child && other.behind == call.behind;
    };
    if (std::count_if(calls.begin(), calls.end(), same) < kMostPooledCalls) {
      calls.push_back(std::move(call));
      continue;
    }
    PooledCall& known = *std::find_if(calls.begin(), calls.end(), same);
    for (std::size_t i = 0; i < known.actuals.size(); ++i) {
      PooledActual& all = known.actuals[i];
      const PooledActual& one = call.actuals[i];
      all.early = Roots::join(all.early, one.early);
      all.late = Roots::join(all.late, one.late);
      all.through = Roots::join(all.through, one.through);
      all.early_is_late |= one.early_is_late;
    }
  }
}

Summary Finisher::run() {
  summary_.registrations = std::move(gathered_.registrations);
  summary_.unknown = std::move(gathered_.unknown);
  summary_.calls = std::move(gathered_.calls);
  summary_.numbers = std::move(gathered_.numbers);
  summary_.escapes = unit_escapes_;
  for (const auto& [call, callee] : summary_.calls) {
    const auto known = analysis_.summaries.find(callee);
    if (known != analysis_.summaries.end() && known->second.escapes != nullptr &&
        known->second.escapes != unit_escapes_)
      *unit_escapes_ |= *known->second.escapes;
  }
  summary_.returned = finish_return();
  if (analysis_.roots[summary_.returned.base].kind == Root::Kind::kLoad &&
      analysis_.roots[analysis_.roots.origin(summary_.returned.base)].kind == Root::Kind::kFresh) {
    summary_.returned = kAnywhere;
  }
  for (const Access& access : gathered_.accesses) {
    if (access.extent == Extent::kVariadic) {
      finish_variadic(access);
    } else if (analysis_.roots[access.root].kind == Root::Kind::kVariadic) {
      emit(access);
    } else {
      finish_access(access);
    }
  }
  finish_registrations();
  finish_pooled_calls();
  finish_stores();
  finish_replaced();
  finish_keeps();
  if (unit_.members.front() == &function_) finish_copies();
  return std::move(summary_);
}

}  // namespace heddle::elyze
