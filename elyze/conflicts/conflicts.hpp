// The verdict on each pair of handlers, with the accesses that it rests on.
//
// Two accesses conflict if they may touch the same byte and one writes (atomic accesses don't conflict with each
// other). The conflict is `session` if both are proven to be in the own session of their invocation, and both handlers
// have the same kind of session; in own sessions of different kinds they don't meet at all; anything else is `always`.
// But one session may own another: what is the own one of an invocation may be somebody's field. Then two own sessions
// are proof of nothing.
//
// Beside its verdict a pair has two weaker ones for programs with late points (effects/late_points.hpp): may a start
// while b runs, and b while a runs? Of the one that starts, only what it does before any late point counts; of the one
// that runs already, all.
//
// And it has one for a runtime that gives each thread its own of the objects that are scratch (scratch/scratch.hpp):
// what is left without these.
#pragma once

#include <memory>
#include <vector>

#include "elyze/conflicts/naming.hpp"
#include "elyze/conflicts/verdict.hpp"
#include "elyze/footprint/footprint.hpp"
#include "elyze/scratch/scratch.hpp"

namespace heddle::elyze {

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
  Verdict apart = Verdict::kNever;  // with scratch objects per thread
  std::vector<Conflict> conflicts;  // on different objects
  std::size_t unlisted = 0;         // further conflicts, left out where a program has too many to read
};

// A handler takes a lock that keeps nobody apart (effects/locks.hpp).
struct LockUse {
  std::size_t object = 0;
  std::size_t handler = 0;
  std::size_t access = 0;  // index in accesses of the handler
};

struct Conflicts {
  std::vector<std::vector<HandlerAccess>> accesses;  // per handler, those that the pairs refer to
  std::vector<NamedObject> objects;
  std::vector<Pair> pairs;
  std::vector<ScratchObject> scratch;  // those that some pair meets on
  std::vector<LockUse> locks;
  std::vector<UnknownCode> unknown;
  std::size_t steps = 0;                       // what all handlers do in all functions that they reach
  std::shared_ptr<const Footprint> footprint;  // keeps the witnesses of unknown code
};

Conflicts find_conflicts(const Analysis& analysis, const World& world, const Assumed& assumed);

}  // namespace heddle::elyze
