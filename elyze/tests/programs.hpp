// The annotated programs of tests/programs, with the specs that each is analysed by.
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "elyze/specs/specs.hpp"

namespace heddle::elyze {

// Shared, for a copy of some thousand specs takes longer than the analysis of a small program.
inline const std::shared_ptr<const Specs>& shared_shipped_specs() {
  static const auto specs = std::make_shared<const Specs>(Specs::read(ELYZE_SPECS));
  return specs;
}

inline const Specs& shipped_specs() { return *shared_shipped_specs(); }

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
inline std::shared_ptr<const Specs> specs_of(std::filesystem::path program) {
  program.replace_extension(".yaml");
  if (!std::filesystem::exists(program)) return shared_shipped_specs();
  return std::make_shared<const Specs>(shipped_specs().with({program.string()}));
}
#endif

}  // namespace heddle::elyze
