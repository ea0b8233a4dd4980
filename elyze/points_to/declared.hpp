// What the source declares at a place in memory: pointers, numbers, both, or nothing that is known.
//
// A graph without context merges objects that have nothing in common, so an access to a number where the graph has a
// pointer says little. One to a place that is declared to hold a pointer says that the program takes it apart.
// Declarations are those of variables, and of the variable, parameter, member or function that gives the address. A
// parameter that is declared as `void *` or as a pointer to a character also has the declarations of what calls pass.
// Not seen is an address of such a type that was kept in memory in between (as in marks/casts.hpp).
#pragma once

#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace llvm {
class Argument;
class DataLayout;
class DIType;
class Module;
class Type;
class Value;
}  // namespace llvm

namespace heddle::elyze {

struct CallGraph;

enum Content : std::uint8_t { kPointers = 1, kNumbersOnly = 2 };

class Declared {
 public:
  Declared(const llvm::Module& module, const CallGraph& calls);
  // What stands in `size` bytes at the address, as bits of Content; 0 if nothing is known.
  std::uint8_t at(const llvm::Value* address, std::int64_t size);

 private:
  struct Place {
    std::int64_t low;
    std::int64_t bytes;
    std::int64_t stride;  // 0: there; else at any multiple of it from there, within the bounds
    std::int64_t from;
    std::int64_t to;
    Place shifted(std::int64_t by) const;
    bool touches(std::int64_t size) const;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  const llvm::DIType* pointee_of(const llvm::Value* pointer, int depth) const;
  std::uint8_t look(const llvm::Value* address, Place place, int depth);
  std::uint8_t passed(const llvm::Argument& parameter, Place place, int depth);
  std::uint8_t content(llvm::Type* type, Place place) const;
  static std::uint8_t content(const llvm::DIType* type, Place place);

  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Value*, const llvm::DIType*> types_;  // of what the value points to
  llvm::DenseMap<const llvm::Argument*, std::vector<const llvm::Value*>> actuals_;
  std::map<std::pair<const llvm::Argument*, Place>, std::uint8_t> passed_;
};

}  // namespace heddle::elyze
