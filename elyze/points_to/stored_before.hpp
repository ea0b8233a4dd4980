// What stands in a local variable when a call is given its address, by the stores that come before on each path.
//
// The graph has one edge for all that was ever stored at a place. A structure that a function fills anew for each call,
// `struct sigaction` for one signal after the other, would have the functions of all calls in each.
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "elyze/points_to/program.hpp"

namespace heddle::elyze {

// The pointers of which one stands at `offset` of what `address` points to, at the time of the call. Nothing, if it
// isn't a variable of the caller that only the caller's own instructions, and functions with specs, can get at; or if
// anything else than whole stores may have written there.
std::optional<std::vector<const llvm::Value*>> stored_before(const llvm::CallBase& call, const llvm::Value* address,
                                                             std::int64_t offset, PointsTo& points_to);

}  // namespace heddle::elyze
