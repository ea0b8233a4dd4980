#include "multivent/process/crash.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

#include "multivent/loop/base.hpp"

namespace heddle::multivent {

namespace {

struct Fault {
  int number;
  const char* name;
};

constexpr std::array kFaults = {Fault{SIGSEGV, "SIGSEGV"}, Fault{SIGBUS, "SIGBUS"}, Fault{SIGFPE, "SIGFPE"},
                                Fault{SIGILL, "SIGILL"}, Fault{SIGABRT, "SIGABRT"}};

// Only what may be called in a signal handler: nothing that allocates or locks.
void say(const char* text) { [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, std::strlen(text)); }

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
    for (const Fault& fault : kFaults)
      if (fault.number == number) say(fault.name);
    say(" in handler ");
    say(called->handler->name.c_str());
    say("\n");
  }
  // A signal that somebody sent does not come again by itself.
  if (info->si_code <= 0) tgkill(getpid(), gettid(), number);
}

}  // namespace

bool names_handlers(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == on_fault;
}

bool ends_the_process(const struct sigaction& action) {
  return names_handlers(action) || (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL);
}

void name_handlers_that_crash() {
  for (const Fault& fault : kFaults) {
    struct sigaction present{};
    if (sigaction(fault.number, nullptr, &present) != 0) continue;
    if ((present.sa_flags & SA_SIGINFO) || present.sa_handler != SIG_DFL) continue;
    struct sigaction ours{};
    ours.sa_sigaction = on_fault;
    ours.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESETHAND);
    sigemptyset(&ours.sa_mask);
    sigaction(fault.number, &ours, nullptr);
  }
}

}  // namespace heddle::multivent
