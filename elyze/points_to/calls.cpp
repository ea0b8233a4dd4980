// Calls: linking actuals with formals, what specs say about external functions, and what is assumed about unknown ones.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <array>

#include "elyze/ir/assembly.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/points_to/builder.hpp"

namespace heddle::elyze {

// ---- cells that exist once in the program ----

namespace {

const std::string kCalledAtExit = "functions called at exit";  // as in the spec of exit()

bool holds_addresses(const llvm::Constant& value) {
  if (llvm::isa<llvm::GlobalValue>(value)) return true;
  if (llvm::isa<llvm::BlockAddress>(value)) return false;  // a label
  return std::any_of(value.op_begin(), value.op_end(), [](const llvm::Use& operand) {
    return holds_addresses(*llvm::cast<llvm::Constant>(operand.get()));
  });
}

}  // namespace

bool has_no_identity(const llvm::GlobalVariable& variable) {
  return variable.isConstant() && variable.hasInitializer() && !variable.isInterposable() &&
         !holds_addresses(*variable.getInitializer());
}

Cell PointsTo::global(const llvm::GlobalValue& value) {
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&value)) {
    llvm::APInt offset(64, 0);
    const llvm::Value* base =
        alias->getAliasee()->stripAndAccumulateConstantOffsets(module.getDataLayout(), offset, true);
    if (const auto* target = llvm::dyn_cast<llvm::GlobalValue>(base))
      return global(*target).plus(offset.getSExtValue());
  }
  const auto known = globals_.find(&value);
  if (known != globals_.end()) return graph.find(known->second);
  Cell made;
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
    if (const std::string* library = specs.variable(*variable)) return hidden(*library);
    if (has_no_identity(*variable)) return graph.make(kConstant);
    const GlobalName name = source_name(*variable);
    const auto size = static_cast<std::int64_t>(module.getDataLayout().getTypeAllocSize(variable->getValueType()));
    made = graph.make_object({ObjectKind::kGlobal, variable, name.name, name.type, size},
                             static_cast<std::uint16_t>(kShared | (variable->isConstant() ? kConstant : kVariable)));
    if (variable->getValueType()->isArrayTy()) graph.add_array(made, size);
    globals_[&value] = made;
    if (variable->hasInitializer()) initialise(made, *variable->getInitializer());
    return graph.find(made);
  }
  made = graph.make_object({ObjectKind::kFunction, &value, value.getName().str(), nullptr, 0},
                           static_cast<std::uint16_t>(kShared | kConstant));
  globals_[&value] = made;
  return made;
}

void PointsTo::initialise(Cell at, const llvm::Constant& value) {
  const llvm::DataLayout& layout = module.getDataLayout();
  if (const auto* structure = llvm::dyn_cast<llvm::ConstantStruct>(&value)) {
    const llvm::StructLayout* members = layout.getStructLayout(structure->getType());
    for (unsigned i = 0; i < structure->getNumOperands(); ++i) {
      initialise(at.plus(static_cast<std::int64_t>(members->getElementOffset(i).getFixedValue())),
                 *structure->getOperand(i));
    }
  } else if (const auto* array = llvm::dyn_cast<llvm::ConstantArray>(&value)) {
    const auto stride = static_cast<std::int64_t>(layout.getTypeAllocSize(array->getType()->getElementType()));
    graph.add_array(at, stride * static_cast<std::int64_t>(array->getNumOperands()));
    for (unsigned i = 0; i < array->getNumOperands(); ++i) initialise(at.plus(stride * i), *array->getOperand(i));
  } else {
    llvm::APInt offset(64, 0);
    const llvm::Value* base = &value;
    while (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(base)) {
      if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(expression))
        gep->accumulateConstantOffset(layout, offset);
      base = expression->getOperand(0);
    }
    if (const auto* target = llvm::dyn_cast<llvm::GlobalValue>(base)) {
      graph.add_target(at, global(*target).plus(offset.getSExtValue()));
    }
  }
}

std::vector<const llvm::Function*> listed_functions(const llvm::Module& module, const char* list) {
  std::vector<const llvm::Function*> found;
  const llvm::GlobalVariable* functions = module.getNamedGlobal(list);
  const auto* entries = functions == nullptr || !functions->hasInitializer()
                            ? nullptr
                            : llvm::dyn_cast<llvm::ConstantArray>(functions->getInitializer());
  if (entries == nullptr) return found;
  for (const llvm::Use& entry : entries->operands()) {
    const auto* function =
        llvm::dyn_cast<llvm::Function>(llvm::cast<llvm::Constant>(entry.get())->getOperand(1)->stripPointerCasts());
    if (function != nullptr) found.push_back(function);
  }
  return found;
}

