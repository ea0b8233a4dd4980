// The child of fork() has one thread, the one that forked: it goes on with the stack and the values of that.
#include <sys/wait.h>

#include "server.h"

struct client {
  pid_t (*start)(void);
  pid_t child;
};

static pid_t child;

HANDLER(on_global) {
  UNUSED;
  child = fork();
  if (child == 0) _exit(0);
}
// PINNED: on_global by fork

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->child = client->start();
  if (client->child == 0) _exit(0);
}
// PINNED: on_session by fork

static void go_on_in_a_child(void) {
  if (child < 0 && daemon(1, 1) == 0) child = 0;
}

HANDLER(on_helper) {
  UNUSED;
  go_on_in_a_child();
}
// PINNED: on_helper by daemon

HANDLER(on_loop) {
  UNUSED;
  event_base_loop(base, EVLOOP_NONBLOCK);
}
// PINNED: on_loop by event_base_loop

HANDLER(on_wait) {
  UNUSED;
  static int status;
  waitpid(-1, &status, WNOHANG);
}
// ANY THREAD: on_wait
// CONFLICT always: on_wait on_wait: on_wait.status

int main(void) {
  base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  client->start = fork;
  when_readable(3, on_global, NULL);
  when_readable(4, on_session, client);
  when_readable(5, on_helper, NULL);
  when_readable(6, on_loop, NULL);
  when_readable(7, on_wait, NULL);
  return event_base_dispatch(base);
}
