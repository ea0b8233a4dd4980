// The verdict on each pair of handlers, with the accesses that it rests on.
//
// Two accesses conflict if they may touch the same byte and one writes (atomic accesses don't conflict with each
// other). The conflict is `session` if both are proven to be in the own session of their invocation, and both handlers
// have the same kind of session; in own sessions of different objects they don't meet at all; anything else is
// `always`.
//
// Beside its verdict a pair has two weaker ones: by what a does before any late point (effects/late_points.hpp), it may
// start while b runs, and the other way round. They take the whole of the one that runs already into account.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "elyze/conflicts/ownership.hpp"

namespace heddle::elyze {

enum class Verdict : std::uint8_t { kNever, kSession, kAlways };

// Whose the touched memory is: the session's own; a block that the library gave to this invocation alone, which others
// may find elsewhere; a global; anybody's.
enum class Anchor : std::uint8_t { kSession, kInvocation, kGlobal, kOther };
inline constexpr int kAnchors = 4;

// No two invocations touch the same.
inline bool apart(Anchor a, Anchor b) { return a == Anchor::kInvocation && b == Anchor::kInvocation; }

struct Frame {
  std::string function;
  std::string file;
  unsigned line = 0;
};

struct HandlerAccess {
  NodeId node = kNoNode;  // kNoNode: unknown code
  Range range;
  Mode mode = Mode::kRead;
  Anchor anchor = Anchor::kOther;
  RootId root = kOtherRoot;
  const llvm::Function* owner = nullptr;  // whose summary it is from; reached from the handler over calls
  const Witness* witness = nullptr;       // null: the loop itself reads the event
};

struct Conflict {
  std::size_t object = 0;
  Verdict verdict = Verdict::kNever;
  std::size_t a = 0;    // index in accesses of the first handler
  std::size_t b = 0;    // of the second
  bool a_late = false;  // the first handler touches the object only behind late points
  bool b_late = false;
};

struct Pair {
  std::size_t a = 0;
  std::size_t b = 0;
  Verdict verdict = Verdict::kNever;
  Verdict a_starts = Verdict::kNever;  // whether a may start while b runs
  Verdict b_starts = Verdict::kNever;
  std::vector<Conflict> conflicts;  // on different objects
  std::size_t unlisted = 0;         // further ones, where a large program would drown its reader in them
};

class Footprint;

struct NamedObject {
  std::string name;
  std::string kind;
  std::string type;
  std::string file;
  unsigned line = 0;
  // What the name was made of, for reports; never part of which object it is.
  const llvm::GlobalVariable* variable = nullptr;
  Range bytes{};                        // of the variable, or of the structure
  const llvm::DIType* value = nullptr;  // the type of just these bytes, where one member is meant
};

struct UnknownCode {
  std::string name;
  UnknownUse::Kind kind;
  std::size_t count = 0;
  const llvm::CallBase* first = nullptr;
  std::vector<std::size_t> handlers;
};

struct Conflicts {
  std::vector<std::vector<HandlerAccess>> accesses;  // per handler, those that the pairs refer to
  std::vector<NamedObject> objects;
  std::vector<Pair> pairs;
  std::vector<UnknownCode> unknown;
  std::size_t steps = 0;                       // what all handlers do in all functions that they reach
  std::shared_ptr<const Footprint> footprint;  // keeps the witnesses of unknown code
};

Conflicts find_conflicts(const Analysis& analysis, const World& world);

// Call paths from handlers to accesses: shortest ways over the calls, found once per handler.
class Paths {
 public:
  Paths(const Analysis& analysis, const World& world) : analysis_(analysis), world_(world) {}
  std::vector<Frame> to(std::size_t handler, const HandlerAccess& access);

 private:
  const Analysis& analysis_;
  const World& world_;
  // Per handler: the call by which a function was reached first.
  std::map<std::size_t, std::unordered_map<const llvm::Function*, const llvm::CallBase*>> ways_;
};
std::vector<Frame> path_of(const Witness* witness);

}  // namespace heddle::elyze
