// From which instruction on other invocations can see an object that a function allocates, or was given.
//
// Before its pointer is stored where others may find it, an object belongs to the invocation that allocated it, and
// accesses conflict with nothing. The first instruction that may publish it is a store of the pointer, a call that
// stores or hands it on, or an event_add of an event inside it. What is linked only into another unpublished object
// is published with that object; what is linked into an object whose bytes are copied, or written to a pipe, goes where
// the bytes go. "After" is control-flow reachability from such an instruction without passing the
// allocation again (which would make a new object).
//
// Which object a store publishes, the points-to graph decides: each one whose node the stored pointer leads to. A
// derivation (effects/root.hpp) can only prove that the pointer leads to another object: to one that some other
// allocation has made, or to one that others see already, as what was loaded from memory that they see. The table
// `kRules` in publication.cpp has all cases.
#pragma once

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instruction.h>

#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "elyze/effects/gather.hpp"

namespace heddle::elyze {

// Where control may get to within one function.
class Paths {
 public:
  explicit Paths(const llvm::Function& function);

  // May control get from `from` to `to` without executing `avoiding` (which may be null)? With `after_success`, only
  // the ways on which the call `from` returned 0 count, where its block shows which these are.
  bool lead(const llvm::Instruction& from, const llvm::Instruction& to, const llvm::Instruction* avoiding,
            bool after_success = false) const;

  // May a longjmp() in a callee lead to a setjmp() in the block of `to`, and on to there without `avoiding`?
  bool jumps_back_to(const llvm::Instruction& to, const llvm::Instruction* avoiding) const;

  // The blocks that control may enter at their start, behind `from`. The rest of a block with a setjmp(), to which
  // control jumps back, is not among them.
  using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 16>;
  void enter(const llvm::Instruction& from, const llvm::Instruction* avoiding, bool after_success, Blocks& seen) const;

 private:
  std::vector<const llvm::Instruction*> back_;  // calls of setjmp(), which return again by a longjmp() in a callee
};

class Publication {
 public:
  Publication(Analysis& analysis, Cells& cells, const llvm::Function& function, const Derivations& derivations,
              const Gathered& gathered);

  const Paths& paths() const { return paths_; }

  // May `at` execute after an instruction that publishes `root`?
  bool after(RootId root, const llvm::Instruction& at) const;
  // Does the call `at` publish `root`, and may it access it behind that? The callee knows the order of both where it
  // gets at the object by one of its parameters, `given`, alone.
  bool meanwhile(RootId root, const llvm::Instruction& at, RootId given) const;
  // The same as after() for what `root` leads to, where that went elsewhere without it.
  bool contents_after(RootId root, const llvm::Instruction& at) const;
  bool contents_published(RootId root) const { return contents_published_.count(root) != 0; }
  // The same, of the pointers in `root` itself, not of what these lead to.
  bool bytes_published(RootId root) const { return bytes_published_.contains(root); }
  bool published(RootId root) const { return published_.count(root) != 0; }
  // Stores of pointers derived from `root`, other than into itself.
  const std::vector<const Store*>& stores_of(RootId root) const;
  // The one place that the fresh `root` is stored in, once; null if there are none or more.
  const Store* only_store(RootId root) const;
  // May a pointer of unknown derivation, which the function stores somewhere, be one to `root`?
  bool stored_unseen(RootId root) const { return unseen_.contains(root); }
  // May such a pointer to what the node stands for go where others see it?
  bool node_published(NodeId node) const { return escapes_.contains(node) || any_links_.contains(node); }
  // May a callee store to a place of unknown derivation at the node?
  bool replaced(NodeId node) const { return replaced_.contains(node); }
  // The nodes of the objects that the function allocates, or was given.
  std::unordered_set<NodeId> nodes() const;

