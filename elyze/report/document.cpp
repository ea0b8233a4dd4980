#include "elyze/report/document.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <set>

#include "elyze/ir/names.hpp"
#include "elyze/ir/on_behalf.hpp"
#include "elyze/report/late.hpp"
#include "elyze/report/one_thread.hpp"
#include "elyze/report/origin.hpp"
#include "elyze/report/second_level.hpp"
#include "elyze/report/usage.hpp"

namespace heddle::elyze {
namespace {

using Json = nlohmann::ordered_json;

// 'size_t', 'struct client *', 'char[64]'
std::string type_text(const llvm::DIType* type) {
  if (type == nullptr) return "void";
  if (const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
    if (derived->getTag() == llvm::dwarf::DW_TAG_typedef) return derived->getName().str();
    std::string inner = type_text(derived->getBaseType());
    if (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type) inner += inner.ends_with("*") ? "*" : " *";
    return inner;
  }
  const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type);
  if (composite == nullptr) return llvm::isa<llvm::DISubroutineType>(type) ? "function" : type->getName().str();
  if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
    const std::int64_t stride = byte_size(composite->getBaseType());
    const std::string count = stride > 0 ? std::to_string(byte_size(composite) / stride) : "";
    return type_text(composite->getBaseType()) + "[" + count + "]";
  }
  const bool choice = composite->getTag() == llvm::dwarf::DW_TAG_enumeration_type;
  const std::string name = composite->getName().str();
  return std::string(choice ? "enum" : "struct") + (name.empty() ? "" : " " + name);
}

const char* type_kind(const llvm::DIType* type) {
  const llvm::DIType* bare = strip_qualifiers(type);
  if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(bare)) {
    return basic->getEncoding() == llvm::dwarf::DW_ATE_float ? "float" : "integer";
  }
  if (llvm::isa<llvm::DIDerivedType>(bare)) return "pointer";
  if (is_structure(bare)) return "structure";
  const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(bare);
  return composite != nullptr && composite->getTag() == llvm::dwarf::DW_TAG_array_type ? "array" : "integer";
}

class Document {
 public:
  Document(const Analysis& analysis, const World& world, const Conflicts& conflicts)
      : analysis_(analysis),
        world_(world),
        conflicts_(conflicts),
        origins_(analysis, world),
        usages_(analysis, world),
        second_levels_(analysis),
        paths_(analysis, world),
        late_(analysis, world) {}

  Json write(const ProgramName& program) {
    Json document;
    document["schema"] = "heddle/constraints";
    document["version"] = 1;
    document["tool"] = {{"name", "elyze"}, {"version", HEDDLE_VERSION}};
    document["program"] = {{"name", program.name}, {"build_id", program.build_id}, {"sources", sources()}};
    document["handlers"] = Json::array();
    for (std::size_t i = 0; i < world_.dispatched; ++i) document["handlers"].push_back(handler(i));
    Json pairs = Json::array();
    for (const Pair& pair : conflicts_.pairs) {
      if (pair.b < world_.dispatched) pairs.push_back(write_pair(pair));
    }
    document["objects"] = Json::array();
    for (std::size_t i = 0; i < conflicts_.objects.size(); ++i) document["objects"].push_back(object(i));
    document["accesses"] = std::move(accesses_);
    document["pairs"] = std::move(pairs);
    if (!late_.empty()) document["late_points"] = late_.list();
    document["assumptions"] = assumptions();
    document["summary"] = summary();
    add_names(document);
    return document;
  }

 private:
  static Json frames(const std::vector<Frame>& path) {
    Json list = Json::array();
    for (const Frame& frame : path)
      list.push_back({{"function", frame.function}, {"file", frame.file}, {"line", frame.line}});
    return list;
  }

  Json sources() const {
    std::set<std::string> files;
    for (const llvm::Function& function : analysis_.points_to.module) {
      if (function.getSubprogram() != nullptr) files.insert(place_of(function).file);
    }
    return files;
  }

