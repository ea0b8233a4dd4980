// The specs as JSON, for whoever holds them against something else: `elyze specs`.
#pragma once

#include <nlohmann/json.hpp>

#include "elyze/specs/specs.hpp"

namespace heddle::elyze {

// {"NAME": {"library": ..., "effects": [...], "returns": [...], "callbacks": [...], ...}}, with the numbers of spec.hpp
// for what is no argument; what an entry does not say is left out.
nlohmann::ordered_json describe(const Specs& specs);

}  // namespace heddle::elyze
