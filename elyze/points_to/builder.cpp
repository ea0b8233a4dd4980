#include "elyze/points_to/builder.hpp"

#include <fcntl.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "elyze/ir/addresses.hpp"
#include "elyze/ir/arrays.hpp"
#include "elyze/ir/assembly.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/ir/symbols.hpp"
#include "elyze/ir/values.hpp"
#include "elyze/points_to/operations.hpp"
#include "elyze/points_to/stored_before.hpp"

namespace heddle::elyze {
namespace {

constexpr const char* kWrittenByLibraries = "what libraries write";
constexpr int kMostArithmetic = 6;  // instructions that are followed from a number back to the pointer it was made from

// Was the integer plainly computed from a pointer within its own function?
bool plainly_from_pointer(const llvm::Value* value, int depth = kMostArithmetic) {
  if (depth == 0) return false;
  if (llvm::isa<llvm::PtrToIntOperator>(value)) return true;
  if (llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(value)) {
    const auto* choice = llvm::cast<llvm::User>(value);
    return std::any_of(choice->op_begin(), choice->op_end(),
                       [&](const llvm::Use& operand) { return plainly_from_pointer(operand.get(), depth - 1); });
  }
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (operation == nullptr) return false;
  if (operation->getOpcode() == llvm::Instruction::Sub && plainly_from_pointer(operation->getOperand(1), depth - 1))
    return false;
  return plainly_from_pointer(operation->getOperand(0), depth - 1) ||
         plainly_from_pointer(operation->getOperand(1), depth - 1);
}

// Offsets in `type` at which a pointer or descriptor may stand.
void carrier_offsets(const llvm::DataLayout& layout, llvm::Type* type, std::int64_t at,
                     std::vector<std::int64_t>& found) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* members = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      carrier_offsets(layout, structure->getElementType(i),
                      at + static_cast<std::int64_t>(members->getElementOffset(i).getFixedValue()), found);
    }
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const auto stride = static_cast<std::int64_t>(layout.getTypeAllocSize(array->getElementType()).getFixedValue());
    const std::uint64_t shown = std::min<std::uint64_t>(array->getNumElements(), 64);
    for (std::uint64_t i = 0; i < shown; ++i) {
      carrier_offsets(layout, array->getElementType(), at + static_cast<std::int64_t>(i) * stride, found);
    }
  } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const auto stride = static_cast<std::int64_t>(layout.getTypeAllocSize(vector->getElementType()).getFixedValue());
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      carrier_offsets(layout, vector->getElementType(), at + i * stride, found);
    }
  } else if (type->isIntegerTy() && type->getIntegerBitWidth() > 64) {
    for (std::int64_t byte = 0; byte < type->getIntegerBitWidth() / 8; byte += 8) found.push_back(at + byte);
  } else if (carries(type)) {
    found.push_back(at);
  }
}

// The load that the value comes from through casts alone; null if there is none.
const llvm::LoadInst* loaded_piece(const llvm::Value* value) {
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) value = cast->getOperand(0);
  return llvm::dyn_cast<llvm::LoadInst>(value);
}

// Is all said of the pointers in what the effect writes?
bool moves_no_pointers(const Spec& spec, const Effect& effect) {
  using Op = Effect::Op;
  const bool writes =
      effect.op == Op::kWrite || effect.op == Op::kFree || effect.op == Op::kReach || effect.op == Op::kWriteFrom;
  if (!writes || effect.arg < 0 || spec.moves_no_pointers) return true;
  return std::any_of(spec.effects.begin(), spec.effects.end(), [&](const Effect& other) {
    const bool stores =
        other.op == Op::kStore || other.op == Op::kStoreFresh || other.op == Op::kKeep || other.op == Op::kCopy;
    return stores && other.arg == effect.arg;
  });
}

std::string call_name(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  const SourcePlace where = place_of(call);
  const std::string name = callee == nullptr ? "call" : callee->getName().str();
  return name + " at " + where.file + ":" + std::to_string(where.line);
}

// The descriptors 0, 1 and 2 that the value is, where it is always one of them: a number, also through parameters of
// functions that are called by name. No such number has a cell.
std::set<std::int64_t> standard_descriptors(const llvm::CallBase& call, const llvm::Value* value,
                                            const PointsTo& points_to, int depth = 0) {
  constexpr int kMostFunctions = 4;  // that a number is followed through
  if (value == nullptr || !value->getType()->isIntegerTy()) return {};
  if (const llvm::ConstantInt* number = points_to.number(call, value)) {
    const std::int64_t known = number->getSExtValue();
    return known >= 0 && known <= 2 ? std::set{known} : std::set<std::int64_t>{};
  }
  const auto* formal = llvm::dyn_cast<llvm::Argument>(value);
  if (formal == nullptr || depth == kMostFunctions) return {};
  std::set<std::int64_t> found;
  for (const llvm::Use& use : formal->getParent()->uses()) {
    const auto* outer = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (outer == nullptr || !outer->isCallee(&use) || formal->getArgNo() >= outer->arg_size()) return {};
    const auto here = standard_descriptors(*outer, outer->getArgOperand(formal->getArgNo()), points_to, depth + 1);
    if (here.empty()) return {};
    found.insert(here.begin(), here.end());
  }
  return found;
}

}  // namespace

