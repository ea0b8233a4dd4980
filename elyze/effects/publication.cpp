#include "elyze/effects/publication.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace heddle::elyze {

namespace {

// Of pointers without derivation, from the objects at one node; beyond that, what is linked counts as published.
constexpr std::size_t kMostLinks = 4096;

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
    if (call != nullptr && call->hasFnAttr(llvm::Attribute::ReturnsTwice)) back_.push_back(call);
  }
}

namespace {

// Does `from` come before `to` in one block, and `avoiding` not between them?
bool straight(const llvm::Instruction& from, const llvm::Instruction& to, const llvm::Instruction* avoiding) {
  if (from.getParent() != to.getParent() || !from.comesBefore(&to)) return false;
  return avoiding == nullptr || avoiding->getParent() != from.getParent() || !from.comesBefore(avoiding) ||
         !avoiding->comesBefore(&to);
}

// Does control leave the block behind `from` without executing `avoiding`?
bool leaves(const llvm::Instruction& from, const llvm::Instruction* avoiding) {
  return avoiding == nullptr || avoiding->getParent() != from.getParent() || !from.comesBefore(avoiding);
}

}  // namespace

bool Paths::jumps_back_to(const llvm::Instruction& to, const llvm::Instruction* avoiding) const {
  return std::any_of(back_.begin(), back_.end(), [&](const auto* back) { return straight(*back, to, avoiding); });
}

bool Paths::lead(const llvm::Instruction& from, const llvm::Instruction& to, const llvm::Instruction* avoiding,
                 bool after_success) const {
  if (straight(from, to, avoiding) || jumps_back_to(to, avoiding)) return true;
  Blocks seen;
  enter(from, avoiding, after_success, seen);
  const bool blocked = avoiding != nullptr && avoiding->getParent() == to.getParent() && avoiding->comesBefore(&to);
  return seen.contains(to.getParent()) && !blocked;
}

void Paths::enter(const llvm::Instruction& from, const llvm::Instruction* avoiding, bool after_success,
                  Blocks& seen) const {
  std::vector<const llvm::BasicBlock*> work;
  const auto go_on = [&](const llvm::Instruction& behind) {
    const llvm::BasicBlock* block = behind.getParent();
    if (leaves(behind, avoiding)) work.insert(work.end(), llvm::succ_begin(block), llvm::succ_end(block));
  };
  go_on(from);
  if (after_success) std::erase(work, failure_branch(from));
  for (const llvm::Instruction* back : back_) go_on(*back);
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    if (!seen.insert(block).second) continue;
    const bool blocked = avoiding != nullptr && avoiding->getParent() == block;
    if (!blocked) work.insert(work.end(), llvm::succ_begin(block), llvm::succ_end(block));
  }
}

