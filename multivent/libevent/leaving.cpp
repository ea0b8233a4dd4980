// Functions of the C library by which a handler, or another thread of the program, ends the process, puts another
// program in its place, or sends itself a signal: seen on their way, so that this happens between handlers, as on one
// thread (process/alone.hpp).
//
// Calls that the C library makes of them itself do not come by here, so err() and its kin have functions of their own.
// A signal that the processor raises ends the process at once.
#include <alloca.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "multivent/calls/task.hpp"
#include "multivent/libevent/next.hpp"
#include "multivent/process/alone.hpp"
#include "multivent/process/crash.hpp"
#include "telemetry/live.hpp"

using heddle::multivent::Alone;
using heddle::multivent::current_task;

// NOLINTNEXTLINE(bugprone-reserved-identifier): glibc's own name
extern "C" void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) noexcept;

namespace {

// The C library's own. Looked up before main: these are called in signal handlers and children of vfork(), where
// dlsym() is not safe.
using heddle::multivent::next_function;
using heddle::multivent::of_the_c_library;

struct Originals {
  using Exit = void(int);
  using Words = char* const*;

  Exit* const exit = next_function<Exit>("exit");
  Exit* const exit_at_once = next_function<Exit>("_exit");
  Exit* const quick_exit = next_function<Exit>("quick_exit");
  void (*const abort)() = next_function<void()>("abort");
  void (*const verr)(int, const char*, va_list) = of_the_c_library<void(int, const char*, va_list)>("verr");
  void (*const verrx)(int, const char*, va_list) = of_the_c_library<void(int, const char*, va_list)>("verrx");
  void (*const error)(int, int, const char*, ...) = of_the_c_library<void(int, int, const char*, ...)>("error");
  void (*const error_at_line)(int, int, const char*, unsigned, const char*, ...) =
      of_the_c_library<void(int, int, const char*, unsigned, const char*, ...)>("error_at_line");
  int (*const execve)(const char*, Words, Words) = next_function<int(const char*, Words, Words)>("execve");
  int (*const execvpe)(const char*, Words, Words) = next_function<int(const char*, Words, Words)>("execvpe");
  int (*const fexecve)(int, Words, Words) = next_function<int(int, Words, Words)>("fexecve");
  int (*const kill)(pid_t, int) = next_function<int(pid_t, int)>("kill");
  int (*const killpg)(pid_t, int) = next_function<int(pid_t, int)>("killpg");
  int (*const raise)(int) = next_function<int(int)>("raise");
  int (*const pthread_kill)(pthread_t, int) = next_function<int(pthread_t, int)>("pthread_kill");
  int (*const sigqueue)(pid_t, int, sigval) = next_function<int(pid_t, int, sigval)>("sigqueue");
  pid_t (*const fork)() = next_function<pid_t()>("fork");
};

const Originals& original() {
  static const Originals found;
  return found;
}

[[gnu::constructor]] void look_up() { original(); }

// --- Another program ---

// execl() and its kin take a list that ends with a null pointer; the others take it as a vector. Not on the heap: a
// child of vfork() would leave it there.
std::size_t words_in(const char* first, va_list& others) {
  std::size_t count = 1;
  for (const char* each = first; each != nullptr; each = va_arg(others, const char*)) ++count;
  return count;
}

void list_words(char** words, std::size_t count, const char* first, va_list& others) {
  words[0] = const_cast<char*>(first);
  for (std::size_t at = 1; at < count; ++at) words[at] = va_arg(others, char*);
}

// --- Messages ---

// The text that a format makes. The C library has no functions that take the arguments of error() as a list.
class Text {
 public:
  Text(const char* format, va_list arguments) {
    if (vasprintf(&text_, format, arguments) < 0) text_ = nullptr;
  }
  ~Text() { std::free(text_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  const char* get() const { return text_ != nullptr ? text_ : "out of memory"; }

 private:
  char* text_ = nullptr;
};

// --- Signals ---

// Whether the process dies of it, or stops.
bool fatal(int number) {
  if (number == 0 || number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH) return false;
  struct sigaction action{};
  return sigaction(number, nullptr, &action) == 0 && heddle::multivent::ends_the_process(action);
}

bool blocked(int number) {
  sigset_t mask;
  return pthread_sigmask(SIG_SETMASK, nullptr, &mask) == 0 && sigismember(&mask, number) == 1;
}

// A signal that a handler sends to its own thread, which has it blocked: it waits for whoever asks for it, on whichever
// thread.
bool is_left_to_the_process(int number) { return current_task() != nullptr && number != 0 && blocked(number); }

// A signal that may end this process, or stop it, between handlers.
template <class Function>
int send_alone(int number, Function function) {
  if (number == SIGUSR1) heddle::telemetry::Live::give_signal_back();
  const bool waits = fatal(number) && Alone::begin_unless_copied(Alone::For::kEnd);
  const int result = function();
  if (waits) Alone::end();  // the process was stopped, and goes on
  return result;
}

// A process of one thread has handled a signal that it sends itself when the call returns. Of several threads any one
// might, later; so this thread sends it to itself, with what the signal's function would be told of it. One that is
// blocked belongs to whoever asks for it.
template <class Function>
int send_to_this_process(int number, int code, sigval value, Function send) {
  if (current_task() == nullptr || number == 0 || blocked(number)) return send();
  return send_alone(number, [&] {
    siginfo_t info{};
    info.si_signo = number;
    info.si_code = code;
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value = value;
    return static_cast<int>(syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), number, &info));
  });
}

// The program may leave abort() by a jump out of the function of SIGABRT (C17 7.22.4.1), and go on.
void run_function_of_abort() {
  struct sigaction action{};
  if (sigaction(SIGABRT, nullptr, &action) != 0 || heddle::multivent::ends_the_process(action)) return;
  if (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN) return;
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGABRT);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  original().raise(SIGABRT);
  action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGABRT, &action, nullptr);
}