void Builder::run() {
  for (const llvm::Function* function : unit_.members) {
    const FunctionCells cells = points_to_.cells(*function);
    for (const llvm::Argument& formal : function->args()) {
      if (carries(formal.getType())) unit_.values[&formal] = cells.formals[formal.getArgNo()];
    }
  }
  for (const llvm::Function* function : unit_.members) {
    const bool main = function->getName() == "main" && !function->hasLocalLinkage();
    if (main || function->hasFnAttribute(kRunByTheLoader)) give_command_line(*function);
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      visit(instruction);
      lose_addresses(instruction);
    }
  }
}

// main(count, words, environment); constructors are given the same
void Builder::give_command_line(const llvm::Function& first) {
  for (const llvm::Argument& formal : first.args()) {
    if (!formal.getType()->isPointerTy()) continue;
    const bool words = formal.getArgNo() < 2;
    graph_.unify(cells_.of(&formal), words ? points_to_.hidden(kCommandLine) : points_to_.hidden(kEnvironment));
  }
}

void Builder::note_types(const llvm::Instruction& instruction) {
  for (llvm::DbgRecord& record : instruction.getDbgRecordRange()) {
    auto* variable = llvm::dyn_cast<llvm::DbgVariableRecord>(&record);
    if (variable == nullptr || variable->getNumVariableLocationOps() != 1) continue;
    const llvm::Value* value = variable->getVariableLocationOp(0);
    if (value == nullptr || !value->getType()->isPointerTy() || variable->getExpression()->getNumElements() != 0)
      continue;
    const llvm::DIType* type = variable->getVariable()->getType();
    if (!variable->isDbgDeclare()) type = pointee(type);
    if (!is_structure(type)) continue;
    if (const Cell at = cells_.of(value); at.valid()) graph_.add_type(at, type);
  }
}

void Builder::revisit(const llvm::Instruction& instruction) {
  if (!llvm::isa<llvm::CallBase, llvm::AllocaInst>(instruction)) visit(instruction);
  lose_addresses(instruction);
}

bool Builder::from_pointer(const llvm::Value* number) const {
  return plainly_from_pointer(number) || (points_to_.addresses != nullptr && points_to_.addresses->may_hold(number));
}

// Keeps what the value points to among the lost addresses.
void Builder::lose(const llvm::Value* value) {
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(value);
  if (expression != nullptr && !llvm::isa<llvm::GEPOperator>(expression)) {
    for (const llvm::Use& operand : expression->operands()) lose(operand.get());
    return;
  }
  if (llvm::isa<llvm::Instruction, llvm::Argument>(value) && value->getType()->isIntegerTy() && !from_pointer(value))
    return;
  if (const Cell cell = cells_.of(value); cell.valid()) graph_.add_target(points_to_.hidden(kLostAddresses), cell);
}

// An operation that the graph does not model was given an address, or gives what was made of one.
void Builder::lose_addresses(const llvm::Instruction& instruction) {
  const AddressNumbers* numbers = points_to_.addresses;
  if (numbers == nullptr) return;
  const auto lost = [&] {
    const Cell anything = graph_.edge(points_to_.hidden(kLostAddresses));
    graph_.add_flags(anything, kVariable);
    return anything;
  };
  if (numbers->escapes(instruction)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    for (const llvm::Use& operand : call == nullptr ? instruction.operands() : call->args()) lose(operand.get());
  }
  if (numbers->made(instruction)) graph_.unify(cells_.of(&instruction), lost());
  if (!numbers->spills(instruction)) return;
  const auto spill = [&](const llvm::Value* to, std::int64_t bytes) {
    const Cell target = cells_.of(to);
    if (!target.valid()) return;
    if (bytes != 8) graph_.add_walk(target, 1);
    graph_.add_target(target, lost());
  };
  const llvm::DataLayout& layout = points_to_.module.getDataLayout();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    const auto bytes = layout.getTypeStoreSize(store->getValueOperand()->getType()).getKnownMinValue();
    spill(store->getPointerOperand(), static_cast<std::int64_t>(bytes));
  } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    spill(update->getPointerOperand(), 8);
  } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    spill(exchange->getPointerOperand(), 8);
  } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    for (const llvm::Use& operand : call->args()) {
      if (operand->getType()->isPointerTy()) spill(operand.get(), 0);
    }
  }
}

