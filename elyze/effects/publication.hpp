// From which instruction on other invocations can see an object that a function allocates, or was given.
//
// Before its pointer is stored where others may find it, an object belongs to the invocation that allocated it, and
// accesses conflict with nothing. The first instruction that may publish it is a store of the pointer, a call that
// stores or hands it on, or an event_add of an event inside it. What is linked only into another unpublished object
// is published with that object; what is linked into an object whose bytes are copied, or written to a pipe, goes where
// the bytes go. "After" is control-flow reachability from such an instruction without passing the
// allocation again (which would make a new object).
#pragma once

#include <llvm/IR/Instruction.h>

#include <map>
#include <set>
#include <vector>

#include "elyze/effects/summary.hpp"

namespace heddle::elyze {

// Where control may get to within one function.
class Paths {
 public:
  explicit Paths(const llvm::Function& function);

  // May control get from `from` to `to` without executing `avoiding` (which may be null)? With `after_success`, only
  // the ways on which the call `from` returned 0 count, where its block shows which these are.
  bool lead(const llvm::Instruction& from, const llvm::Instruction& to, const llvm::Instruction* avoiding,
            bool after_success = false) const;

 private:
  const llvm::BasicBlock* back_ = nullptr;  // where a longjmp() in a callee may lead to: setjmp() returns again
};

class Publication {
 public:
  Publication(const llvm::Function& function, const Roots& roots, const std::vector<Store>& stores);

  const Paths& paths() const { return paths_; }

  // May `at` execute after an instruction that publishes `root`?
  bool after(RootId root, const llvm::Instruction& at) const;
  // The same for what `root` leads to, where that went elsewhere without it.
  bool contents_after(RootId root, const llvm::Instruction& at) const;
  bool contents_published(RootId root) const { return contents_published_.count(root) != 0; }
  bool published(RootId root) const { return published_.count(root) != 0; }
  // Stores of pointers derived from `root`, other than into itself.
  const std::vector<const Store*>& stores_of(RootId root) const;
  // The one place that the fresh `root` is stored in, once; null if there are none or more.
  const Store* only_store(RootId root) const;

 private:
  // The pointers in what `from` points to, that many steps further on, go to `into`.
  struct Contents {
    RootId from;
    bool deep;  // or further
    int steps;
    RootId into;
    const llvm::Instruction* at;
  };
  struct Link {
    RootId into;
    const llvm::Instruction* at;
  };
  void note_contents(const Store& store, std::vector<Contents>& copied) const;
  bool follow(const Contents& copy);
  bool publish_with_owners();

  Paths paths_;
  const Roots& roots_;
  std::map<RootId, std::vector<Link>> links_;
  std::map<RootId, std::set<const llvm::Instruction*>> published_;
  std::map<RootId, std::set<const llvm::Instruction*>> contents_published_;
  // Publications by a library call (event_add), which happen only if the call succeeds.
  std::set<std::pair<RootId, const llvm::Instruction*>> publishes_alone_;
  std::map<RootId, std::vector<const Store*>> stores_;
};

}  // namespace heddle::elyze
