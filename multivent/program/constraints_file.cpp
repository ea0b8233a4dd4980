#include "multivent/program/constraints_file.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/user_error.hpp"
#include "schemas/documents.hpp"

namespace heddle::multivent {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kRemedy = ": run heddle analyze again";

// Thrown inside this file; parse() adds the path and the remedy.
struct Malformed {
  std::string what;
};

const Json& member(const Json& object, const char* key) {
  if (!object.is_object()) throw Malformed{std::string("an object with '") + key + "' is missing"};
  const auto found = object.find(key);
  if (found == object.end()) throw Malformed{std::string("'") + key + "' is missing"};
  return *found;
}

const Json& array_member(const Json& object, const char* key) {
  const Json& array = member(object, key);
  if (!array.is_array()) throw Malformed{std::string("'") + key + "' is not an array"};
  return array;
}

std::string text_member(const Json& object, const char* key) {
  const Json& text = member(object, key);
  if (!text.is_string()) throw Malformed{std::string("'") + key + "' is not a string"};
  return text.get<std::string>();
}

std::int64_t integer_member(const Json& object, const char* key) {
  const Json& integer = member(object, key);
  if (!integer.is_number_integer()) throw Malformed{std::string("'") + key + "' is not an integer"};
  return integer.get<std::int64_t>();
}

std::size_t index_member(const Json& object, const char* key, std::size_t limit) {
  const std::int64_t index = integer_member(object, key);
  if (index < 0 || static_cast<std::uint64_t>(index) >= limit) {
    throw Malformed{std::string("'") + key + "' is out of range"};
  }
  return static_cast<std::size_t>(index);
}

scheduler::Verdict verdict_named(const std::string& text) {
  if (text == schemas::verdict::kNever) return scheduler::Verdict::kNever;
  if (text == schemas::verdict::kSession) return scheduler::Verdict::kSession;
  if (text == schemas::verdict::kAlways) return scheduler::Verdict::kAlways;
  throw Malformed{"unknown verdict '" + text + "'"};
}

ConstraintsFile::SessionKind session_kind_of(const std::string& text) {
  if (text == schemas::session_kind::kObject) return ConstraintsFile::SessionKind::kObject;
  if (text == schemas::session_kind::kNull) return ConstraintsFile::SessionKind::kNull;
  if (text == schemas::session_kind::kUnknown) return ConstraintsFile::SessionKind::kUnknown;
  throw Malformed{"unknown kind of session '" + text + "'"};
}

std::vector<ConstraintsFile::Library> libraries_of(const Json& program) {
  std::vector<ConstraintsFile::Library> libraries;
  if (!program.contains("libraries")) return libraries;
  for (const Json& entry : array_member(program, "libraries")) {
    libraries.push_back({.name = text_member(entry, "name"), .build_id = text_member(entry, "build_id")});
  }
  return libraries;
}

std::string pinned_by(const Json& handler) {
  if (!handler.contains("pinned")) return "";
  const Json& places = array_member(handler, "pinned");
  std::string by = places.empty() ? "" : text_member(places[0], "by");
  if (by.empty()) throw Malformed{"'pinned' without a reason"};
  return by;
}

std::vector<ConstraintsFile::Handler> handlers_of(const Json& document) {
  std::vector<ConstraintsFile::Handler> handlers;
  for (const Json& entry : array_member(document, "handlers")) {
    if (index_member(entry, "id", SIZE_MAX) != handlers.size()) throw Malformed{"handlers are not in order of 'id'"};
    const Json& session = member(entry, "session");
    handlers.push_back({.name = text_member(entry, "name"),
                        .session_kind = session_kind_of(text_member(session, "kind")),
                        .session_offset = static_cast<std::intptr_t>(integer_member(session, "offset")),
                        .on_behalf = entry.contains("on_behalf") && entry["on_behalf"] == true,
                        .pinned_by = pinned_by(entry),
                        .file = text_member(entry, "file")});
  }
  return handlers;
}

std::vector<std::string> object_names_of(const Json& document) {
  std::vector<std::string> names;
  for (const Json& entry : array_member(document, "objects")) {
    if (index_member(entry, "id", SIZE_MAX) != names.size()) throw Malformed{"objects are not in order of 'id'"};
    names.push_back(text_member(entry, "name"));
  }
  return names;
}

ConstraintsFile::Pair pair_of(const Json& entry, std::size_t handlers, const std::vector<std::string>& objects) {
  ConstraintsFile::Pair pair{.a = index_member(entry, "a", handlers),
                             .b = index_member(entry, "b", handlers),
                             .verdict = verdict_named(text_member(entry, "verdict")),
                             .objects = {},
                             .a_starts = {},
                             .b_starts = {}};
  if (entry.contains("starts")) {
    pair.a_starts = verdict_named(text_member(entry["starts"], "a"));
    pair.b_starts = verdict_named(text_member(entry["starts"], "b"));
    if (std::max(*pair.a_starts, *pair.b_starts) > pair.verdict)
      throw Malformed{"'starts' is stronger than the verdict of its pair"};
  }
  for (const Json& conflict : array_member(entry, "conflicts")) {
    // A pair that is declared harmless and yet lists a conflict contradicts itself.
    const scheduler::Verdict verdict = verdict_named(text_member(conflict, "verdict"));
    if (verdict > pair.verdict) throw Malformed{"the verdict of a pair is weaker than that of its conflict"};
    const std::string late = conflict.contains("late") ? text_member(conflict, "late") : "";
    // What is not late may be a part of the conflict: an object that a handler touches by its session first, and by
    // another way behind a point.
    const auto leaves_out = [&](std::string_view others_side, std::optional<scheduler::Verdict> starts) {
      return (late.empty() || late == others_side) && verdict != scheduler::Verdict::kNever &&
             starts == scheduler::Verdict::kNever;
    };
    if (leaves_out(schemas::late_side::kB, pair.a_starts) || leaves_out(schemas::late_side::kA, pair.b_starts))
      throw Malformed{"'starts' leaves out a conflict that is not late"};
    const std::string& name = objects[index_member(conflict, "object", objects.size())];
    if (std::find(pair.objects.begin(), pair.objects.end(), name) == pair.objects.end()) pair.objects.push_back(name);
  }
  if (entry.contains("apart")) {
    // Threads have their own of what the two share beyond that (program/scratch.hpp).
    const scheduler::Verdict apart = verdict_named(text_member(entry, "apart"));
    if (apart > pair.verdict) throw Malformed{"'apart' is stronger than the verdict of its pair"};
    pair.verdict = apart;
    if (pair.a_starts) pair.a_starts = std::min(*pair.a_starts, apart);
    if (pair.b_starts) pair.b_starts = std::min(*pair.b_starts, apart);
  }
  return pair;
}

std::uint64_t number_of_id(const Json& entry, const char* what) {
  const std::string id = text_member(entry, "id");
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number, 16);
  if (error != std::errc{} || end != id.data() + id.size())
    throw Malformed{"'id' of " + std::string(what) + " is no number"};
  return number;
}

