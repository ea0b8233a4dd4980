// Annotated programs, compiled with the compiler's plugin as `heddle build` does, and analysed.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "elyze/driver.hpp"
#include "elyze/tests/programs.hpp"

namespace heddle::elyze {

// `asked`: what the plugin is asked for, as `HEDDLE_LATE=1`; empty: the compiler without it. `pooled`: every function
// in a pool.
inline nlohmann::ordered_json analyse_built(const std::filesystem::path& program, const std::string& level,
                                            const std::string& asked, bool pooled) {
  const std::filesystem::path scratch = std::filesystem::temp_directory_path() /
                                        ("elyze-built-" + std::to_string(getpid()) + "-" + program.stem().string());
  const std::string made = scratch.string() + ".bc";
  std::string command = std::string(ELYZE_CLANG) + " -g " + level + " -Xclang -disable-O0-optnone -w -c ";
  command += program.string() + (asked.empty() ? " -emit-llvm" : std::string(" -fpass-plugin=") + ELYZE_PLUGIN);
  command += asked.empty() ? " -o " + made
                           : " -Xclang -fexperimental-assignment-tracking=disabled -o " + scratch.string() + ".o";
  if (!asked.empty()) command = asked + " HEDDLE_BITCODE=" + made + " " + command;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT(concurrency-mt-unsafe)
  Job job{{made}, {program.stem().string(), "none"}};
  if (pooled) job.limits.members = 0;
  nlohmann::ordered_json document = analyse_program(shipped_specs(), job);
  std::filesystem::remove(made);
  std::filesystem::remove(scratch.string() + ".o");
  return document;
}

inline std::size_t handler_named(const nlohmann::ordered_json& document, const std::string& name) {
  const auto& handlers = document["handlers"];
  const auto found =
      std::find_if(handlers.begin(), handlers.end(), [&](const auto& one) { return one["name"] == name; });
  EXPECT_NE(found, handlers.end()) << name;
  return static_cast<std::size_t>(found - handlers.begin());
}

inline const nlohmann::ordered_json& pair_with(const nlohmann::ordered_json& document, std::size_t a, std::size_t b) {
  for (const auto& pair : document["pairs"])
    if (pair["a"] == std::min(a, b) && pair["b"] == std::max(a, b)) return pair;
  throw std::runtime_error("no such pair");
}

inline int strength_of(const std::string& verdict) { return verdict == "always" ? 2 : verdict == "session" ? 1 : 0; }

}  // namespace heddle::elyze
