#include "multivent/process/startup.hpp"

#include <unistd.h>

#include <filesystem>

#include "base/user_error.hpp"
#include "multivent/process/crash.hpp"
#include "multivent/program/constraints_file.hpp"
#include "schemas/reasons.hpp"
#include "telemetry/say.hpp"

namespace heddle::multivent {

namespace {

namespace reasons = schemas::reasons;

constexpr const char* kTooLate =
    "too late, there is an event base already: say it before, and before multivent_start()";

// The program's own file; empty if the system does not tell.
std::filesystem::path program() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none);
}

// What the program declares could still make it so.
bool may_be_parallel() {
  const Mode& mode = Runtime::get().mode();
  return mode.parallel() || mode.nothing_may_overlap;
}

}  // namespace

Startup& Startup::get() {
  static Startup& startup = *new Startup;
  return startup;
}

void Startup::preloaded(bool linked) {
  const std::lock_guard guard(mutex_);
  environment_ = Environment::taken();
  settings_ = environment_.settings;
  wishes_ = wishes_of_environment();
  wishes_.preloaded = true;
  wishes_.commanded = !environment_.program.empty();
  if (settings_.constraints_path.empty())
    wishes_.no_document =
        environment_.no_constraints.empty() ? std::string(reasons::kNoConstraints) : environment_.no_constraints;
  open(decide(wishes_, nullptr));
  if (Runtime::get().registry() != nullptr) take_fatal_signals(Runtime::get().parallel());
  if (wishes_.commanded && !(linked && may_be_parallel())) say_how_it_runs();
  pending_.store(true, std::memory_order_release);
}

void Startup::linked(const std::string& obstacle) {
  const std::lock_guard guard(mutex_);
  environment_ = Environment::taken();
  settings_ = environment_.settings;
  wishes_ = wishes_of_environment();
  wishes_.obstacle = obstacle;
  if (obstacle.empty()) {
    pending_.store(true, std::memory_order_release);
    return;
  }
  settings_.constraints_path.clear();
  settings_.statistics = false;
  Runtime::configure(settings_, decide(wishes_, nullptr), nullptr);
  say_how_it_runs();
}

Wishes Startup::wishes_of_environment() const {
  Wishes wishes;
  wishes.serial = environment_.serial;
  wishes.of_environment = environment_.threads;
  wishes.threads_in_any_case = settings_.promotion != scheduler::Promotion::kAdaptive || settings_.in_turn;
  return wishes;
}

void Startup::settle_now() {
  const std::lock_guard guard(mutex_);
  if (!pending_.load(std::memory_order_relaxed)) return;
  const bool declared = may_be_parallel() && !declarations_.empty();
  if (!wishes_.preloaded || declared) configure();
  if (!wishes_.preloaded || declared || wishes_.commanded) say_how_it_runs();
  pending_.store(false, std::memory_order_release);
}

void Startup::configure() {
  if (!wishes_.preloaded) choose();
  Mode mode = decide(wishes_, nullptr);
  if (mode.parallel()) {
    try {
      const ConstraintsFile document = this->document(settings_.constraints_path);
      const Mode final_mode = decide(wishes_, &document);
      assumed_.clear();
      for (const std::string& name : document.assumed) assumed_ += (assumed_.empty() ? "" : ", ") + name;
      configure_runtime(final_mode, &document);
    } catch (const base::UserError& error) {
      mode.why_serial = error.what();
    }
  }
  if (!mode.parallel()) {
    try {
      open(mode);
    } catch (
        const base::UserError& error) {  // a file for the trace that cannot be made, or a program that cannot be read
      telemetry::say(std::string("heddle: no figures, because ") + error.what() + "\n");
      settings_.trace_file_path.clear();
      settings_.statistics = settings_.summary = false;
      open(mode);
    }
  }
  if (Runtime::get().registry() != nullptr) take_fatal_signals(Runtime::get().parallel());
}

