// Loops that compute a new value from an atomic and store it by compare-and-swap: one step, however often they go
// round.
#pragma once

#include <llvm/IR/Instructions.h>

namespace heddle::elyze {

// The load before such a loop, of which `exchange` is the compare-and-swap; null if it is not plainly one. Then the
// value that is compared is what the load, or the last attempt, gave; whoever fails tries again, and an attempt that
// failed has left nothing behind: no write, and no value but what the atomic held.
const llvm::LoadInst* load_before_loop(const llvm::AtomicCmpXchgInst& exchange);

}  // namespace heddle::elyze
