#include "elyze/specs/describe.hpp"

#include <array>

namespace heddle::elyze {
namespace {

using Json = nlohmann::ordered_json;

// In the order of Effect::Op.
constexpr std::array<const char*, 29> kEffects = {"read",
                                                  "write",
                                                  "free",
                                                  "reach",
                                                  "reach-read",
                                                  "read-from",
                                                  "write-from",
                                                  "read-variadic",
                                                  "copy",
                                                  "store",
                                                  "store-fresh",
                                                  "keep",
                                                  "same",
                                                  "touch",
                                                  "look",
                                                  "descriptor-read",
                                                  "descriptor-write",
                                                  "contents",
                                                  "file",
                                                  "opened",
                                                  "name",
                                                  "append",
                                                  "flush",
                                                  "waits",
                                                  "binds",
                                                  "call",
                                                  "call-reachable",
                                                  "publish",
                                                  "publish-owner"};
static_assert(kEffects.size() == static_cast<std::size_t>(Effect::Op::kPublishOwner) + 1);
static_assert(static_cast<std::size_t>(Effect::Op::kCopy) == 8 && static_cast<std::size_t>(Effect::Op::kCall) == 25);
constexpr std::array<const char*, 7> kResults = {"nothing", "fresh",  "descriptor", "argument",
                                                 "inside",  "hidden", "loaded"};
constexpr std::array<const char*, 10> kUses = {
    "read", "write", "mapped", "sought", "locked", "locked-by-process", "connects", "permits", "taken", "given up"};
constexpr std::array<const char*, 5> kTexts = {"unknown", "text", "line", "format", "byte"};
constexpr std::array<const char*, 3> kTimes = {"loop", "any time", "inside handlers"};
constexpr std::array<const char*, 4> kTests = {"is", "is not", "has", "surely is"};
constexpr std::array<const char*, 4> kThread = {"free", "mode", "system", "owner"};

template <class Names, class Number>
const char* named(const Names& names, Number number) {
  return names[static_cast<std::size_t>(number)];
}

Json describe(const NumberCondition& condition) {
  Json said = {{"arg", condition.arg}, {"numbers", condition.numbers}};
  if (condition.test != NumberCondition::Test::kIs) said["test"] = named(kTests, condition.test);
  return said;
}

Json describe(const Effect::Actual& actual) {
  Json said = {{"arg", actual.arg}};
  if (actual.inside) said["inside"] = true;
  if (actual.offset != 0) said["offset"] = actual.offset;
  if (!actual.path.empty()) said["path"] = actual.path;
  return said;
}

Json describe(const Effect& effect) {
  Json said = {{"op", named(kEffects, effect.op)}, {"arg", effect.arg}, {"other", effect.other}};
  if (effect.op == Effect::Op::kContents || effect.op == Effect::Op::kFile) said["use"] = named(kUses, effect.use);
  if (effect.op == Effect::Op::kAppend) said["text"] = named(kTexts, effect.text);
  if (effect.bytes != 0) said["bytes"] = effect.bytes;
  if (effect.bytes_arg >= 0) said["bytes_arg"] = effect.bytes_arg;
  if (effect.offset != 0) said["offset"] = effect.offset;
  if (!effect.path.empty()) said["path"] = effect.path;
  if (!effect.value_path.empty()) said["value_path"] = effect.value_path;
  if (!effect.name.empty()) said["name"] = effect.name;
  if (effect.steps != 0) said["steps"] = effect.steps;
  if (effect.result) said["result"] = {effect.result->arg, effect.result->path, effect.result->offset};
  for (const Effect::Actual& actual : effect.actuals) said["actuals"].push_back(describe(actual));
  if (!effect.condition.numbers.empty()) said["when"] = describe(effect.condition);
  if (!effect.beside.empty()) said["beside"] = effect.beside;
  if (effect.own.arg != kNoArgument) said["own"] = describe(effect.own);
  for (const auto& [name, set] : {std::pair("undone", effect.undone),
                                  {"once", effect.one_step},
                                  {"closes", effect.closes},
                                  {"all", effect.all},
                                  {"if_named", effect.if_named},
                                  {"part", effect.part},
                                  {"in_pieces", effect.in_pieces},
                                  {"number", effect.number},
                                  {"inside", effect.inside},
                                  {"sends", effect.sends}})
    if (set) said[name] = true;
  return said;
}

Json describe(const Result& result) {
  Json said = {{"kind", named(kResults, result.kind)}, {"arg", result.arg}};
  if (result.offset != 0) said["offset"] = result.offset;
  if (!result.name.empty()) said["name"] = result.name;
  if (!result.condition.numbers.empty()) said["when"] = describe(result.condition);
  if (!result.beside.empty()) said["beside"] = result.beside;
  if (result.without_paths) said["without_paths"] = describe(*result.without_paths);
  return said;
}

Json describe(const Callback& callback) {
  Json said = {{"function", callback.function}, {"kind", callback.kind}, {"when", named(kTimes, callback.when)}};
  if (callback.stored) said["stored"] = *callback.stored;
  if (callback.kept) said["kept"] = {callback.kept->arg, callback.kept->offset};
  if (!callback.result.empty()) said["result"] = callback.result;
  if (callback.allocates) said["allocates"] = true;
  if (callback.anywhere) said["anywhere"] = true;
  if (!callback.condition.numbers.empty()) said["only_when"] = describe(callback.condition);
  if (!callback.beside.empty()) said["beside"] = callback.beside;
  return said;
}

Json describe(const Spec& spec) {
  Json said = {{"library", spec.library}, {"effects", Json::array()}};
  for (const Effect& effect : spec.effects) said["effects"].push_back(describe(effect));
  for (const Result& result : spec.results) said["returns"].push_back(describe(result));
  for (const Callback& callback : spec.callbacks) said["callbacks"].push_back(describe(callback));
  for (const auto& [name, set] : {std::pair("forks", spec.forks),
                                  {"locks", spec.locks},
                                  {"undone", spec.undone},
                                  {"resumes", spec.resumes},
                                  {"exposes_events", spec.exposes_events},
                                  {"moves_no_pointers", spec.moves_no_pointers}})
    if (set) said[name] = true;
  if (!spec.alone.empty()) said["alone"] = spec.alone;
  if (spec.ends >= 0) said["ends"] = spec.ends;
  if (spec.exchanges >= 0) said["exchanges"] = spec.exchanges;
  if (spec.sleeps) said["sleeps"] = true;
  if (spec.processor_time) said["processor_time"] = true;
  said["thread"] = named(kThread, spec.thread);
  if (spec.ties != ThreadUse::kNothing) said["ties"] = named(kThread, spec.ties);
  if (!spec.variable.empty()) said["variable"] = spec.variable;
  return said;
}

}  // namespace

Json describe(const Specs& specs) {
  Json all = Json::object();
  for (const auto& [name, spec] : specs.all()) all[name] = describe(spec);
  return all;
}

}  // namespace heddle::elyze
