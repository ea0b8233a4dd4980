// Functions of the program that are its event loop, as a spec file declares them.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "elyze/ir/error.hpp"
#include "elyze/ir/names.hpp"
#include "elyze/specs/spec.hpp"

namespace heddle::elyze {

const Callback* Specs::dispatched(const llvm::CallBase& call) const {
  if (!dispatchers_ || call.isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call)) return nullptr;
  const Spec* spec = find(*call.getFunction());
  if (spec == nullptr || !spec->dispatch || call.arg_size() >= spec->dispatch->callbacks.size()) return nullptr;
  const std::vector<std::string>& calls = spec->dispatch->calls;
  const auto* named = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  const bool starts = calls.empty()
                          ? named == nullptr
                          : named != nullptr && std::any_of(calls.begin(), calls.end(), [&](const auto& name) {
                              return named->getName() == name || plain_name(*named) == name;
                            });
  return starts ? &spec->dispatch->callbacks[call.arg_size()] : nullptr;
}

bool Specs::exposes_events(const llvm::Module& program) const {
  return std::any_of(program.begin(), program.end(), [&](const llvm::Function& function) {
    const Spec* spec = function.isDeclaration() ? find(function) : nullptr;
    return spec != nullptr && spec->exposes_events;
  });
}

namespace {

std::string nothing_called(const std::vector<std::string>& calls) {
  if (calls.empty()) return "it makes no indirect call: name the functions with 'calls'";
  std::string names = calls.front();
  for (auto call = calls.begin() + 1; call != calls.end(); ++call) names.append(", ").append(*call);
  return "it does not call " + names + " by name";
}

}  // namespace

void Specs::check_dispatchers(const llvm::Module& program) const {
  for (const auto& [name, spec] : specs_) {
    if (!spec.dispatch) continue;
    const std::string where = spec.dispatch->file + ": " + name + ": ";
    const Spec* const wanted = &spec;
    const auto function = std::find_if(program.begin(), program.end(), [&](const llvm::Function& candidate) {
      return !candidate.isDeclaration() && find(candidate) == wanted;
    });
    if (function == program.end())
      throw InputError(where + "'dispatches' is for functions of the program, and it has none of this name");
    bool any = false;
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || dispatched(*call) == nullptr) continue;
      any = true;
      if (spec.dispatch->session < static_cast<int>(call->arg_size())) continue;
      throw InputError(where + "session " + std::to_string(spec.dispatch->session) + " is no argument of the call at " +
                       place_of(*call).file + ":" + std::to_string(place_of(*call).line));
    }
    if (any) continue;
    throw InputError(where + nothing_called(spec.dispatch->calls));
  }
}

}  // namespace heddle::elyze
