#include <fstream>
#include <nlohmann/json.hpp>

#include "base/unsignalled.hpp"
#include "base/user_error.hpp"
#include "schemas/agreements.hpp"
#include "schemas/documents.hpp"
#include "telemetry/machine.hpp"
#include "telemetry/run_report.hpp"

namespace heddle::telemetry {
namespace {

using Json = nlohmann::ordered_json;

double in_seconds(double nanoseconds) { return nanoseconds / 1e9; }

Json distribution(const Histogram& histogram) {
  Json entry = {{"min", in_seconds(static_cast<double>(histogram.min_ns()))},
                {"mean", in_seconds(histogram.mean_ns())},
                {"max", in_seconds(static_cast<double>(histogram.max_ns()))}};
  if (histogram.count() > 0) {
    entry["p50"] = in_seconds(static_cast<double>(histogram.percentile_ns(0.50)));
    entry["p99"] = in_seconds(static_cast<double>(histogram.percentile_ns(0.99)));
  }
  return entry;
}

Json handler_entries(const RunFacts& facts) {
  Json entries = Json::array();
  for (std::uint32_t handler = 0; handler < facts.handlers.size(); ++handler) {
    const HandlerFigures* const figures = facts.statistics.figures(handler);
    if (figures == nullptr) continue;
    entries.push_back({{"name", facts.handlers[handler].name},
                       {"known", facts.handlers[handler].known},
                       {"invocations", figures->invocations},
                       {"run", distribution(figures->run)},
                       {"wait", distribution(figures->wait)},
                       {"pending", figures->pending},
                       {"most_pending", figures->most_pending}});
  }
  return entries;
}

// A serial run has no contention: everything waits for the one thread, whatever the constraints say.
Json contention_entries(const RunFacts& facts) {
  Json entries = Json::array();
  if (!facts.why_serial.empty()) return entries;
  for (const HeldBack& pair : facts.held_back)
    entries.push_back({{"waiter", facts.handlers.at(pair.waiter).name},
                       {"holder", facts.handlers.at(pair.holder).name},
                       {"verdict", pair.within_session ? schemas::verdict::kSession : schemas::verdict::kAlways},
                       {"objects", pair.objects},
                       {"count", pair.count},
                       {"seconds", in_seconds(static_cast<double>(pair.total_ns))}});
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

// Who ran the loop, where the run found that out by itself.
Json turns(const LoopStatistics::Turns& turns) {
  const auto all = static_cast<double>(turns.alone_ns + turns.crew_ns);
  return {
      {"one_thread", static_cast<double>(turns.alone_ns) / all}, {"trials", turns.trials}, {"gained", turns.gained}};
}

}  // namespace

std::string run_document(const RunFacts& facts) {
  const bool serial = !facts.why_serial.empty();
  Json document = {
      {"schema", schemas::kRunDocument.name},
      {"version", schemas::kRunDocument.version},
      {"tool", {{"name", schemas::tools::kRuntime}, {"version", HEDDLE_VERSION}}},
      {"program",
       {{"name", facts.program.name}, {"build_id", facts.program.build_id}, {"arguments", program_arguments()}}},
      {"machine", machine_entry()},
      {"settings",
       {{"threads", facts.places()},
        {"constraints", facts.constraints_path.empty() ? Json(nullptr) : Json(facts.constraints_path)},
        {"oracle", facts.oracle}}},
      {"mode", serial ? schemas::mode::kSerial : schemas::mode::kParallel},
      {"seconds", facts.seconds},
      {"cpu_seconds", process_cpu_seconds()},
      {"peak_parallel", facts.statistics.peak_parallel()},
      {"polls", facts.statistics.polls()},
      {"handlers", handler_entries(facts)},
      {"contention", contention_entries(facts)}};
  if (serial) document["why"] = facts.why_serial;
  if (!serial && facts.found_by_watching()) document["settings"]["auto"] = found_by_watching(facts);
  if (!serial && facts.took_turns()) document["settings"]["turns"] = turns(facts.statistics.turns());
  // Names and arguments are whatever bytes the program has; JSON must be UTF-8.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_run_file(const std::string& path, const RunFacts& facts) {
  const base::Unsignalled unsignalled;
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << run_document(facts);
  stream.close();
  if (!stream)
    throw base::UserError(path + ": " + base::errno_text() + ": name a file that can be written with --run-file");
}

}  // namespace heddle::telemetry