  Json handler(std::size_t index) const {
    const Handler& handler = world_.handlers[index];
    const SourcePlace where = place_of(*handler.function);
    static const std::set<std::string> kinds = {"event",    "timer", "signal", "once", "bufferevent",
                                                "listener", "http",  "dns",    "log"};
    Json session;
    const char* const names[] = {"object", "null", "unknown"};
    session["kind"] = names[static_cast<int>(handler.session.kind)];
    session["offset"] = handler.session.kind == Session::Kind::kObject ? handler.session.offset : 0;
    if (!handler.session.type.empty()) session["type"] = handler.session.type;
    for (const SessionLink& link : origins_.links(handler)) {
      session["links"].push_back({{"field", link.field}, {"type", link.type}});
    }
    Json registrations = Json::array();
    std::set<std::string> seen;
    for (const RegistrationSite& site : handler.registrations) {
      Json one = {{"api", registered_by(*site.registration)}, {"path", frames(path_of(site.registration->witness))}};
      if (seen.insert(one.dump()).second) registrations.push_back(std::move(one));
    }
    Json json = {{"id", index},
                 {"name", source_name(*handler.function)},
                 {"file", where.file},
                 {"line", where.line},
                 {"kind", kinds.count(handler.kind) ? handler.kind : "unknown"},
                 {"session", session},
                 {"registrations", registrations}};
    if (has_work_on_behalf(*handler.function)) json["on_behalf"] = true;
    for (const SecondLevel& next : second_levels_.of(handler))
      json["dispatch"].push_back({{"function", source_name(*next.function)}, {"argument", next.argument}});
    return json;
  }

  // What C++ functions are called in the source, for every one that the document names.
  void add_names(Json& document) const {
    std::map<std::string, std::string> names;
    for (const llvm::Function& function : analysis_.points_to.module) {
      const std::string linkage = source_name(function);
      if (!linkage.starts_with("_Z")) continue;
      const std::string plain = llvm::demangle(linkage);
      if (plain != linkage) names[linkage] = plain;
    }
    if (names.empty()) return;
    Json used = Json::object();
    collect_names(document, names, used);
    if (!used.empty()) document["names"] = std::move(used);
  }

  static void collect_names(const Json& part, const std::map<std::string, std::string>& names, Json& used) {
    if (part.is_string()) {
      const auto known = names.find(part.get<std::string>());
      if (known != names.end()) used[known->first] = known->second;
    } else if (part.is_structured()) {
      for (const Json& inner : part) collect_names(inner, names, used);
    }
  }

  // The function of the library, or the program's own event loop.
  static std::string registered_by(const Registration& registration) {
    if (registration.callback->function == kCalledFunction) return source_name(*registration.call->getFunction());
    const llvm::Function* api = registration.call->getCalledFunction();
    return api == nullptr ? "?" : api->getName().str();
  }

  Json object(std::size_t index) {
    const NamedObject& object = conflicts_.objects[index];
    Json json = {{"id", index}, {"name", object.name}, {"kind", object.kind}};
    if (!object.type.empty()) json["type"] = object.type;
    if (!object.file.empty()) {
      json["file"] = object.file;
      json["line"] = object.line;
    }
    if (object.variable != nullptr) json["variable"] = variable(*object.variable);
    if (const llvm::DIType* bare = strip_qualifiers(object.value); bare != nullptr) {
      json["value"] = {
          {"kind", type_kind(bare)}, {"type", type_text(object.value)}, {"bytes", byte_size(object.value)}};
    }
    if (const auto place = touching_.find(index); place != touching_.end()) {
      json["use"] = write_usage(usages_.of(object, place->second));
    }
    return json;
  }

  static Json variable(const llvm::GlobalVariable& variable) {
    const GlobalName global = source_name(variable);
    Json json = {{"name", global.name}, {"file", global.place.file}, {"line", global.place.line}};
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> debug;
    variable.getDebugInfo(debug);
    if (debug.empty()) return json;
    if (const auto* scope = llvm::dyn_cast_or_null<llvm::DILocalScope>(debug.front()->getVariable()->getScope())) {
      json["function"] = scope->getSubprogram()->getName().str();
    }
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

  std::size_t access(std::size_t handler, std::size_t index, std::size_t object) {
    const auto [place, fresh] = known_.try_emplace({handler, index, object}, accesses_.size());
    if (!fresh) return place->second;
    const HandlerAccess& access = conflicts_.accesses[handler][index];
    const bool atomic = access.mode == Mode::kAtomicRead || access.mode == Mode::kAtomicWrite;
    const char* const anchors[] = {"session", "other", "global", "other"};
    Json json = {{"id", place->second},
                 {"handler", handler},
                 {"object", object},
                 {"mode", atomic                        ? "atomic"
                          : access.mode == Mode::kWrite ? "write"
                                                        : "read"},
                 {"root", anchors[static_cast<int>(access.anchor)]}};
    const Handler& owner = world_.handlers[handler];
    if (access.witness != nullptr) {
      if (const Chain alias = origins_.chain(owner, access); !alias.places.empty()) {
        json["alias"] = alias.places;
        json["alias_root"] = alias.argument ? "argument" : "global";
        json["alias_exact"] = alias.exact;
      }
      if (const llvm::Function* taken = Origins::taken_in(owner, access)) json["taken_in"] = source_name(*taken);
      if (const std::string by = library_function(*access.witness); !by.empty()) json["by"] = by;
    } else if (access.node != kNoNode) {
      json["by"] = "event loop";
    }
    json["path"] = frames(paths_.to(handler, access));
    accesses_.push_back(std::move(json));
    return place->second;
  }

  // The function without bitcode whose effect it is; empty where the program itself reads or writes.
  static std::string library_function(const Witness& witness) {
    const Witness* last = &witness;
    while (last->callee != nullptr) last = last->callee;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(last->at);
    const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee == nullptr || !callee->isDeclaration()) return "";
    return llvm::isa<llvm::MemSetInst>(call)        ? "memset"
           : llvm::isa<llvm::MemMoveInst>(call)     ? "memmove"
           : llvm::isa<llvm::MemTransferInst>(call) ? "memcpy"
                                                    : callee->getName().str();
  }

