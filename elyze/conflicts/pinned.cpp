#include "elyze/conflicts/pinned.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "elyze/ir/names.hpp"

namespace heddle::elyze {
namespace {

using Function = llvm::Function;

// The functions that are reached from one, in the order of their distance, with the call that led to each first.
struct Ways {
  std::vector<const Function*> order;
  std::unordered_map<const Function*, const llvm::CallBase*> by;

  std::vector<const llvm::CallBase*> to(const Function* function) const {
    std::vector<const llvm::CallBase*> way;
    for (const llvm::CallBase* call = by.at(function); call != nullptr; call = by.at(call->getFunction()))
      way.push_back(call);
    std::reverse(way.begin(), way.end());
    return way;
  }
};

class Finder {
 public:
  Finder(Analysis& analysis, const World& world, const Footprint& footprint)
      : analysis_(analysis), world_(world), footprint_(footprint), thread_uses_(analysis.points_to, analysis.calls) {}

  Pinned run() {
    look_for_jumps();
    std::vector<Ways> ways;
    for (std::size_t i = 0; i < world_.dispatched; ++i) {
      ways.push_back(from(world_.handlers[i].function));
      add_intruders(ways.back());
    }
    look_for_locks(ways);
    for (std::size_t i = 0; i < world_.dispatched; ++i) add_ties(ways[i], i);
    for (std::size_t i = world_.dispatched; i < world_.handlers.size(); ++i) {
      if (world_.handlers[i].is_main()) continue;  // see add_ties_after_loops()
      const Ways others = from(world_.handlers[i].function);
      if (only_a_thread(world_.handlers[i])) {
        if (that_run_loops().contains(world_.handlers[i].function)) add_ties(others, std::nullopt);
      } else {
        add_ties(others, std::nullopt);
      }
    }
    add_ties_after_loops();
    add_ties_anywhere();
    for (const Ways& handler : ways) found_.handlers.push_back(pins(handler));
    if (meets_signals()) {
      for (std::size_t i = 0; i < world_.dispatched; ++i) add_sleeps(ways[i], found_.handlers[i]);
    }
    add_what_signal_functions_write(ways);
    add_files_of_the_kernel(ways);
    return std::move(found_);
  }

 private:
  struct Use {
    const llvm::Instruction* at;
    InstructionsUse what;
  };

  const std::vector<Use>& uses(const Function& function) {
    const auto [known, fresh] = uses_.try_emplace(&function);
    if (!fresh) return known->second;
    for (const llvm::Instruction& at : llvm::instructions(function))
      for (InstructionsUse& use : thread_uses_.of(at)) known->second.push_back({&at, std::move(use)});
    for (const llvm::Instruction& at : llvm::instructions(function))
      if (analysis_.measures_stack.contains(&at))
        known->second.push_back({&at, {"address of a local variable", ThreadUse::kItself}});
    return known->second;
  }

  Ways from(const Function* root) {
    Ways ways;
    extend(ways, root);
    return ways;
  }

  void extend(Ways& ways, const Function* root) {
    if (!ways.by.emplace(root, nullptr).second) return;
    std::size_t at = ways.order.size();
    ways.order.push_back(root);
    for (; at < ways.order.size(); ++at)
      for (const auto& [call, callee] : analysis_.summaries.at(ways.order[at]).calls)
        if (!starts_thread(*call) && ways.by.emplace(callee, call).second) ways.order.push_back(callee);
  }

  // What a new thread does, it does not do on this one.
  // Functions of the program that the libraries called by the handler may call back.
  void add_intruders(Ways& ways) {
    for (bool more = !world_.intruders.empty(); more;) {
      more = false;
      std::set<std::string> called;
      for (const Function* function : ways.order)
        called.insert(libraries(*function).begin(), libraries(*function).end());
      for (const Intruder& intruder : world_.intruders) {
        if (ways.by.contains(intruder.function) || !intruder.enters(called)) continue;
        extend(ways, intruder.function);
        more = true;
      }
    }
  }

  const std::set<std::string>& libraries(const Function& function) {
    const auto [known, fresh] = libraries_.try_emplace(&function);
    if (!fresh) return known->second;
    for_each_call(function, [&](const llvm::CallBase&, const CallSite& site) {
      for (const Function* external : site.externals)
        if (const Spec* spec = analysis_.points_to.specs.find(*external)) known->second.insert(spec->library);
    });
    return known->second;
  }

  template <class Visit>
  void for_each_call(const Function& function, Visit visit) {
    for (const llvm::Instruction& at : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
      if (call == nullptr || call->isInlineAsm()) continue;
      for (const CallSite& site : analysis_.calls.at(*call)) visit(*call, site);
    }
  }

