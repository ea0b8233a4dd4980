#include "pico/core/watch.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "pico/core/runtime.hpp"
#include "pico/core/stacks.hpp"
#include "pico/core/worker.hpp"

namespace heddle::pico::debug {
namespace {

// On the kernel thread that is stopped, in its call. SIGURG is one that nobody minds: by default it is ignored.
void print_where(int) {
  const Worker* const worker = Worker::of_this_thread();
  if (worker == nullptr) return;
  const int before = errno;
  constexpr int kMostCalls = 48;
  constexpr int kOurs = 2;  // this function and the kernel's
  void* calls[kMostCalls];
  const int count = backtrace(calls, kMostCalls);
  char text[160];
  const int size = std::snprintf(text, sizeof text,
                                 "pico: thread %llu stops worker %zu in a call of the kernel: use pico's own, or "
                                 "pico::on_helper()\n",
                                 worker->running_number(), worker->index());
  static_cast<void>(!write(STDERR_FILENO, text, static_cast<std::size_t>(size)));
  if (count > kOurs) backtrace_symbols_fd(calls + kOurs, count - kOurs, STDERR_FILENO);
  errno = before;
}

}  // namespace

Watch::Watch(Runtime& runtime, std::chrono::milliseconds period) : runtime_(runtime), period_(period) {
  if (period.count() <= 0) return;
  void* first = nullptr;
  backtrace(&first, 1);  // loads what it needs, which a signal handler must not
  struct sigaction action{};
  action.sa_handler = print_where;
  action.sa_flags = SA_RESTART | SA_ONSTACK;  // that of the thread may be full
  sigemptyset(&action.sa_mask);
  sigaction(SIGURG, &action, nullptr);
  thread_ = base::Thread([this] { look(); });
}

Watch::~Watch() {
  if (period_.count() <= 0) return;
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Watch::look() {
  constexpr int kLooks = 4;  // per period
  struct Seen {
    std::uint64_t turn = 0;
    int times = 0;
  };
  std::vector<Seen> seen(runtime_.workers());
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, period_ / kLooks, [this] { return ends_; })) {
    for (std::size_t i = 0; i < seen.size(); ++i) {
      Worker& worker = runtime_.worker(i);
      const std::uint64_t turn = worker.turn();
      if (std::exchange(seen[i].turn, turn) != turn) seen[i].times = 0;
      if (worker.blocked_in_task() && ++seen[i].times == kLooks) worker.interrupt(SIGURG);
    }
  }
}

}  // namespace heddle::pico::debug
