// The cell of each value of a group of functions: what a pointer, a descriptor or an aggregate of them stands for.
//
// A value gets its cell when it is first asked for. What a spec says of a call in terms of its arguments ("the pointer
// at byte 8 of what argument 1 points to") is a cell too.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "elyze/points_to/program.hpp"

namespace heddle::elyze {

// A strongly connected component of the call graph, with its part of the points-to graph.
struct Unit {
  std::vector<const llvm::Function*> members;
  llvm::DenseMap<const llvm::Value*, Cell> values;
  std::vector<Graph::Copy> copies;
  std::map<std::pair<const CallSite*, const llvm::Function*>, Graph::CloneMap> clones;  // per call out of the component
};

// Gives a callback what a library passes in this parameter. Where it has none, its variable arguments have it. True if
// that is new.
bool pass(PointsTo& points_to, const llvm::Function& function, std::size_t index, Cell given);
// The same for what the program itself has stored at the place, if anything.
bool pass_kept(PointsTo& points_to, const llvm::Function& function, std::size_t index, Cell place);

// What stands in a stream, as in the specs of setvbuf() and open_memstream(): the buffer that the program gave it;
// where it tells about its text.
inline constexpr std::int64_t kStreamBuffer = 1000;
inline constexpr std::int64_t kStreamText = 1008;

class Cells {
 public:
  Cells(PointsTo& points_to, Unit& unit) : points_to_(points_to), graph_(points_to.graph), unit_(unit) {}

  // Invalid for values that lead to no memory, such as null.
  Cell of(const llvm::Value* value);
  Cell of(const Actual& actual);
  // The open file behind a descriptor. One that the call gives as a constant (1) stands for the same file everywhere.
  Cell descriptor(const llvm::CallBase& call, const llvm::Value* value);
  // The cell of an argument, or of what kReturnedObject, kCalledFunction or kHiddenObject of specs/spec.hpp stands for.
  Cell place(const llvm::CallBase& call, int arg, const std::string& hidden);
  // The cell at the end of a path: follows the pointer at byte path[0] of `from`, from there the one at path[1], and so
  // on. With `number` the last one is a descriptor.
  Cell loaded(Cell from, const std::vector<std::int64_t>& path, bool number = false);
  // The stream that a record is added to.
  Cell stream(const llvm::CallBase& call, const Effect& effect);
  // The function that a registration names.
  Cell function_of(const llvm::CallBase& call, const Callback& callback);
  // Where the program may have put something else than what it has registered; invalid if nowhere.
  Cell field(const llvm::CallBase& call, const std::optional<Field>& field);
  // The one that stands where the library finds it, if the function that makes the call shows that; null: not known.
  const llvm::Value* stored_function(const llvm::CallBase& call, const Callback& callback) const;
  // What a callback gets in one of its parameters; invalid where the library makes it.
  Cell given(const llvm::CallBase& call, const Parameter& parameter);

 private:
  PointsTo& points_to_;
  Graph& graph_;
  Unit& unit_;
};

}  // namespace heddle::elyze
