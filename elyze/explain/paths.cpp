#include "elyze/explain/paths.hpp"

#include <algorithm>

#include "elyze/ir/names.hpp"

namespace heddle::elyze {

std::vector<Frame> path_of(const Witness* witness) {
  std::vector<Frame> frames;
  for (; witness != nullptr; witness = witness->callee) {
    const SourcePlace where = place_of(*witness->at);
    frames.push_back({source_name(*witness->at->getFunction()), where.file, where.line});
  }
  return frames;
}

std::vector<Frame> Paths::to(std::size_t index, const HandlerAccess& access) {
  const Handler& handler = world_.handlers[index];
  if (access.witness == nullptr) {
    const SourcePlace where = place_of(*handler.function);
    return {{source_name(*handler.function), where.file, where.line}};
  }
  std::vector<Frame> frames;
  if (access.owner != handler.function) {
    auto& ways = ways_[index];
    if (ways.empty()) {
      ways.emplace(handler.function, nullptr);
      std::vector<const llvm::Function*> work{handler.function};
      for (std::size_t i = 0; i < work.size(); ++i) {
        for (const auto& [call, callee] : analysis_.summaries.at(work[i]).calls) {
          if (ways.try_emplace(callee, call).second) work.push_back(callee);
        }
      }
    }
    for (const llvm::Function* at = access.owner; at != handler.function && ways.count(at);) {
      const llvm::CallBase* call = ways.at(at);
      const SourcePlace where = place_of(*call);
      frames.push_back({source_name(*call->getFunction()), where.file, where.line});
      at = call->getFunction();
    }
    std::reverse(frames.begin(), frames.end());
  }
  const std::vector<Frame> rest = path_of(access.witness);
  frames.insert(frames.end(), rest.begin(), rest.end());
  return frames;
}

}  // namespace heddle::elyze