void Builder::visit(const llvm::Instruction& instruction) {
  note_types(instruction);
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    const llvm::DataLayout& layout = points_to_.module.getDataLayout();
    const auto size = local->getAllocationSize(layout);
    const std::int64_t bytes = size ? static_cast<std::int64_t>(size->getKnownMinValue()) : 0;
    const Cell made = graph_.make_object({ObjectKind::kStack, local, local_name(*local), nullptr, bytes}, kVariable);
    const bool array = local->getAllocatedType()->isArrayTy() && bytes > 0;
    graph_.unify(cells_.of(local), array ? graph_.add_array(made, bytes) : made);
  } else if (const auto* load_instruction = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    load(instruction, load_instruction->getPointerOperand());
    if (points_to_.addresses != nullptr && points_to_.addresses->wanted(&instruction))
      number_to_pointer(&instruction, 1);
  } else if (const auto* store_instruction = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    store(store_instruction->getValueOperand(), store_instruction->getPointerOperand());
  } else if (llvm::isa<llvm::GetElementPtrInst>(instruction)) {
    pointer_arithmetic(instruction, cells_.of(&instruction));
  } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    store(exchange->getNewValOperand(), exchange->getPointerOperand());
    load(instruction, exchange->getPointerOperand());
  } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    store(update->getValOperand(), update->getPointerOperand());
    load(instruction, update->getPointerOperand());
  } else if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    integer_arithmetic(*operation);
  } else if (const auto* call_instruction = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    call(*call_instruction);
  } else if (const auto* leave = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
    if (leave->getReturnValue() != nullptr) {
      graph_.unify(points_to_.cells(*instruction.getFunction()).returned, cells_.of(leave->getReturnValue()));
    }
  } else if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    graph_.unify(cells_.of(choice), cells_.of(choice->getTrueValue()));
    graph_.unify(cells_.of(choice), cells_.of(choice->getFalseValue()));
  } else if (llvm::isa<llvm::PHINode, llvm::CastInst, llvm::FreezeInst, llvm::InsertValueInst, llvm::ExtractValueInst,
                       llvm::InsertElementInst, llvm::ExtractElementInst, llvm::ShuffleVectorInst>(instruction)) {
    // One cell for a value and for its parts: what goes in may come out.
    const Cell result = cells_.of(&instruction);
    if (!result.valid()) return;
    if (llvm::isa<llvm::IntToPtrInst>(instruction)) number_to_pointer(instruction.getOperand(0), kMostArithmetic);
    const bool index_last = llvm::isa<llvm::InsertElementInst, llvm::ExtractElementInst>(instruction);
    for (unsigned i = 0; i < instruction.getNumOperands() - (index_last ? 1 : 0); ++i) {
      graph_.unify(result, cells_.of(instruction.getOperand(i)));
    }
  } else if (const auto* variadic = llvm::dyn_cast<llvm::VAArgInst>(&instruction)) {
    graph_.unify(cells_.of(&instruction), graph_.edge(graph_.edge(cells_.of(variadic->getPointerOperand()))));
  }
}

void Builder::load(const llvm::Instruction& result, const llvm::Value* from) {
  const Cell source = cells_.of(from);
  const Cell value = cells_.of(&result);
  if (!source.valid() || !value.valid()) return;
  std::vector<std::int64_t> offsets;
  carrier_offsets(points_to_.module.getDataLayout(), result.getType(), 0, offsets);
  for (const std::int64_t offset : offsets) {
    graph_.unify(value, graph_.edge(source.plus(offset), result.getType()->isIntegerTy()));
  }
}

void Builder::store(const llvm::Value* value, const llvm::Value* to) {
  const Cell target = cells_.of(to);
  if (!target.valid()) return;
  if (!carries(value->getType())) {
    // A narrow piece moved from one place to another may be part of a pointer copied byte by byte.
    if (const llvm::LoadInst* piece = loaded_piece(value)) {
      const Cell source = cells_.of(piece->getPointerOperand());
      if (source.valid()) unit_.copies.push_back({target, source, kFar});
    }
    return;
  }
  const llvm::DataLayout& layout = points_to_.module.getDataLayout();
  const llvm::LoadInst* moved = value->getType()->isIntegerTy() ? loaded_piece(value) : nullptr;
  if (moved != nullptr && cells_.of(moved->getPointerOperand()).valid()) {
    // Moved from memory to memory as a number, it may still be a pointer.
    const auto bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(moved->getType()).getFixedValue());
    unit_.copies.push_back({target, cells_.of(moved->getPointerOperand()), bytes});
  }
  const Cell stored = cells_.of(value);
  if (!stored.valid()) return;
  if (value->getType()->isPointerTy()) graph_.add_flags(stored, kStored);
  std::vector<std::int64_t> offsets;
  carrier_offsets(layout, value->getType(), 0, offsets);
  for (const std::int64_t offset : offsets) {
    graph_.add_target(target.plus(offset), stored, value->getType()->isIntegerTy());
    // A pointer stored as a number may be loaded as a pointer.
    if (value->getType()->isIntegerTy(64) && from_pointer(value)) graph_.add_target(target.plus(offset), stored);
  }
}

