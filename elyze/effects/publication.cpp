#include "elyze/effects/publication.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace heddle::elyze {

namespace {

// Where control goes when the call `from` has failed (its result is not 0), if its block ends by testing just that.
const llvm::BasicBlock* failure_branch(const llvm::Instruction& from) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&from);
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from.getParent()->getTerminator());
  if (call == nullptr || branch == nullptr || !branch->isConditional()) return nullptr;
  const auto* test = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (test == nullptr || !test->isEquality() || test->getOperand(0) != call) return nullptr;
  const auto* zero = llvm::dyn_cast<llvm::ConstantInt>(test->getOperand(1));
  if (zero == nullptr || !zero->isZero() || branch->getSuccessor(0) == branch->getSuccessor(1)) return nullptr;
  return branch->getSuccessor(test->getPredicate() == llvm::CmpInst::ICMP_EQ ? 1 : 0);
}

}  // namespace

Paths::Paths(const llvm::Function& function) {
  if (!function.callsFunctionThatReturnsTwice()) return;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || !call->hasFnAttr(llvm::Attribute::ReturnsTwice)) continue;
    back_ = call->getParent();
    return;
  }
}

bool Paths::lead(const llvm::Instruction& from, const llvm::Instruction& to, const llvm::Instruction* avoiding,
                 bool after_success) const {
  const llvm::BasicBlock* start = from.getParent();
  const bool avoid_here = avoiding != nullptr && avoiding->getParent() == start && from.comesBefore(avoiding);
  if (to.getParent() == start && from.comesBefore(&to)) return !(avoid_here && avoiding->comesBefore(&to));
  if (avoid_here) return false;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> seen;
  std::vector<const llvm::BasicBlock*> work(llvm::succ_begin(start), llvm::succ_end(start));
  if (back_ != nullptr) work.push_back(back_);
  if (after_success) std::erase(work, failure_branch(from));
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    if (!seen.insert(block).second) continue;
    const bool blocked = avoiding != nullptr && avoiding->getParent() == block;
    if (to.getParent() == block && !(blocked && avoiding->comesBefore(&to))) return true;
    if (!blocked) work.insert(work.end(), llvm::succ_begin(block), llvm::succ_end(block));
  }
  return false;
}

namespace {

bool trackable(const Root& root) { return root.kind == Root::Kind::kFresh || root.kind == Root::Kind::kParam; }

}  // namespace

Publication::Publication(const llvm::Function& function, const Roots& roots, const std::vector<Store>& stores)
    : paths_(function), roots_(roots) {
  std::vector<Contents> copied;
  for (const Store& store : stores) {
    const llvm::Instruction* at = store.witness->at;
    const RootId value = store.source.base;
    if (store.contents) {
      note_contents(store, copied);
      continue;
    }
    if (store.publishes) {
      // Publishing an event that was loaded from an object publishes the object.
      const RootId origin = roots.origin(value);
      if (store.owner_at && (origin == value || roots[value].offset != *store.owner_at)) continue;
      if (!trackable(roots[origin])) continue;
      published_[origin].insert(at);
      // A library call that fails has published nothing, if its spec says how to tell.
      if (store.undone && store.witness->callee == nullptr) publishes_alone_.insert({origin, at});
      continue;
    }
    const RootId origin = roots.origin(value);
    if (origin != value && roots[origin].kind == Root::Kind::kFresh) {
      // A pointer that was loaded through the object escapes. It may point to anything that is linked into the object.
      if (store.target.base != origin && !store.number) published_[origin].insert(at);
      continue;
    }
    if (!trackable(roots[value]) || store.target.base == value || store.target.base == kNoRoot) continue;
    stores_[value].push_back(&store);
    if (roots[store.target.base].kind == Root::Kind::kFresh) {
      links_[value].push_back({store.target.base, at});
    } else {
      published_[value].insert(at);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Contents& copy : copied) changed |= follow(copy);
    changed |= publish_with_owners();
  }
}

void Publication::note_contents(const Store& store, std::vector<Contents>& copied) const {
  const RootId from = roots_.origin(store.source.base);
  if (!trackable(roots_[from]) || store.target.base == store.source.base) return;
  int steps = store.steps;
  for (RootId at = store.source.base; at != from; at = roots_[at].parent) ++steps;
  copied.push_back({from, from != store.source.base, steps, store.target.base, store.witness->at});
}

