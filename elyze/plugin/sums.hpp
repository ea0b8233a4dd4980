// Makes counters that a program only adds to atomic, so that handlers which count do not keep each other waiting.
//
// Statistics are written at the end of nearly every handler of a server. Two plain `n += 1` at once lose one of them;
// two additions in one step each leave the same sum in any order, which the analyser knows of atomic variables. So an
// addition or subtraction of integers whose old and new value nobody looks at becomes one such step. Whoever reads the
// counter still reads it plainly, and is kept apart from those who count. Nothing is proven here, and nothing has to
// be: for one thread, both do the same.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::plugin {

void make_sums_atomic(llvm::Module& module);

}  // namespace heddle::plugin
