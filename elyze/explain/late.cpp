#include "elyze/explain/late.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "elyze/ir/names.hpp"

namespace heddle::elyze {

void LateUses::note(std::size_t handler, const HandlerAccess& access, std::size_t object) {
  const auto note = [&](const llvm::Instruction& at) {
    for (const LatePoint& point : analysis_.late_points.before(at)) {
      Guarded& guarded = points_[point.call];
      guarded.number = point.number;
      guarded.handlers.insert(handler);
      guarded.objects.insert(object);
    }
  };
  for (const Witness* step = access.witness; step != nullptr; step = step->callee) {
    if (!analysis_.late_points.behind(*step->at)) continue;
    note(*step->at);
    return;
  }
  // No step of this witness is behind a point, so the points lie above it: every call path from the handler to the
  // function that owns the access passes one.
  const std::set<const llvm::Function*>& callers = callers_of(access.owner);
  std::vector<const llvm::Function*> work{world_.handlers[handler].function};
  std::set<const llvm::Function*> seen{work.back()};
  while (!work.empty()) {
    const llvm::Function* from = work.back();
    work.pop_back();
    for (const auto& [call, callee] : analysis_.summaries.at(from).calls) {
      if (!callers.contains(callee)) continue;
      if (analysis_.late_points.behind(*call)) {
        note(*call);
      } else if (seen.insert(callee).second) {
        work.push_back(callee);
      }
    }
  }
}

// The function and all functions that may call it, directly or not.
const std::set<const llvm::Function*>& LateUses::callers_of(const llvm::Function* function) {
  const auto [place, fresh] = callers_.try_emplace(function);
  std::set<const llvm::Function*>& found = place->second;
  if (!fresh) return found;
  found.insert(function);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [caller, summary] : analysis_.summaries) {
      const bool gets_there = std::any_of(summary.calls.begin(), summary.calls.end(),
                                          [&](const auto& call) { return found.contains(call.second); });
      if (gets_there) changed |= found.insert(caller).second;
    }
  }
  return found;
}

std::vector<Findings::LatePoint> LateUses::points() const {
  std::map<std::tuple<std::string, unsigned, std::uint64_t>, Findings::LatePoint> sorted;
  for (const auto& [call, guarded] : points_) {
    const SourcePlace where = place_of(*call);
    sorted[{where.file, where.line, guarded.number}] = {
        guarded.number, {source_name(*call->getFunction()), where.file, where.line}, guarded.handlers, guarded.objects};
  }
  std::vector<Findings::LatePoint> list;
  for (auto& [place, point] : sorted) list.push_back(std::move(point));
  return list;
}

}  // namespace heddle::elyze