// With the document that the settings name, if there is one. A serial run takes from it only names and sessions for its
// figures, and does without if it does not fit.
void Startup::open(Mode mode) {
  if (settings_.constraints_path.empty()) {
    configure_runtime(mode, nullptr);
    return;
  }
  try {
    const ConstraintsFile document = ConstraintsFile::read(settings_.constraints_path);
    if (mode.parallel()) mode = decide(wishes_, &document);
    configure_runtime(mode, &document);
  } catch (const base::UserError&) {
    if (mode.parallel()) throw;
    settings_.constraints_path.clear();
    configure_runtime(mode, nullptr);
  }
}

// What a linked program runs with, where the environment does not say.
void Startup::choose() {
  settings_.statistics = environment_.statistics.value_or(true);
  wishes_.automatic = Threads::automatic();
  if (settings_.constraints_path.empty()) settings_.constraints_path = constraints_path_;
  const std::string beside = program().string() + ".constraints.json";
  std::error_code none;
  if (settings_.constraints_path.empty() && std::filesystem::exists(beside, none)) settings_.constraints_path = beside;
  if (settings_.constraints_path.empty() && declarations_.only_requirements())
    wishes_.no_document =
        reasons::no_constraints_beside(std::filesystem::path(beside).filename().string(), program().string());
}

// The one at `path`, none if that is empty, with what the program declares.
ConstraintsFile Startup::document(const std::string& path) const {
  Symbols symbols = Symbols::of_this_process();
  ConstraintsFile file;
  if (path.empty()) {
    file.path = "the program's own promises";
    file.program_name = symbols.program_name();
    file.build_id = symbols.build_id();
  } else {
    file = ConstraintsFile::read(path);
  }
  if (declarations_.empty()) return file;
  for (const ConstraintsFile::Library& library : file.libraries) symbols.add_library(library.build_id);
  declarations_.apply_to(file, symbols);
  return file;
}

// Not to a program that asked for one thread itself: it knows.
void Startup::say_how_it_runs() {
  if (environment_.quiet || said_) return;
  const Mode& mode = Runtime::get().mode();
  if (wishes_.commanded) {
    if (!Runtime::may_say_how_it_runs()) return;
    telemetry::say("heddle: " + reasons::running(environment_.program, mode.how()) + "\n");
    if (mode.parallel() && !assumed_.empty()) telemetry::say("heddle: " + reasons::assuming(assumed_) + "\n");
  } else {
    const bool own_wish = wishes_.obstacle.empty() && !wishes_.serial && !wishes_.of_environment &&
                          wishes_.of_program && wishes_.of_program->most == 1;
    if (mode.parallel() || own_wish) return;
    telemetry::say("heddle: " + mode.how() + "\n");
  }
  said_ = true;
}

// A serial run stays a process of one thread, and keeps no figures, unless they were asked for.
void Startup::configure_runtime(const Mode& mode, const ConstraintsFile* document) const {
  Settings settings = settings_;
  if (!mode.parallel() && wishes_.commanded && !settings.metrics) {
    settings.live_folder.clear();
    settings.statistics = settings.statistics && environment_.statistics.value_or(settings.reports());
  }
  Runtime::configure(settings, mode, document);
}

void Startup::still_open() const {
  if (!wishes_.obstacle.empty()) throw base::UserError(wishes_.obstacle);
  if (!pending_.load(std::memory_order_relaxed)) throw base::UserError(kTooLate);
}

void Startup::wish_threads(unsigned count) {
  const std::lock_guard guard(mutex_);
  still_open();
  if (count > kMostThreads)
    throw base::UserError("more threads than are possible: give a number up to " + std::to_string(kMostThreads));
  wishes_.of_program = count == 0 ? std::nullopt : std::optional(Threads::exactly(count));
}

void Startup::wish_constraints(const std::string& path) {
  const std::lock_guard guard(mutex_);
  still_open();
  constraints_path_ = path;
}

void Startup::declare(const std::function<void(Declarations&)>& add) {
  const std::lock_guard guard(mutex_);
  still_open();
  add(declarations_);
}

}  // namespace heddle::multivent