  // May a handler jump to a place that was noted outside its invocation: in memory that lives on, or by a function in
  // which a loop runs?
  void look_for_jumps() {
    // A jump by itself enters no loop: where it goes to was noted in some function, and that is looked at.
    const std::unordered_set<const Function*> around_loops =
        functions_that_make(analysis_, [](const auto&, const Spec& spec) {
          return spec.resumes && spec.thread_if.kind != ThreadCondition::Kind::kWithin;
        });
    for (const Function& function : analysis_.points_to.module)
      for_each_call(function, [&](const llvm::CallBase& call, const CallSite& site) {
        const bool notes = std::any_of(site.externals.begin(), site.externals.end(), [&](const Function* external) {
          const Spec* spec = analysis_.points_to.specs.find(*external);
          return spec != nullptr && spec->thread_if.kind == ThreadCondition::Kind::kLocal;
        });
        if (notes && (around_loops.contains(&function) || thread_uses_.notes_place_elsewhere(call)))
          thread_uses_.jumps_leave_invocations();
      });
  }

  // May a lock be held where a handler begins? Not by a thread of the program that runs no loop: what it holds it has
  // to give back by itself, whoever waits for it.
  void look_for_locks(const std::vector<Ways>& of_handlers) {
    std::unordered_set<const Function*> seen;
    const auto look = [&](const Ways& ways) {
      for (const Function* function : ways.order) {
        if (!seen.insert(function).second) continue;
        for_each_call(*function, [&](const llvm::CallBase& call, const CallSite&) {
          thread_uses_.note_locks(call, that_run_loops().contains(function));
        });
      }
    };
    for (const Ways& ways : of_handlers) look(ways);
    for (std::size_t i = world_.dispatched; i < world_.handlers.size(); ++i) {
      const Handler& other = world_.handlers[i];
      if (!only_a_thread(other) || that_run_loops().contains(other.function)) look(from(other.function));
    }
    for (const Function* root : world_.roots) {
      if (analysis_.calls.is_given_away(*root)) continue;  // each handler enters it
      const auto thread = [&](const Handler& handler) { return handler.function == root; };
      if (std::none_of(world_.handlers.begin(), world_.handlers.end(), thread)) look(from(root));
    }
  }

  // --- Ties ---

  // State that new threads do not have from the one that starts them.
  void add_ties_anywhere() {
    for (const Function& function : analysis_.points_to.module)
      for_each_call(function, [&](const llvm::CallBase& call, const CallSite& site) {
        for (const Function* external : site.externals) {
          const Spec* spec = analysis_.points_to.specs.find(*external);
          if (spec == nullptr || !spec->ties_anywhere) continue;
          const ThreadUse tied = thread_uses_.tied_by(call, *spec);
          add_tie({&call, {external->getName().str(), ThreadUse::kItself, tied}}, {}, std::nullopt);
        }
      });
  }

  void add_tie(const Use& use, std::vector<const llvm::CallBase*> way, std::optional<std::size_t> handler) {
    if (use.what.ties == ThreadUse::kNothing) return;
    if (!tied_.insert(use.what.name).second) return;
    found_.ties.push_back({{use.what.name, use.what.ties, use.at, std::move(way)}, handler});
  }

  void add_ties(const Ways& ways, std::optional<std::size_t> handler) {
    for (const Function* function : ways.order)
      for (const Use& use : uses(*function))
        if (use.what.ties != ThreadUse::kNothing) add_tie(use, ways.to(function), handler);
  }

  // A thread that runs no loop has its state for itself.
  static bool only_a_thread(const Handler& handler) {
    return !handler.by_unknown_code &&
           std::all_of(handler.registrations.begin(), handler.registrations.end(),
                       [](const RegistrationSite& site) { return starts_thread(*site.registration->call); });
  }

  // The functions from which a loop may be entered, one of their own calls or further down.
  const std::unordered_set<const Function*>& that_run_loops() {
    if (!loops_known_) {
      loops_known_ = true;
      that_run_loops_ = functions_that_make(analysis_, [](const auto&, const Spec& spec) { return spec.resumes; });
    }
    return that_run_loops_;
  }

  // What throws or jumps counts: some loop may be entered again.
  bool enters_loop(const llvm::CallBase& call) const {
    return makes(analysis_, call, [](const auto&, const Spec& spec) { return spec.resumes; });
  }

