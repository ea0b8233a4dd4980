#include "multivent/process/crash.hpp"

#include <unistd.h>

#include <array>
#include <csignal>

#include "multivent/loop/base.hpp"
#include "multivent/process/alone.hpp"
#include "telemetry/say.hpp"

namespace heddle::multivent {

namespace {

using Function = void(int, siginfo_t*, void*);

struct Ours {
  int number;
  const char* name;
  Function* function;
  bool installed = false;  // set before main, then constant
};

void on_fault(int number, siginfo_t* info, void* context);
void on_write(int number, siginfo_t* info, void* context);
void on_request(int number, siginfo_t* info, void* context);

// Of SIGUSR1 see telemetry/live.hpp.
std::array fatal_signals = {
    Ours{SIGSEGV, "SIGSEGV", on_fault},   Ours{SIGBUS, "SIGBUS", on_fault},     Ours{SIGFPE, "SIGFPE", on_fault},
    Ours{SIGILL, "SIGILL", on_fault},     Ours{SIGABRT, "SIGABRT", on_fault},   Ours{SIGPIPE, "SIGPIPE", on_write},
    Ours{SIGXFSZ, "SIGXFSZ", on_write},   Ours{SIGHUP, "SIGHUP", on_request},   Ours{SIGINT, "SIGINT", on_request},
    Ours{SIGQUIT, "SIGQUIT", on_request}, Ours{SIGTERM, "SIGTERM", on_request}, Ours{SIGALRM, "SIGALRM", on_request},
    Ours{SIGUSR2, "SIGUSR2", on_request}};

// May be called in a signal handler: neither allocates nor locks.
using telemetry::say;

// The kernel has already put the usual action back (SA_RESETHAND): when this returns, the instruction is tried again,
// and the process dies there.
void on_fault(int number, siginfo_t* info, void* /*context*/) {
  const Task* const task = current_task();
  const Callee* called = task != nullptr ? task->called : nullptr;
  // Of a call that the figures do without, the function is known.
  if (task != nullptr && called == nullptr)
    called = task->base->callees.known(reinterpret_cast<const void*>(task->function.evcb_callback));
  if (called != nullptr && called->handler != nullptr) {
    say("heddle: ");
    for (const Ours& each : fatal_signals)
      if (each.number == number) say(each.name);
    say(" in handler ");
    say(called->handler->name.c_str());
    say("\n");
  }
  // A signal that somebody sent does not come again by itself.
  if (info->si_code <= 0) tgkill(getpid(), gettid(), number);
}

// A handler writes to what nobody reads, or makes a file too large, and so ends the process: between handlers, as every
// other end that one comes to.
void on_write(int number, siginfo_t* /*info*/, void* /*context*/) {
  Alone::for_good();
  tgkill(getpid(), gettid(), number);
}

// Somebody wants the process to end. One thread would have been in the middle of one handler at most: so this one, if
// it is in one, waits for the others. Who sends the signal once more does not wait (SA_RESETHAND).
void on_request(int number, siginfo_t* /*info*/, void* /*context*/) {
  Alone::for_good(Alone::For::kDeath);
  tgkill(getpid(), gettid(), number);
}

void install(const Ours& each) {
  const std::optional<struct sigaction> action = in_place_of_default(each.number);
  if (action) sigaction(each.number, &*action, nullptr);
}

}  // namespace

std::optional<struct sigaction> in_place_of_default(int number) {
  for (const Ours& each : fatal_signals) {
    if (each.number != number || !each.installed) continue;
    struct sigaction action{};
    action.sa_sigaction = each.function;
    action.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    return action;
  }
  return std::nullopt;
}

bool is_in_place_of_default(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) &&
         (action.sa_sigaction == on_fault || action.sa_sigaction == on_write || action.sa_sigaction == on_request);
}

bool ends_the_process(const struct sigaction& action) {
  return is_in_place_of_default(action) || (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL);
}

void take_fatal_signals(bool parallel) {
  for (Ours& each : fatal_signals) {
    if (!parallel && each.function != on_fault) continue;
    struct sigaction present{};
    if (sigaction(each.number, nullptr, &present) != 0) continue;
    each.installed = true;
    if (!(present.sa_flags & SA_SIGINFO) && present.sa_handler == SIG_DFL) install(each);
  }
}

}  // namespace heddle::multivent
