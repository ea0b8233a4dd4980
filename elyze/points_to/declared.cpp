#include "elyze/points_to/declared.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <numeric>

#include "elyze/ir/addresses.hpp"
#include "elyze/ir/arrays.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/points_to/layout.hpp"
#include "elyze/points_to/program.hpp"

namespace heddle::elyze {
namespace {

constexpr int kDeepest = 8;  // choices and calls that an address is followed through

std::int64_t moved(std::int64_t bound, std::int64_t by) { return bound <= -kFar || bound >= kFar ? bound : bound + by; }

}  // namespace

Declared::Place Declared::Place::shifted(std::int64_t by) const {
  return {low + by, bytes, stride, moved(from, by), moved(to, by)};
}

bool Declared::Place::touches(std::int64_t size) const {
  return stride == 0 ? low < size && low + bytes > 0 : from < size && to > 0;
}

Declared::Declared(const llvm::Module& module, const CallGraph& calls) : layout_(module.getDataLayout()) {
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      for (llvm::DbgRecord& record : instruction.getDbgRecordRange()) {
        auto* variable = llvm::dyn_cast<llvm::DbgVariableRecord>(&record);
        if (variable == nullptr || variable->isDbgDeclare() || variable->getNumVariableLocationOps() != 1) continue;
        const llvm::Value* value = variable->getVariableLocationOp(0);
        if (value == nullptr || !value->getType()->isPointerTy() || variable->getExpression()->getNumElements() != 0)
          continue;
        if (const llvm::DIType* type = pointee(variable->getVariable()->getType())) types_.try_emplace(value, type);
      }
    }
  }
  for (const auto& [call, sites] : calls.sites) {
    for (const CallSite& site : sites) {
      for (const llvm::Function* body : site.bodies) {
        for (std::size_t i = 0; i < site.actuals.size() && i < body->arg_size(); ++i) {
          const Actual& actual = site.actuals[i];
          if (actual.value == nullptr || !actual.path.empty() || !actual.value->getType()->isPointerTy()) continue;
          actuals_[body->getArg(static_cast<unsigned>(i))].push_back(actual.value);
        }
      }
    }
  }
}

std::uint8_t Declared::at(const llvm::Value* address, std::int64_t size) {
  return look(address, {0, std::max<std::int64_t>(size, 1), 0, -kFar, kFar}, 0);
}

// What the source says that the pointer points to; null if it says nothing.
const llvm::DIType* Declared::pointee_of(const llvm::Value* pointer, int depth) const {
  if (const auto known = types_.find(pointer); known != types_.end()) return known->second;
  if (depth > kDeepest / 2) return nullptr;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(pointer)) {
    const llvm::Function* callee = call->getCalledFunction();
    const llvm::DISubprogram* described = callee == nullptr ? nullptr : callee->getSubprogram();
    if (described == nullptr || described->getType() == nullptr) return nullptr;
    const llvm::DITypeRefArray types = described->getType()->getTypeArray();
    return types.size() == 0 ? nullptr : pointee(types[0]);
  }
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(pointer);
  if (load == nullptr) return nullptr;
  const Address from = address_of(load->getPointerOperand(), layout_);
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(from.base);
  const llvm::DIType* holder = global != nullptr ? source_name(*global).type : pointee_of(from.base, depth + 1);
  holder = strip_qualifiers(holder);
  if (holder == nullptr) return nullptr;
  if (llvm::isa<llvm::DIDerivedType>(holder)) return pointee(holder);
  std::int64_t offset = from.offset.value_or(-1);
  if (const std::int64_t size = byte_size(holder); offset >= size && size > 0) offset %= size;
  return offset < 0 ? nullptr : pointee(member_at(holder, offset, 8).type);
}