Cell PointsTo::hidden(const std::string& name, ObjectKind kind) {
  if (name.starts_with("descriptor ")) kind = ObjectKind::kOs;  // `touch descriptor 0`
  const auto [place, fresh] = hidden_.try_emplace(name);
  if (fresh)
    place->second =
        graph.make_object({kind, nullptr, name, nullptr, 0}, static_cast<std::uint16_t>(kShared | kVariable));
  if (fresh && name == kEventsHandedOut) graph.add_flags(place->second, kUnknownMemory);
  if (fresh && name == kCalledAtExit) {
    const Cell made = place->second;
    for (const llvm::Function* function : listed_functions(module, "llvm.global_dtors"))
      graph.add_target(made, global(*function));
    return graph.find(made);
  }
  return graph.find(place->second);
}

FunctionCells& PointsTo::cells(const llvm::Function& function) {
  const auto [place, fresh] = functions_.try_emplace(&function);
  FunctionCells& cells = place->second;
  if (fresh) {
    for (const llvm::Argument& formal : function.args()) {
      cells.formals.push_back(carries(formal.getType()) ? graph.make() : Cell{});
    }
    if (carries(function.getReturnType())) cells.returned = graph.make();
    if (function.isVarArg()) {
      cells.variadic = graph.make();
      graph.add_walk(cells.variadic, 1);
    }
  }
  return cells;
}

// ---- numbers ----

namespace {

// A name in one file of the program and in the whole of it: of two local functions of one name the linker renames one.
std::string linked_name(const llvm::Value& function) {
  llvm::StringRef name = function.getName();
  const auto dot = name.rfind('.');
  const bool numbered = dot != llvm::StringRef::npos && name.find_first_not_of("0123456789", dot + 1) == name.npos;
  return (numbered ? name.substr(0, dot) : name).str();
}

// Of what the call names, and of what that is another name for.
std::array<std::string, 2> called_names(const llvm::CallBase& call) {
  const llvm::Value* named = call.getCalledOperand()->stripPointerCasts();
  const llvm::Value* meant = named->stripPointerCastsAndAliases();
  return {llvm::isa<llvm::GlobalValue>(named) ? linked_name(*named) : "",
          llvm::isa<llvm::GlobalValue>(meant) ? linked_name(*meant) : ""};
}

}  // namespace

void NumbersRead::note(const llvm::CallBase& call, const llvm::Value& number) {
  for (const std::string& name : called_names(call)) {
    for (const llvm::Use& argument : call.args()) {
      if (argument.get() == &number) arguments_.emplace(name, argument.getOperandNo());
    }
  }
}

bool NumbersRead::may_read(const llvm::CallBase& call, unsigned index) const {
  const auto names = called_names(call);
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return arguments_.count({name, index}) != 0; });
}

const llvm::ConstantInt* PointsTo::number(const llvm::CallBase& call, const llvm::Value* value) {
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
  if (number != nullptr) numbers_read.note(call, *number);
  return number;
}

// ---- linking ----

void Builder::link_cells(const CallSite& site, const FunctionCells& callee) {
  for (std::size_t i = 0; i < site.actuals.size(); ++i) {
    const Cell actual = cell(site.actuals[i]);
    if (!actual.valid()) continue;
    if (i < callee.formals.size()) {
      graph_.unify(callee.formals[i], actual);
    } else if (callee.variadic.valid()) {
      graph_.add_target(callee.variadic, actual, site.actuals[i].value->getType()->isIntegerTy());
    }
  }
  if (site.callback == nullptr && callee.returned.valid()) graph_.unify(cell(site.call), callee.returned);
}

void Builder::link_shared(const CallSite& site, const llvm::Function& callee) {
  link_cells(site, FunctionCells(points_to_.cells(callee)));
}

void Builder::call(const llvm::CallBase& call) {
  if (is_array_mark(call)) {
    const Cell base = cell(call.getArgOperand(0));
    if (!base.valid()) return;
    graph_.add_array(base, llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getSExtValue());
    graph_.unify(cell(&call), base);
    return;
  }
  if (call.isInlineAsm()) {
    assembly(call);
    return;
  }
  if (const Callback* callback = points_to_.specs.dispatched(call)) dispatch(call, *callback);
  const llvm::Function* direct = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  if (direct != nullptr && direct->isIntrinsic() && direct->getIntrinsicID() == llvm::Intrinsic::vastart) {
    const Cell list = cell(call.getArgOperand(0));
    const Cell values = points_to_.cells(*call.getFunction()).variadic;
    if (!list.valid() || !values.valid()) return;
    // System V x86-64: overflow_arg_area and reg_save_area.
    graph_.unify(graph_.edge(list.plus(8)), values);
    graph_.unify(graph_.edge(list.plus(16)), values);
    return;
  }
  if (calls_ == nullptr) {
    link_(CallSite{&call, nullptr, {}, {}, {}, false, false}, *call.getFunction());
    return;
  }
  for (const CallSite& site : calls_->at(call)) {
    for (const llvm::Function* body : site.bodies) link_(site, *body);
    if (site.callback != nullptr) continue;
    for (const llvm::Function* external : site.externals) call_external(call, *external);
  }
}

