// Which numbers in the code can't change what the analysis says, so that another build may have others: see
// docs/internals/elyze.md, "Again".
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "elyze/points_to/numbers_read.hpp"

namespace heddle::elyze {

// May operand `index` be `now` instead of `before` in otherwise equal instructions? One question is about the code as
// it is compiled, from which only marks of casts are derived; the other one about the code as the analysis sees it.
bool may_differ_as_compiled(const llvm::Instruction& at);
bool may_differ_prepared(const llvm::Instruction& at, unsigned index, const llvm::ConstantInt& before,
                         const llvm::ConstantInt& now, const NumbersRead& read);

// Do these comparisons, which differ in predicate or number, say the same about fork() and about success?
bool same_to_branches(const llvm::ICmpInst& before, const llvm::ICmpInst& now);

}  // namespace heddle::elyze
