// What the points-to phases share: the graph, the cells of globals and functions, and the resolved call sites.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "elyze/points_to/graph.hpp"
#include "elyze/specs/spec.hpp"

namespace heddle::elyze {

struct Actual {
  const llvm::Value* value = nullptr;   // null: nothing is known to be passed
  bool inside = false;                  // a pointer to somewhere in what `value` points to
  const std::string* hidden = nullptr;  // instead of a value: the pointer at `offset` of this hidden object
  std::int64_t offset = 0;
  bool loaded = false;  // the pointer at `offset` of what `value` points to
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

// The numbers given to functions that the analysis has looked at: what event_add is told to watch, how many bytes are
// read. No other number that is passed in a call has a part in any result (elyze/compare rests on it).
class NumbersRead {
 public:
  void note(const llvm::CallBase& call, const llvm::Value& number);
  void add(const NumbersRead& other) { arguments_.insert(other.arguments_.begin(), other.arguments_.end()); }
  void add(const std::string& function, unsigned index) { arguments_.emplace(function, index); }
  bool may_read(const llvm::CallBase& call, unsigned index) const;
  // By the name of the function, without a number that the linker put behind it; empty for calls through pointers.
  const std::set<std::pair<std::string, unsigned>>& arguments() const { return arguments_; }

 private:
  std::set<std::pair<std::string, unsigned>> arguments_;
};

struct CallGraph {
  NumbersRead numbers_read;
  llvm::DenseMap<const llvm::CallBase*, std::vector<CallSite>> sites;
  std::vector<std::vector<const llvm::Function*>> components;  // callees before callers
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

struct PointsTo {
  PointsTo(const llvm::Module& program, const Specs& known);

  Cell global(const llvm::GlobalValue& value);  // shared; made, with its initialiser, on first use
  Cell hidden(const std::string& name, ObjectKind kind = ObjectKind::kLibc);
  FunctionCells& cells(const llvm::Function& function);
  // The value, if it is a number that the call gives: whoever lets a result depend on one asks here.
  const llvm::ConstantInt* number(const llvm::CallBase& call, const llvm::Value* value);
  // Some integer of pointer size becomes a pointer: then arithmetic on any may lead to one.
  bool integers_matter() const { return integers_matter_; }
  // The program may get at any event: each counts as memory that unknown code has.
  bool events_exposed() const { return events_exposed_; }

  const llvm::Module& module;
  const Specs& specs;
  Graph graph;
  NumbersRead numbers_read;

 private:
  void initialise(Cell at, const llvm::Constant& value);
  bool integers_matter_;
  bool events_exposed_;
  llvm::DenseMap<const llvm::GlobalValue*, Cell> globals_;
  std::map<std::string, Cell> hidden_;
  llvm::DenseMap<const llvm::Function*, FunctionCells> functions_;
};

// A text or table of numbers: nobody can write it or find a pointer in it. Each use gets a node of its own, so that a
// function which takes `client->name` or "none" does not make one object of all its arguments.
bool has_no_identity(const llvm::GlobalVariable& variable);

// What the compiler lists to be called before main and at the end: in llvm.global_ctors, llvm.global_dtors.
std::vector<const llvm::Function*> listed_functions(const llvm::Module& module, const char* list);

bool is_array_mark(const llvm::CallBase& call);

// True for types whose values may carry a pointer or a descriptor.
bool carries(const llvm::Type* type);

}  // namespace heddle::elyze