namespace {

bool trackable(const Root& root) { return root.kind == Root::Kind::kFresh || root.kind == Root::Kind::kParam; }

// What a store does with its value.
enum class Act : std::uint8_t {
  kKeep,     // puts it somewhere: links it into a fresh object, or publishes it
  kPublish,  // publishes the object that it points to, without keeping it
  kHand,     // gives it to a library's object: others use it as soon as they know that
  kOwner,    // publishes what it was loaded from, at one offset
  kCopy,     // puts the pointers in what it points to somewhere
};

// What the derivation of a value proves of the objects that it may point to.
enum class Proof : std::uint8_t {
  kNone,     // there are none, or only such as a callee has made, or that stay in the object that they were in
  kObject,   // it is one that the function has allocated or was given
  kInside,   // it was loaded through one that the function has allocated: it is linked into that, or anything
  kSeen,     // it was loaded from what others see, so it is one that others see already
  kNothing,  // it may be any at its node
};

// Which objects a store publishes or links, as far as the place that it goes to shows it.
struct Rule {
  bool object;  // the one that the derivation begins at
  bool node;    // all those at the node of the value
};

// By Act and Proof. Whatever is not proven counts for each object at the node. What is loaded through a fresh object
// and goes elsewhere publishes the whole object as well, with all that is linked into it. An object that was published
// stays so: what was loaded from it does not have to publish it once more. The caller knows what its own objects lead
// to, so for those the derivation from a parameter counts.
constexpr std::array<std::array<Rule, 5>, 5> kRules = {{
    //            kNone           kObject        kInside        kSeen           kNothing
    /* kKeep */ {{{false, false}, {true, false}, {true, true}, {false, false}, {false, true}}},
    /* kPublish */ {{{false, false}, {true, false}, {true, true}, {true, false}, {false, true}}},
    /* kHand */ {{{false, false}, {true, false}, {false, true}, {false, false}, {false, true}}},
    /* kOwner */ {{{false, false}, {false, false}, {true, false}, {true, false}, {false, true}}},
    /* kCopy */ {{{false, false}, {true, false}, {true, false}, {true, false}, {false, true}}},
}};

Act act_of(const Store& store) {
  if (store.contents) return Act::kCopy;
  if (!store.publishes) return Act::kKeep;
  if (store.hands) return Act::kHand;
  return store.owner_at ? Act::kOwner : Act::kPublish;
}

Proof proof_of(const Store& store, const Roots& roots) {
  if (store.apart || store.moves) return Proof::kNone;
  const RootId value = store.source.base;
  const bool loaded = roots[value].kind == Root::Kind::kLoad;
  switch (roots[roots.origin(value)].kind) {
    case Root::Kind::kNone:
    case Root::Kind::kUnique:
      return Proof::kNone;
    case Root::Kind::kGlobal:
      return Proof::kSeen;
    case Root::Kind::kParam:
      return loaded ? Proof::kSeen : Proof::kObject;
    case Root::Kind::kFresh:
      return loaded ? Proof::kInside : Proof::kObject;
    case Root::Kind::kVariadic:
    case Root::Kind::kLoad:
    case Root::Kind::kOther:
      break;
  }
  return Proof::kNothing;
}

}  // namespace

Publication::Publication(Analysis& analysis, Cells& cells, const llvm::Function& function,
                         const Derivations& derivations, const Gathered& gathered)
    : analysis_(analysis),
      graph_(analysis.points_to.graph),
      cells_(cells),
      function_(function),
      paths_(function),
      roots_(analysis.roots) {
  track(derivations, gathered);
  for (const Store& store : gathered.stores) note(store);
  note_calls(gathered);
  publish_nodes();
  for (bool changed = true; changed;) {
    changed = false;
    for (const Copy& copy : copies_) changed |= follow(copy);
    for (const auto& [what, by] : copied_out_) changed |= follow(what, by);
    changed |= publish_with_owners();
  }
}

// ---- the objects that the function allocates, or was given, by node ----

void Publication::track(const Derivations& derivations, const Gathered& gathered) {
  for (unsigned i = 0; i < function_.arg_size(); ++i) track(analysis_.roots.param(i));
  for (const llvm::Instruction& instruction : llvm::instructions(function_)) {
    if (!instruction.getType()->isVoidTy()) track(derivations.of(&instruction).base);
  }
  for (const Access& access : gathered.accesses) track(access.root);
  for (const Store& store : gathered.stores) {
    track(store.source.base);
    track(store.target.base);
    if (store.source.base == kUniqueRoot) made_for_one_place_.insert(graph_.find_node(store.value.node));
  }
  for (const Registration& registration : gathered.registrations) {
    for (const Derivation& source : registration.sources) track(source.base);
    track(registration.event_source.base);
  }
  for (const Gathered::Pooled& pooled : gathered.pooled_calls) {
    for (const PooledActual& actual : pooled.call.actuals) {
      for (const Derivation* use : {&actual.early, &actual.late, &actual.through}) track(use->base);
    }
  }
}

