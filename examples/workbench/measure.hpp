// What an edit costs both sides of a workbench, with all that its rules do, for heddle bench objectbase_workbench.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "objectbase/transport/transport.hpp"

namespace workbench {

struct Measured {
  std::filesystem::path store;
  heddle::objectbase::Transport transport = heddle::objectbase::Transport::kMapped;
  std::vector<std::filesystem::path> rules;
  // save: a function's source grows by a line, or shrinks by it. rename: a function gets another name, or its old one,
  // which the rules tell all who use it.
  std::string scenario = "save";
  unsigned count = 1000;
  int cores = 0;  // 2: each side has one of its own; 1: both have the same; 0: as the system likes
};

// Prints, for each edit: microseconds of processor time of Workshop and Editor, messages, their bytes, rules fired.
// The Editor makes of each change what it would send a page, but there is no page. Throws Error.
void measure(const Measured& setting);

}  // namespace workbench
