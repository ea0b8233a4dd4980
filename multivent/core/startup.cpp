#include "multivent/core/startup.hpp"

#include <cstdio>
#include <filesystem>

#include "multivent/core/constraints_file.hpp"
#include "multivent/core/crash.hpp"
#include "multivent/core/user_error.hpp"

namespace heddle::multivent {

namespace {

constexpr const char* kTooLate =
    "too late, there is an event base already: say it before, and before multivent_start()";

// The program's own file; empty if the system does not tell.
std::filesystem::path program() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none);
}

}  // namespace

Startup& Startup::get() {
  static Startup& startup = *new Startup;
  return startup;
}

void Startup::preloaded() {
  const std::lock_guard guard(mutex_);
  const Environment given = Environment::taken();
  Settings settings = given.settings;
  settings.threads = given.threads.value_or(Threads());
  std::string why;
  if (given.serial) {
    why = "--serial was given";
  } else if (settings.constraints_path.empty()) {
    why = "no constraints were given";
  } else if (settings.threads.most == 1) {
    why = "one thread was asked for";
  }
  if (why.empty() || settings.why_serial.empty()) settings.why_serial = why;
  Runtime::configure(settings);
  if (Runtime::get().registry() != nullptr) name_handlers_that_crash();
  preloaded_ = true;
  pending_.store(true, std::memory_order_release);
}

void Startup::linked(const std::string& obstacle) {
  const std::lock_guard guard(mutex_);
  environment_ = Environment::taken();
  obstacle_ = obstacle;
  if (obstacle.empty()) {
    pending_.store(true, std::memory_order_release);
    return;
  }
  Settings settings = environment_.settings;
  settings.why_serial = obstacle;
  say_why_serial(settings);
  settings.constraints_path.clear();
  settings.statistics = false;
  Runtime::configure(settings);
}

void Startup::settle_now() {
  const std::lock_guard guard(mutex_);
  if (!pending_.load(std::memory_order_relaxed)) return;
  const bool undecided = Runtime::get().parallel() || Runtime::get().useless();
  if (!preloaded_ || (undecided && !declarations_.empty())) configure();
  pending_.store(false, std::memory_order_release);
}

void Startup::configure() {
  Settings settings = preloaded_ ? Runtime::get().settings() : environment_.settings;
  try {
    if (!preloaded_) choose(settings);
    if (preloaded_ && Runtime::get().useless()) settings.why_serial.clear();
    if (settings.why_serial.empty()) {
      Runtime::configure(settings, document(settings.constraints_path));
      if (!preloaded_ && !Runtime::get().parallel()) say_why_serial(Runtime::get().settings());
    }
  } catch (const UserError& error) {
    settings.why_serial = error.what();
  }
  if (!settings.why_serial.empty()) {
    say_why_serial(settings);
    try {
      Runtime::configure(settings);
    } catch (const UserError& error) {  // a file for the trace that cannot be made, or a program that cannot be read
      std::fprintf(stderr, "heddle: no figures, because %s\n", error.what());
      settings.trace_file_path.clear();
      settings.statistics = settings.summary = false;
      Runtime::configure(settings);
    }
  }
  if (Runtime::get().registry() != nullptr) name_handlers_that_crash();
}

// How a linked program runs: parallel, or with a reason why not.
void Startup::choose(Settings& settings) {
  settings.statistics = environment_.statistics.value_or(true);
  settings.threads = environment_.threads.value_or(threads_.value_or(Threads::automatic()));
  if (settings.constraints_path.empty()) settings.constraints_path = constraints_path_;
  const std::string beside = program().string() + ".constraints.json";
  std::error_code none;
  if (settings.constraints_path.empty() && std::filesystem::exists(beside, none)) settings.constraints_path = beside;
  if (environment_.serial) {
    if (settings.why_serial.empty()) settings.why_serial = "HEDDLE_SERIAL is 1";
  } else if (settings.threads.most == 1) {
    const bool asked = environment_.threads || threads_;
    settings.why_serial = asked ? "one thread was asked for" : "this process may use one core only";
  } else if (settings.constraints_path.empty() && declarations_.only_requirements()) {
    settings.why_serial = "there is no " + std::filesystem::path(beside).filename().string() +
                          " beside it: run heddle analyze " + program().string() + " first";
  } else {
    settings.why_serial.clear();
  }
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
void Startup::say_why_serial(const Settings& settings) const {
  const bool own_wish =
      obstacle_.empty() && !environment_.serial && !environment_.threads && threads_ && threads_->most == 1;
  if (environment_.quiet || own_wish) return;
  std::fprintf(stderr, "heddle: serial, because %s\n", settings.why_serial.c_str());
}

void Startup::still_open() const {
  if (!obstacle_.empty()) throw UserError(obstacle_);
  if (!pending_.load(std::memory_order_relaxed)) throw UserError(kTooLate);
}

void Startup::wish_threads(unsigned count) {
  const std::lock_guard guard(mutex_);
  still_open();
  if (count > kMostThreads)
    throw UserError("more threads than are possible: give a number up to " + std::to_string(kMostThreads));
  threads_ = count == 0 ? std::nullopt : std::optional(Threads::exactly(count));
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