// A number that becomes a pointer may have been stored as one.
void Builder::number_to_pointer(const llvm::Value* number, int depth) {
  if (depth == 0) return;
  if (const auto* from = llvm::dyn_cast<llvm::LoadInst>(number)) {
    const Cell source = cells_.of(from->getPointerOperand());
    if (from->getType()->isIntegerTy(64) && source.valid()) graph_.unify(cells_.of(from), graph_.edge(source));
  } else if (llvm::isa<llvm::BinaryOperator, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(number)) {
    for (const llvm::Use& operand : llvm::cast<llvm::User>(number)->operands()) {
      number_to_pointer(operand.get(), depth - 1);
    }
  }
}

void Builder::pointer_arithmetic(const llvm::User& user, Cell result) {
  const auto& gep = llvm::cast<llvm::GEPOperator>(user);
  const Cell base = cells_.of(gep.getPointerOperand());
  if (!base.valid() || !result.valid()) return;
  const llvm::DataLayout& layout = points_to_.module.getDataLayout();
  llvm::MapVector<llvm::Value*, llvm::APInt> variable;
  llvm::APInt constant(64, 0);
  if (!gep.collectOffset(layout, 64, variable, constant)) {
    graph_.add_walk(base, 1);
    graph_.unify(result, base);
    return;
  }
  if (is_far(graph_.find(base).offset + constant.getSExtValue())) {
    graph_.add_walk(base, 1);
    graph_.unify(result, base);
    return;
  }
  const Cell there = base.plus(constant.getSExtValue());
  if (!variable.empty()) {
    std::int64_t stride = 0;
    for (const auto& [index, scale] : variable) stride = std::gcd(stride, scale.getSExtValue());
    graph_.add_walk(there, stride);
  }
  // What the element's address becomes one with later says nothing of how far the index went.
  graph_.unify(result, is_array_mark(*gep.getPointerOperand()) ? graph_.made_again(there) : there);
}

void Builder::integer_arithmetic(const llvm::BinaryOperator& operation) {
  if (!operation.getType()->isIntegerTy(64)) return;
  const llvm::Value* left = operation.getOperand(0);
  const llvm::Value* right = operation.getOperand(1);
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(right);
  const Cell result = cells_.of(&operation);
  const bool subtraction = operation.getOpcode() == llvm::Instruction::Sub;
  const bool left_is = from_pointer(left);
  const bool right_is = from_pointer(right);
  if (!left_is && !right_is && !points_to_.integers_matter()) return;
  switch (operation.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
      if (number != nullptr) {
        const Cell base = cells_.of(left);
        const std::int64_t by = subtraction ? -number->getSExtValue() : number->getSExtValue();
        if (!base.valid()) break;
        const bool far = is_far(graph_.find(base).offset + by);
        if (far) graph_.add_walk(base, 1);
        graph_.unify(result, far ? base : base.plus(by));
      } else if (subtraction && plainly_from_pointer(right)) {
        return;  // the difference of two pointers leads nowhere
      } else {
        // Either one operand is a pointer and the other one an unknown distance, or nothing says which is the pointer.
        for (const llvm::Value* operand : {left, right}) {
          const Cell base = cells_.of(operand);
          if (!base.valid() || ((left_is || right_is) && !from_pointer(operand))) continue;
          if (subtraction && right_is && operand == right) continue;
          graph_.add_walk(base, 1);
          graph_.unify(result, base);
        }
      }
      break;
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      if (number != nullptr && operation.getOpcode() == llvm::Instruction::And && number->getValue().ult(kSmallMask))
        return;
      for (const llvm::Value* operand : {left, right}) {
        const Cell part = cells_.of(operand);
        if (!part.valid()) continue;
        // Not bounded by an array there: what is masked may be the address of a structure that begins with one.
        if (from_pointer(operand)) graph_.fold_all(part);
        graph_.unify(result, part);
      }
      break;
    default:
      break;
  }
}

// ---- calls ----

// What a function is given where the call names 0, 1 or 2, for the event loop. Of others it is known what they do with
// numbers (Gatherer::use_numbers()).
Cell Builder::standard_descriptor(const llvm::CallBase& call, const Actual& actual) const {
  const llvm::ConstantInt* number = actual.path.empty() ? points_to_.number(call, actual.value) : nullptr;
  if (number == nullptr || number->getBitWidth() < 32 || number->getZExtValue() > 2) return {};
  return points_to_.hidden("descriptor " + std::to_string(number->getZExtValue()), ObjectKind::kOs);
}

void Builder::link_cells(const CallSite& site, const FunctionCells& callee, bool recursive) {
  for (std::size_t i = 0; i < site.actuals.size(); ++i) {
    Cell actual = cells_.of(site.actuals[i]);
    const Cell formal = i < callee.formals.size() ? callee.formals[i] : Cell{};
    if (!actual.valid() && formal.valid() && (recursive || (graph_.node(formal).flags & kWatched)))
      actual = standard_descriptor(*site.call, site.actuals[i]);
    if (!actual.valid()) continue;
    if (i < callee.formals.size()) {
      graph_.unify(callee.formals[i], actual);
    } else if (callee.variadic.valid() && site.callback == nullptr &&
               site.call->isByValArgument(static_cast<unsigned>(i))) {
      // System V x86-64: not the address of the structure stands among the arguments, but a copy of it.
      graph_.unify(callee.variadic, actual);
    } else if (callee.variadic.valid()) {
      graph_.add_target(callee.variadic, actual, site.actuals[i].value->getType()->isIntegerTy());
    }
  }
  if (!callee.returned.valid()) return;
  if (site.callback == nullptr) graph_.unify(cells_.of(site.call), callee.returned);
  if (site.callback != nullptr && site.callback->sends)
    graph_.add_target(points_to_.hidden(kSent), callee.returned, false);
  if (site.callback == nullptr) return;
  if (const Cell place = cells_.field(*site.call, site.callback->result); place.valid())
    graph_.add_target(place, callee.returned, false);
}

