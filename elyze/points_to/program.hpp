// What all phases that build points-to graphs share: the graph, the cells of globals and functions, and call sites with
// their targets.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "elyze/ir/symbols.hpp"
#include "elyze/points_to/addresses.hpp"
#include "elyze/points_to/files.hpp"
#include "elyze/points_to/graph.hpp"
#include "elyze/points_to/numbers_read.hpp"
#include "elyze/specs/specs.hpp"

namespace heddle::elyze {

// What a call site passes in one parameter.
struct Actual {
  const llvm::Value* value = nullptr;   // null: nothing is known of it
  bool inside = false;                  // a pointer to somewhere in what `value` points to
  const std::string* hidden = nullptr;  // instead of a value: the pointer at `offset` of this hidden object
  std::int64_t offset = 0;
  std::vector<std::int64_t> path = {};  // the pointer at the end of this path (Effect::path) from `value`
};

// One way in which a call instruction calls: itself, or a function pointer that the called library function calls.
struct CallSite {
  const llvm::CallBase* call = nullptr;
  const Effect* callback = nullptr;  // the spec's effect that calls back; null for the call itself
  std::vector<Actual> actuals;
  std::vector<const llvm::Function*> bodies;     // possible targets with bitcode
  std::vector<const llvm::Function*> externals;  // possible targets without
  bool assumed = false;                          // targets chosen by signature alone, because flow showed none
  bool outside = false;                          // the target may be a function that unknown code handed out
};

struct CallGraph {
  NumbersRead numbers_read;
  AddressNumbers addresses;
  llvm::DenseMap<const llvm::CallBase*, std::vector<CallSite>> sites;
  std::vector<std::vector<const llvm::Function*>> components;  // callees before callers
  llvm::DenseSet<const llvm::CallBase*> registering;           // of a library, by which some function is registered
  std::vector<const llvm::Function*> given_away;  // functions that are in reach of code without bitcode and spec
  bool is_given_away(const llvm::Function& function) const {
    return std::find(given_away.begin(), given_away.end(), &function) != given_away.end();
  }
  const std::vector<CallSite>& at(const llvm::CallBase& call) const {
    static const std::vector<CallSite> none;
    const auto place = sites.find(&call);
    return place == sites.end() ? none : place->second;
  }
};

struct FunctionCells {
  std::vector<Cell> formals;
  Cell returned;
  Cell variadic;  // an array whose elements are the variable arguments
};

// Memory that the program reaches by addresses which it has written as numbers; all of it is one object.
inline constexpr const char* kFixedAddresses = "memory at fixed addresses";
// What main() is called with: the vectors of pointers, and the texts.
inline constexpr const char* kCommandLine = "command line";
inline constexpr const char* kWords = "words of the command line";
inline constexpr const char* kEnvironment = "environment";

struct PointsTo {
  PointsTo(const llvm::Module& program, const Specs& known);

