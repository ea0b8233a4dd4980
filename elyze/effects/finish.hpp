// Decides which of the effects of a function concern others, and how they look to its callers:
//   - memory that no caller, global or registration can reach is dropped;
//   - accesses to a fresh object (or a local variable) before its publication are dropped. Afterwards the object's root
//     is what can be loaded from the one place that it is stored in, or `other` if there is no such place;
//   - a pointer store is `unique` if it is the only place that the fresh object is ever stored in.
// Soundness: each dropped effect is on memory that no other invocation can hold a pointer to at that time.
#pragma once

#include <memory>
#include <set>
#include <unordered_set>
#include <vector>

#include "elyze/effects/gather.hpp"
#include "elyze/effects/local_memory.hpp"

namespace heddle::elyze {

class Finisher {
 public:
  // `visible`: by node, what callers, globals and registrations can reach of the component's part of the graph.
  Finisher(Analysis& analysis, const Unit& unit, Cells& cells, const llvm::Function& function,
           const std::vector<bool>& visible, const Derivations& derivations, const Publication& publication,
           const LocalMemory& local, Gathered& gathered, std::shared_ptr<Escapes::Set> escapes)
      : analysis_(analysis),
        unit_(unit),
        cells_(cells),
        function_(function),
        visible_(visible),
        derivations_(derivations),
        publication_(publication),
        local_(local),
        gathered_(gathered),
        unit_escapes_(std::move(escapes)) {}

  Summary run();

 private:
  void finish_access(Access access);
  void finish_reach(const Access& access);
  void finish_unfollowed(const Access& first, Cell from, const std::set<NodeId>& covered,
                         const std::set<NodeId>& inside);
  void finish_variadic(const Access& access);
  void finish_contents(const Access& access);
  void finish_registrations();
  bool kept_with(const Registration& registration, const Derivation& descriptor, const Derivation& session) const;
  std::set<RootId> find_leaving() const;
  void finish_stores();
  void finish_replaced();
  void finish_keeps();
  RootId owner(RootId id) const;
  bool kept_by_owner(const Store& keep) const;
  bool stored_here(RootId value) const;
  void finish_copies();
  void finish_pooled_calls();
  Derivation finish_return() const;
  bool is_late(const Access& access, const llvm::Instruction& at) const;
  Derivation escaping(const Derivation& from) const;
  void emit_store(Store store);
  void escape(Cell value, Escapes::What what);
  void note_replaced(const Derivation& at, Cell place);
  void finish_publishing(const Store& store);
  bool visible(Cell cell) const;
  bool shared(Cell cell) const;
  void emit(const Access& access);

  struct AccessHash {
    std::size_t operator()(const Access& access) const { return hash_access(access); }
  };
  struct AccessEqual {
    bool operator()(const Access& a, const Access& b) const { return same_access(a, b); }
  };

  Analysis& analysis_;
  const Unit& unit_;
  Cells& cells_;
  const llvm::Function& function_;
  const std::vector<bool>& visible_;
  const Derivations& derivations_;
  const Publication& publication_;
  const LocalMemory& local_;
  Gathered& gathered_;
  std::shared_ptr<Escapes::Set> unit_escapes_;  // of the component; grows
  std::unordered_set<Access, AccessHash, AccessEqual> emitted_;
  std::set<RootId> leaving_;  // find_leaving()
  Summary summary_;
};

}  // namespace heddle::elyze
