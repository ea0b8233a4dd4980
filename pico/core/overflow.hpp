// A thread that needs more stack than it has ends the process with a message that names it, instead of writing over
// what lies below.
#pragma once

#include <cstddef>
#include <memory>

namespace heddle::pico {
class Task;
}

namespace heddle::pico::debug {

// From now on a fault in the guard of a stack is reported; other faults go to whoever handled them before.
void catch_overflows();

// The stack on which the handler of faults runs, for the calling kernel thread, as long as it lives.
class AlternateStack {
 public:
  AlternateStack();
  ~AlternateStack();
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;

 private:
  static constexpr std::size_t kBytes = std::size_t{64} << 10;
  std::unique_ptr<char[]> memory_;  // none if the kernel thread has one already
};

// The lowest words of the thread's stack have been written, though it may not use them.
[[noreturn]] void die_of_overflow(const Task& task);
// There is no address space for one more stack.
[[noreturn]] void die_without_stack(std::size_t in_use);

}  // namespace heddle::pico::debug
