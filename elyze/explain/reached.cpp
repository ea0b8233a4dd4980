#include "elyze/explain/reached.hpp"

namespace heddle::elyze {

Reached::Reached(const Analysis& analysis, const World& world) {
  for (const Handler& handler : world.handlers) {
    std::set<const llvm::Function*>& seen = by_handler_.emplace_back();
    std::vector<const llvm::Function*> work{handler.function};
    seen.insert(handler.function);
    for (std::size_t i = 0; i < work.size(); ++i) {
      for (const auto& [call, callee] : analysis.summaries.at(work[i]).calls) {
        if (seen.insert(callee).second) work.push_back(callee);
      }
    }
    by_any_.insert(seen.begin(), seen.end());
  }
}

std::vector<std::size_t> Reached::handlers_of(const llvm::Function& function) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < by_handler_.size(); ++i) {
    if (by_handler_[i].count(&function)) found.push_back(i);
  }
  return found;
}

}  // namespace heddle::elyze
