// Who calls whom, function pointers included.
//
// One context-insensitive run of the builder over the whole program gives the functions that each pointer may hold;
// the number and kinds of parameters then filter each points-to set. A call through a pointer whose points-to set is
// empty, or that comes from unknown memory, may reach every function of its signature whose address is taken; the
// report lists such calls.
#pragma once

#include <vector>

#include "elyze/points_to/program.hpp"

namespace heddle::elyze {

CallGraph build_call_graph(const llvm::Module& module, const Specs& specs);

}  // namespace heddle::elyze
