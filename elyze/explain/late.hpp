// The late points (effects/late_points.hpp) that weaker verdicts for starting rest on.
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "elyze/explain/findings.hpp"
#include "elyze/footprint/footprint.hpp"

namespace heddle::elyze {

class LateUses {
 public:
  LateUses(const Analysis& analysis, const World& world) : analysis_(analysis), world_(world) {}

  // The handler makes this access only behind late points: notes those that stand before it.
  void note(std::size_t handler, const HandlerAccess& access, std::size_t object);
  // All that were noted, in the order of their places.
  std::vector<Findings::LatePoint> points() const;

 private:
  struct Guarded {
    std::uint64_t number = 0;
    std::set<std::size_t> handlers;
    std::set<std::size_t> objects;
  };

  const std::set<const llvm::Function*>& callers_of(const llvm::Function* function);

  const Analysis& analysis_;
  const World& world_;
  std::map<const llvm::CallBase*, Guarded> points_;
  std::map<const llvm::Function*, std::set<const llvm::Function*>> callers_;
};

}  // namespace heddle::elyze