 private:
  // An instruction that publishes, as Store has it.
  struct Publisher {
    const llvm::Instruction* at;
    RootId given;  // as in Store
    bool alone;    // by a library call (event_add): only if the call succeeds
    auto operator<=>(const Publisher&) const = default;
  };
  using Publishers = llvm::BitVector;  // by number
  // What a copy takes along: the pointers in what `from` points to, that many steps further on.
  struct Reach {
    RootId from;
    bool deep;  // or further
    int steps;
    auto operator<=>(const Reach&) const = default;
  };
  // A copy into an object that the function has made.
  struct Copy {
    Reach what;
    RootId into;
    unsigned by;
  };
  // Of what a copy takes along.
  struct Moved {
    std::set<RootId> sources;   // whose bytes are copied, or lead to those
    std::set<RootId> copied;    // whose bytes are copied
    std::set<RootId> pointers;  // to what these are
  };
  struct Link {
    RootId into;
    unsigned by;
    friend bool operator==(const Link&, const Link&) = default;
  };
  // Whence control gets to behind publishers: the blocks that it enters, and what they were computed from.
  struct Behind {
    Publishers of;
    Paths::Blocks entered;
  };

  void track(const Derivations& derivations, const Gathered& gathered);
  void track(RootId root);
  void note(const Store& store);
  void note_object(const Store& store, RootId origin);
  void hand_over(RootId value, const Store& store, unsigned by);
  void note_node(const Store& store);
  void note_contents(const Store& store, RootId from);
  void note_calls(const Gathered& gathered);
  void note_escape(const Escapes::Escape& escape, const llvm::Instruction& call);
  void publish_nodes();
  bool exists_at(RootId root, const llvm::Instruction& at) const;
  void copy(const Reach& what, RootId into, unsigned by);
  Moved moved(const Reach& what) const;
  bool publish_contents(const Moved& moved, const Publishers& by, bool bytes);
  bool follow(const Copy& copy);
  bool follow(const Reach& what, const Publishers& by);
  bool publish_with_owners();
  bool link(RootId value, const Link& link);
  unsigned number(const Publisher& publisher);
  static bool add(Publishers& to, const Publishers& more);
  static bool add(Publishers& to, unsigned by);
  const llvm::Instruction* made(RootId root) const;

  Analysis& analysis_;
  const Graph& graph_;
  Cells& cells_;
  const llvm::Function& function_;
  Paths paths_;
  const Roots& roots_;
  std::vector<Publisher> publishers_;
  std::map<Publisher, unsigned> numbers_;
  std::unordered_map<const llvm::Instruction*, std::vector<unsigned>> here_;  // by instruction
  std::map<RootId, NodeId> tracked_;
  std::unordered_map<NodeId, std::vector<RootId>> at_node_;
  std::map<RootId, std::vector<Link>> links_;
  std::map<RootId, std::vector<RootId>> linked_;  // the other way: what is linked into an object
  std::map<RootId, Publishers> published_;
  std::map<RootId, Publishers> published_inside_;  // only what is linked into the object
  std::map<RootId, Publishers> contents_published_;
  std::set<RootId> bytes_published_;
  std::map<RootId, std::vector<const Store*>> stores_;
  std::vector<Copy> copies_;
  std::map<Reach, Publishers> copied_out_;         // to where others see it, and by what
  std::unordered_set<NodeId> made_for_one_place_;  // blocks that callees have made and stored in one place
  // By node: what publishes pointers of unknown derivation, and where these are linked.
  std::unordered_map<NodeId, Publishers> escapes_;
  std::unordered_map<NodeId, std::vector<Link>> any_links_;
  std::unordered_map<NodeId, Publishers> kept_;  // of both: what puts them into memory
  std::unordered_set<NodeId> replaced_;
  std::unordered_set<RootId> unseen_;
  mutable std::map<RootId, Behind> behind_;
  mutable std::map<RootId, Paths::Blocks> alive_;  // blocks that control enters behind the allocation
};

}  // namespace heddle::elyze