void Builder::link_shared(const CallSite& site, const llvm::Function& callee, bool recursive) {
  link_cells(site, FunctionCells(points_to_.cells(callee)), recursive);
}

void Builder::call(const llvm::CallBase& call) {
  if (is_array_mark(call)) {
    const Cell base = cells_.of(call.getArgOperand(0));
    if (!base.valid()) return;
    const std::int64_t bytes = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getSExtValue();
    graph_.unify(cells_.of(&call), graph_.add_array(base, bytes));
    return;
  }
  if (call.isInlineAsm()) {
    assembly(call);
    return;
  }
  if (const Callback* callback = points_to_.specs.dispatched(call)) dispatch(call, *callback);
  const llvm::Function* direct = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  if (direct != nullptr && model_of_intrinsic(direct->getIntrinsicID()) == Model::kMove) {
    for (const llvm::Use& operand : call.args()) graph_.unify(cells_.of(&call), cells_.of(operand.get()));
    return;
  }
  if (direct != nullptr && direct->isIntrinsic() && direct->getIntrinsicID() == llvm::Intrinsic::vastart) {
    const Cell list = cells_.of(call.getArgOperand(0));
    const Cell values = points_to_.cells(*call.getFunction()).variadic;
    if (!list.valid() || !values.valid()) return;
    // Of Microsoft's calling convention the list is a pointer to the arguments.
    if (call.getFunction()->getCallingConv() == llvm::CallingConv::Win64) graph_.unify(graph_.edge(list), values);
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

// A call by which the program's own event loop starts a handler. The handler's result is not followed.
void Builder::dispatch(const llvm::CallBase& call, const Callback& callback) {
  cells_.function_of(call, callback);
  for (const Parameter& parameter : callback.parameters) cells_.given(call, parameter);
  if (const Cell result = cells_.of(&call); result.valid()) graph_.add_flags(result, kUnknownMemory);
}

// The statement may write a pointer from any operand into any other, so all of them are unified.
void Builder::assembly(const llvm::CallBase& call) {
  const auto operands = assembly_operands(call);
  if (!operands) {
    for (const llvm::Use& operand : call.args()) {
      if (const Cell part = cells_.of(operand.get()); part.valid()) graph_.add_flags(part, kUnknownMemory);
    }
    if (const Cell result = cells_.of(&call); result.valid()) graph_.add_flags(result, kUnknownMemory);
    return;
  }
  std::vector<Cell> parts{cells_.of(&call)};
  for (const AssemblyOperand& operand : *operands) {
    const Cell part = cells_.of(operand.value);
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
  // No operand carries a pointer, so the result was made from a register or from the instruction's own address.
  const Cell result = cells_.of(&call);
  if (parts.size() == 1 && result.valid() && call.getType()->isPointerTy()) graph_.add_flags(result, kUnknownMemory);
}

// ---- external functions ----

void Builder::call_external(const llvm::CallBase& call, const llvm::Function& callee) {
  if (const Spec* spec = points_to_.specs.find(callee)) {
    apply(call, *spec);
    for (const Result& result : spec->results)
      if (points_to_.holds(call, result.condition, result.beside)) give_result(call, *spec, result);
    if (spec->results.empty()) give_unknown_result(call, *spec);
    return;
  }
  if (callee.isIntrinsic() && callee.doesNotAccessMemory()) return;  // a value, not a place: lose_addresses()
  // Unknown: it may keep, change and hand out everything it can reach, and what is sent is within reach.
  graph_.add_flags(points_to_.hidden(kSent), kUnknownMemory);
  for (const llvm::Use& operand : call.args()) {
    const Cell part = cells_.of(operand.get());
    if (!part.valid()) continue;
    if (operand->getType()->isPointerTy()) graph_.add_flags(part, kUnknownMemory);
  }
  if (const Cell result = cells_.of(&call); result.valid() && call.getType()->isPointerTy()) {
    graph_.unify(result, graph_.make_object(
                             {ObjectKind::kUnknown, &call, "what " + callee.getName().str() + " returned", nullptr, 0},
                             static_cast<std::uint16_t>(kUnknownMemory | kVariable)));
  }
}

// What stands in these bytes may stand anywhere in them. There is no other place in one word.
void Builder::mix(Cell at, std::int64_t bytes) {
  if (bytes >= kFar) {
    graph_.add_walk(at, 1);
  } else if (bytes > kPointerBytes) {
    graph_.add_walk(graph_.add_array(at, bytes), 1);
  }
}

void Builder::apply(const llvm::CallBase& call, const Spec& spec) {
  for (const Effect& effect : spec.effects) {
    if (!points_to_.holds(call, effect.condition, effect.beside) || !points_to_.holds(call, effect.own)) continue;
    if (effect.op == Effect::Op::kCopy) {
      // The path leads from the argument.
      Cell target = cells_.place(call, effect.arg, effect.name);
      Cell source = cells_.place(call, effect.other, effect.name);
      Cell& given = effect.arg == kHiddenObject ? source : target;
      given = cells_.loaded(given, effect.path);
      if (!target.valid() || !source.valid()) continue;
      const llvm::ConstantInt* bytes = points_to_.number(call, argument(call, effect.bytes_arg));
      Graph::Copy copy{target, source, bytes == nullptr ? kFar : bytes->getSExtValue()};
      (effect.arg == kHiddenObject ? copy.source_steps : copy.target_steps) = effect.steps;
      copy.within = effect.inside;
      if (copy.within) mix(source, bytes == nullptr && effect.bytes > 0 ? effect.bytes : copy.bytes);
      unit_.copies.push_back(copy);
    } else if (effect.op == Effect::Op::kSame) {
      const Cell one = cells_.descriptor(call, argument(call, effect.arg));
      const Cell other = cells_.descriptor(call, argument(call, effect.other));
      if (one.valid() && other.valid()) graph_.unify(one, other);
      const llvm::Value* onto = argument(call, effect.other);
      for (int standard = 0; standard < 3 && onto != nullptr && !llvm::isa<llvm::ConstantInt>(onto); ++standard) {
        if (one.valid() && points_to_.may_be_standard(call, onto, standard))
          graph_.unify(one, points_to_.hidden("descriptor " + std::to_string(standard)));
      }
    } else if (effect.op == Effect::Op::kStoreFresh) {
      const Cell target = cells_.loaded(cells_.place(call, effect.arg, effect.name), effect.path);
      const ObjectKind kind = effect.other == 1 ? ObjectKind::kOs : ObjectKind::kHeap;
      const std::string name = (effect.other == 1 ? "file from " : "block from ") + call_name(call);
      const Cell made = graph_.make_object(opened({kind, &call, name, nullptr, 0}, call, spec, effect.file), kVariable);
      if (target.valid()) graph_.add_target(target.plus(effect.offset), made, effect.other == 1);
      for (const llvm::Function* own : points_to_.allocators(spec)) {
        if (effect.other == 0 && target.valid() && own->getReturnType()->isPointerTy())
          graph_.add_target(target.plus(effect.offset), points_to_.cells(*own).returned);
      }
    } else if (effect.op == Effect::Op::kStore || effect.op == Effect::Op::kKeep) {
      const Cell target = cells_.loaded(cells_.place(call, effect.arg, effect.name), effect.path);
      const llvm::Value* value = effect.other == kReturnedObject ? &call : argument(call, effect.other);
      if (const auto known = effect.value_path.size() == 1 && !effect.inside
                                 ? stored_before(call, value, effect.value_path.front(), points_to_)
                                 : std::nullopt) {
        for (const llvm::Value* one : *known) {
          const Cell stored = cells_.of(one);
          if (target.valid() && stored.valid()) graph_.add_target(target.plus(effect.offset), stored);
        }
        continue;
      }
      Cell stored = keeps_standard_descriptor(call, spec, effect)
                        ? cells_.descriptor(call, value)
                        : cells_.loaded(cells_.of(value), effect.value_path, effect.number);
      // The descriptor of a stream or the like, which is in use whatever number it is: see Graph::of_unknown_origin().
      const bool in_use = effect.op == Effect::Op::kKeep && effect.value_path.empty() && spec.callbacks.empty() &&
                          value->getType()->isIntegerTy() && !llvm::isa<llvm::ConstantInt>(value);
      if (in_use && !stored.valid()) stored = graph_.make(kVariable);
      if (!target.valid() || !stored.valid()) continue;
      if (effect.inside) graph_.add_walk(stored, 1);
      if (effect.bytes > 0) graph_.add_walk(target.plus(effect.offset), effect.bytes);
      if (in_use) {
        graph_.add_flags(stored, kStored);
        for (const std::int64_t standard : standard_descriptors(call, value, points_to_))
          graph_.unify(stored, points_to_.hidden("descriptor " + std::to_string(standard), ObjectKind::kOs));
      }
      const bool number = effect.number || (effect.value_path.empty() && value->getType()->isIntegerTy());
      if (effect.value_path.empty() && value->getType()->isPointerTy()) graph_.add_flags(stored, kStored);
      graph_.add_target(target.plus(effect.offset), stored, number, spec.callbacks.empty());
    } else if (effect.op == Effect::Op::kWaits) {
      const Cell descriptor = cells_.place(call, effect.arg, "");
      if (descriptor.valid() && !points_to_.waits_for_files()) graph_.add_flags(descriptor, kWaitedFor);
    } else if (effect.op == Effect::Op::kBinds) {
      const Cell descriptor = cells_.descriptor(call, argument(call, effect.arg));
      if (descriptor.valid()) graph_.add_flags(descriptor, kBound);
    } else if (effect.op == Effect::Op::kAppend || effect.op == Effect::Op::kFlush) {
      const Cell stream = cells_.stream(call, effect);
      cells_.loaded(stream, {0}, true);
      cells_.loaded(stream, {kStreamBuffer});
      if (effect.arg == kHiddenObject) cells_.loaded(stream, {kStreamText, 0});
    } else if (effect.op <= Effect::Op::kDescriptorWrite && effect.op >= Effect::Op::kDescriptorRead &&
               effect.arg == kHiddenObject) {
      cells_.loaded(points_to_.hidden(effect.name), {0}, true);
    } else if (effect.op == Effect::Op::kWriteFrom) {
      make_texts(call, effect);
      if (!moves_no_pointers(spec, effect)) write_anything(call, spec, effect);
    } else if (!moves_no_pointers(spec, effect)) {
      write_anything(call, spec, effect);
    } else if (!effect.path.empty()) {
      const bool number = effect.op == Effect::Op::kDescriptorRead || effect.op == Effect::Op::kDescriptorWrite ||
                          effect.op == Effect::Op::kContents;
      if (const Cell array = cells_.of(argument(call, effect.arg)); effect.all && effect.bytes > 0 && array.valid())
        graph_.add_walk(array, effect.bytes);
      cells_.loaded(cells_.of(argument(call, effect.arg)), effect.path, number);
    }
  }
  for (const Callback& callback : spec.callbacks) {
    cells_.function_of(call, callback);
    for (const Parameter& parameter : callback.parameters) cells_.given(call, parameter);
    const Cell descriptor = cells_.of(argument(call, callback.descriptor));
    const llvm::ConstantInt* flags = points_to_.number(call, argument(call, callback.flags));
    const bool waits = callback.waits(flags == nullptr ? std::nullopt : std::optional(flags->getSExtValue()));
    if (descriptor.valid()) graph_.add_flags(descriptor, kWatched);
    if (descriptor.valid() && waits && !points_to_.waits_for_files()) graph_.add_flags(descriptor, kWaitedFor);
    const Cell event = callback.event >= kReturnedObject ? cells_.place(call, callback.event, "") : Cell{};
    if (points_to_.events_exposed() && event.valid()) graph_.add_flags(event, kUnknownMemory);
  }
}

// What no entry says: the function may have it from its other arguments, from hidden objects that it uses, or from any
// unknown memory.
Cell Builder::anything(const llvm::CallBase& call, const Spec& spec, int but) {
  for (const Effect& effect : spec.effects) {
    const bool hidden = effect.op == Effect::Op::kHiddenRead || effect.op == Effect::Op::kHiddenWrite;
    if (hidden || effect.arg == kHiddenObject) graph_.add_flags(points_to_.hidden(effect.name), kUnknownMemory);
  }
  for (int i = 0; i < static_cast<int>(call.arg_size()); ++i) {
    const Cell given = i == but ? Cell{} : cells_.of(argument(call, i));
    if (given.valid() && argument(call, i)->getType()->isPointerTy()) graph_.add_flags(given, kUnknownMemory);
  }
  const Cell place = points_to_.hidden(kWrittenByLibraries);
  graph_.add_walk(place, 1);
  graph_.add_flags(graph_.edge(place), static_cast<std::uint16_t>(kUnknownMemory | kVariable));
  return place;
}

void Builder::write_anything(const llvm::CallBase& call, const Spec& spec, const Effect& effect) {
  const Cell source = anything(call, spec, effect.arg);
  const int last = effect.op == Effect::Op::kWriteFrom ? static_cast<int>(call.arg_size()) : effect.arg + 1;
  for (int i = effect.arg; i < last; ++i) {
    const Cell target = cells_.loaded(cells_.of(argument(call, i)), effect.path);
    if (!target.valid()) continue;
    if (effect.op == Effect::Op::kReach) graph_.add_flags(target, kUnknownMemory);
    const llvm::ConstantInt* count = points_to_.number(call, argument(call, effect.bytes_arg));
    const std::int64_t bytes = count != nullptr ? count->getSExtValue() : effect.bytes;
    unit_.copies.push_back({target, source, bytes > 0 ? bytes : kFar});
  }
}

// `%ms` of scanf() makes a block for what it reads.
void Builder::make_texts(const llvm::CallBase& call, const Effect& effect) {
  if (!points_to_.format_may_allocate(call, effect.arg - 1)) return;
  for (unsigned i = static_cast<unsigned>(effect.arg); i < call.arg_size(); ++i) {
    const Cell target = cells_.of(call.getArgOperand(i));
    if (!target.valid() || !call.getArgOperand(i)->getType()->isPointerTy()) continue;
    graph_.add_target(
        target, graph_.make_object({ObjectKind::kHeap, &call, "block from " + call_name(call), nullptr, 0}, kVariable));
  }
}

// Do the flags of open(), or the mode of fopen(), say that whatever is written goes to the end of the file?
bool Builder::opens_at_end(const llvm::CallBase& call, const llvm::Value* how) {
  if (const llvm::ConstantInt* flags = points_to_.number(call, how)) return (flags->getZExtValue() & O_APPEND) != 0;
  std::vector<std::string> modes;
  if (how == nullptr || !how->getType()->isPointerTy() || !constant_texts(call, how, points_to_.numbers_read, modes))
    return false;
  return std::all_of(modes.begin(), modes.end(), [](const std::string& mode) { return mode.starts_with("a"); });
}

// The open file that a call makes, with the file that it opens.
Object Builder::opened(Object object, const llvm::CallBase& call, const Spec& spec, int path) {
  object.regular = path != kNotAFile;
  for (const Effect& effect : spec.effects)
    if (effect.op == Effect::Op::kOpened) object.appends = opens_at_end(call, argument(call, effect.other));
  if (path >= 0) object.file = points_to_.files.named(call, argument(call, path), points_to_.numbers_read);
  return object;
}

// A number has no cell of the program's. What has callbacks is waited for by the loop, so above 2 it is no file; an
// event may have a signal's number instead.
bool Builder::keeps_standard_descriptor(const llvm::CallBase& call, const Spec& spec, const Effect& effect) const {
  if (effect.op != Effect::Op::kKeep || !effect.value_path.empty() || effect.other < 0) return false;
  const bool registered = std::any_of(spec.callbacks.begin(), spec.callbacks.end(),
                                      [&](const Callback& callback) { return callback.descriptor == effect.other; });
  const llvm::ConstantInt* number = registered ? nullptr : points_to_.number(call, argument(call, effect.other));
  if (number == nullptr || number->isNegative()) return false;
  return number->getSExtValue() <= 2 || spec.callbacks.empty();
}

// No entry says where the pointers in the result come from. A structure holds none, where the function moves none.
void Builder::give_unknown_result(const llvm::CallBase& call, const Spec& spec) {
  const llvm::Type* type = call.getType();
  const bool structure = returns_by_address(call) || type->isAggregateType() || type->isVectorTy();
  if (llvm::isa<llvm::IntrinsicInst>(call)) return;
  if (!type->isPointerTy() && (!structure || spec.moves_no_pointers)) return;
  if (returns_by_address(call)) {
    const Cell place = cells_.of(call.getArgOperand(0));
    if (place.valid()) unit_.copies.push_back({place, anything(call, spec, -1), kFar});
  } else if (const Cell result = cells_.of(&call); result.valid()) {
    graph_.add_flags(result, kFromLibrary);
    graph_.unify(result, graph_.edge(anything(call, spec, -1)));
  }
}

void Builder::give_result(const llvm::CallBase& call, const Spec& spec, const Result& given) {
  const Cell result = returns_by_address(call) ? graph_.edge(cells_.of(call.getArgOperand(0))) : cells_.of(&call);
  if (!result.valid()) return;
  switch (given.kind) {
    case Result::Kind::kNothing:
      break;
    case Result::Kind::kFresh: {
      for (const llvm::Function* own : points_to_.allocators(spec)) {
        if (own->getReturnType()->isPointerTy()) graph_.unify(result, points_to_.cells(*own).returned);
      }
      Object block{ObjectKind::kHeap, &call, "block from " + call_name(call), nullptr, 0, given.shared};
      const llvm::Value* mapped = argument(call, given.mapped);
      block.regular = mapped != nullptr && points_to_.number(call, mapped) == nullptr;
      graph_.unify(result, graph_.make_object(std::move(block), kVariable));
      break;
    }
    case Result::Kind::kDescriptor: {
      Object file =
          opened({ObjectKind::kOs, &call, "file from " + call_name(call), nullptr, 0}, call, spec, given.file);
      file.without_paths = given.without_paths && points_to_.surely(call, *given.without_paths);
      graph_.unify(result, graph_.make_object(std::move(file), kVariable));
      break;
    }
    case Result::Kind::kArgument:
      graph_.unify(result, cells_.of(argument(call, given.arg)));
      for (const std::int64_t standard : standard_descriptors(call, argument(call, given.arg), points_to_))
        graph_.unify(result, points_to_.hidden("descriptor " + std::to_string(standard), ObjectKind::kOs));
      break;
    case Result::Kind::kInside: {
      const Cell base = cells_.of(argument(call, given.arg));
      if (!base.valid()) break;
      graph_.add_walk(base, 1);
      graph_.unify(result, base);
      break;
    }
    case Result::Kind::kHidden:
      graph_.unify(result, points_to_.hidden(given.name));
      break;
    case Result::Kind::kLoaded: {
      const Cell base = cells_.place(call, given.arg, given.name);
      if (base.valid()) graph_.unify(result, graph_.edge(base.plus(given.offset), call.getType()->isIntegerTy()));
      break;
    }
  }
}

}  // namespace heddle::elyze
