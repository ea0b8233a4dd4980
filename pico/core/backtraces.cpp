#include "pico/core/backtraces.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "pico/core/runtime.hpp"
#include "pico/core/worker.hpp"

namespace heddle::pico::debug {
namespace {

struct Calls {
  static constexpr int kMost = 48;
  void* at[kMost];
  int count;
};

// The calls are found on the thread's stack, for there they are, and printed on the worker's, which is larger.
void print(Task& task, Context& own) {
  constexpr std::size_t kNeeded = 6144;  // by backtrace(), seen: 2.1 KB
  constexpr int kOurs = 3;               // the functions that led to it
  const auto number = static_cast<unsigned long long>(task.number());
  if (task.stack_left() < kNeeded) {
    std::fprintf(stderr, "pico: thread %llu has %zu bytes of its stack left, too few to look at its calls\n", number,
                 task.stack_left());
    return;
  }
  Calls calls{};
  const auto find = [](void* data) {
    auto& found = *static_cast<Calls*>(data);
    found.count = backtrace(found.at, Calls::kMost);
  };
  task.run_on_top(find, &calls, own);
  std::fprintf(stderr, "pico: thread %llu\n", number);
  std::fflush(stderr);
  if (calls.count > kOurs) backtrace_symbols_fd(calls.at + kOurs, calls.count - kOurs, STDERR_FILENO);
}

void on_signal(int) {
  const int before = errno;
  Runtime::request_backtraces_of_all();
  errno = before;
}

// A pointer to a member is the offset of that member (Itanium C++ ABI, section 2.3).
template <class Member, class Class>
std::uint64_t offset(Member Class::* member) {
  return std::bit_cast<std::uint64_t>(member);
}

}  // namespace

// Where pico_gdb.py finds all threads, in the order in which it reads these: in a program without debug information,
// too.
struct Layout {
  static const std::uint64_t kNumbers[];
};
extern "C" const std::uint64_t* pico_layout;
[[gnu::used]] const std::uint64_t* pico_layout = Layout::kNumbers;
const std::uint64_t Layout::kNumbers[] = {
    reinterpret_cast<std::uint64_t>(Runtime::listed.data()),
    Runtime::kMostListed,
    offset(&Runtime::workers_),
    offset(&Worker::index_),
    offset(&Worker::running_),
    offset(&Worker::started_),
    offset<boost::context::detail::fcontext_t, Task>(&Task::where_),
    offset(&Task::number_),
    offset(&Task::stack_),
    Stack::kBytes - sizeof(Task::Started) + offset(&Task::Started::behind),
};

void print_backtraces(Worker& worker) { worker.visit_parked(print); }

void print_backtraces_on(int signal) {
  if (signal == 0) return;
  void* first = nullptr;
  backtrace(&first, 1);  // loads what it needs, and not on a small stack
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART | SA_ONSTACK;  // that of a thread may be full
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace heddle::pico::debug
