// How a pointer was derived, as seen by one function: the root.
//
// Unification says which memory a pointer may point into, but it merges a session with its neighbours in a list. To
// prove that an access is in the invocation's own session, the derivation itself is followed: `arg->state` is the
// session whatever else the graph has merged with it. Roots are kept through calls by substitution of parameters.
//
// Order (join goes down): none, then any one root, then the same root at an unknown distance, then `other`.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace llvm {
class Value;
}  // namespace llvm

namespace heddle::elyze {

using RootId = std::uint32_t;

inline constexpr unsigned kLongestChain = 4;  // loads in a chain that are told apart

struct Root {
  enum class Kind : std::uint8_t {
    kNone,      // not a pointer to anything: null, a number
    kParam,     // parameter `index` of the function
    kVariadic,  // one of its variable arguments
    kLoad,      // loaded from `offset` bytes behind `parent`
    kFresh,     // what the allocation, or the local variable, `site` gave
    kUnique,    // a stored value: an allocation that is stored here and nowhere else
    kGlobal,    // reached from a global
    kOther,     // anything
  };
  Kind kind = Kind::kNone;
  unsigned index = 0;
  RootId parent = 0;
  std::int64_t offset = 0;
  const llvm::Value* site = nullptr;
  unsigned depth = 0;
};

inline constexpr RootId kNoRoot = 0;
inline constexpr RootId kGlobalRoot = 1;
inline constexpr RootId kOtherRoot = 2;
inline constexpr RootId kUniqueRoot = 3;
inline constexpr RootId kVariadicRoot = 4;

struct Derivation {
  RootId base = kNoRoot;
  std::int64_t distance = 0;
  bool exact = true;  // `distance` is known
  friend bool operator==(const Derivation&, const Derivation&) = default;
};
inline constexpr Derivation kAnywhere{kOtherRoot, 0, true};
inline constexpr Derivation kFromGlobal{kGlobalRoot, 0, true};

inline Derivation shifted(Derivation where, std::int64_t by) {
  if (where.exact) where.distance += by;
  return where;
}
// As far from `to` as `from` is from its own base.
inline Derivation shifted_like(const Derivation& to, const Derivation& from) {
  return from.exact ? shifted(to, from.distance) : Derivation{to.base, 0, false};
}

class Roots {
 public:
  Roots();
  const Root& operator[](RootId id) const { return roots_[id]; }
  RootId param(unsigned index);
  RootId fresh(const llvm::Value* site);
  // What is loaded from `where`; `other` where the distance is not known or the chain gets long.
  RootId load(const Derivation& where);
  // The root at the far end of a chain of loads.
  RootId origin(RootId id) const;
  // Do two values with this root come from one? `other` and the like say nothing of where a value is from.
  bool names_one_value(RootId id) const;
  // Resolved: no longer depends on the function's parameters or allocations.
  bool resolved(RootId id) const;

  static Derivation join(const Derivation& a, const Derivation& b);

 private:
  RootId intern(const Root& root);
  std::vector<Root> roots_;
  std::map<std::tuple<int, unsigned, RootId, std::int64_t, const llvm::Value*>, RootId> known_;
};

}  // namespace heddle::elyze
