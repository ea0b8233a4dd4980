#include "multivent/core/runtime.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "multivent/core/base.hpp"
#include "multivent/core/constraints_file.hpp"
#include "multivent/core/library.hpp"
#include "multivent/core/user_error.hpp"
#include "multivent/stats/machine.hpp"
#include "multivent/stats/run_report.hpp"

namespace heddle::multivent {

namespace {

// The value of a HEDDLE_ variable, empty if it is not set; removed from the environment. Variables of a user that
// started a set-user-id program, which may be linked with us, count for nothing: some name files to write.
std::string taken(const char* name) {
  // NOLINTBEGIN(concurrency-mt-unsafe): before main runs there are no other threads
  const char* value = library::environment(name);
  std::string text = value != nullptr ? value : "";
  unsetenv(name);
  // NOLINTEND(concurrency-mt-unsafe)
  return text;
}

std::optional<bool> switched(const char* name) {
  const std::string text = taken(name);
  if (text.empty()) return std::nullopt;
  if (text == "0" || text == "1") return text == "1";
  throw UserError(std::string(name) + " is \"" + text + "\": give 0 or 1");
}

std::optional<Threads> thread_count(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "auto") return Threads::automatic();
  unsigned count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1 || count > kMostThreads)
    throw UserError("HEDDLE_THREADS is \"" + text + "\": give a number from 1 to " + std::to_string(kMostThreads) +
                    ", or auto");
  return Threads::exactly(count);
}

scheduler::Promotion promotion_of(const std::string& text) {
  if (text.empty() || text == "adaptive") return scheduler::Promotion::kAdaptive;
  if (text == "shared") return scheduler::Promotion::kShared;
  if (text == "always") return scheduler::Promotion::kAlways;
  if (text == "never") return scheduler::Promotion::kNever;
  throw UserError("HEDDLE_PROMOTE is \"" + text + "\": give adaptive, shared, always or never");
}

}  // namespace

Threads Threads::automatic() {
  const unsigned cores = stats::usable_cores();
  // On one core a parallel run only costs, unless handlers block: that is for the user to say.
  return cores == 1 ? exactly(1) : Threads{cores, std::clamp(4 * cores, 64U, kMostThreads)};
}

Environment Environment::taken() {
  Environment given;
  Settings& settings = given.settings;
  settings.constraints_path = multivent::taken("HEDDLE_CONSTRAINTS");
  settings.run_file_path = multivent::taken("HEDDLE_RUN_FILE");
  settings.trace_file_path = multivent::taken("HEDDLE_TRACE");
  settings.live_folder = multivent::taken("HEDDLE_LIVE");
  const std::optional<bool> summary = switched("HEDDLE_SUMMARY");
  settings.summary = summary.value_or(false);
  given.quiet = !summary.value_or(true);
  given.statistics = switched("HEDDLE_STATS");
  const bool reports = settings.summary || !settings.run_file_path.empty() || !settings.live_folder.empty();
  settings.statistics = given.statistics.value_or(reports);
  settings.oracle = switched("HEDDLE_ORACLE").value_or(kOracleByDefault);
  settings.promotion = promotion_of(multivent::taken("HEDDLE_PROMOTE"));
  given.threads = thread_count(multivent::taken("HEDDLE_THREADS"));
  given.serial = switched("HEDDLE_SERIAL").value_or(false);
  settings.why_serial = multivent::taken("HEDDLE_WHY");
  return given;
}

Runtime& Runtime::get() {
  static Runtime& runtime = *new Runtime;
  return runtime;
}

Runtime::Runtime() : owner_(getpid()) {
  settings_.why_serial = "no constraints were given";
  pthread_atfork(before_fork, [] { after_fork(false); }, [] { after_fork(true); });
}

void Runtime::configure(const Settings& settings) {
  Runtime& runtime = get();
  runtime.settings_ = settings;
  if (settings.constraints_path.empty()) {
    runtime.open(nullptr);
    return;
  }
  try {
    const ConstraintsFile constraints = ConstraintsFile::read(settings.constraints_path);
    runtime.open(&constraints);
  } catch (const UserError&) {
    // A serial run takes from them only names and sessions for its figures.
    if (runtime.parallel()) throw;
    runtime.settings_.constraints_path.clear();
    runtime.open(nullptr);
  }
}

void Runtime::configure(const Settings& settings, const ConstraintsFile& constraints) {
  Runtime& runtime = get();
  runtime.settings_ = settings;
  runtime.open(&constraints);
}

