#include "pico/core/backtraces.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "pico/core/runtime.hpp"
#include "pico/core/worker.hpp"

namespace heddle::pico::debug {
namespace {

void print(Task& task) {
  constexpr int kMostCalls = 48;
  constexpr int kOurs = 4;  // this function and those that led here
  void* calls[kMostCalls];
  const int count = backtrace(calls, kMostCalls);
  std::fprintf(stderr, "pico: thread %llu\n", static_cast<unsigned long long>(task.number()));
  std::fflush(stderr);
  if (count > kOurs) backtrace_symbols_fd(calls + kOurs, count - kOurs, STDERR_FILENO);
}

void on_signal(int) { Runtime::request_backtraces_of_all(); }

}  // namespace

void print_backtraces(Worker& worker) { worker.visit_parked(print); }

void print_backtraces_on(int signal) {
  if (signal == 0) return;
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace heddle::pico::debug
