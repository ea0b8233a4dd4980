#include "elyze/points_to/builder.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <numeric>

#include "elyze/ir/names.hpp"

namespace heddle::elyze {
namespace {

constexpr int kDeepest = 6;                // steps between a number and what it is made of
constexpr std::int64_t kSmallMask = 4096;  // `p & 15` is not a pointer any more

// Whether an integer was made from a pointer, as far as one function shows.
bool from_pointer(const llvm::Value* value, int depth = kDeepest) {
  if (depth == 0) return false;
  if (llvm::isa<llvm::PtrToIntOperator>(value)) return true;
  if (llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(value)) {
    const auto* choice = llvm::cast<llvm::User>(value);
    return std::any_of(choice->op_begin(), choice->op_end(),
                       [&](const llvm::Use& operand) { return from_pointer(operand.get(), depth - 1); });
  }
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (operation == nullptr) return false;
  if (operation->getOpcode() == llvm::Instruction::Sub && from_pointer(operation->getOperand(1), depth - 1))
    return false;
  return from_pointer(operation->getOperand(0), depth - 1) || from_pointer(operation->getOperand(1), depth - 1);
}

// Whether any integer of pointer size becomes a pointer somewhere. Without that, arithmetic on integers that did not
// visibly come from a pointer can't lead to one.
bool integers_become_pointers(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(&instruction);
      if (cast == nullptr) continue;
      const llvm::Value* from = cast->getOperand(0);
      if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst>(from)) return true;
    }
  }
  return false;
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

// Through casts to where a narrow value was loaded, if it was.
const llvm::LoadInst* loaded_piece(const llvm::Value* value) {
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) value = cast->getOperand(0);
  return llvm::dyn_cast<llvm::LoadInst>(value);
}

}  // namespace

PointsTo::PointsTo(const llvm::Module& program, const Specs& known)
    : module(program),
      specs(known),
      integers_matter_(integers_become_pointers(program)),
      events_exposed_(known.exposes_events(program)) {}

bool carries(const llvm::Type* type) {
  if (type->isPointerTy() || type->isIntegerTy(32) || type->isIntegerTy(64)) return true;
  if (type->isIntegerTy() && type->getIntegerBitWidth() > 64) return true;
  if (type->isVectorTy()) return carries(type->getScalarType());
  if (type->isStructTy() || type->isArrayTy()) {
    return std::any_of(type->subtype_begin(), type->subtype_end(),
                       [](const llvm::Type* part) { return carries(part); });
  }
  return false;
}

bool is_array_mark(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->getName() == "elyze.array";
}

const llvm::Value* argument(const llvm::CallBase& call, int index) {
  return index >= 0 && static_cast<unsigned>(index) < call.arg_size() ? call.getArgOperand(static_cast<unsigned>(index))
                                                                      : nullptr;
}

Cell Builder::cell(const llvm::Value* value) {
  if (value == nullptr) return {};
  if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(value)) return points_to_.global(*global);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantExpr>(value)) {
    if (constant->getOpcode() == llvm::Instruction::GetElementPtr) {
      llvm::APInt offset(64, 0);
      const Cell base = cell(constant->getOperand(0));
      if (!llvm::cast<llvm::GEPOperator>(constant)->accumulateConstantOffset(points_to_.module.getDataLayout(),
                                                                             offset)) {
        graph_.add_walk(base, 1);
      }
      return base.plus(offset.getSExtValue());
    }
    if (constant->isCast()) return cell(constant->getOperand(0));
    for (const llvm::Use& operand : constant->operands()) {
      if (const Cell part = cell(operand.get()); part.valid()) return part;
    }
    return {};
  }
  if (const auto* parts = llvm::dyn_cast<llvm::ConstantAggregate>(value)) {
    Cell all;
    for (const llvm::Use& operand : parts->operands()) {
      const Cell part = cell(operand.get());
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

Cell Builder::cell(const Actual& actual) {
  if (actual.hidden != nullptr) return graph_.edge(points_to_.hidden(*actual.hidden).plus(actual.offset));
  const Cell found = cell(actual.value);
  if (actual.inside && found.valid()) graph_.add_walk(found, 1);
  if (actual.loaded && found.valid()) return graph_.edge(found.plus(actual.offset));
  return found;
}

Cell Builder::descriptor(const llvm::CallBase& call, const llvm::Value* value) {
  if (const llvm::ConstantInt* number = points_to_.number(call, value)) {
    return points_to_.hidden("descriptor " + std::to_string(number->getSExtValue()), ObjectKind::kOs);
  }
  return cell(value);
}

void Builder::run() {
  for (const llvm::Function* function : unit_.members) {
    const FunctionCells cells = points_to_.cells(*function);
    for (const llvm::Argument& formal : function->args()) {
      if (carries(formal.getType())) unit_.values[&formal] = cells.formals[formal.getArgNo()];
    }
  }
  for (const llvm::Function* function : unit_.members) {
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) visit(instruction);
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
    if (const Cell at = cell(value); at.valid()) graph_.add_type(at, type);
  }
}

void Builder::visit(const llvm::Instruction& instruction) {
  note_types(instruction);
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    const llvm::DataLayout& layout = points_to_.module.getDataLayout();
    const auto size = local->getAllocationSize(layout);
    graph_.unify(cell(local), graph_.make_object({ObjectKind::kStack, local, "local " + local->getName().str(), nullptr,
                                                  size ? static_cast<std::int64_t>(size->getKnownMinValue()) : 0},
                                                 kVariable));
  } else if (const auto* load_instruction = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    load(instruction, load_instruction->getPointerOperand());
  } else if (const auto* store_instruction = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    store(store_instruction->getValueOperand(), store_instruction->getPointerOperand());
  } else if (llvm::isa<llvm::GetElementPtrInst>(instruction)) {
    pointer_arithmetic(instruction, cell(&instruction));
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
      graph_.unify(points_to_.cells(*instruction.getFunction()).returned, cell(leave->getReturnValue()));
    }
  } else if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    graph_.unify(cell(choice), cell(choice->getTrueValue()));
    graph_.unify(cell(choice), cell(choice->getFalseValue()));
  } else if (llvm::isa<llvm::PHINode, llvm::CastInst, llvm::FreezeInst, llvm::InsertValueInst, llvm::ExtractValueInst,
                       llvm::InsertElementInst, llvm::ExtractElementInst, llvm::ShuffleVectorInst>(instruction)) {
    // One cell for a value and for its parts: what goes in may come out.
    const Cell result = cell(&instruction);
    if (!result.valid()) return;
    if (llvm::isa<llvm::IntToPtrInst>(instruction)) number_to_pointer(instruction.getOperand(0), kDeepest);
    const bool index_last = llvm::isa<llvm::InsertElementInst, llvm::ExtractElementInst>(instruction);
    for (unsigned i = 0; i < instruction.getNumOperands() - (index_last ? 1 : 0); ++i) {
      graph_.unify(result, cell(instruction.getOperand(i)));
    }
  } else if (const auto* variadic = llvm::dyn_cast<llvm::VAArgInst>(&instruction)) {
    graph_.unify(cell(&instruction), graph_.edge(graph_.edge(cell(variadic->getPointerOperand()))));
  }
}

