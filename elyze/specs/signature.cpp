#include "elyze/specs/signature.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

#include <map>
#include <sstream>

#include "elyze/ir/error.hpp"
#include "elyze/ir/names.hpp"

namespace heddle::elyze {
namespace {

using Type = Signature::Type;

// `short`, `struct event *`, `const char *`.
Type parse_type(const std::string& text) {
  static const std::map<std::string, unsigned> numbers = {{"number", 0}, {"char", 8},      {"short", 16}, {"int", 32},
                                                          {"long", 64},  {"unsigned", 32}, {"bool", 1},   {"enum", 32}};
  std::string spaced;
  for (const char c : text) spaced += c == '*' ? std::string(" * ") : std::string(1, c);
  std::istringstream words(spaced);
  std::string name;
  int stars = 0;
  for (std::string word; words >> word;) {
    if (word == "*") {
      ++stars;
    } else if (word != "const" && word != "struct") {
      if (stars > 0 || !name.empty()) throw InputError("no type of a callback: '" + text + "'");
      name = word;
    }
  }
  if (name.empty()) throw InputError("no type of a callback: '" + text + "'");
  const auto number = numbers.find(name);
  if (stars > 0) {
    const bool structure = stars == 1 && name != "void" && number == numbers.end();
    return {Type::Kind::kPointer, 0, structure ? name : ""};
  }
  if (name == "void") return {};
  if (number == numbers.end()) {
    throw InputError("unknown type '" + name +
                     "' (void, number, bool, char, short, int, unsigned, enum, long, or a pointer)");
  }
  return {Type::Kind::kNumber, number->second, ""};
}

bool same_kind(const llvm::Type& actual, const Type& expected) {
  switch (expected.kind) {
    case Type::Kind::kVoid:
      return actual.isVoidTy();
    case Type::Kind::kNumber:
      return actual.isIntegerTy() && (expected.bits == 0 || actual.getIntegerBitWidth() == expected.bits);
    case Type::Kind::kPointer:
      return actual.isPointerTy();
  }
  return false;
}

bool same_structure(const llvm::DIType* actual, const Type& expected) {
  // `void *`, and a pointer whose target has no name, fits any structure.
  const std::string name = expected.structure.empty() ? "" : structure_name(pointee(actual));
  return name.empty() || name == expected.structure;
}

bool same_kind(const llvm::DIType* actual, const Type& expected) {
  const llvm::DIType* bare = strip_qualifiers(actual);
  switch (expected.kind) {
    case Type::Kind::kVoid:
      return bare == nullptr;
    case Type::Kind::kNumber:
      return bare != nullptr && pointee(bare) == nullptr && !is_structure(bare) &&
             (expected.bits == 0 || byte_size(bare) == (expected.bits + 7) / 8);
    case Type::Kind::kPointer:
      return bare != nullptr && byte_size(bare) == sizeof(void*) && llvm::isa<llvm::DIDerivedType>(bare) &&
             same_structure(actual, expected);
  }
  return false;
}

// The parameter's type in the source; null where there is no debug information. Element 0 is the result.
const llvm::DIType* declared(const llvm::Function& function, std::size_t parameter) {
  const llvm::DISubprogram* program = function.getSubprogram();
  if (program == nullptr || program->getType() == nullptr) return nullptr;
  const llvm::DITypeRefArray types = program->getType()->getTypeArray();
  return types.size() == function.arg_size() + 1 ? types[static_cast<unsigned>(parameter) + 1] : nullptr;
}

// A function that is defined without a prototype gets a small number as an int (C17 6.5.2.2).
bool promoted(const llvm::Function& function, const llvm::Type& actual, const Type& expected) {
  const llvm::DISubprogram* program = function.getSubprogram();
  const bool prototype = program == nullptr || program->isPrototyped();
  return !prototype && expected.kind == Type::Kind::kNumber && expected.bits < 32 && actual.isIntegerTy(32);
}

}  // namespace

Signature Signature::parse(const std::string& text) {
  const auto open = text.find('(');
  if (open == std::string::npos || !text.ends_with(")")) {
    throw InputError("no type of a callback: '" + text + "' (write it as 'void (event *, short, void *)')");
  }
  Signature signature;
  signature.result = parse_type(text.substr(0, open));
  std::istringstream parts(text.substr(open + 1, text.size() - open - 2));
  for (std::string part; std::getline(parts, part, ',');) signature.parameters.push_back(parse_type(part));
  if (signature.parameters.size() == 1 && signature.parameters.front().kind == Type::Kind::kVoid)
    signature.parameters.clear();
  return signature;
}

bool Signature::fits(const llvm::Function& function) const {
  if (function.arg_size() != parameters.size() || !same_kind(*function.getReturnType(), result)) return false;
  for (const llvm::Argument& formal : function.args()) {
    const Type& expected = parameters[formal.getArgNo()];
    if (!same_kind(*formal.getType(), expected) && !promoted(function, *formal.getType(), expected)) return false;
    if (!same_structure(declared(function, formal.getArgNo()), expected)) return false;
  }
  return true;
}

bool Signature::fits(const llvm::DISubroutineType& declared) const {
  const llvm::DITypeRefArray types = declared.getTypeArray();
  if (types.size() != parameters.size() + 1 || !same_kind(types[0], result)) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!same_kind(types[static_cast<unsigned>(i) + 1], parameters[i])) return false;
  }
  return true;
}

}  // namespace heddle::elyze
