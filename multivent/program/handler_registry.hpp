// Which class, name and session a callback has: from the address of a function to what the constraints say of it.
//
// Built once at start-up from the constraints and the program's symbols, then asked for every callback that the loop
// meets. Handlers that cannot be told apart form one group with one class, which has the strongest verdict that any
// member has: static functions of one name in several files, unless the symbol table says which is of which file, and
// functions that the linker folded into one address. A
// function that is in no group is unknown: class 0, alone, named by its symbol or as module+0x1234.
//
// Invariants: a Handler stays where it is and never changes, so references may be kept for good. Handlers of the
// constraints come first, in the document's order, with index equal to their id there.
//
// find() may be called from any thread; all else is for start-up or reads only constant data.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "multivent/program/constraints_file.hpp"
#include "multivent/program/symbols.hpp"
#include "scheduler/admission/constraints.hpp"

namespace heddle::multivent {

struct Handler {
  std::uint32_t index = 0;
  scheduler::ClassId klass = scheduler::kUnknownClass;
  bool known = false;        // named in the constraints
  bool judged = false;       // or it runs under constraints all the same (own_functions.hpp)
  bool on_behalf = false;    // see ConstraintsFile
  bool pinned = true;        // only the thread that entered the loop may run it; so is one that nobody knows
  bool has_session = false;  // false: every invocation is without a session
  std::intptr_t session_offset = 0;
  std::string name;

  // The start of the object that the argument points into; 0 for none.
  std::uintptr_t session_of(const void* argument) const {
    if (!has_session || argument == nullptr) return 0;
    return reinterpret_cast<std::uintptr_t>(argument) - static_cast<std::uintptr_t>(session_offset);
  }
};

class HandlerRegistry {
 public:
  // Knows no handler: all are unknown. `symbols` must outlive the registry.
  explicit HandlerRegistry(const Symbols& symbols);

  // UserError if the constraints are of another build of the program or none of its handlers can be found in it.
  HandlerRegistry(const Symbols& symbols, const ConstraintsFile& file);

  const scheduler::Constraints& constraints() const { return constraints_; }

  // Never fails; an address met for the first time is interned.
  const Handler& find(std::uintptr_t address);

  // All handlers known now. Copied under the lock, because others may be added meanwhile.
  std::vector<const Handler*> handlers() const;

  // Handlers of the constraints that the program has no function for: never called, or inlined under another name.
  const std::vector<std::string>& missing() const { return missing_; }

  // What two handlers conflict on, most important first; empty if one is unknown.
  std::span<const std::string> objects(const Handler& a, const Handler& b) const;

 private:
  using ByAddress = std::unordered_map<std::uintptr_t, const Handler*>;
  static constexpr std::size_t kCacheSlots = 1024;

  void add_known_handlers(const ConstraintsFile& file);
  std::vector<bool> told_apart(const ConstraintsFile& file) const;
  void add_verdicts(const ConstraintsFile& file);
  void check_fits(const ConstraintsFile& file) const;
  void check_late_points(const ConstraintsFile& file) const;
  void set_scratch_apart(const ConstraintsFile& file) const;
  const Handler& find_slowly(std::uintptr_t address);
  std::string name_of(std::uintptr_t address) const;

  const Symbols& symbols_;
  scheduler::Constraints constraints_;
  std::map<std::pair<scheduler::ClassId, scheduler::ClassId>, std::vector<std::string>> objects_;
  std::vector<std::string> missing_;
  std::size_t known_ = 0;

  mutable std::mutex mutex_;  // guards the next two
  std::deque<Handler> handlers_;
  ByAddress by_address_;  // its elements never move

  // A direct-mapped cache in front of by_address_. Written under mutex_; read without it. The release store pairs with
  // the acquire load in find(), so that a reader sees the contents of the element and of the Handler it finds.
  std::array<std::atomic<const ByAddress::value_type*>, kCacheSlots> cache_{};
};

}  // namespace heddle::multivent
