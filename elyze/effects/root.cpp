#include "elyze/effects/root.hpp"

namespace heddle::elyze {

Roots::Roots() {
  for (const Root::Kind kind :
       {Root::Kind::kNone, Root::Kind::kGlobal, Root::Kind::kOther, Root::Kind::kUnique, Root::Kind::kVariadic}) {
    Root root;
    root.kind = kind;
    intern(root);
  }
}

RootId Roots::intern(const Root& root) {
  const auto [place, fresh] =
      known_.try_emplace(std::make_tuple(static_cast<int>(root.kind), root.index, root.parent, root.offset, root.site),
                         static_cast<RootId>(roots_.size()));
  if (fresh) roots_.push_back(root);
  return place->second;
}

RootId Roots::param(unsigned index) {
  Root root;
  root.kind = Root::Kind::kParam;
  root.index = index;
  return intern(root);
}

RootId Roots::fresh(const llvm::Value* site) {
  Root root;
  root.kind = Root::Kind::kFresh;
  root.site = site;
  return intern(root);
}

RootId Roots::load(const Derivation& where) {
  const Root from = roots_[where.base];
  switch (from.kind) {
    case Root::Kind::kNone:
    case Root::Kind::kGlobal:
    case Root::Kind::kOther:
      return where.base;
    case Root::Kind::kUnique:
    case Root::Kind::kVariadic:
      return kOtherRoot;
    case Root::Kind::kParam:
    case Root::Kind::kLoad:
    case Root::Kind::kFresh:
      break;
  }
  if (!where.exact || from.depth >= kLongestChain) return kOtherRoot;
  Root root;
  root.kind = Root::Kind::kLoad;
  root.parent = where.base;
  root.offset = where.distance;
  root.depth = from.depth + 1;
  return intern(root);
}

RootId Roots::origin(RootId id) const {
  while (roots_[id].kind == Root::Kind::kLoad) id = roots_[id].parent;
  return id;
}

bool Roots::names_one_value(RootId id) const {
  const Root::Kind kind = roots_[origin(id)].kind;
  return kind == Root::Kind::kParam || kind == Root::Kind::kFresh;
}

bool Roots::resolved(RootId id) const {
  switch (roots_[origin(id)].kind) {
    case Root::Kind::kParam:
    case Root::Kind::kVariadic:
    case Root::Kind::kFresh:
      return false;
    default:
      return true;
  }
}

Derivation Roots::join(const Derivation& a, const Derivation& b) {
  if (a.base == kNoRoot) return b;
  if (b.base == kNoRoot || a == b) return a;
  if (a.base == b.base) return {a.base, 0, false};
  return {kOtherRoot, 0, true};
}

}  // namespace heddle::elyze