// The call of a handler by a loop of the program's own. What it returns is not followed.
void Builder::dispatch(const llvm::CallBase& call, const Callback& callback) {
  function_of(call, callback);
  for (const Parameter& parameter : callback.parameters) given(call, parameter);
  if (const Cell result = cell(&call); result.valid()) graph_.add_flags(result, kUnknownMemory);
}

// Any pointer among the operands may come out as any other.
void Builder::assembly(const llvm::CallBase& call) {
  const auto operands = assembly_operands(call);
  if (!operands) {
    for (const llvm::Use& operand : call.args()) {
      if (const Cell part = cell(operand.get()); part.valid()) graph_.add_flags(part, kUnknownMemory);
    }
    if (const Cell result = cell(&call); result.valid()) graph_.add_flags(result, kUnknownMemory);
    return;
  }
  std::vector<Cell> parts{cell(&call)};
  for (const AssemblyOperand& operand : *operands) {
    const Cell part = cell(operand.value);
    if (!part.valid() || !operand.carries) continue;
    if (operand.memory) {
      parts.push_back(graph_.edge(part));
      parts.push_back(graph_.edge(part, true));
    } else {
      graph_.add_walk(part, 1);
      parts.push_back(part);
    }
  }
  std::erase_if(parts, [](const Cell& part) { return !part.valid(); });
  for (const Cell& part : parts) graph_.unify(parts.front(), part);
  // Made of nothing that we see: of a register, or of the instruction's own address.
  const Cell result = cell(&call);
  if (parts.size() == 1 && result.valid() && call.getType()->isPointerTy()) graph_.add_flags(result, kUnknownMemory);
}

// ---- external functions ----

void Builder::call_external(const llvm::CallBase& call, const llvm::Function& callee) {
  if (const Spec* spec = points_to_.specs.find(callee)) {
    apply(call, *spec);
    for (const Result& result : spec->results) give_result(call, result);
    return;
  }
  // Unknown: it may keep, change and hand out everything it can reach.
  for (const llvm::Use& operand : call.args()) {
    const Cell part = cell(operand.get());
    if (!part.valid()) continue;
    if (operand->getType()->isPointerTy()) graph_.add_flags(part, kUnknownMemory);
  }
  if (const Cell result = cell(&call); result.valid() && call.getType()->isPointerTy()) {
    graph_.unify(result, graph_.make_object(
                             {ObjectKind::kUnknown, &call, "what " + callee.getName().str() + " returned", nullptr, 0},
                             static_cast<std::uint16_t>(kUnknownMemory | kVariable)));
  }
}

namespace {

std::string call_name(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  const SourcePlace where = place_of(call);
  const std::string name = callee == nullptr ? "call" : callee->getName().str();
  return name + " at " + where.file + ":" + std::to_string(where.line);
}

}  // namespace

Cell Builder::place(const llvm::CallBase& call, int arg, const std::string& hidden) {
  if (arg == kReturnedObject) return cell(&call);
  if (arg == kCalledFunction) return cell(call.getCalledOperand());
  if (arg == kHiddenObject) return points_to_.hidden(hidden);
  return cell(argument(call, arg));
}

// What is found behind `from` when the pointers at these bytes are followed one after the other; the last is a
// descriptor if `number`.
Cell Builder::loaded(Cell from, const std::vector<std::int64_t>& path, bool number) {
  for (std::size_t i = 0; i < path.size() && from.valid(); ++i)
    from = graph_.edge(from.plus(path[i]), number && i + 1 == path.size());
  return from;
}

