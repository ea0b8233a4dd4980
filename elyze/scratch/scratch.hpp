// Which static objects of the program are scratch: each invocation writes what it reads of them, and keeps no pointer
// to them.
//
// A buffer that is static only to keep it off the stack makes every two handlers that use it conflict, and yet hands
// nothing from one invocation to the next. If each thread has one of its own, nobody can tell. A program that was built
// with `heddle build --scratch` has a mark on each object that a runtime can give a thread in the place of the
// program's own (elyze/plugin/scratch.hpp). Of these, an object is scratch if, over the whole program,
//   - its address goes through values, parameters and results of functions that are called by name only, so that no
//     pointer to it is kept in memory, is made a number or is seen by code without a spec;
//   - every function that may be called by others (a handler, main, what has its address taken) reads only bytes of it
//     that it, or what it calls, has written since it was called, on every path;
//   - nothing that runs at any time (a thread, a signal function) gets at it, no thread runs a loop of its own, and
//     nothing in the program can jump to where a function was before.
// Where other invocations may run in between (a call of an event loop, unknown code), what was written before counts no
// longer: so main, too, reads nothing that a handler has left there.
//
// Bytes count one by one. A text counts as written from where a function of the C library has put one, up to its end:
// who reads a text reads no further. Anything else that is written there ends that.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <vector>

#include "elyze/effects/analysis.hpp"
#include "elyze/handlers/world.hpp"

namespace llvm {
class GlobalVariable;
}  // namespace llvm

namespace heddle::elyze {

struct ScratchObject {
  const llvm::GlobalVariable* variable = nullptr;
  std::uint64_t number = 0;  // of its mark
};

// Those whose node in the graph stands for nothing else.
llvm::DenseMap<NodeId, ScratchObject> find_scratch(const Analysis& analysis, const World& world);

}  // namespace heddle::elyze
