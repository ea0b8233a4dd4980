#include "elyze/explain/second_level.hpp"

#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <optional>

#include "elyze/ir/addresses.hpp"
#include "elyze/ir/arrays.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/marks/casts.hpp"

namespace heddle::elyze {
namespace {

constexpr int kDeepestCall = 8;  // calls from the handler on

// The constant distance of a pointer from the parameter; nothing if the pointer is not computed from the parameter.
std::optional<std::int64_t> distance(const llvm::Value* value, const llvm::Argument& parameter,
                                     const llvm::DataLayout& layout) {
  std::int64_t sum = 0;
  for (;;) {
    if (value == &parameter) return sum;
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(value)) {
      llvm::APInt offset(64, 0);
      if (!gep->accumulateConstantOffset(layout, offset)) return std::nullopt;
      sum += offset.getSExtValue();
      value = gep->getPointerOperand();
      continue;
    }
    if (!is_array_mark(*value)) return std::nullopt;
    value = llvm::cast<llvm::CallBase>(value)->getArgOperand(0);
  }
}

// The offset behind the parameter that a value was loaded from.
std::optional<std::int64_t> loaded_from(const llvm::Value* value, const llvm::Argument& parameter,
                                        const llvm::DataLayout& layout) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
  return load == nullptr ? std::nullopt : distance(load->getPointerOperand(), parameter, layout);
}

// The declared structure behind the source's variables that hold the parameter.
const llvm::DIType* structure_behind(const llvm::Argument& parameter) {
  const llvm::DIType* found = nullptr;
  for (const llvm::Instruction& instruction : llvm::instructions(*parameter.getParent())) {
    for (const llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      if (record.getNumVariableLocationOps() != 1 || record.getVariableLocationOp(0) != &parameter) continue;
      if (record.getExpression()->getNumElements() != 0) continue;
      const llvm::DIType* type = pointee(record.getVariable()->getType());
      if (is_structure(type) && (found == nullptr || record.getVariable()->getArg() == 0)) found = type;
    }
  }
  return found;
}

std::string argument_text(const llvm::CallBase& call, const llvm::Argument& parameter, const llvm::DataLayout& layout) {
  const llvm::DIType* type = structure_behind(parameter);
  const std::string name = structure_name(type);
  std::string whole;
  for (const llvm::Use& actual : call.args()) {
    if (!actual->getType()->isPointerTy()) continue;
    if (const auto place = loaded_from(actual.get(), parameter, layout)) {
      const std::string field = field_path(type, *place, kPointerBytes);
      if (!field.empty()) return std::string(name).append("->").append(field);
    }
    const auto inside = distance(actual.get(), parameter, layout);
    if (inside && whole.empty()) whole = *inside == 0 ? name : "part of " + name;
  }
  return name.empty() ? "" : whole;
}

}  // namespace

std::vector<SecondLevel> SecondLevels::of(const Handler& handler) const {
  std::vector<SecondLevel> found;
  const auto index = static_cast<unsigned>(handler.session_parameter);
  if (handler.session_parameter < 0 || index >= handler.function->arg_size()) return found;
  Seen seen;
  follow(*handler.function, index, 0, seen, found);
  std::sort(found.begin(), found.end(), [](const SecondLevel& a, const SecondLevel& b) {
    return std::make_pair(a.function->getName(), a.argument) < std::make_pair(b.function->getName(), b.argument);
  });
  return found;
}

void SecondLevels::follow(const llvm::Function& function, unsigned index, int depth, Seen& seen,
                          std::vector<SecondLevel>& found) const {
  if (depth > kDeepestCall || !seen.insert({&function, index}).second) return;
  const llvm::Argument& parameter = *function.getArg(index);
  const llvm::DataLayout& layout = analysis_.points_to.module.getDataLayout();
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->isInlineAsm()) continue;
    const auto stored = loaded_from(call->getCalledOperand(), parameter, layout);
    const llvm::DIType* type = stored ? member_at(structure_behind(parameter), *stored, kPointerBytes).type : nullptr;
    for (const CallSite& site : analysis_.calls.at(*call)) {
      if (site.callback != nullptr) continue;
      const auto note = [&](const llvm::Function* target) {
        if (only_calls_a_library(*target) || !may_hold(type, *target)) return;
        SecondLevel here{target, argument_text(*call, parameter, layout)};
        const auto same = [&](const SecondLevel& other) {
          return other.function == here.function && other.argument == here.argument;
        };
        if (std::none_of(found.begin(), found.end(), same)) found.push_back(std::move(here));
      };
      if (stored) {
        std::for_each(site.bodies.begin(), site.bodies.end(), note);
        continue;
      }
      for (const llvm::Function* body : site.bodies) {
        for (unsigned i = 0; i < body->arg_size() && i < call->arg_size(); ++i) {
          if (distance(call->getArgOperand(i), parameter, layout) == std::int64_t{0})
            follow(*body, i, depth + 1, seen, found);
        }
      }
    }
  }
}

}  // namespace heddle::elyze
