// Which numbers in the code can have no part in what the analysis says: see docs/internals/elyze.md, "Again".
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "elyze/points_to/program.hpp"

namespace heddle::elyze {

// May operand `index` be `now` instead of `before`, in instructions that are else equal? Decided for code as it is
// compiled (only marks of casts are derived from that), and for code as the analysis sees it.
bool may_differ_as_compiled(const llvm::Instruction& at, unsigned index);
bool may_differ_prepared(const llvm::Instruction& at, unsigned index, const llvm::ConstantInt& before,
                         const llvm::ConstantInt& now, const NumbersRead& read);

// Do these comparisons, which differ in predicate or number, say the same about fork() and about success?
bool same_to_branches(const llvm::ICmpInst& before, const llvm::ICmpInst& now);

}  // namespace heddle::elyze
