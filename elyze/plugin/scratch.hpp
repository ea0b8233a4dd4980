// Lets a runtime give each of its threads its own of a program's static buffers.
//
// Which of them hand nothing from one invocation to the next only the whole program shows, so the compiler makes
// candidates: a static object's code no longer names it, but asks a variable of the thread where the thread's own is.
// That is the object itself, for every thread, until somebody says otherwise; only the runtime does, for its own
// threads and for what the analyser has proven (elyze/scratch). The cost is one load per function that uses the object.
//
// The analyser gets the module as it was, with a mark on each candidate.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::plugin {

// To be called before the bitcode is put into the object.
void mark_scratch(llvm::Module& module);
// And behind it.
void make_scratch_movable(llvm::Module& module);

}  // namespace heddle::plugin
