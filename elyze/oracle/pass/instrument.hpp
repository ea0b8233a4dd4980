// Instruments one unit of a program so that a serial run says what each handler touches.
//
// Works on code that was simplified as the analyser simplifies it and not optimised further: later passes widen, merge
// and speculate accesses, which the analyser does not know of.
#pragma once

#include <llvm/IR/Module.h>

#include "elyze/specs/specs.hpp"

namespace heddle::oracle {

void instrument(llvm::Module& module, const elyze::Specs& specs);

}  // namespace heddle::oracle
