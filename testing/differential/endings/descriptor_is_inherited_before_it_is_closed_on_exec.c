// A program is started beside a handler that has made a pipe, and has not said yet that no program shall inherit it.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>

#include "small.h"

static int at_end;
HANDLER(on_pipe) {
  UNUSED;
  int p[2];
  if (pipe(p) != 0) return;
  take(60);
  fcntl(p[0], F_SETFD, FD_CLOEXEC);
  fcntl(p[1], F_SETFD, FD_CLOEXEC);
  close(p[1]);
  struct pollfd f = {p[0], POLLIN, 0};
  at_end = poll(&f, 1, 200) == 1;
  close(p[0]);
}

// Each program lives until the pipe has been looked at.
HANDLER(on_spawn) {
  UNUSED;
  char* words[] = {"sleep", "0.5", NULL};
  take(20);
  pid_t child;
  posix_spawn(&child, "/bin/sleep", NULL, NULL, words, environ);
}
HANDLER(on_spawnp) {
  UNUSED;
  char* words[] = {"sleep", "0.5", NULL};
  take(20);
  pid_t child;
  posix_spawnp(&child, "sleep", NULL, NULL, words, environ);
}
HANDLER(on_vfork) {
  UNUSED;
  take(20);
  if (vfork() != 0) return;
  execl("/bin/sleep", "sleep", "0.5", (char*)NULL);
  _exit(1);
}
HANDLER(on_popen) {
  UNUSED;
  take(20);
  pclose(popen("exec sleep 0.5", "r"));
}
HANDLER(on_system) {
  UNUSED;
  take(20);
  if (system("exec sleep 0.5") != 0) abort();
}

static void beside_a_pipe(const char* name, event_callback_fn start) {
  due(base, start, NULL);
  due(base, on_pipe, NULL);
  event_base_dispatch(base);
  printf("%s: %s\n", name, at_end ? "end of file" : "somebody has it");
}

int main(void) {
  base = event_base_new();
  beside_a_pipe("posix_spawn", on_spawn);
  beside_a_pipe("posix_spawnp", on_spawnp);
  beside_a_pipe("vfork", on_vfork);
  beside_a_pipe("popen", on_popen);
  beside_a_pipe("system", on_system);
  while (wait(NULL) > 0) continue;
}
