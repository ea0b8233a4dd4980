// Runs the whole analysis, from files of bitcode to the document: the one place that knows the order of its steps.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "elyze/effects/limits.hpp"
#include "elyze/footprint/assumed.hpp"
#include "elyze/points_to/numbers_read.hpp"
#include "elyze/report/document.hpp"

namespace heddle::elyze {

struct Job {
  std::vector<std::string> bitcode;
  std::string specs;                   // folder
  std::vector<std::string> own_specs;  // files that count before it
  ProgramName program;
  Limits limits = {};
  Assumed assumed = {};
};

struct Timing {
  std::string step;
  double seconds;
};

// Throws InputError. `progress`, which may be null, hears of each step as soon as it is done. `read`, which may be
// null, gets the numbers that the result rests on.
nlohmann::ordered_json analyse_program(const Job& job, const std::function<void(const Timing&)>& progress,
                                       NumbersRead* read = nullptr);

}  // namespace heddle::elyze
