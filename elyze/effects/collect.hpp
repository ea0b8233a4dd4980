// Collects the effects of one function, when the graph of its component is finished.
//
// For each instruction: what it reads and writes, which pointers it stores, which handlers it registers; for each call
// the same of the callee with cells and roots substituted. finish() then decides what concerns only this function:
//   - memory that no caller, global or registration can reach is dropped;
//   - accesses to a fresh object (or a local variable) before its publication are dropped; afterwards the object goes
//     by the one place it is stored in, or else is `other`;
//   - a pointer store is `unique` if it is the only place that the fresh object is ever stored in.
// Soundness: each dropped effect is on memory that no other invocation can hold a pointer to at that time.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Dominators.h>

#include <set>
#include <unordered_set>
#include <vector>

#include "elyze/effects/publication.hpp"
#include "elyze/effects/summary.hpp"
#include "elyze/points_to/builder.hpp"

namespace heddle::elyze {

class Collector {
 public:
  Collector(Analysis& analysis, Unit& unit, Builder& cells, const llvm::Function& function,
            const std::vector<bool>& visible)
      : analysis_(analysis),
        unit_(unit),
        cells_(cells),
        function_(function),
        visible_(visible),
        dominators_(const_cast<llvm::Function&>(function)) {}

  Summary run();

 private:
  // Derivations of all values of the function, to a fixed point (effects/derive.cpp).
  void derive();
  Derivation derivation(const llvm::Value* value) const;
  Derivation transfer(const llvm::Instruction& instruction) const;
  Derivation external_result(const llvm::CallBase& call, const Result& given) const;
  Derivation assembly_result(const llvm::CallBase& call) const;
  Derivation call_result(const llvm::CallBase& call) const;
  Derivation of(const Actual& actual) const;
  Derivation substitute(RootId root, const CallSite& site) const;
  Derivation moved(const Derivation& from, const CallSite& site) const;
  Derivation shifted(Derivation where, std::int64_t by) const;
  bool stale(const Derivation& value, const llvm::PHINode& phi) const;

  void visit(const llvm::Instruction& instruction);
  void visit_call(const llvm::CallBase& call);
  void visit_external(const llvm::CallBase& call, const llvm::Function& callee);
  void apply(const llvm::CallBase& call, const Effect& effect);
  void use_descriptors(const llvm::CallBase& call);
  void touch_loaded(const llvm::CallBase& call, const Effect& effect, Access access);
  std::pair<Cell, Derivation> behind(const llvm::Value* from, const std::vector<std::int64_t>& path,
                                     bool number = false);
  void apply_pointer(const llvm::CallBase& call, const Effect& effect);
  void use_summary(const CallSite& site, const llvm::Function& callee);
  void use_stores(const CallSite& site, const Summary& callee, const Graph::CloneMap* map);
  void use_numbers(const CallSite& site, const Summary& callee);
  void note_number(const Access& access);
  void use_pooled(const CallSite& site, const llvm::Function& callee);
  void use_pooled_calls(const CallSite& site, const Summary& callee);
  void use_access(const CallSite& site, const Access& access, const Graph::CloneMap* map);
  void use_registration(const CallSite& site, const Registration& registration, const Graph::CloneMap* map);
  void register_handler(const llvm::CallBase& call, const Callback& callback);
  void visit_assembly(const llvm::CallBase& call);
  void unknown(const llvm::CallBase& call, const std::string& name, UnknownUse::Kind kind);

  void add(const llvm::Instruction& at, Access access, const Witness* callee = nullptr);
  void touch(const llvm::Instruction& at, const llvm::Value* pointer, std::int64_t size, Extent extent, Mode mode);
  void add_store(const llvm::Instruction& at, Store store, const Witness* callee = nullptr);
  void keep(const llvm::Instruction& at, const llvm::Value* value, Cell place, const Derivation& target);

  // Between the two: what is loaded from a local variable is what was stored there, which depends on what is loaded.
  bool learn_locals(const Publication& publication);
  // A local that nothing was seen to be stored in was filled in some way that was not followed.
  bool give_up_on_empty_locals();
  void finish(const Publication& publication);
  void finish_access(Access access, const Publication& publication);
  void finish_reach(const Access& access, const Publication& publication);
  void finish_unfollowed(const Access& first, Cell from, const std::set<NodeId>& covered,
                         const std::set<NodeId>& inside);
  void finish_variadic(const Access& access, const Publication& publication);
  void finish_registrations(const Publication& publication);
  bool kept_with(const Registration& registration, const Derivation& descriptor, const Derivation& session) const;
  void finish_stores(const Publication& publication);
  void finish_copies();
  void finish_pooled_calls(const Publication& publication);
  Derivation finish_return(const Publication& publication) const;
  // Looks through local memory: what is loaded from a local variable is what was stored there.
  Derivation resolve(RootId root, const llvm::Instruction& at, const Publication& publication, int depth = 0) const;
  Derivation resolve(const Derivation& from, const llvm::Instruction& at, const Publication& publication) const;
  // The same, or kUniqueRoot for a block that was made for the place in local memory that it is loaded from.
  Derivation look_through(RootId root, const llvm::Instruction& at, const Publication& publication, int depth) const;
  Derivation forwarded(RootId local, std::int64_t offset, const llvm::Instruction& at, const Publication& publication,
                       int depth, bool optimistic = false) const;
  // The root by which callers judge an access; none for memory that is still this invocation's own.
  RootId judged(RootId root, bool late, const llvm::Instruction& at, const Publication& publication) const;
  bool is_late(const Access& access, const llvm::Instruction& at, const Publication& publication) const;
  Derivation escaping(const Derivation& from) const;
  void emit_store(Store store);
  bool visible(Cell cell) const;
  bool shared(Cell cell) const;
  void emit(const Access& access);

  struct AccessHash {
    std::size_t operator()(const Access& access) const { return hash_access(access); }
  };
  struct AccessEqual {
    bool operator()(const Access& a, const Access& b) const { return same_access(a, b); }
  };

  struct PendingCall {
    const llvm::Instruction* at;
    PooledCall call;
  };

  Analysis& analysis_;
  Unit& unit_;
  Builder& cells_;
  const llvm::Function& function_;
  const std::vector<bool>& visible_;
  llvm::DominatorTree dominators_;
  llvm::DenseMap<const llvm::Value*, Derivation> derived_;
  llvm::DenseMap<const llvm::Value*, Derivation> local_loads_;
  std::vector<Access> accesses_;
  std::vector<Store> stores_;
  std::vector<PendingCall> pooled_calls_;
  std::unordered_set<Access, AccessHash, AccessEqual> emitted_;
  Summary summary_;
};

}  // namespace heddle::elyze
