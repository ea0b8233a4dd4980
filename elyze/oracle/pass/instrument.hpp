// Instruments one unit of a program so that a serial run says what each handler touches.
//
// Works on code that was simplified as the analyser simplifies it and not optimised further: later passes would widen,
// merge and speculate accesses, and the analyser would be blamed for them.
#pragma once

#include <llvm/IR/Module.h>

#include "elyze/specs/spec.hpp"

namespace heddle::oracle {

void instrument(llvm::Module& module, const elyze::Specs& specs);

}  // namespace heddle::oracle
