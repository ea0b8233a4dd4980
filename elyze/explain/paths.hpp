// Shows how control gets from a handler to an access: as a call path, frame by frame, with the lines of the source.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "elyze/explain/findings.hpp"
#include "elyze/footprint/footprint.hpp"

namespace heddle::elyze {

// From the function of the witness to the instruction that it stands for.
std::vector<Frame> path_of(const Witness* witness);

// From handlers to accesses: shortest ways over the calls, found once per handler.
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

}  // namespace heddle::elyze
