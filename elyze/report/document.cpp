#include "elyze/report/document.hpp"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <set>

#include "elyze/ir/names.hpp"

namespace heddle::elyze {
namespace {

using Json = nlohmann::ordered_json;

class Document {
 public:
  Document(const Analysis& analysis, const World& world, const Conflicts& conflicts)
      : analysis_(analysis), world_(world), conflicts_(conflicts) {}

  Json write(const ProgramName& program) {
    Json document;
    document["schema"] = "heddle/constraints";
    document["version"] = 1;
    document["tool"] = {{"name", "elyze"}, {"version", HEDDLE_VERSION}};
    document["program"] = {{"name", program.name}, {"build_id", program.build_id}, {"sources", sources()}};
    document["handlers"] = Json::array();
    for (std::size_t i = 0; i < world_.handlers.size(); ++i) document["handlers"].push_back(handler(i));
    Json pairs = Json::array();
    for (const Pair& pair : conflicts_.pairs) pairs.push_back(write_pair(pair));
    document["objects"] = Json::array();
    for (std::size_t i = 0; i < conflicts_.objects.size(); ++i) document["objects"].push_back(object(i));
    document["accesses"] = std::move(accesses_);
    document["pairs"] = std::move(pairs);
    document["assumptions"] = assumptions();
    document["summary"] = summary();
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
    Json registrations = Json::array();
    std::set<std::string> seen;
    for (const RegistrationSite& site : handler.registrations) {
      const llvm::Function* api = site.registration->call->getCalledFunction();
      Json one = {{"api", api == nullptr ? "?" : api->getName().str()},
                  {"path", frames(path_of(site.registration->witness))}};
      if (seen.insert(one.dump()).second) registrations.push_back(std::move(one));
    }
    return {{"id", index},
            {"name", source_name(*handler.function)},
            {"file", where.file},
            {"line", where.line},
            {"kind", kinds.count(handler.kind) ? handler.kind : "unknown"},
            {"session", session},
            {"registrations", registrations}};
  }

  Json object(std::size_t index) const {
    const NamedObject& object = conflicts_.objects[index];
    Json json = {{"id", index}, {"name", object.name}, {"kind", object.kind}};
    if (!object.type.empty()) json["type"] = object.type;
    if (!object.file.empty()) {
      json["file"] = object.file;
      json["line"] = object.line;
    }
    return json;
  }

  std::size_t access(std::size_t handler, std::size_t index, std::size_t object) {
    const auto [place, fresh] = known_.try_emplace({handler, index, object}, accesses_.size());
    if (!fresh) return place->second;
    const HandlerAccess& access = conflicts_.accesses[handler][index];
    const bool atomic = access.mode == Mode::kAtomicRead || access.mode == Mode::kAtomicWrite;
    const char* const anchors[] = {"session", "global", "other"};
    Json json = {{"id", place->second},
                 {"handler", handler},
                 {"object", object},
                 {"mode", atomic                        ? "atomic"
                          : access.mode == Mode::kWrite ? "write"
                                                        : "read"},
                 {"root", anchors[static_cast<int>(access.anchor)]}};
    if (Json alias = alias_chain(access.root); !alias.empty()) json["alias"] = std::move(alias);
    json["path"] = frames(path_of(analysis_, world_.handlers[handler], access));
    accesses_.push_back(std::move(json));
    return place->second;
  }

  // ['arg', 'arg+16', ...]: the offsets that were followed from the parameter.
  Json alias_chain(RootId id) const {
    Json chain = Json::array();
    for (RootId at = id;; at = analysis_.roots[at].parent) {
      const Root& root = analysis_.roots[at];
      if (root.kind == Root::Kind::kParam) chain.insert(chain.begin(), "argument " + std::to_string(root.index));
      if (root.kind != Root::Kind::kLoad) return chain;
      chain.insert(chain.begin(), "at byte " + std::to_string(root.offset));
    }
  }

  Json write_pair(const Pair& pair) {
    const char* const verdicts[] = {"never", "session", "always"};
    Json list = Json::array();
    for (const Conflict& conflict : pair.conflicts) {
      list.push_back({{"object", conflict.object},
                      {"verdict", verdicts[static_cast<int>(conflict.verdict)]},
                      {"a_access", access(pair.a, conflict.a, conflict.object)},
                      {"b_access", access(pair.b, conflict.b, conflict.object)}});
    }
    return {{"a", pair.a}, {"b", pair.b}, {"verdict", verdicts[static_cast<int>(pair.verdict)]}, {"conflicts", list}};
  }

  Json assumptions() const {
    Json list = Json::array();
    for (const UnknownCode& code : conflicts_.unknown) {
      const SourcePlace where = place_of(*code.first);
      const bool assembly = code.kind == UnknownUse::Kind::kAssembly;
      list.push_back({{"kind", assembly ? "inline_asm" : "unknown_external"},
                      {"name", code.name},
                      {"count", code.count},
                      {"effect", "may touch anything: the handlers that reach it conflict with every handler"},
                      {"handlers", code.handlers},
                      {"file", where.file},
                      {"line", where.line}});
    }
    for (const llvm::Function& function : analysis_.points_to.module) {
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) add_assumed_calls(*call, list);
      }
    }
    for (const llvm::Function* root : world_.roots) {
      for (const Registration& registration : analysis_.summaries.at(root).registrations)
        add_unresolved(registration, list);
    }
    return list;
  }

  void add_assumed_calls(const llvm::CallBase& call, Json& list) const {
    for (const CallSite& site : analysis_.calls.at(call)) {
      if (!site.assumed) continue;
      const SourcePlace where = place_of(call);
      list.push_back({{"kind", "indirect_call"},
                      {"name", source_name(*call.getFunction())},
                      {"count", site.bodies.size() + site.externals.size()},
                      {"effect", "may call any function of its signature whose address is taken"},
                      {"file", where.file},
                      {"line", where.line}});
    }
  }

  void add_unresolved(const Registration& registration, Json& list) const {
    const Graph& graph = analysis_.points_to.graph;
    if (!registration.function.valid()) return;
    for (const Graph::Placed& placed : graph.node(registration.function).objects) {
      if (graph.object(placed.object).kind == ObjectKind::kFunction) return;
    }
    const SourcePlace where = place_of(*registration.call);
    const llvm::Function* api = registration.call->getCalledFunction();
    list.push_back({{"kind", "unknown_handler"},
                    {"name", api == nullptr ? "?" : api->getName().str()},
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
    for (const Pair& pair : conflicts_.pairs) ++counts[static_cast<int>(pair.verdict)];
    return {{"functions", functions},
            {"instructions", instructions},
            {"graph_nodes", analysis_.points_to.graph.node_count()},
            {"pairs_never", counts[0]},
            {"pairs_session", counts[1]},
            {"pairs_always", counts[2]}};
  }

  const Analysis& analysis_;
  const World& world_;
  const Conflicts& conflicts_;
  Json accesses_ = Json::array();
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> known_;
};

}  // namespace

nlohmann::ordered_json constraints_document(const Analysis& analysis, const World& world, const Conflicts& conflicts,
                                            const ProgramName& program) {
  return Document(analysis, world, conflicts).write(program);
}

}  // namespace heddle::elyze
