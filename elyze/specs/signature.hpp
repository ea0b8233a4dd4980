// The C type of a callback, as the library's header declares it: "void (bufferevent *, short, void *)".
//
// Where the points-to set of a callback holds several functions, the type tells those that the library can call from
// those that unification has merely merged with them. Structures are compared by the names in debug information.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class DISubroutineType;
class Function;
}  // namespace llvm

namespace heddle::elyze {

struct Signature {
  struct Type {
    enum class Kind : std::uint8_t { kVoid, kNumber, kPointer };
    Kind kind = Kind::kVoid;
    unsigned bits = 0;      // of a number; 0: any
    std::string structure;  // that a pointer points to; empty: anything
  };
  Type result;
  std::vector<Type> parameters;

  // Throws InputError where the text is no function type.
  static Signature parse(const std::string& text);
  bool fits(const llvm::Function& function) const;
  bool fits(const llvm::DISubroutineType& declared) const;
};

}  // namespace heddle::elyze
