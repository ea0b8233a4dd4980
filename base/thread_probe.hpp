// What a thread of this process does, as another thread of it can find out.
#pragma once

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>

namespace heddle::base {

// What a thread waits for. In the order in which it is likely to go on by itself.
enum class Wait : std::uint8_t {
  kForThreads,  // others of this process (futex(2)); or it has ended, or nobody knows
  kForOthers,   // something else: a descriptor, a child
  kForTime,
  kForNothing,  // it runs, or waits for a processor
};

class ThreadProbe {
 public:
  static ThreadProbe of_this_thread() {
    ThreadProbe probe;
    probe.valid_ = pthread_getcpuclockid(pthread_self(), &probe.clock_) == 0;
    probe.thread_ = gettid();
    return probe;
  }

  // Processor time that the thread has used; zero if it has ended.
  std::chrono::nanoseconds cpu_time() const {
    timespec used{};
    if (!valid_ || clock_gettime(clock_, &used) != 0) return {};
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
  }

  // Whether the thread waits for something other than a processor. Nothing if it has ended, or where there is no /proc
  // (proc(5), /proc/pid/task/tid/stat).
  std::optional<bool> blocked() const {
    char text[64];  // "number (name) state ...": names have at most 15 characters
    std::snprintf(text, sizeof text, "/proc/self/task/%d/stat", static_cast<int>(thread_));
    const int file = open(text, O_RDONLY | O_CLOEXEC);
    if (file < 0) return std::nullopt;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    for (ssize_t i = length - 3; i >= 0; --i)
      if (text[i] == ')') return text[i + 2] != 'R';
    return std::nullopt;
  }

  // Three system calls for each of two files (proc(5), /proc/pid/task/tid/syscall).
  Wait waits() const {
    if (!blocked().value_or(true)) return Wait::kForNothing;
    char text[64];
    std::snprintf(text, sizeof text, "/proc/self/task/%d/syscall", static_cast<int>(thread_));
    const int file = open(text, O_RDONLY | O_CLOEXEC);
    if (file < 0) return Wait::kForThreads;
    // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): the kernel makes up this text, and waits for nobody
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return Wait::kForThreads;
    text[length] = 0;
    char* rest = nullptr;
    const long number = std::strtol(text, &rest, 10);  // "running" is no number
    if (rest == text) return Wait::kForNothing;
    if (number == SYS_nanosleep || number == SYS_clock_nanosleep) return Wait::kForTime;
    return number == SYS_futex ? Wait::kForThreads : Wait::kForOthers;
  }

 private:
  bool valid_ = false;
  pid_t thread_ = 0;
  clockid_t clock_{};
};

}  // namespace heddle::base
