// Summarises every function: runs graph building and effect collection over the components of the call graph, callees
// first, so that each call finds the finished summary of its callee.
#pragma once

#include <memory>

#include "elyze/effects/analysis.hpp"
#include "elyze/effects/limits.hpp"

namespace heddle::elyze {

std::unique_ptr<Analysis> analyse_functions(const llvm::Module& module, const Specs& specs, const CallGraph& calls,
                                            const Limits& limits);

}  // namespace heddle::elyze
