// Source to bitcode in this process. Tests compile some thousands of small programs, and to start clang takes longer
// than to compile one.
#pragma once

#include <string>
#include <vector>

namespace heddle::elyze {

// Compiles one source as `clang-19 -g -O0 -w -emit-llvm -c OPTIONS... source -o bitcode` does, with what elyze's users
// add so that -O0 leaves functions open to later passes. Writes `bitcode` and returns "", or returns the errors.
std::string compile_to_bitcode(const std::string& source, const std::string& bitcode,
                               const std::vector<std::string>& options = {});

}  // namespace heddle::elyze
