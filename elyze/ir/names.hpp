// What the source calls things: functions and their lines, globals, structure types and their fields by byte offset.
// Everything comes from debug records. Where they are missing the answer is coarser, but never another thing's name.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::elyze {

// A function that only calls the library's function whose name stands behind this (load.cpp) has that name.
inline constexpr llvm::StringLiteral kCallerOf = "heddle.calls.";
bool only_calls_a_library(const llvm::Function& function);

struct SourcePlace {
  std::string file;
  unsigned line = 0;
};

// The file's path as the compiler was given it, relative to the folder that the compiler ran in; '?' for null.
std::string relative_file(const llvm::DIFile* file);
std::string source_name(const llvm::Function& function);
SourcePlace place_of(const llvm::Function& function);
SourcePlace place_of(const llvm::DIType& type);  // where it is declared; no file where that is not known
// The instruction's line; without one, the line of the nearest earlier instruction in its function.
SourcePlace place_of(const llvm::Instruction& instruction);

struct GlobalName {
  std::string name;                    // 'counter', or 'next_id.last' for a static local of next_id
  const llvm::DIType* type = nullptr;  // may be null
  SourcePlace place;
};
GlobalName source_name(const llvm::GlobalVariable& global);
// 'local next'; of one that the source gives no name, 'local variable of serve'.
std::string local_name(const llvm::AllocaInst& local);

// Without typedefs, const and volatile.
const llvm::DIType* strip_qualifiers(const llvm::DIType* type);
// What a pointer type points to, stripped; null for anything else.
const llvm::DIType* pointee(const llvm::DIType* type);
// 'client' for struct client, the typedef's name for an anonymous structure behind one, "" for anything else.
std::string structure_name(const llvm::DIType* type);
bool is_structure(const llvm::DIType* type);
std::int64_t byte_size(const llvm::DIType* type);

// The smallest member that contains bytes [offset, offset + size) of `type`, such as "request.path"; empty when the
// range is not inside one member. An array member is one object.
std::string field_path(const llvm::DIType* type, std::int64_t offset, std::int64_t size);

// The same member's type and where it is declared; the type is null when the range is not inside one member.
struct Member {
  const llvm::DIType* type = nullptr;
  SourcePlace place;
};
Member member_at(const llvm::DIType* type, std::int64_t offset, std::int64_t size);

}  // namespace heddle::elyze
