#include "elyze/report/document.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <string_view>

#include "schemas/agreements.hpp"
#include "schemas/documents.hpp"

namespace heddle::elyze {
namespace {

using Json = nlohmann::ordered_json;

// The schema lists the words for verdicts and for sessions in the order of our enumerations.
static_assert(schemas::verdict::kAll[static_cast<std::size_t>(Verdict::kAlways)] == schemas::verdict::kAlways);
static_assert(schemas::session_kind::kAll[static_cast<std::size_t>(Session::Kind::kUnknown)] ==
              schemas::session_kind::kUnknown);

std::string_view verdict_name(Verdict verdict) { return schemas::verdict::kAll.at(static_cast<std::size_t>(verdict)); }

class Document {
 public:
  explicit Document(const Findings& findings) : findings_(findings) {}

  Json write(const ProgramName& program) const {
    Json document;
    document["schema"] = schemas::kConstraintsDocument.name;
    document["version"] = schemas::kConstraintsDocument.version;
    document["tool"] = {{"name", schemas::tools::kAnalyser}, {"version", HEDDLE_VERSION}};
    document["program"] = {{"name", program.name}, {"build_id", program.build_id}, {"sources", findings_.sources}};
    document["handlers"] = list(findings_.handlers, handler);
    document["objects"] = list(findings_.objects, object);
    document["accesses"] = list(findings_.accesses, access);
    document["pairs"] = Json::array();
    for (const Findings::Pair& one : findings_.pairs) document["pairs"].push_back(pair(one));
    if (!findings_.late_points.empty()) {
      document["late_points"] = Json::array();
      for (const Findings::LatePoint& one : findings_.late_points) document["late_points"].push_back(late_point(one));
    }
    if (!findings_.scratch.empty()) {
      document["scratch"] = Json::array();
      for (const Findings::Scratch& one : findings_.scratch) document["scratch"].push_back(scratch(one));
    }
    if (!findings_.ties.empty()) {
      document["ties"] = Json::array();
      for (const Findings::Tie& one : findings_.ties) document["ties"].push_back(tie(one));
    }
    document["assumptions"] = Json::array();
    for (const Findings::Assumption& one : findings_.assumptions) document["assumptions"].push_back(assumption(one));
    document["assumed"] = assumed();
    document["summary"] = summary();
    add_names(document);
    return document;
  }

 private:
  // A list whose elements other parts of the document refer to by index.
  template <class Things, class Write>
  static Json list(const Things& things, const Write& write) {
    Json list = Json::array();
    for (std::size_t i = 0; i < things.size(); ++i) list.push_back(write(i, things[i]));
    return list;
  }

  static Json frames(const std::vector<Frame>& path) {
    Json list = Json::array();
    for (const Frame& frame : path)
      list.push_back({{"function", frame.function}, {"file", frame.file}, {"line", frame.line}});
    return list;
  }

  static Json handler(std::size_t index, const Findings::Handler& handler) {
    const auto& kinds = schemas::handler_kind::kAll;
    const bool of_a_kind = std::find(kinds.begin(), kinds.end(), handler.kind) != kinds.end();
    Json session;
    session["kind"] = schemas::session_kind::kAll.at(static_cast<std::size_t>(handler.session));
    session["offset"] = handler.session == Session::Kind::kObject ? handler.session_offset : 0;
    if (!handler.session_type.empty()) session["type"] = handler.session_type;
    for (const SessionLink& link : handler.links) {
      session["links"].push_back({{"field", link.field}, {"type", link.type}});
    }
    Json registrations = Json::array();
    for (const Findings::Registration& one : handler.registrations)
      registrations.push_back({{"api", one.api}, {"path", frames(one.path)}});
    Json json = {{"id", index},
                 {"name", handler.place.function},
                 {"file", handler.place.file},
                 {"line", handler.place.line},
                 {"kind", of_a_kind ? std::string_view(handler.kind) : schemas::handler_kind::kUnknown},
                 {"session", session},
                 {"registrations", registrations}};
    if (handler.on_behalf) json["on_behalf"] = true;
    for (const Findings::Dispatch& next : handler.dispatch)
      json["dispatch"].push_back({{"function", next.function}, {"argument", next.argument}});
    for (const Findings::Pin& pin : handler.pinned) {
      json["pinned"].push_back(thread_place(pin.place));
      if (pin.tie) json["pinned"].back()["tie"] = *pin.tie;
    }
    return json;
  }

