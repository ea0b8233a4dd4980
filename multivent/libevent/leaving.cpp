// Functions of the C library by which a handler ends the process, puts another program in its place, or sends itself a
// signal: seen on their way, so that this happens between handlers, as on one thread (process/alone.hpp).
//
// Calls that the C library makes of them itself do not come by here, so err() and its kin have functions of their own.
// A signal that the processor raises ends the process at once.
#include <alloca.h>
#include <err.h>
#include <error.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "multivent/calls/task.hpp"
#include "multivent/libevent/next.hpp"
#include "multivent/process/alone.hpp"

using heddle::multivent::Alone;
using heddle::multivent::current_task;

extern "C" void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) noexcept;

namespace {

// The C library's own. Looked up before main: these are called in signal handlers and children of vfork(), where
// dlsym() is not safe.
using heddle::multivent::next_function;

struct Originals {
  using Exit = void(int);
  using Words = char* const*;

  Exit* const exit = next_function<Exit>("exit");
  Exit* const exit_at_once = next_function<Exit>("_exit");
  Exit* const quick_exit = next_function<Exit>("quick_exit");
  void (*const abort)() = next_function<void()>("abort");
  void (*const assert_fail)(const char*, const char*, unsigned, const char*) =
      next_function<void(const char*, const char*, unsigned, const char*)>("__assert_fail");
  void (*const verr)(int, const char*, va_list) = next_function<void(int, const char*, va_list)>("verr");
  void (*const verrx)(int, const char*, va_list) = next_function<void(int, const char*, va_list)>("verrx");
  void (*const error)(int, int, const char*, ...) = next_function<void(int, int, const char*, ...)>("error");
  int (*const execve)(const char*, Words, Words) = next_function<int(const char*, Words, Words)>("execve");
  int (*const execvpe)(const char*, Words, Words) = next_function<int(const char*, Words, Words)>("execvpe");
  int (*const fexecve)(int, Words, Words) = next_function<int(int, Words, Words)>("fexecve");
  int (*const kill)(pid_t, int) = next_function<int(pid_t, int)>("kill");
  int (*const killpg)(pid_t, int) = next_function<int(pid_t, int)>("killpg");
  int (*const raise)(int) = next_function<int(int)>("raise");
  int (*const pthread_kill)(pthread_t, int) = next_function<int(pthread_t, int)>("pthread_kill");
};

const Originals& original() {
  static const Originals found;
  return found;
}

[[gnu::constructor]] void look_up() { original(); }

// --- Another program ---

template <class Function>
int replaced(Function function) {
  const bool waits = Alone::begin_unless_copied();
  const int result = function();  // it has failed
  if (waits) Alone::end();
  return result;
}

// execl() and its kin take a list that ends with a null pointer; the others take it as a vector. Not on the heap: a
// child of vfork() would leave it there.
#define HEDDLE_LISTED(vector, first, arguments)                                                            \
  va_list arguments;                                                                                       \
  va_start(arguments, first);                                                                              \
  std::size_t vector##_count = 1;                                                                          \
  for (const char* each = first; each != nullptr; each = va_arg(arguments, const char*)) ++vector##_count; \
  va_end(arguments);                                                                                       \
  auto** const vector = static_cast<char**>(alloca(vector##_count * sizeof(char*)));                       \
  va_start(arguments, first);                                                                              \
  vector[0] = const_cast<char*>(first);                                                                    \
  for (std::size_t at = 1; at < vector##_count; ++at) vector[at] = va_arg(arguments, char*)

// --- Signals ---

// Whether the process dies of it, or stops.
bool fatal(int number) {
  if (number == 0 || number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH) return false;
  struct sigaction action{};
  return sigaction(number, nullptr, &action) == 0 && !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL;
}

bool blocked(int number) {
  sigset_t mask;
  return pthread_sigmask(SIG_SETMASK, nullptr, &mask) == 0 && sigismember(&mask, number) == 1;
}

// A signal that may end this process, or stop it, between handlers.
template <class Function>
int send_alone(int number, Function function) {
  const bool waits = current_task() != nullptr && fatal(number) && Alone::begin_unless_copied();
  const int result = function();
  if (waits) Alone::end();  // the process was stopped, and goes on
  return result;
}

// A process of one thread has handled a signal that it sends itself when the call returns. Of several threads any one
// might, later; so this thread sends it to itself. One that is blocked belongs to whoever asks for it.
int send_to_this_process(int number) {
  if (current_task() == nullptr || number == 0) return original().kill(getpid(), number);
  if (blocked(number)) return original().kill(getpid(), number);
  return send_alone(number, [&] { return original().raise(number); });
}

}  // namespace

extern "C" {

void exit(int status) {
  Alone::for_good();
  original().exit(status);
  __builtin_unreachable();
}

void _exit(int status) {
  Alone::for_good();
  original().exit_at_once(status);
  __builtin_unreachable();
}

void _Exit(int status) noexcept { _exit(status); }

void quick_exit(int status) noexcept {
  Alone::for_good();
  original().quick_exit(status);
  __builtin_unreachable();
}

void abort() noexcept {
  Alone::for_good();
  original().abort();
  __builtin_unreachable();
}

void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) noexcept {
  Alone::for_good();
  original().assert_fail(assertion, file, line, function);
  __builtin_unreachable();
}

void verr(int status, const char* format, va_list arguments) {
  Alone::for_good();
  original().verr(status, format, arguments);
  __builtin_unreachable();
}

void verrx(int status, const char* format, va_list arguments) {
  Alone::for_good();
  original().verrx(status, format, arguments);
  __builtin_unreachable();
}

void err(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verr(status, format, arguments);
}

void errx(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verrx(status, format, arguments);
}

void error(int status, int number, const char* format, ...) {
  constexpr std::size_t kLongest = 4096;
  char text[kLongest];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (status != 0) Alone::for_good();
  original().error(status, number, "%s", text);
}

int execve(const char* path, char* const* arguments, char* const* environment) noexcept {
  return replaced([&] { return original().execve(path, arguments, environment); });
}

int execv(const char* path, char* const* arguments) noexcept { return execve(path, arguments, environ); }

int execvpe(const char* file, char* const* arguments, char* const* environment) noexcept {
  return replaced([&] { return original().execvpe(file, arguments, environment); });
}

int execvp(const char* file, char* const* arguments) noexcept { return execvpe(file, arguments, environ); }

int fexecve(int file, char* const* arguments, char* const* environment) noexcept {
  return replaced([&] { return original().fexecve(file, arguments, environment); });
}

int execl(const char* path, const char* first, ...) noexcept {
  HEDDLE_LISTED(vector, first, arguments);
  va_end(arguments);
  return execv(path, vector);
}

int execlp(const char* file, const char* first, ...) noexcept {
  HEDDLE_LISTED(vector, first, arguments);
  va_end(arguments);
  return execvp(file, vector);
}

int execle(const char* path, const char* first, ...) noexcept {
  HEDDLE_LISTED(vector, first, arguments);
  auto** const environment = va_arg(arguments, char**);
  va_end(arguments);
  return execve(path, vector, environment);
}

int raise(int number) noexcept { return send_to_this_process(number); }

int kill(pid_t process, int number) noexcept {
  if (process == getpid()) return send_to_this_process(number);
  if (process > 0 || (process < -1 && -process != getpgrp())) return original().kill(process, number);
  return send_alone(number, [&] { return original().kill(process, number); });
}

int killpg(pid_t group, int number) noexcept {
  if (group != 0 && group != getpgrp()) return original().killpg(group, number);
  return send_alone(number, [&] { return original().killpg(group, number); });
}

int pthread_kill(pthread_t thread, int number) noexcept {
  return send_alone(number, [&] { return original().pthread_kill(thread, number); });
}

}  // extern "C"
