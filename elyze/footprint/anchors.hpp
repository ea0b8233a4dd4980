// Whose memory a parameter of a member of a large recursive component is, seen from one handler (effects/pool.hpp).
#pragma once

#include <map>
#include <utility>

#include "elyze/effects/pool.hpp"
#include "elyze/footprint/ownership.hpp"

namespace heddle::elyze {

class Anchors {
 public:
  // kGiven: what belongs to an object that was made for the invocation.
  enum class Value : std::uint8_t { kNone, kSession, kGlobal, kGiven, kOther };

  Anchors(const Analysis& analysis, Ownership& ownership) : analysis_(analysis), ownership_(ownership) {}

  static Value join(Value a, Value b) {
    if (a == Value::kNone || a == b) return b;
    return b == Value::kNone ? a : Value::kOther;
  }

  // A join of two roots in the own session is in the own session; what is loaded through it is the session's own where
  // each load gives an object that belongs to one session.
  template <class Parameters>
  Value eval(const llvm::Function& function, const Derivation& from, const Parameters& parameters, Use use) const {
    const Root& root = analysis_.roots[from.base];
    switch (root.kind) {
      case Root::Kind::kNone:
        return Value::kNone;
      case Root::Kind::kGlobal:
        return Value::kGlobal;
      case Root::Kind::kParam:
        return root.index < parameters.size() ? parameters[root.index].at(use) : Value::kOther;
      case Root::Kind::kLoad: {
        const Value parent = eval(function, {root.parent, 0, true}, parameters, Use::kThrough);
        if (parent == Value::kGiven && !ownership_.inside_given(function, from.base)) return Value::kOther;
        return parent != Value::kSession || exclusive(function, from.base) ? parent : Value::kOther;
      }
      default:
        return Value::kOther;
    }
  }

 private:
  bool exclusive(const llvm::Function& function, RootId root) const {
    const auto [place, fresh] = exclusive_.try_emplace({&function, root}, false);
    if (fresh) place->second = ownership_.own_load(function, root);
    return place->second;
  }

  const Analysis& analysis_;
  Ownership& ownership_;
  mutable std::map<std::pair<const llvm::Function*, RootId>, bool> exclusive_;
};

using AnchorFlow = PooledFlow<Anchors>;

}  // namespace heddle::elyze
