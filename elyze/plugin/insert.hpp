// Puts a late point wherever a rarely taken path is entered on which something may be touched that others can see.
//
// The pass proves nothing: the analyser, which has the whole program before it, finds out later on which points a
// verdict rests. A point that no verdict rests on has no effect. The analyser sees the very points that the program
// has.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::late {

// `everywhere`: see cold.hpp.
void insert_late_points(llvm::Module& module, bool everywhere);

}  // namespace heddle::late
