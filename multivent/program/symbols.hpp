// The functions of the main program, and of libraries that were analysed with it, by name and by address, read from
// their symbol tables.
//
// The constraints name handlers as the ELF symbol table does, and the loop sees only addresses. `.symtab` has static
// functions too, unlike what dladdr() can see; a stripped program has none.
//
// Immutable once libraries were added, so it may be shared between threads then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "multivent/program/scratch.hpp"

namespace heddle::multivent {

class Symbols {
 public:
  struct Function {
    std::uintptr_t address = 0;  // in this process
    std::uint64_t size_bytes = 0;
    std::string name;
    std::string file = {};  // of a static function: its source, without folders; empty if that is not known
  };

  // The program of this process: /proc/self/exe, at the address where it was loaded. UserError if it cannot be read.
  static Symbols of_this_process();

  // Adds the functions of the shared library of this process that has this build id; false if none is loaded.
  bool add_library(std::string_view build_id);

  // The ELF file at `path` as if loaded with `load_bias` added to its addresses. UserError if it is none.
  static Symbols of_file(const std::string& path, std::uintptr_t load_bias);

  // File name without directories.
  const std::string& program_name() const { return program_name_; }

  // GNU build id in lower-case hexadecimal, "none" if the program has none.
  const std::string& build_id() const { return build_id_; }

  bool stripped() const { return stripped_; }

  // All functions of that name: static functions of several files may share one.
  std::vector<std::uintptr_t> addresses_of(std::string_view name) const;

  // Those of them that are static functions of a source of this name.
  std::vector<std::uintptr_t> addresses_of(std::string_view name, std::string_view file) const;

  // The name of the function that starts at `address`, or empty. Of several (aliases, folded code) the first by name.
  std::string_view name_at(std::uintptr_t address) const;

  // The program, or one of its libraries, was built with this late point (heddle build --late).
  bool has_late_point(std::uint64_t number) const { return late_points_.contains(number); }

  // The description of the static object with this number (heddle build --scratch), in this process; null if there is
  // none, or more than one.
  const ScratchBuffer* scratch_buffer(std::uint64_t number) const {
    const auto [first, end] = scratch_.equal_range(number);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): it was loaded there
    return first != end && std::next(first) == end ? reinterpret_cast<const ScratchBuffer*>(first->second) : nullptr;
  }

  // Build ids of the libraries that were added.
  const std::vector<std::string>& libraries() const { return libraries_; }

 private:
  void index();

  std::string program_name_;
  std::string build_id_ = "none";
  bool stripped_ = true;
  std::vector<std::string> libraries_;
  std::unordered_set<std::uint64_t> late_points_;
  std::unordered_multimap<std::uint64_t, std::uintptr_t> scratch_;      // where descriptions are, by number
  std::vector<Function> functions_;                                     // by address, then by name
  std::unordered_multimap<std::string_view, const Function*> by_name_;  // views and pointers into functions_
};

}  // namespace heddle::multivent
