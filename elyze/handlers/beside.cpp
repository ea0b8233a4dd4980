#include "elyze/handlers/beside.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>

#include "elyze/handlers/world.hpp"
#include "elyze/points_to/call_graph.hpp"

namespace heddle::elyze {
namespace {

// timer_create() by SIGEV_THREAD (sigevent(7)).
bool is_thread_starter(const llvm::Function& external) {
  return external.getName() == "pthread_create" || external.getName() == "timer_create";
}

bool may_start_thread(const llvm::Function& external, const Spec&) { return is_thread_starter(external); }

// The instructions that may run after one of `starts`, these among them.
std::unordered_set<const llvm::Instruction*> reached_from_starts(const std::vector<const llvm::Instruction*>& starts) {
  std::unordered_set<const llvm::Instruction*> found;
  std::unordered_set<const llvm::BasicBlock*> whole;
  std::vector<const llvm::BasicBlock*> work;
  for (const llvm::Instruction* start : starts) {
    for (const llvm::Instruction* at = start; at != nullptr; at = at->getNextNode()) found.insert(at);
    for (const llvm::BasicBlock* next : llvm::successors(start->getParent())) work.push_back(next);
  }
  while (!work.empty()) {
    const llvm::BasicBlock* block = work.back();
    work.pop_back();
    if (!whole.insert(block).second) continue;
    for (const llvm::Instruction& at : *block) found.insert(&at);
    for (const llvm::BasicBlock* next : llvm::successors(block)) work.push_back(next);
  }
  return found;
}

}  // namespace

bool starts_thread(const llvm::CallBase& call) {
  const llvm::Function* api = call.getCalledFunction();
  return api != nullptr && is_thread_starter(*api);
}

bool makes(const Analysis& analysis, const llvm::CallBase& call, const ExternalTest& such) {
  const std::vector<CallSite>& sites = analysis.calls.at(call);
  return std::any_of(sites.begin(), sites.end(), [&](const CallSite& site) {
    return std::any_of(site.externals.begin(), site.externals.end(), [&](const llvm::Function* external) {
      const Spec* spec = analysis.points_to.specs.find(*external);
      return spec != nullptr && such(*external, *spec);
    });
  });
}

std::unordered_set<const llvm::Function*> functions_that_make(const Analysis& analysis, const ExternalTest& such) {
  return functions_that_do(analysis.points_to.module, analysis.calls, [&](const llvm::Function& function) {
    const auto instructions = llvm::instructions(function);
    return std::any_of(instructions.begin(), instructions.end(), [&](const llvm::Instruction& at) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
      return call != nullptr && makes(analysis, *call, such);
    });
  });
}

Beside beside_loops(const Analysis& analysis, const std::vector<Handler>& handlers) {
  Beside beside;
  const auto started = [](const Handler& handler) {
    return handler.by_unknown_code ||
           (handler.at_any_time &&
            std::any_of(handler.registrations.begin(), handler.registrations.end(),
                        [](const RegistrationSite& site) { return starts_thread(*site.registration->call); }));
  };
  if (std::none_of(handlers.begin(), handlers.end(), started)) return beside;
  const auto loops = functions_that_make(analysis, [](const auto&, const Spec& spec) { return spec.resumes; });
  const std::vector<const llvm::Function*>& given_away = analysis.calls.given_away;
  const bool by_unknown_code = std::any_of(given_away.begin(), given_away.end(),
                                           [&](const llvm::Function* function) { return loops.contains(function); });
  beside.loops = by_unknown_code || std::any_of(handlers.begin(), handlers.end(), [&](const Handler& handler) {
                   return started(handler) && loops.contains(handler.function);
                 });
  const llvm::Function* main = analysis.points_to.module.getFunction("main");
  if (!beside.loops || main == nullptr) return beside;
  if (by_unknown_code) {  // nobody knows when it was started
    for (const llvm::Instruction& instruction : llvm::instructions(*main)) beside.of_main.insert(&instruction);
    return beside;
  }
  const auto starters = functions_that_make(analysis, may_start_thread);
  std::vector<const llvm::Instruction*> starts;
  for (const llvm::Instruction& instruction : llvm::instructions(*main)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr) continue;
    const auto& sites = analysis.calls.at(*call);
    const bool further = std::any_of(sites.begin(), sites.end(), [&](const CallSite& site) {
      return std::any_of(site.bodies.begin(), site.bodies.end(),
                         [&](const llvm::Function* body) { return starters.contains(body); });
    });
    if (further || makes(analysis, *call, may_start_thread)) starts.push_back(call);
  }
  beside.of_main = reached_from_starts(starts);
  return beside;
}

}  // namespace heddle::elyze
