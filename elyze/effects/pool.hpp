// Large recursive components: each member has one list of effects for all calls, and values are followed from each
// handler down to the members.
//
// Real servers have one recursive component that holds half of their functions, because callbacks close the circle.
// Effects that are copied from callee to caller until nothing changes multiply there: each way around the circle gives
// each effect another root. For a component beyond the limits in effects/limits.hpp we therefore do not copy:
//   - its part of the graph exists once: what its functions are passed and return is marked kShared, so that callers
//     unify with it and never clone it;
//   - each member keeps its own effects, with roots that begin at its own parameters. Callers learn only what they need
//     to judge their own memory: what the member stores of what it is passed (Summary::open_stores, a few; beyond that
//     `keeps_all`, as for unknown code) and what it returns;
//   - each call of a member is noted as a PooledCall. PooledFlow then carries values from one root function (a handler,
//     main) along these calls down to every member: a parameter has the join of what all calls on the way pass.
//
// Cost: per root function each PooledCall is visited as often as a parameter's value can change, which is the height of
// the lattice, not the number of call paths. Context is lost between two calls of the same member from one handler,
// never between handlers.
//
// Soundness: a value is a join over all calls that the handler can make of the member, so it covers each single one. A
// caller's own memory that nobody else can see gives no value at all (`early`, `late`), as its effects would have been
// dropped in the caller; what is loaded through it may be anything (`through`).
#pragma once

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Function.h>

#include <vector>

#include "elyze/effects/analysis.hpp"

namespace heddle::elyze {

// Which of the values of PooledActual is asked for.
enum class Use : std::uint8_t { kEarly, kLate, kThrough };

// The values that one root function passes to each member. A Domain has a Value (default: nothing is passed),
// join(Value, Value), and eval(function, derivation, parameters of the function, use).
template <class Domain>
class PooledFlow {
 public:
  using Value = typename Domain::Value;
  struct Parameter {
    Value early;
    Value late;
    Value through;
    const Value& at(Use use) const { return use == Use::kEarly ? early : use == Use::kLate ? late : through; }
    friend bool operator==(const Parameter&, const Parameter&) = default;
  };
  using Parameters = std::vector<Parameter>;
  using Reached = llvm::MapVector<const llvm::Function*, Parameters>;

  PooledFlow(const Analysis& analysis, const Domain& domain) : analysis_(analysis), domain_(domain) {}

  // The members that `root` reaches other than by calls marked so: in the child of fork(), behind a late point.
  llvm::DenseSet<const llvm::Function*> reached_without(bool PooledCall::* mark, const llvm::Function& root) const {
    llvm::DenseSet<const llvm::Function*> found{&root};
    std::vector<const llvm::Function*> work{&root};
    while (!work.empty()) {
      const llvm::Function* from = work.back();
      work.pop_back();
      for (const PooledCall& call : analysis_.summaries.at(from).pooled_calls) {
        if (!(call.*mark) && found.insert(call.callee).second) work.push_back(call.callee);
      }
    }
    return found;
  }

  // The values of the parameters of `root` and of each member that it can reach.
  Reached run(const llvm::Function& root, Parameters own) const {
    Reached reached;
    reached[&root] = std::move(own);
    std::vector<const llvm::Function*> work{&root};
    llvm::DenseSet<const llvm::Function*> waiting{&root};
    while (!work.empty()) {
      const llvm::Function* from = work.back();
      work.pop_back();
      waiting.erase(from);
      for (const PooledCall& call : analysis_.summaries.at(from).pooled_calls) {
        const bool fresh = !reached.count(call.callee);
        if (!pass(reached, *from, call) && !fresh) continue;
        if (waiting.insert(call.callee).second) work.push_back(call.callee);
      }
    }
    return reached;
  }

 private:
  // True if a parameter of the callee changed.
  bool pass(Reached& reached, const llvm::Function& from, const PooledCall& call) const {
    const Parameters mine = reached[&from];
    Parameters& theirs = reached[call.callee];
    theirs.resize(std::max(theirs.size(), call.actuals.size()));
    bool changed = false;
    for (std::size_t i = 0; i < call.actuals.size(); ++i) {
      const PooledActual& actual = call.actuals[i];
      const Parameter here{
          domain_.eval(from, actual.early, mine, actual.early_is_late ? Use::kLate : Use::kEarly),
          domain_.eval(from, actual.late, mine, Use::kLate),
          domain_.eval(from, actual.through, mine, Use::kThrough),
      };
      const Parameter all{domain_.join(theirs[i].early, here.early), domain_.join(theirs[i].late, here.late),
                          domain_.join(theirs[i].through, here.through)};
      changed |= !(all == theirs[i]);
      theirs[i] = all;
    }
    return changed;
  }

  const Analysis& analysis_;
  const Domain& domain_;
};

}  // namespace heddle::elyze
