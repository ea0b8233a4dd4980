// Which functions the source casts to another type.
//
// LLVM's pointers have no types, so a callback that was cast looks like any other, and so does a function that
// unification has merged with the callbacks. Debug information tells them apart: a function is marked as cast where its
// address, or any function pointer of its type, goes to a place that is declared with another type, or with none that
// we know (`void *`, a union, a variable argument). A function without a mark can only be called by its own type; one
// whose mark names the types that it was cast to, by these as well.
//
// Runs before LLVM's early passes, while every variable still has its place and each field its structure, on the
// modules of the whole program: what one of them calls, another defines.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include "elyze/ir/load.hpp"
#include "elyze/specs/specs.hpp"

namespace heddle::elyze {

void mark_casts(const Modules& program, const Specs& specs);
bool is_cast(const llvm::Function& function);
// May a library call the function by this type: by its own, or one that it is cast to?
bool may_be_called_by(const Signature& type, const llvm::Function& function);
// May a pointer that is declared with this type hold the function? Where the type is not known, any.
bool may_hold(const llvm::DIType* pointer, const llvm::Function& function);

}  // namespace heddle::elyze
