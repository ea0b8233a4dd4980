// Writes the types of the source as a programmer would, from debug information.
#pragma once

#include <string>

namespace llvm {
class DIType;
}  // namespace llvm

namespace heddle::elyze {

// 'size_t', 'struct client *', 'char[64]'
std::string type_text(const llvm::DIType* type);
// 'integer', 'float', 'pointer', 'structure' or 'array'; not for null.
std::string type_kind(const llvm::DIType* type);

}  // namespace heddle::elyze
