// The whole analysis, from files of bitcode to the document.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "elyze/report/document.hpp"

namespace heddle::elyze {

struct Job {
  std::vector<std::string> bitcode;
  std::string specs;
  ProgramName program;
};

struct Timing {
  std::string step;
  double seconds;
};

// Throws InputError. `timings` may be null.
nlohmann::ordered_json analyse_program(const Job& job, std::vector<Timing>* timings);

}  // namespace heddle::elyze
