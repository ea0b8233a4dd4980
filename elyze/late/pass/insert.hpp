// Puts a late point wherever a rarely taken path is entered on which something may be touched that others can see.
//
// Which of them anything rests on is for the analyser to find out, later and with the whole program before it: one that
// nothing rests on does nothing. So the pass needs to prove nothing, and the analyser sees the very points that the
// program has.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::late {

// `everywhere`: see cold.hpp.
void insert_late_points(llvm::Module& module, bool everywhere);

}  // namespace heddle::late
