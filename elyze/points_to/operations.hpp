// The operations of LLVM that the points-to graph models. Whatever is not on these lists is unknown: an address that
// goes in escapes, and a pointer that is made of what comes out is anything that escaped (points_to/addresses.hpp).
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::elyze {

enum class Model : std::uint8_t {
  kUnknown,   // on no list
  kControl,   // gives no value
  kAnswer,    // gives one bit, or a number that says nothing of where an object lies
  kObject,    // gives the address of an object of its own
  kAddress,   // moves a pointer; the numbers are distances
  kMove,      // gives one of its operands, or a part, or all of them together
  kToNumber,  // gives the address as a number
  kToPointer,
  kSum,
  kDifference,
  kMask,
  kMemory,  // loads or stores
  kCall,
};

struct Modelled {
  unsigned which;  // the opcode, or the number of the intrinsic
  Model model;
  const char* reason;
};

const std::vector<Modelled>& modelled_opcodes();
// Intrinsics that are treated as values. Specs (elyze/specs) describe those that touch memory.
const std::vector<Modelled>& modelled_intrinsics();

Model model_of_opcode(unsigned opcode);
Model model_of_intrinsic(unsigned intrinsic);

}  // namespace heddle::elyze
