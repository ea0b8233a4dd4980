// Keeps the extent of arrays visible through optimisation.
//
// In C, arithmetic on a pointer stays inside the array that it points into (C11 6.5.6). A walk over `c->buffer` can
// therefore not reach `c->next`, but once LLVM has turned the typed address into plain byte arithmetic nothing says so
// any more. Before any pass runs, every place where an array object is indexed or decays to a pointer gets its base
// address wrapped in a call of the pseudo function `elyze.array(ptr, bytes)`, which later passes can't look through
// and the points-to builder reads as "here begins an array of that many bytes". An extent of 0 means a flexible array
// member: to the end of the block.
//
// Soundness: a missing mark only loses precision (the walk then covers the whole object). A mark is wrong only for a
// program that walks out of an array, which is undefined behaviour.
#pragma once

namespace llvm {
class Module;
class Value;
}  // namespace llvm

namespace heddle::elyze {

void mark_arrays(llvm::Module& module);
// A call of the pseudo function.
bool is_array_mark(const llvm::Value& value);

}  // namespace heddle::elyze
