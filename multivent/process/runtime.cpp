#include "multivent/process/runtime.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/user_error.hpp"
#include "multivent/loop/base.hpp"
#include "multivent/process/run_facts.hpp"
#include "multivent/program/constraints_file.hpp"
#include "schemas/reasons.hpp"
#include "telemetry/run_report.hpp"

namespace heddle::multivent {

Runtime& Runtime::get() {
  static Runtime& runtime = *new Runtime;
  return runtime;
}

Runtime::Runtime() : owner_(getpid()) {
  mode_.why_serial = schemas::reasons::kNoConstraints;
  pthread_atfork(before_fork, [] { after_fork(false); }, [] { after_fork(true); });
}

void Runtime::configure(const Settings& settings, const Mode& mode, const ConstraintsFile* constraints) {
  Runtime& runtime = get();
  runtime.settings_ = settings;
  runtime.mode_ = mode;
  runtime.open(constraints);
}

void Runtime::open(const ConstraintsFile* constraints) {
  trace_file_.reset();
  registry_.reset();
  owner_ = getpid();
  signals_are_tied_ = constraints != nullptr && constraints->signals_are_tied;
  const bool records = settings_.statistics || !settings_.trace_file_path.empty();
  if (!records && (constraints == nullptr || !parallel())) return;
  symbols_ = Symbols::of_this_process();
  if (constraints != nullptr) {
    for (const ConstraintsFile::Library& library : constraints->libraries) symbols_.add_library(library.build_id);
  }
  registry_ = constraints != nullptr ? std::make_unique<HandlerRegistry>(symbols_, *constraints)
                                     : std::make_unique<HandlerRegistry>(symbols_);
  if (!settings_.trace_file_path.empty())
    trace_file_ =
        std::make_unique<telemetry::TraceFile>(settings_.trace_file_path, described(symbols_),
                                               handler_names(*registry_), parallel() ? mode_.threads.least + 1 : 1);
}

LoopOptions Runtime::loop_options() const {
  LoopOptions options{.oracle = settings_.oracle,
                      .signals_are_tied = signals_are_tied_,
                      .registry = registry_.get(),
                      .statistics = settings_.statistics,
                      .trace_file = trace_file_.get()};
  if (parallel())
    options.crew = {.handlers_at_once = mode_.threads.least,
                    .most_handlers_at_once = mode_.threads.most,
                    .promotion = settings_.promotion};
  return options;
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
  live_ = std::make_unique<telemetry::Live>(
      settings_.live_folder, [this] { return telemetry::run_summary(facts()); }, [this] { return document(); });
}

void Runtime::remove(event_base& base) {
  const std::lock_guard guard(mutex_);
  bases_.erase(std::remove(bases_.begin(), bases_.end(), &base), bases_.end());
  const BaseLock lock(base);  // its watchdog may still note how many threads suit
  if (base.recorder.statistics() != nullptr) finished_.merge(*base.recorder.statistics());
}

telemetry::RunFacts Runtime::facts() {
  telemetry::RunFacts facts;
  if (parallel()) {
    facts.threads = mode_.threads.least;
    facts.most_threads = mode_.threads.most;
  }
  facts.constraints_path = settings_.constraints_path;
  facts.oracle = settings_.oracle;
  facts.why_serial = mode_.why_serial;
  collect(facts);
  if (registry_ != nullptr) add_names(facts, *registry_, symbols_);  // of all that was counted: after that
  return facts;
}

void Runtime::collect(telemetry::RunFacts& facts) {
  const std::lock_guard guard(mutex_);
  facts.seconds = started_ns_ == 0 ? 0 : static_cast<double>(heddle::base::monotonic_ns() - started_ns_) / 1e9;
  facts.statistics.merge(finished_);
  for (event_base* base : bases_) {
    const BaseLock lock(*base);
    if (base->recorder.statistics() != nullptr) facts.statistics.merge(*base->recorder.statistics());
    base->recorder.flush();
  }
}

std::string Runtime::document() { return telemetry::run_document(facts()); }

void Runtime::report() {
  if (getpid() != owner_ || registry_ == nullptr) return;
  if (live_ != nullptr) live_->stop();
  if (!settings_.summary && settings_.run_file_path.empty()) return;
  const telemetry::RunFacts facts = this->facts();
  if (settings_.summary) std::fputs(telemetry::run_summary(facts).c_str(), stderr);
  if (settings_.run_file_path.empty()) return;
  try {
    telemetry::write_run_file(settings_.run_file_path, facts);
  } catch (const base::UserError& error) {
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
  if (in_child && runtime.live_ != nullptr) telemetry::Live::after_fork_in_child();
  runtime.mutex_.unlock();
}

}  // namespace heddle::multivent
