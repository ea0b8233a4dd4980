// Writes the findings as the `constraints` document, version 1 (schemas/constraints.schema.json).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "elyze/explain/findings.hpp"

namespace heddle::elyze {

struct ProgramName {
  std::string name;
  std::string build_id;  // "none" for bitcode without a linked program
};

nlohmann::ordered_json constraints_document(const Findings& findings, const ProgramName& program);

}  // namespace heddle::elyze