void Publication::track(RootId id) {
  id = roots_.origin(id);
  const Root& root = roots_[id];
  if (!trackable(root) || tracked_.contains(id)) return;
  Cell cell;
  if (root.kind == Root::Kind::kFresh) {
    cell = cells_.of(root.site);
  } else {
    const std::vector<Cell>& formals = std::as_const(analysis_.points_to).cells(function_).formals;
    if (root.index < formals.size()) cell = formals[root.index];
  }
  const NodeId node = cell.valid() ? graph_.find_node(cell.node) : kNoNode;
  tracked_[id] = node;
  if (node != kNoNode) at_node_[node].push_back(id);
}

std::unordered_set<NodeId> Publication::nodes() const {
  std::unordered_set<NodeId> found = made_for_one_place_;
  for (const auto& [node, roots] : at_node_) found.insert(node);
  return found;
}

const llvm::Instruction* Publication::made(RootId root) const {
  return llvm::dyn_cast_or_null<llvm::Instruction>(roots_[root].site);
}

// May the object be there when `at` is executed?
bool Publication::exists_at(RootId root, const llvm::Instruction& at) const {
  const llvm::Instruction* site = made(root);
  if (site == nullptr || llvm::isa<llvm::AllocaInst>(site)) return true;
  if (site == &at) return false;
  if (straight(*site, at, nullptr) || paths_.jumps_back_to(at, nullptr)) return true;
  const auto [place, fresh] = alive_.try_emplace(root);
  if (fresh) paths_.enter(*site, nullptr, false, place->second);
  return place->second.contains(at.getParent());
}

// ---- what stores and calls do, by kRules ----

unsigned Publication::number(const Publisher& publisher) {
  const auto [place, fresh] = numbers_.try_emplace(publisher, static_cast<unsigned>(publishers_.size()));
  if (fresh) {
    publishers_.push_back(publisher);
    here_[publisher.at].push_back(place->second);
  }
  return place->second;
}

bool Publication::add(Publishers& to, unsigned by) {
  if (by < to.size() && to.test(by)) return false;
  if (by >= to.size()) to.resize(by + 1);
  to.set(by);
  return true;
}

bool Publication::add(Publishers& to, const Publishers& more) {
  if (!more.test(to)) return false;
  to |= more;
  return true;
}

// True if that is new.
bool Publication::link(RootId value, const Link& link) {
  std::vector<Link>& into = links_[value];
  if (value == link.into || std::find(into.begin(), into.end(), link) != into.end()) return false;
  into.push_back(link);
  std::vector<RootId>& linked = linked_[link.into];
  if (std::find(linked.begin(), linked.end(), value) == linked.end()) linked.push_back(value);
  return true;
}

void Publication::copy(const Reach& what, RootId into, unsigned by) {
  if (roots_[into].kind == Root::Kind::kFresh) {
    copies_.push_back({what, into, by});
  } else {
    add(copied_out_[what], by);
  }
}

void Publication::note(const Store& store) {
  const Rule rule = kRules[static_cast<std::size_t>(act_of(store))][static_cast<std::size_t>(proof_of(store, roots_))];
  const RootId origin = roots_.origin(store.source.base);
  if (rule.object && trackable(roots_[origin])) note_object(store, origin);
  if (rule.node) note_node(store);
}

