// Memory that was mapped as shared is one for parent and child; a child of vfork() has all of its parent's memory.
// CONFLICT always: on_spawn on_spawn: children
// CONFLICT always: on_spawn on_show
// CONFLICT always: on_spawn on_run: children
// CONFLICT always: on_run on_run: runs
// CONFLICT always: on_run on_show: runs
// SAFE: on_show on_show
#include <sys/mman.h>

#include "server.h"

static int *board;
static int runs;

HANDLER(on_spawn) {
  UNUSED;
  if (fork() == 0) {
    *board = 1;
    _exit(0);
  }
}

HANDLER(on_run) {
  UNUSED;
  if (vfork() == 0) {
    runs++;
    execl("/bin/true", "true", (char *)NULL);
    _exit(1);
  }
}

HANDLER(on_show) {
  UNUSED;
  printf("%d %d\n", *board, runs);
}

int main(void) {
  base = event_base_new();
  board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  when_readable(3, on_spawn, NULL);
  when_readable(4, on_run, NULL);
  when_readable(5, on_show, NULL);
  return event_base_dispatch(base);
}
