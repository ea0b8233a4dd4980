// What the program sees of the functions that the runtime has put on signals: the default action, in whose place they
// stand. Libraries put their own only where nobody else's is.
#include <csignal>
#include <optional>

#include "multivent/libevent/next.hpp"
#include "multivent/process/crash.hpp"
#include "telemetry/live.hpp"

namespace {

using heddle::multivent::next_function;

// The C library's own. Looked up before main: programs call these in signal handlers, where dlsym() is not safe.
struct Next {
  using Action = int(int, const struct sigaction*, struct sigaction*);
  using Signal = sighandler_t(int, sighandler_t);

  Action* const sigaction = next_function<Action>("sigaction");
  Signal* const signal = next_function<Signal>("signal");
  Signal* const sysv_signal = next_function<Signal>("sysv_signal");
  Signal* const sigset = next_function<Signal>("sigset");
};

const Next& next() {
  static const Next found;
  return found;
}

[[gnu::constructor]] void look_up_next() { next(); }

bool is_ours(const struct sigaction& action) {
  return heddle::multivent::is_in_place_of_default(action) || heddle::telemetry::Live::has_put(action);
}

sighandler_t set(Next::Signal* next_set, int number, sighandler_t function) {
  struct sigaction before{};
  const bool known = next().sigaction(number, nullptr, &before) == 0;
  sighandler_t old = nullptr;
  if (const auto instead = heddle::multivent::in_place_of_default(number); instead && function == SIG_DFL) {
    old = next().sigaction(number, &*instead, nullptr) == 0 ? before.sa_handler : SIG_ERR;
  } else {
    old = next_set(number, function);
  }
  return old != SIG_ERR && known && is_ours(before) ? SIG_DFL : old;
}

bool is_default(const struct sigaction& action) {
  return !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL;
}

}  // namespace

extern "C" {

int sigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  std::optional<struct sigaction> instead;
  if (action != nullptr && is_default(*action)) instead = heddle::multivent::in_place_of_default(number);
  const int result = next().sigaction(number, instead ? &*instead : action, old);
  if (result == 0 && old != nullptr && is_ours(*old)) {
    *old = {};
    old->sa_handler = SIG_DFL;
  }
  return result;
}

sighandler_t signal(int number, sighandler_t function) noexcept { return set(next().signal, number, function); }
// Other names of it.
sighandler_t bsd_signal(int number, sighandler_t function) noexcept { return set(next().signal, number, function); }
sighandler_t ssignal(int number, sighandler_t function) noexcept { return set(next().signal, number, function); }
// For one signal only, and without a mask.
sighandler_t sysv_signal(int number, sighandler_t function) noexcept {
  return set(next().sysv_signal, number, function);
}
sighandler_t __sysv_signal(int number, sighandler_t function) noexcept {
  return set(next().sysv_signal, number, function);
}

// It also blocks the signal, or no longer.
sighandler_t sigset(int number, sighandler_t function) noexcept {
  struct sigaction before{};
  const bool known = next().sigaction(number, nullptr, &before) == 0;
  const sighandler_t old = next().sigset(number, function);
  if (const auto instead = heddle::multivent::in_place_of_default(number);
      instead && old != SIG_ERR && function == SIG_DFL)
    next().sigaction(number, &*instead, nullptr);
  return known && old == before.sa_handler && is_ours(before) ? SIG_DFL : old;
}

}  // extern "C"
