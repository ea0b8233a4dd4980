// Memory that is written as one structure and read as another. Pointers are followed by their declared types, from
// structures over variables, parameters and results that point to nothing in particular to structures again. What is
// kept in memory, and what callbacks get that are not named where they are registered, is not followed: any structure
// would be any other.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Value.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace heddle::elyze {

class Views {
 public:
  using Place = const llvm::Value*;  // a variable, an argument, or a function: what it returns
  struct End {
    const llvm::DIType* structure = nullptr;
    Place place = nullptr;
  };

  void flow(const End& from, const End& to) {
    if (from.structure != nullptr && to.structure != nullptr) {
      note(from.structure, to.structure);
    } else if (from.structure != nullptr && to.place != nullptr) {
      into_[to.place].insert(from.structure);
    } else if (to.structure != nullptr && from.place != nullptr) {
      out_of_[from.place].insert(to.structure);
    } else if (from.place != nullptr && to.place != nullptr) {
      onward_[from.place].insert(to.place);
    }
  }

  // Pairs of structures that one piece of memory is used as.
  const std::set<std::pair<const llvm::DIType*, const llvm::DIType*>>& pairs() {
    std::vector<Place> work;
    work.reserve(into_.size());
    for (const auto& [place, types] : into_) work.push_back(place);
    while (!work.empty()) {
      const Place place = work.back();
      work.pop_back();
      const auto next = onward_.find(place);
      if (next == onward_.end()) continue;
      const std::set<const llvm::DIType*> types = into_[place];
      for (const Place to : next->second) {
        std::set<const llvm::DIType*>& there = into_[to];
        const std::size_t before = there.size();
        there.insert(types.begin(), types.end());
        if (there.size() != before) work.push_back(to);
      }
    }
    for (const auto& [place, to] : out_of_) {
      for (const llvm::DIType* from : into_[place]) {
        for (const llvm::DIType* type : to) note(from, type);
      }
    }
    return pairs_;
  }

 private:
  void note(const llvm::DIType* a, const llvm::DIType* b) {
    if (a != b) pairs_.insert({a, b});
  }
  std::map<Place, std::set<const llvm::DIType*>> into_;
  std::map<Place, std::set<const llvm::DIType*>> out_of_;
  std::map<Place, std::set<Place>> onward_;
  std::set<std::pair<const llvm::DIType*, const llvm::DIType*>> pairs_;
};

}  // namespace heddle::elyze
