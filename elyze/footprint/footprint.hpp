// Which bytes the handlers touch, as one list of touches for all of them.
//
// In a large program each handler can reach half of all functions, so a list of accesses per handler would hold the
// program's effects as many times as there are handlers. A touch is therefore kept once, with the set of handlers that
// make it. Effects that do not depend on the handler become touches once per function; a handler is only added to the
// sets of the functions that it reaches.
#pragma once

#include <llvm/ADT/BitVector.h>

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "elyze/footprint/anchor.hpp"
#include "elyze/footprint/anchors.hpp"
#include "elyze/footprint/assumed.hpp"
#include "elyze/footprint/records.hpp"
#include "elyze/footprint/repeats.hpp"

namespace heddle::elyze {

struct HandlerAccess {
  NodeId node = kNoNode;  // kNoNode: unknown code
  Range range;
  Mode mode = Mode::kRead;
  Anchor anchor = Anchor::kOther;
  RootId root = kOtherRoot;
  const llvm::Function* owner = nullptr;  // whose summary it is from; the handler reaches this function by calls
  const Witness* witness = nullptr;       // null: the loop itself reads the event
};

using TouchId = std::uint32_t;

struct Touch {
  struct Source {
    const llvm::Function* owner;  // whose summary it is from
    RootId root;
    const Witness* witness;
    std::size_t handler;  // the only handler that makes it so; kAnyHandler: each one that can reach the owner
  };
  NodeId node = kNoNode;
  Range range;
  Mode mode = Mode::kRead;
  Anchor anchor = Anchor::kOther;
  bool behind = false;  // a late point
  llvm::BitVector handlers;
  std::vector<Source> sources;
  std::set<const llvm::Instruction*> places;  // with a mode that is counted(): all instructions that do it
  std::set<NodeId> streams;                   // records: the descriptors of their streams
};
inline constexpr std::size_t kAnyHandler = ~std::size_t{0};

struct UnknownCode {
  std::string name;
  UnknownUse::Kind kind;
  std::size_t count = 0;
  const llvm::Instruction* first = nullptr;
  std::vector<std::size_t> handlers;
};

struct UnknownReach {
  UnknownCode code;
  llvm::BitVector handlers;
  std::vector<std::pair<const llvm::Function*, const Witness*>> uses;  // one per function
};

class Footprint {
 public:
  Footprint(const Analysis& analysis, const World& world, const Assumed& assumed);

  const std::vector<Touch>& touches() const { return touches_; }
  // A file below /proc or /sys.
  bool of_the_kernel(const Touch& touch) const;
  const std::vector<UnknownReach>& unknown() const { return unknown_; }
  std::size_t steps() const { return steps_; }
  // What was left out: the places where verdicts rest on what the user may refuse to assume.
  const RestsOn& rests_on() const { return rests_on_; }
  const Ownership& ownership() const { return ownership_; }
  // How `handler` makes the touch, for the report.
  HandlerAccess access(TouchId touch, std::size_t handler) const;
  // The same for a piece of unknown code. A handler that does not reach that code conflicts with it by whatever it
  // does.
  HandlerAccess unknown_access(std::size_t unknown, std::size_t handler) const;
  // `handler` may hold a lock, or run an event loop, when it gets to its first late point.
  bool may_hold(std::size_t handler) const;

 private:
  // The touches of one open effect of a pool's member, by the anchor that it has for a handler.
  struct Dependent {
    const Access* access;
    std::vector<TouchId> touches[kAnchors];
    bool known[kAnchors] = {};
  };
  // How a function is called: in the child of fork() only, behind a late point only.
  struct Context {
    bool child = false;
    bool behind = false;
  };
  struct Function {
    const llvm::Function* function = nullptr;
    Context context;
    std::vector<std::size_t> callees;
    bool expanded = false;
    std::vector<TouchId> touches;
    std::vector<Dependent> dependent;
    std::vector<std::size_t> unknown;
  };

