// `elyze compare`: does what an earlier analysis found hold for a program whose modules were compiled again?
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "elyze/points_to/numbers_read.hpp"

namespace heddle::elyze {

struct Rebuilt {
  std::string before;  // files of bitcode
  std::string now;
};

// {"same": true, "lines": {FILE: [[BEFORE, NOW], ...]}, "names": {BEFORE: NOW}} with the files in which lines moved and
// the static variables that are named after their lines; or {"same": false, "module", "why"}. Throws InputError where a
// file can't be read.
nlohmann::ordered_json compare_modules(const std::vector<Rebuilt>& modules, const NumbersRead& read);

// As a file, for `compare` to read. Throws InputError.
void write_numbers(const NumbersRead& read, const std::string& file);
NumbersRead read_numbers(const std::string& file);

}  // namespace heddle::elyze
