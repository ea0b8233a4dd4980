// Memory that is written as one structure and read as another.
//
// Pointers are followed by their declared types: from a pointer to a structure, through variables, parameters and
// results that are declared as `void *`, to a pointer to a structure again. A pointer that is kept in other memory in
// between is not followed, nor is the argument of a callback that the registration does not name: through these every
// structure would be taken for every other.
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

  // Pairs of structures such that some memory is used as both.
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
  std::map<Place, std::set<const llvm::DIType*>> into_;    // structures whose pointers flow into the place
  std::map<Place, std::set<const llvm::DIType*>> out_of_;  // structures that a pointer out of the place is used as
  std::map<Place, std::set<Place>> onward_;                // places that a pointer flows on to
  std::set<std::pair<const llvm::DIType*, const llvm::DIType*>> pairs_;
};

}  // namespace heddle::elyze
