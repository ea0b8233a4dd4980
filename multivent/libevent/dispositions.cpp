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
};

const Next& next() {
  static const Next found;
  return found;
}

[[gnu::constructor]] void look_up_next() { next(); }

bool is_ours(const struct sigaction& action) {
  return heddle::multivent::is_in_place_of_default(action) || heddle::telemetry::Live::has_put(action);
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

sighandler_t signal(int number, sighandler_t function) noexcept {
  struct sigaction before{};
  const bool known = next().sigaction(number, nullptr, &before) == 0;
  sighandler_t old = nullptr;
  if (const auto instead = heddle::multivent::in_place_of_default(number); instead && function == SIG_DFL) {
    old = next().sigaction(number, &*instead, nullptr) == 0 ? before.sa_handler : SIG_ERR;
  } else {
    old = next().signal(number, function);
  }
  return old != SIG_ERR && known && is_ours(before) ? SIG_DFL : old;
}

}  // extern "C"
