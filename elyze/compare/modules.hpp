// Compares two builds of one module, function by function and instruction by instruction: can the analysis see a
// difference? Everything must be equal but for what is listed in docs/internals/elyze.md ("Again"); whatever is not
// known here counts as different.
//
// Modules are compared twice: as they are compiled, because marks of casts are derived from that, and prepared, which
// is all that the rest of the analysis sees. The second comparison shows whether a number that may differ in the source
// has changed what LLVM's passes made of the code around it.
#pragma once

#include <llvm/IR/Module.h>

#include "elyze/compare/debug_info.hpp"
#include "elyze/points_to/numbers_read.hpp"

namespace heddle::elyze {

enum class Form : std::uint8_t { kCompiled, kPrepared };

// Throws Different. `read`: the numbers that the analysis of the program looked at in calls.
void compare(const llvm::Module& before, const llvm::Module& now, Form form, const NumbersRead& read, Lines& lines);

}  // namespace heddle::elyze