std::uint8_t Declared::look(const llvm::Value* address, Place place, int depth) {
  if (depth > kDeepest) return 0;
  for (;;) {
    if (const llvm::DIType* type = pointee_of(address, 0)) {
      const auto* plain = llvm::dyn_cast<llvm::DIBasicType>(type);
      const bool says_little = plain != nullptr && plain->getSizeInBits() == 8;
      const auto* parameter = llvm::dyn_cast<llvm::Argument>(address);
      const std::uint8_t own = content(type, place);
      return says_little && parameter != nullptr ? own | passed(*parameter, place, depth) : own;
    }
    if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(address)) {
      llvm::MapVector<llvm::Value*, llvm::APInt> variable;
      llvm::APInt constant(64, 0);
      if (!step->collectOffset(layout_, 64, variable, constant)) return 0;
      place = place.shifted(constant.getSExtValue());
      for (const auto& [index, scale] : variable) {
        place.stride = std::gcd(place.stride, std::abs(scale.getSExtValue()));
        place.from = -kFar;
        place.to = kFar;
      }
      address = step->getPointerOperand();
    } else if (is_array_mark(*address)) {
      const auto* call = llvm::cast<llvm::CallBase>(address);
      const std::int64_t bytes = llvm::cast<llvm::ConstantInt>(call->getArgOperand(1))->getSExtValue();
      if (place.stride != 0 && place.from <= -kFar) {
        place.from = 0;
        place.to = bytes == 0 ? kFar : bytes;
      }
      address = call->getArgOperand(0);
    } else if (llvm::isa<llvm::BitCastOperator, llvm::AddrSpaceCastOperator>(address)) {
      address = llvm::cast<llvm::User>(address)->getOperand(0);
    } else {
      break;
    }
  }
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(address)) return content(local->getAllocatedType(), place);
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(address)) return content(global->getValueType(), place);
  if (const auto* parameter = llvm::dyn_cast<llvm::Argument>(address)) return passed(*parameter, place, depth);
  std::uint8_t found = 0;
  if (llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(address)) {
    for (const llvm::Use& operand : llvm::cast<llvm::User>(address)->operands()) {
      if (operand->getType()->isPointerTy()) found |= look(operand.get(), place, depth + kDeepest / 4);
    }
  }
  return found;
}

std::uint8_t Declared::passed(const llvm::Argument& parameter, Place place, int depth) {
  const auto [known, fresh] = passed_.try_emplace({&parameter, place}, 0);
  if (!fresh) return known->second;
  std::uint8_t found = 0;
  const auto actuals = actuals_.find(&parameter);
  if (actuals != actuals_.end()) {
    for (const llvm::Value* actual : actuals->second) found |= look(actual, place, depth + 1);
  }
  passed_[{&parameter, place}] = found;
  return found;
}

std::uint8_t Declared::content(llvm::Type* type, Place place) const {
  if (!type->isSized() || type->isScalableTy()) return 0;
  const auto size = static_cast<std::int64_t>(layout_.getTypeAllocSize(type).getFixedValue());
  if (!place.touches(size)) return 0;
  std::uint8_t found = 0;
  if (type->isPointerTy()) {
    found = kPointers;
  } else if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* members = layout_.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      const auto offset = static_cast<std::int64_t>(members->getElementOffset(i).getFixedValue());
      found |= content(structure->getElementType(i), place.shifted(-offset));
    }
  } else if (type->isArrayTy() || type->isVectorTy()) {
    llvm::Type* element = type->isArrayTy() ? type->getArrayElementType() : type->getScalarType();
    const auto stride = static_cast<std::int64_t>(layout_.getTypeAllocSize(element).getFixedValue());
    if (stride == 0) return 0;
    const bool all = place.stride % stride != 0 || place.bytes > stride;
    found = content(element, all ? Place{0, stride, 0, -kFar, kFar}
                                 : Place{modulo(place.low, stride), place.bytes, 0, -kFar, kFar});
  } else {
    found = kNumbersOnly;
  }
  return found;
}

std::uint8_t Declared::content(const llvm::DIType* type, Place place) {
  type = strip_qualifiers(type);
  if (type == nullptr) return 0;
  const std::int64_t size = byte_size(type);
  // A pointer to an element of an array may be moved over the others.
  if (place.stride != 0 && size > 0 && place.stride % size == 0 && place.bytes <= size)
    place = {modulo(place.low, size), place.bytes, 0, -kFar, kFar};
  if (llvm::isa<llvm::DIBasicType>(type)) return kNumbersOnly;
  if (llvm::isa<llvm::DIDerivedType>(type)) return kPointers;  // a reference or a pointer
  const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type);
  if (composite == nullptr) return 0;
  if (composite->getTag() == llvm::dwarf::DW_TAG_enumeration_type) return kNumbersOnly;
  if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
    const llvm::DIType* element = strip_qualifiers(composite->getBaseType());
    const std::int64_t stride = byte_size(element);
    if (stride <= 0) return 0;
    const bool all = place.stride % stride != 0 || place.bytes > stride;
    return content(element, all ? Place{0, stride, 0, -kFar, kFar}
                                : Place{modulo(place.low, stride), place.bytes, 0, -kFar, kFar});
  }
  std::uint8_t found = 0;
  for (const llvm::DINode* node : composite->getElements()) {
    const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    const bool inside = member != nullptr && (member->getTag() == llvm::dwarf::DW_TAG_member ||
                                              member->getTag() == llvm::dwarf::DW_TAG_inheritance);
    if (!inside || member->isStaticMember()) continue;
    const auto start = static_cast<std::int64_t>(member->getOffsetInBits() / 8);
    const auto bytes = static_cast<std::int64_t>((member->getSizeInBits() + 7) / 8);
    const Place there = place.shifted(-start);
    if (there.touches(bytes == 0 ? kFar : bytes)) found |= content(member->getBaseType(), there);
  }
  return found;
}

}  // namespace heddle::elyze
