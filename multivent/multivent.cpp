// The C face of multivent.h: arguments and errors between C and the core.
#include "multivent/multivent.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/user_error.hpp"
#include "multivent/loop/base.hpp"
#include "multivent/process/startup.hpp"
#include "telemetry/machine.hpp"

using namespace heddle::multivent;
using heddle::base::UserError;

namespace {

thread_local std::string last_error;

int failed(const std::string& why) {
  last_error = why;
  return -1;
}

// Nothing may be thrown into a C program.
template <class Function>
int guarded(Function&& function) {
  try {
    last_error.clear();
    function();
    return 0;
  } catch (const std::exception& error) {
    return failed(error.what());
  }
}

Declarations::Address address_of(multivent_handler handler) {
  if (handler == nullptr) throw UserError("a handler is NULL: give a function");
  return reinterpret_cast<Declarations::Address>(handler);
}

heddle::scheduler::Verdict verdict_of(multivent_verdict verdict) {
  switch (verdict) {
    case MULTIVENT_NEVER:
      return heddle::scheduler::Verdict::kNever;
    case MULTIVENT_SESSION:
      return heddle::scheduler::Verdict::kSession;
    case MULTIVENT_ALWAYS:
      return heddle::scheduler::Verdict::kAlways;
  }
  throw UserError("there is no such verdict: give MULTIVENT_NEVER, MULTIVENT_SESSION or MULTIVENT_ALWAYS");
}

Runtime& runtime_with_figures() {
  Runtime& runtime = Runtime::get();
  if (!Startup::get().settled() || !runtime.settings().statistics || runtime.registry() == nullptr)
    throw UserError("no figures are kept: make an event base first, and leave HEDDLE_STATS unset");
  return runtime;
}

}  // namespace

int multivent_set_threads(unsigned count) {
  return guarded([&] { Startup::get().wish_threads(count); });
}

int multivent_set_constraints(const char* path) {
  return guarded([&] {
    if (path == nullptr || *path == 0) throw UserError("no file is named: give a path");
    Startup::get().wish_constraints(path);
  });
}

int multivent_start() {
  return guarded([] {
    Startup::get().settle();
    if (!Runtime::get().parallel()) throw UserError(Runtime::get().mode().why_serial);
  });
}

int multivent_require(multivent_handler a, multivent_handler b, multivent_verdict verdict) {
  return guarded([&] {
    Startup::get().declare([&](Declarations& to) { to.require(address_of(a), address_of(b), verdict_of(verdict)); });
  });
}

int multivent_promise(multivent_handler a, multivent_handler b, multivent_verdict verdict) {
  return guarded([&] {
    Startup::get().declare([&](Declarations& to) { to.promise(address_of(a), address_of(b), verdict_of(verdict)); });
  });
}

int multivent_promise_session(multivent_handler handler, size_t offset) {
  return guarded([&] {
    Startup::get().declare(
        [&](Declarations& to) { to.promise_session(address_of(handler), static_cast<std::intptr_t>(offset)); });
  });
}

// Which point it is does not matter: from the first one on the call stands under all of its constraints.
void multivent_late_enter(std::uint64_t /*point*/) {
  if (Task* const task = current_task(); task != nullptr) task->base->driver.reach_late_point(*task);
}

int multivent_get_statistics(multivent_statistics* statistics, size_t size) {
  return guarded([&] {
    if (statistics == nullptr) throw UserError("no place for the figures: give a struct multivent_statistics");
    const heddle::telemetry::RunFacts facts = runtime_with_figures().facts();
    multivent_statistics now{};
    now.parallel = facts.why_serial.empty() ? 1 : 0;
    now.threads = facts.places();
    now.invocations = facts.statistics.invocations();
    now.polls = facts.statistics.polls();
    now.peak_parallel = static_cast<std::uint32_t>(facts.statistics.peak_parallel());
    now.cores = heddle::telemetry::usable_cores();
    now.seconds = facts.seconds;
    now.cpu_seconds = heddle::telemetry::process_cpu_seconds();
    std::memset(statistics, 0, size);
    std::memcpy(statistics, &now, std::min(size, sizeof now));
  });
}

char* multivent_statistics_json() {
  char* copy = nullptr;
  guarded([&] {
    copy = strdup(runtime_with_figures().document().c_str());
    if (copy == nullptr) throw UserError("no memory is left for the figures");
  });
  return copy;
}

const char* multivent_why_serial() {
  const Startup& startup = Startup::get();
  if (!startup.settled() || Runtime::get().parallel()) return nullptr;
  return Runtime::get().mode().why_serial.c_str();
}

const char* multivent_error() { return last_error.c_str(); }

const char* multivent_version() { return HEDDLE_VERSION; }
