#include "elyze/points_to/cells.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Operator.h>

#include "elyze/ir/values.hpp"
#include "elyze/points_to/stored_before.hpp"

namespace heddle::elyze {

Cell Cells::of(const llvm::Value* value) {
  if (value == nullptr) return {};
  if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(value)) return points_to_.global(*global);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantExpr>(value)) {
    if (is_fixed_address(*constant)) return points_to_.hidden(kFixedAddresses, ObjectKind::kUnknown);
    if (constant->getOpcode() == llvm::Instruction::GetElementPtr) {
      llvm::APInt offset(64, 0);
      const Cell base = of(constant->getOperand(0));
      if (!llvm::cast<llvm::GEPOperator>(constant)->accumulateConstantOffset(points_to_.module.getDataLayout(),
                                                                             offset)) {
        graph_.add_walk(base, 1);
      }
      if (base.valid() && is_far(graph_.find(base).offset + offset.getSExtValue())) {
        graph_.add_walk(base, 1);
        return base;
      }
      return base.plus(offset.getSExtValue());
    }
    if (constant->isCast()) return of(constant->getOperand(0));
    for (const llvm::Use& operand : constant->operands()) {
      if (const Cell part = of(operand.get()); part.valid()) return part;
    }
    return {};
  }
  if (const auto* parts = llvm::dyn_cast<llvm::ConstantAggregate>(value)) {
    Cell all;
    for (const llvm::Use& operand : parts->operands()) {
      const Cell part = of(operand.get());
      if (all.valid()) graph_.unify(all, part);
      if (!all.valid()) all = part;
    }
    return all;
  }
  if (llvm::isa<llvm::Constant>(value) || !carries(value->getType())) return {};
  const auto [place, fresh] = unit_.values.try_emplace(value);
  if (fresh) {
    const Cell made = graph_.make();
    // make() does not touch unit_.values, so the place is still good.
    place->second = made;
  }
  return graph_.find(place->second);
}

Cell Cells::of(const Actual& actual) {
  if (actual.hidden != nullptr) return graph_.edge(points_to_.hidden(*actual.hidden).plus(actual.offset));
  const Cell found = of(actual.value);
  if (actual.inside && found.valid()) graph_.add_walk(found, 1);
  return loaded(found, actual.path);
}

Cell Cells::descriptor(const llvm::CallBase& call, const llvm::Value* value) {
  if (const llvm::ConstantInt* number = points_to_.number(call, value)) {
    if (number->isNegative()) return {};
    return points_to_.hidden("descriptor " + std::to_string(number->getSExtValue()), ObjectKind::kOs);
  }
  return of(value);
}

Cell Cells::place(const llvm::CallBase& call, int arg, const std::string& hidden) {
  if (arg == kReturnedObject) return of(&call);
  if (arg == kCalledFunction) return of(call.getCalledOperand());
  if (arg == kHiddenObject) return points_to_.hidden(hidden);
  return of(argument(call, arg));
}

Cell Cells::loaded(Cell from, const std::vector<std::int64_t>& path, bool number) {
  for (std::size_t i = 0; i < path.size() && from.valid(); ++i)
    from = graph_.edge(from.plus(path[i]), number && i + 1 == path.size());
  return from;
}

Cell Cells::stream(const llvm::CallBase& call, const Effect& effect) {
  if (effect.arg == kHiddenObject) return graph_.edge(points_to_.hidden(effect.name));
  return of(argument(call, effect.arg));
}

const llvm::Value* Cells::stored_function(const llvm::CallBase& call, const Callback& callback) const {
  if (!callback.stored) return nullptr;
  const auto stored = stored_before(call, argument(call, callback.function), *callback.stored, points_to_);
  return stored && stored->size() == 1 ? stored->front() : nullptr;
}

Cell Cells::function_of(const llvm::CallBase& call, const Callback& callback) {
  if (const llvm::Value* one = stored_function(call, callback)) return of(one);
  const Cell named = place(call, callback.function, "");
  return callback.stored && named.valid() ? graph_.edge(named.plus(*callback.stored)) : named;
}

bool pass(PointsTo& points_to, const llvm::Function& function, std::size_t index, Cell given) {
  Graph& graph = points_to.graph;
  const FunctionCells& cells = points_to.cells(function);
  if (!given.valid()) return false;
  if (index < cells.formals.size()) {
    const Cell formal = cells.formals[index];
    const bool known = !formal.valid() || graph.same(formal, given);
    graph.unify(formal, given);
    return !known;
  }
  if (!cells.variadic.valid()) return false;
  const bool pointer = graph.add_target(cells.variadic, given);
  return graph.add_target(cells.variadic, given, true) || pointer;
}

bool pass_kept(PointsTo& points_to, const llvm::Function& function, std::size_t index, Cell place) {
  const bool number =
      index < function.arg_size() && function.getArg(static_cast<unsigned>(index))->getType()->isIntegerTy();
  return place.valid() && points_to.graph.written(place, number) &&
         pass(points_to, function, index, points_to.graph.edge(place, number));
}

Cell Cells::field(const llvm::CallBase& call, const std::optional<Field>& field) {
  const Cell holder = field ? loaded(place(call, field->arg, ""), field->path) : Cell{};
  return holder.valid() ? holder.plus(field->offset) : Cell{};
}

Cell Cells::given(const llvm::CallBase& call, const Parameter& parameter) {
  switch (parameter.kind) {
    case Parameter::Kind::kArgument:
      return descriptor(call, argument(call, parameter.arg));  // the only number that callbacks are given
    case Parameter::Kind::kReturned:
      return of(&call);
    case Parameter::Kind::kLoaded: {
      const Cell holder = place(call, parameter.arg, "");
      return holder.valid() ? graph_.edge(holder.plus(parameter.offset)) : holder;
    }
    case Parameter::Kind::kHidden:
      return points_to_.hidden(parameter.hidden);
    default:
      return {};
  }
}

}  // namespace heddle::elyze
