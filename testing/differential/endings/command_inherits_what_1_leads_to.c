// A program is started beside a handler that has put another file in the place of descriptor 1 for a moment.
#include <fcntl.h>
#include <spawn.h>

#include "small.h"

static int side;
HANDLER(on_side) {
  UNUSED;
  int before = dup(1);
  dup2(side, 1);
  take(60);
  dup2(before, 1);
  close(before);
}

HANDLER(on_spawn) {
  UNUSED;
  char* words[] = {"echo", "posix_spawn", NULL};
  take(20);
  pid_t child;
  posix_spawn(&child, "/bin/echo", NULL, NULL, words, environ);
}
HANDLER(on_spawnp) {
  UNUSED;
  char* words[] = {"echo", "posix_spawnp", NULL};
  take(20);
  pid_t child;
  posix_spawnp(&child, "echo", NULL, NULL, words, environ);
}
HANDLER(on_vfork) {
  UNUSED;
  take(20);
  if (vfork() != 0) return;
  execl("/bin/echo", "echo", "vfork", (char*)NULL);
  _exit(1);
}
HANDLER(on_popen) {
  UNUSED;
  take(20);
  pclose(popen("echo popen", "w"));
}
HANDLER(on_system) {
  UNUSED;
  take(20);
  if (system("echo system") != 0) abort();
}

static void beside_another_file(event_callback_fn start) {
  due(base, start, NULL);
  due(base, on_side, NULL);
  event_base_dispatch(base);
  while (wait(NULL) > 0) continue;
}

int main(void) {
  side = open("/dev/null", O_WRONLY);
  base = event_base_new();
  beside_another_file(on_spawn);
  beside_another_file(on_spawnp);
  beside_another_file(on_vfork);
  beside_another_file(on_popen);
  beside_another_file(on_system);
}