  bool may_run_loop(const llvm::CallBase& call) {
    if (enters_loop(call)) return true;
    for (const CallSite& site : analysis_.calls.at(call))
      for (const Function* body : site.bodies)
        if (that_run_loops().contains(body)) return true;
    return false;
  }

  // What main and its like may do after a loop was entered.
  void add_ties_after_loops() {
    std::set<const Function*> handlers;
    for (const Handler& handler : world_.handlers)
      if (!handler.is_main()) handlers.insert(handler.function);
    handlers.insert(analysis_.calls.given_away.begin(), analysis_.calls.given_away.end());
    for (const Function* root : world_.roots) {
      if (handlers.contains(root)) continue;
      const Ways ways = from(root);
      Ways after;
      for (const Function* function : ways.order) {
        if (!that_run_loops().contains(function)) continue;
        for (const llvm::Instruction* at : behind_loops(*function)) {
          for (const InstructionsUse& use : thread_uses_.of(*at)) add_tie({at, use}, ways.to(function), std::nullopt);
          const auto* call = llvm::dyn_cast<llvm::CallBase>(at);
          if (call == nullptr || call->isInlineAsm()) continue;
          for (const CallSite& site : analysis_.calls.at(*call))
            for (const Function* body : site.bodies) extend(after, body);
        }
      }
      add_ties(after, std::nullopt);
    }
  }

  // The instructions of the function that may follow a call which runs a loop.
  std::vector<const llvm::Instruction*> behind_loops(const Function& function) {
    std::vector<const llvm::Instruction*> found;
    std::set<const llvm::BasicBlock*> whole;
    std::vector<const llvm::BasicBlock*> work;
    const auto follow = [&](const llvm::BasicBlock& block) {
      for (const llvm::BasicBlock* next : llvm::successors(&block))
        if (whole.insert(next).second) work.push_back(next);
    };
    std::vector<const llvm::Instruction*> rest;  // of blocks that are entered before a loop
    for (const llvm::BasicBlock& block : function) {
      bool behind = false;
      for (const llvm::Instruction& at : block) {
        if (behind) rest.push_back(&at);
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&at);
        behind = behind || (call != nullptr && !call->isInlineAsm() && may_run_loop(*call));
      }
      if (behind) follow(block);
    }
    while (!work.empty()) {
      const llvm::BasicBlock* block = work.back();
      work.pop_back();
      follow(*block);
    }
    for (const llvm::Instruction* at : rest)
      if (!whole.contains(at->getParent())) found.push_back(at);
    for (const llvm::BasicBlock* block : whole)
      for (const llvm::Instruction& at : *block) found.push_back(&at);
    return found;
  }

  // --- Pins ---

  // Each function and variable once, at the place that is nearest to the handler. Of what only a tie pins, one place is
  // enough.
  std::vector<Pin> pins(const Ways& ways) {
    std::vector<Pin> found;
    std::set<std::string> named;
    std::optional<Pin> by_tie;
    for (const Function* function : ways.order) {
      for (const Use& use : uses(*function)) {
        const ThreadPlace place{use.what.name, use.what.use, use.at, {}};
        if (use.what.use == ThreadUse::kItself) {
          if (named.insert(use.what.name).second) found.push_back({place, std::nullopt});
        } else if (!by_tie) {
          if (const auto tie = tie_of(use.what.use)) by_tie = Pin{place, tie};
        }
      }
    }
    if (found.empty() && by_tie) found.push_back(std::move(*by_tie));
    for (Pin& pin : found) pin.place.way = ways.to(pin.place.at->getFunction());
    return found;
  }

  // --- Signals ---

  static bool of_signal(const Handler& handler) { return handler.at_any_time && !only_a_thread(handler); }

  // Has the program a function or an event for a signal?
  bool meets_signals() const {
    constexpr std::int64_t kSignal = 0x08;  // libevent's flag EV_SIGNAL
    return std::any_of(world_.handlers.begin(), world_.handlers.end(), [](const Handler& handler) {
      return of_signal(handler) || handler.kind == "signal" ||
             std::any_of(handler.registrations.begin(), handler.registrations.end(), [](const RegistrationSite& site) {
               const Registration& made = *site.registration;
               return made.callback->flags >= 0 && (!made.flags || (*made.flags & kSignal) != 0);
             });
    });
  }

  // Calls that a signal ends.
  void add_sleeps(const Ways& ways, std::vector<Pin>& found) {
    std::set<std::string> named;
    for (const Function* function : ways.order)
      for_each_call(*function, [&](const llvm::CallBase& call, const CallSite& site) {
        for (const Function* external : site.externals) {
          const Spec* spec = analysis_.points_to.specs.find(*external);
          if (spec == nullptr || !spec->sleeps || !analysis_.points_to.holds(call, *spec->sleeps)) continue;
          const std::string name = external->getName().str();
          if (named.insert(name).second)
            found.push_back({{name, ThreadUse::kItself, &call, ways.to(function)}, std::nullopt});
        }
      });
  }

