// What an inline assembly statement touches, from its constraints.
//
// GCC's manual ("Extended Asm"): what is read or written other than the operands must be declared by a "memory"
// clobber. An operand in memory is written where it is an output and read where it is an input. Programs keep to that
// for writes; but they do read through a pointer in a register without saying so (`"crc32q (%1), %0"`), so a pointer
// operand counts as read from where it points on. A statement that names a symbol of the program, or that has no
// operands and is not known to be harmless, may touch any memory: for "Basic Asm" the manual says so.
#pragma once

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstrTypes.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::elyze {

struct AssemblyOperand {
  const llvm::Value* value;
  bool memory;         // the operand is what `value` points to
  bool written;        // with `memory`
  std::int64_t bytes;  // with `memory`; 0: not known
  bool carries;        // what stands there may be, or hold, a pointer
};

// No list where the statement may touch any memory: also with a memory clobber, or constraints that can't be read. A
// compiler barrier, which has no text, touches nothing: its list holds only the values that it hands through.
std::optional<std::vector<AssemblyOperand>> assembly_operands(const llvm::CallBase& call);

// What the text may name other than by an operand: its words, but for instructions and registers.
std::vector<std::string> names_beside_operands(llvm::StringRef text);

// Does it neither change what its thread keeps, nor look at that: a mode, a control register, how deep the stack is?
bool free_of_its_thread(const llvm::InlineAsm& assembly);

}  // namespace heddle::elyze
