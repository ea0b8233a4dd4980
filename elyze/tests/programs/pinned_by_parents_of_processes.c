// A process may be known to the thread alone that made it: __WNOTHREAD (waitpid(2)), PR_SET_PDEATHSIG (prctl(2)).
// CONFLICT always: on_start on_start: children
// CONFLICT always: on_start on_session: children
// CONFLICT always: on_start on_wait: children
// CONFLICT always: on_start on_any: children
// CONFLICT always: on_session on_session: children
// CONFLICT always: on_session on_wait: children
// CONFLICT always: on_session on_any: children
// CONFLICT always: on_wait on_wait: children
// CONFLICT always: on_wait on_any: children
// CONFLICT always: on_any on_any: children
// PINNED: on_start by posix_spawnp
// PINNED: on_session by popen
// PINNED: on_wait by waitpid
// ANY THREAD: on_any
#define _GNU_SOURCE 1
#include <spawn.h>
#include <sys/wait.h>

#include "server.h"

struct client {
  FILE *command;
};

static pid_t child;

HANDLER(on_start) {
  UNUSED;
  char *words[] = {"true", NULL};
  posix_spawnp(&child, "true", NULL, NULL, words, words + 1);
}

static FILE *started(void) { return popen("true", "r"); }

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->command = started();
}

HANDLER(on_wait) {
  UNUSED;
  if (waitpid(child, NULL, WNOHANG | __WNOTHREAD) > 0) child = 0;
}

HANDLER(on_any) {
  UNUSED;
  if (waitpid(child, NULL, WNOHANG | WUNTRACED) > 0) child = 0;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_start, NULL);
  when_readable(4, on_wait, NULL);
  when_readable(5, on_any, NULL);
  for (int i = 0; i < 2; i++) when_readable(6 + i, on_session, calloc(1, sizeof(struct client)));
  return event_base_dispatch(base);
}