void Publication::note_object(const Store& store, RootId origin) {
  const llvm::Instruction* at = store.witness->at;
  const RootId value = store.source.base;
  switch (act_of(store)) {
    case Act::kCopy:
      if (store.target.base != value) note_contents(store, origin);
      break;
    case Act::kOwner:
      // Publishing an event that was loaded from an object publishes the object.
      if (roots_[value].offset != *store.owner_at) break;
      [[fallthrough]];
    case Act::kPublish:
      // A library call that fails has published nothing, if its spec says how to tell.
      add(published_[origin], number({at, store.given, store.undone && store.witness->callee == nullptr}));
      break;
    case Act::kHand:
      hand_over(value, store, number({at, store.given, false}));
      break;
    case Act::kKeep:
      if (origin != value) {
        // A pointer that was loaded through the object escapes. It may point to anything that is linked into the
        // object.
        if (store.target.base == origin || store.target.base == kNoRoot || store.number) break;
        add(published_[origin], number({at, store.given, false}));
        add(published_inside_[origin], number({at, store.given == kNoRoot ? kNoRoot : kOtherRoot, false}));
        break;
      }
      if (store.target.base == value || store.target.base == kNoRoot) break;
      stores_[value].push_back(&store);
      hand_over(value, store, number({at, store.given, false}));
      break;
  }
}

// The object gets into another one, or where others see it.
void Publication::hand_over(RootId value, const Store& store, unsigned by) {
  if (roots_[store.target.base].kind == Root::Kind::kFresh) {
    link(value, {store.target.base, by});
  } else {
    add(published_[value], by);
  }
}

void Publication::note_contents(const Store& store, RootId from) {
  int steps = store.steps;
  const bool inside = from != store.source.base && roots_[store.source.base].kind == Root::Kind::kLoad;
  for (RootId at = store.source.base; inside && at != from; at = roots_[at].parent) ++steps;
  const RootId given = store.given == kNoRoot ? kNoRoot : kOtherRoot;
  copy({from, inside, steps}, store.target.base, number({store.witness->at, given, false}));
}

// A value that may be a pointer to each object at its node. Nothing is known of the order in which a callee gets at it.
void Publication::note_node(const Store& store) {
  if (!store.value.valid()) return;
  const NodeId node = graph_.find_node(store.value.node);
  const llvm::Instruction& at = *store.witness->at;
  const bool here = store.witness->callee == nullptr;
  const unsigned by = number({&at, here ? kNoRoot : kOtherRoot, here && store.publishes && store.undone});
  const auto place = at_node_.find(node);
  const RootId target = store.target.base;
  switch (act_of(store)) {
    case Act::kCopy:
      if (place == at_node_.end()) break;
      for (const RootId from : place->second) {
        if (from != target && exists_at(from, at)) note_contents(store, from);
      }
      break;
    case Act::kOwner:
      for (const auto& [owner, holder] : tracked_) {
        if (holder == kNoNode || !exists_at(owner, at)) continue;
        const auto& edges = graph_.node({holder, 0}).edges;
        const bool holds = std::any_of(edges.begin(), edges.end(), [&](const auto& edge) {
          return std::any_of(edge.second.targets.begin(), edge.second.targets.end(),
                             [&](Cell cell) { return graph_.find_node(cell.node) == node; });
        });
        if (holds) add(published_[owner], by);
      }
      break;
    case Act::kKeep:
    case Act::kHand:
      if (target == kNoRoot && !store.hands) break;
      if (!store.hands) add(kept_[node], by);
      if (roots_[target].kind == Root::Kind::kFresh) {
        if (target != roots_.origin(store.source.base)) any_links_[node].push_back({target, by});
        break;
      }
      [[fallthrough]];
    case Act::kPublish:
      add(escapes_[node], by);
      break;
  }
}

// What callees store of unknown derivation may be an object of this function (effects/escapes.hpp).
void Publication::note_calls(const Gathered& gathered) {
  if (at_node_.empty() && made_for_one_place_.empty()) return;
  // Of a callee's set, which it shares with others of its pool and with its other calls, what is about our objects.
  std::unordered_map<const Escapes::Set*, std::vector<Escapes::Escape>> about_ours;
  for (const auto& [call, callee] : gathered.calls) {
    const auto known = analysis_.summaries.find(callee);
    if (known == analysis_.summaries.end() || known->second.escapes == nullptr) continue;
    const auto [place, fresh] = about_ours.try_emplace(known->second.escapes.get());
    if (fresh) {
      analysis_.escapes.each(graph_, *known->second.escapes, [&, &ours = place->second](const Escapes::Escape& escape) {
        if (escape.what == Escapes::What::kReplaced) {
          replaced_.insert(escape.node);
        } else if (at_node_.contains(escape.node) || made_for_one_place_.contains(escape.node)) {
          ours.push_back(escape);
        }
      });
    }
    for (const Escapes::Escape& escape : place->second) note_escape(escape, *call);
  }
}

