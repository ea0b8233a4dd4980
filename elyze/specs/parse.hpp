// Parses one entry of a spec file, so that no other part of the analyser knows YAML or the words of an entry.
#pragma once

#include <map>
#include <optional>
#include <set>
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

// Functions of a file, by name or all of them.
struct NameList {
  std::set<std::string> names;
  bool all = false;
  bool contains(const std::string& name) const { return all || names.contains(name); }
};

// Functions of a file, each with what must not hold at a call if it has a condition.
using ConditionedNames = std::map<std::string, std::optional<NumberCondition>>;

// They throw InputError, or one of YAML's exceptions, where the node is no valid entry.
Spec parse_spec(const YAML::Node& node);
ThreadLists parse_thread_lists(const YAML::Node& node);
NameList parse_names(const YAML::Node& node);
ConditionedNames parse_conditioned_names(const YAML::Node& node);

}  // namespace heddle::elyze
