// Collects the effects of one function, in terms of the function itself, once the graph of its component is finished.
//
// For each instruction: what it reads and writes, which pointers it stores, which handlers it registers; for each call
// the same of the callee with cells and roots substituted. Finisher then drops what concerns only this function
// (effects/finish.hpp).
#pragma once

#include <llvm/IR/Instructions.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "elyze/effects/derivations.hpp"
#include "elyze/points_to/cells.hpp"

namespace heddle::elyze {

struct Gathered {
  struct Pooled {
    const llvm::Instruction* at;
    PooledCall call;
    std::vector<RootId> given;  // by actual: as in Access
  };
  std::vector<Access> accesses;
  std::vector<Store> stores;
  std::vector<Store> keeps;
  std::vector<ReplacedWord> replaced;
  std::vector<Pooled> pooled_calls;
  std::vector<Registration> registrations;
  std::vector<UnknownUse> unknown;
  std::vector<std::pair<const llvm::CallBase*, const llvm::Function*>> calls;
  std::vector<Access> numbers;  // as in Summary
};

// Adds an access to the open file behind a descriptor that is an integer parameter, unless `numbers` has one like it.
void note_number(std::vector<Access>& numbers, const Access& access, const Roots& roots,
                 const llvm::Function& function);

class Gatherer {
 public:
  Gatherer(Analysis& analysis, Unit& unit, Cells& cells, const llvm::Function& function, const Derivations& derivations)
      : analysis_(analysis), unit_(unit), cells_(cells), function_(function), derivations_(derivations) {}

  Gathered run();

 private:
  void visit(const llvm::Instruction& instruction);
  void note_stack(const llvm::Instruction& at);
  void note_attributes(const llvm::Instruction& at, const llvm::AttributeList& attributes);
  void lose(const llvm::Instruction& at, const llvm::Value* value);
  void spill(const llvm::Instruction& at, const llvm::Value* to);
  void visit_call(const llvm::CallBase& call);
  void visit_external(const llvm::CallBase& call, const llvm::Function& callee);
  void apply(const llvm::CallBase& call, const Spec& spec, const Effect& effect);
  void return_structure(const llvm::CallBase& call);
  void note_replaced(const llvm::CallBase& call, const Effect& effect);
  void store_made(const llvm::CallBase& call, const llvm::Value& to);
  void use_descriptors(const llvm::CallBase& call);
  std::optional<Mode> mode_of_use(const llvm::CallBase& call, const Effect& effect);
  void use_contents(const llvm::CallBase& call, const Effect& effect);
  void use_numbers_of_descriptors(const llvm::CallBase& call, const Spec& spec);
  void give_locks_up(const llvm::CallBase& call, const Effect& closing);
  void use_entry(const llvm::CallBase& call, const llvm::Value* path, Mode mode);
  void use_entries(const llvm::CallBase& call, FileName name, Mode mode);
  void use_file(const llvm::CallBase& call, const Effect& effect, Mode mode);
  struct Opening {
    bool empties;
    Mode entry;
    bool at_end = false;  // a stream that appends is positioned at the end of the file (fopen(3))
  };
  Opening opening_of(const llvm::CallBase& call, const llvm::Value* how);
  void append(const llvm::CallBase& call, const Effect& effect);
  void touch_loaded(const llvm::CallBase& call, const Effect& effect, Access access);
  std::pair<Cell, Derivation> behind(const llvm::Value* from, const std::vector<std::int64_t>& path,
                                     bool number = false);
  void apply_pointer(const llvm::CallBase& call, const Effect& effect);
  void use_summary(const CallSite& site, const llvm::Function& callee);
  void use_replaced(const CallSite& site, const Summary& callee, Graph::CloneMap* map);
  void use_stores(const CallSite& site, const Summary& callee, Graph::CloneMap* map);
  void use_numbers(const CallSite& site, const Summary& callee);
  void use_pooled(const CallSite& site, const llvm::Function& callee);
  void use_pooled_calls(const CallSite& site, const Summary& callee);
  RootId given(const CallSite& site, RootId inner) const;
  void use_access(const CallSite& site, const Access& access, Graph::CloneMap* map);
  void use_registration(const CallSite& site, const Registration& registration, Graph::CloneMap* map);
  void register_handler(const llvm::CallBase& call, const Callback& callback);
  void store_result(const llvm::CallBase& call, const Effect& callback, const llvm::Function& body);
  void visit_assembly(const llvm::CallBase& call);
  void note_alone(const llvm::CallBase& call, const Spec& spec);
  void unknown(const llvm::CallBase& call, const std::string& name, UnknownUse::Kind kind);

  void add(const llvm::Instruction& at, Access access, const Witness* callee = nullptr);
  void copy(const llvm::Instruction& at, const llvm::Value* from, const Derivation& target, int steps,
            const std::vector<std::int64_t>& path = {});
  void copy_number(const llvm::StoreInst& store);
  void touch(const llvm::Instruction& at, const llvm::Value* pointer, std::int64_t size, Extent extent, Mode mode);
  void add_store(const llvm::Instruction& at, Store store, const Witness* callee = nullptr);
  void hold(const llvm::CallBase& call, const Spec& spec, const Effect& effect);
  void hand(const llvm::CallBase& call, const llvm::Value* value, const Derivation& holder);
  void keep(const llvm::Instruction& at, const llvm::Value* value, Cell place, const Derivation& target,
            bool inside = false);

  Analysis& analysis_;
  Unit& unit_;
  Cells& cells_;
  const llvm::Function& function_;
  const Derivations& derivations_;
  Gathered gathered_;
};

}  // namespace heddle::elyze