void Runtime::open(const ConstraintsFile* constraints) {
  trace_file_.reset();
  registry_.reset();
  owner_ = getpid();
  useless_ = false;
  if (constraints != nullptr && parallel()) {
    settings_.why_serial = constraints->one_thread;
    // Where tests want threads, they get some.
    useless_ = parallel() && settings_.promotion == scheduler::Promotion::kAdaptive && !constraints->allow_anything();
    if (useless_) settings_.why_serial = "none of its handlers may run beside another one or itself";
  }
  const bool records = settings_.statistics || !settings_.trace_file_path.empty();
  if (!records && (constraints == nullptr || !parallel())) return;
  symbols_ = Symbols::of_this_process();
  if (constraints != nullptr) {
    for (const ConstraintsFile::Library& library : constraints->libraries) symbols_.add_library(library.build_id);
  }
  registry_ = constraints != nullptr ? std::make_unique<HandlerRegistry>(symbols_, *constraints)
                                     : std::make_unique<HandlerRegistry>(symbols_);
  if (!settings_.trace_file_path.empty())
    trace_file_ = std::make_unique<stats::TraceFile>(settings_.trace_file_path, symbols_, *registry_,
                                                     parallel() ? settings_.threads.least + 1 : 1);
}

void Runtime::add(event_base& base) {
  const std::lock_guard guard(mutex_);
  if (started_ns_ == 0) {
    started_ns_ = heddle::base::monotonic_ns();
    start_live();
  }
  bases_.push_back(&base);
}

// A serial run stays a process of one thread, unless its figures were asked for.
void Runtime::start_live() {
  if (getpid() != owner_ || !settings_.statistics || registry_ == nullptr) return;
  if (settings_.live_folder.empty() && !(parallel() && settings_.summary)) return;
  live_ = std::make_unique<Live>(
      settings_.live_folder, [this] { return stats::run_summary(facts(), *registry_); }, [this] { return document(); });
}

void Runtime::remove(event_base& base) {
  const std::lock_guard guard(mutex_);
  bases_.erase(std::remove(bases_.begin(), bases_.end(), &base), bases_.end());
  if (base.recorder.statistics != nullptr) finished_.merge(*base.recorder.statistics);
}

stats::RunFacts Runtime::facts() {
  const std::lock_guard guard(mutex_);
  stats::RunFacts facts;
  if (parallel()) {
    facts.threads = settings_.threads.least;
    facts.most_threads = settings_.threads.most;
  }
  facts.constraints_path = settings_.constraints_path;
  facts.oracle = settings_.oracle;
  facts.why_serial = settings_.why_serial;
  facts.seconds = started_ns_ == 0 ? 0 : static_cast<double>(heddle::base::monotonic_ns() - started_ns_) / 1e9;
  facts.statistics.merge(finished_);
  for (event_base* base : bases_) {
    const BaseLock lock(*base);
    if (base->recorder.statistics != nullptr) facts.statistics.merge(*base->recorder.statistics);
    if (base->recorder.trace != nullptr) base->recorder.trace->flush();
  }
  return facts;
}

std::string Runtime::document() { return stats::run_document(facts(), *registry_, symbols_); }

void Runtime::report() {
  if (getpid() != owner_ || registry_ == nullptr) return;
  if (live_ != nullptr) live_->stop();
  if (!settings_.summary && settings_.run_file_path.empty()) return;
  const stats::RunFacts facts = this->facts();
  if (settings_.summary) std::fputs(stats::run_summary(facts, *registry_).c_str(), stderr);
  if (settings_.run_file_path.empty()) return;
  try {
    stats::write_run_file(settings_.run_file_path, facts, *registry_, symbols_);
  } catch (const UserError& error) {
    std::fprintf(stderr, "heddle: %s\n", error.what());
  }
}

// A child of fork() has only the thread that called it. All mutexes are taken before, so that none is left locked by a
// thread that the child does not have.
void Runtime::before_fork() {
  Runtime& runtime = get();
  runtime.mutex_.lock();
  for (event_base* base : runtime.bases_)
    if (base->inspector.load(std::memory_order_relaxed) != this_thread()) base->mutex.lock();
  Owners::get().lock();
}

void Runtime::after_fork(bool in_child) {
  Runtime& runtime = get();
  Owners::get().unlock();
  for (event_base* base : runtime.bases_) {
    if (in_child) base->after_fork_in_child();
    if (base->inspector.load(std::memory_order_relaxed) != this_thread()) base->mutex.unlock();
  }
  if (in_child && runtime.live_ != nullptr) Live::after_fork_in_child();
  runtime.mutex_.unlock();
}

}  // namespace heddle::multivent
