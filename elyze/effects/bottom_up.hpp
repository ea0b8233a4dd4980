// Runs graph building and effect collection over the components of the call graph, callees first.
#pragma once

#include <memory>

#include "elyze/effects/summary.hpp"

namespace heddle::elyze {

std::unique_ptr<Analysis> analyse_functions(const llvm::Module& module, const Specs& specs, const CallGraph& calls);

}  // namespace heddle::elyze
