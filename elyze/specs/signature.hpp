// The C type of a callback, as the library's header declares it: "void (bufferevent *, short, void *)".
//
// Where flow shows several functions for one callback it tells those that the library can call from those that were
// only merged with them. Structures are compared by the names that debug information gives.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

#include <cstdint>
#include <string>
#include <vector>

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

  // Throws InputError where the text is no such type.
  static Signature parse(const std::string& text);
  bool fits(const llvm::Function& function) const;
  bool fits(const llvm::DISubroutineType& declared) const;
};

}  // namespace heddle::elyze
