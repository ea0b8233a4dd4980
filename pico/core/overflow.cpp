#include "pico/core/overflow.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "pico/core/stacks.hpp"
#include "pico/core/task.hpp"
#include "pico/core/worker.hpp"

namespace heddle::pico::debug {
namespace {

struct sigaction before_us;

// For signal handlers: snprintf() of numbers and constant texts allocates nothing here.
[[noreturn]] void die(unsigned long long number) {
  char text[256];
  const int size =
      std::snprintf(text, sizeof text,
                    "pico: thread %llu ran over the end of its stack of %zu KB: put large arrays on the heap, "
                    "or make deep calls by pico::on_big_stack()\n",
                    number, (Stack::kBytes - Stack::kGuard) >> 10);
  static_cast<void>(!write(STDERR_FILENO, text, static_cast<std::size_t>(size)));
  std::abort();
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const Worker* const worker = Worker::of_this_thread();
  if (worker != nullptr && StackSource::of_the_process().guarded_stack_at(info->si_addr) != nullptr)
    die(worker->running_number());
  if ((before_us.sa_flags & SA_SIGINFO) != 0) return before_us.sa_sigaction(signal, info, context);
  if (before_us.sa_handler == SIG_IGN) return;
  if (before_us.sa_handler != SIG_DFL) return before_us.sa_handler(signal);
  // The instruction faults again, and then ends the process as it would have without us.
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_overflows() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before_us);
  });
}

AlternateStack::AlternateStack() {
  stack_t now{};
  if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
  memory_.reset(new (std::nothrow) char[kBytes]);
  if (!memory_) return;  // an overflow then ends the process without a message
  stack_t ours{};
  ours.ss_sp = memory_.get();
  ours.ss_size = kBytes;
  sigaltstack(&ours, nullptr);
}

AlternateStack::~AlternateStack() {
  if (!memory_) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}

void die_of_overflow(const Task& task) { die(task.number()); }

void die_without_stack(std::size_t in_use) {
  std::fprintf(
      stderr,
      "pico: no address space for one more stack; this worker has %zu threads with one: start fewer at once, or "
      "raise `ulimit -v`\n",
      in_use);
  std::abort();
}

}  // namespace heddle::pico::debug
