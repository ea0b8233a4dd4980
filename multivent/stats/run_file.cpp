#include <fstream>
#include <nlohmann/json.hpp>

#include "multivent/core/user_error.hpp"
#include "multivent/stats/machine.hpp"
#include "multivent/stats/run_report.hpp"

namespace heddle::multivent::stats {
namespace {

using Json = nlohmann::ordered_json;

double seconds_of(double nanoseconds) { return nanoseconds / 1e9; }

Json distribution(const scheduler::Histogram& histogram) {
  Json entry = {{"min", seconds_of(static_cast<double>(histogram.min_ns()))},
                {"mean", seconds_of(histogram.mean_ns())},
                {"max", seconds_of(static_cast<double>(histogram.max_ns()))}};
  if (histogram.count() > 0) {
    entry["p50"] = seconds_of(static_cast<double>(histogram.percentile_ns(0.50)));
    entry["p99"] = seconds_of(static_cast<double>(histogram.percentile_ns(0.99)));
  }
  return entry;
}

Json handler_entries(const RunFacts& facts, const std::vector<const Handler*>& handlers) {
  Json entries = Json::array();
  for (const Handler* handler : handlers) {
    const HandlerFigures* const figures = facts.statistics.figures(handler->index);
    if (figures == nullptr) continue;
    entries.push_back({{"name", handler->name},
                       {"known", handler->known},
                       {"invocations", figures->invocations},
                       {"run", distribution(figures->run)},
                       {"wait", distribution(figures->wait)},
                       {"pending", figures->pending},
                       {"most_pending", figures->most_pending}});
  }
  return entries;
}

// A serial run has no contention: everything waits for the one thread, whatever the constraints say.
Json contention_entries(const RunFacts& facts, const HandlerRegistry& registry,
                        const std::vector<const Handler*>& handlers) {
  Json entries = Json::array();
  if (!facts.why_serial.empty()) return entries;
  for (const Contention& contention : facts.statistics.contention()) {
    const Handler& waiter = *handlers.at(contention.waiter);
    const Handler& holder = *handlers.at(contention.holder);
    const bool session = registry.constraints().verdict(waiter.klass, holder.klass) == scheduler::Verdict::kSession;
    Json entry = {{"waiter", waiter.name},
                  {"holder", holder.name},
                  {"verdict", session ? "session" : "always"},
                  {"objects", Json::array()},
                  {"count", contention.count},
                  {"seconds", seconds_of(static_cast<double>(contention.total_ns))}};
    for (const std::string& object : registry.objects(waiter, holder)) entry["objects"].push_back(object);
    entries.push_back(std::move(entry));
  }
  return entries;
}

Json machine_entry() {
  const Machine machine = describe_machine();
  Json entry = {{"system", machine.system},
                {"release", machine.release},
                {"architecture", machine.architecture},
                {"cores", machine.cores}};
  if (!machine.model.empty()) entry["model"] = machine.model;
  return entry;
}

Json found_by_watching(const RunFacts& facts) {
  const LoopStatistics::Places& places = facts.statistics.places();
  return {{"least", facts.threads}, {"most", facts.most_threads}, {"now", std::max(facts.threads, places.now)},
          {"grown", places.grown},  {"shrunk", places.shrunk},    {"why", why_so_many(facts)}};
}

}  // namespace

std::string run_document(const RunFacts& facts, const HandlerRegistry& registry, const Symbols& program) {
  const std::vector<const Handler*> handlers = registry.handlers();
  const bool serial = !facts.why_serial.empty();
  Json document = {
      {"schema", "heddle/run"},
      {"version", 1},
      {"tool", {{"name", "heddle"}, {"version", HEDDLE_VERSION}}},
      {"program",
       {{"name", program.program_name()}, {"build_id", program.build_id()}, {"arguments", program_arguments()}}},
      {"machine", machine_entry()},
      {"settings",
       {{"threads", facts.places()},
        {"constraints", facts.constraints_path.empty() ? Json(nullptr) : Json(facts.constraints_path)},
        {"oracle", facts.oracle}}},
      {"mode", serial ? "serial" : "parallel"},
      {"seconds", facts.seconds},
      {"cpu_seconds", process_cpu_seconds()},
      {"peak_parallel", facts.statistics.peak_parallel()},
      {"polls", facts.statistics.polls()},
      {"handlers", handler_entries(facts, handlers)},
      {"contention", contention_entries(facts, registry, handlers)}};
  if (serial) document["why"] = facts.why_serial;
  if (!serial && facts.found_by_watching()) document["settings"]["auto"] = found_by_watching(facts);
  // Names and arguments are whatever bytes the program has; JSON must be UTF-8.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_run_file(const std::string& path, const RunFacts& facts, const HandlerRegistry& registry,
                    const Symbols& program) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << run_document(facts, registry, program);
  stream.close();
  if (!stream) throw UserError(path + ": " + errno_text() + ": name a file that can be written with --run-file");
}

}  // namespace heddle::multivent::stats
