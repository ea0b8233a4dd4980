// Who calls whom, function pointers included.
//
// One context-insensitive run of the builder over the whole program gives the functions that each pointer may hold;
// the number and kinds of parameters then filter each points-to set. A call through a pointer whose points-to set is
// empty, or that comes from unknown memory, may reach every function of its signature whose address is taken; the
// report lists such calls.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <unordered_set>

#include "elyze/points_to/program.hpp"

namespace heddle::elyze {

CallGraph build_call_graph(const llvm::Module& module, const Specs& specs);

// The functions that do it themselves, and those that call such a function, directly or further down.
std::unordered_set<const llvm::Function*> functions_that_do(const llvm::Module& module, const CallGraph& calls,
                                                            llvm::function_ref<bool(const llvm::Function&)> does);

}  // namespace heddle::elyze
