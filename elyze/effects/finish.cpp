// What is decided once all effects of a function are known: see collect.hpp.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <set>

#include "elyze/effects/collect.hpp"

namespace heddle::elyze {
namespace {

constexpr Derivation kOther{kOtherRoot, 0, true};
constexpr int kDeepest = 6;
constexpr std::int64_t kPointerBytes = 8;

}  // namespace

bool Collector::shared(Cell cell) const { return (analysis_.points_to.graph.node(cell).flags & kShared) != 0; }

bool Collector::visible(Cell cell) const {
  const NodeId node = analysis_.points_to.graph.find_node(cell.node);
  return shared(cell) || (node < visible_.size() && visible_[node]);
}

// ---- looking through local memory ----

Derivation Collector::resolve(const Derivation& from, const llvm::Instruction& at,
                              const Publication& publication) const {
  const Derivation to = resolve(from.base, at, publication);
  if (to.base == kNoRoot || to.base == from.base) return from;
  return from.exact ? shifted(to, from.distance) : Derivation{to.base, 0, false};
}

Derivation Collector::resolve(RootId id, const llvm::Instruction& at, const Publication& publication, int depth) const {
  const Derivation found = look_through(id, at, publication, depth);
  return found.base == kUniqueRoot && id != kUniqueRoot ? kOther : found;
}

Derivation Collector::look_through(RootId id, const llvm::Instruction& at, const Publication& publication,
                                   int depth) const {
  const Root root = analysis_.roots[id];
  if (root.kind != Root::Kind::kLoad) return {id, 0, true};
  if (depth >= kDeepest) return kOther;
  Derivation parent = shifted(resolve(root.parent, at, publication, depth + 1), root.offset);
  if (parent.base == kNoRoot) return kOther;
  if (analysis_.roots[parent.base].kind == Root::Kind::kFresh) {
    if (!parent.exact) return kOther;
    return forwarded(parent.base, parent.distance, at, publication, depth + 1);
  }
  return {analysis_.roots.load(parent), 0, true};
}

// What may be loaded from `offset` of memory that only this function's own stores can have changed.
Derivation Collector::forwarded(RootId local, std::int64_t offset, const llvm::Instruction& at,
                                const Publication& publication, int depth, bool optimistic) const {
  const Graph& graph = analysis_.points_to.graph;
  if (depth >= kDeepest || publication.published(local)) return kOther;
  const Cell cell = graph.find(cells_.cell(analysis_.roots[local].site));
  for (const Graph::Copy& copy : unit_.copies) {
    const Cell target = graph.find(copy.target);
    if (target.node != cell.node) continue;
    const std::int64_t start = target.offset - cell.offset;
    const bool apart = copy.bytes < kFar && !graph.walked_at(target) && !graph.walked_at(cell) &&
                       (start + copy.bytes <= offset || offset + kPointerBytes <= start);
    if (!apart) return kOther;
  }
  Derivation all;
  for (const Store& store : stores_) {
    if (store.publishes) continue;
    Derivation target = store.target;
    if (target.base != local) {
      const bool elsewhere = !store.place.valid() || graph.find_node(store.place.node) != cell.node;
      if (elsewhere) continue;
      // Not derived from the variable's own address: does it lead back to it over other local memory?
      target = resolve(store.target.base, at, publication, depth + 1);
      const Root::Kind kind = analysis_.roots[target.base].kind;
      if (target.base != local && (kind == Root::Kind::kFresh || kind == Root::Kind::kParam)) continue;
      if (target.base != local) return kOther;  // a pointer of unknown origin that may point here
      target = store.target.exact ? shifted(target, store.target.distance) : Derivation{local, 0, false};
    }
    if (!target.exact) return kOther;
    if (target.distance != offset) continue;
    if (store.source.base == kUniqueRoot) {
      all = Roots::join(all, {kUniqueRoot, 0, true});
      continue;
    }
    Derivation source = resolve(store.source.base, at, publication, depth + 1);
    if (source.base != kNoRoot) {
      source = store.source.exact ? shifted(source, store.source.distance) : Derivation{source.base, 0, false};
    }
    // A block stored in an earlier round of a loop is not the one that the allocation has made since.
    const Root origin = analysis_.roots[analysis_.roots.origin(source.base)];
    const auto* made = origin.kind == Root::Kind::kFresh ? llvm::dyn_cast<llvm::Instruction>(origin.site) : nullptr;
    if (made != nullptr && !llvm::isa<llvm::AllocaInst>(made) && made->getFunction() == &function_ &&
        reachable(*store.witness->at, *made, nullptr) && reachable(*made, at, store.witness->at)) {
      source = kOther;
    }
    all = Roots::join(all, source);
  }
  return all.base == kNoRoot && !optimistic ? kOther : all;
}

RootId Collector::judged(RootId id, bool late, const llvm::Instruction& at, const Publication& publication) const {
  for (int step = 0; step < kDeepest; ++step) {
    id = look_through(id, at, publication, 0).base;
    // A block that a callee has made for an object that nobody else can see, where it is kept and nowhere else.
    if (id == kUniqueRoot) return late ? kOtherRoot : kNoRoot;
    const Root root = analysis_.roots[id];
    if (root.kind != Root::Kind::kFresh)
      return analysis_.roots[analysis_.roots.origin(id)].kind == Root::Kind::kFresh ? kOtherRoot : id;
    if (!late && !publication.after(id, at)) return kNoRoot;
    const Store* store = publication.only_store(id);
    if (store == nullptr || !store->target.exact || store->source.distance != 0) return kOtherRoot;
    // From now on it is what can be loaded from the one place it is stored in.
    id = analysis_.roots.load(store->target);
  }
  return kOtherRoot;
}

// ---- accesses ----

void Collector::emit(const Access& access) {
  if (!emitted_.insert(access).second) return;
  note_number(access);
  const bool settled = shared(access.cell) && analysis_.roots.resolved(access.root);
  (settled ? summary_.settled : summary_.open).push_back(access);
}

void Collector::finish_access(Access access, const Publication& publication) {
  const llvm::Instruction& at = *access.witness->at;
  const RootId original = access.root;
  if (access.extent == Extent::kReach) {
    finish_reach(access, publication);
    return;
  }
  access.root = judged(original, access.late, at, publication);
  if (access.root == kNoRoot || !visible(access.cell)) return;
  access.late = is_late(access, at, publication);
  emit(access);
}

// What a parameter leads to can be found by others as soon as the parameter can.
bool Collector::is_late(const Access& access, const llvm::Instruction& at, const Publication& publication) const {
  const RootId origin = analysis_.roots.origin(access.root);
  return analysis_.roots[origin].kind == Root::Kind::kParam && (access.late || publication.after(origin, at));
}

// An access to everything reachable from memory of this function only: what is stored in that memory has its own root.
void Collector::finish_reach(const Access& first, const Publication& publication) {
  const Graph& graph = analysis_.points_to.graph;
  const llvm::Instruction& at = *first.witness->at;
  std::vector<Access> work{first};
  std::set<std::pair<NodeId, RootId>> seen;
  std::set<NodeId> covered;
  std::set<NodeId> inside;
  while (!work.empty()) {
    Access access = work.back();
    work.pop_back();
    access.root = resolve(access.root, at, publication).base;
    access.cell = graph.find(access.cell);
    if (!seen.insert({access.cell.node, access.root}).second) continue;
    const RootId judgement = judged(access.root, access.late, at, publication);
    if (judgement != kNoRoot) {
      access.root = judgement;
      access.late = is_late(access, at, publication);
      covered.insert(access.cell.node);
      if (visible(access.cell)) emit(access);
      if (visible(access.cell)) continue;
    }
    // Still private to this invocation: follow what was stored in it.
    if (access.extent != Extent::kReach) continue;
    inside.insert(access.cell.node);
    for (const Store& store : stores_) {
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
  // Whatever else is reachable from there came on ways that were not followed.
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

void Collector::finish_unfollowed(const Access& first, Cell from, const std::set<NodeId>& covered,
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

void Collector::finish_variadic(const Access& access, const Publication& publication) {
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
    // Which these are, each caller knows: it replaces the cell.
    read.cell = values;
    read.root = kVariadicRoot;
    emit(read);
    return;
  }
  read.root = kOtherRoot;
  for (const auto& [where, edge] : graph.node(values).edges) {
    for (const Cell target : edge.targets) {
      read.cell = graph.find(target);
      finish_access(read, publication);
    }
  }
}

// ---- stores, registrations, the result ----

// A root that means something to callers.
Derivation Collector::escaping(const Derivation& from) const {
  const RootId origin = analysis_.roots.origin(from.base);
  if (analysis_.roots[origin].kind != Root::Kind::kFresh || origin == summary_.returned.base) return from;
  return kOther;
}

void Collector::emit_store(Store store) {
  if (!store.publishes && !visible(store.value)) return;
  auto& list = !store.publishes && shared(store.value) && analysis_.roots.resolved(store.source.base)
                   ? summary_.settled_stores
                   : summary_.open_stores;
  for (Store& known : list) {
    if (known.value != store.value || known.source != store.source || known.target != store.target ||
        known.publishes != store.publishes || known.owner_at != store.owner_at || known.place != store.place) {
      continue;
    }
    // Each call of a function that stores what it allocates stores another block.
    const bool elsewhere = known.witness->at != store.witness->at || known.witness->callee != store.witness->callee;
    if (elsewhere && store.source.base != kUniqueRoot) known.repeated = true;
    return;
  }
  list.push_back(store);
}

void Collector::finish_stores(const Publication& publication) {
  std::map<RootId, std::size_t> count;
  for (const Store& store : stores_) {
    if (!store.publishes) ++count[store.source.base];
  }
  for (Store store : stores_) {
    const llvm::Instruction& at = *store.witness->at;
    const Store* const only = store.publishes ? nullptr : publication.only_store(store.source.base);
    const bool unique = only != nullptr && only->witness == store.witness && only->value == store.value &&
                        store.source.base != summary_.returned.base;
    const RootId source_before = store.source.base;
    store.source = resolve(store.source, at, publication);
    store.target = resolve(store.target, at, publication);
    if (store.publishes) {
      if (analysis_.roots[analysis_.roots.origin(store.source.base)].kind == Root::Kind::kParam) emit_store(store);
      continue;
    }
    const Root source = analysis_.roots[store.source.base];
    const Root target = analysis_.roots[store.target.base];
    const bool into_local = target.kind == Root::Kind::kFresh && llvm::isa<llvm::AllocaInst>(target.site) &&
                            !publication.published(store.target.base);
    if (into_local || store.source.base == kNoRoot) continue;
    // From one place of an object to another of the same object: still owned by it.
    if (source.kind == Root::Kind::kLoad && source.parent == store.target.base &&
        (target.kind == Root::Kind::kParam || target.kind == Root::Kind::kFresh)) {
      continue;
    }
    if (unique && source.kind == Root::Kind::kFresh && !llvm::isa<llvm::AllocaInst>(source.site)) {
      store.source = {kUniqueRoot, 0, true};
    } else if (source.kind == Root::Kind::kParam) {
      store.repeated |= count[source_before] > 1 || reachable(at, at, nullptr);
    } else if (source.kind == Root::Kind::kFresh && store.source.base == summary_.returned.base) {
      store.source = kOther;
    }
    store.source = escaping(store.source);
    store.target = escaping(store.target);
    emit_store(store);
  }
}

// Moving a structure moves the pointers in it.
void Collector::finish_copies() {
  const Graph& graph = analysis_.points_to.graph;
  for (const Graph::Copy& copy : unit_.copies) {
    const Cell source = graph.find(copy.source);
    if (!visible(copy.target)) continue;
    const Range bytes = copy.bytes >= kFar ? graph.extent_to_end(source) : graph.extent(source, copy.bytes);
    for (const auto& [where, edge] : graph.node(source).edges) {
      if (!bytes.contains(plain_offset(where))) continue;
      for (const Cell target : edge.targets) {
        Store store;
        store.value = graph.find(target);
        store.place = graph.find(copy.target);
        store.number = is_number(where);
        store.source = kOther;
        store.target = kOther;
        store.witness = analysis_.witnesses.add(function_.getEntryBlock().front());
        emit_store(store);
      }
    }
  }
}

// A descriptor that was opened here and goes nowhere but into events of one session belongs to that session, as if it
// had been stored in it.
bool Collector::kept_with(const Registration& registration, const Derivation& descriptor,
                          const Derivation& session) const {
  if (descriptor.base == kNoRoot || descriptor.base == summary_.returned.base) return false;
  const Root& root = analysis_.roots[descriptor.base];
  if (root.kind != Root::Kind::kFresh || llvm::isa<llvm::AllocaInst>(root.site)) return false;
  const llvm::Instruction& at = *registration.witness->at;
  if (reachable(at, at, llvm::cast<llvm::Instruction>(root.site))) return false;
  const auto elsewhere = [&](const Store& store) {
    return store.source.base == descriptor.base && store.target.base != session.base;
  };
  const auto of_another = [&](const Registration& other) {
    const auto index = static_cast<std::size_t>(other.callback->session);
    const bool same = index < other.sources.size() && other.sources[index].base == session.base;
    return !same && std::any_of(other.sources.begin(), other.sources.end(),
                                [&](const Derivation& source) { return source.base == descriptor.base; });
  };
  return std::none_of(stores_.begin(), stores_.end(), elsewhere) &&
         std::none_of(summary_.registrations.begin(), summary_.registrations.end(), of_another);
}

void Collector::finish_registrations(const Publication& publication) {
  for (Registration& registration : summary_.registrations) {
    const int session = registration.callback->session;
    const auto index = static_cast<std::size_t>(session);
    if (session < 0 || index >= registration.sources.size()) continue;
    const auto owned = [&](const Derivation& part, const Derivation& whole) {
      if (part.base == kNoRoot || whole.base == kNoRoot || whole.base == kOtherRoot || whole.base == kGlobalRoot)
        return false;
      const Root root = analysis_.roots[part.base];
      if (part.base == whole.base || (root.kind == Root::Kind::kLoad && root.parent == whole.base)) return true;
      return std::any_of(stores_.begin(), stores_.end(), [&](const Store& store) {
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
      source = resolve(source, at, publication);
      // Callers need to know that it is the start of a block, not which.
      if (analysis_.roots[source.base].kind == Root::Kind::kFresh && source.base != summary_.returned.base) {
        source.base = kUniqueRoot;
      }
      if (analysis_.roots[analysis_.roots.origin(source.base)].kind == Root::Kind::kFresh &&
          analysis_.roots[source.base].kind == Root::Kind::kLoad) {
        source = kOther;
      }
    }
    registration.event_source = escaping(registration.event_source);
  }
}

Derivation Collector::finish_return(const Publication& publication) const {
  Derivation all;
  bool fresh_only = true;
  for (const llvm::BasicBlock& block : function_) {
    const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (leave == nullptr || leave->getReturnValue() == nullptr) continue;
    const Derivation here = resolve(derivation(leave->getReturnValue()), *leave, publication);
    if (here.base == kNoRoot) continue;
    const Root root = analysis_.roots[here.base];
    const bool fresh = root.kind == Root::Kind::kFresh && !llvm::isa<llvm::AllocaInst>(root.site) &&
                       publication.stores_of(here.base).empty() && !publication.published(here.base);
    fresh_only &= fresh;
    if (all.base != kNoRoot && fresh_only && here.exact == all.exact && here.distance == all.distance) continue;
    all = Roots::join(all, here);
  }
  if (analysis_.roots[analysis_.roots.origin(all.base)].kind == Root::Kind::kFresh && !fresh_only) return kOther;
  return all;
}

// What loads from local variables give, now that all stores are known. True if that changes a derivation.
bool Collector::learn_locals(const Publication& publication) {
  bool changed = false;
  for (const llvm::Instruction& instruction : llvm::instructions(function_)) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load == nullptr || !load->getType()->isPointerTy()) continue;
    const Derivation from = derivation(load->getPointerOperand());
    const Root root = analysis_.roots[from.base];
    if (root.kind != Root::Kind::kFresh || !llvm::isa<llvm::AllocaInst>(root.site)) continue;
    Derivation now = from.exact ? forwarded(from.base, from.distance, instruction, publication, 0, true) : kOther;
    if (now.base == kUniqueRoot) now = kOther;
    Derivation& known = local_loads_[load];
    const Derivation next = Roots::join(known, now);
    changed |= !(next == known);
    known = next;
  }
  return changed;
}

bool Collector::give_up_on_empty_locals() {
  bool changed = false;
  for (auto& [load, known] : local_loads_) {
    if (known.base != kNoRoot) continue;
    known = kOther;
    changed = true;
  }
  return changed;
}

void Collector::finish(const Publication& publication) {
  summary_.returned = finish_return(publication);
  if (analysis_.roots[summary_.returned.base].kind == Root::Kind::kLoad &&
      analysis_.roots[analysis_.roots.origin(summary_.returned.base)].kind == Root::Kind::kFresh) {
    summary_.returned = kOther;
  }
  for (const Access& access : accesses_) {
    if (access.extent == Extent::kVariadic) {
      finish_variadic(access, publication);
    } else if (analysis_.roots[access.root].kind == Root::Kind::kVariadic) {
      emit(access);
    } else {
      finish_access(access, publication);
    }
  }
  finish_registrations(publication);
  finish_pooled_calls(publication);
  finish_stores(publication);
  if (unit_.members.front() == &function_) finish_copies();
}

}  // namespace heddle::elyze