  static Json thread_place(const Findings::ThreadPlace& place) {
    return {{"by", place.by}, {"state", place.state}, {"path", frames(place.path)}};
  }

  static Json tie(const Findings::Tie& tie) {
    Json json = thread_place(tie.place);
    if (tie.handler) json["handler"] = *tie.handler;
    return json;
  }

  // The names in the source of all C++ functions that the document mentions by their symbols.
  void add_names(Json& document) const {
    if (findings_.names.empty()) return;
    Json used = Json::object();
    collect_names(document, used);
    if (!used.empty()) document["names"] = std::move(used);
  }

  void collect_names(const Json& part, Json& used) const {
    if (part.is_string()) {
      const auto known = findings_.names.find(part.get<std::string>());
      if (known != findings_.names.end()) used[known->first] = known->second;
    } else if (part.is_structured()) {
      for (const Json& inner : part) collect_names(inner, used);
    }
  }

  static Json object(std::size_t index, const Findings::Object& object) {
    Json json = {{"id", index}, {"name", object.name}, {"kind", object.kind}};
    if (!object.type.empty()) json["type"] = object.type;
    if (!object.place.file.empty()) {
      json["file"] = object.place.file;
      json["line"] = object.place.line;
    }
    if (object.variable) json["variable"] = variable(*object.variable);
    if (object.value) {
      json["value"] = {{"kind", object.value->kind}, {"type", object.value->type}, {"bytes", object.value->bytes}};
    }
    if (object.use) json["use"] = write_usage(*object.use);
    return json;
  }

  static Json variable(const Findings::Variable& variable) {
    Json json = {{"name", variable.name}, {"file", variable.place.file}, {"line", variable.place.line}};
    if (variable.function) json["function"] = *variable.function;
    return json;
  }

  static Json write_usage(const Usage& usage) {
    return {{"complete", usage.complete},   {"reads", usage.reads},
            {"adds", usage.adds},           {"sets", usage.sets},
            {"constants", usage.constants}, {"calls", usage.calls},
            {"atomics", usage.atomics},     {"tested", usage.tested},
            {"first_use", usage.first_use}, {"before_loop", usage.before_loop},
            {"functions", usage.functions}};
  }

  static Json access(std::size_t index, const Findings::Access& access) {
    using schemas::access_root::kGlobal, schemas::access_root::kOther, schemas::access_root::kSession;
    constexpr std::array kAnchors = {kSession, kOther, kGlobal, kOther, kOther};
    Json json = {{"id", index},
                 {"handler", access.handler},
                 {"object", access.object},
                 {"mode", atomic(access.mode) || access.mode == Mode::kLock ? schemas::access_mode::kAtomic
                          : writes(access.mode)                             ? schemas::access_mode::kWrite
                                                                            : schemas::access_mode::kRead},
                 {"root", kAnchors.at(static_cast<std::size_t>(access.anchor))}};
    if (!access.alias.places.empty()) {
      json["alias"] = access.alias.places;
      json["alias_root"] = access.alias.argument ? schemas::alias_root::kArgument : schemas::alias_root::kGlobal;
      json["alias_exact"] = access.alias.exact;
    }
    if (!access.taken_in.empty()) json["taken_in"] = access.taken_in;
    if (!access.by.empty()) json["by"] = access.by;
    json["path"] = frames(access.path);
    return json;
  }

  static Json pair(const Findings::Pair& pair) {
    Json list = Json::array();
    for (const Findings::Conflict& conflict : pair.conflicts) {
      list.push_back({{"object", conflict.object},
                      {"verdict", verdict_name(conflict.verdict)},
                      {"a_access", conflict.a_access},
                      {"b_access", conflict.b_access}});
      if (conflict.a_late || conflict.b_late)
        list.back()["late"] = !conflict.b_late  ? schemas::late_side::kA
                              : conflict.a_late ? schemas::late_side::kBoth
                                                : schemas::late_side::kB;
    }
    Json json = {{"a", pair.a}, {"b", pair.b}, {"verdict", verdict_name(pair.verdict)}, {"conflicts", list}};
    if (pair.a_starts < pair.verdict || pair.b_starts < pair.verdict)
      json["starts"] = {{"a", verdict_name(pair.a_starts)}, {"b", verdict_name(pair.b_starts)}};
    if (pair.apart < pair.verdict) json["apart"] = verdict_name(pair.apart);
    if (pair.unlisted != 0) json["unlisted"] = pair.unlisted;
    return json;
  }