  void collect(std::size_t handler);
  void collect_main(std::size_t index);
  void add_reached(std::size_t index);
  void note_called_by_the_loop(std::size_t handler);
  void note_variable_arguments(std::size_t handler);
  void note_files_of_the_kernel();
  std::vector<const llvm::Function*> intruders_of(std::size_t handler);
  const std::vector<TouchId>& intruder_touches(const llvm::Function& function);
  std::set<std::string> libraries_of(const llvm::BitVector& functions);
  const std::set<std::string>& libraries_of(const llvm::Function& function);
  void take(std::size_t handler, const Access& access);
  std::vector<TouchId> pooled_touches(const llvm::Function& root, AnchorFlow::Parameters given);
  void fired_event(std::size_t handler, const Registration& registration);
  void expand(Function& function);
  AnchorFlow::Parameters parameters_of(const Handler& handler) const;
  void note_child(std::size_t handler);
  bool goes_on(std::size_t handler) const;
  void note_next_callback(std::size_t handler);
  std::size_t index_of(const llvm::Function& function, Context context) const;
  bool reaches(std::size_t handler, const llvm::Function& function) const;
  void place_contents(Access access, Anchor anchor, const Touch::Source& source, std::vector<TouchId>& found);
  bool one_stream(NodeId descriptor, Anchor anchor);
  bool kept_in_one_variable(NodeId descriptor) const;
  void meet_other_ends();
  bool of_all_files(NodeId node) const;
  bool has_a_peer(NodeId node);
  std::size_t ends_of(const llvm::Value* call);
  void meet_any_descriptor();
  void tell_streams_apart();
  void tell_pieces_apart();
  bool in_pieces(const Touch& touch, Repeats::Places& pieces);
  bool two_streams(const Touch& touch);
  void use_standard_file(NodeId descriptor, Mode mode, const Access& access, const Touch::Source& source,
                         std::vector<TouchId>& found);
  bool maps_a_file(NodeId node);
  bool holds_a_standard_descriptor(NodeId node);
  void tell_apart();
  void tell_atomics_apart(TouchId id, Repeats::Places places, bool one_width);
  const llvm::BitVector& passing(const Repeats::Places& places, unsigned times);
  void split(TouchId id, llvm::BitVector handlers, Mode mode);
  std::optional<Mode> mode_in_child(NodeId node, const Access& access) const;
  std::vector<TouchId> place(const Access& access, Anchor anchor, const Touch::Source& source, Context context);
  bool leads_to_another(const std::vector<Cell>& reached, bool one_step, const std::set<NodeId>& own);
  void place_reachable(const Access& access, Anchor anchor, const Touch::Source& source, std::vector<TouchId>& found);
  void record_access(NodeId node, Range range, const Access& access, Anchor anchor, const Touch::Source& source,
                     std::vector<TouchId>& found);
  void record(NodeId node, Range range, Mode mode, Anchor anchor, bool behind, const Touch::Source& source,
              std::vector<TouchId>& found);
  void note_unknown(Function& function, const UnknownUse& use);
  const std::vector<Cell>& reached_from(Cell cell, bool one_step);
  llvm::BitVector reached_functions(std::size_t from) const;

  const Assumed assumed_;
  const Analysis& analysis_;
  const Graph& graph_;
  const World& world_;
  Ownership ownership_;
  Anchors anchors_;
  Records records_;
  std::unordered_map<const llvm::Function*, std::size_t> index_;
  // Each function once as it is and once as it runs in the child of fork(); in a program with late points both again,
  // as they run behind those.
  std::vector<Function> functions_;
  std::vector<llvm::BitVector> reached_;  // per handler
  std::vector<Touch> touches_;
  std::map<std::tuple<NodeId, std::int64_t, std::int64_t, Mode, Anchor, bool>, TouchId> known_;
  std::map<std::tuple<NodeId, std::int64_t, ProvenanceId, bool>, std::vector<Cell>> reached_cells_;
  std::unordered_map<NodeId, bool> maps_a_file_;
  std::unordered_map<NodeId, bool> holds_a_standard_descriptor_;
  std::map<NodeId, bool> has_a_peer_;
  std::map<const llvm::Value*, std::size_t> ends_;
  RestsOn rests_on_;
  std::map<std::pair<NodeId, bool>, bool> one_stream_;
  NodeId source_stream_ = kNoNode;  // of the record that is being noted
  std::map<std::pair<Repeats::Places, unsigned>, llvm::BitVector> passing_;
  std::vector<UnknownReach> unknown_;
  std::size_t steps_ = 0;
  std::map<std::pair<std::string, UnknownUse::Kind>, std::size_t> unknown_known_;
  std::set<const llvm::Instruction*> uses_counted_;
  std::map<const llvm::Function*, std::set<std::string>> libraries_;
  std::vector<std::vector<const llvm::Function*>> intruders_;  // per handler
  std::map<const llvm::Function*, llvm::BitVector> reached_by_intruder_;
  std::map<const llvm::Function*, std::vector<TouchId>> intruder_touches_;
  Witnesses witnesses_;  // of uses of unknown code
};

}  // namespace heddle::elyze