  Json write_pair(const Pair& pair) {
    const char* const verdicts[] = {"never", "session", "always"};
    Json list = Json::array();
    for (const Conflict& conflict : pair.conflicts) {
      if (conflict.verdict == Verdict::kAlways) {
        touching_[conflict.object].push_back(&conflicts_.accesses[pair.a][conflict.a]);
        touching_[conflict.object].push_back(&conflicts_.accesses[pair.b][conflict.b]);
      }
      list.push_back({{"object", conflict.object},
                      {"verdict", verdicts[static_cast<int>(conflict.verdict)]},
                      {"a_access", access(pair.a, conflict.a, conflict.object)},
                      {"b_access", access(pair.b, conflict.b, conflict.object)}});
      if (conflict.a_late) late_.note(pair.a, conflicts_.accesses[pair.a][conflict.a], conflict.object);
      if (conflict.b_late) late_.note(pair.b, conflicts_.accesses[pair.b][conflict.b], conflict.object);
      if (conflict.a_late || conflict.b_late)
        list.back()["late"] = !conflict.b_late ? "a" : conflict.a_late ? "both" : "b";
    }
    Json json = {
        {"a", pair.a}, {"b", pair.b}, {"verdict", verdicts[static_cast<int>(pair.verdict)]}, {"conflicts", list}};
    if (pair.a_starts < pair.verdict || pair.b_starts < pair.verdict) {
      json["starts"] = {{"a", verdicts[static_cast<int>(pair.a_starts)]},
                        {"b", verdicts[static_cast<int>(pair.b_starts)]}};
    }
    if (pair.unlisted != 0) json["unlisted"] = pair.unlisted;
    return json;
  }

