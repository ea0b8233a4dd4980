// Whoever waits for a child finds what its program did to files meanwhile: nobody else sees half of that (waitpid(2)).
// With WNOHANG nobody waits.
// CONFLICT always: on_global on_global: contents of some file
// CONFLICT always: on_global on_session: contents of some file
// CONFLICT always: on_global on_read: contents of first
// CONFLICT always: on_global on_reap: children
// CONFLICT always: on_session on_session: contents of some file
// CONFLICT always: on_session on_read: contents of first
// CONFLICT always: on_session on_reap: children
// SAFE: on_read on_read
// SAFE: on_read on_reap
// CONFLICT always: on_reap on_reap: children
// PINNED: on_global by posix_spawn
// PINNED: on_session by fork
// ANY THREAD: on_reap
#include <spawn.h>
#include <sys/wait.h>

#include "server.h"

struct client {
  pid_t child;
};

static char *words[] = {"true", NULL};

HANDLER(on_global) {
  UNUSED;
  pid_t child;
  if (posix_spawn(&child, "/bin/true", NULL, NULL, words, words + 1) == 0) waitpid(child, NULL, 0);
}

static void wait_for(pid_t child) {
  int status;
  if (wait4(child, &status, 0, NULL) < 0) return;
}

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->child = fork();
  if (client->child == 0) {
    execv("/bin/true", words);
    _exit(127);
  }
  wait_for(client->child);
}

HANDLER(on_read) {
  UNUSED;
  char c[2];
  int first = open("/tmp/heddle/first", O_RDONLY);
  int second = open("/tmp/heddle/second", O_RDONLY);
  if (pread(first, c, 1, 0) + pread(second, c + 1, 1, 0) < 2) c[0] = 0;
  close(first);
  close(second);
}

HANDLER(on_reap) {
  UNUSED;
  while (waitpid(-1, NULL, WNOHANG) > 0) continue;
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_global, NULL);
  when_readable(4, on_read, NULL);
  when_readable(5, on_reap, NULL);
  for (int i = 0; i < 2; i++) when_readable(6 + i, on_session, calloc(1, sizeof(struct client)));
  return event_base_dispatch(base);
}