// The last that exit() calls: registered before anything else can be, and not for a library, whose functions are called
// when it is unloaded. The program's own functions of atexit() may still stop loops of other threads, so those go on
// until here.
void leave(int /*status*/, void*) { Alone::for_good(); }

[[gnu::constructor]] void be_the_last() { on_exit(leave, nullptr); }

}  // namespace

extern "C" {

void exit(int status) {
  Alone::for_good_in_handler();
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
  run_function_of_abort();
  Alone::for_good();
  original().abort();
  __builtin_unreachable();
}

// Says what it says, and calls abort() above: the C library's own call of it does not come by there.
void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) noexcept {
  std::fprintf(stderr, "%s%s%s:%u: %s%sAssertion `%s' failed.\n", program_invocation_short_name,
               *program_invocation_short_name == '\0' ? "" : ": ", file, line, function == nullptr ? "" : function,
               function == nullptr ? "" : ": ", assertion);
  abort();
}

// The program finds the six that follow by their usual names (unreserved.cpp).
void heddle_verr(int status, const char* format, va_list arguments) {
  Alone::for_good_in_handler();
  original().verr(status, format, arguments);
  __builtin_unreachable();
}

void heddle_verrx(int status, const char* format, va_list arguments) {
  Alone::for_good_in_handler();
  original().verrx(status, format, arguments);
  __builtin_unreachable();
}

void heddle_err(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  heddle_verr(status, format, arguments);
}

void heddle_errx(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  heddle_verrx(status, format, arguments);
}

void heddle_error(int status, int number, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const Text text(format, arguments);
  va_end(arguments);
  if (status != 0) Alone::for_good_in_handler();
  original().error(status, number, "%s", text.get());
}

void heddle_error_at_line(int status, int number, const char* file, unsigned line, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const Text text(format, arguments);
  va_end(arguments);
  if (status != 0) Alone::for_good_in_handler();
  original().error_at_line(status, number, file, line, "%s", text.get());
}

pid_t fork() {
  // Before the functions of pthread_atfork(): one that takes a lock of the program's would keep it from those that this
  // thread waits for.
  return Alone::run([] { return original().fork(); });
}

int execve(const char* path, char* const* arguments, char* const* environment) noexcept {
  return Alone::run([&] { return original().execve(path, arguments, environment); }, Alone::For::kEnd);
}

int execv(const char* path, char* const* arguments) noexcept { return execve(path, arguments, environ); }

int execvpe(const char* file, char* const* arguments, char* const* environment) noexcept {
  return Alone::run([&] { return original().execvpe(file, arguments, environment); }, Alone::For::kEnd);
}

int execvp(const char* file, char* const* arguments) noexcept { return execvpe(file, arguments, environ); }

int fexecve(int file, char* const* arguments, char* const* environment) noexcept {
  return Alone::run([&] { return original().fexecve(file, arguments, environment); }, Alone::For::kEnd);
}

int execl(const char* path, const char* first, ...) noexcept {
  va_list arguments;
  va_start(arguments, first);
  const std::size_t count = words_in(first, arguments);
  va_end(arguments);
  auto** const words = static_cast<char**>(alloca(count * sizeof(char*)));
  va_start(arguments, first);
  list_words(words, count, first, arguments);
  va_end(arguments);
  return execv(path, words);
}

int execlp(const char* file, const char* first, ...) noexcept {
  va_list arguments;
  va_start(arguments, first);
  const std::size_t count = words_in(first, arguments);
  va_end(arguments);
  auto** const words = static_cast<char**>(alloca(count * sizeof(char*)));
  va_start(arguments, first);
  list_words(words, count, first, arguments);
  va_end(arguments);
  return execvp(file, words);
}

int execle(const char* path, const char* first, ...) noexcept {
  va_list arguments;
  va_start(arguments, first);
  const std::size_t count = words_in(first, arguments);
  va_end(arguments);
  auto** const words = static_cast<char**>(alloca(count * sizeof(char*)));
  va_start(arguments, first);
  list_words(words, count, first, arguments);
  auto** const environment = va_arg(arguments, char**);
  va_end(arguments);
  return execve(path, words, environment);
}

int raise(int number) noexcept {
  if (is_left_to_the_process(number)) return original().kill(getpid(), number);
  return send_alone(number, [&] { return original().raise(number); });
}

int kill(pid_t process, int number) noexcept {
  if (process == getpid())
    return send_to_this_process(number, SI_USER, {}, [&] { return original().kill(process, number); });
  if (process > 0 || (process < -1 && -process != getpgrp())) return original().kill(process, number);
  return send_alone(number, [&] { return original().kill(process, number); });
}

int sigqueue(pid_t process, int number, const sigval value) noexcept {
  const auto send = [&] { return original().sigqueue(process, number, value); };
  return process == getpid() ? send_to_this_process(number, SI_QUEUE, value, send) : send();
}

int killpg(pid_t group, int number) noexcept {
  if (group != 0 && group != getpgrp()) return original().killpg(group, number);
  return send_alone(number, [&] { return original().killpg(group, number); });
}

int pthread_kill(pthread_t thread, int number) noexcept {
  if (pthread_equal(thread, pthread_self()) && is_left_to_the_process(number))
    return original().kill(getpid(), number) == 0 ? 0 : errno;
  return send_alone(number, [&] { return original().pthread_kill(thread, number); });
}

}  // extern "C"
