#include "elyze/ir/damage.hpp"

#include <llvm/Support/ErrorHandling.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "elyze/ir/error.hpp"

namespace heddle::elyze {
namespace {

constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

std::string line;                                       // the message, made while memory can be allocated
std::array<struct sigaction, kSignals.size()> earlier;  // the handlers to restore
std::array<char, 65536> stack;                          // recursion may have used up the ordinary one

[[noreturn]] void leave() {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
  _exit(kBadInput);
}

void on_signal(int) { leave(); }
void on_fatal_error(void*, const char*, bool) { leave(); }

}  // namespace

DamageGuard::DamageGuard(const std::string& file) {
  line = "elyze: " + file + ": malformed bitcode: build it again\n";
  const stack_t own{stack.data(), 0, stack.size()};
  sigaltstack(&own, nullptr);
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &earlier[i]);
  llvm::install_fatal_error_handler(on_fatal_error);
}

DamageGuard::~DamageGuard() {
  llvm::remove_fatal_error_handler();
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &earlier[i], nullptr);
}

}  // namespace heddle::elyze
