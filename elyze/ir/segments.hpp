// Memory that a segment register leads to.
//
// On x86-64, the address spaces 256, 257 and 258 are %gs, %fs and %ss (LLVM's "X86 Code Generator": "X86 address spaces
// supported"), and 270 to 272 are pointers of other sizes; other machines have others. What such an address means
// depends on a register that the program may set (arch_prctl(2), `wrgsbase`), so it may be any object. An access
// becomes a call of a function without a spec, before anything else looks at it: its handler conflicts with every
// handler and stays on the thread of the loop, what it is given escapes, and what it gives is anything that escaped.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>

namespace heddle::elyze {

// The name of that function.
inline constexpr llvm::StringLiteral kSegmentMemory = "memory of a segment";

// Does the text of an assembly statement name a segment register or its base?
bool names_segment(llvm::StringRef assembly);

// Is the value a pointer into another address space than 0?
bool of_segment(const llvm::Type& type);
// Does the text of an assembly statement name a segment register or its base?
bool names_segment(llvm::StringRef assembly);

// Replaces accesses to another address space than 0, moves between address spaces, assembly that names a segment
// register (but where it jumps, ir/assembly.hpp), and intrinsics that read or set one.
void replace_segments(llvm::Module& module);
// Replaces calls that give such a pointer to a function which no file of the program defines.
void replace_segments_given_away(llvm::Module& program);

// Has a module of the program such accesses? Then they may be to variables of the thread, which %fs leads to.
bool uses_segments(const llvm::Module& program);

}  // namespace heddle::elyze
