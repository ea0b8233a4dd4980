// Questions about single values, types and lists of the program that several parts of the analysis ask.
#pragma once

#include <cstdint>
#include <vector>

namespace llvm {
class CallBase;
class Constant;
class Function;
class GlobalVariable;
class Module;
class Type;
class Value;
}  // namespace llvm

namespace heddle::elyze {

// A pointer masked with a number below this is no pointer any more: `p & 15`.
inline constexpr std::int64_t kSmallMask = 4096;
// And below this one it says nothing of where in a page the object lies: no two blocks of malloc() begin so near.
inline constexpr std::int64_t kMarks = 16;

// True for types whose values may carry a pointer or a descriptor.
bool carries(const llvm::Type* type);

// Is the constant an address that the program has chosen as a number? Not null, and none of the numbers at either end
// of the address space, where no memory is: they stand for "none" or "failed".
bool is_fixed_address(const llvm::Constant& address);

// Does the call give the place of its result as a hidden first argument? So does x86-64 with structures of more than 16
// bytes (System V ABI, 3.2.3).
bool returns_by_address(const llvm::CallBase& call);

// The argument `index` of a call as the source has them, or null where there is none.
const llvm::Value* argument(const llvm::CallBase& call, int index);

// Does the program have the function's address as a value? To call it, or to name it as a personality, is not that.
bool is_taken(const llvm::Function& function);

// Does the text have a conversion of printf() that writes (%n)?
bool has_write_conversion(const llvm::GlobalVariable& text);

// Or one of scanf() that makes a block for what it reads (%ms)?
bool has_block_conversion(const llvm::GlobalVariable& text);

// True for a constant text or table of numbers: nobody can write it or find a pointer in it. The points-to graph gives
// each of its uses a node of its own; otherwise a function that is called with `client->name` and with "none" would
// unify both.
bool has_no_identity(const llvm::GlobalVariable& variable);

}  // namespace heddle::elyze
