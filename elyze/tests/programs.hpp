// The annotated programs of tests/programs, with the specs that each is analysed by.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "elyze/specs/specs.hpp"

namespace heddle::elyze {

inline const Specs& shipped_specs() {
  static const Specs specs = Specs::read(ELYZE_SPECS);
  return specs;
}

#ifdef ELYZE_PROGRAMS
inline std::vector<std::filesystem::path> annotated_programs() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(ELYZE_PROGRAMS)) {
    if (entry.path().extension() == ".c" || entry.path().extension() == ".cpp") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Those that ship and, where a file of its own lies beside the program, that.
inline Specs specs_of(std::filesystem::path program) {
  program.replace_extension(".yaml");
  return shipped_specs().with(std::filesystem::exists(program) ? std::vector{program.string()}
                                                               : std::vector<std::string>());
}
#endif

}  // namespace heddle::elyze
