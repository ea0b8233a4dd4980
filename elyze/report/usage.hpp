// What the instructions of a program do with an object, so that a report can name a remedy that fits: a counter is only
// ever added to, a flag only set and read, a table filled on first use could be filled before the loop starts.
//
// For a variable with a name every use in the module is looked at, starting from its address; `complete` says whether
// that address stays in sight (it is not stored, returned or handed to code of the program). For any other object only
// the instructions are known that the accesses of handlers end in, and those of the same functions at the same offset.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "elyze/conflicts/conflicts.hpp"

namespace llvm {
class BranchInst;
class DominatorTree;
}  // namespace llvm

namespace heddle::elyze {

struct Usage {
  bool complete = false;
  std::size_t reads = 0;
  std::size_t adds = 0;             // x = x + something, and the like
  std::size_t sets = 0;             // any other store
  std::size_t constants = 0;        // those of `sets` that store a constant
  std::size_t calls = 0;            // handed to a library function
  std::size_t atomics = 0;          // atomic instructions
  bool tested = false;              // a value that was read decides a branch
  bool first_use = false;           // handlers write it only where they found that nobody had done so
  bool before_loop = false;         // written outside handlers too
  std::set<std::string> functions;  // of handlers, in which it is used
};

// Whether the condition holds where the variable that it is made of is zero; nothing for other conditions.
std::optional<bool> holds_when_zero(const llvm::BranchInst& branch);

class Usages {
 public:
  using Trees = std::unordered_map<const llvm::Function*, std::unique_ptr<llvm::DominatorTree>>;

  Usages(const Analysis& analysis, const World& world);
  ~Usages();
  // `accesses`: those of handlers to the object, for objects that are no variable.
  Usage of(const NamedObject& object, const std::vector<const HandlerAccess*>& accesses);
  // The handlers that can reach a function.
  std::vector<std::size_t> handlers_of(const llvm::Function& function) const;
  bool in_handlers(const llvm::Function& function) const { return in_handlers_.count(&function) != 0; }

 private:
  std::vector<std::set<const llvm::Function*>> reached_;  // per handler
  std::set<const llvm::Function*> in_handlers_;
  Trees trees_;
};

}  // namespace heddle::elyze
