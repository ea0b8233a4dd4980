// Parses one entry of a spec file, so that no other part of the analyser knows YAML or the words of an entry.
#pragma once

#include <map>
#include <string>

#include "elyze/specs/spec.hpp"

namespace YAML {
class Node;
}  // namespace YAML

namespace heddle::elyze {

// What a file says under "on any thread": of functions by name, and of all others in it.
struct ThreadLists {
  struct One {
    ThreadUse use = ThreadUse::kItself;
    ThreadCondition condition = {};
    ThreadUse ties = ThreadUse::kNothing;
    bool ties_anywhere = false;
  };
  std::map<std::string, One> by_name;
  ThreadUse rest = ThreadUse::kItself;
};

// Both throw InputError, or one of YAML's exceptions, where the node is no valid entry.
Spec parse_spec(const YAML::Node& node);
ThreadLists parse_thread_lists(const YAML::Node& node);

}  // namespace heddle::elyze
