#include "pico/record/record.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/user_error.hpp"
#include "schemas/agreements.hpp"
#include "schemas/environment.hpp"
#include "schemas/reasons.hpp"

namespace heddle::pico {
namespace {

struct Wishes {
  std::string run_file;
  std::string trace_file;
  std::string live_folder;
  bool summary = false;

  bool any() const { return summary || !run_file.empty() || !trace_file.empty() || !live_folder.empty(); }
};

// Removed from the environment, so that programs that this one starts are left alone. In a set-user-id program it
// counts for nothing, for it names files to write.
std::string taken(const char* name) {
  // NOLINTBEGIN(concurrency-mt-unsafe): before main runs there are no other threads
  const char* const value = secure_getenv(name);
  std::string text = value != nullptr ? value : "";
  unsetenv(name);
  // NOLINTEND(concurrency-mt-unsafe)
  return text;
}

// A daemon changes its working directory before it writes anything.
std::string from_anywhere(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  return path.empty() || error ? path : whole.string();
}

const Wishes& wishes() {
  namespace variables = schemas::environment;
  static const Wishes& all = *new Wishes{.run_file = from_anywhere(taken(variables::kRunFile)),
                                         .trace_file = from_anywhere(taken(variables::kTrace)),
                                         .live_folder = from_anywhere(taken(variables::kLive)),
                                         .summary = taken(variables::kSummary) == "1"};
  return all;
}

[[gnu::used]] const Wishes& before_main = wishes();

// Says to `heddle run` what the program is.
[[gnu::used, gnu::retain, gnu::section("heddle_pico")]] const char mark = 1;
static_assert(std::string_view(schemas::pico::kSection) == "heddle_pico");

// Those that there are now, by number.
std::vector<telemetry::HandlerName> site_names() {
  std::vector<telemetry::HandlerName> names;
  for (const Site* site = Site::newest(); site != nullptr; site = site->older()) names.push_back({site->name(), true});
  std::reverse(names.begin(), names.end());
  return names;
}

}  // namespace

Record* Record::of_the_process() {
  static Record* const record = wishes().any() ? new Record : nullptr;  // never destroyed: see report()
  return record;
}

Record::Record() : owner_(getpid()) { std::atexit(report); }

void Record::begin(std::size_t workers) {
  const std::scoped_lock lock(mutex_);
  const bool first = std::exchange(most_workers_, std::max(most_workers_, workers)) == 0;
  if (!first) return;
  try {
    if (!wishes().trace_file.empty())
      trace_.emplace(wishes().trace_file, telemetry::this_program(), site_names(), static_cast<unsigned>(workers));
    if (!wishes().live_folder.empty())
      live_.emplace(
          wishes().live_folder, [this] { return telemetry::run_summary(facts()); },
          [this] { return telemetry::run_document(facts()); }, telemetry::Live::Thread::kNow);
  } catch (const std::exception& error) {  // UserError, or there can be no thread: the program comes first
    std::fprintf(stderr, "heddle: %s\n", error.what());
  }
}

void Record::enlist(Recorder& worker) {
  const std::scoped_lock lock(mutex_);
  workers_.push_back(&worker);
}

void Record::leave(Recorder& worker) {
  const std::scoped_lock lock(mutex_);
  std::erase(workers_, &worker);
  worker.add_to(figures_);
}

telemetry::RunFacts Record::facts() {
  const std::scoped_lock lock(mutex_);
  telemetry::RunFacts facts;
  facts.program = telemetry::this_program();
  facts.handlers = site_names();
  facts.threads = facts.most_threads = static_cast<unsigned>(most_workers_);
  if (most_workers_ == 1) facts.why_serial = schemas::reasons::kOneWorker;
  facts.seconds = static_cast<double>(base::monotonic_ns() - started_ns_) / 1e9;
  facts.statistics.merge(figures_);
  for (Recorder* const worker : workers_) worker->add_to(facts.statistics);
  return facts;
}

// At the end of the process; of a child that it has forked there is nothing to tell.
void Record::report() {
  Record& record = *of_the_process();
  if (getpid() != record.owner_) return;
  if (record.live_) record.live_->end();
  const telemetry::RunFacts facts = record.facts();
  if (wishes().summary) std::fputs(telemetry::run_summary(facts).c_str(), stderr);
  if (wishes().run_file.empty()) return;
  try {
    telemetry::write_run_file(wishes().run_file, facts);
  } catch (const base::UserError& error) {
    std::fprintf(stderr, "heddle: %s\n", error.what());
  }
}

Recorder::Recorder(Record& record, std::size_t worker) : record_(record), worker_(static_cast<unsigned>(worker)) {
  if (record.trace_file() != nullptr) trace_ = std::make_unique<telemetry::TraceBuffer>(*record.trace_file());
  record.enlist(*this);
}

void Recorder::ended(const Turn& turn) {
  {
    const std::scoped_lock lock(mutex_);
    figures_.finished(turn.site.number(), turn.start - turn.ready, turn.end - turn.start);
  }
  if (trace_ == nullptr) return;
  trace_->add({.handler = turn.site.number(),
               .ready_ns = turn.ready,
               .start_ns = turn.start,
               .end_ns = turn.end,
               .sequence = turn.sequence,
               .session = static_cast<std::uintptr_t>(turn.thread),
               .thread = worker_,
               .in_constraints = true});
}

}  // namespace heddle::pico
