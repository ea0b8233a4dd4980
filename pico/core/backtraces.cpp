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

void print(Task& task) {
  constexpr int kMostCalls = 48;
  constexpr int kOurs = 4;  // this function and those that led here
  void* calls[kMostCalls];
  const int count = backtrace(calls, kMostCalls);
  std::fprintf(stderr, "pico: thread %llu\n", static_cast<unsigned long long>(task.number()));
  std::fflush(stderr);
  if (count > kOurs) backtrace_symbols_fd(calls + kOurs, count - kOurs, STDERR_FILENO);
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
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace heddle::pico::debug
