// Turns the instructions of a group of functions into unifications of one part of the graph.
//
// The group is a strongly connected component of the call graph: calls inside it share cells (no cloning in a cycle),
// calls out of it copy the callee's finished part into this one. With the whole program as one group the same code is
// the context-insensitive analysis that finds the targets of indirect calls.
//
// Soundness: each instruction that can make a pointer reach a place unifies the pointer's cell with the place's. What
// carries pointers: pointers, 32- and 64-bit integers (a descriptor counts as a pointer to its open file), aggregates
// of them. A narrower value that is stored right after it was loaded counts as a copy of all bytes around it. Where
// another operation makes something of an address, points_to/addresses.hpp says what follows.
#pragma once

#include <functional>
#include <utility>

#include "elyze/points_to/cells.hpp"

namespace heddle::elyze {

class Builder {
 public:
  // `link` connects one call site with one target that has a body.
  using Link = std::function<void(const CallSite&, const llvm::Function&)>;

  // `calls` is null while the call graph is being built.
  Builder(PointsTo& points_to, Unit& unit, Cells& cells, const CallGraph* calls, Link link)
      : points_to_(points_to),
        graph_(points_to.graph),
        unit_(unit),
        cells_(cells),
        calls_(calls),
        link_(std::move(link)) {}

  void run();
  // Unifies actuals and result with the formals of a function of the same unit. With `recursive` it is not known yet
  // which of them the event loop is given.
  void link_shared(const CallSite& site, const llvm::Function& callee, bool recursive = false);
  // The same with cells copied out of a finished unit.
  void link_cells(const CallSite& site, const FunctionCells& callee, bool recursive = false);
  void call_external(const llvm::CallBase& call, const llvm::Function& callee);
  // Looks again at an instruction of which `points_to.addresses` has learnt more.
  void revisit(const llvm::Instruction& instruction);

 private:
  void visit(const llvm::Instruction& instruction);
  Cell standard_descriptor(const llvm::CallBase& call, const Actual& actual) const;
  void give_command_line(const llvm::Function& first);
  void note_types(const llvm::Instruction& instruction);
  void load(const llvm::Instruction& result, const llvm::Value* from);
  void store(const llvm::Value* value, const llvm::Value* to);
  void pointer_arithmetic(const llvm::User& gep, Cell result);
  void number_to_pointer(const llvm::Value* number, int depth);
  bool from_pointer(const llvm::Value* number) const;
  void lose_addresses(const llvm::Instruction& instruction);
  void lose(const llvm::Value* value);
  void integer_arithmetic(const llvm::BinaryOperator& operation);
  void call(const llvm::CallBase& call);
  void dispatch(const llvm::CallBase& call, const Callback& callback);
  void assembly(const llvm::CallBase& call);
  void apply(const llvm::CallBase& call, const Spec& spec);
  void mix(Cell at, std::int64_t bytes);
  void write_anything(const llvm::CallBase& call, const Spec& spec, const Effect& effect);
  void make_texts(const llvm::CallBase& call, const Effect& effect);
  Cell anything(const llvm::CallBase& call, const Spec& spec, int but);
  void give_unknown_result(const llvm::CallBase& call, const Spec& spec);
  void give_result(const llvm::CallBase& call, const Spec& spec, const Result& given);
  bool keeps_standard_descriptor(const llvm::CallBase& call, const Spec& spec, const Effect& effect) const;
  Object opened(Object object, const llvm::CallBase& call, const Spec& spec, int path);
  bool opens_at_end(const llvm::CallBase& call, const llvm::Value* how);

  PointsTo& points_to_;
  Graph& graph_;
  Unit& unit_;
  Cells& cells_;
  const CallGraph* calls_;
  Link link_;
};

}  // namespace heddle::elyze
