// The strongly connected components of the call graph, callees before callers: the order in which functions are
// summarised, each recursion as one.
#pragma once

#include "elyze/points_to/program.hpp"

namespace heddle::elyze {

using Components = std::vector<std::vector<const llvm::Function*>>;

Components components(const llvm::Module& module, const CallGraph& calls);

}  // namespace heddle::elyze