  Json assumptions() const {
    Json list = Json::array();
    for (const UnknownCode& code : conflicts_.unknown) {
      const SourcePlace where = place_of(*code.first);
      if (code.kind == UnknownUse::Kind::kChild) continue;  // known, and in every conflict that it makes
      const bool assembly = code.kind == UnknownUse::Kind::kAssembly;
      list.push_back({{"kind", assembly ? "inline_asm" : "unknown_external"},
                      {"name", code.name},
                      {"count", code.count},
                      {"effect", "may touch anything: the handlers that reach it conflict with every handler"},
                      {"handlers", dispatched(code.handlers)},
                      {"file", where.file},
                      {"line", where.line}});
    }
    for (const auto& pool : analysis_.pools) {
      const SourcePlace where = place_of(*pool.front());
      list.push_back({{"kind", "limit"},
                      {"name", source_name(*pool.front())},
                      {"count", pool.size()},
                      {"effect",
                       "functions that call each other, too many to tell their calls apart: memory that one "
                       "of them is passed counts as passed by all its calls"},
                      {"file", where.file},
                      {"line", where.line}});
    }
    for (const OneThread& place : one_thread(analysis_, world_, usages_)) {
      const SourcePlace where = place_of(*place.at);
      list.push_back({{"kind", "one_thread"},
                      {"name", place.name},
                      {"count", place.count},
                      {"effect", "depends on the thread that calls it: the program is run on one"},
                      {"handlers", place.handlers},
                      {"file", where.file},
                      {"line", where.line}});
    }
    add_what_runs_at_any_time(list);
    for (const llvm::Function& function : analysis_.points_to.module) {
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) add_assumed_calls(*call, list);
      }
    }
    for (const llvm::Function* root : world_.roots) {
      if (!analysis_.summaries.at(root).pooled) add_unresolved(*root, list);
    }
    for (const auto& pool : analysis_.pools) {
      for (const llvm::Function* member : pool) add_unresolved(*member, list);
    }
    return list;
  }

  void add_what_runs_at_any_time(Json& list) const {
    std::map<std::size_t, std::vector<std::size_t>> met;
    for (const Pair& pair : conflicts_.pairs) {
      if (pair.b >= world_.dispatched && pair.verdict != Verdict::kNever) met[pair.b].push_back(pair.a);
    }
    for (std::size_t i = world_.dispatched; i < world_.handlers.size(); ++i) {
      const SourcePlace where = place_of(*world_.handlers[i].function);
      list.push_back({{"kind", "at_any_time"},
                      {"name", source_name(*world_.handlers[i].function)},
                      {"count", met[i].size()},
                      {"effect", "a thread or a signal handler: no constraint keeps it apart from these handlers"},
                      {"handlers", met[i]},
                      {"file", where.file},
                      {"line", where.line}});
    }
  }

  // Indices beyond the handlers that the loop calls are for this analysis only.
  std::vector<std::size_t> dispatched(std::vector<std::size_t> handlers) const {
    std::erase_if(handlers, [&](std::size_t index) { return index >= world_.dispatched; });
    return handlers;
  }

  void add_assumed_calls(const llvm::CallBase& call, Json& list) const {
    for (const CallSite& site : analysis_.calls.at(call)) {
      if (!site.assumed) continue;
      const SourcePlace where = place_of(call);
      list.push_back({{"kind", "indirect_call"},
                      {"name", source_name(*call.getFunction())},
                      {"count", site.bodies.size() + site.externals.size()},
                      {"effect", "may call any function of its signature whose address is taken"},
                      {"handlers", dispatched(usages_.handlers_of(*call.getFunction()))},
                      {"file", where.file},
                      {"line", where.line}});
    }
  }

  void add_unresolved(const llvm::Function& function, Json& list) const {
    for (const Registration& registration : analysis_.summaries.at(&function).registrations)
      add_unresolved(registration, list);
  }

  void add_unresolved(const Registration& registration, Json& list) const {
    const Graph& graph = analysis_.points_to.graph;
    // Where nothing is stored nothing is called; a function that the source names is known.
    if (!registration.function.valid() || registration.callback->stored ||
        llvm::isa_and_nonnull<llvm::Function>(registration.named)) {
      return;
    }
    for (const Graph::Placed& placed : graph.node(registration.function).objects) {
      if (graph.object(placed.object).kind == ObjectKind::kFunction) return;
    }
    const SourcePlace where = place_of(*registration.call);
    list.push_back({{"kind", "unknown_handler"},
                    {"name", registered_by(registration)},
                    {"count", 1},
                    {"effect", "which function is registered is not known: it conflicts with every handler"},
                    {"file", where.file},
                    {"line", where.line}});
  }

  Json summary() const {
    std::size_t functions = 0;
    std::size_t instructions = 0;
    for (const llvm::Function& function : analysis_.points_to.module) {
      if (function.isDeclaration()) continue;
      ++functions;
      instructions += function.getInstructionCount();
    }
    std::size_t counts[3] = {0, 0, 0};
    for (const Pair& pair : conflicts_.pairs) {
      if (pair.b < world_.dispatched) ++counts[static_cast<int>(pair.verdict)];
    }
    return {{"functions", functions},
            {"instructions", instructions},
            {"graph_nodes", analysis_.points_to.graph.node_count()},
            {"steps", analysis_.steps + conflicts_.steps},
            {"pairs_never", counts[0]},
            {"pairs_session", counts[1]},
            {"pairs_always", counts[2]}};
  }

  const Analysis& analysis_;
  const World& world_;
  const Conflicts& conflicts_;
  Origins origins_;
  Usages usages_;
  SecondLevels second_levels_;
  Paths paths_;
  std::map<std::size_t, std::vector<const HandlerAccess*>> touching_;  // per object that is in an `always` conflict
  LateReport late_;
  Json accesses_ = Json::array();
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> known_;
};

}  // namespace

nlohmann::ordered_json constraints_document(const Analysis& analysis, const World& world, const Conflicts& conflicts,
                                            const ProgramName& program) {
  return Document(analysis, world, conflicts).write(program);
}

}  // namespace heddle::elyze
