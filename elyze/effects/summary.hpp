// What one function does to memory that others may see, callees included.
//
// `open` effects still depend on who calls (they are on memory that a caller passes in, or their root is a parameter):
// callers copy them with cells and roots substituted. `settled` effects are the same whoever calls (shared memory, root
// resolved): they stay where they arise, and a handler's effects are collected over the functions it can reach. This
// keeps the summaries of large programs from repeating every global in every caller.
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "elyze/effects/children.hpp"
#include "elyze/effects/late_points.hpp"
#include "elyze/effects/root.hpp"
#include "elyze/points_to/program.hpp"

namespace heddle::elyze {

// An instruction and, when it is a call, the witness in the callee. Shared between summaries.
struct Witness {
  const llvm::Instruction* at;
  const Witness* callee;
};

enum class Mode : std::uint8_t { kRead, kWrite, kAtomicRead, kAtomicWrite };

enum class Extent : std::uint8_t {
  kExact,     // `size` bytes from the cell on
  kToEnd,     // from the cell to the end of its array, or of the object
  kWhole,     // the whole block
  kReach,     // everything reachable from the cell; with size 1, no further than what it points to directly
  kVariadic,  // what the arguments in the va_list at the cell point to
};

struct Access {
  Cell cell;
  std::int64_t size = 0;
  Extent extent = Extent::kExact;
  Mode mode = Mode::kRead;
  RootId root = kOtherRoot;
  bool late = false;    // may happen after the root was published (effects/publication.hpp)
  bool child = false;   // in the child of fork() only (effects/children.hpp)
  bool behind = false;  // only behind a late point (effects/late_points.hpp)
  bool closes = false;  // a descriptor is given up: its file is as before to a process that has it too
  bool if_any = false;  // only of what was ever stored where a spec says
  const Witness* witness = nullptr;
};

// A pointer value that is stored in memory or handed to somebody who may keep it.
struct Store {
  Cell value;
  Cell place;
  Derivation source;       // how the value was derived
  Derivation target;       // how the place was derived
  bool number = false;     // an integer: reached only by who uses it as a descriptor
  bool publishes = false;  // nothing is kept, but from here on other invocations may use the value
  // With `publishes`: only if the value was loaded from this offset; then what it was loaded from is published.
  std::optional<std::int64_t> owner_at = std::nullopt;
  bool repeated = false;  // may happen more than once for one value
  const Witness* witness = nullptr;
};

struct Registration {
  const Callback* callback = nullptr;
  const llvm::CallBase* call = nullptr;
  Cell function;
  // The function as the source names it, here or (while it is a parameter) in a caller: then it is no other.
  const llvm::Value* named = nullptr;
  std::vector<Cell> parameters;
  std::vector<Derivation> sources;
  Cell event;
  Derivation event_source;
  // The event (or descriptor) is also kept in the session and nowhere else that counts: it goes with that session.
  bool event_owned = false;
  bool descriptor_owned = false;
  // By parameter, a bit: the object that the library hands back (a bufferevent) is kept in the session.
  std::uint32_t objects_owned = 0;
  std::optional<std::int64_t> flags;
  std::optional<std::int64_t> descriptor;
  const Witness* witness = nullptr;
};

struct UnknownUse {
  const llvm::CallBase* call;
  std::string name;
  enum class Kind : std::uint8_t { kExternal, kAssembly, kChild } kind;
};

// A call of a member of a large recursive component (effects/pool.hpp). Callers don't copy its effects: they note here
// what is passed, one derivation for each use that the component may make of it.
struct PooledActual {
  Derivation early;    // for accesses before the callee publishes it; nothing, if it is the caller's own till then
  Derivation late;     // for accesses after that
  Derivation through;  // for what is loaded from it, and for registrations
  bool early_is_late = false;  // the caller has published it before the call
  friend bool operator==(const PooledActual&, const PooledActual&) = default;
};
struct PooledCall {
  const llvm::Function* callee = nullptr;
  std::vector<PooledActual> actuals;
  bool child = false;   // in the child of fork() only
  bool behind = false;  // only behind a late point
  friend bool operator==(const PooledCall&, const PooledCall&) = default;
};

struct Summary {
  std::vector<Access> open;
  std::vector<Access> settled;
  std::vector<Store> open_stores;
  std::vector<Store> settled_stores;
  std::vector<Registration> registrations;
  Derivation returned;
  std::vector<UnknownUse> unknown;
  std::vector<std::pair<const llvm::CallBase*, const llvm::Function*>> calls;
  std::vector<PooledCall> pooled_calls;
  std::vector<Access> numbers;  // by number, of a file whose descriptor is an integer parameter: a caller may give `1`
  bool pooled = false;          // a member of a large recursive component: its effects stay here
  bool keeps_all = false;       // too much to say about what it stores: everything it is passed counts as kept
};

class Witnesses {
 public:
  const Witness* add(const llvm::Instruction& at, const Witness* callee = nullptr) {
    return &all_.emplace_back(Witness{&at, callee});
  }

 private:
  std::deque<Witness> all_;
};

// Everything the bottom-up phase works on and leaves behind.
struct Analysis {
  Analysis(const llvm::Module& module, const Specs& specs, const CallGraph& graph)
      : points_to(module, specs), calls(graph), children(module, specs, graph), late_points(module, specs, graph) {}
  PointsTo points_to;
  const CallGraph& calls;
  Children children;
  LatePoints late_points;
  Roots roots;
  Witnesses witnesses;
  std::unordered_map<const llvm::Function*, Summary> summaries;
  std::unordered_map<const llvm::Function*, std::vector<Graph::Copy>> copies;  // of the function's component
  std::vector<Graph::Copy> shared_copies;
  std::vector<std::vector<const llvm::Function*>> pools;  // large recursive components
  std::size_t steps = 0;  // effects that were looked at: what the analysis costs, whatever the machine
};

bool same_access(const Access& a, const Access& b);
std::size_t hash_access(const Access& access);

}  // namespace heddle::elyze
