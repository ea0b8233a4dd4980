#include "elyze/effects/local_memory.hpp"

#include <llvm/IR/Instructions.h>

#include "elyze/ir/addresses.hpp"

namespace heddle::elyze {
namespace {

constexpr int kMostLoads = 6;  // that are looked through, one behind the other

}  // namespace

Derivation LocalMemory::resolve(const Derivation& from, const llvm::Instruction& at) const {
  const Derivation to = resolve(from.base, at);
  if (to.base == kNoRoot || to.base == from.base) return from;
  return shifted_like(to, from);
}

Derivation LocalMemory::resolve(RootId id, const llvm::Instruction& at, int depth) const {
  const Derivation found = look_through(id, at, depth);
  return found.base == kUniqueRoot && id != kUniqueRoot ? kAnywhere : found;
}

Derivation LocalMemory::look_through(RootId id, const llvm::Instruction& at, int depth) const {
  const Root root = analysis_.roots[id];
  if (root.kind != Root::Kind::kLoad) return {id, 0, true};
  if (depth >= kMostLoads) return kAnywhere;
  Derivation parent = shifted(resolve(root.parent, at, depth + 1), root.offset);
  if (parent.base == kNoRoot) return kAnywhere;
  if (analysis_.roots[parent.base].kind == Root::Kind::kFresh) {
    if (!parent.exact) return kAnywhere;
    return forwarded(parent.base, parent.distance, at, depth + 1);
  }
  return {analysis_.roots.load(parent), 0, true};
}

Derivation LocalMemory::in_local(RootId local, Cell cell, Cell place, const Derivation& derived,
                                 const llvm::Instruction& at, int depth) const {
  if (derived.base == local) return derived;
  const Graph& graph = analysis_.points_to.graph;
  if (!place.valid() || graph.find_node(place.node) != cell.node) return {};
  // Not derived from the variable's own address: does it lead back to it over other local memory?
  const Derivation target = resolve(derived.base, at, depth);
  const Root::Kind kind = analysis_.roots[target.base].kind;
  if (target.base == local) return shifted_like(target, derived);
  if (kind == Root::Kind::kFresh || kind == Root::Kind::kParam) return {};
  return {local, 0, false};  // a pointer of unknown origin that may point here
}

// What may be loaded from `offset` of memory that only this function's own stores can have changed.
Derivation LocalMemory::forwarded(RootId local, std::int64_t offset, const llvm::Instruction& at, int depth,
                                  bool optimistic) const {
  const Graph& graph = analysis_.points_to.graph;
  if (depth >= kMostLoads || publication_.published(local)) return kAnywhere;
  const Cell cell = graph.find(cells_.of(analysis_.roots[local].site));
  if ((graph.node(cell).flags & kReplaced) || publication_.replaced(cell.node)) return kAnywhere;
  for (const Graph::Copy& copy : unit_.copies) {
    const Cell target = graph.find(copy.target);
    if (target.node != cell.node) continue;
    const std::int64_t start = target.offset - cell.offset;
    const bool apart = copy.bytes < kFar && !graph.walked_at(target) && !graph.walked_at(cell) &&
                       (start + copy.bytes <= offset || offset + kPointerBytes <= start);
    if (!apart) return kAnywhere;
  }
  for (const ReplacedWord& word : gathered_.replaced) {
    const Derivation target = in_local(local, cell, word.place, word.at, at, depth + 1);
    if (target.base == kNoRoot) continue;
    if (!target.exact || (target.distance < offset + kPointerBytes && offset < target.distance + kPointerBytes))
      return kAnywhere;
  }
  Derivation all;
  bool moved_on = false;
  for (const Store& store : gathered_.stores) {
    if (store.publishes) continue;
    const Derivation target = in_local(local, cell, store.place, store.target, at, depth + 1);
    if (target.base == kNoRoot) continue;
    if (!target.exact) return kAnywhere;
    if (target.distance != offset) continue;
    if (store.source.base == kUniqueRoot) {
      const bool seen =
          publication_.contents_published(local) || publication_.node_published(graph.find_node(store.value.node));
      all = Roots::join(all, seen ? kAnywhere : Derivation{kUniqueRoot, 0, true});
      continue;
    }
    // A pointer that is moved on where it stands (`*cursor += n`) leads to what it led to before.
    const Root& moved = analysis_.roots[store.source.base];
    if (moved.kind == Root::Kind::kLoad && moved.parent == local && moved.offset == offset) {
      moved_on |= !store.source.exact || store.source.distance != 0;
      continue;
    }
    Derivation source = resolve(store.source.base, at, depth + 1);
    if (source.base != kNoRoot) source = shifted_like(source, store.source);
    // A block stored in an earlier iteration of a loop is not the one that the allocation has made since.
    const Root origin = analysis_.roots[analysis_.roots.origin(source.base)];
    const auto* made = origin.kind == Root::Kind::kFresh ? llvm::dyn_cast<llvm::Instruction>(origin.site) : nullptr;
    if (made != nullptr && !llvm::isa<llvm::AllocaInst>(made) && made->getFunction() == &function_ &&
        publication_.paths().lead(*store.witness->at, *made, nullptr) &&
        publication_.paths().lead(*made, at, store.witness->at)) {
      source = kAnywhere;
    }
    all = Roots::join(all, source);
  }
  if (moved_on && all.base != kNoRoot) all = {all.base, 0, false};
  return all.base == kNoRoot && !optimistic ? kAnywhere : all;
}

RootId LocalMemory::judged(RootId id, bool late, RootId given, const llvm::Instruction& at) const {
  for (int step = 0; step < kMostLoads; ++step) {
    id = look_through(id, at, 0).base;
    // A block that a callee has made and stored only in an object which nobody else can see yet.
    if (id == kUniqueRoot) return late ? kOtherRoot : kNoRoot;
    const Root root = analysis_.roots[id];
    if (root.kind != Root::Kind::kFresh)
      return analysis_.roots[analysis_.roots.origin(id)].kind == Root::Kind::kFresh ? kOtherRoot : id;
    if (!late && !publication_.after(id, at) && !publication_.meanwhile(id, at, given)) return kNoRoot;
    const Store* store = publication_.only_store(id);
    if (store == nullptr || !store->target.exact || store->source.distance != 0) return kOtherRoot;
    // Callers know the published block as what is loaded from the one place that it is stored in.
    id = analysis_.roots.load(store->target);
  }
  return kOtherRoot;
}

}  // namespace heddle::elyze
