// What one function does to memory that others may see, callees included.
//
// `open` effects still depend on who calls (they are on memory that a caller passes in, or their root is a parameter):
// callers copy them with cells and roots substituted. `settled` effects are the same whoever calls (shared memory, root
// resolved): they stay where they arise, and a handler's effects are collected over the functions it can reach. This
// keeps the summaries of large programs from repeating every global in every caller.
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elyze/effects/escapes.hpp"
#include "elyze/effects/mode.hpp"
#include "elyze/effects/root.hpp"
#include "elyze/points_to/program.hpp"

namespace heddle::elyze {

// An instruction and, when it is a call, the witness in the callee. Shared between summaries.
struct Witness {
  const llvm::Instruction* at;
  const Witness* callee;
};
// The instruction that does it, however many calls lead there.
const Witness& innermost(const Witness& witness);

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
  // While it is gathered at a call: the callee's parameter by which it gets there; kOtherRoot: not by one alone.
  RootId given = kNoRoot;
  bool late = false;        // may happen after the root was published (effects/publication.hpp)
  bool child = false;       // in the child of fork() only (effects/children.hpp)
  bool behind = false;      // only behind a late point (effects/late_points.hpp)
  bool closes = false;      // gives a descriptor up: another process that has it too finds the file as before
  bool if_any = false;      // counts only if something was ever stored where the spec says
  bool descriptor = false;  // to the open file behind a number: if nothing shows which, it may be any
  // Not the open file behind the cell, but what is in it, whoever opened it; of no descriptor: what is in `file`.
  bool contents = false;
  // With `contents`: not what is in the file either, but the directory entry by which it is found, or, for a read, by
  // which the socket behind the cell finds its peer.
  bool entry = false;
  // With `contents`, too: the address of the socket behind the cell.
  enum class Address : std::uint8_t { kNone, kTaken, kGivenUp } address = Address::kNone;
  FileName file = kSomeFile;
  const Witness* witness = nullptr;
};

// A pointer value that is stored in memory or handed to somebody who may keep it.
struct Store {
  Cell value;
  Cell place;
  Derivation source;       // how the value was derived
  Derivation target;       // how the place was derived
  bool number = false;     // an integer: leads to an object only where it is used as a descriptor
  bool publishes = false;  // nothing is kept, but from here on other invocations may use the value
  // With `publishes`: a library's object, `target`, gets the value, but it stays its owner's. Others may use it as soon
  // as they know that object.
  bool hands = false;
  // With `publishes`: only if the value was loaded from this offset; then what it was loaded from is published.
  std::optional<std::int64_t> owner_at = std::nullopt;
  // With `publishes`: not the value itself, but the pointers in what it points to are from here on also in what
  // `target` points to. With `steps` they are those that many pointers further on.
  bool contents = false;
  int steps = 0;
  // The target only hands the value back: the value stays its owner's, as long as the target is the same owner's.
  bool keeps = false;
  bool moves = false;  // within one object, whose it stays
  // The value is a pointer into the object that it is stored in: so many bytes before the place.
  std::optional<std::int64_t> back = std::nullopt;
  bool undone = false;    // with `publishes`: not if the call returns anything but 0
  bool repeated = false;  // may happen more than once for one value
  // It publishes nothing that a caller could know: the value is an object that the function has made, or a copy has
  // put it there, and says so itself.
  bool apart = false;
  RootId given = kNoRoot;  // as in Access
  const Witness* witness = nullptr;
};

// A word that a library has put something into that is no Store: what its object keeps, or what it made there.
struct ReplacedWord {
  Cell place;
  Derivation at;  // how the place was derived
  const llvm::Instruction* by = nullptr;
  bool same(const ReplacedWord& other) const { return place == other.place && at == other.at; }
};

struct Registration {
  const Callback* callback = nullptr;
  const llvm::CallBase* call = nullptr;
  Cell function;
  // The function that the source names in this call; or the parameter that is passed, so that a caller may name it.
  // A function that is named is the only one registered. Null if the function was loaded from memory.
  const llvm::Value* named = nullptr;
  std::vector<Cell> parameters;
  std::vector<Derivation> sources;
  // By parameter: where the program may put something else in its place; invalid if nowhere. The same for the function.
  std::vector<Cell> kept;
  Cell function_kept;
  Cell event;
  Derivation event_source;
  // The session keeps the event (or descriptor) too, and nobody else does: it belongs to that session.
  bool event_owned = false;
  bool descriptor_owned = false;
  // By parameter, a bit: the object that the library hands back (a bufferevent) is kept in the session.
  std::uint32_t objects_owned = 0;
  std::optional<std::int64_t> flags;
  std::optional<std::int64_t> descriptor;
  const Witness* witness = nullptr;
};

struct UnknownUse {
  const llvm::Instruction* at;
  std::string name;
  // Code without bitcode, assembly; or code that is known and must run alone: a child of fork() goes on in the loop, a
  // call that every handler depends on (`alone`, `end` in elyze/specs/README.md).
  enum class Kind : std::uint8_t { kExternal, kAssembly, kChild, kAlone } kind;
  static bool known(Kind kind) { return kind == Kind::kChild || kind == Kind::kAlone; }
};
// The name of a use that counts with `--strict` only: what all handlers add to, and nearly nobody reads.
inline const std::string kProcessorTime = "processor time of the process";
// Counts for handlers of objects that a library makes several calls for at once.
inline const std::string kNextCallback = "callback that libevent calls next";

// A call of a member of a large recursive component (effects/pool.hpp). Callers don't copy its effects: they note here
// what is passed, one derivation for each use that the component may make of it.
struct PooledActual {
  Derivation early;    // for accesses before the callee publishes it; none if only the caller knows it till then
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
  std::vector<ReplacedWord> replaced;  // in what it is passed
  std::vector<Registration> registrations;
  Derivation returned;
  std::vector<UnknownUse> unknown;
  std::vector<std::pair<const llvm::CallBase*, const llvm::Function*>> calls;
  std::vector<PooledCall> pooled_calls;
  // Accesses to open files whose descriptor is an integer parameter: a caller may pass a constant, such as 1.
  std::vector<Access> numbers;
  // Nodes to which the function, or one that it calls, stores pointers of unknown derivation (effects/escapes.hpp). All
  // members of a recursive component have one set.
  std::shared_ptr<Escapes::Set> escapes;
  bool pooled = false;     // a member of a large recursive component: its effects stay here
  bool keeps_all = false;  // it makes too many stores to list: everything it is passed counts as kept
};

class Witnesses {
 public:
  const Witness* add(const llvm::Instruction& at, const Witness* callee = nullptr) {
    return &all_.emplace_back(Witness{&at, callee});
  }

 private:
  std::deque<Witness> all_;
};

// The directory entries that an access with `entry` is to, as bytes of PointsTo::entries().
std::vector<Range> entries_behind(const PointsTo& points_to, const Access& access);
// What an access with `address` is to PointsTo::socket_addresses(); nothing, where no socket is behind the cell.
std::optional<Mode> mode_of_address(const PointsTo& points_to, const Access& access);
bool same_access(const Access& a, const Access& b);
std::size_t hash_access(const Access& access);

}  // namespace heddle::elyze