// Links what is linked into the source of a copy into its target as well. True if that is new.
bool Publication::follow(const Contents& copy) {
  std::set<RootId> sources{copy.from};  // whose bytes are copied
  std::set<RootId> moved;
  std::set<RootId> seen;
  std::set<RootId> level{copy.from};
  for (int step = 0; !level.empty() && (copy.deep || step <= copy.steps); ++step) {
    std::set<RootId> next;
    for (const auto& [value, into] : links_) {
      const bool linked =
          std::any_of(into.begin(), into.end(), [&](const Link& link) { return level.contains(link.into); });
      if (linked && (step < copy.steps || seen.insert(value).second)) next.insert(value);
    }
    if (step >= copy.steps) {
      sources.insert(level.begin(), level.end());
      moved.insert(next.begin(), next.end());
    }
    level = std::move(next);
  }
  bool changed = false;
  const auto publish = [&](const llvm::Instruction* at) {
    for (const RootId source : sources) changed |= contents_published_[source].insert(at).second;
  };
  if (roots_[copy.into].kind != Root::Kind::kFresh) {
    publish(copy.at);
    for (const RootId value : moved) {
      changed |= published_[value].insert(copy.at).second;
      publishes_alone_.erase({value, copy.at});
    }
    return changed;
  }
  for (const RootId value : moved) {
    std::vector<Link>& into = links_[value];
    const auto known = [&](const Link& link) { return link.into == copy.into && link.at == copy.at; };
    if (value == copy.into || std::any_of(into.begin(), into.end(), known)) continue;
    into.push_back({copy.into, copy.at});
    changed = true;
  }
  const auto owner = published_.find(copy.into);
  if (owner == published_.end()) return changed;
  for (const llvm::Instruction* publisher : std::set(owner->second)) publish(publisher);
  const auto unknown = [&](RootId source) { return !contents_published_[source].contains(copy.at); };
  if (std::any_of(sources.begin(), sources.end(), unknown) && after(copy.into, *copy.at)) publish(copy.at);
  return changed;
}

bool Publication::publish_with_owners() {
  bool any = false;
  for (bool changed = true; changed; any |= changed) {
    changed = false;
    for (const auto& [value, into] : links_) {
      for (const Link& link : into) {
        const auto owner = published_.find(link.into);
        if (owner == published_.end()) continue;
        const std::set<const llvm::Instruction*> owner_at = owner->second;
        std::set<const llvm::Instruction*>& mine = published_[value];
        const std::size_t before = mine.size();
        for (const llvm::Instruction* publisher : owner_at) {
          const bool alone = publishes_alone_.count({link.into, publisher}) != 0;
          if (mine.insert(publisher).second && alone) publishes_alone_.insert({value, publisher});
          if (!alone) publishes_alone_.erase({value, publisher});
        }
        // Linked into an object that others can see already: the link itself publishes.
        if (!(mine.contains(link.at) && !publishes_alone_.contains({value, link.at})) && after(link.into, *link.at)) {
          mine.insert(link.at);
          publishes_alone_.erase({value, link.at});
        }
        changed |= mine.size() != before;
      }
    }
  }
  return any;
}

bool Publication::contents_after(RootId root, const llvm::Instruction& at) const {
  const auto place = contents_published_.find(root);
  if (place == contents_published_.end()) return false;
  return std::any_of(place->second.begin(), place->second.end(),
                     [&](const llvm::Instruction* publisher) { return paths_.lead(*publisher, at, nullptr); });
}

bool Publication::after(RootId root, const llvm::Instruction& at) const {
  const auto place = published_.find(root);
  if (place == published_.end()) return false;
  const auto* made = llvm::dyn_cast_or_null<llvm::Instruction>(roots_[root].site);
  for (const llvm::Instruction* publisher : place->second) {
    if (paths_.lead(*publisher, at, made, publishes_alone_.count({root, publisher}) != 0)) return true;
  }
  return false;
}

const std::vector<const Store*>& Publication::stores_of(RootId root) const {
  static const std::vector<const Store*> none;
  const auto place = stores_.find(root);
  return place == stores_.end() ? none : place->second;
}

const Store* Publication::only_store(RootId root) const {
  const std::vector<const Store*>& all = stores_of(root);
  if (all.size() != 1 || all.front()->repeated) return nullptr;
  const llvm::Instruction& at = *all.front()->witness->at;
  const auto* made = llvm::dyn_cast_or_null<llvm::Instruction>(roots_[root].site);
  if (made == nullptr || paths_.lead(at, at, made)) return nullptr;
  return all.front();
}

}  // namespace heddle::elyze