  // Handlers that touch memory which a signal function writes.
  void add_what_signal_functions_write(const std::vector<Ways>& ways) {
    const std::vector<Touch>& touches = footprint_.touches();
    std::map<NodeId, std::vector<TouchId>> of_handlers;
    for (TouchId id = 0; id < touches.size(); ++id)
      if (in_memory(touches[id])) of_handlers[place_of(touches[id])].push_back(id);
    for (std::size_t signal = world_.dispatched; signal < world_.handlers.size(); ++signal) {
      if (!of_signal(world_.handlers[signal])) continue;
      std::set<std::size_t> pinned;
      for (const Touch& written : touches) {
        if (!written.handlers.test(static_cast<unsigned>(signal)) || !writes(written.mode) || !in_memory(written))
          continue;
        for (const TouchId id : of_handlers[place_of(written)]) {
          const bool same = touches[id].node != written.node || touches[id].range.overlaps(written.range);
          for (const unsigned i : touches[id].handlers.set_bits())
            if (same && i < world_.dispatched && pinned.insert(i).second)
              pin_by(source_name(*world_.handlers[signal].function), id, i, ways[i]);
        }
      }
    }
  }

  // /proc/thread-self is another directory in each thread, and some files are for the first thread only. These handlers
  // run alone, so this costs nothing.
  void add_files_of_the_kernel(const std::vector<Ways>& ways) {
    const std::vector<Touch>& touches = footprint_.touches();
    std::set<std::size_t> pinned;
    for (TouchId id = 0; id < touches.size(); ++id) {
      if (!footprint_.of_the_kernel(touches[id])) continue;
      for (const unsigned i : touches[id].handlers.set_bits())
        if (i < world_.dispatched && pinned.insert(i).second) pin_by("a file of the kernel", id, i, ways[i]);
    }
  }

  // Any two pieces of unknown memory may be one.
  NodeId place_of(const Touch& touch) const {
    return analysis_.points_to.graph.node({touch.node, 0}).flags & kUnknownMemory ? kNoNode : touch.node;
  }

  // Not only the system's or a library's.
  bool in_memory(const Touch& touch) const {
    const std::vector<Graph::Placed>& objects = analysis_.points_to.graph.node({touch.node, 0}).objects;
    const auto foreign = [&](const Graph::Placed& placed) {
      const ObjectKind kind = analysis_.points_to.graph.object(placed.object).kind;
      return kind == ObjectKind::kOs || kind == ObjectKind::kLibc;
    };
    return !of_stream(touch.mode) && (objects.empty() || !std::all_of(objects.begin(), objects.end(), foreign));
  }

  void pin_by(const std::string& name, TouchId touch, std::size_t handler, const Ways& ways) {
    const Witness* witness = footprint_.access(touch, handler).witness;
    const Function* root = ways.order.front();
    const llvm::Instruction* at = witness == nullptr ? nullptr : innermost(*witness).at;
    if (at == nullptr || !ways.by.contains(at->getFunction())) at = &root->getEntryBlock().front();
    found_.handlers[handler].push_back({{name, ThreadUse::kItself, at, ways.to(at->getFunction())}, std::nullopt});
  }

  // Who depends on what the kernel keeps for the thread depends on its modes as well. Unknown code may change both.
  std::optional<std::size_t> tie_of(ThreadUse use) const {
    for (std::size_t i = 0; i < found_.ties.size(); ++i) {
      const ThreadUse tied = found_.ties[i].place.use;
      if (tied == ThreadUse::kItself || use == ThreadUse::kSystem || use == tied) return i;
    }
    return std::nullopt;
  }

  Analysis& analysis_;
  const World& world_;
  const Footprint& footprint_;
  ThreadUses thread_uses_;
  Pinned found_;
  std::unordered_map<const Function*, std::vector<Use>> uses_;
  std::unordered_map<const Function*, std::set<std::string>> libraries_;
  std::set<std::string> tied_;  // the names of ties: one place of each is enough
  std::unordered_set<const Function*> that_run_loops_;
  bool loops_known_ = false;
};

}  // namespace

Pinned find_pinned(Analysis& analysis, const World& world, const Footprint& footprint) {
  return Finder(analysis, world, footprint).run();
}

}  // namespace heddle::elyze
