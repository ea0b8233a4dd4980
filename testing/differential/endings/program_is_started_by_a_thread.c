// A program that a thread of the program's own starts inherits what one handler at most is in the middle of.
#include <fcntl.h>
#include <spawn.h>

#include "small.h"

// Each has two descriptors open that no program shall inherit, and has not said so yet.
static void make_pipe(void) {
  int p[2];
  if (pipe(p) != 0) return;
  take(200);
  fcntl(p[0], F_SETFD, FD_CLOEXEC);
  fcntl(p[1], F_SETFD, FD_CLOEXEC);
  close(p[0]);
  close(p[1]);
}
HANDLER(on_a) {
  UNUSED;
  make_pipe();
}
HANDLER(on_b) {
  UNUSED;
  make_pipe();
}

// How many descriptors a program has that is started in this way.
#define OPEN "exit $(ls /proc/self/fd | wc -l)"
static char* words[] = {"sh", "-c", OPEN, NULL};
static int status_of(pid_t child) {
  int status;
  return waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : -1;
}
static int by_spawn(void) {
  pid_t child;
  return posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0 ? status_of(child) : -1;
}
static int by_spawnp(void) {
  pid_t child;
  return posix_spawnp(&child, "sh", NULL, NULL, words, environ) == 0 ? status_of(child) : -1;
}
static int by_vfork(void) {
  pid_t child = vfork();
  if (child == 0) {
    execv("/bin/sh", words);
    _exit(1);
  }
  return status_of(child);
}
static int by_popen(void) {
  FILE* stream = popen(OPEN, "r");
  return WEXITSTATUS(pclose(stream));
}
static int by_system(void) { return WEXITSTATUS(system(OPEN)); }

static int (*way)(void);
static int open_in_the_program;
static void* start(void* unused) {
  take(100);
  open_in_the_program = way();
  return unused;
}

static void beside_two_handlers(const char* name, int (*of_it)(void)) {
  pthread_t thread;
  way = of_it;
  int before = way();
  due(base, on_a, NULL);
  due(base, on_b, NULL);
  pthread_create(&thread, NULL, start, NULL);
  event_base_dispatch(base);
  pthread_join(thread, NULL);
  printf("%s: %s\n", name, open_in_the_program > before + 2 ? "of several" : "of one at most");
}

int main(void) {
  base = event_base_new();
  beside_two_handlers("posix_spawn", by_spawn);
  beside_two_handlers("posix_spawnp", by_spawnp);
  beside_two_handlers("vfork", by_vfork);
  beside_two_handlers("popen", by_popen);
  beside_two_handlers("system", by_system);
}
