// Which numbers may hold an address, and where the points-to graph loses sight of one.
//
// A number that was made from a pointer by the operations of points_to/operations.hpp has the pointer's cell. Any other
// operation loses it: a shift, a product, a conversion to floating point, a piece of the address. If what is made of
// such a number may become a pointer again, then
//   - what the operation was given *escapes*: it is stored in an object that stands for all lost addresses;
//   - a pointer that is made of a lost address is loaded from that object: it is anything that escaped.
// A lost address that never becomes a pointer costs nothing: a hash that is only an index, a distance, a flag.
//
// Whether it does is decided over the whole program: forward from pointers that become numbers, backward from numbers
// that become pointers, through values, calls and memory as the graph without context knows it. A pointer is also made
// by storing numbers where a pointer is declared (points_to/declared.hpp). The difference of two addresses counts as a
// lost address only where arithmetic makes an address of it again, for a length is one too.
//
// Not followed are branches and comparisons.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <cstdint>
#include <vector>

#include "elyze/points_to/graph.hpp"

namespace llvm {
class Instruction;
class Module;
class Value;
}  // namespace llvm

namespace heddle::elyze {

class Cells;
struct CallGraph;
struct PointsTo;

// The object in which lost addresses are kept.
inline constexpr const char* kLostAddresses = "addresses kept as numbers";

class AddressNumbers {
 public:
  // Adds what follows from the graph and the calls that are known by now. Returns the instructions of which more is
  // known than before: the builder must look at them again.
  std::vector<const llvm::Instruction*> update(PointsTo& points_to, Cells& cells, const CallGraph& calls,
                                               const std::vector<Graph::Copy>& copies);

  // May the number hold an address that the graph follows?
  bool may_hold(const llvm::Value* number) const { return held_.contains(number); }
  // May the number, which is loaded, become a pointer by a cast?
  bool wanted(const llvm::Value* number) const { return wanted_.contains(number); }
  // What the instruction is given escapes.
  bool escapes(const llvm::Instruction& at) const { return escaping_.contains(&at); }
  // The pointer that the instruction gives may be made of a lost address.
  bool made(const llvm::Instruction& pointer) const { return made_.contains(&pointer); }
  // A lost address is stored where a pointer is declared.
  bool spills(const llvm::Instruction& store) const { return spills_.contains(&store); }

 private:
  friend class AddressFlow;
  llvm::DenseSet<const llvm::Value*> held_;
  llvm::DenseSet<const llvm::Value*> wanted_;
  llvm::DenseSet<const llvm::Instruction*> escaping_;
  llvm::DenseSet<const llvm::Instruction*> made_;
  llvm::DenseSet<const llvm::Instruction*> spills_;
};

}  // namespace heddle::elyze