void Publication::note_escape(const Escapes::Escape& escape, const llvm::Instruction& call) {
  const unsigned by = number({&call, kOtherRoot, false});
  if (escape.what == Escapes::What::kPointer) {
    add(escapes_[escape.node], by);
    add(kept_[escape.node], by);
    return;
  }
  const auto place = at_node_.find(escape.node);
  if (place == at_node_.end()) return;
  for (const RootId from : place->second) {
    if (exists_at(from, call)) copy({from, true, 0}, kOtherRoot, by);
  }
}

// Publishes and links each object by what happens to its node.
void Publication::publish_nodes() {
  for (const auto& [root, node] : tracked_) {
    if (node == kNoNode) continue;
    if (const auto place = escapes_.find(node); place != escapes_.end()) {
      for (const unsigned by : place->second.set_bits()) {
        if (exists_at(root, *publishers_[by].at)) add(published_[root], by);
      }
    }
    if (const auto place = any_links_.find(node); place != any_links_.end()) {
      const bool many = place->second.size() * at_node_.at(node).size() > kMostLinks;
      for (const Link& into : place->second) {
        if (into.into == root || !exists_at(root, *publishers_[into.by].at)) continue;
        if (many) {
          add(published_[root], into.by);
        } else {
          link(root, into);
        }
      }
    }
    if (const auto place = kept_.find(node); place != kept_.end()) {
      const auto by = place->second.set_bits();
      if (std::any_of(by.begin(), by.end(), [&, at = root](unsigned i) { return exists_at(at, *publishers_[i].at); }))
        unseen_.insert(root);
    }
  }
}

// ---- what follows from links ----

Publication::Moved Publication::moved(const Reach& what) const {
  Moved found{.sources = {what.from}, .copied = {}, .pointers = {}};
  std::set<RootId> seen;
  std::set<RootId> level{what.from};
  for (int step = 0; !level.empty() && (what.deep || step <= what.steps); ++step) {
    std::set<RootId> next;
    for (const RootId holder : level) {
      const auto place = linked_.find(holder);
      if (place == linked_.end()) continue;
      for (const RootId value : place->second) {
        if (step < what.steps || seen.insert(value).second) next.insert(value);
      }
    }
    if (step >= what.steps) {
      found.sources.insert(level.begin(), level.end());
      found.copied.insert(level.begin(), level.end());
      found.pointers.insert(next.begin(), next.end());
    }
    level = std::move(next);
  }
  return found;
}

bool Publication::publish_contents(const Moved& moved, const Publishers& by, bool bytes) {
  bool changed = false;
  for (const RootId source : moved.sources) changed |= add(contents_published_[source], by);
  if (!bytes) return changed;
  for (const RootId source : moved.copied) changed |= bytes_published_.insert(source).second;
  return changed;
}

// Others see what the copies take along. True if that is new.
bool Publication::follow(const Reach& what, const Publishers& by) {
  const Moved all = moved(what);
  bool changed = publish_contents(all, by, true);
  for (const RootId value : all.pointers) changed |= add(published_[value], by);
  return changed;
}