std::vector<ConstraintsFile::Scratch> scratch_of(const Json& document) {
  std::vector<ConstraintsFile::Scratch> found;
  if (!document.contains("scratch")) return found;
  for (const Json& entry : array_member(document, "scratch"))
    found.push_back({number_of_id(entry, "a buffer"), text_member(entry, "name")});
  return found;
}

std::vector<ConstraintsFile::LatePoint> late_points_of(const Json& document) {
  std::vector<ConstraintsFile::LatePoint> points;
  if (!document.contains("late_points")) return points;
  for (const Json& entry : array_member(document, "late_points")) {
    points.push_back({number_of_id(entry, "a late point"),
                      text_member(entry, "file") + ":" + std::to_string(integer_member(entry, "line"))});
  }
  return points;
}

// Of whatever state: only the thread that has it may run the handler.
bool ties_signals(const Json& document) {
  if (!document.contains("ties")) return false;
  const Json& ties = array_member(document, "ties");
  return std::any_of(ties.begin(), ties.end(),
                     [](const Json& tie) { return text_member(tie, "state") != schemas::thread_state::kMode; });
}

ConstraintsFile convert(const Json& document) {
  const schemas::Document& expected = schemas::kConstraintsDocument;
  if (!document.is_object() || !document.contains("schema") || document["schema"] != expected.name) {
    throw Malformed{"not a " + std::string(expected.name) + " document"};
  }
  const std::int64_t version = integer_member(document, "version");
  if (version != expected.version) {
    throw Malformed{"version " + std::to_string(version) + ", but this heddle reads version " +
                    std::to_string(expected.version)};
  }
  ConstraintsFile file;
  const Json& program = member(document, "program");
  file.program_name = text_member(program, "name");
  file.build_id = text_member(program, "build_id");
  file.libraries = libraries_of(program);
  file.handlers = handlers_of(document);
  const std::vector<std::string> objects = object_names_of(document);
  for (const Json& entry : array_member(document, "pairs")) {
    file.pairs.push_back(pair_of(entry, file.handlers.size(), objects));
  }
  file.late_points = late_points_of(document);
  const bool rests_on_late_points = std::any_of(file.pairs.begin(), file.pairs.end(), [](const auto& pair) {
    return pair.a_starts.value_or(pair.verdict) < pair.verdict || pair.b_starts.value_or(pair.verdict) < pair.verdict;
  });
  if (rests_on_late_points && file.late_points.empty()) throw Malformed{"'starts' without 'late_points'"};
  file.scratch = scratch_of(document);
  const auto& pairs = document["pairs"];
  if (file.scratch.empty() &&
      std::any_of(pairs.begin(), pairs.end(), [](const Json& pair) { return pair.contains("apart"); }))
    throw Malformed{"'apart' without 'scratch'"};
  if (document.contains("assumed")) {
    for (const Json& name : array_member(document, "assumed")) {
      if (!name.is_string()) throw Malformed{"a name in 'assumed' is not a text"};
      file.assumed.push_back(name.get<std::string>());
    }
  }
  file.signals_are_tied = ties_signals(document);
  return file;
}

}  // namespace

bool ConstraintsFile::Pair::may_overlap() const {
  return std::min({verdict, a_starts.value_or(verdict), b_starts.value_or(verdict)}) != scheduler::Verdict::kAlways;
}

bool ConstraintsFile::verdicts_allow_anything() const {
  return std::any_of(pairs.begin(), pairs.end(), [](const Pair& pair) { return pair.may_overlap(); });
}

bool ConstraintsFile::allow_anything() const {
  return std::any_of(pairs.begin(), pairs.end(), [this](const Pair& pair) {
    return pair.may_overlap() && (handlers[pair.a].pinned_by.empty() || handlers[pair.b].pinned_by.empty());
  });
}

ConstraintsFile ConstraintsFile::read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw base::UserError(path + ": " + base::errno_text() + ": run heddle analyze to make it");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) throw base::UserError(path + ": cannot be read: check the file and its disk");
  return parse(text, path);
}

ConstraintsFile ConstraintsFile::parse(std::string_view text, const std::string& path) {
  const Json document = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) throw base::UserError(path + ": not valid JSON" + std::string(kRemedy));
  try {
    ConstraintsFile file = convert(document);
    file.path = path;
    return file;
  } catch (const Malformed& malformed) {
    throw base::UserError(path + ": " + malformed.what + std::string(kRemedy));
  }
}

}  // namespace heddle::multivent