  Cell global(const llvm::GlobalValue& value);  // shared; made, with its initialiser, on first use
  // The same without making one: invalid if nothing has used it.
  Cell known_global(const llvm::GlobalValue& value) const {
    const auto known = globals_.find(&value);
    return known == globals_.end() ? Cell() : graph.find(known->second);
  }
  Cell hidden(const std::string& name, ObjectKind kind = ObjectKind::kLibc);
  // One object for the contents of all files; which bytes of it are a file's, `files` says.
  Cell contents() const { return graph.find(contents_); }
  // One object for which entries directories have, with the same bytes.
  Cell entries() const { return graph.find(entries_); }
  // One object for the addresses that sockets are bound to.
  Cell socket_addresses() const { return graph.find(addresses_); }
  // One object for what is on the way between sockets, and one for the numbers that descriptors have.
  Cell peers() const { return graph.find(peers_); }
  // One object for the open file that 0, 1 and 2 are in a terminal, and behind `2>&1`.
  Cell standard_file() const { return graph.find(standard_); }
  Cell numbers_of_descriptors() const { return graph.find(numbers_); }
  // One object for descriptors that nothing is known of; each meets every open file.
  Cell any_descriptor() const { return graph.find(any_descriptor_); }
  FunctionCells& cells(const llvm::Function& function);  // made on first use
  // The cells of a function that the builder has seen.
  const FunctionCells& cells(const llvm::Function& function) const;
  // The constant that the call passes, null if it is none. A phase whose result depends on such a number must ask for
  // it here, which notes it in `numbers_read`.
  const llvm::ConstantInt* number(const llvm::CallBase& call, const llvm::Value* value) const;
  // Is some integer of pointer size turned into a pointer? Then arithmetic on any integer may lead to one.
  bool integers_matter() const { return integers_matter_; }
  // May the format, the argument of this number, have a conversion that writes (%n)? A format that is not a constant
  // text has none if no text of the program has.
  bool format_may_write(const llvm::CallBase& call, int format) const;
  // May scanf() with this format make blocks?
  bool format_may_allocate(const llvm::CallBase& call, int format) const;
  // Is it so at this call? Not, where a number that the call names excludes it.
  bool holds(const llvm::CallBase& call, const NumberCondition& condition);
  // Have all files that the program makes one mode (open(2), creat(2), fopen(3): 0666, mkstemp(3): 0600)?
  bool makes_files_alike();
  // May this argument of the call be 0, 1 or 2 (`descriptor`), by numbers of the program's own?
  bool may_be_standard(const llvm::CallBase& call, const llvm::Value* value, int descriptor, int depth = 0);
  // Does the call name a number with which it is so?
  bool surely(const llvm::CallBase& call, const NumberCondition& condition);
  // The same for an effect or a result.
  bool holds(const llvm::CallBase& call, const NumberCondition& condition, const std::string& beside);
  // Does the program name what this hidden object stands for: a variable of a library, the times of access in what
  // stat() tells, or, for handlers of signals, an event for one that calls raise?
  bool names(const std::string& hidden);
  bool names_member_of(const std::string& cxx_class);
  // Does the program name a function, or may it call one without its name?
  bool may_call(const std::string& function) const;
  // May the program change the environment otherwise than by functions: through `environ`, or what main was given?
  bool has_environment() const { return has_environment_; }
  // May the event loop wait for a regular file?
  bool waits_for_files() const { return waits_for_files_; }
  bool may_call_without_name(const std::string& function) const { return calls_without_names_->may_call(function); }
  // May a function of the program be called by its name: from assembly, by dlsym(3), by code without a spec?
  bool found_by_name(const llvm::Function& function) const;
  // Has it inline assembly with an instruction of which nothing is known?
  bool has_unlisted_assembly();
  // Does the program take locks that are lost with any descriptor of their file?
  bool locks_by_process();
  // malloc() and the like, where they are the program's own: libraries without bitcode call them, too.
  const std::vector<const llvm::Function*>& own_allocator() const { return own_allocator_; }
  // Functions of the program whose blocks that library's blocks may be: its own allocator, and those that the program
  // has given to the library, unless what they return is new and nowhere else.
  const std::vector<const llvm::Function*>& allocators(const Spec& spec) const;
  // The program may get at any event: each counts as memory that unknown code has.
  bool events_exposed() const { return events_exposed_; }

  const llvm::Module& module;
  const Specs& specs;
  const AddressNumbers* addresses = nullptr;  // null: none is known
  Graph graph;
  mutable NumbersRead numbers_read;  // a list of what was looked at, by whatever phase
  Files files;

 private:
  void note_names_of_files();
  bool gives_unknown_code_a_text() const;
  bool asks_for_another_method() const;
  void note_names_in_texts();
  bool waits_for_raised_signals();
  bool may_be(const llvm::CallBase& call, const llvm::Value* value, const std::function<bool(std::int64_t)>& holds,
              int depth = 0);
  void initialise(Cell at, const llvm::Constant& value);
  void initialise(Cell at, const llvm::Constant& value, std::int64_t distance);
  std::uint16_t reached_by_name(const llvm::GlobalValue& value) const;
  Cell section(const std::string& name);
  bool closes(int descriptor);
  bool integers_matter_;
  bool events_exposed_;
  std::optional<bool> files_alike_;  // what makes_files_alike() found
  bool data_walked_ = false;         // the program names the bounds of its data, which the linker makes
  bool names_looked_up_ = false;     // at run time
  bool has_environment_ = false;
  bool waits_for_files_ = false;
  bool segments_used_ = false;  // so that variables of the thread are reached without their names
  std::set<std::string, std::less<>> named_elsewhere_;  // by assembly, or by texts for code without a spec
  std::optional<CallsWithoutNames> calls_without_names_;
  std::map<std::string, Cell> sections_;
  bool texts_write_;
  std::vector<const llvm::Function*> own_allocator_;
  std::map<std::string, std::vector<const llvm::Function*>> allocators_;  // by library, with the program's own
  bool program_named_;
  llvm::DenseMap<const llvm::GlobalValue*, Cell> globals_;
  std::map<std::string, Cell> hidden_;
  Cell contents_;
  Cell entries_;
  Cell addresses_;
  Cell peers_;
  Cell standard_;
  Cell numbers_;
  std::map<std::string, bool> named_;  // by hidden object, or class of C++
  std::optional<bool> locks_by_process_;
  std::optional<bool> unlisted_assembly_;
  Cell any_descriptor_;
  llvm::DenseMap<const llvm::Function*, FunctionCells> functions_;
};

}  // namespace heddle::elyze