void Builder::apply(const llvm::CallBase& call, const Spec& spec) {
  for (const Effect& effect : spec.effects) {
    if (effect.op == Effect::Op::kCopy) {
      const Cell target = place(call, effect.arg, effect.name);
      const Cell source = place(call, effect.other, effect.name);
      if (!target.valid() || !source.valid()) continue;
      const llvm::ConstantInt* bytes = points_to_.number(call, argument(call, effect.bytes_arg));
      Graph::Copy copy{target, source, bytes == nullptr ? kFar : bytes->getSExtValue()};
      (effect.arg == kHiddenObject ? copy.source_steps : copy.target_steps) = effect.steps;
      unit_.copies.push_back(copy);
    } else if (effect.op == Effect::Op::kSame) {
      const Cell one = descriptor(call, argument(call, effect.arg));
      const Cell other = descriptor(call, argument(call, effect.other));
      if (one.valid() && other.valid()) graph_.unify(one, other);
    } else if (effect.op == Effect::Op::kStoreFresh) {
      const Cell target = loaded(place(call, effect.arg, effect.name), effect.path);
      const ObjectKind kind = effect.other == 1 ? ObjectKind::kOs : ObjectKind::kHeap;
      const std::string name = (effect.other == 1 ? "file from " : "block from ") + call_name(call);
      const Cell made = graph_.make_object({kind, &call, name, nullptr, 0}, kVariable);
      if (target.valid()) graph_.add_target(target.plus(effect.offset), made, effect.other == 1);
    } else if (effect.op == Effect::Op::kStore || effect.op == Effect::Op::kKeep) {
      const Cell target = loaded(place(call, effect.arg, effect.name), effect.path);
      const llvm::Value* value = effect.other == kReturnedObject ? &call : argument(call, effect.other);
      const Cell stored = loaded(cell(value), effect.value_path);
      if (!target.valid() || !stored.valid()) continue;
      if (effect.bytes > 0) graph_.add_walk(target.plus(effect.offset), effect.bytes);
      const bool number = effect.value_path.empty() && value->getType()->isIntegerTy();
      graph_.add_target(target.plus(effect.offset), stored, number);
    } else if (!effect.path.empty()) {
      const bool number = effect.op == Effect::Op::kDescriptorRead || effect.op == Effect::Op::kDescriptorWrite;
      loaded(cell(argument(call, effect.arg)), effect.path, number);
    }
  }
  for (const Callback& callback : spec.callbacks) {
    function_of(call, callback);
    for (const Parameter& parameter : callback.parameters) given(call, parameter);
    const Cell event = callback.event >= kReturnedObject ? place(call, callback.event, "") : Cell{};
    if (points_to_.events_exposed() && event.valid()) graph_.add_flags(event, kUnknownMemory);
  }
}

// The function that a registration names.
Cell Builder::function_of(const llvm::CallBase& call, const Callback& callback) {
  const Cell named = place(call, callback.function, "");
  return callback.stored && named.valid() ? graph_.edge(named.plus(*callback.stored)) : named;
}

// What a callback gets in one of its parameters; invalid where the library makes it.
Cell Builder::given(const llvm::CallBase& call, const Parameter& parameter) {
  switch (parameter.kind) {
    case Parameter::Kind::kArgument:
      return cell(argument(call, parameter.arg));
    case Parameter::Kind::kReturned:
      return cell(&call);
    case Parameter::Kind::kLoaded: {
      const Cell holder = place(call, parameter.arg, "");
      return holder.valid() ? graph_.edge(holder.plus(parameter.offset)) : holder;
    }
    default:
      return {};
  }
}

void Builder::give_result(const llvm::CallBase& call, const Result& given) {
  const Cell result = cell(&call);
  if (!result.valid()) return;
  switch (given.kind) {
    case Result::Kind::kNothing:
      break;
    case Result::Kind::kFresh:
      graph_.unify(result, graph_.make_object(
                               {ObjectKind::kHeap, &call, "block from " + call_name(call), nullptr, 0, given.shared},
                               kVariable));
      break;
    case Result::Kind::kDescriptor:
      graph_.unify(result,
                   graph_.make_object({ObjectKind::kOs, &call, "file from " + call_name(call), nullptr, 0}, kVariable));
      break;
    case Result::Kind::kArgument:
      graph_.unify(result, cell(argument(call, given.arg)));
      break;
    case Result::Kind::kInside: {
      const Cell base = cell(argument(call, given.arg));
      if (!base.valid()) break;
      graph_.add_walk(base, 1);
      graph_.unify(result, base);
      break;
    }
    case Result::Kind::kHidden:
      graph_.unify(result, points_to_.hidden(given.name));
      break;
    case Result::Kind::kLoaded: {
      const Cell base = place(call, given.arg, given.name);
      if (base.valid()) graph_.unify(result, graph_.edge(base.plus(given.offset), call.getType()->isIntegerTy()));
      break;
    }
  }
}

}  // namespace heddle::elyze
