// What runs beside a loop that a thread of the program runs.
//
// One loop has one handler in its middle at most, whatever somebody sees of it who looks on. Where a thread runs a
// loop, other handlers look on, those of other loops, and so does main behind the call that starts the thread.
#pragma once

#include <functional>
#include <unordered_set>

#include "elyze/effects/analysis.hpp"

namespace heddle::elyze {

struct Handler;

bool starts_thread(const llvm::CallBase& call);

using ExternalTest = std::function<bool(const llvm::Function& external, const Spec& spec)>;
// Does the call call such a function itself, through pointers as well?
bool makes(const Analysis& analysis, const llvm::CallBase& call, const ExternalTest& such);
// The functions that make such a call, themselves or further down.
std::unordered_set<const llvm::Function*> functions_that_make(const Analysis& analysis, const ExternalTest& such);

struct Beside {
  bool loops = false;                                    // a thread may run a loop
  std::unordered_set<const llvm::Instruction*> of_main;  // with `loops`: what main may do meanwhile
};
// `handlers`: those that run at any time among them.
Beside beside_loops(const Analysis& analysis, const std::vector<Handler>& handlers);

}  // namespace heddle::elyze
