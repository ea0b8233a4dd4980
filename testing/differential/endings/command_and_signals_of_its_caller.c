// system() with its caller's signals, what its command has of them, and what it returns; a command ends with its
// thread.
#include <errno.h>

#include "small.h"

static volatile sig_atomic_t interrupts;
static void count(int number) {
  (void)number;
  interrupts++;
}

static void run(const char* command) {
  errno = 0;
  int status = system(command);
  int error = errno;
  if (status == -1 || error != 0) printf("%d, %s\n", status, strerror(error));
  if (status != -1 && WIFSIGNALED(status)) printf("signal %d\n", WTERMSIG(status));
  if (status != -1 && WIFEXITED(status)) printf("exit %d\n", WEXITSTATUS(status));
}

HANDLER(on_commands) {
  UNUSED;
  printf("a shell: %d\n", system(NULL));
  run("exit 3");
  run("no-such-command 2>/dev/null");
  static char too_long[200000];
  memset(too_long, ' ', sizeof too_long - 1);
  run(too_long);
}

HANDLER(on_signals) {
  UNUSED;
  static sigset_t before, after;
  signal(SIGINT, count);
  sigprocmask(SIG_SETMASK, NULL, &before);
  run("kill -INT $PPID; kill -QUIT $PPID");
  run("grep -c '^SigBlk:.0*$' /proc/self/status");
  run("kill -INT $$");
  run("kill -QUIT $$");
  sigprocmask(SIG_SETMASK, NULL, &after);
  printf("interrupts: %d, the mask has %s\n", (int)interrupts,
         memcmp(&before, &after, sizeof after) == 0 ? "not changed" : "changed");
  raise(SIGINT);
  printf("interrupts: %d\n", (int)interrupts);
  signal(SIGINT, SIG_IGN);
  run("kill -INT $$; exit 4");
  signal(SIGCHLD, SIG_IGN);
  run("exit 5");
  signal(SIGCHLD, SIG_DFL);
  run("exit 6");
}
HANDLER(on_e) {
  UNUSED;
  take(30);
}

static void* sleep_in_a_command(void* unused) {
  run("sleep 0.4; echo the command goes on");
  return unused;
}

int main(void) {
  pthread_t thread;
  void* result;
  alarm(20);
  pthread_create(&thread, NULL, sleep_in_a_command, NULL);
  take(200);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  take(400);
  printf("%s\n", result == PTHREAD_CANCELED && wait(NULL) == -1 ? "cancelled" : "not cancelled");
  base = event_base_new();
  due(base, on_e, NULL);
  due(base, on_commands, NULL);
  due(base, on_signals, NULL);
  due(base, on_e, NULL);
  event_base_dispatch(base);
}