  static std::string sixteen_digits(std::uint64_t number) {
    char text[17];
    std::snprintf(text, sizeof text, "%016" PRIx64, number);
    return text;
  }

  static Json scratch(const Findings::Scratch& one) {
    return {{"id", sixteen_digits(one.number)},
            {"name", one.variable.name},
            {"file", one.variable.place.file},
            {"line", one.variable.place.line}};
  }

  static Json late_point(const Findings::LatePoint& point) {
    return {{"id", sixteen_digits(point.number)}, {"function", point.place.function}, {"file", point.place.file},
            {"line", point.place.line},           {"handlers", point.handlers},       {"objects", point.objects}};
  }

  struct AssumptionWords {
    std::string_view kind;
    const char* effect;
    bool handlers;  // the document names the handlers that reach it
  };
  static AssumptionWords words_of(Findings::Assumption::Kind kind) {
    using Kind = Findings::Assumption::Kind;
    namespace kind_word = schemas::assumption_kind;
    switch (kind) {
      case Kind::kInlineAssembly:
        return {kind_word::kInlineAsm, "may touch anything: the handlers that reach it conflict with every handler",
                true};
      case Kind::kUnknownExternal:
        return {kind_word::kUnknownExternal,
                "may touch anything: the handlers that reach it conflict with every handler", true};
      case Kind::kLimit:
        return {kind_word::kLimit,
                "functions that call each other, too many to tell their calls apart: memory that one of them is "
                "passed counts as passed by all its calls",
                false};
      case Kind::kAtAnyTime:
        return {kind_word::kAtAnyTime, "a thread or a signal handler: no constraint keeps it apart from these handlers",
                true};
      case Kind::kIndirectCall:
        return {kind_word::kIndirectCall, "may call any function of its signature whose address is taken", true};
      case Kind::kUnknownHandler:
        break;
    }
    return {kind_word::kUnknownHandler, "which function is registered is not known: it conflicts with every handler",
            false};
  }

  static Json assumption(const Findings::Assumption& assumption) {
    const AssumptionWords words = words_of(assumption.kind);
    Json json = {
        {"kind", words.kind}, {"name", assumption.name}, {"count", assumption.count}, {"effect", words.effect}};
    if (words.handlers) json["handlers"] = assumption.handlers;
    json["file"] = assumption.place.file;
    json["line"] = assumption.place.line;
    return json;
  }

  Json assumed() const {
    namespace word = schemas::assumed;
    Json list = Json::array();
    if (!findings_.assumed.strict) {
      list.push_back(word::kAtomicsUnordered);
      list.push_back(findings_.assumed.streams_unordered ? word::kStreamsUnordered : word::kRecordsUnordered);
    }
    list.push_back(findings_.assumed.files_apart ? word::kFilesApart : word::kFilesByName);
    list.push_back(word::kDefinedByC);
    list.push_back(word::kDescriptorsByOrigin);
    if (findings_.assumed.strict) return list;
    if (findings_.rests_on.peers_apart) list.push_back(word::kPeersApart);
    if (findings_.rests_on.descriptors_suffice) list.push_back(word::kDescriptorsSuffice);
    if (findings_.rests_on.processor_time_unread) list.push_back(word::kProcessorTimeUnread);
    return list;
  }

  Json summary() const {
    std::array<std::size_t, 3> counts{};
    for (const Findings::Pair& pair : findings_.pairs) ++counts[static_cast<std::size_t>(pair.verdict)];
    return {{"functions", findings_.functions},
            {"instructions", findings_.instructions},
            {"graph_nodes", findings_.graph_nodes},
            {"steps", findings_.steps},
            {"pairs_never", counts[0]},
            {"pairs_session", counts[1]},
            {"pairs_always", counts[2]}};
  }

  const Findings& findings_;
};

}  // namespace

nlohmann::ordered_json constraints_document(const Findings& findings, const ProgramName& program) {
  return Document(findings).write(program);
}

}  // namespace heddle::elyze