// Links what is linked into the source of a copy into its target as well. True if that is new.
bool Publication::follow(const Copy& copy) {
  const Moved all = moved(copy.what);
  bool changed = false;
  for (const RootId value : all.pointers) changed |= link(value, {copy.into, copy.by});
  // What goes on from the target takes along what has got there.
  for (const auto* places : {&published_, &published_inside_, &contents_published_}) {
    const auto owner = places->find(copy.into);
    if (owner == places->end()) continue;
    const bool bytes = places != &contents_published_ || bytes_published_.contains(copy.into);
    changed |= publish_contents(all, Publishers(owner->second), bytes);
  }
  const auto unknown = [&](RootId source) {
    const auto known = contents_published_.find(source);
    return known == contents_published_.end() || copy.by >= known->second.size() || !known->second.test(copy.by);
  };
  if (std::any_of(all.sources.begin(), all.sources.end(), unknown) && after(copy.into, *publishers_[copy.by].at)) {
    Publishers here;
    add(here, copy.by);
    changed |= publish_contents(all, here, true);
  }
  return changed;
}

bool Publication::publish_with_owners() {
  bool any = false;
  for (bool changed = true; changed; any |= changed) {
    changed = false;
    for (const auto& [value, into] : links_) {
      for (const Link& link : into) {
        for (const auto* all : {&published_, &published_inside_}) {
          const auto owner = all->find(link.into);
          if (owner != all->end()) changed |= add(published_[value], Publishers(owner->second));
        }
        // Linked into an object that others can see already: the link itself publishes.
        const auto mine = published_.find(value);
        const bool known = mine != published_.end() && link.by < mine->second.size() && mine->second.test(link.by);
        if (!known && after(link.into, *publishers_[link.by].at)) changed |= add(published_[value], link.by);
      }
    }
  }
  return any;
}

// ---- what it comes to ----

bool Publication::contents_after(RootId root, const llvm::Instruction& at) const {
  const auto place = contents_published_.find(root);
  if (place == contents_published_.end()) return false;
  const auto publishers = place->second.set_bits();
  return std::any_of(publishers.begin(), publishers.end(),
                     [&](unsigned by) { return paths_.lead(*publishers_[by].at, at, nullptr); });
}

bool Publication::after(RootId root, const llvm::Instruction& at) const {
  const auto place = published_.find(root);
  if (place == published_.end()) return false;
  const llvm::Instruction* site = made(root);
  const llvm::BasicBlock* block = at.getParent();
  const bool made_here = site != nullptr && site->getParent() == block && site->comesBefore(&at);
  Behind& behind = behind_[root];
  for (const unsigned by : place->second.set_bits()) {
    const Publisher& publisher = publishers_[by];
    if (publisher.at->getParent() == block && publisher.at->comesBefore(&at) &&
        !(made_here && publisher.at->comesBefore(site)))
      return true;
    if (add(behind.of, by)) paths_.enter(*publisher.at, site, publisher.alone, behind.entered);
  }
  if (place->second.any() && paths_.jumps_back_to(at, site)) return true;
  return behind.entered.contains(block) && !made_here;
}

bool Publication::meanwhile(RootId root, const llvm::Instruction& at, RootId given) const {
  const auto place = published_.find(root);
  const auto here = here_.find(&at);
  if (place == published_.end() || here == here_.end()) return false;
  return std::any_of(here->second.begin(), here->second.end(), [&](unsigned by) {
    const RootId other = publishers_[by].given;
    return by < place->second.size() && place->second.test(by) && other != kNoRoot &&
           (other != given || other == kOtherRoot);
  });
}

const std::vector<const Store*>& Publication::stores_of(RootId root) const {
  static const std::vector<const Store*> none;
  const auto place = stores_.find(root);
  return place == stores_.end() ? none : place->second;
}

const Store* Publication::only_store(RootId root) const {
  const std::vector<const Store*>& all = stores_of(root);
  if (all.size() != 1 || all.front()->repeated || stored_unseen(root)) return nullptr;
  const llvm::Instruction& at = *all.front()->witness->at;
  const llvm::Instruction* site = made(root);
  if (site == nullptr || paths_.lead(at, at, site)) return nullptr;
  return all.front();
}

}  // namespace heddle::elyze
