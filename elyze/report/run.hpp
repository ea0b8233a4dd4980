// The whole analysis, from files of bitcode to the document.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "elyze/effects/bottom_up.hpp"
#include "elyze/report/document.hpp"

namespace heddle::elyze {

struct Job {
  std::vector<std::string> bitcode;
  std::string specs;                   // folder
  std::vector<std::string> own_specs;  // files that count before it
  ProgramName program;
  Limits limits = {};
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