void Builder::load(const llvm::Instruction& result, const llvm::Value* from) {
  const Cell source = cell(from);
  const Cell value = cell(&result);
  if (!source.valid() || !value.valid()) return;
  std::vector<std::int64_t> offsets;
  carrier_offsets(points_to_.module.getDataLayout(), result.getType(), 0, offsets);
  for (const std::int64_t offset : offsets) {
    graph_.unify(value, graph_.edge(source.plus(offset), result.getType()->isIntegerTy()));
  }
}

void Builder::store(const llvm::Value* value, const llvm::Value* to) {
  const Cell target = cell(to);
  if (!target.valid()) return;
  if (!carries(value->getType())) {
    // A narrow piece moved from one place to another may be part of a pointer copied byte by byte.
    if (const llvm::LoadInst* piece = loaded_piece(value)) {
      const Cell source = cell(piece->getPointerOperand());
      if (source.valid()) unit_.copies.push_back({target, source, kFar});
    }
    return;
  }
  const llvm::DataLayout& layout = points_to_.module.getDataLayout();
  const llvm::LoadInst* moved = value->getType()->isIntegerTy() ? loaded_piece(value) : nullptr;
  if (moved != nullptr && cell(moved->getPointerOperand()).valid()) {
    // Moved from memory to memory as a number, it may still be a pointer.
    const auto bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(moved->getType()).getFixedValue());
    unit_.copies.push_back({target, cell(moved->getPointerOperand()), bytes});
  }
  const Cell stored = cell(value);
  if (!stored.valid()) return;
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
    const Cell source = cell(from->getPointerOperand());
    if (from->getType()->isIntegerTy(64) && source.valid()) graph_.unify(cell(from), graph_.edge(source));
  } else if (llvm::isa<llvm::BinaryOperator, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(number)) {
    for (const llvm::Use& operand : llvm::cast<llvm::User>(number)->operands()) {
      number_to_pointer(operand.get(), depth - 1);
    }
  }
}

void Builder::pointer_arithmetic(const llvm::User& user, Cell result) {
  const auto& gep = llvm::cast<llvm::GEPOperator>(user);
  const Cell base = cell(gep.getPointerOperand());
  if (!base.valid() || !result.valid()) return;
  const llvm::DataLayout& layout = points_to_.module.getDataLayout();
  llvm::MapVector<llvm::Value*, llvm::APInt> variable;
  llvm::APInt constant(64, 0);
  if (!gep.collectOffset(layout, 64, variable, constant)) {
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
  graph_.unify(result, there);
}

void Builder::integer_arithmetic(const llvm::BinaryOperator& operation) {
  if (!operation.getType()->isIntegerTy(64)) return;
  const llvm::Value* left = operation.getOperand(0);
  const llvm::Value* right = operation.getOperand(1);
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(right);
  const Cell result = cell(&operation);
  const bool subtraction = operation.getOpcode() == llvm::Instruction::Sub;
  const bool left_is = from_pointer(left);
  const bool right_is = from_pointer(right);
  if (!left_is && !right_is && !points_to_.integers_matter()) return;
  switch (operation.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
      if (number != nullptr) {
        const Cell base = cell(left);
        const std::int64_t by = number->getSExtValue();
        if (base.valid()) graph_.unify(result, base.plus(subtraction ? -by : by));
      } else if (subtraction && right_is) {
        return;  // a distance
      } else {
        // The rest is added to a pointer, or nothing says which of the two is one.
        for (const llvm::Value* operand : {left, right}) {
          const Cell base = cell(operand);
          if (!base.valid() || ((left_is || right_is) && !from_pointer(operand))) continue;
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
        const Cell part = cell(operand);
        if (!part.valid()) continue;
        if (from_pointer(operand)) graph_.add_walk(part, 1);
        graph_.unify(result, part);
      }
      break;
    default:
      break;
  }
}

}  // namespace heddle::elyze
