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
#include "elyze/specs/specs.hpp"

namespace heddle::elyze {

struct Job {
  std::vector<std::string> bitcode;
  ProgramName program;
  Limits limits = {};
  Assumed assumed = {};
};

struct Timing {
  std::string step;
  double seconds;
};

// Throws InputError. `progress`, which may be null, hears of each step as soon as it is done. `read`, which may be
// null, gets the numbers that the result rests on. Reading the specs takes longer than the analysis of a small program:
// who analyses several reads them once.
nlohmann::ordered_json analyse_program(const Specs& specs, const Job& job,
                                       const std::function<void(const Timing&)>& progress = nullptr,
                                       NumbersRead* read = nullptr);

}  // namespace heddle::elyze
