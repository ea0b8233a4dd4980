// What the instructions of a program do with an object, so that a report can name a remedy that fits: a counter is only
// ever added to, a flag only set and read, a table filled on first use could be filled before the loop starts.
//
// For a variable with a name every use in the module is looked at, starting from its address; `complete` says whether
// that address stays in sight (it is not stored, returned or handed to code of the program). For any other object only
// the instructions are known that the accesses of handlers end in, and those of the same functions at the same offset.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "elyze/conflicts/conflicts.hpp"
#include "elyze/explain/findings.hpp"
#include "elyze/explain/reached.hpp"

namespace llvm {
class DominatorTree;
}  // namespace llvm

namespace heddle::elyze {

class Usages {
 public:
  using Trees = std::unordered_map<const llvm::Function*, std::unique_ptr<llvm::DominatorTree>>;

  explicit Usages(const Reached& reached);
  ~Usages();
  Usages(const Usages&) = delete;
  Usages& operator=(const Usages&) = delete;
  // `accesses`: those of handlers to the object, for objects that are no variable.
  Usage of(const NamedObject& object, const std::vector<const HandlerAccess*>& accesses);

 private:
  const Reached& reached_;
  Trees trees_;
};

}  // namespace heddle::elyze
