// Functions of the C library by which a handler, or another thread of the program, starts another program.
//
// What is started inherits the descriptors that the process has open at that moment. Another handler may be between
// opening one and saying that no program inherits it (FD_CLOEXEC), or has put another file in the place of 1 for a
// moment. One thread would be between two handlers; so the start waits for the others, as fork() does
// (process/alone.hpp). It is over when the function has started the program: nobody waits for the program's end.
//
// Calls that the C library makes of them itself do not come by here, so each has a function of its own.
#include <paths.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "base/on_exit.hpp"
#include "multivent/libevent/next.hpp"
#include "multivent/process/alone.hpp"

using heddle::multivent::Alone;

namespace {

using heddle::multivent::next_function;

// The C library's own. Looked up before main, as those of leaving.cpp.
struct Starters {
  using Spawn = int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*,
                    char* const*);

  Spawn* const posix_spawn = next_function<Spawn>("posix_spawn");
  Spawn* const posix_spawnp = next_function<Spawn>("posix_spawnp");
  FILE* (*const popen)(const char*, const char*) = next_function<FILE*(const char*, const char*)>("popen");
};

const Starters& starters() {
  static const Starters found;
  return found;
}

[[gnu::constructor]] void look_up_starters() { starters(); }

// --- Commands ---

// What system() does with signals of its caller while the command runs (POSIX.1-2017, system()): SIGINT and SIGQUIT are
// the command's alone, and nobody else's function of SIGCHLD takes the command's status. Several threads may run
// commands at once: the first one has the two signals ignored, and the last one puts back what was done with them.
class SignalsOfACommand {
 public:
  SignalsOfACommand() {
    struct sigaction ignored{};
    ignored.sa_handler = SIG_IGN;
    const std::lock_guard guard(mutex);
    if (commands++ == 0) {
      sigaction(SIGINT, &ignored, &interrupt);
      sigaction(SIGQUIT, &ignored, &quit);
    }
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &child, &mask_);
  }

  ~SignalsOfACommand() {
    {
      const std::lock_guard guard(mutex);
      if (--commands == 0) {
        sigaction(SIGINT, &interrupt, nullptr);
        sigaction(SIGQUIT, &quit, nullptr);
      }
    }
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }

  SignalsOfACommand(const SignalsOfACommand&) = delete;
  SignalsOfACommand& operator=(const SignalsOfACommand&) = delete;

  // The command has what the caller had: the mask, and both signals, unless they were ignored before.
  void give_to(posix_spawnattr_t& attributes) const {
    sigset_t defaults;
    sigemptyset(&defaults);
    if (!ignores(interrupt)) sigaddset(&defaults, SIGINT);
    if (!ignores(quit)) sigaddset(&defaults, SIGQUIT);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &mask_);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }

 private:
  static bool ignores(const struct sigaction& action) {
    return !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN;
  }

  inline static std::mutex mutex;
  inline static int commands = 0;
  inline static struct sigaction interrupt;
  inline static struct sigaction quit;

  sigset_t mask_{};
};

int start_shell(const char* command, const SignalsOfACommand& signals, pid_t& child) {
  std::array<char*, 4> words{const_cast<char*>("sh"), const_cast<char*>("-c"), const_cast<char*>(command), nullptr};
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  signals.give_to(attributes);
  const int error = starters().posix_spawn(&child, _PATH_BSHELL, nullptr, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  return error;
}

// Its status; -1 if nobody knows it, because the process has its children reaped by the system.
int wait_for(pid_t child) {
  int status = -1;
  pid_t found = 0;
  do found = waitpid(child, &status, 0);
  while (found == -1 && errno == EINTR);
  return found == child ? status : -1;
}

// As the C library's system() does.
int run(const char* command) {
  int error = 0;
  int status = 0;
  {
    const bool waits = Alone::begin_unless_copied();
    const SignalsOfACommand signals;
    pid_t child = 0;
    error = start_shell(command, signals, child);
    if (waits) Alone::end();
    bool runs = error == 0;
    // Where the thread is cancelled, its command ends with it.
    const heddle::base::OnExit cancelled([&] {
      if (!runs) return;
      kill(child, SIGKILL);
      wait_for(child);
    });
    // A shell that cannot be started counts as one that ends so.
    status = runs ? wait_for(child) : W_EXITCODE(127, 0);
    runs = false;
  }
  if (error != 0) errno = error;
  return status;
}

}  // namespace

extern "C" {

int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* files,
                const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment) {
  return Alone::run([&] { return starters().posix_spawn(child, path, files, attributes, arguments, environment); });
}

int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* files,
                 const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment) {
  return Alone::run([&] { return starters().posix_spawnp(child, file, files, attributes, arguments, environment); });
}

FILE* popen(const char* command, const char* type) {
  return Alone::run([&] { return starters().popen(command, type); });
}

// Not the C library's, which says nothing between the start of the command and its end. Around all of it, a command of
// five seconds would stop every handler for five seconds. One thread stops, too; but only what the command inherits
// depends on who runs when it starts. What it does to files, and what its end tells, are matters of the verdicts.
int system(const char* command) {
  if (command == nullptr) return run("exit 0") == 0 ? 1 : 0;
  return run(command);
}

#if defined(__x86_64__)
[[gnu::used, gnu::visibility("hidden")]] bool heddle_before_vfork() { return Alone::begin_unless_copied(); }

[[gnu::used, gnu::visibility("hidden")]] pid_t heddle_after_vfork(long result, bool waited) {
  if (waited) Alone::end();
  if (result > 0) return static_cast<pid_t>(result);
  errno = static_cast<int>(-result);
  return -1;
}

// The child runs on its parent's stack, and returns from here first: the parent finds its return address overwritten,
// and would find so any frame of ours. So it keeps that address, and whether it has waited, in registers, as the C
// library does (glibc, sysdeps/unix/sysv/linux/x86_64/vfork.S); and the C library's own cannot be called from here.
[[gnu::naked]] pid_t vfork() noexcept {
  asm("endbr64\n\t"
      "sub $8, %rsp\n\t"
      ".cfi_adjust_cfa_offset 8\n\t"
      "call heddle_before_vfork\n\t"
      "add $8, %rsp\n\t"
      ".cfi_adjust_cfa_offset -8\n\t"
      "movzbl %al, %esi\n\t"
      "pop %rdx\n\t"
      ".cfi_adjust_cfa_offset -8\n\t"
      ".cfi_register %rip, %rdx\n\t"
      "mov $58, %eax\n\t"  // SYS_vfork; leaves all registers but rax, rcx and r11
      "syscall\n\t"
      "push %rdx\n\t"
      ".cfi_adjust_cfa_offset 8\n\t"
      ".cfi_rel_offset %rip, 0\n\t"
      "mov %rax, %rdi\n\t"
      "test %rax, %rax\n\t"
      "jne heddle_after_vfork\n\t"
      "ret");
}
#endif

}  // extern "C"
