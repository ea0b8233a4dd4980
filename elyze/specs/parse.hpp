// Parses one entry of a spec file, so that no other part of the analyser knows YAML or the words of an entry.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "elyze/specs/spec.hpp"

namespace heddle::elyze {

class YamlNode;

// What a file says under "on any thread": of functions by name, and of all others in it.
struct ThreadLists {
  struct One {
    ThreadUse use = ThreadUse::kItself;
    ThreadCondition condition = {};
    ThreadUse ties = ThreadUse::kNothing;
    bool ties_anywhere = false;
  };
  std::unordered_map<std::string, One> by_name;
  ThreadUse rest = ThreadUse::kItself;
};

// Functions of a file, by name or all of them.
struct NameList {
  std::unordered_set<std::string> names;
  bool all = false;
  bool contains(const std::string& name) const { return all || names.contains(name); }
};

// Functions of a file, each with what must not hold at a call if it has a condition.
using ConditionedNames = std::unordered_map<std::string, std::optional<NumberCondition>>;

// Keeps the effects that specs share: entries say the same again and again.
class KeptEffects {
 public:
  // The effect that this text was read as; null if it was not read yet.
  const Effect* find(const std::string& text) const {
    const auto known = by_text_.find(text);
    return known != by_text_.end() ? known->second : nullptr;
  }
  const Effect* keep(Effect effect) { return &kept_.emplace_back(std::move(effect)); }
  const Effect* keep(Effect effect, const std::string& text) { return by_text_[text] = keep(std::move(effect)); }

 private:
  std::deque<Effect> kept_;
  std::unordered_map<std::string, const Effect*> by_text_;
};

// They throw InputError where the node is no valid entry.
// An effect as it stands in an entry.
void add_effect(Spec& spec, const std::string& text, KeptEffects& kept);
Spec parse_spec(const YamlNode& node, KeptEffects& kept);
ThreadLists parse_thread_lists(const YamlNode& node);
NameList parse_names(const YamlNode& node);
ConditionedNames parse_conditioned_names(const YamlNode& node);

}  // namespace heddle::elyze
