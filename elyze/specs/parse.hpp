// Parses one entry of a spec file, so that no other part of the analyser knows YAML or the words of an entry.
#pragma once

#include "elyze/specs/spec.hpp"

namespace YAML {
class Node;
}  // namespace YAML

namespace heddle::elyze {

// Throws InputError, or one of YAML's exceptions, where the node is no valid entry.
Spec parse_spec(const YAML::Node& node);

}  // namespace heddle::elyze
